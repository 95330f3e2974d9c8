//! What the rooms may and must never do, as far as a machine can tell (ARCHITECTURE.md). What concerns the page alone
//! (`{@html}`, who imports Tauri, the size of its files) is in `ui/tests/house.test.ts`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("there")
}

/// What is made, not written.
const MADE: [&str; 11] = [
    ".git",
    ".pytest_cache",
    ".venvs",
    "__pycache__",
    "dist",
    "gen",
    "node_modules",
    "permissions",
    "shots",
    "target",
    "bindings",
];

/// Every file that somebody wrote, with its text; pictures and the like left out.
fn files() -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("read") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            // By its name alone: in a worktree git's own is a file.
            if MADE.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                found.push((path.strip_prefix(&root).expect("below").to_string_lossy().into_owned(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 150, "the walk found only {} files", found.len());
    found
}

fn rust() -> Vec<(String, String)> {
    files().into_iter().filter(|(name, _)| name.ends_with(".rs")).collect()
}

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ran = Command::new(cargo).args(arguments).current_dir(root()).output().expect("cargo runs");
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("UTF-8")
}

/// For each package of the workspace what it depends on, tests aside.
fn depends() -> BTreeMap<String, BTreeSet<String>> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"])).expect("JSON");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let of = |package: &Value| {
        let all = package["dependencies"].as_array().expect("a list").iter();
        (name(package), all.filter(|one| one["kind"] != "dev").map(name).collect())
    };
    metadata["packages"].as_array().expect("a list").iter().map(of).collect()
}

#[test]
fn dependencies_between_rooms_point_one_way() {
    let may: [(&str, &[&str]); 9] = [
        ("countersign-core", &[]),
        ("countersign-run-folder", &["countersign-core"]),
        ("countersign-store", &["countersign-core"]),
        ("countersign-broker", &["countersign-core", "countersign-store"]),
        ("countersign-gateway", &["countersign-core", "countersign-broker"]),
        (
            "countersign-host",
            &[
                "countersign-core",
                "countersign-run-folder",
                "countersign-store",
                "countersign-broker",
                "countersign-gateway",
            ],
        ),
        ("countersign-client", &["countersign-core", "countersign-run-folder"]),
        ("countersign", &["countersign-core", "countersign-client", "countersign-host"]),
        ("countersign-desktop", &["countersign-core", "countersign-broker", "countersign-host"]),
    ];
    let depends = depends();
    let rooms: BTreeSet<&String> = depends.keys().collect();
    for (room, may) in may {
        let own = depends.get(room).unwrap_or_else(|| panic!("there is no room {room}"));
        let ours: BTreeSet<&str> = own.iter().filter(|name| rooms.contains(name)).map(String::as_str).collect();
        let wrong: Vec<_> = ours.iter().filter(|name| !may.contains(name)).collect();
        assert!(wrong.is_empty(), "{room} must not know {wrong:?}");
    }
    let known: BTreeSet<&str> = may.iter().map(|(room, _)| *room).collect();
    let new: Vec<&str> = rooms.iter().map(|name| name.as_str()).filter(|name| !known.contains(name)).collect();
    assert_eq!(new, ["countersign-benches", "countersign-inbox-tests"], "a new room needs a line here");
}

#[test]
fn core_knows_no_runtime_no_database_and_no_desktop() {
    let tree = cargo(&["tree", "--offline", "-p", "countersign-core", "-e", "normal", "--prefix", "none", "-f", "{p}"]);
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("serde_json"), "{names:?}");
    for never in ["tokio", "rusqlite", "tauri", "hyper", "rmcp", "rustix", "tracing", "getrandom"] {
        assert!(!names.contains(never), "core must not know {never}");
    }
    let depends = depends();
    for (room, never) in [
        ("countersign-store", &["tokio", "hyper", "rmcp", "tauri"][..]),
        ("countersign-broker", &["rusqlite", "hyper", "rmcp", "tauri"]),
        ("countersign-run-folder", &["tokio", "hyper", "rusqlite", "tauri"]),
        ("countersign-gateway", &["rusqlite", "tauri"]),
        ("countersign-host", &["rusqlite", "hyper", "rmcp", "tauri"]),
        ("countersign-client", &["rusqlite", "rmcp", "tauri"]),
        ("countersign", &["rusqlite", "tauri"]),
        ("countersign-desktop", &["rusqlite", "hyper", "rmcp"]),
    ] {
        let wrong: Vec<_> = never.iter().filter(|name| depends[room].contains(**name)).collect();
        assert!(wrong.is_empty(), "{room} must not know {wrong:?}");
    }
}

