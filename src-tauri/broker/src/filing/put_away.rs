//! A file of the workspace is put away: moved beneath `.countersign/retired`, if it is still the one that was shown.

use super::bring::free;
use super::error::{FileError, spelled, system};
use super::steps;
use crate::beneath::Beneath;
use countersign_core::limit;
use countersign_core::retire::{self, Retire, Retired};
use countersign_store::FileWork;
use std::io;
use std::path::{Path, PathBuf};

/// A move to be made.
pub(super) struct PutAway {
    root: Beneath,
    retire: Retire,
    folder: PathBuf,
    name: String,
    made: Vec<PathBuf>,
}

/// Whether it is still the file that was shown, and where it goes.
pub(super) fn plan(retire: &Retire, folder: &str) -> Result<PutAway, FileError> {
    let root = Beneath::open(Path::new(folder)).map_err(|error| system(folder, &error))?;
    let changed = || FileError::Changed { path: retire.source.clone() };
    let file = root.file(Path::new(&retire.source)).map_err(|_| changed())?;
    let seen = steps::digest(&file, limit::RETIRED_FILE_BYTES).map_err(|error| system(&retire.source, &error))?;
    if seen != Some((retire.sha256, retire.bytes)) {
        return Err(changed());
    }
    let (folder, name) = steps::parted(&retire::retired(&retire.source));
    let name = spelled(&name);
    let name = match root.folder(&folder) {
        Ok(dir) => free(&dir, &name).map_err(|error| system(&spelled(&folder), &error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => name,
        Err(error) => return Err(system(&spelled(&folder), &error)),
    };
    Ok(PutAway { root, retire: retire.clone(), folder, name, made: Vec::new() })
}

impl PutAway {
    fn to(&self) -> String {
        spelled(&self.folder.join(&self.name))
    }

    pub(super) fn work(&self) -> FileWork {
        FileWork::Move { from: self.retire.source.clone(), to: self.to(), sha256: self.retire.sha256 }
    }

    /// Moves it. What turns out to be another file goes back.
    pub(super) fn perform(&mut self) -> Result<Retired, FileError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Taken,
            io::ErrorKind::NotFound => FileError::Changed { path: self.retire.source.clone() },
            _ => system(&self.retire.source, &error),
        };
        let (old_folder, old) = steps::parted(&self.retire.source);
        let from = self.root.folder(&old_folder).map_err(failed)?;
        let (to, made) = steps::made(&self.root, &self.folder).map_err(failed)?;
        let name = Path::new(&self.name);
        let moved = steps::move_new(&from, &old, &to, name).map_err(failed).and_then(|()| {
            if steps::holds(&to, name, self.retire.sha256, limit::RETIRED_FILE_BYTES) {
                steps::settled(&from);
                steps::settled(&to);
                return Ok(());
            }
            steps::move_new(&to, name, &from, &old).map_err(failed)?;
            Err(FileError::Changed { path: self.retire.source.clone() })
        });
        if moved.is_err() {
            steps::unmade(&self.root, &made);
        }
        self.made = made;
        moved.map(|()| Retired { path: self.to() })
    }

    pub(super) fn undo(&self) -> io::Result<()> {
        undo(&self.root, &self.work())?;
        steps::unmade(&self.root, &self.made);
        Ok(())
    }
}

/// Moves a file back to where it was, if it is still that one and nothing took its place.
pub(super) fn undo(root: &Beneath, work: &FileWork) -> io::Result<()> {
    let FileWork::Move { from, to, sha256 } = work else { return Ok(()) };
    let ((old_folder, old), (new_folder, new)) = (steps::parted(from), steps::parted(to));
    let (back, away) = match (root.folder(&old_folder), root.folder(&new_folder)) {
        (Ok(back), Ok(away)) => (back, away),
        // It was not moved yet.
        (Ok(_), Err(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    if !steps::holds(&away, &new, *sha256, limit::RETIRED_FILE_BYTES) {
        return Ok(());
    }
    match steps::move_new(&away, &new, &back, &old) {
        // Two names for one file, cut off in between: the one that it had stays.
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && steps::holds(&back, &old, *sha256, limit::RETIRED_FILE_BYTES) =>
        {
            away.remove_file(&new)
        }
        done => done,
    }
}
