//! What happens to the screen, and what the screen wants done.

use crate::asked::{Asked, Row, Session};
use countersign_core::id::RequestId;
use countersign_host::{Command, Surface};
use ratatui::crossterm::event::KeyEvent;
use serde_json::Value;

/// What the other end says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hello {
    /// Whether there is a window.
    pub surface: Surface,
    /// Whether decisions mean nothing.
    pub test_home: bool,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A key.
    Key(KeyEvent),
    /// A paste.
    Paste(String),
    /// Keys that came at once: pasted in a terminal that does not mark what is pasted, or typed on a slow line.
    Burst {
        /// What they type.
        text: String,
        /// Whether an Enter ended them, the only one.
        enter: bool,
    },
    /// The terminal has another size.
    Resized,
    /// The terminal is gone.
    Hung,
    /// What is open now, and who works.
    News {
        /// What is open.
        rows: Vec<Row>,
        /// Whether there is more.
        more: bool,
        /// Who works.
        sessions: Vec<Session>,
    },
    /// A request that was looked at.
    Shown(Box<Asked>),
    /// One that could not be.
    NotShown(RequestId, String),
    /// A command that went well, and what was said to it.
    Done(Box<Command>, Value),
    /// One that was refused.
    Refused {
        /// Which.
        command: Box<Command>,
        /// One word.
        code: String,
        /// In words.
        message: String,
    },
    /// The code to type into the window.
    Code(String),
    /// The proof holds.
    Proven,
    /// It does not.
    NotProven {
        /// One word.
        code: String,
        /// In words.
        message: String,
    },
    /// The other end went away.
    Gone,
    /// It is there, for the first time or again.
    Here(Hello),
    /// The moment in which keys decide nothing is over; the one of this number.
    Calm(u64),
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Look at a request.
    Look(RequestId),
    /// Say this to the other end.
    Do(Box<Command>),
    /// Prove by what was typed.
    Prove(String),
    /// Prove by a code that is typed into the window.
    ProveInWindow,
    /// Stop that.
    StopProving,
    /// After a moment, [`Event::Calm`] with this number.
    Calm(u64),
    /// The end.
    Quit,
}
