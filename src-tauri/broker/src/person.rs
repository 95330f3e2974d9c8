//! The person, as far as the broker knows: through which channel they speak, and what they say.

use countersign_core::channel::Channel;
use serde_json::{Map, Value};

/// Who decides. Made by the surface that the word came through, never from what it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    /// Through what.
    pub channel: Channel,
    /// Whether the proof that a person is there came from a file.
    pub unattended: bool,
}

impl Person {
    /// A person at this channel.
    pub const fn at(channel: Channel) -> Self {
        Self { channel, unattended: false }
    }
}

/// What they say.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Answers by question id, still to be checked.
    Answer {
        /// The answers.
        answers: Map<String, Value>,
        /// What they add.
        comment: Option<String>,
        /// The word that they typed, where a yes takes one.
        typed: Option<String>,
    },
    /// No answer.
    Decline {
        /// What they add.
        comment: Option<String>,
    },
}
