//! The todo lists of sessions.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::SessionId;
use countersign_core::time::Timestamp;
use countersign_core::todo::Todo;

impl Db<'_> {
    /// A session's list; empty where it keeps none.
    pub fn todos(&self, session: &SessionId) -> Result<Vec<Todo>, StoreError> {
        let found = self.one("SELECT items FROM todos WHERE session = ?1", [session.as_str()], |row| {
            let text: String = row.get(0)?;
            serde_json::from_str(&text).map_err(|error| damaged(format!("a todo list: {error}")))
        })?;
        Ok(found.unwrap_or_default())
    }
}

impl Tx<'_> {
    /// Keeps a list whole; an empty one is forgotten.
    pub fn set_todos(&self, session: &SessionId, todos: &[Todo], at: Timestamp) -> Result<(), StoreError> {
        if todos.is_empty() {
            self.execute("DELETE FROM todos WHERE session = ?1", [session.as_str()])?;
            return Ok(());
        }
        let items = serde_json::to_string(todos).expect("BUG: todos are JSON");
        self.execute(
            "INSERT INTO todos (session, items, updated_at) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET items = excluded.items, updated_at = excluded.updated_at",
            (session.as_str(), items, at.0),
        )?;
        Ok(())
    }
}
