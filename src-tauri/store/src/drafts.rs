//! What a person typed and did not send yet.

use crate::db::{Db, Tx};
use crate::error::StoreError;
use countersign_core::id::RequestId;
use countersign_core::time::Timestamp;

impl Db<'_> {
    /// The draft of a request.
    pub fn draft(&self, request: &RequestId) -> Result<Option<String>, StoreError> {
        self.one("SELECT draft FROM drafts WHERE request = ?1", [request.as_str()], |row| Ok(row.get(0)?))
    }
}

impl Tx<'_> {
    /// Keeps a draft; an empty one is forgotten.
    pub fn set_draft(&self, request: &RequestId, draft: &str, at: Timestamp) -> Result<(), StoreError> {
        if draft.is_empty() {
            self.execute("DELETE FROM drafts WHERE request = ?1", [request.as_str()])?;
        } else {
            self.execute(
                "INSERT INTO drafts (request, draft, updated_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET draft = excluded.draft, updated_at = excluded.updated_at",
                (request.as_str(), draft, at.0),
            )?;
        }
        Ok(())
    }
}
