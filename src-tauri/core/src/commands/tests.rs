//! Files as people write them, and what is said of their mistakes.

use super::*;
use expect_test::expect;
use proptest::prelude::*;

fn parse(text: &str) -> Commands {
    Commands::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn wrong(text: &str) -> String {
    Commands::parse(text).map_or_else(|error| error.to_string(), |read| format!("read: {read:?}"))
}

#[test]
fn a_file_is_read_in_its_order_with_what_it_leaves_out() {
    let read = parse(
        "\u{feff}# c\r\ntargets.Live.run = ['d']\r\n[checks.z]\r\nrun = [\"make\", \"\", \"a b\"]\r\n[checks.\"a.1\"]\r\nrun = [\"x\"]\r\ndir = \"./a//b/\"\r\nenv = [\"CI\"]\r\ntimeout_seconds = 86_400\r\n",
    );
    let command = |name: &str, run: &[&str]| Command {
        name: name.into(),
        run: run.iter().map(|text| (*text).to_owned()).collect(),
        dir: ".".into(),
        env: vec![],
        timeout_seconds: 600,
    };
    let second =
        Command { dir: "a/b".into(), env: vec!["CI".into()], timeout_seconds: 86_400, ..command("a.1", &["x"]) };
    assert_eq!(
        read,
        Commands {
            checks: vec![command("z", &["make", "", "a b"]), second],
            targets: vec![Target { command: command("Live", &["d"]), protected: true }],
        }
    );
    assert_eq!(read.check("a.1").map(|check| check.dir.as_str()), Some("a/b"));
    assert!(read.check("Live").is_none() && read.target("Live").is_some() && !read.is_empty());
    assert!(parse("").is_empty() && parse("\n# nothing\n[checks]\n").is_empty());
}

#[test]
fn a_target_is_protected_by_its_name_unless_the_file_says_otherwise() {
    for (name, said, want) in [
        ("production", "", true),
        ("PROD", "", true),
        ("Live", "", true),
        ("production", "protected = false", false),
        ("staging", "", false),
        ("staging", "protected = true", true),
        ("production-eu", "", false),
        ("preprod", "", false),
    ] {
        let read = parse(&format!("[targets.{name}]\nrun = [\"x\"]\n{said}\n"));
        assert_eq!(read.targets[0].protected, want, "{name} {said}");
    }
}

#[test]
fn mistakes_are_told_with_line_and_column_the_limit_and_the_way_out() {
    let long = format!("[checks.{}]\nrun = [\"x\"]", "a".repeat(65));
    let many: String = (0..101).map(|n| format!("[checks.c{n}]\nrun = [\"x\"]\n")).collect();
    let arguments = format!("[checks.a]\nrun = [{}]", "\"x\",".repeat(101));
    let files = [
        "[checks.a\nrun = 1",
        "[checks.a]\nrun = [\"x\"]\n[checks.a]\n",
        "é = 1",
        "[check.a]\nrun = [\"x\"]",
        "checks = 3",
        "checks.a = \"make test\"",
        "[checks.\"a b\"]\nrun = [\"x\"]",
        "[checks.\"\"]\nrun = [\"x\"]",
        &long,
        &many,
        "[checks.a]\n",
        "[checks.a]\nrun = \"make test\"",
        "[checks.a]\nrun = []",
        &arguments,
        "[checks.a]\nrun = [\"\", \"x\"]",
        "[checks.a]\nrun = [\"é\", 3]",
        "[checks.a]\nrun = [\"x\", \"a\\u0000b\"]",
        "[checks.a]\nrun = [\"x\"]\ncommand = \"y\"",
        "[targets.a]\nrun = [\"x\"]\nprotcted = true",
        "[targets.a]\nrun = [\"x\"]\nprotected = \"yes\"",
        "[checks.a]\nrun = [\"x\"]\nprotected = true",
        "[checks.a]\nrun = [\"x\"]\ndir = \"/tmp\"",
        "[checks.a]\nrun = [\"x\"]\ndir = \"C:\\\\x\"",
        "[checks.a]\nrun = [\"x\"]\ndir = \"a\\\\b\"",
        "[checks.a]\nrun = [\"x\"]\ndir = \"a/../..\"",
        "[checks.a]\nrun = [\"x\"]\ndir = \"\"",
        "[checks.a]\nrun = [\"x\"]\nenv = \"CI\"",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"CI=1\"]",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"1A\"]",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"Path\"]",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"CI\", \"LD_PRELOAD\"]",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"DYLD_LIBRARY_PATH\"]",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"COUNTERSIGN_RUN\"]",
        "[checks.a]\nrun = [\"x\"]\nenv = [\"CI\", \"CI\"]",
        "[checks.a]\nrun = [\"x\"]\ntimeout_seconds = 0",
        "[checks.a]\nrun = [\"x\"]\ntimeout_seconds = 86401",
        "[checks.a]\nrun = [\"x\"]\ntimeout_seconds = -1",
        "[checks.a]\nrun = [\"x\"]\ntimeout_seconds = 1.5",
        "[checks.a]\nrun = [\"x\"]\ntimeout_seconds = \"10m\"",
    ];
    let said: String = files.iter().map(|file| wrong(file).replace("countersign.toml, ", "") + "\n").collect();
    expect![[r#"
        line 1, column 10: it isn't TOML: unclosed table, expected `]`; correct it there
        line 3, column 9: it isn't TOML: duplicate key; correct it there
        line 1, column 1: it isn't TOML: invalid unquoted key, expected letters, numbers, `-`, `_`; correct it there
        line 1, column 2: `check` isn't known here; there are [checks.NAME] and [targets.NAME]; did you mean `checks`?
        line 1, column 10: `checks` is a whole number; give tables, as in [checks.NAME]
        line 1, column 12: `checks.a` is a text; give a table, as in [checks.a] with `run = ["make", "a"]`
        line 1, column 9: `checks` has the name “a b”; a name is 1 to 64 letters of A to Z, digits, `_`, `.` and `-`
        line 1, column 9: `checks` has the name “”; a name is 1 to 64 letters of A to Z, digits, `_`, `.` and `-`
        line 1, column 9: `checks` has the name “aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…”; a name is 1 to 64 letters of A to Z, digits, `_`, `.` and `-`
        line 201, column 9: `checks` has more than 100 entries; that many are allowed
        line 1, column 9: `checks.a` has no `run`; say what to run, as in `run = ["make", "a"]`
        line 2, column 7: `checks.a.run` is a text; give a list of texts, as in ["make", "test"]; no shell reads it, so each argument is one text
        line 2, column 7: `checks.a.run` has 0 entries; 1 to 100 are allowed
        line 2, column 7: `checks.a.run` has 101 entries; 1 to 100 are allowed
        line 2, column 8: `checks.a.run[1]` is empty; it is the program to run
        line 2, column 13: `checks.a.run[2]` is a whole number; give a text, in quotes
        line 2, column 13: `checks.a.run[2]` contains a NUL character (U+0000); remove it
        line 3, column 1: `checks.a.command` isn't known; the fields are run, dir, env, timeout_seconds, protected; did you mean `run`?
        line 3, column 1: `targets.a.protcted` isn't known; the fields are run, dir, env, timeout_seconds, protected; did you mean `protected`?
        line 3, column 13: `targets.a.protected` is a text; give true or false
        line 3, column 1: `checks.a.protected` is only for targets; leave it out
        line 3, column 7: `checks.a.dir` is “/tmp”; give it from the workspace's folder, without the beginning
        line 3, column 7: `checks.a.dir` is “C:\x”; give it from the workspace's folder, without the beginning
        line 3, column 7: `checks.a.dir` is “a\b”; write `/` between folders, on every system
        line 3, column 7: `checks.a.dir` is “a/../..”; a command runs inside the workspace; name the folder without `..`
        line 3, column 7: `checks.a.dir` is “”; give a folder, or leave it out for the workspace's own
        line 3, column 7: `checks.a.env` is a text; give a list of variables' names, as in ["CI"]; their values come from where the app was started
        line 3, column 8: `checks.a.env[1]` gives a value; give the name alone, as in "CI"
        line 3, column 8: `checks.a.env[1]` is “1A”; a name is 1 to 100 letters of A to Z, digits and `_`, and begins with no digit
        line 3, column 8: `checks.a.env[1]` is Path, which is fixed when the commands are trusted; leave it out
        line 3, column 14: `checks.a.env[2]` is LD_PRELOAD, which would load other code into every program that was trusted; leave it out
        line 3, column 8: `checks.a.env[1]` is DYLD_LIBRARY_PATH, which would load other code into every program that was trusted; leave it out
        line 3, column 8: `checks.a.env[1]` is COUNTERSIGN_RUN, which Countersign sets itself; leave it out
        line 3, column 14: `checks.a.env[2]` is CI again; leave it out
        line 3, column 19: `checks.a.timeout_seconds` is 0; give a whole number of seconds from 1 to 86400
        line 3, column 19: `checks.a.timeout_seconds` is 86401; give a whole number of seconds from 1 to 86400
        line 3, column 19: `checks.a.timeout_seconds` is -1; give a whole number of seconds from 1 to 86400
        line 3, column 19: `checks.a.timeout_seconds` is a number; give a whole number of seconds from 1 to 86400
        line 3, column 19: `checks.a.timeout_seconds` is a text; give a whole number of seconds from 1 to 86400
    "#]].assert_eq(&said);
    let large = "#".repeat(crate::limit::COMMANDS_BYTES + 1);
    assert_eq!(wrong(&large), "countersign.toml, line 1, column 1: the file has 262145 bytes; 262144 are allowed");
    assert!(parse(&large[1..]).is_empty());
}

#[test]
fn the_limits_themselves_are_fine() {
    let name = "a".repeat(64);
    let many: String = (0..99).map(|n| format!("[checks.c{n}]\nrun = [\"x\"]\n")).collect();
    let read = parse(&format!("[checks.{name}]\nrun = [{}]\ntimeout_seconds = 1\n{many}", "\"x\",".repeat(100)));
    assert_eq!((read.checks.len(), read.checks[0].run.len()), (100, 100));
}

#[test]
fn the_pages_example_is_read() {
    let page = include_str!("../../../../docs/countersign-toml.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let read = parse(example);
    let names: Vec<&str> = read.all().map(|command| command.name.as_str()).collect();
    assert_eq!(names, ["unit", "p99", "staging", "production", "eu-west"]);
    let protected: Vec<bool> = read.targets.iter().map(|target| target.protected).collect();
    assert_eq!(protected, [false, true, true]);
    assert_eq!(read.checks[1].timeout_seconds, 1_800);
    assert!(read.candidate_paths().contains(&"server/bench/budget.json".to_owned()));
    for field in ["run", "dir", "env", "timeout_seconds", "protected"] {
        assert!(page.contains(&format!("\n| `{field}` |")), "{field} is in the table");
    }
    for limit in
        ["1 to 64 characters", "up to 100 |", "1 to 100 texts of up to 10,000", "1 to 86400", "`600`", "256 KiB"]
    {
        assert!(page.contains(limit), "{limit}");
    }
}

#[test]
fn arguments_name_paths_from_both_folders() {
    let paths = |dir: &str, run: &[&str]| {
        let run = run.iter().map(|text| format!("'{text}'")).collect::<Vec<_>>().join(", ");
        parse(&format!("[checks.a]\nrun = [{run}]\ndir = \"{dir}\"")).candidate_paths()
    };
    assert_eq!(
        paths(".", &["./a.sh", "--x=b/c", "-Dk=v=d", "a.sh"]),
        ["a.sh", "--x=b/c", "b/c", "-Dk=v=d", "v=d", "d"]
    );
    assert_eq!(paths("sub", &["a.sh"]), ["sub/a.sh", "a.sh"]);
    assert_eq!(paths("sub", &["../a.sh"]), ["sub/../a.sh", "a.sh", "../a.sh"]);
    assert_eq!(
        paths(".", &["x/l/../a", "/usr/bin/env", "--f=/etc/x"]),
        ["x/l/../a", "x/a", "/usr/bin/env", "--f=/etc/x", "/etc/x"]
    );
    assert_eq!(paths(".", &["x", ".", "", "="]), ["x", "="]);
    assert_eq!(Commands::default().candidate_paths(), Vec::<String>::new());
}

proptest! {
    #[test]
    fn no_file_is_more_than_it_can_take(text in "(\\[(checks|targets)\\.[a-z\"é]{0,3}\\]\n|(run|dir|env|timeout_seconds|protected|x) ?= ?(\\[\"[a-z./=é]{0,4}\",? ?\"?\\]?|[0-9-]{1,4}|true|\"\\PC{0,4}\")\n|\\PC{0,3}){0,12}") {
        if let Err(error) = Commands::parse(&text) {
            let line = text.split('\n').nth(error.line as usize - 1);
            prop_assert!(line.is_some_and(|line| error.column as usize <= line.chars().count() + 1), "{:?} {:?}", text, error);
        }
    }

    #[test]
    fn a_command_that_is_written_is_read_the_same(run in prop::collection::vec("[^\0]{0,12}", 1..5), name in "[A-Za-z0-9_-]{1,12}") {
        prop_assume!(!run[0].trim().is_empty());
        let quoted: Vec<String> = run.iter().map(|text| serde_json::to_string(text).expect("JSON").replace('\u{7f}', "\\u007f")).collect();
        let read = Commands::parse(&format!("[checks.{name}]\nrun = [{}]", quoted.join(", ")));
        prop_assert_eq!(read.map(|read| read.checks[0].run.clone()), Ok(run));
    }
}
