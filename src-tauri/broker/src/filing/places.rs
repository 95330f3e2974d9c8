//! Places of a workspace that an agent names: looked at before anyone is asked.

use super::error::{FileError, spelled, system};
use super::steps;
use crate::beneath::Beneath;
use countersign_core::digest::Digest;
use countersign_core::inside::inside;
use countersign_core::limit;
use std::io;
use std::path::Path;

/// The places that a request for a file names, relative to the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// Where the agent wants it.
    pub destination: Option<String>,
    /// The file that it takes the place of.
    pub replaces: Option<String>,
}

/// A file that is to be put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where it is, relative to the workspace.
    pub path: String,
    /// What takes its place.
    pub replaced_by: Option<String>,
    /// Its size and the digest of its content; none where it is not there.
    pub seen: Option<(u64, Digest)>,
}

fn root(folder: &str) -> Result<Beneath, FileError> {
    if folder.is_empty() {
        return Err(FileError::NoFolder);
    }
    Beneath::open(Path::new(folder)).map_err(|error| system(folder, &error))
}

/// A path as it is spelled in the workspace, whichever of its two spellings the folder has.
fn relative(root: &Beneath, folder: &str, field: &str, path: &str) -> Result<String, FileError> {
    inside(field, folder, path).or_else(|error| inside(field, &spelled(&root.path), path).map_err(|_| error.into()))
}

pub(super) fn places(folder: &str, destination: Option<&str>, replaces: Option<&str>) -> Result<Places, FileError> {
    let root = root(folder)?;
    let destination = destination
        .map(|path| {
            let spelled = relative(&root, folder, "destination", path)?;
            destined(&root, &spelled)?;
            // What ends with a slash is meant as a folder, whatever it looks like.
            let slash = if path.trim().ends_with('/') && !spelled.is_empty() { "/" } else { "" };
            Ok::<_, FileError>(format!("{spelled}{slash}"))
        })
        .transpose()?;
    let replaces = replaces.map(|path| existing(&root, folder, "replaces", path)).transpose()?;
    Ok(Places { destination, replaces })
}

/// Refuses a destination that really leads out, or through what is no folder.
fn destined(root: &Beneath, path: &str) -> Result<(), FileError> {
    let found = steps::there(root, path).map_err(|error| system(path, &error))?;
    let (real, missing) = found.ok_or_else(|| FileError::LeadsOut { path: path.to_owned() })?;
    let is_folder = real.as_os_str().is_empty() || root.dir.symlink_metadata(&real).is_ok_and(|meta| meta.is_dir());
    // A file that is there already only lends its name.
    if !missing.is_empty() && !is_folder {
        return Err(FileError::NotAFolder { path: spelled(&real) });
    }
    Ok(())
}

/// A regular file of the workspace by a path without links in it.
fn existing(root: &Beneath, folder: &str, field: &str, path: &str) -> Result<String, FileError> {
    let path = relative(root, folder, field, path)?;
    match root.real(Path::new(&path)) {
        Ok(None) => Err(FileError::LeadsOut { path }),
        Ok(Some(real)) if real != Path::new(&path) => Err(FileError::Through { real: spelled(&real), path }),
        Ok(Some(real)) => match root.dir.symlink_metadata(if path.is_empty() { Path::new(".") } else { &real }) {
            Ok(meta) if meta.is_dir() => Err(FileError::Folder { path }),
            Ok(meta) if meta.is_file() => Ok(path),
            Ok(_) => Err(FileError::Special { path }),
            Err(error) => Err(system(&path, &error)),
        },
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(FileError::Missing { path })
        }
        Err(error) => Err(system(&path, &error)),
    }
}

pub(super) fn source(folder: &str, path: &str, replaced_by: Option<&str>) -> Result<Source, FileError> {
    let root = root(folder)?;
    let replaced_by = replaced_by.map(|path| existing(&root, folder, "replaced_by", path)).transpose()?;
    let path = match existing(&root, folder, "source", path) {
        Ok(path) => path,
        Err(FileError::Missing { path }) => return Ok(Source { path, replaced_by, seen: None }),
        Err(error) => return Err(error),
    };
    let file = root.file(Path::new(&path)).map_err(|error| system(&path, &error))?;
    match steps::digest(&file, limit::RETIRED_FILE_BYTES).map_err(|error| system(&path, &error))? {
        Some((digest, bytes)) => Ok(Source { path, replaced_by, seen: Some((bytes, digest)) }),
        None => {
            let bytes = file.metadata().map_err(|error| system(&path, &error))?.len();
            Err(FileError::TooBig { path, bytes, limit: limit::RETIRED_FILE_BYTES })
        }
    }
}
