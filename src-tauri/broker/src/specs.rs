//! What is done to specs: by agents through their gates, and by the person as their own act.

mod acts;
mod call;
mod create;
mod import;
mod names;

pub(crate) use acts::{act_for_person, check_person, open_workspace, set_rules};
pub(crate) use call::{Resolved, call, resolve};
pub(crate) use create::{create, create_for_person};
pub use import::{Import, Imported};
pub(crate) use import::{Stored, call as import_call, for_person as import_for_person};
pub(crate) use names::{Named, named};

use crate::runs::Checks;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::question::Question;
use countersign_core::request::Request;
use countersign_core::spec::{Spec, SpecRow};
use countersign_core::titles::{Near, TitleIndex};
use countersign_store::Db;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

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

/// The titles of all specs, for finding those that are nearly the same; made when a workspace is first asked about.
///
/// A commit that fails may leave a title here that is in no file: whoever asks looks the found one up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Titles(Arc<Mutex<HashMap<WorkspaceId, TitleIndex>>>);

impl Titles {
    /// The specs whose titles are nearly this one, the nearest first.
    pub(crate) fn nearest(
        &self,
        db: Db<'_>,
        workspace: WorkspaceId,
        title: &str,
        at_most: usize,
    ) -> Result<Vec<Near>, countersign_store::StoreError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = match all.entry(workspace) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(room) => {
                let mut index = TitleIndex::new();
                for (id, title) in db.spec_titles(workspace)? {
                    index.insert(id, &title);
                }
                room.insert(index)
            }
        };
        Ok(index.nearest(title, at_most))
    }

    /// A spec has this title from now on; none: it is gone.
    pub(crate) fn set(&self, workspace: WorkspaceId, id: SpecId, title: Option<&str>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(index) = all.get_mut(&workspace) else { return };
        match title {
            Some(title) => index.insert(id, title),
            None => {
                index.remove(id);
            }
        }
    }
}
