//! What a terminal says over the person's socket, and what it hears: one JSON object a line, both ways.

use crate::spec_command::SpecCommand;
use crate::step_command::StepCommand;
use countersign_core::digest::Digest;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::scope::Scopes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Which process has the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// The app with its window.
    Desktop,
    /// `countersign serve`, without one.
    Serve,
}

/// One thing that a terminal wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum Command {
    /// Who is there: `{surface, test_home, passphrase_set, version, language}`.
    Hello,
    /// Brings the window to the front, if there is one; decides nothing.
    Raise,
    /// Proves that a person is there, by the passphrase; `unattended` when it came from a file.
    Prove {
        /// The passphrase.
        passphrase: String,
        /// Whether it came from a file.
        unattended: bool,
    },
    /// Asks for six digits to show, which the person types into the window: `{code, expires_in}`, then `{proven}`.
    /// Who asks is what the system says of the process on the other end.
    ProveInWindow,
    /// Programs that want to be paired.
    Pairings,
    /// Pairs the one that shows this code.
    AcceptPairing {
        /// The six digits.
        code: String,
        /// What it may do.
        scopes: Scopes,
    },
    /// Refuses the one that shows this code.
    RefusePairing {
        /// The six digits, or the id that `Pairings` shows.
        code: String,
    },
    /// From here on the line is the app's: it says what is open and who works, and again whenever that changed, until the
    /// terminal hangs up: `{open, more, sessions}`.
    Watch,
    /// What is pending, oldest first.
    List {
        /// In one folder only.
        workspace: Option<String>,
    },
    /// One request, whole.
    Show {
        /// Which.
        id: RequestId,
    },
    /// Answers one.
    Answer {
        /// Which.
        id: RequestId,
        /// By question id.
        answers: Map<String, Value>,
        /// What the person adds.
        comment: Option<String>,
        /// The word that a yes takes.
        typed: Option<String>,
    },
    /// Answers a plan, with what goes with no other answer.
    AnswerPlan {
        /// Which.
        id: RequestId,
        /// By question id.
        answers: Map<String, Value>,
        /// What the person adds.
        comment: Option<String>,
        /// What the person remarks on single lines.
        #[serde(default)]
        remarks: Vec<GivenRemark>,
        /// The mode to which running it shall lead; none for the one before plan mode.
        mode: Option<Mode>,
    },
    /// A session's mode: shows it, or with a mode switches to that.
    Mode {
        /// Which session.
        session: SessionId,
        /// The mode it shall be in.
        mode: Option<Mode>,
    },
    /// The sessions that were seen last, with their modes.
    Sessions,
    /// Specs and workspaces.
    Specs(SpecCommand),
    /// Steps, rules and sessions that are stopped.
    Steps(StepCommand),
    /// How a folder's commands stand, and what is there that is not trusted.
    TrustState {
        /// The folder.
        workspace: String,
    },
    /// Asks for trust in what is there, in Countersign's own name: where there is a window, its dialog opens.
    ReviewTrust {
        /// The folder.
        workspace: String,
    },
    /// Trusts what is there, if it is still what was shown.
    Trust {
        /// The folder.
        workspace: String,
        /// The digest of what was shown.
        digest: Digest,
    },
    /// Declines one.
    Decline {
        /// Which.
        id: RequestId,
        /// What the person adds.
        comment: Option<String>,
    },
}

impl Command {
    /// Whether it changes something, and so takes a proof that a person is there.
    pub fn takes_proof(&self) -> bool {
        match self {
            Self::AcceptPairing { .. }
            | Self::RefusePairing { .. }
            | Self::Answer { .. }
            | Self::AnswerPlan { .. }
            | Self::Decline { .. }
            | Self::Trust { .. } => true,
            Self::Mode { mode, .. } => mode.is_some(),
            Self::Specs(command) => command.takes_proof(),
            Self::Steps(command) => command.takes_proof(),
            Self::Hello
            | Self::Raise
            | Self::Prove { .. }
            | Self::ProveInWindow
            | Self::Pairings
            | Self::Watch
            | Self::List { .. }
            | Self::Sessions
            | Self::TrustState { .. }
            | Self::ReviewTrust { .. }
            | Self::Show { .. } => false,
        }
    }
}

/// What a terminal hears.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// It went well; this is what was asked for.
    Ok(Value),
    /// It was refused.
    Error {
        /// One word.
        code: String,
        /// What is wrong and what to do.
        message: String,
    },
}