#[test]
fn the_client_library_could_be_published_as_it_is() {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"])).expect("JSON");
    let package = |name: &str| {
        let mut all = metadata["packages"].as_array().expect("a list").iter();
        all.find(|package| package["name"] == name).unwrap_or_else(|| panic!("there is no {name}")).clone()
    };
    let mut wanted = vec!["countersign-client".to_owned()];
    while let Some(name) = wanted.pop() {
        let package = package(&name);
        assert_eq!(package["publish"], Value::Null, "{name} may be published");
        for field in ["license", "description"] {
            assert!(package[field].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {field}");
        }
        if let Some(readme) = package["readme"].as_str() {
            let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
            assert!(manifest.with_file_name(readme).exists(), "{name} names {readme}");
        }
        for one in package["dependencies"].as_array().expect("a list") {
            assert!(one["kind"] == "dev" || one["req"] != "*", "{name} needs {} in no version", one["name"]);
            if one["path"].is_string() {
                wanted.push(one["name"].as_str().expect("a name").to_owned());
            }
        }
    }
}

/// Lines in which one of these stands, comments aside.
fn lines_with(files: &[(String, String)], banned: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in files {
        for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            if banned.iter().any(|word| line.contains(word)) {
                found.push(format!("{name}:{}: {}", n + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn no_test_is_ignored_or_hopes_for_a_panic_and_no_lint_is_silenced_without_a_reason() {
    // Put together here, so that this file does not find itself.
    let banned = ["ignore", "ignore =", "should_panic", "allow("].map(|word| match word {
        "ignore" => format!("#[{word}]"),
        word => format!("#[{word}"),
    });
    let banned: Vec<&str> = banned.iter().map(String::as_str).chain([concat!("#![al", "low(")]).collect();
    assert_eq!(lines_with(&rust(), &banned), Vec::<String>::new());
}

#[test]
fn files_stay_below_450_lines() {
    let code = |name: &str| [".rs", ".ts", ".js", ".svelte", ".css", ".sql"].iter().any(|end| name.ends_with(end));
    let long: Vec<_> = files()
        .into_iter()
        .filter(|(name, _)| code(name))
        .map(|(name, text)| (text.lines().count(), name))
        .filter(|(lines, _)| *lines > 450)
        .collect();
    assert_eq!(long, []);
}

#[test]
fn every_module_begins_by_saying_what_it_is_for() {
    let silent: Vec<_> =
        rust().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(name, _)| name).collect();
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn every_migration_is_in_the_list_and_in_order() {
    let store = root().join("src-tauri/store");
    let mut names: Vec<_> = std::fs::read_dir(store.join("migrations"))
        .expect("read")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let list = std::fs::read_to_string(store.join("src/migration.rs")).expect("read");
    let listed: Vec<_> =
        list.split("include_str!(\"../migrations/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(listed, names);
    for (n, name) in names.iter().enumerate() {
        assert!(name.starts_with(&format!("{:03}_", n + 1)) && name.ends_with(".sql"), "{name}");
    }
}

#[test]
fn nothing_here_knows_the_machine_it_was_made_on_or_where_its_packages_came_from() {
    let home = std::env::var("HOME").unwrap_or_default();
    let mut banned =
        vec![concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/Us", "ers/"), concat!("C:\\", "Users")];
    if home.len() > 3 {
        banned.push(&home);
    }
    let all = files();
    assert_eq!(lines_with(&all, &banned), Vec::<String>::new());
    for (name, text) in &all {
        if name.ends_with("Cargo.lock") {
            let official = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
            let other: Vec<_> = text.lines().filter(|line| line.starts_with("source") && *line != official).collect();
            assert!(other.is_empty(), "{name}: {other:?}");
        }
        if name.ends_with("package-lock.json") {
            assert!(!text.contains("\"resolved\": \"http"), "{name} names a registry");
        }
        if name.ends_with(".npmrc") || name.ends_with("requirements.txt") || name.contains("requirements-") {
            let named = ["registry=", "--index-url", "--extra-index-url", "--find-links", "http://", "https://"];
            assert!(named.iter().all(|word| !text.contains(word)), "{name} names a registry");
        }
        assert!(!name.starts_with(".cargo/"), "{name} is a machine's own matter");
    }
}

#[test]
fn every_test_that_the_field_cases_name_exists() {
    let table = std::fs::read_to_string(root().join("docs/field-cases.md")).expect("read");
    let mut named = 0;
    for row in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| #")) {
        let by = row.split(" | ").nth(2).unwrap_or_default();
        let mut text = String::new();
        for name in by.split('`').skip(1).step_by(2) {
            if name.contains('/') {
                text = std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
            } else {
                named += 1;
                assert!(text.contains(&format!("{name}(")) || text.contains(&format!("\"{name}\"")), "{name}: {row}");
            }
        }
    }
    assert!(named > 30, "only {named} are named");
}
