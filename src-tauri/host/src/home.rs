//! The data folder: where it is, whose it is, and the lock by which one process at a time has it.

use crate::error::HostError;
use std::fs;
use std::path::{Path, PathBuf};

/// A data folder that only its owner can enter.
#[derive(Debug, Clone)]
pub struct Home {
    path: PathBuf,
}

/// Held while a process has the folder; the system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    file: fs::File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Said aloud, because a child that is just being started may still share the open file for a moment.
        let _ = self.file.unlock();
    }
}

impl Home {
    /// The folder that was named, else `COUNTERSIGN_HOME`, else the system's place for data.
    pub fn locate(named: Option<&Path>) -> Result<Self, HostError> {
        let from_environment = || std::env::var_os("COUNTERSIGN_HOME").filter(|v| !v.is_empty()).map(PathBuf::from);
        let path = named.map(Path::to_owned).or_else(from_environment);
        let path =
            path.or_else(|| dirs::data_local_dir().map(|dir| dir.join("countersign"))).ok_or(HostError::NoHome)?;
        Ok(Self { path: std::path::absolute(path)? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The data file.
    pub(crate) fn store(&self) -> PathBuf {
        self.path.join("countersign.db")
    }

    /// The discovery file.
    pub(crate) fn endpoint(&self) -> PathBuf {
        self.path.join("endpoint.json")
    }

    /// Where tokens of programs that this person connects are kept, for their bridges.
    pub fn tokens(&self) -> PathBuf {
        self.path.join("tokens")
    }

    /// The person's socket. A path that is too long for one (104 bytes on some systems) moves to the temporary folder.
    pub(crate) fn socket(&self) -> Result<PathBuf, HostError> {
        let beside = self.path.join("person.sock");
        if beside.as_os_str().len() <= 100 {
            return Ok(beside);
        }
        let digest = countersign_core::digest::Digest::of_bytes(self.path.as_os_str().as_encoded_bytes()).hex();
        let folder = std::env::temp_dir().join(format!("countersign-{}", &digest[..16]));
        make_private(&folder)?;
        Ok(folder.join("person.sock"))
    }

    /// Whether something else than the data file tells that this folder was used before.
    pub(crate) fn was_used(&self) -> bool {
        ["tokens", "backups"].iter().any(|name| self.path.join(name).exists())
    }

    /// Makes the folder when it is not there, and keeps others out of it.
    pub fn prepare(&self) -> Result<(), HostError> {
        make_private(&self.path)
    }

    /// Takes the folder for this process.
    pub(crate) fn lock(&self) -> Result<Lock, HostError> {
        let file = private_file(&self.path.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { file }),
            Err(fs::TryLockError::WouldBlock) => Err(HostError::Running { path: self.path.clone() }),
            Err(fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

/// A file that only its owner reads, opened for writing; made when it is not there.
pub(crate) fn private_file(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes a file that only its owner reads, whole or not at all.
pub(crate) fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let beside = path.with_extension(format!("new-{}", std::process::id()));
    let mut file = private_file(&beside)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

#[cfg(unix)]
fn make_private(path: &Path) -> Result<(), HostError> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    let refuse = |why: String| HostError::Folder { path: path.to_owned(), why };
    if !path.exists() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| refuse(error.to_string()))?;
    }
    let meta = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if !meta.is_dir() {
        return Err(refuse("it is not a folder".into()));
    }
    if meta.uid() != rustix::process::getuid().as_raw() {
        return Err(refuse("it belongs to another user".into()));
    }
    if meta.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(|error| refuse(error.to_string()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn make_private(path: &Path) -> Result<(), HostError> {
    fs::create_dir_all(path).map_err(|error| HostError::Folder { path: path.to_owned(), why: error.to_string() })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_folder_that_others_could_enter_is_closed_and_one_process_has_it() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = outer.path().join("open");
        fs::create_dir(&path).expect("makes");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("opens");
        let home = Home::locate(Some(&path)).expect("found");
        home.prepare().expect("prepared");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o700);
        let lock = home.lock().expect("taken");
        assert!(matches!(home.lock(), Err(HostError::Running { .. })));
        drop(lock);
        assert!(home.lock().is_ok());
        write_private(&home.endpoint(), "{}").expect("written");
        assert_eq!(fs::metadata(home.endpoint()).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_long_path_still_gets_a_socket() {
        let outer = tempfile::tempdir().expect("a folder");
        let home = Home::locate(Some(&outer.path().join("x".repeat(120)))).expect("found");
        home.prepare().expect("prepared");
        let socket = home.socket().expect("a path");
        assert!(socket.as_os_str().len() <= 100, "{socket:?}");
        fs::remove_dir(socket.parent().expect("a folder")).expect("removed");
    }
}
