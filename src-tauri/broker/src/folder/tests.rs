//! What is in a folder, as far as commands go.

use super::*;
use std::os::unix::fs::{PermissionsExt as _, symlink};

const PATH: &str = "/usr/bin:/bin";

/// A workspace whose only target runs this, and a folder beside it.
fn place(run: &str) -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::tempdir().expect("a folder");
    let root = outer.path().canonicalize().expect("a path").join("w");
    fs::create_dir_all(root.join("scripts")).expect("made");
    fs::create_dir_all(root.join("../outside")).expect("made");
    write(&root, FILE, &format!("[targets.t]\nrun = {run}\n"));
    (outer, root)
}

fn write(root: &Path, name: &str, text: &str) {
    fs::write(root.join(name), text).expect("written");
}

fn see(root: &Path) -> Observed {
    observe(root.to_str().expect("UTF-8"), PATH).expect("seen")
}

fn names(root: &Path) -> Vec<String> {
    let shown = |file: Named| match (file.at, file.digest) {
        (None, Some(_)) => file.path,
        (Some(at), Some(_)) => format!("{} -> {at}", file.path),
        (Some(at), None) => format!("{} => {at}", file.path),
        (None, None) => format!("{}/", file.path),
    };
    see(root).snapshot.files.into_iter().map(shown).collect()
}

