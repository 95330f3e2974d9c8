//! What the shell is told.

use countersign_client::PortError;
use countersign_host::HostError;
use std::process::ExitCode;

/// The exit codes of `countersign`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: refused or declined.
    Refused,
    /// 2: wrong use.
    WrongUse,
    /// 3: the app isn't running.
    NotRunning,
    /// 4: timed out.
    TimedOut,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Refused => 1,
            Exit::WrongUse => 2,
            Exit::NotRunning => 3,
            Exit::TimedOut => 4,
        })
    }
}

/// A refusal with its exit code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The code.
    pub exit: Exit,
    /// What is wrong and what to do.
    pub message: String,
}

impl Refusal {
    /// Wrong use.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::WrongUse, message: message.into() }
    }

    /// Right use of a verb, refused for what is there.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, message: message.into() }
    }

    /// The app isn't running.
    pub fn not_running() -> Self {
        Self {
            exit: Exit::NotRunning,
            message: "Countersign isn't running; start the app, or `countersign serve` where there is no desktop"
                .into(),
        }
    }
}

/// The exit code of an error.
pub fn of(error: &anyhow::Error) -> Exit {
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        return refusal.exit;
    }
    if let Some(PortError::Gone { .. }) = error.downcast_ref::<PortError>() {
        return Exit::NotRunning;
    }
    match error.downcast_ref::<HostError>() {
        Some(HostError::NotATestHome | HostError::Port { .. } | HostError::ShortPassphrase { .. }) => Exit::WrongUse,
        Some(_) | None => Exit::Refused,
    }
}
