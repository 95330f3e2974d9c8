//! What a step names: its command, its paths, and whether they lead out of the workspace, to this program, or to production.

use super::tools::{Row, Shape};
use super::{Call, Command, Resolve, Step, StepKind};
use crate::shell::{self, Unreadable};
use serde_json::{Map, Value};

/// Files and folders that steer tools, or run by themselves: to change one is more than to change a file of the workspace.
const STEERS: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".husky",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".opencode",
    ".copilot",
    ".vscode",
    ".idea",
    ".devcontainer",
    ".mcp.json",
    ".envrc",
    ".countersign",
    "countersign.toml",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".zprofile",
    ".ssh",
    ".npmrc",
    ".gitconfig",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".cargo",
    "opencode.json",
    ".gitmodules",
    ".gitattributes",
];

/// Fields whose texts are content, in which any word may stand.
const CONTENT: &[&str] = &[
    "content",
    "contents",
    "file_text",
    "new_string",
    "old_string",
    "newString",
    "oldString",
    "new_str",
    "old_str",
    "new_source",
    "edits",
    "insert_text",
    "code_edit",
    "patch",
    "patchText",
    "patch_text",
    "prompt",
    "description",
    "explanation",
    "instructions",
    "replacement",
];

/// The command of a shell's tool.
pub(super) fn command(input: &Map<String, Value>, fields: &[&str]) -> Command {
    let found: Vec<&Value> =
        fields.iter().filter_map(|field| input.get(*field)).filter(|value| !value.is_null()).collect();
    let unread =
        |text: String| Command { text, script: Err(Unreadable("its input has no command, or several".into())) };
    match found.as_slice() {
        [Value::String(text)] => Command { text: text.clone(), script: shell::read(text) },
        [Value::Array(items)] => {
            let arguments: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
            match arguments {
                Some(arguments) => of_arguments(&arguments),
                None => unread(Value::Array(items.clone()).to_string()),
            }
        }
        [] => unread(Value::Object(input.clone()).to_string()),
        _ => unread(Value::Object(input.clone()).to_string()),
    }
}

/// Codex hands `["bash", "-lc", "…"]` to the system for what its model wrote as one text.
fn of_arguments(arguments: &[String]) -> Command {
    const SHELLS: [&str; 8] =
        ["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/zsh"];
    if let [shell, flag, text] = arguments
        && SHELLS.contains(&shell.as_str())
        && (flag == "-lc" || flag == "-c")
    {
        return Command { text: text.clone(), script: shell::read(text) };
    }
    let text = arguments.iter().map(|argument| quoted(argument)).collect::<Vec<_>>().join(" ");
    Command { text, script: shell::of_arguments(arguments) }
}

