use super::*;
use std::fs;
use std::os::unix::fs::symlink;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("w/docs")).expect("made");
        fs::create_dir_all(folder.path().join("mine")).expect("made");
        Self { folder }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("there").join(path)
    }

    fn text(&self, path: &str) -> String {
        self.at(path).to_str().expect("UTF-8").to_owned()
    }

    fn write(&self, path: &str, content: &str) -> String {
        fs::create_dir_all(self.at(path).parent().expect("a folder")).expect("made");
        fs::write(self.at(path), content).expect("written");
        self.text(path)
    }

    fn give(&self, path: &str, destination: Option<&str>) -> Result<Done, BrokerError> {
        give(&self.text("w"), path, destination)
    }

    fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).expect("read") {
                let path = entry.expect("an entry").path();
                if path.is_dir() && !path.is_symlink() {
                    walk(&path, root, found);
                } else {
                    found.push(path.strip_prefix(root).expect("below").to_string_lossy().into_owned());
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.at("w"), &self.at("w"), &mut found);
        found.sort();
        found
    }
}

#[test]
fn a_copy_is_made_and_nothing_is_ever_overwritten() {
    let place = Place::new();
    let mine = place.write("mine/syllabus.pdf", "one");
    let cases: [(Option<&str>, &str); 5] = [
        (None, "syllabus.pdf"),
        (Some("docs"), "docs/syllabus.pdf"),
        (Some("new/deep/"), "new/deep/syllabus.pdf"),
        (Some("docs/plan.pdf"), "docs/plan.pdf"),
        (Some("./docs/./again.pdf"), "docs/again.pdf"),
    ];
    for (destination, want) in cases {
        let done = place.give(&format!(" '{mine}' "), destination).expect("given");
        assert_eq!((done.given.path.as_str(), done.given.bytes, done.given.already_there), (want, 3, false));
        assert_eq!(fs::read_to_string(place.at("w").join(want)).expect("read"), "one");
    }
    let again = place.give(&mine, Some("docs/plan.pdf")).expect("given");
    assert!(again.given.already_there && again.given.path == "docs/plan.pdf", "the same content is recognised");
    let other = place.write("mine/other/syllabus.pdf", "two");
    assert_eq!(place.give(&other, None).expect("given").given.path, "syllabus (2).pdf");
    assert_eq!(fs::read_to_string(place.at("w/syllabus.pdf")).expect("read"), "one");
    assert!(place.give(&other, None).expect("given").given.already_there, "also under its second name");
    let inside = place.write("w/own.txt", "x");
    let own = place.give(&inside, Some("docs/")).expect("given").given;
    assert!(own.already_there && own.path == "own.txt", "what is in the workspace is not copied within it");
    assert!(place.files().iter().all(|name| !name.ends_with(".part")), "{:?}", place.files());
    assert!(place.at("mine/syllabus.pdf").exists(), "the person's stays");
}

#[test]
fn what_is_refused_leaves_nothing_behind_and_says_why() {
    let place = Place::new();
    let mine = place.write("mine/a.txt", "x");
    let big = place.text("mine/big.bin");
    fs::File::create(&big).and_then(|file| file.set_len(limit::FILE_BYTES + 1)).expect("made");
    assert!(std::process::Command::new("mkfifo").arg(place.at("mine/pipe")).status().expect("ran").success());
    symlink(place.at("mine"), place.at("w/out")).expect("linked");
    let said = |path: &str, destination: Option<&str>| {
        place.give(path, destination).map(|_| ()).expect_err("refused").to_string()
    };
    assert!(said(&big, None).contains("52428801 bytes; 52428800 (50 MiB) are allowed"), "{}", said(&big, None));
    for (path, destination) in [
        (place.text("mine/pipe"), None),
        (place.text("mine"), None),
        (place.text("mine/none"), None),
        ("a.txt".to_owned(), None),
        (String::new(), None),
        (mine.clone(), Some("../a.txt")),
        (mine.clone(), Some("out/")),
        (mine.clone(), Some("out/a.txt")),
        (mine.clone(), Some("/etc/a.txt")),
        (mine.clone(), Some(".git/hooks/pre-commit")),
        (mine.clone(), Some("docs/.Git/x")),
    ] {
        said(&path, destination);
    }
    assert_eq!(place.files(), ["out"]);
    assert_eq!(fs::read_dir(place.at("mine")).expect("read").count(), 3);
    for destination in ["../a", "/etc/a", "out/a", ".git/x"] {
        assert!(check_destination(&place.text("w"), destination).is_err(), "{destination}");
    }
    for destination in ["docs/", "docs/new/a.pdf", "a.pdf", &place.text("w/docs/a.pdf")] {
        assert!(check_destination(&place.text("w"), destination).is_ok(), "{destination}");
    }
}

#[test]
fn a_link_of_the_persons_is_followed_and_one_in_the_way_of_the_copy_is_not() {
    let place = Place::new();
    let real = place.write("mine/real.txt", "x");
    symlink(&real, place.at("mine/link.txt")).expect("linked");
    symlink(place.at("mine/victim.txt"), place.at("w/real.txt")).expect("linked");
    let done = place.give(&place.text("mine/link.txt"), None).expect("given");
    assert_eq!(done.given.path, "real (2).txt", "the link stays as it is");
    assert!(!place.at("mine/victim.txt").exists());
}

#[test]
fn what_was_done_for_a_decision_that_was_refused_is_undone() {
    let place = Place::new();
    let mine = place.write("mine/a.txt", "x");
    place.give(&mine, None).expect("given").undo();
    assert_eq!(place.files(), Vec::<String>::new());
    place.write("w/docs/old.txt", "old");
    let shown = look(&place.text("w"), "docs/old.txt").expect("there");
    retire(&place.text("w"), &shown).expect("set aside").undo();
    assert_eq!(place.files(), ["docs/old.txt"]);
    place.write("w/a.txt", "x");
    place.give(&mine, None).expect("given").undo();
    assert!(place.at("w/a.txt").exists(), "what was there already stays");
}

#[test]
fn a_file_is_set_aside_whole_and_only_as_it_was_shown() {
    let place = Place::new();
    place.write("w/docs/old.txt", "old");
    let shown = look(&place.text("w"), "docs/old.txt").expect("there");
    assert_eq!((shown.path.as_str(), shown.bytes), ("docs/old.txt", 3));
    place.write("w/docs/old.txt", "new");
    assert!(matches!(retire(&place.text("w"), &shown), Err(BrokerError::Stale)), "it changed");
    place.write("w/docs/old.txt", "old");
    let done = retire(&place.text("w"), &shown).expect("set aside");
    assert_eq!(done.given.path, ".countersign/retired/docs/old.txt");
    assert_eq!(place.files(), [".countersign/retired/docs/old.txt"]);
    let again = retire(&place.text("w"), &shown).expect("after a crash it finds what it did");
    assert_eq!(again.given.path, ".countersign/retired/docs/old.txt");
    place.write("w/docs/old.txt", "another");
    let shown = look(&place.text("w"), "docs/old.txt").expect("there");
    assert_eq!(
        retire(&place.text("w"), &shown).expect("set aside").given.path,
        ".countersign/retired/docs/old (2).txt"
    );
    for path in [".countersign/retired/docs/old.txt", "../mine", "docs", "none"] {
        assert!(look(&place.text("w"), path).is_err(), "{path}");
    }
}
