//! What a step would do, part by part. Every field of its input is in one of them.

use super::{CommandPartView, StepPartView};
use crate::view::specs::{DiffKind, DiffLine, DiffSpan, diff_lines};
use countersign_core::revision;
use countersign_core::safe_text::SafeText;
use countersign_core::shell::Simple;
use countersign_core::step::Step;
use serde_json::{Map, Value};

const PATHS: [&str; 8] =
    ["file_path", "filePath", "absolute_path", "path", "notebook_path", "notebookPath", "target_file", "filename"];
const OLD: [&str; 3] = ["old_string", "oldString", "old_str"];
const NEW: [&str; 3] = ["new_string", "newString", "new_str"];
const WHOLE: [&str; 4] = ["content", "contents", "file_text", "new_source"];
const PATCHES: [&str; 4] = ["patch", "patchText", "patch_text", "input"];

/// The parts of a step, the most telling first.
pub(super) fn of(step: &Step) -> Vec<StepPartView> {
    let mut rest = step.call.input.clone();
    let mut parts = Vec::new();
    if let Some(command) = &step.command {
        let commands = command.script.as_ref().map(|script| script.commands.iter().map(part).collect());
        parts.push(StepPartView::Command {
            lines: SafeText::lines(&command.text),
            commands: commands.unwrap_or_default(),
        });
        // What is said in another way than it came is shown as it came too.
        rest.retain(|_, value| value.as_str() != Some(command.text.as_str()));
    } else {
        changes(&mut rest, &mut parts);
    }
    parts.extend(
        rest.iter().map(|(name, value)| StepPartView::Field {
            name: SafeText::line(name),
            value: SafeText::lines(&text(value)),
        }),
    );
    parts
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

fn part(command: &Simple) -> CommandPartView {
    let lines = |texts: &[String]| texts.iter().map(|text| SafeText::lines(text)).collect();
    CommandPartView {
        words: command.words.iter().map(|word| SafeText::lines(word.literal.as_deref().unwrap_or(&word.raw))).collect(),
        assignments: lines(&command.assignments),
        redirections: lines(&command.redirections),
        operator: command.operator.map(str::to_owned),
        inside: command.inside,
    }
}

/// Takes the fields that are a change of a file out, and shows it as one.
fn changes(rest: &mut Map<String, Value>, parts: &mut Vec<StepPartView>) {
    let path = PATHS.iter().find_map(|name| rest.get(*name)?.as_str()).unwrap_or_default().to_owned();
    let is_text = |rest: &Map<String, Value>, name: &str| rest.get(name).is_some_and(Value::is_string);
    let of = |rest: &Map<String, Value>, names: &[&'static str]| names.iter().copied().find(|name| is_text(rest, name));
    let take = |rest: &mut Map<String, Value>, name: Option<&str>| {
        name.and_then(|name| rest.remove(name)).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let (old, new) = (of(rest, &OLD), of(rest, &NEW));
    if old.is_some() || new.is_some() {
        let (before, after) = (take(rest, old), take(rest, new));
        parts.push(diff(&path, changed_lines(&before, &after)));
    }
    if let Some(Value::Array(edits)) = rest.get("edits")
        && let Some(pairs) = edits.iter().map(edit).collect::<Option<Vec<_>>>()
    {
        parts.extend(pairs.iter().map(|(before, after)| diff(&path, changed_lines(before, after))));
        rest.remove("edits");
    }
    if !path.is_empty() {
        let whole = of(rest, &WHOLE);
        if whole.is_some() {
            let content = take(rest, whole);
            parts.push(diff(&path, changed_lines("", &content)));
        }
    }
    let patch = PATCHES.iter().copied().find(|name| rest.get(*name).and_then(Value::as_str).is_some_and(is_patch));
    if patch.is_some() {
        let patch = take(rest, patch);
        parts.push(diff(&path, patch.lines().map(patched).collect()));
    }
    // Said above each change.
    if !parts.is_empty() {
        rest.retain(|name, value| !PATHS.contains(&name.as_str()) || value.as_str() != Some(path.as_str()));
    }
}

fn changed_lines(before: &str, after: &str) -> Vec<DiffLine> {
    diff_lines(&revision::hunks(before, after), before.lines().count())
}

fn diff(path: &str, lines: Vec<DiffLine>) -> StepPartView {
    StepPartView::Diff { path: SafeText::line(path), lines }
}

/// One of several edits, when there is nothing in it but what is shown.
fn edit(edit: &Value) -> Option<(String, String)> {
    let edit = edit.as_object()?;
    let of = |names: &[&str]| names.iter().find_map(|name| edit.get(*name)?.as_str()).map(str::to_owned);
    (edit.len() == 2).then_some(())?;
    Some((of(&OLD)?, of(&NEW)?))
}

fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch") || text.starts_with("--- ") || text.starts_with("diff --git")
}

fn patched(line: &str) -> DiffLine {
    let head = line.starts_with("+++ ") || line.starts_with("--- ");
    let kind = match line.chars().next() {
        Some('+') if !head => DiffKind::Added,
        Some('-') if !head => DiffKind::Removed,
        _ => DiffKind::Same,
    };
    DiffLine { kind, spans: vec![DiffSpan { changed: false, text: SafeText::lines(line) }], lines: 0, end: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::step::{Call, Place, lexical};
    use serde_json::json;

    fn shown(tool: &str, input: Value) -> Vec<String> {
        let call =
            Call { tool: tool.into(), input: input.as_object().expect("an object").clone(), folder: "/w".into() };
        let step = Step::read(call, Place { workspace: "/w", own: &[], resolve: &lexical });
        let lines = |lines: &[DiffLine]| {
            let line = |line: &DiffLine| {
                let text: String = line.spans.iter().map(|span| span.text.plain()).collect();
                format!(
                    "{}{text}",
                    match line.kind {
                        DiffKind::Added => "+",
                        DiffKind::Removed => "-",
                        DiffKind::Same => " ",
                        DiffKind::Gap => "…",
                    }
                )
            };
            lines.iter().map(line).collect::<Vec<_>>().join("|")
        };
        of(&step)
            .iter()
            .map(|part| match part {
                StepPartView::Command { lines, commands } => format!("$ {} ({})", lines.plain(), commands.len()),
                StepPartView::Diff { path, lines: all } => format!("{}: {}", path.plain(), lines(all)),
                StepPartView::Field { name, value } => format!("{}={}", name.plain(), value.plain()),
            })
            .collect()
    }

    #[test]
    fn every_field_is_shown_and_changes_are_shown_as_such() {
        assert_eq!(
            shown("Bash", json!({"command": "ls && rm x", "description": "d", "timeout": 5})),
            ["$ ls && rm x (2)", "description=d", "timeout=5"]
        );
        assert_eq!(
            shown("shell", json!({"command": ["ls", "-l"]})),
            ["$ ls -l (1)", "command=[\n  \"ls\",\n  \"-l\"\n]"]
        );
        assert_eq!(
            shown(
                "Edit",
                json!({"file_path": "a", "old_string": "x\ny\n", "new_string": "x\nz\n", "replace_all": true})
            ),
            ["a:  x|-y|+z", "replace_all=true"]
        );
        assert_eq!(
            shown(
                "MultiEdit",
                json!({"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "", "new_string": "z"}]})
            ),
            ["a: -x|+y", "a: +z"]
        );
        assert_eq!(
            shown(
                "MultiEdit",
                json!({"file_path": "a", "edits": [{"old_string": "x", "new_string": "y", "replace_all": true}]})
            )
            .len(),
            2
        );
        assert_eq!(shown("Write", json!({"file_path": "a", "content": "x\ny"})), ["a: +x|+y"]);
        assert_eq!(shown("Write", json!({"file_path": "a", "content": {"deep": 1}})).len(), 2);
        assert_eq!(
            shown("apply_patch", json!({"input": "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"})),
            [":  *** Begin Patch| *** Update File: a|--x|++y| *** End Patch"]
        );
        assert_eq!(shown("mcp__x__y", json!({"a": "b", "c": {"d": 1}})), ["a=b", "c={\n  \"d\": 1\n}"]);
    }

    #[test]
    fn what_is_hidden_shows_and_secrets_are_masked() {
        let parts = shown("Bash", json!({"command": "echo a\u{202e}b TOKEN=abcdefgh1234"}));
        assert!(parts[0].contains("⟦U+202E⟧") && !parts[0].contains("abcdefgh1234"), "{parts:?}");
    }
}
