//! Where a path leads, link by link. What is read of the way decides what is trusted, so that no link on it is passed over.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// Links on one way, as many as the system follows.
const LINKS: usize = 40;
/// Places whose content depends on who looks, and when.
const SPECIAL: [&str; 3] = ["/proc", "/sys", "/dev"];
/// What of them is the same for everybody, and no file.
const HARMLESS: [&str; 9] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
];

/// Where a path leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To what is there, without a link in it.
    There(PathBuf),
    /// To nothing.
    Nowhere {
        /// Where it would be.
        at: PathBuf,
        /// Whether it is a link beneath the folder that leads to nothing, and not what is looked for behind it.
        linked: bool,
    },
}

/// Why it can't be told.
#[derive(Debug)]
pub(super) enum Lost {
    /// It leads through or into a place that is another for everybody.
    Special,
    /// The system refused, or the links go in a circle.
    System(io::Error),
}

/// Follows a path from a folder, which is given without links.
pub(super) fn follow(root: &Path, path: &Path) -> Result<Way, Lost> {
    let mut at = if path.is_absolute() { PathBuf::new() } else { root.to_owned() };
    // What is left of the way, and whether that is the text of a link beneath the folder.
    let mut left: Vec<(PathBuf, bool)> = parts(path).map(|part| (part, false)).collect();
    let mut links = 0;
    while let Some((part, linked)) = left.pop() {
        match part.components().next() {
            Some(Component::ParentDir) => {
                at.pop();
                continue;
            }
            Some(Component::Prefix(_) | Component::RootDir) => {
                at.push(part);
                continue;
            }
            Some(Component::Normal(_)) => at.push(part),
            Some(Component::CurDir) | None => continue,
        }
        if left.is_empty() && is_harmless(&at) {
            return Ok(Way::There(at));
        }
        let meta = match fs::symlink_metadata(&at) {
            Ok(meta) => meta,
            Err(error) if is_missing(&error) => {
                at.extend(left.iter().rev().map(|(part, _)| part));
                return if is_special(root, &at) { Err(Lost::Special) } else { Ok(Way::Nowhere { at, linked }) };
            }
            Err(error) => return Err(Lost::System(error)),
        };
        if meta.is_symlink() {
            // Such a link is another for every process.
            if is_special(root, &at) {
                return Err(Lost::Special);
            }
            links += 1;
            if links > LINKS {
                return Err(Lost::System(io::Error::other("its links go in a circle")));
            }
            let linked = linked || at.starts_with(root);
            let to = fs::read_link(&at).map_err(Lost::System)?;
            at.pop();
            if to.is_absolute() {
                at = PathBuf::new();
            }
            left.extend(parts(&to).map(|part| (part, linked)));
        }
    }
    if is_special(root, &at) { Err(Lost::Special) } else { Ok(Way::There(at)) }
}

/// The parts of a path, the last one first.
fn parts(path: &Path) -> impl Iterator<Item = PathBuf> {
    path.components().rev().map(|part| PathBuf::from(part.as_os_str()))
}

/// Whether it is a device that is the same for everybody.
pub(super) fn is_harmless(at: &Path) -> bool {
    HARMLESS.iter().any(|harmless| at == Path::new(harmless))
}

fn is_special(root: &Path, at: &Path) -> bool {
    !at.starts_with(root) && SPECIAL.iter().any(|special| at.starts_with(special))
}

/// Nothing is there, or can be: a name that is too long, or one beneath a file.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename | ErrorKind::InvalidInput
    )
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn every_link_of_a_way_is_followed_as_the_system_does() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().canonicalize().expect("a path").join("w");
        fs::create_dir_all(root.join("a/b")).expect("made");
        fs::create_dir_all(root.join("../out")).expect("made");
        fs::write(root.join("a/b/f"), "").expect("written");
        for (link, to) in [
            ("l", "a/b"),
            ("m", "l/../b/f"),
            ("n", "../out"),
            ("gone", "n/x/y"),
            ("o", "o"),
            ("cwd", "/proc/self/cwd/f"),
            ("null", "/dev/null"),
        ] {
            symlink(to, root.join(link)).expect("linked");
        }
        symlink(root.join("a"), root.join("abs")).expect("linked");
        for path in ["a/b/f", "l/f", "m", "l/../b/f", "abs/b/f", "n/../w/m", ".", "n", "./a/../l"] {
            let real = fs::canonicalize(root.join(path)).expect("there");
            assert_eq!(follow(&root, Path::new(path)).ok(), Some(Way::There(real)), "{path}");
        }
        let nowhere = |at: PathBuf, linked| Some(Way::Nowhere { at, linked });
        assert_eq!(follow(&root, Path::new("a/x")).ok(), nowhere(root.join("a/x"), false));
        assert_eq!(follow(&root, Path::new("a/b/f/x")).ok(), nowhere(root.join("a/b/f/x"), false));
        let out = root.parent().expect("a folder").join("out/x/y");
        assert_eq!(follow(&root, Path::new("gone")).ok(), nowhere(out, true));
        assert_eq!(
            follow(&root, Path::new("l/x")).ok(),
            nowhere(root.join("a/b/x"), false),
            "the link leads somewhere"
        );
        assert!(matches!(follow(&root, Path::new("o")), Err(Lost::System(_))));
        assert!(matches!(follow(&root, Path::new(&"x".repeat(10_000))), Ok(Way::Nowhere { .. })));
        assert_eq!(follow(&root, Path::new("null")).ok(), Some(Way::There("/dev/null".into())));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_another_for_everybody_who_looks_is_told() {
        let root = Path::new("/usr");
        for path in ["/proc/self/cwd/x", "../proc/1/cwd", "/proc", "/dev/fd/0", "/sys/kernel", "/dev/nothing"] {
            assert!(matches!(follow(root, Path::new(path)), Err(Lost::Special)), "{path}");
        }
        assert!(matches!(follow(root, Path::new("/dev/stdin")), Ok(Way::There(_))));
        assert!(matches!(follow(Path::new("/dev"), Path::new("nothing")), Ok(Way::Nowhere { .. })), "a folder there");
    }
}
