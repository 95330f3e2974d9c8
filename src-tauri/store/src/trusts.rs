//! What the person trusted, and what they were asked to.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::digest::Digest;
use countersign_core::id::{RequestId, WorkspaceId};
use countersign_core::time::Timestamp;
use countersign_core::trust::Snapshot;

/// A trust: proposed, or given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// Where.
    pub workspace: WorkspaceId,
    /// The request that asked for it.
    pub request: RequestId,
    /// The digest of what it is over.
    pub digest: Digest,
    /// What it is over.
    pub snapshot: Snapshot,
    /// Since when; none while it is proposed.
    pub trusted_at: Option<Timestamp>,
}

const COLUMNS: &str = "workspace, request, digest, snapshot, trusted_at";

fn trust(row: &rusqlite::Row<'_>) -> Result<Trust, StoreError> {
    let snapshot: Snapshot =
        serde_json::from_str(&row.get::<_, String>(3)?).map_err(|error| damaged(format!("a trust: {error}")))?;
    let digest = Digest(row.get(2)?);
    // A row that was changed by hand must not make anything trusted.
    if snapshot.digest() != digest {
        return Err(damaged("a trust is not over what its digest says"));
    }
    Ok(Trust {
        workspace: WorkspaceId(row.get(0)?),
        request: RequestId(row.get(1)?),
        digest,
        snapshot,
        trusted_at: row.get::<_, Option<i64>>(4)?.map(Timestamp),
    })
}

impl Db<'_> {
    /// What is trusted in a workspace.
    pub fn trusted(&self, workspace: WorkspaceId) -> Result<Option<Trust>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM trusts WHERE workspace = ?1 AND state = 'trusted'"), [workspace.0], trust)
    }

    /// The trust that a request asked for, however it stands.
    pub fn trust_of(&self, request: &RequestId) -> Result<Option<Trust>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM trusts WHERE request = ?1"), [request.as_str()], trust)
    }

    /// The requests that ask for trust in a workspace and are pending, oldest first.
    pub fn trust_requests(&self, workspace: WorkspaceId) -> Result<Vec<RequestId>, StoreError> {
        let sql = "SELECT t.request FROM trusts t JOIN requests r ON r.id = t.request
                   WHERE t.workspace = ?1 AND t.state = 'proposed' AND r.state = 'pending' ORDER BY t.id";
        self.all(sql, [workspace.0], |row| Ok(RequestId(row.get(0)?)))
    }
}

impl Tx<'_> {
    /// Keeps what a request asks to be trusted.
    pub fn propose_trust(
        &self,
        workspace: WorkspaceId,
        request: &RequestId,
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(snapshot).expect("BUG: a snapshot is plain JSON");
        self.execute(
            "INSERT INTO trusts (workspace, request, state, digest, snapshot) VALUES (?1, ?2, 'proposed', ?3, ?4)",
            (workspace.0, request.as_str(), snapshot.digest().0.as_slice(), text),
        )?;
        Ok(())
    }

    /// The person said yes to this request: what it was over is trusted from now on, and nothing else of that workspace.
    pub fn trust(&self, trust: &Trust, at: Timestamp) -> Result<(), StoreError> {
        self.execute("UPDATE trusts SET state = 'replaced' WHERE workspace = ?1 AND state = 'trusted'", [trust.workspace.0])?;
        self.execute(
            "UPDATE trusts SET state = 'trusted', trusted_at = ?2 WHERE request = ?1 AND state = 'proposed'",
            (trust.request.as_str(), at.0),
        )?;
        // What was asked for and not given, and what was replaced: the trusted one alone is compared with.
        self.execute(
            "DELETE FROM trusts WHERE workspace = ?1 AND state <> 'trusted'
             AND request NOT IN (SELECT id FROM requests WHERE state = 'pending')
             AND id NOT IN (SELECT id FROM trusts WHERE workspace = ?1 AND state = 'replaced' ORDER BY id DESC LIMIT 5)",
            [trust.workspace.0],
        )?;
        Ok(())
    }
}
