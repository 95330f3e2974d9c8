//! Specs and their criteria.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::{AgentId, SpecId, WorkspaceId};
use countersign_core::spec::{Criterion, CriterionState, Evidence, NewSpec, Spec, SpecRow, Status, next_criterion};
use countersign_core::spec_edit::Edited;
use countersign_core::time::Timestamp;
use countersign_core::title;

const ROW: &str = "number, title, status, revision, locked,
    (SELECT count(*) FROM criteria c WHERE c.workspace = s.workspace AND c.spec = s.number AND c.state <> 'unmet'),
    (SELECT count(*) FROM criteria c WHERE c.workspace = s.workspace AND c.spec = s.number)";

fn spec_row(row: &rusqlite::Row<'_>) -> Result<SpecRow, StoreError> {
    let status: String = row.get(2)?;
    Ok(SpecRow {
        id: SpecId(row.get(0)?),
        title: row.get(1)?,
        status: Status::from_word(&status).ok_or_else(|| damaged(format!("a status is {status:?}")))?,
        revision: row.get(3)?,
        locked: row.get(4)?,
        met: row.get(5)?,
        total: row.get(6)?,
    })
}

fn criterion(row: &rusqlite::Row<'_>) -> Result<Criterion, StoreError> {
    let state: String = row.get(2)?;
    let evidence: Option<String> = row.get(4)?;
    Ok(Criterion {
        id: row.get(0)?,
        text: row.get(1)?,
        state: CriterionState::from_word(&state).ok_or_else(|| damaged(format!("a criterion is {state:?}")))?,
        check: row.get(3)?,
        evidence: evidence
            .map(|text| serde_json::from_str(&text).map_err(|error| damaged(format!("an evidence: {error}"))))
            .transpose()?,
    })
}

/// Which specs of a workspace, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpecPage {
    /// In this status alone.
    pub status: Option<Status>,
    /// Beyond this one, in the order of the page.
    pub after: Option<SpecId>,
    /// The newest first, by number; else the oldest.
    pub newest_first: bool,
    /// At most so many.
    pub limit: u32,
}

impl Db<'_> {
    /// Specs of a workspace, by number.
    pub fn specs(&self, workspace: WorkspaceId, page: SpecPage) -> Result<Vec<SpecRow>, StoreError> {
        let (beyond, order) = if page.newest_first { ("<", "DESC") } else { (">", "ASC") };
        let after = page.after.map_or(if page.newest_first { i64::MAX } else { 0 }, |id| i64::from(id.0));
        let (workspace, limit) = (workspace.0, page.limit);
        match page.status {
            None => self.all(
                &format!("SELECT {ROW} FROM specs s WHERE workspace = ?1 AND number {beyond} ?2 ORDER BY number {order} LIMIT ?3"),
                (workspace, after, limit),
                spec_row,
            ),
            Some(status) => self.all(
                &format!("SELECT {ROW} FROM specs s WHERE workspace = ?1 AND status = ?4 AND number {beyond} ?2 ORDER BY number {order} LIMIT ?3"),
                (workspace, after, limit, status.word()),
                spec_row,
            ),
        }
    }

    /// How many specs of a workspace there are in each status that has some.
    pub fn spec_counts(&self, workspace: WorkspaceId) -> Result<Vec<(Status, u32)>, StoreError> {
        let sql = "SELECT status, count(*) FROM specs WHERE workspace = ?1 GROUP BY status";
        self.all(sql, [workspace.0], |row| {
            let status: String = row.get(0)?;
            let status = Status::from_word(&status).ok_or_else(|| damaged(format!("a status is {status:?}")))?;
            Ok((status, row.get(1)?))
        })
    }

    /// Every title of a workspace.
    pub fn spec_titles(&self, workspace: WorkspaceId) -> Result<Vec<(SpecId, String)>, StoreError> {
        let sql = "SELECT number, title FROM specs WHERE workspace = ?1";
        self.all(sql, [workspace.0], |row| Ok((SpecId(row.get(0)?), row.get(1)?)))
    }

    /// One spec's row.
    pub fn spec_row(&self, workspace: WorkspaceId, id: SpecId) -> Result<Option<SpecRow>, StoreError> {
        let sql = format!("SELECT {ROW} FROM specs s WHERE workspace = ?1 AND number = ?2");
        self.one(&sql, (workspace.0, id.0), spec_row)
    }

    /// The oldest spec whose title people would take for this one.
    pub fn spec_titled(&self, workspace: WorkspaceId, wanted: &str) -> Result<Option<SpecRow>, StoreError> {
        let sql =
            format!("SELECT {ROW} FROM specs s WHERE workspace = ?1 AND fingerprint = ?2 ORDER BY number LIMIT 1");
        self.one(&sql, (workspace.0, title::fingerprint(wanted)), spec_row)
    }

    /// One whole spec.
    pub fn spec(&self, workspace: WorkspaceId, id: SpecId) -> Result<Option<Spec>, StoreError> {
        let Some(row) = self.spec_row(workspace, id)? else { return Ok(None) };
        let sql = "SELECT id, text, state, check_name, evidence FROM criteria WHERE workspace = ?1 AND spec = ?2 ORDER BY position";
        let criteria = self.all(sql, (workspace.0, id.0), criterion)?;
        let sql = "SELECT body, created_at, updated_at FROM specs WHERE workspace = ?1 AND number = ?2";
        self.one(sql, (workspace.0, id.0), |found| {
            Ok(Spec {
                body: found.get(0)?,
                created_at: Timestamp(found.get(1)?),
                updated_at: Timestamp(found.get(2)?),
                row,
                criteria,
            })
        })
    }

    /// When a spec last changed and, if they are wanted, its criteria's ids and texts: what a card shows besides its row.
    pub fn spec_card(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        criteria: bool,
    ) -> Result<(Timestamp, Vec<(String, String)>), StoreError> {
        let sql = "SELECT updated_at FROM specs WHERE workspace = ?1 AND number = ?2";
        let changed = self.one(sql, (workspace.0, id.0), |row| Ok(Timestamp(row.get(0)?)))?;
        let changed = changed.ok_or_else(|| damaged(format!("{id} is gone")))?;
        if !criteria {
            return Ok((changed, Vec::new()));
        }
        let sql = "SELECT id, text FROM criteria WHERE workspace = ?1 AND spec = ?2 ORDER BY position";
        Ok((changed, self.all(sql, (workspace.0, id.0), |row| Ok((row.get(0)?, row.get(1)?)))?))
    }

    /// The number of a spec's next criterion.
    pub fn next_criterion(&self, workspace: WorkspaceId, id: SpecId) -> Result<u32, StoreError> {
        let sql = "SELECT next_criterion FROM specs WHERE workspace = ?1 AND number = ?2";
        self.one(sql, (workspace.0, id.0), |row| Ok(row.get(0)?))?.ok_or_else(|| damaged(format!("{id} is gone")))
    }

    /// Whether a spec of this number was ever there.
    pub fn spec_was_used(&self, workspace: WorkspaceId, id: SpecId) -> Result<bool, StoreError> {
        let sql = "SELECT next_spec FROM workspaces WHERE id = ?1";
        let next = self.one(sql, [workspace.0], |row| Ok(row.get::<_, u32>(0)?))?;
        if next.is_none_or(|next| id.0 < next) {
            return Ok(true);
        }
        Ok(self.spec_row(workspace, id)?.is_some())
    }
}

