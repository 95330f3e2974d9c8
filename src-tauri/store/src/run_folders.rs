//! In which run folder a request may be answered by a file.

use crate::db::{Db, Tx};
use crate::error::StoreError;
use countersign_core::id::RequestId;

impl Db<'_> {
    /// The run folders of what is pending, oldest request first.
    pub fn pending_run_folders(&self) -> Result<Vec<(String, RequestId)>, StoreError> {
        let sql = "SELECT f.folder, r.id FROM requests r JOIN run_folders f ON f.request = r.id WHERE r.state = 'pending' ORDER BY r.seq";
        self.all(sql, [], |row| Ok((row.get(0)?, RequestId(row.get(1)?))))
    }

    /// The run folders of the last requests that ended, without those where something waits.
    pub fn ended_run_folders(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT DISTINCT folder FROM (
                       SELECT f.folder FROM run_folders f JOIN requests r ON r.id = f.request ORDER BY r.seq DESC LIMIT ?1
                   ) WHERE folder NOT IN (
                       SELECT f.folder FROM requests r JOIN run_folders f ON f.request = r.id WHERE r.state = 'pending'
                   )";
        self.all(sql, [limit], |row| Ok(row.get(0)?))
    }

    /// The run folder of a request.
    pub fn run_folder(&self, request: &RequestId) -> Result<Option<String>, StoreError> {
        self.one("SELECT folder FROM run_folders WHERE request = ?1", [request.as_str()], |row| Ok(row.get(0)?))
    }
}

impl Tx<'_> {
    /// Keeps a request's run folder, or moves it: an ask that is joined from another run is answered there.
    pub fn set_run_folder(&self, request: &RequestId, folder: &str) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO run_folders (request, folder) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET folder = excluded.folder",
            (request.as_str(), folder),
        )?;
        Ok(())
    }
}
