//! Where a spec is in its life, and where it may go.

use super::SpecError;
use serde::{Deserialize, Serialize};

/// Where a spec is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Being written.
    #[default]
    Draft,
    /// Being read.
    Review,
    /// Fit to build.
    Approved,
    /// Being built.
    Implementing,
    /// Built.
    Done,
    /// Put away.
    Archived,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 6] =
        [Self::Draft, Self::Review, Self::Approved, Self::Implementing, Self::Done, Self::Archived];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Review => "review",
            Self::Approved => "approved",
            Self::Implementing => "implementing",
            Self::Done => "done",
            Self::Archived => "archived",
        }
    }

    /// The status of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Where a spec may go from here.
    pub const fn moves(self) -> &'static [Self] {
        match self {
            Self::Draft => &[Self::Review, Self::Approved, Self::Archived],
            Self::Review => &[Self::Draft, Self::Approved, Self::Archived],
            Self::Approved => &[Self::Review, Self::Implementing, Self::Archived],
            Self::Implementing => &[Self::Approved, Self::Done, Self::Archived],
            Self::Done => &[Self::Implementing, Self::Archived],
            Self::Archived => &[Self::Draft],
        }
    }

    /// Refuses what is no legal move, with those that are.
    pub fn check_move(self, to: Self) -> Result<(), SpecError> {
        if self.moves().contains(&to) { Ok(()) } else { Err(SpecError::Move { from: self, to }) }
    }

    /// Whether it was approved once: what its criteria ask for is agreed, and dropping some of it is asked about.
    pub const fn is_agreed(self) -> bool {
        match self {
            Self::Approved | Self::Implementing | Self::Done => true,
            Self::Draft | Self::Review | Self::Archived => false,
        }
    }
}

/// Statuses as a list of words.
pub(super) fn words(statuses: &[Status]) -> String {
    statuses.iter().map(|status| status.word()).collect::<Vec<_>>().join(", ")
}
