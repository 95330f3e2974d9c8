//! Through what a decision came.

use serde::{Deserialize, Serialize};

/// The way by which a decision reached the broker. Taken from where it arrived, never from what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// The main window.
    Window,
    /// The modal dialog, a window of its own.
    Dialog,
    /// A button on a notification.
    Notification,
    /// A terminal while the desktop app runs.
    Terminal,
    /// A terminal under `countersign serve`.
    Serve,
    /// The answer file in a run folder.
    File,
    /// The agent, relaying what it says the person told it.
    Relayed,
    /// A standing rule of the person.
    Rule,
    /// The question's default, in autonomous mode.
    Autonomous,
    /// The question's default, when its time ran out and it had asked for that.
    Expiry,
    /// The asking program's own `InteractionPort`.
    Program,
    /// The session's mode, in which a step does not pass.
    Mode,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 12] = [
        Self::Window,
        Self::Dialog,
        Self::Notification,
        Self::Terminal,
        Self::Serve,
        Self::File,
        Self::Relayed,
        Self::Rule,
        Self::Autonomous,
        Self::Expiry,
        Self::Program,
        Self::Mode,
    ];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Dialog => "dialog",
            Self::Notification => "notification",
            Self::Terminal => "terminal",
            Self::Serve => "serve",
            Self::File => "file",
            Self::Relayed => "relayed",
            Self::Rule => "rule",
            Self::Autonomous => "autonomous",
            Self::Expiry => "expiry",
            Self::Program => "program",
            Self::Mode => "mode",
        }
    }

    /// The channel of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.word() == word)
    }
}
