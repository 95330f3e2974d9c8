//! Why the broker refuses something. Each text names what is wrong and the way out.

use countersign_core::mode::Unfit;
use countersign_core::request::State;
use countersign_core::scope::ScopeError;
use countersign_core::time::Timestamp;
use countersign_store::StoreError;
use std::sync::Arc;

/// A refusal. Nothing of what was refused was kept.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BrokerError {
    /// No such thing, or another agent's.
    #[error("{0}")]
    NotFound(String),
    /// Arguments or answers that are not taken; what they were about stays as it is.
    #[error("{0}")]
    Invalid(String),
    /// Too much at once.
    #[error("{what}; try again in {retry_after_seconds} s")]
    TooMany {
        /// What there is too much of.
        what: String,
        /// When to try again.
        retry_after_seconds: u64,
    },
    /// Pairing is closed after too many wrong codes.
    #[error("pairing is closed after too many wrong codes; it opens again in {seconds} s")]
    PairingClosed {
        /// For how long.
        seconds: u64,
    },
    /// The request ended before.
    #[error("this request was settled already ({}, by {by}, at {})", state.word(), at.utc())]
    Settled {
        /// How it ended.
        state: State,
        /// Through which channel, or by whom.
        by: String,
        /// When.
        at: Timestamp,
    },
    /// This channel may not decide this class.
    #[error("{0}")]
    NotAllowed(String),
    /// The person stopped the session.
    #[error("{}", countersign_core::step::STOPPED)]
    SessionStopped,
    /// The session's mode stands in the way.
    #[error("{0}")]
    WrongMode(String),
    /// The person did not give the agent this scope.
    #[error("{0}")]
    OutOfScope(#[from] ScopeError),
    /// What was decided on is not what is there now.
    #[error("the request changed since it was shown; look at it again and decide anew")]
    Stale,
    /// The code is wrong.
    #[error("that code is wrong; {} until pairing closes", tries(*tries_left))]
    WrongCode {
        /// How many wrong codes are left until pairing closes.
        tries_left: u32,
    },
    /// The store.
    #[error("{0}")]
    Store(Arc<StoreError>),
    /// The broker has stopped.
    #[error("Countersign is shutting down; nothing was decided")]
    Stopped,
}

impl From<Unfit> for BrokerError {
    fn from(unfit: Unfit) -> Self {
        Self::WrongMode(unfit.to_string())
    }
}

impl From<StoreError> for BrokerError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl BrokerError {
    /// One word for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Invalid(_) => "invalid",
            Self::TooMany { .. } => "too_many",
            Self::PairingClosed { .. } => "pairing_closed",
            Self::Settled { .. } => "settled",
            Self::NotAllowed(_) => "not_allowed",
            Self::SessionStopped => "session_stopped",
            Self::WrongMode(_) => "wrong_mode",
            Self::OutOfScope(_) => "out_of_scope",
            Self::Stale => "stale",
            Self::WrongCode { .. } => "wrong_code",
            Self::Store(_) => "store",
            Self::Stopped => "stopped",
        }
    }
}

fn tries(left: u32) -> String {
    if left == 1 { "1 try is left".into() } else { format!("{left} tries are left") }
}
