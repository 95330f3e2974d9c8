//! Files of specs in a workspace's folder: read for an import, written for an export. Never outside of it, and never through a link.
//!
//! Reads and writes files, so it is never called on the writer's thread.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

/// A file's size in bytes, at the most: a body of 1 MiB, and its criteria.
const FILE_BYTES: u64 = 8 << 20;
/// All files of one import, in bytes.
const ALL_BYTES: u64 = 64 << 20;
/// Files of one folder that are looked at.
const FILES: usize = 2_000;

/// A file's name, relative to the workspace, and its text.
pub type NamedText = (String, String);

/// Why files were not read or written. Each text says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecFolderError {
    /// The session works in no folder.
    #[error("this session works in no folder; give `workspace`")]
    NoFolder,
    /// A path that leads out.
    #[error("`{path}` is not inside the workspace; give a path in it")]
    Outside {
        /// As it was given.
        path: String,
    },
    /// Nothing there.
    #[error("there is no markdown or JSON file at `{path}`")]
    Nothing {
        /// As it was given.
        path: String,
    },
    /// Too much of it.
    #[error("{what}; bring them in by parts")]
    TooMuch {
        /// What there is too much of.
        what: String,
    },
    /// It would be written over.
    #[error(
        "`{path}` is there already and says something else; choose another folder, or say that it may be overwritten"
    )]
    Exists {
        /// Which file.
        path: String,
    },
    /// The system refused.
    #[error("`{path}`: {why}")]
    System {
        /// Which file.
        path: String,
        /// What it said.
        why: String,
    },
}

fn system(path: &Path, error: &io::Error) -> SpecFolderError {
    SpecFolderError::System { path: path.to_string_lossy().into_owned(), why: error.to_string() }
}

/// The files at a path of the workspace: one file, or the markdown and JSON files of a folder, by name.
pub fn read(workspace: &str, path: &str) -> Result<Vec<NamedText>, SpecFolderError> {
    let root = root(workspace)?;
    let there = inside(&root, path)?;
    let named = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into_owned();
    let files = if there.is_dir() { listed(&there)? } else { vec![there] };
    let mut read = Vec::with_capacity(files.len());
    let mut left = ALL_BYTES;
    for file in files {
        // Each one again: a link in the folder may lead out of it.
        let real = fs::canonicalize(&file).map_err(|error| system(&file, &error))?;
        if !real.starts_with(&root) {
            return Err(SpecFolderError::Outside { path: named(&file) });
        }
        let text = text(&real, left.min(FILE_BYTES))?;
        left = left.saturating_sub(text.len() as u64);
        read.push((named(&file), text));
    }
    if read.is_empty() {
        return Err(SpecFolderError::Nothing { path: path.to_owned() });
    }
    Ok(read)
}

/// Writes files into a folder of the workspace, which is made where it is missing; the paths. What is there and the same stays;
/// what is there and differs is written over only if that is said, and all of them are looked at before the first is written.
pub fn write(
    workspace: &str,
    folder: &str,
    files: &[NamedText],
    overwrite: bool,
) -> Result<Vec<String>, SpecFolderError> {
    let root = root(workspace)?;
    let folder = made(&root, folder)?;
    let mut wanted = Vec::with_capacity(files.len());
    for (name, content) in files {
        let path = folder.join(name);
        let named = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
        if Path::new(name).file_name() != Some(OsStr::new(name)) {
            return Err(SpecFolderError::Outside { path: named });
        }
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_file() && fs::read(&path).is_ok_and(|there| there == content.as_bytes()) => {}
            Ok(_) if !overwrite => return Err(SpecFolderError::Exists { path: named }),
            Ok(_) | Err(_) => wanted.push((path, content)),
        }
    }
    for (path, content) in wanted {
        put(&path, content).map_err(|error| system(&path, &error))?;
    }
    Ok(files.iter().map(|(name, _)| folder.join(name).to_string_lossy().into_owned()).collect())
}

/// Whole or not at all, and in place of a link rather than through it.
fn put(path: &Path, content: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("part-{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written =
        file.write_all(content.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is left of it is in nobody's way, but nobody's either.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn root(workspace: &str) -> Result<PathBuf, SpecFolderError> {
    if workspace.is_empty() {
        return Err(SpecFolderError::NoFolder);
    }
    fs::canonicalize(workspace).map_err(|error| system(Path::new(workspace), &error))
}

fn inside(root: &Path, path: &str) -> Result<PathBuf, SpecFolderError> {
    let outside = || SpecFolderError::Outside { path: path.to_owned() };
    let there = fs::canonicalize(root.join(path)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SpecFolderError::Nothing { path: path.to_owned() },
        _ => system(Path::new(path), &error),
    })?;
    if there.starts_with(root) { Ok(there) } else { Err(outside()) }
}

/// A folder of the workspace, made part by part so that no link on the way leads out.
fn made(root: &Path, folder: &str) -> Result<PathBuf, SpecFolderError> {
    let outside = || SpecFolderError::Outside { path: folder.to_owned() };
    let relative = Path::new(folder);
    let relative = relative.strip_prefix(root).unwrap_or(relative);
    let mut at = root.to_owned();
    for part in relative.components() {
        match part {
            Component::Normal(name) => at.push(name),
            Component::CurDir => continue,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(outside()),
        }
        if let Err(error) = fs::create_dir(&at)
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(system(&at, &error));
        }
        at = fs::canonicalize(&at).map_err(|error| system(&at, &error))?;
        if !at.starts_with(root) || !at.is_dir() {
            return Err(outside());
        }
    }
    Ok(at)
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>, SpecFolderError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| system(folder, &error))? {
        let path = entry.map_err(|error| system(folder, &error))?.path();
        let kind = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        if matches!(kind.as_deref(), Some("md" | "markdown" | "json")) && path.is_file() {
            files.push(path);
        }
        if files.len() > FILES {
            return Err(SpecFolderError::TooMuch { what: format!("the folder has more than {FILES} files") });
        }
    }
    files.sort();
    Ok(files)
}

