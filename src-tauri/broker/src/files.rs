//! Files that pass between the person and a workspace: a copy of what they give, and what they set aside.
//!
//! Reads and writes files, so it is never called on the writer's thread. Nothing is ever overwritten or deleted: a copy is made
//! beside, then linked to a free name; what is set aside is linked first and leaves its old name after. Each step that was undone
//! or cut off leaves what was there.

use crate::beneath::{self, Beneath};
use crate::error::BrokerError;
use crate::spec_folder::made;
use cap_std::fs::{Dir, OpenOptions};
use countersign_core::file_name;
use countersign_core::given::Given;
use countersign_core::limit;
use sha2::{Digest as _, Sha256};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Names that are tried for one file.
const NAMES: u32 = 1_000;
/// Where files are set aside, in the workspace.
const RETIRED: &str = ".countersign/retired";

/// A file of the workspace, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Its real path in the workspace, with `/` between folders.
    pub path: String,
    /// Its size, in bytes.
    pub bytes: u64,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

/// What was done for a decision that is not made yet.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) given: Given,
    undo: Undo,
}

#[derive(Debug)]
enum Undo {
    Nothing,
    /// Remove the copy.
    Remove(PathBuf),
    /// Link it back to where it was, and remove it where it is.
    Back {
        from: PathBuf,
        to: PathBuf,
    },
}

fn wrong(path: &str, why: impl std::fmt::Display) -> BrokerError {
    BrokerError::Invalid(format!("`{path}`: {why}"))
}

fn root(workspace: &str) -> Result<Beneath, BrokerError> {
    if workspace.is_empty() {
        return Err(BrokerError::Invalid("this session works in no folder; give `workspace`".into()));
    }
    Beneath::open(Path::new(workspace)).map_err(|error| wrong(workspace, error))
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// A file of the workspace, by a path in it; refused where that leads out of it.
pub(crate) fn look(workspace: &str, path: &str) -> Result<Facts, BrokerError> {
    let root = root(workspace)?;
    let real = inside(&root, path)?;
    let mut file = root.file(&real).map_err(|error| wrong(path, error))?;
    let (sha256, bytes) = copied(&mut file, &mut io::sink(), u64::MAX).map_err(|error| wrong(path, error))?;
    Ok(Facts { path: slashed(&real), bytes, sha256 })
}

fn inside(root: &Beneath, path: &str) -> Result<PathBuf, BrokerError> {
    let relative = Path::new(path);
    let relative = relative.strip_prefix(&root.path).unwrap_or(relative);
    let real = match root.real(relative) {
        Ok(Some(real)) => real,
        Ok(None) => return Err(outside(path)),
        Err(error) => return Err(wrong(path, error)),
    };
    check_reserved(&real, path)?;
    Ok(real)
}

fn outside(path: &str) -> BrokerError {
    BrokerError::Invalid(format!("`{path}` is not inside the workspace; give a path in it"))
}

fn check_reserved(real: &Path, path: &str) -> Result<(), BrokerError> {
    let reserved = real.components().any(|part| file_name::is_reserved(&part.as_os_str().to_string_lossy()));
    if reserved { Err(wrong(path, "nothing is put into or taken out of .git and .countersign")) } else { Ok(()) }
}

/// Whether a file could be put there: refuses, before anyone is asked, a destination that is not in the workspace.
pub(crate) fn check_destination(workspace: &str, destination: &str) -> Result<(), BrokerError> {
    let root = root(workspace)?;
    let (folder, name) = place(&root, Some(destination), "")?;
    // As far as it is there already: a link on the way may lead out.
    let mut known = PathBuf::new();
    for part in folder.join(name).components() {
        known.push(part);
        match root.real(&known) {
            Ok(Some(real)) => check_reserved(&real, destination)?,
            Ok(None) => return Err(outside(destination)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(wrong(destination, error)),
        }
    }
    Ok(())
}

/// The folder, relative to the workspace, and the name there.
fn place(root: &Beneath, destination: Option<&str>, own_name: &str) -> Result<(PathBuf, String), BrokerError> {
    let Some(destination) = destination.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok((PathBuf::new(), file_name::clean(own_name)));
    };
    let relative = Path::new(destination);
    let relative = relative.strip_prefix(&root.path).unwrap_or(relative);
    let mut clean = PathBuf::new();
    for part in relative.components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(outside(destination)),
        }
    }
    check_reserved(&clean, destination)?;
    let is_folder =
        destination.ends_with(['/', '\\']) || clean.as_os_str().is_empty() || root.path.join(&clean).is_dir();
    if is_folder {
        return Ok((clean, file_name::clean(own_name)));
    }
    let name = clean.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok((clean.parent().map(Path::to_owned).unwrap_or_default(), file_name::clean(&name)))
}

