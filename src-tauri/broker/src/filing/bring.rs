//! A file of the person's comes into the workspace: a copy under a name that nothing has, or the same content where it is already.

use super::Plan;
use super::error::{FileError, spelled, system};
use super::given::Given;
use super::steps;
use crate::beneath::{self, Beneath};
use cap_std::fs::{Dir, OpenOptions};
use countersign_core::digest::Digest;
use countersign_core::filed::Filed;
use countersign_core::given::{self, GivenFile};
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::request::Request;
use countersign_store::FileWork;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};

/// Files of a folder that are compared with one that comes in.
const COMPARED: usize = 64;
/// Names that are looked at in a folder for that.
const LISTED: usize = 20_000;
/// Numbers that are tried behind a name.
const NUMBERS: u32 = 10_000;

/// A copy to be made.
pub(super) struct Bring {
    root: Beneath,
    source: Given,
    sha256: Digest,
    /// The folder, really, and relative to the workspace.
    folder: PathBuf,
    name: String,
    part: PathBuf,
    made: Vec<PathBuf>,
}

/// The name that a copy for this request has while it is written.
fn part(request: &RequestId) -> PathBuf {
    format!(".countersign-{request}.part").into()
}

/// Where it goes, and whether it has to.
pub(super) fn plan(source: Given, folder: &str, request: &Request) -> Result<Plan, FileError> {
    let root = Beneath::open(Path::new(folder)).map_err(|error| system(folder, &error))?;
    let shown = spelled(&source.real);
    let read = steps::digest(&source.file, limit::GIVEN_FILE_BYTES).map_err(|error| system(&shown, &error))?;
    let Some((sha256, bytes)) = read else { return Err(FileError::too_big(&shown, source.bytes)) };
    let given =
        |path: String| Filed::Given(GivenFile { path, bytes, sha256, already_there: true, name: source.name.clone() });
    if let Some(path) = own(&root, &source.real) {
        return Ok(Plan::There(given(path)));
    }
    let arguments = &request.ask.arguments;
    let destination = given::argument(arguments, "destination");
    let is_folder =
        destination.is_some_and(|path| root.dir.metadata(path_or_root(path)).is_ok_and(|meta| meta.is_dir()));
    let place = given::place(destination, is_folder, given::argument(arguments, "replaces"), &source.name);
    let outside = || FileError::LeadsOut { path: place.folder.clone() };
    let found = steps::there(&root, &place.folder).map_err(|error| system(&place.folder, &error))?;
    let (real, missing) = found.ok_or_else(outside)?;
    if missing.is_empty() {
        let dir = root.folder(&real).map_err(|_| FileError::NotAFolder { path: place.folder.clone() })?;
        if let Some(name) = same(&dir, &source, sha256) {
            return Ok(Plan::There(given(joined(&real, &name))));
        }
        let name = free(&dir, &place.name).map_err(|error| system(&place.folder, &error))?;
        let bring = Bring { root, source, sha256, folder: real, name, part: part(&request.id), made: Vec::new() };
        return Ok(Plan::Bring(bring));
    }
    let folder = missing.iter().fold(real, |at, part| at.join(part));
    Ok(Plan::Bring(Bring { root, source, sha256, folder, name: place.name, part: part(&request.id), made: Vec::new() }))
}

fn path_or_root(path: &str) -> &Path {
    Path::new(if path.is_empty() { "." } else { path })
}

/// Where the person's file is in the workspace, if it is one of its own.
fn own(root: &Beneath, real: &Path) -> Option<String> {
    let relative = real.strip_prefix(&root.path).ok()?.to_str()?;
    // Not what lies in a folder that programs keep for themselves, a retired file among it.
    countersign_core::inside::inside("file", "/", relative).ok()
}

