//! A view of the open file. Reading works through a [`Db`], writing through a [`Tx`], which reads too.

use crate::error::StoreError;
use rusqlite::Connection;
use std::cell::Cell;
use std::ops::Deref;

/// Something to read through: a reader's snapshot, or the inside of a transaction.
#[derive(Clone, Copy)]
pub struct Db<'c> {
    pub(crate) connection: &'c Connection,
}

/// A transaction that writes. What it did is on disk once [`crate::Store::write`] returned.
pub struct Tx<'c> {
    db: Db<'c>,
    /// It has one part, which needs no savepoint.
    single: Cell<bool>,
    /// Its one part failed: what is there of it must go.
    spoiled: Cell<bool>,
}

impl<'c> Tx<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Self {
        Self { db: Db { connection }, single: Cell::new(false), spoiled: Cell::new(false) }
    }

    /// Says that one part is all there will be. Its failure then undoes the transaction, and it costs no savepoint: for that,
    /// SQLite copies each page before it changes it.
    pub fn expect_single_part(&self) {
        self.single.set(true);
    }

    /// Whether the one part failed.
    pub(crate) fn is_spoiled(&self) -> bool {
        self.spoiled.get()
    }

    /// Runs one part of the transaction so that its failure undoes that part alone.
    ///
    /// On a full disk SQLite may undo the whole transaction by itself. Then nothing more is run: outside a transaction a
    /// savepoint would be one of its own, and keep what is told to have failed.
    pub fn attempt<T, E: From<StoreError>>(&self, part: impl FnOnce(&Self) -> Result<T, E>) -> Result<T, E> {
        if self.is_undone() {
            return Err(StoreError::Full.into());
        }
        if self.single.get() {
            return part(self).inspect_err(|_| self.spoiled.set(true));
        }
        self.execute("SAVEPOINT part", [])?;
        match part(self) {
            Ok(done) => {
                self.execute("RELEASE part", [])?;
                Ok(done)
            }
            Err(error) => {
                if !self.is_undone() {
                    self.execute("ROLLBACK TO part", [])?;
                    self.execute("RELEASE part", [])?;
                }
                Err(error)
            }
        }
    }

    /// Whether SQLite undid the whole transaction.
    pub(crate) fn is_undone(&self) -> bool {
        self.connection.is_autocommit()
    }

    pub(crate) fn execute(&self, sql: &str, params: impl rusqlite::Params) -> Result<usize, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.execute(params)?)
    }
}

impl<'c> Deref for Tx<'c> {
    type Target = Db<'c>;

    fn deref(&self) -> &Db<'c> {
        &self.db
    }
}

impl Db<'_> {
    /// The first row, if there is one.
    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        match rows.next()? {
            Some(row) => read(row).map(Some),
            None => Ok(None),
        }
    }

    /// All rows.
    pub(crate) fn all<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        mut read: impl FnMut(&rusqlite::Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }
}
