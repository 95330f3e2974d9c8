//! Files of specs in a workspace's folder: read for an import, written for an export. Never outside of it, whatever
//! is linked or moved meanwhile.
//!
//! Reads and writes files, so it is never called on the writer's thread.

use crate::beneath::{self, Beneath};
use cap_std::fs::{Dir, OpenOptions};
use std::ffi::{OsStr, OsString};
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

/// A file's name, relative to the workspace, and its text, or why there is none.
pub type ReadFile = (String, Result<String, String>);

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

/// The files at a path of the workspace: one file, or the markdown and JSON files of a folder, by name. What can't be read of a
/// folder has the reason in place of its text; of one file that is the answer.
pub fn read(workspace: &str, path: &str) -> Result<Vec<ReadFile>, SpecFolderError> {
    let root = root(workspace)?;
    let there = match root.real(Path::new(path)) {
        Ok(Some(there)) => there,
        Ok(None) => return Err(SpecFolderError::Outside { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(SpecFolderError::Nothing { path: path.to_owned() });
        }
        Err(error) => return Err(system(Path::new(path), &error)),
    };
    let mut left = ALL_BYTES;
    let is_folder = there.as_os_str().is_empty() || root.dir.symlink_metadata(&there).is_ok_and(|meta| meta.is_dir());
    if !is_folder {
        let text = text(&root, &there, &mut left)?
            .map_err(|why| SpecFolderError::System { path: there.to_string_lossy().into_owned(), why })?;
        return Ok(vec![(there.to_string_lossy().into_owned(), Ok(text))]);
    }
    let mut read = Vec::new();
    for name in listed(&root.folder(&there).map_err(|error| system(&there, &error))?, &there)? {
        let named = there.join(name);
        // Each one again: a link in the folder may lead out of it.
        let one = match root.real(&named) {
            Ok(Some(real)) => text(&root, &real, &mut left)?,
            Ok(None) => Err("it is a link that leads out of the workspace".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        read.push((named.to_string_lossy().into_owned(), one));
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
    let real = made(&root, folder)?;
    let folder = root.folder(&real).map_err(|error| system(&real, &error))?;
    let mut wanted = Vec::with_capacity(files.len());
    for (name, content) in files {
        let named = || real.join(name).to_string_lossy().into_owned();
        if Path::new(name).file_name() != Some(OsStr::new(name)) {
            return Err(SpecFolderError::Outside { path: named() });
        }
        if says(&folder, name, content) {
            continue;
        }
        if !overwrite && folder.symlink_metadata(name).is_ok() {
            return Err(SpecFolderError::Exists { path: named() });
        }
        wanted.push((name, content));
    }
    for (name, content) in wanted {
        put(&folder, name, content).map_err(|error| system(&real.join(name), &error))?;
    }
    let full = root.path.join(&real);
    Ok(files.iter().map(|(name, _)| full.join(name).to_string_lossy().into_owned()).collect())
}

/// Whether a file is there and says this. One of another size is not read.
fn says(folder: &Dir, name: &str, content: &str) -> bool {
    let size = content.len() as u64;
    let same = || -> io::Result<bool> {
        let file = beneath::regular(folder, Path::new(name))?;
        if file.metadata()?.len() != size {
            return Ok(false);
        }
        let mut there = Vec::with_capacity(content.len());
        // It may grow meanwhile.
        file.take(size + 1).read_to_end(&mut there)?;
        Ok(there == content.as_bytes())
    };
    same().unwrap_or(false)
}

/// Whole or not at all, and in place of a link rather than through it.
fn put(folder: &Dir, name: &str, content: &str) -> io::Result<()> {
    let beside = format!(".{}.part", uuid::Uuid::new_v4());
    let mut file = folder.open_with(&beside, OpenOptions::new().write(true).create_new(true))?;
    let written = file
        .write_all(content.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| folder.rename(&beside, folder, name));
    if written.is_err() {
        // What is left of it is in nobody's way, but nobody's either.
        let _ = folder.remove_file(&beside);
    }
    written
}

fn root(workspace: &str) -> Result<Beneath, SpecFolderError> {
    if workspace.is_empty() {
        return Err(SpecFolderError::NoFolder);
    }
    Beneath::open(Path::new(workspace)).map_err(|error| system(Path::new(workspace), &error))
}

/// A folder of the workspace, made part by part so that no link on the way leads out; its real relative path.
fn made(root: &Beneath, folder: &str) -> Result<PathBuf, SpecFolderError> {
    let outside = || SpecFolderError::Outside { path: folder.to_owned() };
    let relative = Path::new(folder);
    let relative = relative.strip_prefix(&root.path).unwrap_or(relative);
    let mut at = PathBuf::new();
    for part in relative.components() {
        match part {
            Component::Normal(name) => at.push(name),
            Component::CurDir => continue,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(outside()),
        }
        if let Err(error) = root.dir.create_dir(&at)
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(system(&at, &error));
        }
        at = root.real(&at).map_err(|error| system(&at, &error))?.ok_or_else(outside)?;
        root.folder(&at).map_err(|_| outside())?;
    }
    Ok(at)
}

/// The names of a folder's files that may be specs, in order.
fn listed(folder: &Dir, named: &Path) -> Result<Vec<OsString>, SpecFolderError> {
    let mut names = Vec::new();
    for entry in folder.entries().map_err(|error| system(named, &error))? {
        let entry = entry.map_err(|error| system(named, &error))?;
        let name = entry.file_name();
        if is_spec(Path::new(&name)) && !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            names.push(name);
        }
        if names.len() > FILES {
            return Err(SpecFolderError::TooMuch { what: format!("the folder has more than {FILES} files") });
        }
    }
    names.sort();
    Ok(names)
}

/// Whether a file is one by its name.
fn is_spec(name: &Path) -> bool {
    let kind = name.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    matches!(kind.as_deref(), Some("md" | "markdown" | "json"))
}

/// A file's text, or why it can't be read; an error when all of them together are too much.
fn text(root: &Beneath, real: &Path, left: &mut u64) -> Result<Result<String, String>, SpecFolderError> {
    // By its real name: a link may be called anything.
    if !is_spec(real) {
        return Ok(Err("only .md, .markdown and .json files are read".to_owned()));
    }
    let mut bytes = Vec::new();
    let read = root.file(real).and_then(|file| file.take(FILE_BYTES.min(*left) + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return Ok(Err(error.to_string()));
    }
    let size = bytes.len() as u64;
    if size > FILE_BYTES {
        return Ok(Err(format!("it has more than {FILE_BYTES} bytes")));
    }
    if size > *left {
        return Err(SpecFolderError::TooMuch { what: format!("the files have more than {ALL_BYTES} bytes") });
    }
    *left -= size;
    Ok(String::from_utf8(bytes).map_err(|_| "it is no UTF-8".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn workspace() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("w/specs")).expect("makes");
        fs::write(folder.path().join("secret.md"), "secret").expect("writes");
        let root = folder.path().join("w").to_str().expect("UTF-8").to_owned();
        (folder, root)
    }

    fn file(name: &str, text: &str) -> ReadFile {
        (name.to_owned(), Ok(text.to_owned()))
    }

    #[test]
    fn what_is_inside_is_read_and_nothing_else() {
        let (folder, root) = workspace();
        fs::write(folder.path().join("w/specs/b.md"), "# B\r\n").expect("writes");
        fs::write(folder.path().join("w/specs/a.json"), "{}").expect("writes");
        fs::write(folder.path().join("w/specs/c.txt"), "no").expect("writes");
        let both = [file("specs/a.json", "{}"), file("specs/b.md", "# B\r\n")];
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
        let why = "it is a link that leads out of the workspace".to_owned();
        assert_eq!(read(&root, "specs").as_deref(), Ok([("specs/link.md".to_owned(), Err(why))].as_slice()));
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

    #[cfg(unix)]
    #[test]
    fn only_files_that_may_be_specs_are_read_whatever_a_link_to_them_is_called() {
        let (folder, root) = workspace();
        let at = |path: &str| folder.path().join(path);
        fs::write(at("w/.env"), "KEY=1").expect("writes");
        fs::write(at("w/specs/a.MD"), "a").expect("writes");
        std::os::unix::fs::symlink("../.env", at("w/specs/env.md")).expect("links");
        std::os::unix::fs::symlink(at("w/specs/a.MD"), at("w/specs/b.md")).expect("links");
        for path in [".env", "specs/env.md"] {
            let why = "only .md, .markdown and .json files are read".to_owned();
            assert_eq!(read(&root, path), Err(SpecFolderError::System { path: ".env".into(), why }), "{path}");
        }
        let files = read(&root, "specs").expect("reads");
        assert_eq!([&files[0], &files[1]], [&file("specs/a.MD", "a"), &file("specs/b.md", "a")]);
        assert!(files[2].1.as_ref().is_err_and(|why| why.starts_with("only")), "{files:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_can_not_be_read_stops_no_other_and_is_never_waited_for() {
        let (folder, root) = workspace();
        let at = |path: &str| folder.path().join("w/specs").join(path);
        assert!(std::process::Command::new("mkfifo").arg(at("a.md")).status().expect("made").success());
        fs::write(at("b.md"), b"\xff").expect("writes");
        fs::File::create(at("c.md")).and_then(|file| file.set_len(3 << 30)).expect("writes");
        fs::write(at("d.md"), "fine").expect("writes");
        std::os::unix::fs::symlink("nowhere", at("e.md")).expect("links");
        let read_all = read(&root, "specs").expect("reads");
        let said: Vec<_> = read_all.iter().map(|(_, text)| text.as_deref().unwrap_or_else(|why| why)).collect();
        assert_eq!(said[..4], ["it is no regular file", "it is no UTF-8", "it has more than 8388608 bytes", "fine"]);
        assert!(said[4].contains("No such file"), "{said:?}");
        for path in ["specs/a.md", "specs/b.md", "specs/c.md"] {
            assert!(matches!(read(&root, path), Err(SpecFolderError::System { .. })), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_in_the_way_of_an_export_is_neither_read_when_it_is_long_nor_waited_for() {
        let (folder, root) = workspace();
        let at = |path: &str| folder.path().join("w/specs").join(path);
        fs::File::create(at("a.md")).and_then(|file| file.set_len(1 << 40)).expect("writes");
        assert!(std::process::Command::new("mkfifo").arg(at("b.md")).status().expect("made").success());
        for name in ["a.md", "b.md"] {
            let new = [(name.to_owned(), "new".to_owned())];
            assert!(matches!(write(&root, "specs", &new, false), Err(SpecFolderError::Exists { .. })), "{name}");
            write(&root, "specs", &new, true).expect("written");
            assert_eq!(fs::read_to_string(at(name)).expect("reads"), "new");
        }
        fs::create_dir(at("c.md")).expect("makes");
        assert!(write(&root, "specs", &[("c.md".to_owned(), String::new())], true).is_err());
        assert_eq!(fs::read_dir(at("")).expect("lists").count(), 3, "no half files");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_is_swapped_with_a_link_all_the_while_leads_nowhere_outside() {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        let (folder, root) = workspace();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir(at("outside")).expect("makes");
        fs::write(at("outside/ok.md"), "secret").expect("writes");
        fs::write(at("w/specs/ok.md"), "fine").expect("writes");
        std::os::unix::fs::symlink(at("outside"), at("w/link")).expect("links");
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    let _ = renameat_with(CWD, at("w/specs"), CWD, at("w/link"), RenameFlags::EXCHANGE);
                }
            });
            let new = [("new.md".to_owned(), "x".to_owned())];
            let leaks = (0..500).filter(|_| {
                let _ = write(&root, "specs", &new, true);
                let texts = [read(&root, "specs"), read(&root, "specs/ok.md")];
                texts.into_iter().flatten().flatten().any(|(_, text)| text.as_deref() == Ok("secret"))
            });
            let leaks = leaks.count();
            over.store(true, Relaxed);
            assert_eq!(leaks, 0);
        });
        assert_eq!(fs::read_dir(at("outside")).expect("lists").count(), 1);
    }
}
