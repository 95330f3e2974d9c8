//! What a refused command says.

use crate::desk::Desk;
use crate::words;
use countersign_broker::BrokerError;
use serde::Serialize;
use ts_rs::TS;

/// A refusal, for the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ViewError {
    /// One word, to tell refusals apart.
    pub code: String,
    /// For the person, in their language.
    pub message: String,
}

impl ViewError {
    /// In the person's language.
    pub fn new(desk: &Desk, error: &BrokerError) -> Self {
        let language = words::language(desk.setting("language").ok().flatten().as_deref());
        Self { code: error.code().to_owned(), message: words::refusal(language, error) }
    }

    /// The same for what was to be done to a spec.
    pub fn of_spec(desk: &Desk, error: &BrokerError) -> Self {
        Self { code: error.code().to_owned(), message: words::spec_refusal(words::of(desk), error) }
    }
}
