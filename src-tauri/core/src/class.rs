//! How much a wrong yes would cost.

use serde::{Deserialize, Serialize};

/// The class of a request; decides through which channels it may be decided (see [`crate::who_may_decide`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A plain question: an answer, not a permission.
    Ask,
    /// Input that can be read in several ways.
    Ambiguity,
    /// A policy of the workspace asks for an explicit word.
    Policy,
    /// One tool step of an agent.
    Step,
    /// An approval asked for by the agent.
    Approval,
    /// A plan to run.
    Plan,
    /// What can't be undone.
    Destructive,
}

impl Class {
    /// All classes, from cheap to dear.
    pub const ALL: [Self; 7] =
        [Self::Ask, Self::Ambiguity, Self::Policy, Self::Step, Self::Approval, Self::Plan, Self::Destructive];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Ambiguity => "ambiguity",
            Self::Policy => "policy",
            Self::Step => "step",
            Self::Approval => "approval",
            Self::Plan => "plan",
            Self::Destructive => "destructive",
        }
    }

    /// The class of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.word() == word)
    }

    /// Whether a decision is handed out once: after it was collected, the same call asks anew.
    pub const fn delivered_once(self) -> bool {
        match self {
            Self::Step | Self::Approval | Self::Plan => true,
            Self::Ask | Self::Ambiguity | Self::Policy | Self::Destructive => false,
        }
    }
}
