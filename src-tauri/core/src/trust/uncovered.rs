//! What of a command's arguments no digest stands for, in words: a trust must not seem to be over more than it is.

use super::words::code;
use super::{NOTHING, Snapshot};
use crate::commands::{Command, is_absolute, pieces, places};
use std::collections::BTreeSet;

/// Of one command so many are told.
const TOLD: usize = 20;
/// Of one argument so many characters.
const CHARS: usize = 60;

const SHELLS: [&str; 15] = [
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "fish",
    "ash",
    "busybox",
    "csh",
    "tcsh",
    "cmd",
    "powershell",
    "pwsh",
    "nu",
];

/// Programs that look for files of their own.
const SEEKERS: [&str; 54] = [
    "make",
    "gmake",
    "ninja",
    "just",
    "task",
    "rake",
    "cmake",
    "ctest",
    "meson",
    "bazel",
    "scons",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "bunx",
    "deno",
    "cargo",
    "go",
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "ant",
    "sbt",
    "dotnet",
    "tox",
    "nox",
    "pytest",
    "poetry",
    "uv",
    "uvx",
    "pipenv",
    "hatch",
    "invoke",
    "fab",
    "composer",
    "bundle",
    "rails",
    "mix",
    "docker",
    "docker-compose",
    "podman",
    "terraform",
    "tofu",
    "ansible-playbook",
    "kubectl",
    "helm",
    "git",
    "pre-commit",
    "env",
    "xargs",
    "find",
];

const INTERPRETERS: [&str; 8] = ["python", "pypy", "node", "ruby", "perl", "php", "lua", "rscript"];

/// What is not covered of a command, each said once.
pub(super) fn of(command: &Command, now: &Snapshot) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut told = Vec::new();
    let mut more = 0_usize;
    for (i, element) in command.run.iter().enumerate() {
        let rest = command.run.get(i + 1..).unwrap_or_default();
        let program = program(element, rest).map(|why| format!("{} ({why})", short(element)));
        let paths = named(command, element, i == 0, now);
        for one in program.into_iter().chain(paths) {
            if !seen.insert(one.clone()) {
                continue;
            }
            if told.len() < TOLD { told.push(one) } else { more += 1 }
        }
    }
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told
}

/// Why the program that an element may be reads what no argument names.
fn program(element: &str, rest: &[String]) -> Option<&'static str> {
    let name = element.rsplit(['/', '\\']).next().unwrap_or(element).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let short_flag = |letters: &'static str| {
        move |flag: &String| flag.strip_prefix('-').is_some_and(|flag| flag.contains(|c| letters.contains(c)))
    };
    if SHELLS.contains(&name) {
        let has_text = rest.iter().any(|flag| short_flag("cC")(flag) || flag.eq_ignore_ascii_case("/c"));
        return has_text.then_some("what a shell makes of the text that it is given");
    }
    if SEEKERS.contains(&name) {
        return Some("the files that it looks for by itself, such as a Makefile or a package.json, and what it starts");
    }
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if INTERPRETERS.contains(&bare) && rest.iter().any(short_flag("mcer")) {
        return Some("a module that it is given by its name, or the text");
    }
    None
}

/// What an element names without a digest.
fn named(command: &Command, element: &str, first: bool, now: &Snapshot) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(joined) = element.strip_prefix('-').filter(|rest| !rest.contains('=')) {
        if is_like_a_file(joined) {
            told.push(format!("{} (a name is looked at on its own, or behind a =)", short(element)));
        }
        return told;
    }
    for piece in pieces(element).filter(|piece| !piece.starts_with('-')) {
        let piece_in =
            piece.strip_prefix(now.root.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/')).unwrap_or(piece);
        if matches!(piece.trim_end_matches('/'), "." | "..") || piece.trim_end_matches('/') == now.root {
            told.push(format!("{} (what is in that folder)", short(piece)));
            continue;
        }
        let at = places(&command.dir, piece_in);
        let found: Vec<_> = now.files.iter().filter(|file| at.contains(&file.path)).collect();
        if found.iter().any(|file| file.digest.is_some()) {
            continue;
        }
        let why = match found.first().map(|file| file.at.as_deref()) {
            Some(Some(at)) if at.ends_with(NOTHING) => "a link to nothing",
            Some(Some(at)) if is_absolute(at) => "a link out of this folder",
            Some(_) => "what is in that folder",
            // A program is found on `PATH`, or where it is said.
            None if first && (is_absolute(piece_in) || !piece_in.contains('/')) => continue,
            None if !is_like_a_file(piece_in) => continue,
            None if is_absolute(piece_in) => "outside of this folder",
            None => "no file of this folder now",
        };
        told.push(format!("{} ({why})", short(piece)));
    }
    told
}

