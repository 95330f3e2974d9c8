//! The folders in which agents work, with the person's rules for each.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::WorkspaceId;
use countersign_core::mode::Mode;
use countersign_core::time::Timestamp;
use countersign_core::workspace::{EvidenceRule, WorkspaceRules};

/// A folder in which agents work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Its row.
    pub id: WorkspaceId,
    /// The folder; empty for agents that never named one.
    pub path: String,
    /// What the person ruled for it.
    pub rules: WorkspaceRules,
}

const COLUMNS: &str = "id, path, mode, auto_transitions, evidence, policy_in_app";

fn workspace(row: &rusqlite::Row<'_>) -> Result<Workspace, StoreError> {
    let (mode, evidence): (String, String) = (row.get(2)?, row.get(4)?);
    Ok(Workspace {
        id: WorkspaceId(row.get(0)?),
        path: row.get(1)?,
        rules: WorkspaceRules {
            mode: Mode::from_word(&mode).ok_or_else(|| damaged(format!("a mode is {mode:?}")))?,
            auto_transitions: row.get(3)?,
            evidence: EvidenceRule::from_word(&evidence)
                .ok_or_else(|| damaged(format!("a rule of evidence is {evidence:?}")))?,
            policy_in_app: row.get(5)?,
        },
    })
}

impl Db<'_> {
    /// The workspace of this folder.
    pub fn workspace_at(&self, path: &str) -> Result<Option<Workspace>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM workspaces WHERE path = ?1"), [path], workspace)
    }

    /// A workspace.
    pub fn workspace(&self, id: WorkspaceId) -> Result<Workspace, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM workspaces WHERE id = ?1"), [id.0], workspace)?
            .ok_or_else(|| damaged(format!("there is no workspace {}", id.0)))
    }

    /// A workspace's folder.
    pub fn workspace_path(&self, id: WorkspaceId) -> Result<String, StoreError> {
        self.one("SELECT path FROM workspaces WHERE id = ?1", [id.0], |row| Ok(row.get(0)?))?
            .ok_or_else(|| damaged(format!("there is no workspace {}", id.0)))
    }

    /// All of them, the latest used first.
    pub fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM workspaces w
             ORDER BY (SELECT max(last_seen_at) FROM sessions s WHERE s.workspace = w.id) DESC NULLS LAST, id DESC"
        );
        self.all(&sql, [], workspace)
    }
}

impl Tx<'_> {
    /// Keeps a new workspace.
    pub fn insert_workspace(&self, path: &str, at: Timestamp) -> Result<Workspace, StoreError> {
        self.execute("INSERT INTO workspaces (path, created_at) VALUES (?1, ?2)", (path, at.0))?;
        self.workspace_at(path)?.ok_or_else(|| damaged("a workspace that was just written is gone"))
    }

    /// Sets the person's rules for one.
    pub fn set_workspace_rules(&self, id: WorkspaceId, rules: WorkspaceRules) -> Result<(), StoreError> {
        self.execute(
            "UPDATE workspaces SET mode = ?2, auto_transitions = ?3, evidence = ?4, policy_in_app = ?5 WHERE id = ?1",
            (id.0, rules.mode.word(), rules.auto_transitions, rules.evidence.word(), rules.policy_in_app),
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn a_workspace_starts_with_the_plain_rules_and_keeps_those_that_are_set() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let rules = WorkspaceRules {
            mode: Mode::Autonomous,
            auto_transitions: true,
            evidence: EvidenceRule::Checked,
            policy_in_app: true,
        };
        store
            .write(|tx| {
                let new = tx.insert_workspace("/w", Timestamp(0))?;
                assert_eq!(new.rules, WorkspaceRules::default());
                tx.set_workspace_rules(new.id, rules)?;
                assert_eq!(tx.workspace(new.id)?.rules, rules);
                assert_eq!(tx.workspaces()?.len(), 1);
                Ok::<_, StoreError>(())
            })
            .expect("writes");
    }
}