fn text(path: &Path, most: u64) -> Result<String, SpecFolderError> {
    let file = File::open(path).map_err(|error| system(path, &error))?;
    // A pipe would be waited for without end.
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        return Err(SpecFolderError::System { path: path.to_string_lossy().into_owned(), why: "it is no file".into() });
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| system(path, &error))?;
    if bytes.len() as u64 > most {
        let what = format!("the files have more than {most} bytes at {}", path.display());
        return Err(SpecFolderError::TooMuch { what });
    }
    String::from_utf8(bytes).map_err(|_| SpecFolderError::System {
        path: path.to_string_lossy().into_owned(),
        why: "it is no UTF-8".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("w/specs")).expect("makes");
        fs::write(folder.path().join("secret.md"), "secret").expect("writes");
        let root = folder.path().join("w").to_str().expect("UTF-8").to_owned();
        (folder, root)
    }

    #[test]
    fn what_is_inside_is_read_and_nothing_else() {
        let (folder, root) = workspace();
        fs::write(folder.path().join("w/specs/b.md"), "# B\r\n").expect("writes");
        fs::write(folder.path().join("w/specs/a.json"), "{}").expect("writes");
        fs::write(folder.path().join("w/specs/c.txt"), "no").expect("writes");
        let both = [("specs/a.json".to_owned(), "{}".to_owned()), ("specs/b.md".to_owned(), "# B\r\n".to_owned())];
        assert_eq!(read(&root, "specs").as_deref(), Ok(both.as_slice()));
        assert_eq!(read(&root, "specs/b.md").as_deref(), Ok(&both[1..]));
        assert_eq!(read(&root, &format!("{root}/specs/b.md")).map(|files| files.len()), Ok(1));
        for outside in ["../secret.md", "specs/../../secret.md", "/etc/hostname", ".."] {
            assert!(matches!(read(&root, outside), Err(SpecFolderError::Outside { .. })), "{outside}");
        }
        assert!(matches!(read(&root, "nowhere"), Err(SpecFolderError::Nothing { .. })));
        assert_eq!(read("", "specs"), Err(SpecFolderError::NoFolder));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_followed_neither_way() {
        let (folder, root) = workspace();
        let at = |path: &str| folder.path().join(path);
        std::os::unix::fs::symlink(at("secret.md"), at("w/specs/link.md")).expect("links");
        std::os::unix::fs::symlink(folder.path(), at("w/out")).expect("links");
        assert!(matches!(read(&root, "specs"), Err(SpecFolderError::Outside { .. })));
        assert!(matches!(read(&root, "specs/link.md"), Err(SpecFolderError::Outside { .. })));
        let new = [("SPEC-001.md".to_owned(), "x".to_owned())];
        for outside in ["out", "out/deeper", "../x", "/tmp"] {
            assert!(matches!(write(&root, outside, &new, true), Err(SpecFolderError::Outside { .. })), "{outside}");
        }
        // A link in the place of the file is replaced, and what it led to stays.
        let over = [("link.md".to_owned(), "new".to_owned())];
        assert!(matches!(write(&root, "specs", &over, false), Err(SpecFolderError::Exists { .. })));
        write(&root, "specs", &over, true).expect("written");
        assert_eq!(fs::read_to_string(at("secret.md")).expect("reads"), "secret");
        assert_eq!(fs::read_to_string(at("w/specs/link.md")).expect("reads"), "new");
        assert!(!at("x").exists() && !at("deeper").exists());
    }

    #[test]
    fn nothing_is_written_over_unless_it_is_said() {
        let (folder, root) = workspace();
        let files = |text: &str| [("a.md".to_owned(), "same".to_owned()), ("b.md".to_owned(), text.to_owned())];
        let paths = write(&root, "new/deep", &files("one"), false).expect("written");
        assert!(paths[0].ends_with("new/deep/a.md"), "{paths:?}");
        write(&root, "new/deep", &files("one"), false).expect("the same is there");
        let differs = write(&root, "new/deep", &files("two"), false);
        assert_eq!(differs, Err(SpecFolderError::Exists { path: "new/deep/b.md".into() }));
        write(&root, "new/deep", &files("two"), true).expect("said");
        assert_eq!(fs::read_to_string(folder.path().join("w/new/deep/b.md")).expect("reads"), "two");
        let sly = [("../../a.md".to_owned(), "x".to_owned())];
        assert!(matches!(write(&root, "new/deep", &sly, true), Err(SpecFolderError::Outside { .. })));
        assert_eq!(fs::read_dir(folder.path().join("w/new/deep")).expect("lists").count(), 2, "no half files");
    }
}