impl Tx<'_> {
    /// Makes a spec as a draft in its first revision: with this number, which was never used, or else with the next one.
    pub fn insert_spec(
        &self,
        workspace: WorkspaceId,
        id: Option<SpecId>,
        spec: &NewSpec,
        by: Option<&AgentId>,
        at: Timestamp,
    ) -> Result<SpecRow, StoreError> {
        let number = self.take_number(workspace, id)?;
        let criteria = spec.numbered();
        self.execute(
            "INSERT INTO specs (workspace, number, title, fingerprint, status, revision, body, next_criterion, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, 'draft', 1, ?5, ?6, ?7, ?7)",
            (
                workspace.0,
                number,
                &spec.title,
                title::fingerprint(&spec.title),
                &spec.body,
                next_criterion(&criteria),
                at.0,
            ),
        )?;
        let id = SpecId(number);
        self.insert_criteria(workspace, id, &criteria)?;
        self.insert_revision(workspace, id, 1, by, &spec.title, &spec.body, &criteria, at)?;
        self.index_spec(workspace, id, &spec.title, &spec.body, &criteria)?;
        self.spec_row(workspace, id)?.ok_or_else(|| damaged("a spec that was just written is gone"))
    }

    /// The number of a new spec. None is used twice: the count goes on beyond one that was wanted.
    fn take_number(&self, workspace: WorkspaceId, wanted: Option<SpecId>) -> Result<u32, StoreError> {
        let sql = "UPDATE workspaces SET next_spec = max(next_spec, coalesce(?2, 0)) + 1 WHERE id = ?1 RETURNING next_spec - 1";
        self.one(sql, (workspace.0, wanted.map(|id| id.0)), |row| Ok(row.get::<_, u32>(0)?))?
            .ok_or_else(|| damaged(format!("there is no workspace {}", workspace.0)))
    }

    fn insert_criteria(&self, workspace: WorkspaceId, id: SpecId, criteria: &[Criterion]) -> Result<(), StoreError> {
        for (position, criterion) in criteria.iter().enumerate() {
            self.execute(
                "INSERT INTO criteria (workspace, spec, position, id, text, state, check_name, evidence)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                (
                    workspace.0,
                    id.0,
                    position as i64,
                    &criterion.id,
                    &criterion.text,
                    criterion.state.word(),
                    &criterion.check,
                    criterion.evidence.as_ref().map(json_text),
                ),
            )?;
        }
        Ok(())
    }

    /// Gives a spec new content, as its next revision.
    pub fn change_spec(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        edited: &Edited,
        by: Option<&AgentId>,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE specs SET title = ?3, fingerprint = ?4, body = ?5, next_criterion = ?6, revision = revision + 1, updated_at = ?7
                   WHERE workspace = ?1 AND number = ?2 RETURNING revision";
        let fingerprint = title::fingerprint(&edited.title);
        let values = (workspace.0, id.0, &edited.title, fingerprint, &edited.body, edited.next_criterion, at.0);
        let revision = self.one(sql, values, |row| Ok(row.get::<_, u32>(0)?))?;
        let revision = revision.ok_or_else(|| damaged(format!("{id} is gone")))?;
        self.execute("DELETE FROM criteria WHERE workspace = ?1 AND spec = ?2", (workspace.0, id.0))?;
        self.insert_criteria(workspace, id, &edited.criteria)?;
        self.insert_revision(workspace, id, revision, by, &edited.title, &edited.body, &edited.criteria, at)?;
        self.index_spec(workspace, id, &edited.title, &edited.body, &edited.criteria)
    }

    /// Moves a spec to a status.
    pub fn set_spec_status(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        status: Status,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE specs SET status = ?3, updated_at = ?4 WHERE workspace = ?1 AND number = ?2";
        self.execute(sql, (workspace.0, id.0, status.word(), at.0))?;
        Ok(())
    }

    /// Locks a spec or takes its lock away.
    pub fn set_spec_locked(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        locked: bool,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE specs SET locked = ?3, updated_at = ?4 WHERE workspace = ?1 AND number = ?2";
        self.execute(sql, (workspace.0, id.0, locked, at.0))?;
        Ok(())
    }

    /// Sets what is said of a criterion. False when it is not there.
    pub fn set_criterion(
        &self,
        workspace: WorkspaceId,
        spec: SpecId,
        id: &str,
        state: CriterionState,
        evidence: Option<&Evidence>,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE criteria SET state = ?4, evidence = ?5 WHERE workspace = ?1 AND spec = ?2 AND id = ?3";
        Ok(self.execute(sql, (workspace.0, spec.0, id, state.word(), evidence.map(json_text)))? == 1)
    }

    /// Deletes a spec with its criteria and revisions; its number stays used. False when it was not there.
    pub fn delete_spec(&self, workspace: WorkspaceId, id: SpecId) -> Result<bool, StoreError> {
        self.unindex_spec(workspace, id)?;
        Ok(self.execute("DELETE FROM specs WHERE workspace = ?1 AND number = ?2", (workspace.0, id.0))? == 1)
    }
}

