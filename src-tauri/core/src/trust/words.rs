//! What a person is shown before they trust a workspace's commands, and what a model is told of it.

use super::uncovered;
use super::{FILE, NOTHING, Named, QUESTION, Snapshot, TOOL, TYPED, all, is_yes};
use crate::class::Class;
use crate::commands::{Command, Commands};
use crate::limit;
use crate::question::Question;
use crate::request::{Ask, OnExpiry, Request, State, title_from};
use serde_json::json;
use similar::{Algorithm, TextDiff};
use std::fmt::Write as _;
use std::time::Duration;

/// How long one comparison may look for the shortest way to show a change.
const DIFF: Duration = Duration::from_millis(200);
/// What is shown of all files together, in bytes; the rest of the context is small.
const SHOWN: usize = limit::BODY_BYTES / 2;
/// What is told of all commands together that no digest stands for, in bytes.
const UNCOVERED: usize = limit::BODY_BYTES / 16;

/// How far a trust reaches, at the end of the commands.
const COVERED: &str = "Covered are the files that are shown or named here with their content: when one of them changes, nothing runs before you are asked again. Not covered: the programs on `PATH`, what any of these read or start besides, and what else an agent may change in this folder.\n\n";

/// The request for trust in a folder as it is now. `before` is what was trusted last.
pub fn ask(folder: &str, commands: &Commands, now: &Snapshot, before: Option<&Snapshot>) -> Ask {
    let name = folder.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(folder);
    let again = if before.is_some() { "They changed since you trusted them. " } else { "" };
    let targets = |protected| {
        let names = commands.targets.iter().filter(|target| target.protected == protected);
        names.map(|target| format!("“{}”", target.command.name)).collect::<Vec<_>>().join(", ")
    };
    let (open, shut) = (targets(false), targets(true));
    let mut question = format!("{again}Trust the commands of this folder? Agents that work in it may then run them");
    if commands.checks.is_empty() {
        question.push_str(": ");
    } else {
        let _ = write!(question, ": its {} at any time", many(commands.checks.len(), "check"));
    }
    if !open.is_empty() {
        let _ = write!(question, "; deployments to {open} without asking you");
    }
    if !shut.is_empty() {
        let _ = write!(question, "; deployments to {shut} after asking you each time");
    }
    let question = question.replace(": ;", ":");
    let question = format!("{}. They run as you, with what you may do.", question.trim_end_matches([':', ' ']));
    Ask {
        tool: TOOL.to_owned(),
        class: Class::Destructive,
        title: title_from(&format!("Trust the commands of {name}")),
        context: Some(context(commands, now, before)),
        questions: vec![Question::confirm(QUESTION, question.chars().take(limit::QUESTION_CHARS).collect())],
        arguments: json!({"digest": now.digest()}),
        expires_in: None,
        on_expiry: OnExpiry::Expire,
        subject: None,
        typed_word: Some(TYPED.to_owned()),
        safe_options: Vec::new(),
        gate: false,
    }
}

fn many(n: usize, what: &str) -> String {
    if n == 1 { format!("{n} {what}") } else { format!("{n} {what}s") }
}

fn context(commands: &Commands, now: &Snapshot, before: Option<&Snapshot>) -> String {
    // What is new comes first: a person who trusted most of it before looks for that.
    let mut out = before.map_or_else(String::new, |_| changes(now, before));
    let mut room = UNCOVERED;
    for (what, command) in all(commands) {
        let protected =
            commands.targets.iter().any(|target| target.protected && std::ptr::eq(&target.command, command));
        let asks = if protected { " (protected)" } else { "" };
        let _ = writeln!(out, "**{}**{asks}\n\n{}", code(&what), described(command));
        let told = uncovered::of(command, now).join("; ");
        if told.len() > room {
            out.push_str("Not covered: more than can be told here. Read the command.\n\n");
        } else if !told.is_empty() {
            room -= told.len();
            let _ = writeln!(out, "Not covered: {told}.\n");
        }
    }
    out.push_str(COVERED);
    if before.is_none() {
        out.push_str(&changes(now, before));
    }
    out
}

