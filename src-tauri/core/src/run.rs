//! One run of a trusted command: a check or a deployment, from its place in the queue to how it ended.

use crate::channel::Channel;
use crate::digest::Digest;
use crate::id::{AgentId, RequestId, RunId, SessionId, SpecId, WorkspaceId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// It tells whether criteria are met.
    Check,
    /// It deploys to an environment.
    Deploy,
}

impl RunKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Check, Self::Deploy];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Deploy => "deploy",
        }
    }

    /// The kind of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// Where a run is: `queued`, then `running`, then exactly one of the others, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Waits for its turn.
    Queued,
    /// Goes on.
    Running,
    /// Its command exited with 0.
    Passed,
    /// Its command exited with anything else, or could not be started.
    Failed,
    /// It took longer than its command may, and was ended.
    TimedOut,
    /// Somebody ended it.
    Cancelled,
    /// Countersign ended while it went on: nobody knows how far it came.
    Interrupted,
}

impl RunState {
    /// All states.
    pub const ALL: [Self; 7] =
        [Self::Queued, Self::Running, Self::Passed, Self::Failed, Self::TimedOut, Self::Cancelled, Self::Interrupted];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// The state of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Whether it is over.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Queued | Self::Running => false,
            Self::Passed | Self::Failed | Self::TimedOut | Self::Cancelled | Self::Interrupted => true,
        }
    }
}

/// Who started a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunBy {
    /// An agent, in one of its sessions.
    Agent {
        /// Which.
        agent: AgentId,
        /// Which session.
        session: SessionId,
    },
    /// The person, through this channel.
    Person(Channel),
}

/// A command as it was trusted and is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCommand {
    /// The program and its arguments, each as it is; no shell reads them.
    pub argv: Vec<String>,
    /// The working folder, beneath the workspace.
    pub dir: String,
    /// Variables that are passed on, besides the few that always are.
    pub env: Vec<String>,
    /// How long it may take.
    pub timeout_seconds: u64,
}

/// A run as it is kept, without its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Ours, random.
    pub id: RunId,
    /// Where.
    pub workspace: WorkspaceId,
    /// For which spec.
    pub spec: SpecId,
    /// For which revision of it.
    pub revision: u32,
    /// What for.
    pub kind: RunKind,
    /// The check's name, or the environment's.
    pub name: String,
    /// What is run.
    pub command: RunCommand,
    /// Who started it.
    pub by: RunBy,
    /// The decision that it rests on, where it took one.
    pub request: Option<RequestId>,
    /// The trust that it rests on.
    pub trust: Digest,
    /// Where it is.
    pub state: RunState,
    /// The code its program exited with.
    pub exit_code: Option<i32>,
    /// What else is to be said of its end: a signal, why it could not be started.
    pub reason: Option<String>,
    /// Who wants it ended.
    pub cancelled_by: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When its program was started.
    pub started_at: Option<Timestamp>,
    /// When it was over.
    pub ended_at: Option<Timestamp>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnd {
    /// One of those that are over.
    pub state: RunState,
    /// The code its program exited with.
    pub exit_code: Option<i32>,
    /// What else is to be said.
    pub reason: Option<String>,
}

impl RunEnd {
    /// It could not be started.
    pub fn unstarted(reason: impl Into<String>) -> Self {
        Self { state: RunState::Failed, exit_code: None, reason: Some(reason.into()) }
    }
}

impl Run {
    /// How it stands, in one sentence for a model or a log.
    pub fn sentence(&self) -> String {
        let what = match self.kind {
            RunKind::Check => format!("Check “{}” of {}", self.name, self.spec),
            RunKind::Deploy => format!("Deployment of {} to “{}”", self.spec, self.name),
        };
        let by = self.cancelled_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        let how = match self.state {
            RunState::Queued => "waits for its turn".to_owned(),
            RunState::Running if self.cancelled_by.is_some() => format!("is being cancelled{by}"),
            RunState::Running => "is running".to_owned(),
            RunState::Passed => "passed".to_owned(),
            RunState::Failed => match self.exit_code {
                Some(code) => format!("failed with exit code {code}"),
                None => "failed".to_owned(),
            },
            RunState::TimedOut => format!("was ended after its {} s", self.command.timeout_seconds),
            RunState::Cancelled => format!("was cancelled{by}"),
            RunState::Interrupted => {
                "was interrupted: Countersign ended while it ran, and nobody knows how far it came".to_owned()
            }
        };
        match &self.reason {
            Some(reason) => format!("{what} {how}: {reason}."),
            None => format!("{what} {how}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_state_is_found_by_its_word_and_serialised_as_it() {
        for kind in RunKind::ALL {
            assert_eq!(RunKind::from_word(kind.word()), Some(kind));
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.word().into()));
        }
        for state in RunState::ALL {
            assert_eq!(RunState::from_word(state.word()), Some(state));
            assert_eq!(serde_json::to_value(state).ok(), Some(state.word().into()));
        }
        let going: Vec<_> = RunState::ALL.into_iter().filter(|state| !state.is_over()).collect();
        assert_eq!(going, [RunState::Queued, RunState::Running]);
    }

    #[test]
    fn each_state_has_a_sentence_of_its_own_and_only_one_says_that_it_passed() {
        let run = |state, exit_code, reason: Option<&str>| Run {
            id: RunId("r".into()),
            workspace: WorkspaceId(1),
            spec: SpecId(7),
            revision: 2,
            kind: RunKind::Deploy,
            name: "staging".into(),
            command: RunCommand { argv: vec!["true".into()], dir: ".".into(), env: vec![], timeout_seconds: 60 },
            by: RunBy::Person(Channel::Window),
            request: None,
            trust: Digest([0; 32]),
            state,
            exit_code,
            reason: reason.map(str::to_owned),
            cancelled_by: None,
            created_at: Timestamp(0),
            started_at: None,
            ended_at: None,
        };
        let said: std::collections::BTreeSet<_> =
            RunState::ALL.into_iter().map(|state| run(state, None, None).sentence()).collect();
        assert_eq!(said.len(), RunState::ALL.len());
        assert_eq!(said.iter().filter(|said| said.contains("passed")).count(), 1);
        assert_eq!(
            run(RunState::Failed, Some(3), Some("it was the disk")).sentence(),
            "Deployment of SPEC-007 to “staging” failed with exit code 3: it was the disk."
        );
        let cancelled = |state| Run { cancelled_by: Some("the person".into()), ..run(state, None, None) }.sentence();
        assert!(cancelled(RunState::Running).ends_with("is being cancelled by the person."));
        assert!(cancelled(RunState::Cancelled).ends_with("was cancelled by the person."));
    }
}
