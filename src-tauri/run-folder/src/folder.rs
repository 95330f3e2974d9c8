//! A run folder, held by a handle that was reached without following a link, and what lies in it.

use crate::name::{ANSWERS, Name, PENDING};
use countersign_core::limit::{ANSWER_FILE_BYTES, FILE_CLOCK_LAG_MILLIS};
use countersign_core::time::Timestamp;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// What a file looks like from outside: another one, or the same one changed, looks different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Why a file can't be obeyed as long as it is like that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// A link, symbolic or hard.
    Link,
    /// A folder, a pipe, a socket, a device.
    Special,
    /// Another user's.
    Foreign,
    /// Over the limit.
    Large,
    /// No UTF-8.
    NoText,
    /// It can't be read.
    Unreadable,
}

/// What was found under the name of an answer file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// Nothing, or nothing but blanks.
    Nothing,
    /// It changed while it was read.
    Changing,
    /// It was last written before the request was asked.
    Old,
    /// It can't be obeyed.
    Unfit(Unfit),
    /// This text.
    Text(String),
}

/// An open run folder.
#[derive(Debug)]
pub struct Opened {
    folder: OwnedFd,
    path: PathBuf,
}

const OPEN_FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Opened {
    /// Opens it, folder by folder from the root: a link anywhere on the way is refused, and so is another user's folder.
    pub fn at(path: &Path) -> io::Result<Self> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let passing = OPEN_FOLDER.union(OFlags::PATH);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let passing = OPEN_FOLDER;
        if !path.is_absolute() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no absolute path"));
        }
        let mut names = Vec::new();
        for part in path.components() {
            match part {
                Component::RootDir => {}
                Component::Normal(name) => names.push(name),
                Component::Prefix(_) | Component::CurDir | Component::ParentDir => {
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, "no plain path"));
                }
            }
        }
        let last = names.pop().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no folder of a run"))?;
        let mut folder = rustix::fs::open("/", passing, Mode::empty())?;
        for name in names {
            folder = rustix::fs::openat(&folder, name, passing, Mode::empty())?;
        }
        let folder = rustix::fs::openat(&folder, last, OPEN_FOLDER, Mode::empty())?;
        if rustix::fs::fstat(&folder)?.st_uid != rustix::process::getuid().as_raw() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "another user's folder"));
        }
        Ok(Self { folder, path: path.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder for answers by id, if it is not there.
    pub fn make_answers(&self) -> io::Result<()> {
        match rustix::fs::mkdirat(&self.folder, ANSWERS, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes that folder when nothing is in it.
    pub fn remove_answers(&self) {
        // Something is in it, or it is no folder: it stays.
        let _ = rustix::fs::unlinkat(&self.folder, ANSWERS, AtFlags::REMOVEDIR);
    }

    /// The answer files that lie there.
    pub fn names(&self) -> Vec<Name> {
        let legacy = self.stat(&Name::Legacy).ok().map(|_| Name::Legacy);
        let listed = self.answers().ok().and_then(|folder| rustix::fs::Dir::read_from(&folder).ok());
        let by_id =
            listed.into_iter().flatten().filter_map(|entry| Name::in_answers(entry.ok()?.file_name().to_str().ok()?));
        let mut all: Vec<Name> = legacy.into_iter().chain(by_id).collect();
        all.sort();
        all
    }

    /// What is there under this name; none when nothing is.
    pub fn sight(&self, name: &Name) -> Option<Sight> {
        self.stat(name).ok().map(|stat| Sight::of(&stat))
    }

    /// Reads an answer file, for a request that was asked at `asked`.
    pub fn read(&self, name: &Name, asked: Timestamp) -> Look {
        let stat = match self.stat(name) {
            Ok(stat) => stat,
            Err(_) => return Look::Nothing,
        };
        match kind(&stat) {
            Err(unfit) => return Look::Unfit(unfit),
            Ok(()) if modified(&stat) < asked.0 - FILE_CLOCK_LAG_MILLIS => return Look::Old,
            Ok(()) => {}
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = self.in_folder(name, |folder| rustix::fs::openat(folder, name.file(), flags, Mode::empty()));
        let mut file = match opened {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Look::Nothing,
            Err(Errno::LOOP) => return Look::Unfit(Unfit::Link),
            Err(_) => return Look::Unfit(Unfit::Unreadable),
        };
        let mut bytes = Vec::new();
        let same = |file: &File| rustix::fs::fstat(file).is_ok_and(|now| Sight::of(&now) == Sight::of(&stat));
        if !same(&file) {
            return Look::Changing;
        }
        if (&mut file).take(ANSWER_FILE_BYTES + 1).read_to_end(&mut bytes).is_err() {
            return Look::Unfit(Unfit::Unreadable);
        }
        if !same(&file) {
            return Look::Changing;
        }
        match String::from_utf8(bytes) {
            Ok(text) if text.trim_start_matches('\u{feff}').trim().is_empty() => Look::Nothing,
            Ok(text) => Look::Text(text),
            Err(_) => Look::Unfit(Unfit::NoText),
        }
    }

    /// Removes a file that was obeyed, unless it is another by now.
    pub fn remove(&self, name: &Name, sight: &Sight) {
        if self.sight(name).as_ref() == Some(sight) {
            // One that can't be removed is older than what is asked next.
            let _ = self.in_folder(name, |folder| rustix::fs::unlinkat(folder, name.file(), AtFlags::empty()));
        }
    }

    /// Moves a file that is not obeyed out of the way, and says where to.
    pub fn set_aside(&self, name: &Name) -> io::Result<String> {
        for n in 1..1_000 {
            let target = name.set_aside(n);
            match self.in_folder(name, |folder| move_to_new(folder, &name.file(), folder, &target)) {
                Ok(()) => return Ok(target),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::Error::other("a thousand files were set aside there"))
    }

    /// Makes the answer to one request of an answer to what alone waited: it keeps its time. False when there is one already.
    pub fn name_after(&self, id: &str) -> io::Result<bool> {
        self.make_answers()?;
        let answers = self.answers()?;
        let named = Name::Answer(id.to_owned()).file();
        match move_to_new(self.folder.as_fd(), &Name::Legacy.file(), answers.as_fd(), &named) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the note about a file.
    pub fn note(&self, name: &Name, text: &str) -> io::Result<()> {
        Ok(self.in_folder(name, |folder| write_whole(folder, &name.note(), text))?)
    }

    /// Removes the note about a file, if there is one.
    pub fn forget_note(&self, name: &Name) {
        // There is none.
        let _ = self.in_folder(name, |folder| rustix::fs::unlinkat(folder, name.note(), AtFlags::empty()));
    }

    /// Writes what waits. False, and nothing is written, where a file of that name is somebody else's.
    pub fn write_pending(&self, document: &str) -> io::Result<bool> {
        if !self.may_write_pending() {
            return Ok(false);
        }
        write_whole(self.folder.as_fd(), PENDING, document)?;
        Ok(true)
    }

    /// Removes it, where it is ours.
    pub fn remove_pending(&self) {
        if self.may_write_pending() {
            // There is none.
            let _ = rustix::fs::unlinkat(&self.folder, PENDING, AtFlags::empty());
        }
    }

    /// Removes it where it is this document; another one was written since by somebody who knows more.
    pub fn remove_pending_like(&self, document: &str) {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::openat(&self.folder, PENDING, flags, Mode::empty()) else { return };
        let (mut found, most) = (Vec::new(), document.len() as u64 + 1);
        if File::from(file).take(most).read_to_end(&mut found).is_ok() && found == document.as_bytes() {
            // Gone in this moment.
            let _ = rustix::fs::unlinkat(&self.folder, PENDING, AtFlags::empty());
        }
    }

    /// Whether there is one, whoever's.
    pub fn has_pending(&self) -> bool {
        rustix::fs::statat(&self.folder, PENDING, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    fn may_write_pending(&self) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.folder, PENDING, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(error) => return error == Errno::NOENT,
        };
        let mut head = Vec::new();
        // The mark is in the first line; what there is of it decides, whatever follows.
        let _ = file.take(64).read_to_end(&mut head);
        head.is_empty() || String::from_utf8_lossy(&head).contains(crate::pending::MARK)
    }

    fn answers(&self) -> Result<OwnedFd, Errno> {
        rustix::fs::openat(&self.folder, ANSWERS, OPEN_FOLDER, Mode::empty())
    }

    fn in_folder<T>(&self, name: &Name, work: impl FnOnce(BorrowedFd<'_>) -> Result<T, Errno>) -> Result<T, Errno> {
        match name {
            Name::Legacy => work(self.folder.as_fd()),
            Name::Answer(_) => work(self.answers()?.as_fd()),
        }
    }

    fn stat(&self, name: &Name) -> Result<Stat, Errno> {
        self.in_folder(name, |folder| rustix::fs::statat(folder, name.file(), AtFlags::SYMLINK_NOFOLLOW))
    }
}

impl Sight {
    #[expect(clippy::useless_conversion, reason = "these fields have other types on other systems")]
    fn of(stat: &Stat) -> Self {
        Self {
            inode: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: (i64::from(stat.st_mtime), stat.st_mtime_nsec as i64),
            changed: (i64::from(stat.st_ctime), stat.st_ctime_nsec as i64),
        }
    }

    #[cfg(test)]
    pub(crate) fn sample(size: u64) -> Self {
        Self { inode: 1, size, modified: (0, 0), changed: (0, 0) }
    }
}

fn kind(stat: &Stat) -> Result<(), Unfit> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if stat.st_nlink > 1 => Err(Unfit::Link),
        FileType::RegularFile if stat.st_uid != rustix::process::getuid().as_raw() => Err(Unfit::Foreign),
        FileType::RegularFile if u64::try_from(stat.st_size).unwrap_or(u64::MAX) > ANSWER_FILE_BYTES => {
            Err(Unfit::Large)
        }
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Unfit::Link),
        _ => Err(Unfit::Special),
    }
}

/// When it was last written, in milliseconds since 1970.
fn modified(stat: &Stat) -> i64 {
    let (seconds, nanos) = Sight::of(stat).modified;
    seconds.saturating_mul(1_000).saturating_add(nanos / 1_000_000)
}

fn move_to_new(from: BorrowedFd<'_>, name: &str, to: BorrowedFd<'_>, target: &str) -> Result<(), Errno> {
    #[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
    match rustix::fs::renameat_with(from, name, to, target, rustix::fs::RenameFlags::NOREPLACE) {
        // A file system that can't: looked at first, which is as good as it gets there.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        done => return done,
    }
    match rustix::fs::statat(to, target, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => rustix::fs::renameat(from, name, to, target),
        Ok(_) => Err(Errno::EXIST),
        Err(error) => Err(error),
    }
}

/// Writes beside it, then puts it in its place: whoever reads gets the old one or the new one. A link in its place is replaced.
fn write_whole(folder: BorrowedFd<'_>, name: &str, text: &str) -> Result<(), Errno> {
    let beside = format!(".{name}.new-{}", std::process::id());
    let _ = rustix::fs::unlinkat(folder, &beside, AtFlags::empty());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(folder, &beside, flags, Mode::RUSR | Mode::WUSR)?);
    let written = file.write_all(text.as_bytes()).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO));
    written.and_then(|()| rustix::fs::renameat(folder, &beside, folder, name)).inspect_err(|_| {
        // What could not be finished is not left there.
        let _ = rustix::fs::unlinkat(folder, &beside, AtFlags::empty());
    })
}

#[cfg(test)]
mod tests;
