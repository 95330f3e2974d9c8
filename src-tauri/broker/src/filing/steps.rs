//! The small steps: folders made one by one, a name that is taken only when it is free, a content known by its digest.

use crate::beneath::{self, Beneath};
use cap_std::fs::Dir;
use countersign_core::digest::{Digest, Hasher};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The deepest part of a relative path that is there, where that really is, and what is missing of it.
pub(super) fn there(root: &Beneath, relative: &str) -> io::Result<Option<(PathBuf, Vec<String>)>> {
    let mut parts: Vec<String> = relative.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let mut missing = Vec::new();
    loop {
        let path: PathBuf = parts.iter().collect();
        match root.dir.symlink_metadata(if parts.is_empty() { Path::new(".") } else { &path }) {
            Ok(_) => {
                missing.reverse();
                return Ok(root.real(&path)?.map(|real| (real, missing)));
            }
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
                    && !parts.is_empty() =>
            {
                missing.extend(parts.pop());
            }
            // A link on the way that leads out is no way at all for the handle.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && !parts.is_empty() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}

/// Opens a folder beneath, by its real path, and makes what is missing; no link is gone through. Says which folders it made.
pub(super) fn made(root: &Beneath, folder: &Path) -> io::Result<(Dir, Vec<PathBuf>)> {
    let (mut dir, mut at, mut made) = (root.dir.try_clone()?, PathBuf::new(), Vec::new());
    for part in folder {
        at.push(part);
        match dir.create_dir(part) {
            Ok(()) => made.push(at.clone()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        dir = cap_fs_ext::DirExt::open_dir_nofollow(&dir, part)?;
    }
    Ok((dir, made))
}

/// Takes away folders that were made for nothing, if they are empty.
pub(super) fn unmade(root: &Beneath, made: &[PathBuf]) {
    for folder in made.iter().rev() {
        // What somebody put something in stays.
        let _ = root.dir.remove_dir(folder);
    }
}

/// Gives a file another name that nothing has; `AlreadyExists` where something does.
pub(super) fn move_new(from: &Dir, old: &Path, to: &Dir, new: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
            // This file system can't: two names for a moment do as well.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return Ok(done?),
        }
    }
    from.hard_link(old, to, new)?;
    from.remove_file(old)
}

/// What was done to the names of a folder survives the machine's end.
pub(super) fn settled(dir: &Dir) {
    // Where a folder can't be synced, there is nothing more to do.
    let _ = dir.open(".").and_then(|folder| folder.sync_all());
}

/// The digest of a file and its size, of at most `limit` bytes; none where it has more.
pub(super) fn digest(file: &File, limit: u64) -> io::Result<Option<(Digest, u64)>> {
    copied(file, &mut io::sink(), limit)
}

/// Copies while it counts and digests; none where there are more than `limit` bytes.
pub(super) fn copied(file: &File, to: &mut impl Write, limit: u64) -> io::Result<Option<(Digest, u64)>> {
    let (mut hasher, mut bytes, mut chunk) = (Hasher::default(), 0_u64, vec![0; 256 << 10]);
    let mut file = file.take(limit.saturating_add(1));
    loop {
        let n = match file.read(&mut chunk) {
            Ok(0) => return Ok((bytes <= limit).then(|| (hasher.digest(), bytes))),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(&chunk[..n]);
        to.write_all(&chunk[..n])?;
        bytes += n as u64;
    }
}

/// Whether a name of a folder is a regular file with this content.
pub(super) fn holds(dir: &Dir, name: &Path, sha256: Digest, limit: u64) -> bool {
    beneath::regular(dir, name)
        .and_then(|file| digest(&file, limit))
        .is_ok_and(|found| found.is_some_and(|(found, _)| found == sha256))
}

/// The folder of a relative path and its name in it.
pub(super) fn parted(relative: &str) -> (PathBuf, PathBuf) {
    match relative.rsplit_once('/') {
        Some((folder, name)) => (folder.into(), name.into()),
        None => (PathBuf::new(), relative.into()),
    }
}
