//! What sessions say that they do, item by item.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::SessionId;
use countersign_core::time::Timestamp;
use countersign_core::todo::Todo;

impl Db<'_> {
    /// The list of a session; empty where it set none.
    pub fn todos(&self, session: &SessionId) -> Result<Vec<Todo>, StoreError> {
        let list = self
            .one("SELECT list FROM todos WHERE session = ?1", [session.as_str()], |row| Ok(row.get::<_, String>(0)?))?;
        let Some(list) = list else { return Ok(Vec::new()) };
        serde_json::from_str(&list).map_err(|error| damaged(format!("a list of what is done: {error}")))
    }

    /// How often a session set its list.
    pub fn todos_set(&self, session: &SessionId) -> Result<u32, StoreError> {
        let times =
            self.one("SELECT times FROM todos WHERE session = ?1", [session.as_str()], |row| Ok(row.get(0)?))?;
        Ok(times.unwrap_or(0))
    }
}

impl Tx<'_> {
    /// Keeps a session's whole list. False when it is the one that was there; then nothing changed.
    pub fn set_todos(&self, session: &SessionId, todos: &[Todo], at: Timestamp) -> Result<bool, StoreError> {
        let list = serde_json::to_string(todos).expect("BUG: rows are plain JSON");
        let changed = self.execute(
            "INSERT INTO todos (session, list, times, updated_at) VALUES (?1, ?2, 1, ?3)
             ON CONFLICT DO UPDATE SET list = excluded.list, times = times + 1, updated_at = excluded.updated_at
             WHERE list <> excluded.list",
            (session.as_str(), list, at.0),
        )?;
        Ok(changed == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::migration::tests::agent_and_session;
    use countersign_core::todo;
    use serde_json::json;

    #[test]
    fn a_list_is_kept_whole_and_the_same_one_again_is_no_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let session = SessionId("s".into());
        let list = todo::read(&json!([{"content": "Read", "status": "in_progress", "activeForm": "Reading"}]))
            .expect("a list");
        let (first, again, none) = store
            .write(|tx| {
                agent_and_session(tx);
                let first = tx.set_todos(&session, &list, Timestamp(1))?;
                let again = tx.set_todos(&session, &list, Timestamp(2))?;
                Ok::<_, StoreError>((first, again, tx.todos(&SessionId("other".into()))?))
            })
            .expect("written");
        assert_eq!((first, again, none), (true, false, Vec::new()));
        let kept = store.read(|db| Ok::<_, StoreError>((db.todos(&session)?, db.todos_set(&session)?))).expect("reads");
        assert_eq!(kept, (list, 1));
        let emptied = store.write(|tx| tx.set_todos(&session, &[], Timestamp(3))).expect("written");
        let kept = store.read(|db| Ok::<_, StoreError>((db.todos(&session)?, db.todos_set(&session)?))).expect("reads");
        assert!(emptied);
        assert_eq!(kept, (Vec::new(), 2));
    }
}
