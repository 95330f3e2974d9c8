//! Opening the file, safely: whose it is, how old it is, how it writes.

use crate::db::{Db, Tx};
use crate::error::StoreError;
use crate::migration::{self, APPLICATION_ID, MIGRATIONS};
use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// How long a statement waits for another process that holds the file.
const BUSY: Duration = Duration::from_secs(10);

/// Pages in the write-ahead log from which it is worth taking them over, and from which it must be done at once.
const WORTH_TAKING: i32 = 250;
const MUST_TAKE: i32 = 4_000;

/// The one that writes.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Pages in the write-ahead log, after the last commit.
    logged: Arc<AtomicI32>,
}

/// One that reads beside it, without ever waiting for it.
pub struct Reader {
    connection: Connection,
}

impl Store {
    /// Opens the file, makes it when it is not there, and brings an older schema up to date after a backup.
    ///
    /// The file is readable by its owner only.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, MIGRATIONS)
    }

    pub(crate) fn open_with(path: &Path, scripts: &[&str]) -> Result<Self, StoreError> {
        let is_new = inspect(path, scripts.len() as u32)?;
        if is_new {
            create_private(path)?;
        }
        let mut connection =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(BUSY)?;
        let found = migration::version(&connection)?;
        if found as usize > scripts.len() {
            return Err(StoreError::Newer { path: path.to_owned(), found, known: scripts.len() as u32 });
        }
        // `fullfsync` matters on macOS alone, where fsync stops at the drive's cache.
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1;
             PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 16777216; PRAGMA trusted_schema = OFF;",
        )?;
        keep_statements(&connection, 128)?;
        if (found as usize) < scripts.len() {
            if found > 0 {
                backup_to(&connection, &backup_path(path, found)?)?;
            }
            migration::run(&mut connection, scripts)?;
            // The header must tell the version to one that reads the file without its WAL.
            connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
        }
        let logged = Arc::new(AtomicI32::new(0));
        let pages = Arc::clone(&logged);
        // In the place of SQLite's own, which takes the pages over inside some agent's commit: milliseconds for every hundredth.
        connection.wal_hook(Some(move |_: &mut Wal, now: i32| {
            pages.store(now, Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(Self { connection, path: path.to_owned(), logged })
    }

    /// Runs a transaction that writes; it is on disk when this returns `Ok`. One whose single part failed leaves nothing, and
    /// that is `Ok` too: the part was told.
    pub fn write<T, E: From<StoreError>>(&mut self, work: impl FnOnce(&Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let tx = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(StoreError::from)?;
        let inner = Tx::new(&tx);
        let done = work(&inner)?;
        if inner.is_undone() {
            // Nothing of it is there, whatever its parts were told before.
            return Err(StoreError::Full.into());
        }
        if inner.is_spoiled() {
            tx.rollback().map_err(StoreError::from)?;
            return Ok(done);
        }
        tx.commit().map_err(StoreError::from)?;
        Ok(done)
    }

    /// Whether pages of the write-ahead log should be taken over into the file when nobody waits.
    pub fn wants_checkpoint(&self) -> bool {
        self.logged.load(Ordering::Relaxed) >= WORTH_TAKING
    }

    /// Whether that can't be put off longer: the log would outgrow the size to which it is cut.
    pub fn needs_checkpoint(&self) -> bool {
        self.logged.load(Ordering::Relaxed) >= MUST_TAKE
    }

    /// Takes pages over, without waiting for readers. What fails is tried again after the next commit.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        self.logged.store(0, Ordering::Relaxed);
        self.connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::PASSIVE)?;
        Ok(())
    }

    /// Reads through the writing connection: what it wrote last.
    pub fn read<T, E>(&self, work: impl FnOnce(Db<'_>) -> Result<T, E>) -> Result<T, E> {
        work(Db { connection: &self.connection })
    }

    /// Opens one that reads beside this one.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.path)
    }

    /// Copies the whole file, consistently, while it is in use. The target must not be there yet.
    pub fn backup(&self, target: &Path) -> Result<(), StoreError> {
        backup_to(&self.connection, target)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Reader {
    /// Opens the file for reading only.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY)?;
        keep_statements(&connection, 64)?;
        Ok(Self { connection })
    }

    /// Reads from one consistent snapshot.
    pub fn read<T, E: From<StoreError>>(&mut self, work: impl FnOnce(Db<'_>) -> Result<T, E>) -> Result<T, E> {
        let tx = self.connection.transaction().map_err(StoreError::from)?;
        work(Db { connection: &tx })
    }
}

/// Keeps prepared statements, and their plans whatever is bound to them: else SQLite plans some anew at each use, because a value
/// might let it use one of the partial indexes. That took a quarter of the writer's time.
fn keep_statements(connection: &Connection, most: usize) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(most);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Looks at the file's header without opening it, so that a newer or foreign file stays untouched. True: it is new.
fn inspect(path: &Path, known: u32) -> Result<bool, StoreError> {
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error.into()),
    };
    if meta.is_symlink() {
        return Err(StoreError::Link { path: path.to_owned() });
    }
    let mut header = [0; 100];
    let mut file = fs::File::open(path)?;
    match file.read_exact(&mut header) {
        Ok(()) => {}
        // An empty file is what a crash right after its making leaves.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof && meta.len() == 0 => return Ok(false),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        Err(error) => return Err(error.into()),
    }
    // SQLite file format, section 1.3: user version at offset 60, application id at offset 68, big endian.
    let word = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, application) = (word(60), word(68));
    let ours = application == APPLICATION_ID as u32 || (application == 0 && version == 0);
    if !header.starts_with(b"SQLite format 3\0") || !ours {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    if version > known {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, known });
    }
    Ok(false)
}

fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    Ok(())
}

/// `backups/countersign-schema-1.db` beside the file, with a number behind it when that is taken.
fn backup_path(path: &Path, version: u32) -> Result<PathBuf, StoreError> {
    let folder = path.parent().unwrap_or(Path::new(".")).join("backups");
    fs::create_dir_all(&folder)?;
    let name = |n: u32| match n {
        0 => folder.join(format!("countersign-schema-{version}.db")),
        n => folder.join(format!("countersign-schema-{version}-{n}.db")),
    };
    Ok((0..).map(name).find(|candidate| !candidate.exists()).expect("BUG: numbers don't run out"))
}

fn backup_to(connection: &Connection, target: &Path) -> Result<(), StoreError> {
    create_private(target)?;
    let mut copy = Connection::open(target)?;
    let backup = rusqlite::backup::Backup::new(connection, &mut copy)?;
    backup.run_to_completion(1_000, Duration::ZERO, None)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schema of the next version.
    const KNOWN: usize = MIGRATIONS.len();

    /// The schema of a version that is to come.
    fn next() -> Vec<&'static str> {
        [MIGRATIONS, &["CREATE TABLE later (x INTEGER) STRICT;"]].concat()
    }

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    #[test]
    fn a_newer_schema_is_refused_and_the_file_stays_untouched() {
        let folder = folder();
        let path = folder.path().join("data.db");
        drop(Store::open_with(&path, &next()).expect("opens"));
        let before = fs::read(&path).expect("reads");
        let refused = Store::open(&path).err().map(|e| e.to_string()).expect("refused");
        let words = format!("newer version of Countersign (schema {}, this one knows {KNOWN})", next().len());
        assert!(refused.contains(&words), "{refused}");
        assert_eq!(fs::read(&path).expect("reads"), before);
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1, "no file beside it");
    }

    #[test]
    fn an_older_schema_is_brought_up_to_date_after_a_backup_that_opens() {
        let folder = folder();
        let path = folder.path().join("data.db");
        let mut store = Store::open(&path).expect("opens");
        store.write(|tx| tx.set_setting("port", "4780")).expect("writes");
        drop(store);
        let store = Store::open_with(&path, &next()).expect("migrates");
        assert_eq!(migration::version(&store.connection).expect("version") as usize, next().len());
        let backup = folder.path().join(format!("backups/countersign-schema-{KNOWN}.db"));
        let copy = Store::open(&backup).expect("the backup opens");
        assert_eq!(copy.read(|db| db.setting("port")).expect("reads"), Some("4780".into()));
    }

    #[test]
    fn a_migration_that_fails_leaves_the_old_schema_and_its_data() {
        let folder = folder();
        let path = folder.path().join("data.db");
        let mut store = Store::open(&path).expect("opens");
        store.write(|tx| tx.set_setting("port", "4780")).expect("writes");
        drop(store);
        let broken = [MIGRATIONS, &["CREATE TABLE half (x); CREATE GARBAGE;"]].concat();
        assert!(Store::open_with(&path, &broken).is_err());
        let store = Store::open(&path).expect("the old schema is whole");
        assert_eq!(store.read(|db| db.setting("port")).expect("reads"), Some("4780".into()));
        let tables: i64 = store
            .connection
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'half'", [], |row| row.get(0))
            .expect("counts");
        assert_eq!(tables, 0);
    }

    #[test]
    fn foreign_files_and_links_are_refused_and_an_empty_file_is_taken() {
        let folder = folder();
        let text = folder.path().join("text.db");
        fs::write(&text, "x".repeat(200)).expect("writes");
        assert!(matches!(Store::open(&text), Err(StoreError::Foreign { .. })));
        let other = folder.path().join("other.db");
        Connection::open(&other)
            .and_then(|c| c.execute_batch("PRAGMA application_id = 7; CREATE TABLE t (x)"))
            .expect("makes");
        assert!(matches!(Store::open(&other), Err(StoreError::Foreign { .. })));
        let empty = folder.path().join("empty.db");
        fs::write(&empty, "").expect("writes");
        assert!(Store::open(&empty).is_ok());
        #[cfg(unix)]
        {
            let link = folder.path().join("link.db");
            std::os::unix::fs::symlink(&empty, &link).expect("links");
            assert!(matches!(Store::open(&link), Err(StoreError::Link { .. })));
        }
    }

    #[test]
    fn commits_are_full_and_readers_see_what_was_committed_only() {
        let folder = folder();
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let pragma = |name: &str| store.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
        assert_eq!(pragma("synchronous").expect("reads"), 2, "FULL");
        let mut reader = store.reader().expect("opens");
        store
            .write(|tx| {
                tx.set_setting("a", "1")?;
                assert_eq!(reader.read(|db| db.setting("a"))?, None);
                Ok::<_, StoreError>(())
            })
            .expect("writes");
        assert_eq!(reader.read(|db| db.setting("a")).expect("reads"), Some("1".into()));
        assert!(reader.read(|db| db.connection.execute("DELETE FROM settings", []).map_err(StoreError::from)).is_err());
    }

    #[test]
    fn when_sqlite_undoes_the_whole_transaction_nothing_of_it_counts_and_nothing_more_is_run() {
        let folder = folder();
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let mut said = Vec::new();
        let whole: Result<(), StoreError> = store.write(|tx| {
            said.push(tx.attempt(|tx| tx.set_setting("a", "1")).is_ok());
            // What SQLite does by itself when the disk is full.
            said.push(
                tx.attempt(|tx| {
                    tx.set_setting("b", "2")?;
                    tx.connection.execute_batch("ROLLBACK")?;
                    Err::<(), _>(StoreError::Full)
                })
                .is_ok(),
            );
            said.push(tx.attempt(|tx| tx.set_setting("c", "3")).is_ok());
            Ok(())
        });
        assert!(matches!(whole, Err(StoreError::Full)));
        assert_eq!(said, [true, false, false]);
        let all = ["a", "b", "c"].map(|key| store.read(|db| db.setting(key)).expect("reads"));
        assert_eq!(all, [None, None, None]);
        store.write(|tx| tx.set_setting("d", "4")).expect("the next one works");
    }

    #[test]
    fn a_file_that_may_not_grow_keeps_what_was_acknowledged_and_nothing_else() {
        let folder = folder();
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        store.connection.execute_batch("PRAGMA max_page_count = 150").expect("a small disk");
        let big = "x".repeat(20_000);
        let mut acknowledged = Vec::new();
        for batch in 0..20 {
            let mut told = Vec::new();
            let written = store.write(|tx| {
                for part in 0..4 {
                    let key = format!("{batch}.{part}");
                    told.push((key.clone(), tx.attempt(|tx| tx.set_setting(&key, &big)).is_ok()));
                }
                Ok::<_, StoreError>(())
            });
            if written.is_ok() {
                acknowledged.extend(told.into_iter().filter(|(_, ok)| *ok).map(|(key, _)| key));
            }
        }
        assert!(!acknowledged.is_empty() && acknowledged.len() < 80, "{acknowledged:?}");
        let mut kept =
            store.read(|db| db.all("SELECT key FROM settings", [], |row| Ok(row.get::<_, String>(0)?))).expect("reads");
        kept.sort();
        acknowledged.sort();
        assert_eq!(kept, acknowledged);
    }

    #[test]
    fn a_single_part_that_fails_leaves_nothing_and_one_that_works_is_kept() {
        let folder = folder();
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let mut told = None;
        store
            .write(|tx| {
                tx.expect_single_part();
                let failed: Result<(), StoreError> = tx.attempt(|tx| {
                    tx.set_setting("a", "1")?;
                    Err(StoreError::Full)
                });
                told = Some(failed.is_err());
                Ok::<_, StoreError>(())
            })
            .expect("the part was told, not the transaction");
        assert_eq!(told, Some(true));
        store
            .write(|tx| {
                tx.expect_single_part();
                tx.attempt(|tx| tx.set_setting("b", "2"))
            })
            .expect("writes");
        let kept = ["a", "b"].map(|key| store.read(|db| db.setting(key)).expect("reads"));
        assert_eq!(kept, [None, Some("2".to_owned())]);
    }

    #[test]
    fn the_write_ahead_log_is_taken_over_when_it_is_asked_for() {
        let folder = folder();
        let path = folder.path().join("data.db");
        let mut store = Store::open(&path).expect("opens");
        let size = || fs::metadata(&path).expect("there").len();
        let (before, big) = (size(), "x".repeat(100_000));
        for n in 0..20 {
            store.write(|tx| tx.set_setting(&n.to_string(), &big)).expect("writes");
        }
        assert!(store.wants_checkpoint() && !store.needs_checkpoint());
        assert_eq!(size(), before, "no commit took it over by itself");
        store.checkpoint().expect("takes it over");
        assert!(size() >= before + 2_000_000 && !store.wants_checkpoint());
    }

    #[test]
    fn one_part_that_fails_is_undone_alone() {
        let folder = folder();
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        store
            .write(|tx| {
                tx.set_setting("a", "1")?;
                let failed: Result<(), StoreError> = tx.attempt(|tx| {
                    tx.set_setting("b", "2")?;
                    Err(StoreError::Full)
                });
                assert!(failed.is_err());
                tx.attempt(|tx| tx.set_setting("c", "3"))
            })
            .expect("commits");
        let all = |key| store.read(|db| db.setting(key)).expect("reads");
        assert_eq!((all("a"), all("b"), all("c")), (Some("1".into()), None, Some("3".into())));
    }
}
