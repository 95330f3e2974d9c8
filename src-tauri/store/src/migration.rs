//! The schema's history: a list of scripts, each run once, in order, never changed after it was released.

use crate::error::StoreError;
use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as ours (SQLite `application_id`): "CSGN".
pub(crate) const APPLICATION_ID: i32 = 0x4353_474E;

/// All scripts; the schema's version is how many of them ran.
pub(crate) const MIGRATIONS: &[&str] =
    &[include_str!("../migrations/001_start.sql"), include_str!("../migrations/002_plan_and_program.sql")];

/// The schema's version.
pub(crate) fn version(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Runs what has not run yet, in one transaction: the file has the old schema or the new one, nothing between.
pub(crate) fn run(connection: &mut Connection, scripts: &[&str]) -> Result<(), StoreError> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = version(&tx)? as usize;
    for script in scripts.iter().skip(from) {
        tx.execute_batch(script)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", scripts.len() as i64)?;
    tx.commit()?;
    Ok(())
}
