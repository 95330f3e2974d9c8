//! The revisions of specs: what each one's content was, for good.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::{AgentId, SpecId, WorkspaceId};
use countersign_core::spec::Criterion;
use countersign_core::time::Timestamp;
use serde_json::{Value, json};

/// A revision in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionRow {
    /// Its number, from 1.
    pub revision: u32,
    /// The agent that wrote it; none: the person did.
    pub agent: Option<AgentId>,
    /// That agent's name.
    pub name: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Db<'_> {
    /// The revisions of a spec, the newest first, before `before` if that is said.
    pub fn revisions(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<RevisionRow>, StoreError> {
        let sql = "SELECT revision, agent, (SELECT name FROM agents a WHERE a.id = r.agent), at FROM revisions r
                   WHERE workspace = ?1 AND spec = ?2 AND revision < ?3 ORDER BY revision DESC LIMIT ?4";
        let before = before.map_or(i64::MAX, i64::from);
        self.all(sql, (workspace.0, id.0, before, limit), |row| {
            Ok(RevisionRow {
                revision: row.get(0)?,
                agent: row.get::<_, Option<String>>(1)?.map(AgentId),
                name: row.get(2)?,
                at: Timestamp(row.get(3)?),
            })
        })
    }

    /// The content of a revision: `{title, body, criteria: [{id, text, check?}]}`.
    pub fn revision(&self, workspace: WorkspaceId, id: SpecId, revision: u32) -> Result<Option<Value>, StoreError> {
        let sql = "SELECT content FROM revisions WHERE workspace = ?1 AND spec = ?2 AND revision = ?3";
        self.one(sql, (workspace.0, id.0, revision), |row| {
            let text: String = row.get(0)?;
            serde_json::from_str(&text).map_err(|error| damaged(format!("revision {revision} of {id}: {error}")))
        })
    }
}

impl Tx<'_> {
    /// Keeps a revision's content.
    #[expect(
        clippy::too_many_arguments,
        reason = "a revision is all of these, and they come from two kinds of callers"
    )]
    pub(crate) fn insert_revision(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        revision: u32,
        by: Option<&AgentId>,
        title: &str,
        body: &str,
        criteria: &[Criterion],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let criteria: Vec<Value> = criteria
            .iter()
            .map(|c| match &c.check {
                Some(check) => json!({"id": c.id, "text": c.text, "check": check}),
                None => json!({"id": c.id, "text": c.text}),
            })
            .collect();
        let content = json!({"title": title, "body": body, "criteria": criteria}).to_string();
        self.execute(
            "INSERT INTO revisions (workspace, spec, revision, agent, content, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            (workspace.0, id.0, revision, by.map(AgentId::as_str), content, at.0),
        )?;
        Ok(())
    }
}
