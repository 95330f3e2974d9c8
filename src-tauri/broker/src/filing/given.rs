//! A file of the person's: found by the path that they give, and opened so that it stays that file.

use super::error::{FileError, spelled, system};
use crate::beneath;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use countersign_core::{given, limit};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What is said of a file before it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSize {
    /// What it is called.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Whether it is small enough.
    pub fits: bool,
}

/// An open file of the person's.
pub(super) struct Given {
    pub(super) file: File,
    /// Where it really is, without links on the way.
    pub(super) real: PathBuf,
    pub(super) name: String,
    pub(super) bytes: u64,
}

/// What is there under one of the names that the text may stand for.
fn found(text: &str, home: Option<&str>) -> Result<(PathBuf, fs::Metadata), FileError> {
    let candidates = given::candidates(text, home)?;
    let mut missing = None;
    for path in candidates {
        match fs::symlink_metadata(&path) {
            Ok(meta) => return Ok((path.into(), meta)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                missing.get_or_insert(FileError::Missing { path });
            }
            Err(error) => return Err(system(&path, &error)),
        }
    }
    Err(missing.unwrap_or(FileError::Missing { path: text.to_owned() }))
}

/// A regular file, and neither a link to one nor anything else that looks like one.
fn checked(path: &Path, meta: &fs::Metadata) -> Result<(), FileError> {
    let shown = spelled(path);
    if meta.is_symlink() {
        let to = fs::read_link(path).map(|to| spelled(&to)).unwrap_or_default();
        return Err(FileError::Link { path: shown, to });
    }
    if meta.is_dir() {
        return Err(FileError::Folder { path: shown });
    }
    if meta.is_file() { Ok(()) } else { Err(FileError::Special { path: shown }) }
}

/// The size of a file, and whether it is small enough.
pub(super) fn size(text: &str, home: Option<&str>) -> Result<FileSize, FileError> {
    let (path, meta) = found(text, home)?;
    checked(&path, &meta)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(FileSize { name, bytes: meta.len(), fits: meta.len() <= limit::GIVEN_FILE_BYTES })
}

/// Opens it for the workspace `folder`; nothing that is in Countersign's `own` folder.
pub(super) fn open(text: &str, home: Option<&str>, folder: &str, own: &Path) -> Result<Given, FileError> {
    let (path, meta) = found(text, home)?;
    let shown = spelled(&path);
    checked(&path, &meta)?;
    if meta.len() > limit::GIVEN_FILE_BYTES {
        return Err(FileError::too_big(&shown, meta.len()));
    }
    let failed = |error: io::Error| system(&shown, &error);
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(FileError::Folder { path: shown });
    };
    let parent = fs::canonicalize(parent).map_err(failed)?;
    let real = parent.join(name);
    if fs::canonicalize(own).is_ok_and(|own| real.starts_with(own)) {
        return Err(FileError::Own { path: shown });
    }
    // An agent may have put a link there that leads to what is not the workspace's.
    let root = fs::canonicalize(folder).map_err(|error| system(folder, &error))?;
    if (path.starts_with(folder) || path.starts_with(&root)) && !real.starts_with(&root) {
        return Err(FileError::LeadsOut { path: shown });
    }
    let dir = Dir::open_ambient_dir(&parent, ambient_authority()).map_err(failed)?;
    let file = beneath::regular(&dir, Path::new(name)).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    Ok(Given { file, real, name: name.to_string_lossy().into_owned(), bytes })
}