#[test]
fn every_file_of_the_workspace_that_an_argument_names_is_seen_and_nothing_else() {
    let run = r#"["sh", "scripts/a.sh", "--config=b.toml", "ci/c.sh", "/bin/sh", "../outside/d.sh", "nothing.sh", "scripts", "./e.sh", "sh -c f.txt", "a > f.txt"]"#;
    let (_outer, root) = place(run);
    for name in ["scripts/a.sh", "b.toml", "e.sh", "f.txt", "unnamed.sh", "../outside/d.sh"] {
        write(&root, name, name);
    }
    assert_eq!(names(&root), ["b.toml", "e.sh", "scripts/", "scripts/a.sh"]);
    let seen = see(&root);
    let a = seen.snapshot.files.iter().find(|file| file.path == "scripts/a.sh").expect("seen");
    assert_eq!((a.digest, a.text.as_deref()), (Some(Digest::of_bytes(b"scripts/a.sh")), Some("scripts/a.sh")));
    assert_eq!(seen.snapshot.path_env, PATH);
    let absolute = format!(r#"["{}/e.sh"]"#, root.display());
    write(&root, FILE, &format!("[checks.c]\nrun = {absolute}\n"));
    assert_eq!(names(&root), ["e.sh"]);
}

#[test]
fn a_name_counts_from_the_working_folder_and_from_the_workspace() {
    let (_outer, root) = place(r#"["./a.sh", "x/../b.sh"]"#);
    write(&root, FILE, "[targets.t]\nrun = [\"./a.sh\", \"x/../b.sh\"]\ndir = \"scripts\"\n");
    fs::create_dir(root.join("scripts/x")).expect("made");
    for name in ["scripts/a.sh", "a.sh", "scripts/b.sh"] {
        write(&root, name, name);
    }
    assert_eq!(names(&root), ["a.sh", "scripts/a.sh", "scripts/b.sh", "scripts/x/../b.sh -> scripts/b.sh"]);
}

/// What happens to the folder, in words and in fact.
type Change = (&'static str, fn(&Path));

#[test]
fn whatever_happens_to_a_named_file_changes_the_digest() {
    let changes: [Change; 9] = [
        ("its content", |root| write(root, "scripts/a.sh", "two")),
        ("it is gone", |root| fs::remove_file(root.join("scripts/a.sh")).expect("removed")),
        ("it may be executed", |root| {
            fs::set_permissions(root.join("scripts/a.sh"), fs::Permissions::from_mode(0o755)).expect("set");
        }),
        ("a link in its place, to the same content", |root| {
            write(root, "other.sh", "one");
            fs::remove_file(root.join("scripts/a.sh")).expect("removed");
            symlink("../other.sh", root.join("scripts/a.sh")).expect("linked");
        }),
        ("a link in its place that leads outside", |root| {
            write(root, "../outside/a.sh", "one");
            fs::remove_file(root.join("scripts/a.sh")).expect("removed");
            symlink("../../outside/a.sh", root.join("scripts/a.sh")).expect("linked");
        }),
        ("a link that leads elsewhere now", |root| {
            fs::remove_file(root.join("link.sh")).expect("removed");
            write(root, "copy.sh", "one");
            symlink("copy.sh", root.join("link.sh")).expect("linked");
        }),
        ("a folder on the way is a link now", |root| {
            fs::rename(root.join("scripts"), root.join("moved")).expect("moved");
            symlink("moved", root.join("scripts")).expect("linked");
        }),
        ("one that an argument named before it was there", |root| write(root, "new.sh", "")),
        ("the file itself", |root| {
            let text = fs::read_to_string(root.join(FILE)).expect("read");
            write(root, FILE, &format!("{text}\n"));
        }),
    ];
    for (what, change) in changes {
        let (_outer, root) = place(r#"["scripts/a.sh", "link.sh", "new.sh"]"#);
        write(&root, "scripts/a.sh", "one");
        symlink("scripts/a.sh", root.join("link.sh")).expect("linked");
        let before = see(&root).snapshot;
        assert_eq!(see(&root).snapshot.digest(), before.digest());
        change(&root);
        let now = see(&root).snapshot;
        assert_ne!(now.digest(), before.digest(), "{what}");
        assert!(!now.differs(&before).is_empty(), "{what}");
    }
}

#[test]
fn a_link_out_of_the_workspace_is_seen_as_that_and_what_is_there_is_not_looked_at() {
    let (_outer, root) = place(r#"["./tool", "folder/x.sh"]"#);
    write(&root, "../outside/x.sh", "x");
    symlink("/bin/sh", root.join("tool")).expect("linked");
    symlink("../outside", root.join("folder")).expect("linked");
    let outside = root.parent().expect("a folder").join("outside/x.sh");
    let shell = fs::canonicalize("/bin/sh").expect("there");
    assert_eq!(names(&root), [format!("folder/x.sh => {}", outside.display()), format!("tool => {}", shell.display())]);
    let before = see(&root).snapshot.digest();
    write(&root, "../outside/x.sh", "y");
    assert_eq!(see(&root).snapshot.digest(), before);
    symlink("nowhere", root.join("scripts/dangling")).expect("linked");
    write(&root, FILE, "[targets.t]\nrun = [\"scripts/dangling\", \"scripts/loop\"]\n");
    symlink("loop", root.join("scripts/loop")).expect("linked");
    let error = observe(root.to_str().expect("UTF-8"), PATH).expect_err("refused");
    assert_eq!(error.to_string(), "scripts/loop can't be read: its links go in a circle");
}

#[test]
fn a_link_to_nothing_is_seen_and_so_is_what_comes_there() {
    let (_outer, root) = place(r#"["scripts/gone", "scripts/away", "scripts/deep/x.sh"]"#);
    symlink("nowhere", root.join("scripts/gone")).expect("linked");
    symlink("../../outside/none", root.join("scripts/away")).expect("linked");
    symlink("none", root.join("scripts/deep")).expect("linked");
    let outside = root.parent().expect("a folder").join("outside/none");
    let nothing = [
        format!("scripts/away => {} (nothing is there)", outside.display()),
        "scripts/deep/x.sh => scripts/none/x.sh (nothing is there)".to_owned(),
        "scripts/gone => scripts/nowhere (nothing is there)".to_owned(),
    ];
    assert_eq!(names(&root), nothing);
    write(&root, "../outside/none", "");
    write(&root, "scripts/nowhere", "");
    fs::create_dir(root.join("scripts/none")).expect("made");
    let there = [format!("scripts/away => {}", outside.display()), "scripts/gone -> scripts/nowhere".to_owned()];
    assert_eq!(names(&root), there);
}

#[cfg(target_os = "linux")]
#[test]
fn a_way_that_is_another_for_everybody_makes_the_folder_unusable() {
    let (_outer, root) = place(r#"["true"]"#);
    write(&root, "r.sh", "");
    symlink("/proc/self/cwd/r.sh", root.join("x.sh")).expect("linked");
    symlink("/dev/fd", root.join("fd")).expect("linked");
    symlink("/dev/null", root.join("null")).expect("linked");
    for path in ["x.sh", "/proc/self/cwd/r.sh", "--file=/dev/fd/3", "fd/3", "/sys/kernel", "../../../../../proc/1/exe"]
    {
        write(&root, FILE, &format!("[targets.t]\nrun = [\"sh\", \"{path}\"]\n"));
        let error = observe(root.to_str().expect("UTF-8"), PATH).expect_err(path);
        assert!(matches!(error, FolderError::Special { .. }), "{path}: {error}");
    }
    write(&root, FILE, "[targets.t]\nrun = [\"sh\", \"--log=/dev/null\", \"/dev/stdin\", \"null\"]\n");
    assert_eq!(names(&root), ["null => /dev/null"]);
}

#[test]
fn a_workspace_that_is_a_link_is_the_folder_that_it_led_to() {
    let (outer, root) = place(r#"["./a.sh"]"#);
    let other = outer.path().join("other");
    fs::create_dir(&other).expect("made");
    for folder in [&root, &other] {
        write(folder, FILE, "[targets.t]\nrun = [\"./a.sh\"]\n");
        write(folder, "a.sh", "the same");
    }
    let link = outer.path().join("link");
    symlink(&root, &link).expect("linked");
    let before = see(&link).snapshot;
    assert_eq!((before.root.as_str(), before.digest()), (root.to_str().expect("UTF-8"), see(&root).snapshot.digest()));
    fs::remove_file(&link).expect("removed");
    symlink(&other, &link).expect("linked");
    let now = see(&link).snapshot;
    assert_ne!(now.digest(), before.digest());
    assert_eq!(now.differs(&before), ["where the folder is"]);
}

#[test]
fn what_is_no_file_is_refused_and_not_waited_for() {
    let (_outer, root) = place(r#"["pipe", "socket", "link"]"#);
    let see = |name: &str| {
        write(&root, FILE, &format!("[targets.t]\nrun = [\"{name}\"]\n"));
        observe(root.to_str().expect("UTF-8"), PATH)
    };
    let pipe = |at: PathBuf| assert!(std::process::Command::new("mkfifo").arg(at).status().expect("made").success());
    pipe(root.join("pipe"));
    pipe(root.join("../outside/pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).expect("bound");
    symlink("../outside/pipe", root.join("link")).expect("linked");
    for name in ["pipe", "socket", "link"] {
        assert_eq!(see(name).map(|_| ()), Err(FolderError::Special { path: name.into() }));
    }
    pipe(root.join("file"));
    fs::rename(root.join("file"), root.join(FILE)).expect("moved");
    let error = observe(root.to_str().expect("UTF-8"), PATH).expect_err("refused");
    assert_eq!(error.to_string(), "countersign.toml can't be read: it is no regular file");
}

#[test]
fn what_is_too_much_is_refused_before_it_is_read() {
    let (_outer, root) = place(r#"["big.bin", "more.bin"]"#);
    fs::write(root.join("big.bin"), vec![0; 300 << 10]).expect("written");
    let seen = see(&root).snapshot;
    assert_eq!(
        seen.files.iter().map(|file| (file.path.as_str(), file.text.is_some())).collect::<Vec<_>>(),
        [("big.bin", false)]
    );
    fs::File::create(root.join("more.bin")).and_then(|file| file.set_len(1 << 40)).expect("written");
    let error = observe(root.to_str().expect("UTF-8"), PATH).expect_err("refused");
    assert!(error.to_string().contains("more than 67108864 bytes in all"), "{error}");
    let many: Vec<String> = (0..=limit::TRUST_FILES).map(|n| format!("many/{n}")).collect();
    fs::create_dir(root.join("many")).expect("made");
    for name in &many {
        write(&root, name, "");
    }
    // A hundred arguments a command, as many as there may be.
    let command = |(n, names): (usize, &[String])| format!("[checks.c{n}]\nrun = {names:?}\n");
    write(&root, FILE, &many.chunks(100).enumerate().map(command).collect::<String>());
    assert!(matches!(observe(root.to_str().expect("UTF-8"), PATH), Err(FolderError::TooMuch { .. })));
}

#[test]
fn a_folder_without_commands_says_why() {
    let (_outer, root) = place(r#"["true"]"#);
    let said = |text: &str| {
        write(&root, FILE, text);
        observe(root.to_str().expect("UTF-8"), PATH).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(said(""), Ok(()), "an empty file is fine");
    let wrong = said("[targets.t]\nrun = \"true\"\n").expect_err("refused");
    assert!(wrong.starts_with("countersign.toml has a mistake in line 2, column "), "{wrong}");
    fs::write(root.join(FILE), b"[checks.a]\n  \xff").expect("written");
    let wrong = observe(root.to_str().expect("UTF-8"), PATH).expect_err("refused");
    assert!(matches!(wrong, FolderError::Mistake { line: 2, column: 3, .. }), "{wrong}");
    assert!(said(&"#".repeat(300 << 10)).expect_err("refused").contains("more than"));
    fs::remove_file(root.join(FILE)).expect("removed");
    assert!(matches!(observe(root.to_str().expect("UTF-8"), PATH), Err(FolderError::NoFile { .. })));
    write(&root, "../outside/c.toml", "");
    symlink("../outside/c.toml", root.join(FILE)).expect("linked");
    assert_eq!(observe(root.to_str().expect("UTF-8"), PATH), Err(FolderError::Outside));
    assert_eq!(observe("", PATH), Err(FolderError::NoFolder));
    assert!(matches!(observe("/no/such/folder", PATH), Err(FolderError::Unreadable { .. })));
}

#[test]
fn commands_run_in_the_workspace_and_find_programs_outside_of_it() {
    let (_outer, root) = place(r#"["true"]"#);
    let folder = root.to_str().expect("UTF-8");
    symlink("../outside", root.join("out")).expect("linked");
    symlink("scripts", root.join("in")).expect("linked");
    assert_eq!(working_folder(folder, "."), Ok(root.clone()));
    assert_eq!(working_folder(folder, "in"), Ok(root.join("scripts")));
    for (dir, why) in [
        ("out", "leads out"),
        ("../outside", "leads out"),
        ("/", "leads out"),
        ("none", "can't be used"),
        (FILE, "no folder"),
    ] {
        assert!(working_folder(folder, dir).expect_err("refused").contains(why), "{dir}");
    }
    let path = search_path("/usr");
    assert!(
        !path.split(':').any(|entry| entry.is_empty() || entry.starts_with("/usr") || !entry.starts_with('/')),
        "{path}"
    );
}
