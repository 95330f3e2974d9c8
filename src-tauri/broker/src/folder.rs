//! A workspace's folder as far as its commands go: `countersign.toml`, and every file that its argument vectors name.
//!
//! Reads files, so it is never called on the writer's thread: what was seen travels in the message. A run looks again just before it
//! starts.

mod walk;

use crate::beneath::Beneath;
use countersign_core::commands::Commands;
use countersign_core::digest::Digest;
use countersign_core::limit;
use countersign_core::trust::{FILE, NOTHING, Named, Snapshot};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use walk::{Lost, Way};

/// What was seen of a folder's commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// What its file declares.
    pub commands: Commands,
    /// What a trust would be over.
    pub snapshot: Snapshot,
}

/// Why a folder has no commands that could be trusted. Each text says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FolderError {
    /// The agent never named a folder.
    #[error("this session works in no folder, so there are no commands; give `workspace`")]
    NoFolder,
    /// There is no file.
    #[error(
        "there is no {FILE} in {folder}; a person writes one with [checks.NAME] and [targets.NAME] tables, each with `run = [\"program\", \"argument\"]`"
    )]
    NoFile {
        /// Where it was looked for.
        folder: String,
    },
    /// There is a mistake in it.
    #[error("{FILE} has a mistake in line {line}, column {column}: {message}; nothing of it runs until that is mended")]
    Mistake {
        /// From 1.
        line: u32,
        /// From 1.
        column: u32,
        /// What is wrong.
        message: String,
    },
    /// The file is a link that leads out of the folder.
    #[error("{FILE} is a link that leads out of its folder; it must be a file in it")]
    Outside,
    /// A pipe, a socket, a device, or what is another for everybody who looks.
    #[error(
        "the commands of {FILE} name {path}, which is no regular file or folder, or leads through /proc, /sys or /dev; nothing of it runs until they name a file"
    )]
    Special {
        /// As it is named.
        path: String,
    },
    /// More than is looked at.
    #[error("the commands of {FILE} name {what}; name fewer or smaller ones")]
    TooMuch {
        /// What there is too much of.
        what: String,
    },
    /// It can't be read.
    #[error("{path} can't be read: {why}")]
    Unreadable {
        /// What.
        path: String,
        /// What the system says.
        why: String,
    },
}

/// Looks at a folder. Programs are looked for on `path_env`, as [`search_path`] gives it or as it was trusted.
pub fn observe(folder: &str, path_env: &str) -> Result<Observed, FolderError> {
    if folder.is_empty() {
        return Err(FolderError::NoFolder);
    }
    let root = Beneath::open(Path::new(folder)).map_err(|error| unreadable(folder, &error))?;
    let mut look =
        Look { folder: PathBuf::from(folder), root, named: BTreeMap::new(), seen: HashSet::new(), bytes: 0, texts: 0 };
    let config = look.config()?;
    let commands = Commands::parse(&config).map_err(|error| FolderError::Mistake {
        line: error.line,
        column: error.column,
        message: error.message,
    })?;
    for command in commands.all() {
        look.path(Path::new(&command.dir), false)?;
    }
    for path in commands.candidate_paths().iter().filter(|path| !path.contains('\0')) {
        look.path(Path::new(path), true)?;
    }
    let (root, files) = (spelled(&look.root.path), look.named.into_values().collect());
    Ok(Observed { commands, snapshot: Snapshot { root, config, files, path_env: path_env.to_owned() } })
}

/// The folders on which this process finds programs, but for what depends on where a command runs, and what is in the workspace
/// itself: there an agent writes.
pub fn search_path(folder: &str) -> String {
    let root = fs::canonicalize(folder).unwrap_or_else(|_| PathBuf::from(folder));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let inside =
        |entry: &Path| entry.starts_with(folder) || fs::canonicalize(entry).is_ok_and(|real| real.starts_with(&root));
    let kept: Vec<String> = std::env::split_paths(&path)
        .filter(|entry| entry.is_absolute() && !inside(entry))
        .filter_map(|entry| entry.into_os_string().into_string().ok())
        .collect();
    kept.join(if cfg!(windows) { ";" } else { ":" })
}