/// Copies a file of the person's into the workspace.
pub(crate) fn give(workspace: &str, typed: &str, destination: Option<&str>) -> Result<Done, BrokerError> {
    let home = std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
    let path = file_name::path(typed, home.as_deref())
        .ok_or_else(|| BrokerError::Invalid("give the whole path of a file, such as /home/you/syllabus.pdf".into()))?;
    let real = std::fs::canonicalize(&path).map_err(|error| wrong(&path, error))?;
    let parent = real.parent().ok_or_else(|| wrong(&path, "it is no regular file"))?;
    let mut source = Beneath::open(parent)
        .and_then(|folder| folder.file(Path::new(real.file_name().unwrap_or_default())))
        .map_err(|error| wrong(&path, error))?;
    let size = source.metadata().map_err(|error| wrong(&path, error))?.len();
    if size > limit::FILE_BYTES {
        return Err(wrong(&path, format!("it has {size} bytes; {} (50 MiB) are allowed", limit::FILE_BYTES)));
    }
    let root = root(workspace)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Ok(own) = real.strip_prefix(&root.path) {
        let (sha256, bytes) = copied(&mut source, &mut io::sink(), u64::MAX).map_err(|error| wrong(&path, error))?;
        let given = Given { path: slashed(own), name, bytes, sha256, already_there: true };
        return Ok(Done { given, undo: Undo::Nothing });
    }
    let (folder, wanted) = place(&root, destination, &name)?;
    let folder = made(&root, &folder.to_string_lossy()).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    check_reserved(&folder, destination.unwrap_or_default())?;
    let dir = root.folder(&folder).map_err(|error| wrong(&slashed(&folder), error))?;
    let beside = format!(".{}.part", uuid::Uuid::new_v4());
    let result = put(&dir, &beside, &mut source, &wanted);
    // In nobody's way, but nobody's either.
    let _ = dir.remove_file(&beside);
    let (taken, sha256, bytes, already_there) = result.map_err(|error| wrong(&path, error))?;
    let there = folder.join(&taken);
    let undo = if already_there { Undo::Nothing } else { Undo::Remove(root.path.join(&there)) };
    Ok(Done { given: Given { path: slashed(&there), name, bytes, sha256, already_there }, undo })
}

/// A copy under the first name that is free, or that has this content already.
fn put(dir: &Dir, beside: &str, source: &mut impl Read, wanted: &str) -> io::Result<(String, String, u64, bool)> {
    let mut copy = dir.open_with(beside, OpenOptions::new().write(true).create_new(true))?;
    let (sha256, bytes) = copied(source, &mut copy, limit::FILE_BYTES)?;
    copy.sync_all()?;
    let (taken, already_there) = free(dir, beside, dir, wanted, &sha256)?;
    Ok((taken, sha256, bytes, already_there))
}

/// Links a file to the first name that is free; one that has its content already is as good.
fn free(from: &Dir, file: &str, to: &Dir, wanted: &str, sha256: &str) -> io::Result<(String, bool)> {
    for n in 1..=NAMES {
        let name = file_name::nth(wanted, n);
        match from.hard_link(file, to, &name) {
            Ok(()) => return Ok((name, false)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let same = beneath::regular(to, Path::new(&name))
                    .and_then(|mut there| copied(&mut there, &mut io::sink(), limit::FILE_BYTES))
                    .is_ok_and(|(there, _)| there == sha256);
                if same {
                    return Ok((name, true));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{NAMES} files of that name are there already")))
}

/// Copies at most so much; the SHA-256 and the size.
fn copied(from: &mut impl Read, to: &mut impl Write, most: u64) -> io::Result<(String, u64)> {
    let (mut hash, mut bytes, mut part) = (Sha256::new(), 0_u64, vec![0; 64 << 10]);
    loop {
        let read = from.read(&mut part)?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        if bytes > most {
            return Err(io::Error::other(format!("it grew over {most} bytes")));
        }
        hash.update(&part[..read]);
        to.write_all(&part[..read])?;
    }
    Ok((hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

/// Sets a file of the workspace aside, if it is still what was shown. Again after a crash, it finds what it did.
pub(crate) fn retire(workspace: &str, shown: &Facts) -> Result<Done, BrokerError> {
    let root = root(workspace)?;
    let real = PathBuf::from(&shown.path);
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let parent = real.parent().unwrap_or(Path::new(""));
    let system = |error: io::Error| wrong(&shown.path, error);
    let target = Path::new(RETIRED).join(parent);
    let to_path = made(&root, &target.to_string_lossy()).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let to = root.folder(&to_path).map_err(system)?;
    let given = |taken: &str| Given {
        path: slashed(&to_path.join(taken)),
        name: name.clone(),
        bytes: shown.bytes,
        sha256: shown.sha256.clone(),
        already_there: false,
    };
    let from = root.folder(parent).map_err(system)?;
    let now =
        beneath::regular(&from, Path::new(&name)).and_then(|mut file| copied(&mut file, &mut io::sink(), u64::MAX));
    match now {
        Ok((sha256, _)) if sha256 == shown.sha256 => {}
        Ok(_) => return Err(BrokerError::Stale),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Moved already, before a crash kept it from being said.
            let there =
                (1..=NAMES).map(|n| file_name::nth(&name, n)).take_while(|one| to.symlink_metadata(one).is_ok());
            let moved = there.into_iter().find(|one| {
                let file = beneath::regular(&to, Path::new(one));
                file.and_then(|mut file| copied(&mut file, &mut io::sink(), u64::MAX))
                    .is_ok_and(|(hash, _)| hash == shown.sha256)
            });
            let moved = moved.ok_or(BrokerError::Stale)?;
            return Ok(Done { given: given(&moved), undo: Undo::Nothing });
        }
        Err(error) => return Err(system(error)),
    }
    let (taken, _) = free(&from, &name, &to, &name, &shown.sha256).map_err(system)?;
    from.remove_file(&name).map_err(system)?;
    let undo = Undo::Back { from: root.path.join(&to_path).join(&taken), to: root.path.join(&real) };
    Ok(Done { given: given(&taken), undo })
}

impl Done {
    /// The decision was refused: as if nothing had been done.
    pub(crate) fn undo(self) {
        let undone = match &self.undo {
            Undo::Nothing => Ok(()),
            Undo::Remove(copy) => std::fs::remove_file(copy),
            Undo::Back { from, to } => std::fs::hard_link(from, to).and_then(|()| std::fs::remove_file(from)),
        };
        if let Err(error) = undone {
            tracing::warn!(%error, path = self.given.path, "a file stays where it was put, though nobody decided so");
        }
    }
}

#[cfg(test)]
mod tests;
