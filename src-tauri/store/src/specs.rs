//! Specs, their criteria and their revisions.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::{AgentId, SpecId, WorkspaceId};
use countersign_core::spec::{Criterion, CriterionState, NewSpec, Spec, SpecRow, Status};
use countersign_core::time::Timestamp;
use countersign_core::title;
use serde_json::json;

const ROW: &str = "number, title, status, revision, locked";

fn spec_row(row: &rusqlite::Row<'_>) -> Result<SpecRow, StoreError> {
    let status: String = row.get(2)?;
    Ok(SpecRow {
        id: SpecId(row.get(0)?),
        title: row.get(1)?,
        status: Status::from_word(&status).ok_or_else(|| damaged(format!("a status is {status:?}")))?,
        revision: row.get(3)?,
        locked: row.get(4)?,
    })
}

impl Db<'_> {
    /// All specs of a workspace, by number.
    pub fn specs(&self, workspace: WorkspaceId) -> Result<Vec<SpecRow>, StoreError> {
        self.all(&format!("SELECT {ROW} FROM specs WHERE workspace = ?1 ORDER BY number"), [workspace.0], spec_row)
    }

    /// One spec's row.
    pub fn spec_row(&self, workspace: WorkspaceId, id: SpecId) -> Result<Option<SpecRow>, StoreError> {
        self.one(
            &format!("SELECT {ROW} FROM specs WHERE workspace = ?1 AND number = ?2"),
            (workspace.0, id.0),
            spec_row,
        )
    }

    /// The oldest spec whose title people would take for this one.
    pub fn spec_titled(&self, workspace: WorkspaceId, wanted: &str) -> Result<Option<SpecRow>, StoreError> {
        let sql = format!("SELECT {ROW} FROM specs WHERE workspace = ?1 AND fingerprint = ?2 ORDER BY number LIMIT 1");
        self.one(&sql, (workspace.0, title::fingerprint(wanted)), spec_row)
    }

    /// One whole spec.
    pub fn spec(&self, workspace: WorkspaceId, id: SpecId) -> Result<Option<Spec>, StoreError> {
        let Some(row) = self.spec_row(workspace, id)? else { return Ok(None) };
        let sql =
            "SELECT id, text, state, check_name FROM criteria WHERE workspace = ?1 AND spec = ?2 ORDER BY position";
        let criteria = self.all(sql, (workspace.0, id.0), |row| {
            let state: String = row.get(2)?;
            let state = match state.as_str() {
                "unmet" => CriterionState::Unmet,
                "met" => CriterionState::Met,
                "waived" => CriterionState::Waived,
                other => return Err(damaged(format!("a criterion is {other:?}"))),
            };
            Ok(Criterion { id: row.get(0)?, text: row.get(1)?, state, check: row.get(3)? })
        })?;
        let sql = "SELECT body, created_at, updated_at FROM specs WHERE workspace = ?1 AND number = ?2";
        self.one(sql, (workspace.0, id.0), |found| {
            Ok(Spec {
                body: found.get(0)?,
                created_at: Timestamp(found.get(1)?),
                updated_at: Timestamp(found.get(2)?),
                row: row.clone(),
                criteria: criteria.clone(),
            })
        })
    }
}

impl Tx<'_> {
    /// Makes a spec with the workspace's next number, as a draft in its first revision.
    pub fn insert_spec(
        &self,
        workspace: WorkspaceId,
        spec: &NewSpec,
        by: &AgentId,
        at: Timestamp,
    ) -> Result<SpecRow, StoreError> {
        let number = self
            .one(
                "UPDATE workspaces SET next_spec = next_spec + 1 WHERE id = ?1 RETURNING next_spec - 1",
                [workspace.0],
                |row| Ok(row.get::<_, u32>(0)?),
            )?
            .ok_or_else(|| damaged(format!("there is no workspace {}", workspace.0)))?;
        self.execute(
            "INSERT INTO specs (workspace, number, title, fingerprint, status, revision, body, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, 'draft', 1, ?5, ?6, ?6)",
            (workspace.0, number, &spec.title, title::fingerprint(&spec.title), &spec.body, at.0),
        )?;
        let criteria = spec.numbered();
        for (position, criterion) in criteria.iter().enumerate() {
            self.execute(
                "INSERT INTO criteria (workspace, spec, position, id, text, state, check_name) VALUES (?1, ?2, ?3, ?4, ?5, 'unmet', ?6)",
                (workspace.0, number, position as i64, &criterion.id, &criterion.text, &criterion.check),
            )?;
        }
        let content = json!({"title": spec.title, "body": spec.body, "criteria": criteria}).to_string();
        self.execute(
            "INSERT INTO revisions (workspace, spec, revision, agent, content, at) VALUES (?1, ?2, 1, ?3, ?4, ?5)",
            (workspace.0, number, by.as_str(), content, at.0),
        )?;
        self.spec_row(workspace, SpecId(number))?.ok_or_else(|| damaged("a spec that was just written is gone"))
    }

    /// Deletes a spec with its criteria and revisions; its number stays used. False when it was not there.
    pub fn delete_spec(&self, workspace: WorkspaceId, id: SpecId) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM specs WHERE workspace = ?1 AND number = ?2", (workspace.0, id.0))? == 1)
    }
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
            criteria: vec![NewCriterion { text: "returns 200".into(), check: Some("unit".into()) }],
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
                let first = tx.insert_spec(workspace, &new, &by, Timestamp(1))?;
                let whole = tx.spec(workspace, first.id)?.expect("there");
                assert_eq!((whole.body.as_str(), whole.criteria[0].check.as_deref()), ("line\r\nline", Some("unit")));
                assert_eq!(tx.spec_titled(workspace, "POLITICA")?, Some(first.clone()));
                assert!(tx.delete_spec(workspace, first.id)?);
                assert!(!tx.delete_spec(workspace, first.id)?);
                assert_eq!(tx.spec(workspace, first.id)?, None);
                assert_eq!(tx.insert_spec(workspace, &new, &by, Timestamp(2))?.id, SpecId(2));
                Ok::<_, StoreError>(())
            })
            .expect("writes");
    }
}
