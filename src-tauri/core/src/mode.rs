//! How strictly an agent's session is watched.

use serde::{Deserialize, Serialize};

/// The mode of a session, from loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nobody is asked; questions take their defaults.
    Autonomous,
    /// Asked before what others see or what is hard to undo; where sessions start.
    #[default]
    Guided,
    /// Asked before every step.
    Interactive,
    /// Reads and plans only.
    Plan,
}

impl Mode {
    /// All modes, from loose to strict.
    pub const ALL: [Self; 4] = [Self::Autonomous, Self::Guided, Self::Interactive, Self::Plan];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Autonomous => "autonomous",
            Self::Guided => "guided",
            Self::Interactive => "interactive",
            Self::Plan => "plan",
        }
    }

    /// The mode of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}
