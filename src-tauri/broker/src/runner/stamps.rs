//! What was trusted, as a run began with it: to tell after the run whether it was another meanwhile.
//!
//! The content alone does not tell: what was put in a file's place can be taken away again. So it is also looked at which file it is,
//! and when its entry last changed, which no program sets at will.

use crate::folder;
use countersign_core::trust::{FILE, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::Path;

/// One look at what was trusted.
pub(super) struct Seen {
    snapshot: Snapshot,
    stamps: BTreeMap<String, Stamp>,
}

impl Seen {
    /// Of a snapshot that was just made. The files are looked at after it: whatever came between shows at the next look.
    pub(super) fn new(folder: &str, snapshot: Snapshot) -> Self {
        let stamps = stamps(folder, &snapshot);
        Self { snapshot, stamps }
    }

    /// What is another now, or was meanwhile, by name.
    pub(super) fn changed(&self, folder: &str) -> Vec<String> {
        // Before the contents: what is put back after this was another when they are read.
        let stamps = stamps(folder, &self.snapshot);
        let differs = |(name, stamp): &(&String, &Stamp)| self.stamps.get(*name) != Some(*stamp);
        let mut names: BTreeSet<String> = stamps.iter().filter(differs).map(|(name, _)| name.clone()).collect();
        match folder::observe(folder, &self.snapshot.path_env) {
            Ok(now) => names.extend(now.snapshot.differs(&self.snapshot)),
            Err(error) => names.extend(names.is_empty().then(|| error.to_string())),
        }
        names.into_iter().collect()
    }
}

/// Of each file that is named and of the file of commands, by name: itself where it is a link, and where it leads. A folder changes with
/// whatever is made in it, and is only known by which it is.
fn stamps(folder: &str, snapshot: &Snapshot) -> BTreeMap<String, Stamp> {
    let of = |name: &str| {
        let path = Path::new(folder).join(name);
        (stamp(std::fs::symlink_metadata(&path)), stamp(std::fs::metadata(&path)))
    };
    let names = snapshot.files.iter().map(|file| file.path.as_str());
    names.chain([FILE]).map(|name| (name.to_owned(), of(name))).collect()
}

type Stamp = (Entry, Entry);

/// Which file it is and when it changed; none where nothing is.
type Entry = Option<(u64, u64, Option<(i64, i64)>)>;

#[cfg(unix)]
fn stamp(meta: std::io::Result<Metadata>) -> Entry {
    use std::os::unix::fs::MetadataExt as _;
    let meta = meta.ok()?;
    Some((meta.dev(), meta.ino(), (!meta.is_dir()).then(|| (meta.ctime(), meta.ctime_nsec()))))
}

/// Elsewhere: how long it is and when it was written.
#[cfg(not(unix))]
fn stamp(meta: std::io::Result<Metadata>) -> Entry {
    let meta = meta.ok()?;
    let since = |at: std::time::SystemTime| at.duration_since(std::time::UNIX_EPOCH).ok();
    let written = meta.modified().ok().and_then(since)?;
    let (seconds, nanos) = (i64::try_from(written.as_secs()).ok()?, i64::from(written.subsec_nanos()));
    Some((0, if meta.is_dir() { 0 } else { meta.len() }, (!meta.is_dir()).then_some((seconds, nanos))))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    fn place() -> (tempfile::TempDir, String) {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("w");
        fs::create_dir_all(root.join("bin")).expect("made");
        fs::write(root.join(FILE), "[checks.c]\nrun = [\"sh\", \"bin/c.sh\"]\n").expect("written");
        fs::write(root.join("bin/c.sh"), "good").expect("written");
        let folder = root.to_str().expect("UTF-8").to_owned();
        (outer, folder)
    }

    fn seen(folder: &str) -> Seen {
        Seen::new(folder, folder::observe(folder, "/bin").expect("seen").snapshot)
    }

    #[test]
    fn what_stays_is_not_said_to_have_changed_whatever_is_made_and_read_beside_it() {
        let (_outer, folder) = place();
        let before = seen(&folder);
        fs::write(Path::new(&folder).join("bin/made"), "x").expect("written");
        fs::read(Path::new(&folder).join("bin/c.sh")).expect("read");
        assert_eq!(before.changed(&folder), Vec::<String>::new());
    }

    #[test]
    fn what_was_written_put_in_its_place_or_taken_away_is_named_even_when_it_is_back() {
        let (_outer, folder) = place();
        let file = Path::new(&folder).join("bin/c.sh");
        let away = file.with_extension("away");
        let before = seen(&folder);
        fs::write(&file, "evil").expect("written");
        assert_eq!(before.changed(&folder), ["bin/c.sh"]);
        fs::write(&file, "good").expect("written");
        assert_eq!(before.changed(&folder), ["bin/c.sh"], "written and written back");
        let before = seen(&folder);
        fs::rename(&file, &away).expect("moved");
        assert_eq!(before.changed(&folder), ["bin/c.sh"]);
        fs::write(&file, "evil").expect("written");
        fs::rename(&away, &file).expect("moved back");
        assert_eq!(before.changed(&folder), ["bin/c.sh"], "the same file, moved away and back");
        let before = seen(&folder);
        fs::rename(Path::new(&folder).join("bin"), Path::new(&folder).join("old")).expect("moved");
        fs::create_dir(Path::new(&folder).join("bin")).expect("made");
        fs::write(&file, "good").expect("written");
        assert_eq!(before.changed(&folder), ["bin/c.sh"], "another of the same content");
        fs::remove_file(Path::new(&folder).join(FILE)).expect("removed");
        assert!(before.changed(&folder).contains(&FILE.to_owned()));
    }
}
