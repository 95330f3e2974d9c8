//! Settings of this data folder: a few named texts.

use crate::db::{Db, Tx};
use crate::error::StoreError;

impl Db<'_> {
    /// A setting's text.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.one("SELECT value FROM settings WHERE key = ?1", [key], |row| Ok(row.get(0)?))
    }

    /// Whether nothing was ever done with this file: no agent, no log entry, no setting but the port, which a start keeps
    /// by itself.
    pub fn is_blank(&self) -> Result<bool, StoreError> {
        let used = self.one(
            "SELECT EXISTS (SELECT 1 FROM agents) OR EXISTS (SELECT 1 FROM log) OR EXISTS (SELECT 1 FROM settings WHERE key <> 'port')",
            [],
            |row| Ok(row.get::<_, bool>(0)?),
        )?;
        Ok(used != Some(true))
    }
}

impl Tx<'_> {
    /// Sets a setting.
    pub fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value",
            [key, value],
        )?;
        Ok(())
    }
}