/// The name of a file of this folder that has the same content.
fn same(dir: &Dir, source: &Given, sha256: Digest) -> Option<String> {
    let entries = dir.entries().ok()?.take(LISTED).filter_map(Result::ok);
    let sized = entries.filter(|entry| {
        entry.file_type().is_ok_and(|kind| kind.is_file())
            && entry.metadata().is_ok_and(|meta| meta.len() == source.bytes)
    });
    let names: Vec<String> = sized.take(COMPARED).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let mut names: Vec<String> = names.into_iter().filter(|name| !name.ends_with(".part")).collect();
    names.sort();
    names.into_iter().find(|name| steps::holds(dir, Path::new(name), sha256, limit::GIVEN_FILE_BYTES))
}

/// The name, or the name with the first number that nothing has.
pub(super) fn free(dir: &Dir, name: &str) -> io::Result<String> {
    let numbered = (2..NUMBERS).map(|n| given::numbered(name, n));
    for candidate in std::iter::once(name.to_owned()).chain(numbered) {
        match dir.symlink_metadata(&candidate) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(candidate),
            Ok(_) => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn joined(folder: &Path, name: &str) -> String {
    spelled(&folder.join(name))
}

impl Bring {
    pub(super) fn work(&self) -> FileWork {
        let part = spelled(&self.folder.join(&self.part));
        FileWork::Copy { part, to: joined(&self.folder, &self.name), sha256: self.sha256 }
    }

    /// Copies it: whole or not at all.
    pub(super) fn perform(&mut self) -> Result<GivenFile, FileError> {
        let path = joined(&self.folder, &self.name);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Taken,
            _ => system(&path, &error),
        };
        let (dir, made) = steps::made(&self.root, &self.folder).map_err(failed)?;
        self.made = made;
        let copied = self.copy(&dir).and_then(|bytes| {
            steps::move_new(&dir, &self.part, &dir, Path::new(&self.name)).map_err(failed)?;
            steps::settled(&dir);
            Ok(bytes)
        });
        match copied {
            Ok(bytes) => {
                let (sha256, name) = (self.sha256, self.source.name.clone());
                Ok(GivenFile { path, bytes, sha256, already_there: false, name })
            }
            Err(error) => {
                // What is left of it is in nobody's way, but nobody's either.
                let _ = dir.remove_file(&self.part);
                steps::unmade(&self.root, &self.made);
                Err(error)
            }
        }
    }

    fn copy(&mut self, dir: &Dir) -> Result<u64, FileError> {
        let shown = spelled(&self.source.real);
        let failed = |error: io::Error| system(&shown, &error);
        // One of an earlier try, cut off.
        let _ = dir.remove_file(&self.part);
        let mut to = dir.open_with(&self.part, OpenOptions::new().write(true).create_new(true)).map_err(failed)?;
        self.source.file.rewind().map_err(failed)?;
        let copied = steps::copied(&self.source.file, &mut to, limit::GIVEN_FILE_BYTES).map_err(failed)?;
        match copied {
            Some((sha256, bytes)) if sha256 == self.sha256 => to.sync_all().map(|()| bytes).map_err(failed),
            Some(_) | None => Err(FileError::Moving { path: shown }),
        }
    }

    pub(super) fn undo(&self) -> io::Result<()> {
        undo(&self.root, &self.work())?;
        steps::unmade(&self.root, &self.made);
        Ok(())
    }
}

/// Takes a copy away again, if it is still that.
pub(super) fn undo(root: &Beneath, work: &FileWork) -> io::Result<()> {
    let FileWork::Copy { part, to, sha256 } = work else { return Ok(()) };
    let (folder, name) = steps::parted(to);
    let dir = match root.folder(&folder) {
        Ok(dir) => dir,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let (_, part) = steps::parted(part);
    if beneath::regular(&dir, &part).is_ok() {
        dir.remove_file(&part)?;
    }
    if steps::holds(&dir, &name, *sha256, limit::GIVEN_FILE_BYTES) {
        dir.remove_file(&name)?;
    }
    Ok(())
}
