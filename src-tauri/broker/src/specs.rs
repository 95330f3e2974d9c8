//! What is done to specs: by agents through their gates, and by the person as their own act.

mod acts;
mod call;
mod create;
mod import;
mod names;
mod titles;

pub(crate) use acts::{act_for_person, check_person, open_workspace, set_rules};
pub(crate) use call::{Readied, Resolved, Seen, call, resolve};
pub(crate) use create::{create, create_for_person};
pub use import::{Import, Imported};
pub(crate) use import::{Stored, call as import_call, for_person as import_for_person};
pub(crate) use names::{Named, named};
pub(crate) use titles::Titles;

use crate::runs::Checks;
use countersign_core::id::SpecId;
use countersign_core::question::Question;
use countersign_core::request::Request;
use countersign_core::spec::{Spec, SpecRow};
use serde_json::{Map, Value};

/// What a gated tool comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Gated<T> {
    /// It did its work.
    Done {
        /// What came of it.
        value: T,
        /// The defaults that were taken where nobody is asked, by question id.
        took: Map<String, Value>,
    },
    /// It must ask first. The same call goes on once there is an answer.
    Asks {
        /// What is asked.
        questions: Vec<Question>,
        /// The request in the inbox; none for a tool that only reads.
        request: Option<Box<Request>>,
        /// Something that the agent should know besides.
        note: Option<String>,
        /// Whether the agent may relay the answer.
        relays: bool,
    },
}

/// What `create_spec` comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Created {
    /// The spec.
    pub spec: SpecRow,
    /// Whether it was there before.
    pub existing: bool,
}

/// What came of an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its content or its status is another one.
    Updated,
    /// Nothing was to be done.
    Unchanged,
    /// It is locked.
    Locked,
    /// It is not locked any more.
    Unlocked,
    /// What was said of a criterion is kept.
    Recorded,
    /// It was looked at.
    Validated,
    /// It is gone.
    Deleted,
    /// The person said no: nothing was changed.
    Refused,
}

impl Outcome {
    /// The word sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Locked => "locked",
            Self::Unlocked => "unlocked",
            Self::Recorded => "recorded",
            Self::Validated => "validated",
            Self::Deleted => "deleted",
            Self::Refused => "refused",
        }
    }
}

/// An act that was done, or refused by the person.
#[derive(Debug, Clone, PartialEq)]
pub struct Acted {
    /// Which spec.
    pub id: SpecId,
    /// The spec after it; none when it is gone.
    pub spec: Option<Box<Spec>>,
    /// What came of it.
    pub outcome: Outcome,
    /// What else to know.
    pub notes: Vec<String>,
    /// The checks that a validation started, or why it could not.
    pub checks: Option<Checks>,
}
