//! What can be done to a spec that is there, by an agent through its gates or by the person as their own act.

use crate::id::SpecId;
use crate::limit;
use crate::spec::{SpecError, Status};
use crate::spec_edit::Edit;
use serde_json::{Value, json};

/// One act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecAct {
    /// Changes its content.
    Edit(Edit),
    /// Moves it on, or back.
    Move(Status),
    /// Locks it: its content stays as it is.
    Lock,
    /// Takes the lock away.
    Unlock,
    /// Says whether a criterion is met.
    Evidence {
        /// Which one.
        criterion: String,
        /// Whether it is.
        met: bool,
        /// What shows it.
        text: String,
    },
    /// Says that a criterion need not be met, or after all must be. Only a person does this.
    Waive {
        /// Which one.
        criterion: String,
        /// Why not; none takes the waiver back.
        reason: Option<String>,
    },
    /// Says whether it is done, and starts its checks.
    Validate,
    /// Deletes it for good.
    Delete,
}

impl SpecAct {
    /// The tool that does it; none for what agents can't do.
    pub const fn tool(&self) -> Option<&'static str> {
        match self {
            Self::Edit(_) => Some("update_spec"),
            Self::Move(_) => Some("update_status"),
            Self::Lock => Some("lock_spec"),
            Self::Unlock => Some("unlock_spec"),
            Self::Evidence { .. } => Some("record_evidence"),
            Self::Validate => Some("validate"),
            Self::Delete => Some("delete_spec"),
            Self::Waive { .. } => None,
        }
    }

    /// What makes two calls of its tool the same, with the spec by its id.
    pub fn arguments(&self, spec: SpecId) -> Value {
        let mut arguments = match self {
            Self::Edit(edit) => json!(edit),
            Self::Move(status) => json!({"status": status}),
            Self::Evidence { criterion, met, text } => json!({"criterion": criterion, "met": met, "evidence": text}),
            Self::Waive { criterion, reason } => json!({"criterion": criterion, "reason": reason}),
            Self::Lock | Self::Unlock | Self::Validate | Self::Delete => json!({}),
        };
        arguments["spec"] = json!(spec);
        arguments
    }

    /// Checks its texts.
    pub fn check(&self) -> Result<(), SpecError> {
        match self {
            Self::Edit(edit) => edit.check(),
            Self::Evidence { criterion, text, .. } => {
                limit::check_line("criterion", criterion, limit::QUESTION_ID_CHARS)?;
                Ok(limit::check_text("evidence", text, limit::EVIDENCE_CHARS)?)
            }
            Self::Waive { criterion, reason } => {
                limit::check_line("criterion", criterion, limit::QUESTION_ID_CHARS)?;
                match reason {
                    Some(reason) => Ok(limit::check_text("reason", reason, limit::EVIDENCE_CHARS)?),
                    None => Ok(()),
                }
            }
            Self::Move(_) | Self::Lock | Self::Unlock | Self::Validate | Self::Delete => Ok(()),
        }
    }
}
