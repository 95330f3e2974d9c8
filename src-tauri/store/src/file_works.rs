//! Files that are about to be copied or moved for a decision: kept before anything is touched, forgotten with the decision.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::digest::Digest;
use countersign_core::id::RequestId;
use countersign_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What is about to be done to one file of a workspace. Paths are relative to its folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileWork {
    /// A copy comes to be, first under another name.
    Copy {
        /// The name that it has while it is written.
        part: String,
        /// Where it goes.
        to: String,
        /// The digest of what it will hold.
        sha256: Digest,
    },
    /// A file changes its place.
    Move {
        /// Where it is.
        from: String,
        /// Where it goes.
        to: String,
        /// The digest of its content.
        sha256: Digest,
    },
}

/// One that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BegunWork {
    /// For which request.
    pub request: RequestId,
    /// The workspace's folder.
    pub root: String,
    /// What.
    pub work: FileWork,
}

impl Db<'_> {
    /// All that were begun, the oldest first.
    pub fn file_works(&self) -> Result<Vec<BegunWork>, StoreError> {
        let rows = self.all("SELECT request, root, work FROM file_works ORDER BY at, request", [], |row| {
            Ok((RequestId(row.get(0)?), row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })?;
        let begun = |(request, root, work): (RequestId, String, String)| {
            let work = serde_json::from_str(&work).map_err(|error| damaged(format!("a file's work: {error}")))?;
            Ok(BegunWork { request, root, work })
        };
        rows.into_iter().map(begun).collect()
    }
}

impl Tx<'_> {
    /// Begins one. False when one for this request goes on already.
    pub fn begin_file_work(&self, begun: &BegunWork, at: Timestamp) -> Result<bool, StoreError> {
        let work = serde_json::to_string(&begun.work).expect("BUG: rows are plain JSON");
        let changed = self.execute(
            "INSERT INTO file_works (request, root, work, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            (begun.request.as_str(), &begun.root, work, at.0),
        )?;
        Ok(changed == 1)
    }

    /// It is over, one way or the other.
    pub fn end_file_work(&self, request: &RequestId) -> Result<(), StoreError> {
        self.execute("DELETE FROM file_works WHERE request = ?1", [request.as_str()])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::migration::tests::{agent_and_session, request};

    #[test]
    fn one_work_at_a_time_goes_on_for_a_request_and_is_found_until_it_is_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let work = FileWork::Copy { part: ".a.part".into(), to: "docs/a".into(), sha256: Digest([3; 32]) };
        let begun = BegunWork { request: request().id, root: "/w".into(), work };
        let once = store
            .write(|tx| {
                agent_and_session(tx);
                tx.insert_request(&request(), &request().ask.key())?;
                Ok::<_, StoreError>([
                    tx.begin_file_work(&begun, Timestamp(1))?,
                    tx.begin_file_work(&begun, Timestamp(2))?,
                ])
            })
            .expect("written");
        assert_eq!(once, [true, false]);
        assert_eq!(store.read(|db| db.file_works()).expect("reads"), [begun]);
        store.write(|tx| tx.end_file_work(&request().id)).expect("written");
        assert_eq!(store.read(|db| db.file_works()).expect("reads"), []);
    }
}
