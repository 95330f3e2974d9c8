//! What the person rules for a workspace.

use crate::mode::Mode;
use serde::{Deserialize, Serialize};

/// Whose word on a criterion counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EvidenceRule {
    /// An agent's, too; it is shown as that.
    #[default]
    Agent,
    /// Only a trusted check's or a person's. What an agent says is kept beside.
    Checked,
}

impl EvidenceRule {
    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Checked => "checked",
        }
    }

    /// The rule of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Agent, Self::Checked].into_iter().find(|rule| rule.word() == word)
    }
}

/// The rules of one workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WorkspaceRules {
    /// The mode in which sessions start.
    pub mode: Mode,
    /// Whether the first evidence moves an approved spec on, and a `validate` that finds all met moves it to done.
    pub auto_transitions: bool,
    /// Whose word on a criterion counts.
    pub evidence: EvidenceRule,
    /// Whether policy questions are answered in the app alone: what an agent relays is kept as its claim.
    pub policy_in_app: bool,
}