/// A word as a shell would take it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:,@%+=".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The paths that a step names, resolved.
pub(super) fn paths(call: &Call, row: Row, command: Option<&Command>, resolve: Resolve<'_>) -> Vec<String> {
    let absolute = |path: &str| resolve(&join(&call.folder, path));
    let mut paths: Vec<String> = Vec::new();
    match row.shape {
        Shape::None => {}
        Shape::Shell(_) => {
            paths.push(resolve(&join(&call.folder, workdir(&call.input).unwrap_or_default())));
            let words = command
                .and_then(|command| command.script.as_ref().ok())
                .into_iter()
                .flat_map(|script| &script.commands);
            let words = words.flat_map(|command| command.words.iter().skip(1));
            for word in words.filter_map(|word| word.literal.as_deref()) {
                let value = word.split_once('=').map_or(word, |(_, value)| value);
                paths.extend(looks_like_path(value).then(|| absolute(value)));
            }
        }
        Shape::Paths { fields, needed } => {
            for field in fields {
                each_text(call.input.get(*field), &mut |text| paths.push(absolute(stem(text))));
            }
            if paths.is_empty() && !needed && row.kind == StepKind::Reads {
                paths.push(resolve(&call.folder));
            }
        }
        Shape::Patch(fields) => {
            for field in fields {
                each_text(call.input.get(*field), &mut |text| {
                    paths.extend(text.lines().filter_map(patched).map(absolute));
                });
            }
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

/// The folder that a shell's tool is told to work in.
fn workdir(input: &Map<String, Value>) -> Option<&str> {
    ["workdir", "cwd", "working_directory", "directory", "dir_path"]
        .iter()
        .find_map(|field| input.get(*field)?.as_str())
}

fn each_text(value: Option<&Value>, take: &mut dyn FnMut(&str)) {
    match value {
        Some(Value::String(text)) => take(text),
        Some(Value::Array(items)) => items.iter().for_each(|item| each_text(Some(item), take)),
        Some(Value::Object(object)) => {
            // A list of `{path: …}`.
            each_text(object.get("path").or_else(|| object.get("file_path")), take);
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => {}
    }
}

/// A pattern's folder: all before the first part that is one.
fn stem(text: &str) -> &str {
    let text = text.strip_prefix("file://").unwrap_or(text);
    match text.find(['*', '?', '[', '{', '!']) {
        Some(at) => text[..at].rsplit_once('/').map_or("", |(folder, _)| if folder.is_empty() { "/" } else { folder }),
        None => text,
    }
}

/// `*** Update File: x`, `+++ b/x` and the like.
fn patched(line: &str) -> Option<&str> {
    const MARKS: [&str; 5] =
        ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "*** Rename to:"];
    if let Some(path) = MARKS.iter().find_map(|mark| line.trim_start().strip_prefix(mark)) {
        return Some(path.trim());
    }
    let path = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- "))?;
    let path = path.split('\t').next().unwrap_or(path).trim();
    (path != "/dev/null").then(|| path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path))
}

fn looks_like_path(word: &str) -> bool {
    let word_alone = word == "." || word == ".." || word.starts_with('~');
    word_alone || (word.contains('/') && !word.contains("://"))
}

/// A path in a folder, as it is written. A home is not this program's to know: it stays apart from everything.
fn join(folder: &str, path: &str) -> String {
    let absolute = path.starts_with('/') || path.starts_with('~') || path.as_bytes().get(1) == Some(&b':');
    if absolute { path.to_owned() } else { format!("{folder}/{path}") }
}

/// Without `.`, `..` and doubled slashes.
pub fn lexical(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if path.starts_with('/') { format!("/{}", parts.join("/")) } else { parts.join("/") }
}

/// Whether a path is a folder or beneath it, part by part.
pub fn is_beneath(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

pub(super) fn is_inside(path: &str, workspace: &str, kind: StepKind) -> bool {
    if !workspace.starts_with('/') || !path.starts_with('/') || !is_beneath(path, workspace) {
        return false;
    }
    kind == StepKind::Reads || !steers(path, workspace)
}

/// Whether a path goes, beneath this folder, through something that steers tools or runs by itself.
pub fn steers(path: &str, folder: &str) -> bool {
    let within = path.get(folder.trim_end_matches('/').len()..).unwrap_or_default();
    within.split('/').any(|part| STEERS.iter().any(|name| part.eq_ignore_ascii_case(name)))
}

/// Whether it is about this program: its folder, its socket, its binary, by whatever name.
pub(super) fn is_own(step: &Step, own: &[String]) -> bool {
    if step.paths.iter().any(|path| own.iter().any(|folder| is_beneath(path, folder))) {
        return true;
    }
    // A folder that holds ours, when it is taken whole.
    let holds = |path: &String| own.iter().any(|folder| folder != path && is_beneath(folder, path));
    if matches!(step.kind, StepKind::Destroys) && step.paths.iter().skip(usize::from(step.command.is_some())).any(holds)
    {
        return true;
    }
    match &step.command {
        Some(command) => {
            let names =
                |part: &str| matches!(part.to_ascii_lowercase().as_str(), "countersign" | "countersign-desktop");
            command.text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).any(names)
                || command.text.contains("COUNTERSIGN_")
                || own.iter().any(|folder| command.text.contains(folder.as_str()))
        }
        None => {
            let file = |path: &String| matches!(shell::base_name(path), "countersign" | "countersign-desktop");
            step.kind != StepKind::Reads && step.paths.iter().any(file)
        }
    }
}

/// Whether it names production: in its command, or in any short text of its input that is no content.
pub(super) fn names_production(step: &Step) -> bool {
    let mut found = false;
    let mut look = |text: &str| found |= production(text);
    match &step.command {
        Some(command) => look(&command.text),
        None => names(&Value::Object(step.call.input.clone()), &mut look),
    }
    found || production(&step.call.tool)
}

fn names(value: &Value, look: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => look(text),
        Value::Array(items) => items.iter().for_each(|item| names(item, look)),
        Value::Object(object) => {
            for (key, value) in object.iter().filter(|(key, _)| !CONTENT.contains(&key.as_str())) {
                look(key);
                names(value, look);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text names `production`, `prod` or `live` as a word of its own, also in `deployProd` and `PROD_URL`.
pub fn production(text: &str) -> bool {
    let is = |word: &str| ["production", "prod", "live"].iter().any(|name| word.eq_ignore_ascii_case(name));
    let mut word = String::new();
    let mut lower = false;
    for c in text.chars().chain([' ']) {
        let starts = c.is_uppercase() && lower;
        if (!c.is_alphabetic() || starts) && !word.is_empty() {
            if is(&word) {
                return true;
            }
            word.clear();
        }
        lower = c.is_lowercase();
        if c.is_alphabetic() {
            word.push(c);
        }
    }
    false
}

/// What a step that runs no command is about, for its title.
pub(super) fn about(step: &Step) -> &str {
    const FIELDS: [&str; 12] = [
        "file_path",
        "filePath",
        "absolute_path",
        "path",
        "notebook_path",
        "target_file",
        "url",
        "query",
        "pattern",
        "description",
        "prompt",
        "name",
    ];
    FIELDS.iter().find_map(|field| step.call.input.get(*field)?.as_str()).unwrap_or_default()
}