/// Where a command runs: its folder, proven to be inside of the workspace.
pub fn working_folder(folder: &str, dir: &str) -> Result<PathBuf, String> {
    let root = fs::canonicalize(folder).map_err(|error| format!("the folder {folder} can't be used: {error}"))?;
    let real =
        fs::canonicalize(root.join(dir)).map_err(|error| format!("the working folder {dir} can't be used: {error}"))?;
    if !real.starts_with(&root) {
        return Err(format!("the working folder {dir} leads out of the workspace"));
    }
    if !real.is_dir() {
        return Err(format!("the working folder {dir} is no folder"));
    }
    Ok(real)
}

struct Look {
    /// As the workspace spells it.
    folder: PathBuf,
    /// Where it really is, held open.
    root: Beneath,
    named: BTreeMap<String, Named>,
    seen: HashSet<(PathBuf, bool)>,
    bytes: u64,
    texts: u64,
}

impl Look {
    fn config(&mut self) -> Result<String, FolderError> {
        let at = match self.root.real(Path::new(FILE)) {
            Ok(Some(at)) => at,
            Ok(None) => return Err(FolderError::Outside),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FolderError::NoFile { folder: self.folder.display().to_string() });
            }
            Err(error) => return Err(unreadable(FILE, &error)),
        };
        let file = self.root.file(&at).map_err(|error| unreadable(FILE, &error))?;
        if at != Path::new(FILE) {
            let at = Some(spelled(&at));
            self.named
                .insert(FILE.into(), Named { path: FILE.into(), at, digest: None, executable: false, text: None });
        }
        let mut bytes = Vec::new();
        file.take(limit::COMMANDS_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(FILE, &error))?;
        if bytes.len() > limit::COMMANDS_BYTES {
            let why = io::Error::other(format!("it has more than {} bytes", limit::COMMANDS_BYTES));
            return Err(unreadable(FILE, &why));
        }
        String::from_utf8(bytes).map_err(|error| mistake_at(error.as_bytes(), error.utf8_error().valid_up_to()))
    }

    /// Notes what a path names, if that is something in the workspace, or a link in it, wherever that leads. Of an argument also a
    /// folder; of a working folder only where it is.
    fn path(&mut self, path: &Path, argument: bool) -> Result<(), FolderError> {
        if !self.seen.insert((path.to_owned(), argument)) {
            return Ok(());
        }
        let name = self.name(path);
        let shown = || name.clone().unwrap_or_else(|| path.to_string_lossy().into_owned());
        let is_ours = |real: &Path| name.is_some() || real.starts_with(&self.root.path);
        let bare = |path, at| Named { path, at, digest: None, executable: false, text: None };
        let real = match walk::follow(&self.root.path, path) {
            Ok(Way::There(real)) => real,
            Ok(Way::Nowhere { at, linked }) => {
                // What is not there names nothing, but a link that leads to nothing does: something may come there.
                let Some(name) = name.filter(|_| linked) else { return Ok(()) };
                let at = at.strip_prefix(&self.root.path).unwrap_or(&at);
                return self.note(bare(name, Some(format!("{}{NOTHING}", spelled(at)))));
            }
            Err(Lost::Special) => return Err(FolderError::Special { path: shown() }),
            Err(Lost::System(error)) if name.is_some() => return Err(unreadable(&shown(), &error)),
            // Outside, where nothing is looked at.
            Err(Lost::System(_)) => return Ok(()),
        };
        let meta = match fs::symlink_metadata(&real) {
            Ok(meta) => meta,
            Err(error) if is_ours(&real) => return Err(unreadable(&shown(), &error)),
            Err(_) => return Ok(()),
        };
        let harmless = walk::is_harmless(&real);
        if is_ours(&real) && !meta.is_file() && !meta.is_dir() && !harmless {
            return Err(FolderError::Special { path: shown() });
        }
        let named = match real.strip_prefix(&self.root.path) {
            Ok(relative) => {
                let at = spelled(relative);
                let Some(path) = name.clone().or(Some(at.clone())).filter(|path| !path.is_empty()) else {
                    return Ok(());
                };
                let elsewhere = Some(at).filter(|at| Some(at) != name.as_ref());
                if meta.is_dir() {
                    // A folder is looked at only as far as a link decides which one it is; that an argument names it is kept.
                    if elsewhere.is_none() && !argument {
                        return Ok(());
                    }
                    bare(path, elsewhere)
                } else {
                    let (digest, executable, text) = self.content(&path, relative)?;
                    Named { path, at: elsewhere, digest: Some(digest), executable, text }
                }
            }
            // What is named outside is not the workspace's; a link in the workspace is, wherever it leads.
            Err(_) => match name {
                Some(path) => bare(path, Some(spelled(&real))),
                None => return Ok(()),
            },
        };
        self.note(named)
    }

    fn note(&mut self, named: Named) -> Result<(), FolderError> {
        self.named.insert(named.path.clone(), named);
        if self.named.len() > limit::TRUST_FILES {
            return Err(FolderError::TooMuch { what: format!("more than {} files", limit::TRUST_FILES) });
        }
        Ok(())
    }

    /// A path as it is spelled, relative to the workspace; none where it is spelled as something outside. A `..` stays: behind a
    /// link it leads elsewhere than it looks.
    fn name(&self, path: &Path) -> Option<String> {
        let relative = match path.is_absolute() {
            true => path.strip_prefix(&self.root.path).or_else(|_| path.strip_prefix(&self.folder)).ok()?,
            false => path,
        };
        let (mut parts, mut depth) = (Vec::new(), 0_usize);
        for part in relative.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    depth = depth.checked_sub(1)?;
                    parts.push("..");
                }
                Component::Normal(part) => {
                    depth += 1;
                    parts.push(part.to_str()?);
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(parts.join("/"))
    }

    fn content(&mut self, path: &str, real: &Path) -> Result<(Digest, bool, Option<String>), FolderError> {
        let failed = |error: &io::Error| unreadable(path, error);
        let too_much =
            || FolderError::TooMuch { what: format!("files of more than {} bytes in all", limit::TRUST_BYTES) };
        let file = self.root.file(real).map_err(|error| failed(&error))?;
        let meta = file.metadata().map_err(|error| failed(&error))?;
        let room = limit::TRUST_BYTES.saturating_sub(self.bytes);
        // Before it is read; it may grow meanwhile.
        if meta.len() > room {
            return Err(too_much());
        }
        let (digest, bytes, kept) = digest(file.take(room + 1)).map_err(|error| failed(&error))?;
        self.bytes += bytes;
        if bytes > room {
            return Err(too_much());
        }
        let fits = bytes <= limit::TRUST_TEXT_BYTES && self.texts + bytes <= limit::TRUST_TEXTS_BYTES;
        let text =
            kept.filter(|_| fits).and_then(|kept| String::from_utf8(kept).ok()).filter(|text| !text.contains('\0'));
        self.texts += text.as_ref().map_or(0, |text| text.len() as u64);
        Ok((digest, is_executable(&meta), text))
    }
}