fn json_text(evidence: &Evidence) -> String {
    serde_json::to_string(evidence).expect("BUG: evidence is plain JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::agents::Agent;
    use countersign_core::digest::Digest;
    use countersign_core::scope::Scopes;
    use countersign_core::spec::NewCriterion;

    #[test]
    fn a_spec_comes_back_as_it_was_written_and_its_number_is_never_used_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let by = AgentId("a".into());
        let new = NewSpec {
            title: "Política".into(),
            body: "line\r\nline".into(),
            criteria: vec![NewCriterion { id: None, text: "returns 200".into(), check: Some("unit".into()) }],
        };
        store
            .write(|tx| {
                tx.insert_agent(&Agent {
                    id: by.clone(),
                    name: "a".into(),
                    client: String::new(),
                    workspace: None,
                    token_hash: Digest([0; 32]),
                    hold_seconds: 50,
                    scopes: Scopes::ALL,
                    created_at: Timestamp(0),
                    revoked_at: None,
                })?;
                let workspace = tx.insert_workspace("/w", Timestamp(0))?.id;
                let first = tx.insert_spec(workspace, None, &new, Some(&by), Timestamp(1))?;
                let whole = tx.spec(workspace, first.id)?.expect("there");
                assert_eq!((whole.body.as_str(), whole.criteria[0].check.as_deref()), ("line\r\nline", Some("unit")));
                assert_eq!(tx.spec_titled(workspace, "POLITICA")?, Some(first.clone()));
                assert!(tx.delete_spec(workspace, first.id)?);
                assert!(!tx.delete_spec(workspace, first.id)?);
                assert_eq!(tx.spec(workspace, first.id)?, None);
                assert_eq!(tx.insert_spec(workspace, None, &new, Some(&by), Timestamp(2))?.id, SpecId(2));
                Ok::<_, StoreError>(())
            })
            .expect("writes");
    }
}
