//! A folder and what is beneath it, by handles rather than by paths: whatever is moved or linked meanwhile, nothing outside is opened.
//!
//! Nothing here waits for a pipe or a device: what is no regular file is not opened.

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A folder that is held open.
pub(crate) struct Beneath {
    /// Its handle: paths in it can't leave it.
    pub(crate) dir: Dir,
    /// Where it really was when it was opened.
    pub(crate) path: PathBuf,
}

impl Beneath {
    /// Opens a folder; the way to it may lead through links, which are gone from `path`.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let path = std::fs::canonicalize(path)?;
        let start: PathBuf =
            path.components().take_while(|part| matches!(part, Component::Prefix(_) | Component::RootDir)).collect();
        let mut dir = Dir::open_ambient_dir(&start, ambient_authority())?;
        for part in path.strip_prefix(&start).unwrap_or(&path) {
            dir = dir.open_dir_nofollow(part)?;
        }
        Ok(Self { dir, path })
    }

    /// Where a path really leads, relative to the folder and without a link in it; none where that is outside.
    pub(crate) fn real(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        Ok(std::fs::canonicalize(self.path.join(path))?.strip_prefix(&self.path).ok().map(Path::to_owned))
    }

    /// Opens a folder by its real relative path. A link that came in the way meanwhile is refused.
    pub(crate) fn folder(&self, real: &Path) -> io::Result<Dir> {
        let mut dir = self.dir.try_clone()?;
        for part in real {
            dir = dir.open_dir_nofollow(part)?;
        }
        Ok(dir)
    }

    /// Opens a regular file by its real relative path.
    pub(crate) fn file(&self, real: &Path) -> io::Result<File> {
        let name = real.file_name().ok_or_else(no_file)?;
        regular(&self.folder(real.parent().unwrap_or(Path::new("")))?, Path::new(name))
    }
}

/// Opens a regular file of a folder for reading. Neither a link nor a pipe in its place, not even for a moment.
pub(crate) fn regular(folder: &Dir, name: &Path) -> io::Result<File> {
    if !folder.symlink_metadata(name)?.is_file() {
        return Err(no_file());
    }
    // It may be another by now, so it is neither waited for nor followed, and looked at again.
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let file = folder.open_with(name, &options)?.into_std();
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_handle_leads_nowhere_else_when_a_link_takes_the_place_of_a_part_of_the_way() {
        let outer = tempfile::tempdir().expect("a folder");
        let at = |path: &str| outer.path().join(path);
        fs::create_dir_all(at("w/a/b")).expect("made");
        fs::create_dir_all(at("out/b")).expect("made");
        fs::write(at("w/a/b/f"), "inside").expect("written");
        fs::write(at("out/b/f"), "outside").expect("written");
        let beneath = Beneath::open(&at("w")).expect("opened");
        let real = beneath.real(Path::new("a/b/f")).expect("there").expect("inside");
        let mut text = String::new();
        beneath.file(&real).expect("opened").read_to_string(&mut text).expect("read");
        assert_eq!(text, "inside");
        fs::rename(at("w/a"), at("w/old")).expect("moved");
        symlink(at("out"), at("w/a")).expect("linked");
        assert!(beneath.file(&real).is_err(), "a link to the outside");
        assert_eq!(beneath.real(Path::new("a/b/f")).expect("there"), None);
        fs::remove_file(at("w/a")).expect("removed");
        symlink("old", at("w/a")).expect("linked");
        assert!(beneath.file(&real).is_err(), "a link to the inside, where none was");
        // The folder itself is another now; the handle is still of the one that was opened.
        fs::rename(at("w"), at("gone")).expect("moved");
        symlink(at("out"), at("w")).expect("linked");
        assert!(beneath.file(Path::new("b/f")).is_err());
        assert!(beneath.file(Path::new("old/b/f")).is_ok());
    }

    #[test]
    fn what_is_no_regular_file_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().expect("made");
        assert!(made.success());
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("bound");
        symlink("/dev/zero", folder.path().join("device")).expect("linked");
        let beneath = Beneath::open(folder.path()).expect("opened");
        for name in ["pipe", "socket", "device", "", "."] {
            assert!(beneath.file(Path::new(name)).is_err(), "{name}");
        }
    }
}
