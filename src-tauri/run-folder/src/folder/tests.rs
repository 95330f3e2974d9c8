//! What is read, what is not, and that no link leads out of the folder.

use super::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

struct Place {
    outer: tempfile::TempDir,
    path: PathBuf,
}

fn place() -> Place {
    let outer = tempfile::tempdir().expect("a folder");
    let path = outer.path().canonicalize().expect("a path").join("run");
    fs::create_dir(&path).expect("made");
    Place { outer, path }
}

impl Place {
    fn open(&self) -> Opened {
        Opened::at(&self.path).expect("opens")
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path.join(name), bytes).expect("written");
    }

    fn look(&self) -> Look {
        self.open().read(&Name::Legacy, Timestamp(0))
    }
}

#[test]
fn a_plain_text_file_is_read_and_nothing_else() {
    let place = place();
    assert_eq!(place.look(), Look::Nothing);
    place.write(LEGACY_FILE, "\u{feff} \r\n");
    assert_eq!(place.look(), Look::Nothing, "blank");
    place.write(LEGACY_FILE, "2\n");
    assert_eq!(place.look(), Look::Text("2\n".into()));
    place.write(LEGACY_FILE, [0xff, 0xfe]);
    assert_eq!(place.look(), Look::Unfit(Unfit::NoText));
    place.write(LEGACY_FILE, vec![b'x'; ANSWER_FILE_BYTES as usize]);
    assert!(matches!(place.look(), Look::Text(_)));
    place.write(LEGACY_FILE, vec![b'x'; ANSWER_FILE_BYTES as usize + 1]);
    assert_eq!(place.look(), Look::Unfit(Unfit::Large));
    fs::remove_file(place.path.join(LEGACY_FILE)).expect("removed");
    fs::create_dir(place.path.join(LEGACY_FILE)).expect("made");
    assert_eq!(place.look(), Look::Unfit(Unfit::Special));
    fs::remove_dir(place.path.join(LEGACY_FILE)).expect("removed");
    rustix::fs::mkfifoat(rustix::fs::CWD, place.path.join(LEGACY_FILE), Mode::RWXU).expect("made");
    assert_eq!(place.look(), Look::Unfit(Unfit::Special), "and nobody waits for a pipe");
}

const LEGACY_FILE: &str = crate::name::LEGACY;

#[test]
fn links_are_not_followed_wherever_they_stand() {
    let place = place();
    let secret = place.outer.path().join("secret");
    fs::write(&secret, "1").expect("written");
    let answer = place.path.join(LEGACY_FILE);
    symlink(&secret, &answer).expect("linked");
    assert_eq!(place.look(), Look::Unfit(Unfit::Link));
    fs::remove_file(&answer).expect("removed");
    fs::hard_link(&secret, &answer).expect("linked");
    assert_eq!(place.look(), Look::Unfit(Unfit::Link));
    fs::remove_file(&answer).expect("removed");

    let elsewhere = place.outer.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    fs::write(elsewhere.join("a.txt"), "1").expect("written");
    symlink(&elsewhere, place.path.join("answers")).expect("linked");
    assert_eq!(place.open().names(), [], "a linked folder of answers");
    assert_eq!(place.open().read(&Name::Answer("a".into()), Timestamp(0)), Look::Nothing);

    let moved = place.outer.path().join("moved");
    fs::rename(&place.path, &moved).expect("moved");
    symlink(&moved, &place.path).expect("linked");
    assert!(Opened::at(&place.path).is_err(), "the run folder itself");
    assert!(Opened::at(&place.path.join("answers")).is_err(), "a folder on the way");
    assert!(Opened::at(Path::new("run")).is_err());
    assert!(Opened::at(Path::new("/")).is_err());
}

#[test]
fn what_is_older_than_the_question_is_not_read() {
    let place = place();
    place.write(LEGACY_FILE, "1");
    let written = SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000);
    fs::File::options()
        .write(true)
        .open(place.path.join(LEGACY_FILE))
        .and_then(|f| f.set_modified(written))
        .expect("set");
    let look = |asked| place.open().read(&Name::Legacy, Timestamp(asked));
    assert!(matches!(look(1_000_000), Look::Text(_)));
    assert!(matches!(look(1_000_000 + FILE_CLOCK_LAG_MILLIS), Look::Text(_)), "a tick of the file system's clock");
    assert_eq!(look(1_000_001 + FILE_CLOCK_LAG_MILLIS), Look::Old);
}

#[test]
fn what_is_set_aside_never_covers_what_is_there() {
    let place = place();
    place.write("approval-response.set-aside-1.txt", "mine");
    for (text, target) in [("a", "approval-response.set-aside-2.txt"), ("b", "approval-response.set-aside-3.txt")] {
        place.write(LEGACY_FILE, text);
        assert_eq!(place.open().set_aside(&Name::Legacy).expect("moved"), target);
        assert_eq!(fs::read_to_string(place.path.join(target)).expect("there"), text);
    }
    assert_eq!(fs::read_to_string(place.path.join("approval-response.set-aside-1.txt")).expect("there"), "mine");
}

#[test]
fn pending_json_of_somebody_else_is_left_alone_and_ours_is_written_anew() {
    let place = place();
    let pending = place.path.join(PENDING);
    let ours = crate::pending::document(&[]);
    assert!(place.open().write_pending(&ours).expect("written"));
    assert!(place.open().write_pending(&ours).expect("written again"));
    serde_json::from_str::<serde_json::Value>(&fs::read_to_string(&pending).expect("there")).expect("JSON");
    place.open().remove_pending();
    assert!(!pending.exists());
    place.write(PENDING, "{\"mine\": true}");
    assert!(!place.open().write_pending(&ours).expect("looked"));
    place.open().remove_pending();
    assert_eq!(fs::read_to_string(&pending).expect("there"), "{\"mine\": true}");
    fs::remove_file(&pending).expect("removed");
    let target = place.outer.path().join("target");
    fs::write(&target, &ours).expect("written");
    symlink(&target, &pending).expect("linked");
    assert!(!place.open().write_pending(&ours).expect("looked"), "a link");
}

#[test]
fn a_file_that_was_replaced_meanwhile_is_not_removed_and_one_is_named_after_its_request() {
    let place = place();
    place.write(LEGACY_FILE, "1");
    let opened = place.open();
    let before = opened.sight(&Name::Legacy).expect("there");
    place.write(LEGACY_FILE, "another one");
    opened.remove(&Name::Legacy, &before);
    assert!(place.path.join(LEGACY_FILE).exists());
    assert!(opened.name_after("id").expect("moved"));
    assert_eq!(opened.names(), [Name::Answer("id".into())]);
    place.write(LEGACY_FILE, "a third");
    assert!(!opened.name_after("id").expect("looked"), "there is an answer already");
}