/// The digest of what is read, how many bytes that was, and the bytes themselves unless they are many.
fn digest(mut from: impl io::Read) -> io::Result<(Digest, u64, Option<Vec<u8>>)> {
    let mut hasher = countersign_core::digest::Hasher::default();
    let (mut kept, mut total) = (Some(Vec::new()), 0_u64);
    let mut chunk = vec![0; 64 << 10];
    loop {
        let n = match from.read(&mut chunk) {
            Ok(0) => return Ok((hasher.digest(), total, kept)),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(&chunk[..n]);
        total += n as u64;
        if total > limit::TRUST_TEXT_BYTES {
            kept = None;
        }
        if let Some(kept) = &mut kept {
            kept.extend_from_slice(&chunk[..n]);
        }
    }
}

#[cfg(unix)]
fn is_executable(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    meta.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// A path with `/`, as a text; what is no UTF-8 in it is shown as that.
fn spelled(path: &Path) -> String {
    let text = path.to_string_lossy().into_owned();
    if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}

fn unreadable(path: &str, error: &io::Error) -> FolderError {
    FolderError::Unreadable { path: path.to_owned(), why: error.to_string() }
}

/// The line and the column of a byte that is no UTF-8.
fn mistake_at(bytes: &[u8], at: usize) -> FolderError {
    let before = String::from_utf8_lossy(&bytes[..at]).into_owned();
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
    FolderError::Mistake {
        line: number(before.matches('\n').count() + 1),
        column: number(column + 1),
        message: "a byte that is no UTF-8".into(),
    }
}

#[cfg(all(test, unix))]
mod tests;
