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
        self.one(
            &format!("SELECT {COLUMNS} FROM trusts WHERE workspace = ?1 AND state = 'trusted'"),
            [workspace.0],
            trust,
        )
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
        self.forget_trusts(workspace)?;
        let text = serde_json::to_string(snapshot).expect("BUG: a snapshot is plain JSON");
        self.execute(
            "INSERT INTO trusts (workspace, request, state, digest, snapshot) VALUES (?1, ?2, 'proposed', ?3, ?4)",
            (workspace.0, request.as_str(), snapshot.digest().0.as_slice(), text),
        )?;
        Ok(())
    }

    /// The person said yes to this request: what it was over is trusted from now on, and nothing else of that workspace.
    pub fn trust(&self, trust: &Trust, at: Timestamp) -> Result<(), StoreError> {
        self.execute(
            "UPDATE trusts SET state = 'replaced' WHERE workspace = ?1 AND state = 'trusted'",
            [trust.workspace.0],
        )?;
        self.execute(
            "UPDATE trusts SET state = 'trusted', trusted_at = ?2 WHERE request = ?1 AND state = 'proposed'",
            (trust.request.as_str(), at.0),
        )?;
        self.forget_trusts(trust.workspace)
    }

    /// Drops what was asked for and not given; of what was replaced, a few stay.
    fn forget_trusts(&self, workspace: WorkspaceId) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM trusts WHERE workspace = ?1 AND state <> 'trusted'
             AND request NOT IN (SELECT id FROM requests WHERE state = 'pending')
             AND id NOT IN (SELECT id FROM trusts WHERE workspace = ?1 AND state = 'replaced' ORDER BY id DESC LIMIT 5)",
            [workspace.0],
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reader, Store};
    use countersign_core::request::Request;

    fn snapshot(config: &str) -> Snapshot {
        Snapshot { root: "/w".into(), config: config.into(), files: Vec::new(), path_env: "/bin".into() }
    }

    fn asked(tx: &Tx<'_>, id: &str, snapshot: &Snapshot) -> Request {
        let request = Request { id: RequestId(id.into()), ..crate::migration::tests::request() };
        tx.insert_request(&request, &request.ask.key()).expect("kept");
        tx.propose_trust(WorkspaceId(1), &request.id, snapshot).expect("proposed");
        request
    }

    #[test]
    fn one_at_a_time_is_trusted_and_what_was_not_given_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        store
            .write(|tx| {
                crate::migration::tests::agent_and_session(tx);
                let (one, two, three) = (snapshot("one"), snapshot("two"), snapshot("three"));
                let (first, second) = (asked(tx, "one", &one), asked(tx, "two", &two));
                assert_eq!(tx.trusted(WorkspaceId(1))?, None);
                assert_eq!(tx.trust_requests(WorkspaceId(1))?, [first.id.clone(), second.id.clone()]);
                let yes = |request: &Request| tx.trust_of(&request.id).map(|trust| trust.expect("proposed"));
                for (request, at) in [(&first, 5), (&second, 6)] {
                    tx.settle_request(&request.id, countersign_core::request::State::Answered, None, Timestamp(at))?;
                    tx.trust(&yes(request)?, Timestamp(at))?;
                }
                let now = tx.trusted(WorkspaceId(1))?.expect("trusted");
                assert_eq!((now.request, now.snapshot, now.trusted_at), (second.id, two, Some(Timestamp(6))));
                let no = asked(tx, "three", &three);
                tx.settle_request(&no.id, countersign_core::request::State::Declined, None, Timestamp(7))?;
                asked(tx, "four", &three);
                assert_eq!(tx.trust_of(&no.id)?, None);
                assert_eq!(tx.trust_requests(WorkspaceId(1))?, [RequestId("four".into())]);
                Ok::<_, StoreError>(())
            })
            .expect("written");
        drop(store);
        let path = folder.path().join("data.db");
        rusqlite::Connection::open(&path)
            .and_then(|connection| {
                connection
                    .execute("UPDATE trusts SET snapshot = replace(snapshot, 'two', 'six') WHERE state = 'trusted'", [])
            })
            .expect("changed by hand");
        let mut reader = Reader::open(&path).expect("opens");
        assert!(matches!(reader.read(|db| db.trusted(WorkspaceId(1))), Err(StoreError::Damaged { .. })));
    }
}