/// Whether a text looks as if it named a file: it has folders, or an ending. An address is none.
fn is_like_a_file(text: &str) -> bool {
    if text.contains("://") || text.contains(char::is_whitespace) {
        return false;
    }
    let ending = text.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, ending)| ending);
    let is_ending = (1..=5).contains(&ending.len())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && ending.contains(|c: char| c.is_ascii_alphabetic());
    text.contains(['/', '\\']) || is_ending
}

fn short(text: &str) -> String {
    if text.chars().count() <= CHARS {
        return code(text);
    }
    code(&text.chars().take(CHARS - 1).chain(['…']).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::super::Named;
    use super::super::tests::{command, file, snapshot};
    use super::*;

    fn told(run: &[&str]) -> String {
        let bare = |path: &str, at: Option<&str>| Named { at: at.map(Into::into), digest: None, ..file(path, "") };
        let files = vec![
            file("a.sh", ""),
            file("sub/b.mk", ""),
            bare("pk", None),
            bare("gone", Some("x (nothing is there)")),
            bare("out", Some("/opt/x")),
            bare("in", Some("pk")),
        ];
        of(&command("c", run), &Snapshot { files, ..snapshot() }).join("; ")
    }

    #[test]
    fn a_command_whose_files_all_have_a_digest_leaves_nothing_to_tell() {
        for run in [
            &["sh", "a.sh"][..],
            &["./a.sh", "--fast", "-v", "https://example.com/x.sh", "v1.2.3", "1.5"],
            &["/w/shop/a.sh", "--config=sub/b.mk", "staging"],
            &["/usr/bin/python3", "a.sh"],
            &["echo", "two words.sh"],
        ] {
            assert_eq!(told(run), "", "{run:?}");
        }
    }

    #[test]
    fn what_no_digest_stands_for_is_told_with_the_reason() {
        for (run, want) in [
            (&["sh", "-c", "./a.sh && b"][..], "`sh` (what a shell makes of the text that it is given)"),
            (&["timeout", "5", "/bin/bash", "-ec", "x"], "`/bin/bash` (what a shell makes"),
            (&["make", "-fsub/b.mk"], "`make` (the files that it looks for by itself"),
            (&["make", "-fsub/b.mk"], "`-fsub/b.mk` (a name is looked at on its own, or behind a =)"),
            (&["env", "-C", "sub", "./b.mk"], "`./b.mk` (no file of this folder now)"),
            (&["python3.12", "-m", "tool"], "`python3.12` (a module that it is given by its name"),
            (&["python3", "pk"], "`pk` (what is in that folder)"),
            (&["ls", "/w/shop/pk/"], "`/w/shop/pk/` (what is in that folder)"),
            (&["pytest.exe", "."], "`.` (what is in that folder)"),
            (&["ls", "in"], "`in` (what is in that folder)"),
            (&["./gone"], "`./gone` (a link to nothing)"),
            (&["./out"], "`./out` (a link out of this folder)"),
            (&["cat", "--x=/opt/y"], "`/opt/y` (outside of this folder)"),
            (&["cat", "later.sh"], "`later.sh` (no file of this folder now)"),
            (&["./later"], "`./later` (no file of this folder now)"),
        ] {
            assert!(told(run).contains(want), "{want} in {} of {run:?}", told(run));
        }
    }

    #[test]
    fn much_of_it_is_told_short() {
        let names: Vec<String> = (0..30).map(|n| format!("{n}{}.sh", "é".repeat(1_000))).collect();
        let run: Vec<&str> = ["cat"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let all = told(&run);
        assert!(all.ends_with("; 10 more") && all.len() < 20 * 220, "{all}");
    }
}
