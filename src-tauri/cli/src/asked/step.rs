//! A step as a terminal shows it: whole. What an edit changes as its changes, a command as it is and as a shell reads it, and every
//! other part of the input by its name.

use super::text;
use crate::words::Words;
use countersign_core::revision;
use serde_json::{Map, Value};

/// How a line of it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// What it is.
    Head,
    /// What to beware of.
    Beware,
    /// What a line is about.
    Name,
    /// The agent's own words.
    Text,
    /// A line that is added.
    Added,
    /// A line that is taken away.
    Removed,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepSeen {
    tool: String,
    kind: String,
    folder: String,
    warnings: Vec<String>,
    command: Option<String>,
    commands: Vec<String>,
    input: Map<String, Value>,
    /// What can be remembered of a decision, from narrow to wide.
    pub offered: Vec<String>,
    /// Whether Enter may allow it.
    pub enter: bool,
}

impl StepSeen {
    /// As `show` says it; none where it is no step.
    pub fn read(said: &Value) -> Option<Self> {
        let texts = |value: &Value| value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
        let command = |part: &Value| {
            let inside = if part["inside"] == true { "└ ".to_owned() } else { String::new() };
            let operator = part["operator"].as_str().map(|sign| format!("{sign} ")).unwrap_or_default();
            let words = [texts(&part["assignments"]), texts(&part["words"]), texts(&part["redirections"])].concat();
            format!("{operator}{inside}{}", words.join(" "))
        };
        said.is_object().then(|| Self {
            tool: text(&said["tool"]),
            kind: text(&said["kind"]),
            folder: text(&said["folder"]),
            warnings: texts(&said["warnings"]),
            command: said["command"].as_str().map(str::to_owned),
            commands: said["commands"].as_array().into_iter().flatten().map(command).collect(),
            input: said["input"].as_object().cloned().unwrap_or_default(),
            offered: said["proposals"].as_array().into_iter().flatten().map(offered).collect(),
            enter: said["enter"] == true,
        })
    }

    /// All of it, line by line; what is the agent's is still to be made safe.
    pub fn lines(&self, words: &'static Words) -> Vec<(Look, String)> {
        let mut lines =
            vec![(Look::Head, format!("{} · {} · {}", self.tool, words.step_kind(&self.kind), self.folder))];
        lines.extend(self.warnings.iter().map(|warning| (Look::Beware, words.step_warning(warning).to_owned())));
        if let Some(command) = &self.command {
            lines.extend(command.lines().map(|line| (Look::Text, line.to_owned())));
        }
        if self.commands.len() > 1 {
            lines.push((Look::Name, words.step_parts.to_owned()));
            lines.extend(self.commands.iter().map(|command| (Look::Text, command.clone())));
        }
        let change = match (self.input.get("old_string"), self.input.get("new_string")) {
            (Some(Value::String(old)), Some(Value::String(new))) => Some(revision::unified(&revision::hunks(old, new))),
            _ => None,
        };
        for (name, value) in &self.input {
            let in_command = name == "command" && self.command.is_some();
            let in_change = change.is_some() && matches!(name.as_str(), "old_string" | "new_string");
            if in_command || in_change {
                continue;
            }
            let pretty = || serde_json::to_string_pretty(value).unwrap_or_default();
            let value = value.as_str().map_or_else(pretty, str::to_owned);
            if value.contains('\n') {
                lines.push((Look::Name, format!("{name}:")));
                lines.extend(value.lines().map(|line| (Look::Text, line.to_owned())));
            } else {
                lines.push((Look::Text, format!("{name}: {value}")));
            }
        }
        for line in change.iter().flat_map(|change| change.lines()) {
            let look = match line.chars().next() {
                Some('+') => Look::Added,
                Some('-') => Look::Removed,
                _ => Look::Name,
            };
            lines.push((look, line.to_owned()));
        }
        if !self.offered.is_empty() {
            lines.push((Look::Name, words.step_offered.to_owned()));
            let offered = self.offered.iter().enumerate();
            lines.extend(offered.map(|(at, offered)| (Look::Text, format!("{}. {offered}", at + 1))));
        }
        lines
    }
}

/// A tool, the start of a command or all of it, a folder.
fn offered(proposal: &Value) -> String {
    let words = |value: &Value| value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(" ");
    let prefix = proposal["prefix"].is_array().then(|| words(&proposal["prefix"]) + " …");
    let exact = proposal["exact"].as_str().map(|exact| format!("= {exact}"));
    let path = proposal["path"].as_str().map(|path| format!("{path}/…"));
    let parts = [proposal["tool"].as_str().map(str::to_owned), prefix, exact, path];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::BOTH;
    use serde_json::json;

    fn lines(said: &Value) -> Vec<String> {
        let step = StepSeen::read(said).expect("a step");
        step.lines(BOTH[0]).into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn a_command_is_shown_as_it_is_and_as_a_shell_reads_it() {
        let said = json!({"tool": "Bash", "kind": "executes", "folder": "/w", "warnings": ["production"],
            "input": {"command": "cd x && rm -r y", "timeout": 5}, "command": "cd x && rm -r y",
            "proposals": [{"tool": "Bash", "prefix": ["cd", "x"]}, {"tool": "Bash", "path": "/w"}],
            "commands": [{"words": ["cd", "x"]}, {"words": ["rm", "-r", "y"], "operator": "&&", "inside": true}]});
        let want = [
            "Bash · runs something · /w",
            "Beware: it names production",
            "cd x && rm -r y",
            "As a shell reads it:",
            "cd x",
            "&& └ rm -r y",
            "timeout: 5",
            "What can be remembered of your answer:",
            "1. Bash cd x …",
            "2. Bash /w/…",
        ];
        assert_eq!(lines(&said), want);
    }

    #[test]
    fn an_edit_is_shown_as_what_it_changes_and_nothing_of_the_input_is_left_out() {
        let said = json!({"tool": "Edit", "kind": "writes", "folder": "/w", "input":
            {"file_path": "a.rs", "old_string": "one\ntwo\n", "new_string": "one\n2\n", "replace_all": true, "note": "a\nb"}});
        let shown = lines(&said);
        for line in ["file_path: a.rs", "-two", "+2", "replace_all: true", "note:", "a", "b"] {
            assert!(shown.iter().any(|shown| shown == line), "{line:?} is not in {shown:?}");
        }
    }
}
