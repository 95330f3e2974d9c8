//! What can go wrong with the file.

use std::path::PathBuf;

/// An error of the store. Nothing of what failed was kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was written by a newer version; it was not touched.
    #[error("{} was written by a newer version of Countersign (schema {found}, this one knows {known}); install the newer version, or move the file away", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema that is known here.
        known: u32,
    },
    /// The file is something else.
    #[error("{} is not a Countersign data file; move it away, or choose another data folder with COUNTERSIGN_HOME", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is a link, which could lead anywhere.
    #[error("{} is a link; the data file must be a file of its own", path.display())]
    Link {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full, or the file may not grow.
    #[error("the disk is full: nothing was saved; free some space and try again")]
    Full,
    /// A row that can't be what this program wrote.
    #[error("the data file is damaged: {what}; restore a backup, or move the file away")]
    Damaged {
        /// Where and what.
        what: String,
    },
    /// Anything else that SQLite says.
    #[error("the data file can't be used: {0}")]
    Sqlite(rusqlite::Error),
    /// Anything else that the system says.
    #[error("the data file can't be used: {0}")]
    Io(#[from] std::io::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full,
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                Self::Damaged { what: error.to_string() }
            }
            _ => match error {
                // A column of another type than the schema has: a flipped bit, not a fault of the program.
                rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::Utf8Error(..) => Self::Damaged { what: error.to_string() },
                other => Self::Sqlite(other),
            },
        }
    }
}

/// A value that could not have been written by this program.
pub(crate) fn damaged(what: impl Into<String>) -> StoreError {
    StoreError::Damaged { what: what.into() }
}
