//! What a tool gives back: a structured value and the text that a model reads; or a failure that says what to do.

use super::arguments::ArgumentError;
use countersign_broker::BrokerError;
use countersign_core::class::Class;
use countersign_core::ending;
use countersign_core::id::RequestId;
use countersign_core::limit::TextError;
use countersign_core::manual::StepsError;
use countersign_core::request::{AskError, Request, State};
use countersign_core::spec::SpecError;
use countersign_core::todo::TodoError;
use serde_json::{Value, json};

/// A result that is no error.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) structured: Value,
    pub(crate) text: String,
    /// The settled request whose ending this is.
    pub(crate) ending: Option<RequestId>,
}

impl Outcome {
    /// A value, which is its own text.
    pub(crate) fn value(structured: Value) -> Self {
        let text = serde_json::to_string_pretty(&structured).unwrap_or_else(|_| structured.to_string());
        Self { structured, text, ending: None }
    }

    /// A sentence, then the value whole.
    pub(crate) fn said(sentence: String, structured: Value) -> Self {
        let value = Self::value(structured);
        Self { text: format!("{sentence}\n{}", value.text), ..value }
    }

    /// How a request stands or ended.
    pub(crate) fn request(request: &Request, repeated: bool, notes: Vec<String>) -> Self {
        // What passes a step is the gate's own answer: telling a model of it hands nothing out.
        let ends = request.state != State::Pending && request.ask.class != Class::Step;
        let ending = ends.then(|| request.id.clone());
        let outcome = Self { structured: ending::structured(request, repeated), text: ending::text(request), ending };
        outcome.noted(notes)
    }

    /// With notes in both forms.
    pub(crate) fn noted(mut self, notes: Vec<String>) -> Self {
        if !notes.is_empty() {
            let note = notes.iter().map(|note| note.trim_end_matches('.')).collect::<Vec<_>>().join("; ");
            self.text = format!("{}\nNote: {note}.", self.text);
            // A result that has notes of its own already keeps them.
            let before = self.structured["note"].as_str().map(|before| format!("{before}; "));
            self.structured["note"] = json!(before.unwrap_or_default() + &note);
        }
        self
    }
}

/// Why a tool did nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("There is no tool `{name}`; the tools are {known}.")]
    Unknown { name: String, known: String },
    #[error("{0}")]
    Argument(#[from] ArgumentError),
    #[error("{0}.")]
    Ask(#[from] AskError),
    #[error("{0}.")]
    Text(#[from] TextError),
    #[error("{0}.")]
    Steps(#[from] StepsError),
    #[error("{0}.")]
    Todos(#[from] TodoError),
    #[error("{0}.")]
    Spec(#[from] SpecError),
    #[error("`{field}` takes an id such as SPEC-001; leave it out for the first page.")]
    NoId { field: &'static str },
    #[error(
        "Too many calls that create something, one after the other. Wait {retry_after_seconds} s, then call again; what was asked before still stands."
    )]
    Rate { retry_after_seconds: u64 },
    #[error(
        "This agent's token was revoked or replaced while the call waited, so the wait is over and nobody decided: do not proceed. With \
         its new token, call wait_for_answer with request_id \"{request}\"; without one, stop and tell the person."
    )]
    Ended { request: RequestId },
    #[error("{}", sentence(.0))]
    Broker(#[from] BrokerError),
    /// The same, with a note that has nothing to do with it.
    #[error("{failure}\nNote: {note}.")]
    Noted { failure: Box<Failure>, note: String },
}

fn sentence(error: &BrokerError) -> String {
    let text = error.to_string();
    if text.ends_with('.') { text } else { text + "." }
}

impl Failure {
    /// A word for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "not_found",
            Self::Argument(_)
            | Self::Ask(_)
            | Self::Text(_)
            | Self::Steps(_)
            | Self::Todos(_)
            | Self::Spec(_)
            | Self::NoId { .. } => "invalid",
            Self::Rate { .. } => "too_many",
            Self::Ended { .. } => "unauthorized",
            Self::Broker(error) => error.code(),
            Self::Noted { failure, .. } => failure.code(),
        }
    }

    /// What is said besides.
    pub(crate) fn note(&self) -> Option<&str> {
        match self {
            Self::Noted { note, .. } => Some(note),
            Self::Unknown { .. }
            | Self::Argument(_)
            | Self::Ask(_)
            | Self::Text(_)
            | Self::Steps(_)
            | Self::Todos(_)
            | Self::Spec(_)
            | Self::NoId { .. }
            | Self::Rate { .. }
            | Self::Ended { .. }
            | Self::Broker(_) => None,
        }
    }

    /// Whether a model reads it as a tool's result, whichever way it called; the others are errors of the port over HTTP.
    pub(crate) fn is_a_result(&self) -> bool {
        match self {
            Self::Unknown { .. } | Self::Ended { .. } | Self::Broker(BrokerError::Store(_) | BrokerError::Stopped) => {
                false
            }
            Self::Argument(_)
            | Self::Ask(_)
            | Self::Text(_)
            | Self::Steps(_)
            | Self::Todos(_)
            | Self::Spec(_)
            | Self::NoId { .. }
            | Self::Rate { .. }
            | Self::Broker(_)
            | Self::Noted { .. } => self.retry_after_seconds().is_none(),
        }
    }

    /// The structured part of its result.
    pub(crate) fn structured(&self) -> Value {
        let mut said = json!({"code": self.code()});
        if matches!(self, Self::Broker(BrokerError::SessionStopped)) {
            said["stop"] = json!(true);
        }
        said
    }

    /// In how many seconds to try again, when there is too much of something.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::Rate { retry_after_seconds } | Self::Broker(BrokerError::TooMany { retry_after_seconds, .. }) => {
                Some(*retry_after_seconds)
            }
            Self::Broker(BrokerError::PairingClosed { seconds }) => Some(*seconds),
            Self::Noted { failure, .. } => failure.retry_after_seconds(),
            Self::Unknown { .. }
            | Self::Argument(_)
            | Self::Ask(_)
            | Self::Text(_)
            | Self::Steps(_)
            | Self::Todos(_)
            | Self::Spec(_)
            | Self::NoId { .. }
            | Self::Ended { .. }
            | Self::Broker(_) => None,
        }
    }
}
