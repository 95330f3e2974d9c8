//! What a terminal says about specs and workspaces.

use countersign_core::import::Existing;
use countersign_core::mode::Mode;
use countersign_core::spec::Status;
use countersign_core::workspace::{EvidenceRule, WorkspaceRules};
use serde::{Deserialize, Serialize};

/// One thing that a terminal wants of the specs of a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpecCommand {
    /// The folder.
    pub workspace: String,
    /// What.
    #[serde(flatten)]
    pub wish: SpecWish,
}

/// What a terminal wants of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "kebab-case")]
pub enum SpecWish {
    /// A list of them.
    List {
        /// In this status alone.
        status: Option<Status>,
        /// With these words.
        words: Option<String>,
    },
    /// One, whole.
    Show {
        /// Its id, or words of its title.
        spec: String,
    },
    /// Brings some in.
    Import {
        /// Names and texts.
        files: Vec<(String, String)>,
        /// What happens to those that are there.
        existing: Existing,
        /// Whether it is done, or only said.
        apply: bool,
    },
    /// As files have them.
    Export {
        /// Which ones; none: all.
        specs: Option<Vec<String>>,
        /// As one JSON file, rather than markdown.
        json: bool,
    },
    /// The person's rules for the folder: shows them, or changes some.
    Rules(RulesChange),
}

/// Rules that are to be other ones; what is absent stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RulesChange {
    /// The mode in which sessions start.
    pub mode: Option<Mode>,
    /// Whether specs move on by themselves.
    pub auto_transitions: Option<bool>,
    /// Whose word on a criterion counts.
    pub evidence: Option<EvidenceRule>,
    /// Whether policy questions are answered in the app alone.
    pub policy_in_app: Option<bool>,
}

impl RulesChange {
    /// The rules after it.
    pub fn over(self, rules: WorkspaceRules) -> WorkspaceRules {
        WorkspaceRules {
            mode: self.mode.unwrap_or(rules.mode),
            auto_transitions: self.auto_transitions.unwrap_or(rules.auto_transitions),
            evidence: self.evidence.unwrap_or(rules.evidence),
            policy_in_app: self.policy_in_app.unwrap_or(rules.policy_in_app),
        }
    }

    /// Whether anything is to be another one.
    pub fn is_change(self) -> bool {
        self != Self::default()
    }
}

impl SpecCommand {
    /// Whether it changes something, and so takes a proof that a person is there.
    pub fn takes_proof(&self) -> bool {
        match &self.wish {
            SpecWish::Import { apply, .. } => *apply,
            SpecWish::Rules(change) => change.is_change(),
            SpecWish::List { .. } | SpecWish::Show { .. } | SpecWish::Export { .. } => false,
        }
    }
}