/// What a command would do: its arguments one a line, its folder, its time.
pub(crate) fn described(command: &Command) -> String {
    let lines: Vec<String> = command.run.iter().map(|argument| one_line(argument)).collect();
    let passed = match command.env.as_slice() {
        [] => String::new(),
        names => format!(", with {}", names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ")),
    };
    format!(
        "{}\nIn {}, for {} s at the most{passed}.\n",
        fenced("", &lines.join("\n")),
        code(&command.dir),
        command.timeout_seconds
    )
}

/// What is there that was not trusted, as markdown; all of it when nothing ever was.
pub fn changes(now: &Snapshot, before: Option<&Snapshot>) -> String {
    let mut out = String::new();
    let mut room = SHOWN;
    match before {
        None if !now.root.is_empty() => {
            let _ = writeln!(out, "The folder is {}.\n", code(&now.root));
        }
        Some(before) if before.root != now.root => {
            let was =
                if before.root.is_empty() { "was not kept".to_owned() } else { format!("was {}", code(&before.root)) };
            let _ = writeln!(out, "The folder is {} now; when you trusted it, that {was}.\n", code(&now.root));
        }
        None | Some(_) => {}
    }
    let config = before.map(|before| before.config.as_str());
    if config != Some(&now.config) {
        shown(&mut out, &mut room, FILE, config.map(Some), Some(&now.config));
    }
    let empty = Vec::new();
    let old = before.map_or(&empty, |before| &before.files);
    let was = |path: &str| old.iter().find(|file| file.path == path);
    for file in &now.files {
        named(&mut out, &mut room, file, was(&file.path));
    }
    for gone in old.iter().filter(|file| !now.files.iter().any(|now| now.path == file.path)) {
        let _ = writeln!(out, "{} is not there any more, or is not named any more.\n", code(&gone.path));
    }
    if let Some(before) = before.filter(|before| before.path_env != now.path_env) {
        let _ = writeln!(out, "Programs are looked for elsewhere (`PATH`):\n");
        out.push_str(&difference(&folders(before), &folders(now)));
    } else if before.is_none() {
        let _ = writeln!(out, "Programs are looked for in (`PATH`):\n\n{}", fenced("", &folders(now)));
    }
    out
}

/// The folders of a `PATH`, one a line.
fn folders(snapshot: &Snapshot) -> String {
    snapshot.path_env.split(':').map(|folder| format!("{folder}\n")).collect()
}

fn named(out: &mut String, room: &mut usize, file: &Named, before: Option<&Named>) {
    if before.is_some_and(|before| same(before, file)) {
        return;
    }
    if let Some(at) = &file.at {
        let _ = writeln!(out, "{} leads to {}.\n", code(&file.path), code(at));
        if file.digest.is_none() && !at.ends_with(NOTHING) && at.starts_with(['/', '\\']) {
            out.push_str("That is outside of this folder: what is there is not looked at.\n\n");
        }
    }
    if file.at.is_none() && file.digest.is_none() {
        let _ = writeln!(out, "{} is a folder: what is in it is not covered.\n", code(&file.path));
    }
    if before.is_some_and(|before| before.executable != file.executable) {
        let now = if file.executable { "may be executed now" } else { "may not be executed any more" };
        let _ = writeln!(out, "{} {now}.\n", code(&file.path));
    }
    let old = before.filter(|before| before.digest.is_some());
    if file.digest.is_some() && old.is_none_or(|old| old.digest != file.digest) {
        shown(out, room, &file.path, old.map(|old| old.text.as_deref()), file.text.as_deref());
        if file.text.is_none() {
            let _ = writeln!(out, "{}\n", code(&file.digest.map(|digest| digest.to_string()).unwrap_or_default()));
        }
    }
}

fn same(one: &Named, other: &Named) -> bool {
    (&one.at, one.digest, one.executable) == (&other.at, other.digest, other.executable)
}

/// A text that is new, or how it changed. `before`: none when it was not there, an inner none when its text was not kept.
fn shown(out: &mut String, room: &mut usize, path: &str, before: Option<Option<&str>>, now: Option<&str>) {
    let name = code(path);
    let head = if before.is_some() { "changed" } else { "is new" };
    let body = match (before, now) {
        (Some(Some(before)), Some(now)) => difference(before, now),
        (Some(None) | None, Some(now)) => fenced("", now),
        (_, None) => {
            let _ = writeln!(out, "{name} {head}. It is too long to be shown, or no text; its digest stands for it:\n");
            return;
        }
    };
    if body.len() > *room {
        let _ = writeln!(
            out,
            "{name} {head}. It is too long to be shown here: read it in the folder before you trust it.\n"
        );
        return;
    }
    *room -= body.len();
    let _ = writeln!(out, "{name} {head}:\n\n{body}");
}

fn difference(before: &str, now: &str) -> String {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(DIFF).diff_lines(before, now);
    fenced("diff", &diff.unified_diff().context_radius(3).to_string())
}

/// A block of code that nothing in the text can end.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

/// Code within a line, on one line, that nothing in the text can end.
pub(crate) fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let text = one_line(text);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A text on one line: line ends in it are written as `\n`.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// What the agent is told that needed the trust.
pub fn ending(request: &Request) -> Option<&'static str> {
    match request.state {
        State::Answered => {
            let yes = request.decision.as_ref().is_some_and(|decision| is_yes(&decision.answers));
            Some(if yes {
                "The person trusted the commands of this workspace as they were when this was asked. Call the tool that needed them again, with the same arguments."
            } else {
                "The person did not trust the commands of this workspace. Nothing runs. Don't ask again; go on with what needs no run, or stop and say so in your reply."
            })
        }
        State::Superseded => Some(
            "This was settled by another request, or the commands changed meanwhile. Call the tool that needed them again, with the same arguments.",
        ),
        State::Pending | State::Declined | State::Cancelled | State::Expired => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{command, commands, file, snapshot};
    use super::*;
    use crate::commands::Commands;
    use crate::digest::Digest;
    use crate::markdown;

    fn context_of(now: &Snapshot, before: Option<&Snapshot>) -> String {
        ask("/w/shop", &commands(), now, before).context.expect("a context")
    }

    #[test]
    fn the_request_says_what_would_run_and_asks_for_the_word() {
        let ask = ask("/w/shop", &commands(), &snapshot(), None);
        assert_eq!((ask.class, ask.typed_word.as_deref()), (Class::Destructive, Some("trust")));
        assert_eq!((ask.tool.as_str(), ask.title.as_str()), ("trust_commands", "Trust the commands of shop"));
        assert_eq!(ask.check(limit::OPTIONS), Ok(()));
        assert_eq!(
            ask.questions[0].question,
            "Trust the commands of this folder? Agents that work in it may then run them: its 1 check at any time; deployments to \
             “staging” without asking you; deployments to “production” after asking you each time. They run as you, with what you may do."
        );
        let context = ask.context.expect("a context");
        for part in
            ["check unit", "cargo\ntest\n", "target production`** (protected)", "#!/bin/sh\necho one", "/usr/bin\n/bin"]
        {
            assert!(context.contains(part), "{part:?} in {context}");
        }
    }

    #[test]
    fn a_folder_without_targets_or_without_checks_is_asked_about_in_whole_sentences() {
        let only = |commands: Commands| ask("/", &commands, &snapshot(), None).questions[0].question.clone();
        let checks = Commands { targets: Default::default(), ..commands() };
        let targets = Commands { checks: Default::default(), ..commands() };
        assert!(only(checks).contains("run them: its 1 check at any time. They run"));
        assert!(only(targets).contains("run them: deployments to “staging” without asking you; deployments"));
        assert!(only(Commands::default()).contains("may then run them. They run as you"));
    }

    #[test]
    fn only_what_changed_is_shown_once_something_was_trusted() {
        let before = snapshot();
        let same = context_of(&before, Some(&before));
        assert!(!same.contains("echo one") && !same.contains("/usr/bin"), "{same}");
        let mut now = before.clone();
        now.config.push_str("# more\n");
        now.files = vec![file("deploy.sh", "#!/bin/sh\necho two\n"), file("new.sh", "true\n")];
        now.path_env = "/usr/bin:/opt".into();
        let shown = changes(&now, Some(&before));
        for part in [
            "`countersign.toml` changed:",
            "+# more",
            "`deploy.sh` changed:",
            "-echo one\n+echo two",
            "`new.sh` is new:\n\n```\ntrue\n```",
            "-/bin\n+/opt",
        ] {
            assert!(shown.contains(part), "{part:?} in {shown}");
        }
        let gone = changes(&Snapshot { files: vec![], ..before.clone() }, Some(&before));
        assert_eq!(gone, "`deploy.sh` is not there any more, or is not named any more.\n\n");
    }

    #[test]
    fn a_link_that_leads_elsewhere_and_a_file_that_is_no_text_are_named() {
        let before = snapshot();
        let with = |change: fn(&mut Named)| {
            let mut now = before.clone();
            change(&mut now.files[0]);
            changes(&now, Some(&before))
        };
        let moved = with(|file| file.at = Some("other.sh".into()));
        assert_eq!(moved, "`deploy.sh` leads to `other.sh`.\n\n");
        let outside = with(|file| (file.at, file.digest, file.text) = (Some("/tmp/x".into()), None, None));
        assert!(outside.contains("leads to `/tmp/x`") && outside.contains("outside"), "{outside}");
        let gone = with(|file| (file.at, file.digest) = (Some(format!("/tmp/x{NOTHING}")), None));
        assert_eq!(gone, "`deploy.sh` leads to `/tmp/x (nothing is there)`.\n\n");
        let folder = with(|file| (file.digest, file.text) = (None, None));
        assert!(folder.contains("`deploy.sh` is a folder: what is in it is not covered."), "{folder}");
        let plain = with(|file| file.executable = false);
        assert_eq!(plain, "`deploy.sh` may not be executed any more.\n\n");
        let binary = with(|file| (file.digest, file.text) = (Some(Digest([1; 32])), None));
        assert!(binary.contains("changed. It is too long to be shown, or no text") && binary.contains("`sha256:0101"));
    }

    #[test]
    fn where_the_folder_is_shows_and_that_it_is_another_now() {
        let before = snapshot();
        assert!(changes(&before, None).starts_with("The folder is `/w/shop`.\n\n"));
        let moved = Snapshot { root: "/w/other".into(), ..before.clone() };
        let said = "The folder is `/w/other` now; when you trusted it, that was `/w/shop`.\n\n";
        assert_eq!(changes(&moved, Some(&before)), said);
        let old = Snapshot { root: String::new(), ..before.clone() };
        assert!(changes(&before, Some(&old)).contains("that was not kept"));
    }

    #[test]
    fn what_is_not_covered_is_said_of_each_command_and_at_the_end() {
        let mut commands = commands();
        commands.checks.push(command("all", &["sh", "-c", "cd sub && ./d.sh"]));
        let ask = ask("/w/shop", &commands, &snapshot(), Some(&snapshot()));
        let context = ask.context.expect("a context");
        assert!(context.contains("Not covered: `sh` (what a shell makes of the text that it is given)."), "{context}");
        assert!(context.contains("Not covered: `cargo` (the files that it looks for by itself"), "{context}");
        assert!(context.ends_with(COVERED), "{context}");
    }

    #[test]
    fn nothing_in_a_file_or_a_name_gets_out_of_its_block() {
        let mut now = snapshot();
        now.files = vec![file("a`b\nc", "```\n# Looks like a heading\n````\n")];
        let context = context_of(&now, None);
        let blocks = serde_json::to_value(markdown::parse(&context)).expect("JSON").to_string();
        assert!(!blocks.contains("heading\""), "{blocks}");
        assert!(context.contains("`````\n```\n# Looks") && context.contains("``a`b\\nc``"), "{context}");
        let hidden = described(&command("t", &["sh", "-c", "true\nfalse"]));
        assert!(hidden.contains("true\\nfalse"), "{hidden}");
    }

    #[test]
    fn much_to_show_is_said_and_stays_within_the_limit_of_a_context() {
        let big = "line of a file\n".repeat(15_000);
        let now = Snapshot { files: (0..9).map(|n| file(&format!("{n}.sh"), &big)).collect(), ..snapshot() };
        let ask = ask("/w", &commands(), &now, None);
        assert_eq!(ask.check(limit::OPTIONS), Ok(()));
        assert!(ask.context.expect("a context").contains("`8.sh` is new. It is too long to be shown here"));
    }
}
