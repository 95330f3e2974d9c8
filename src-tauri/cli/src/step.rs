//! A step on the terminal: shown whole, and decided on with what is remembered or edited.

use crate::exit::Refusal;
use crate::out::out;
use clap::{Args, ValueEnum};
use countersign_core::id::RequestId;
use countersign_core::safe_text::SafeText;
use countersign_host::StepCommand;
use serde_json::{Map, Value};

/// What goes with the answer to a step.
#[derive(Args)]
#[group(id = "besides-step")]
pub struct Besides {
    /// For a step: remember the answer for so long
    #[arg(long = "for", value_name = "TIME")]
    until: Option<Until>,
    /// For a step: which of what is offered to remember, as `show` numbers it
    #[arg(long, value_name = "N", default_value_t = 1, requires = "until")]
    remember: usize,
    /// For a step: the whole input that runs in its place, as a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "until")]
    edit: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Until {
    /// As long as the session goes on
    Session,
    /// An hour
    Hour,
    /// For good
    Good,
}

impl Until {
    const fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Hour => "hour",
            Self::Good => "good",
        }
    }
}

impl Besides {
    /// The decision on a step, when there is something besides yes or no.
    pub fn decides(
        &self,
        id: &RequestId,
        request: &Value,
        answers: &Map<String, Value>,
        comment: Option<String>,
    ) -> Result<Option<StepCommand>, Refusal> {
        if self.until.is_none() && self.edit.is_none() {
            return Ok(None);
        }
        if !request["step"].is_object() {
            return Err(Refusal::usage("--for and --edit are for steps; this request is none"));
        }
        let edited = match self.edit.as_deref().map(serde_json::from_str) {
            None => None,
            Some(Ok(Value::Object(edited))) => Some(edited),
            Some(Ok(_)) => return Err(Refusal::usage("--edit takes a JSON object: the whole input")),
            Some(Err(error)) => return Err(Refusal::usage(format!("--edit is no JSON: {error}"))),
        };
        let offered = request["step"]["proposals"].as_array().map_or(0, Vec::len);
        let remember = match self.until {
            None => None,
            Some(_) if offered == 0 => {
                return Err(Refusal::refused("no answer to this step can be remembered: it is never under a rule"));
            }
            Some(_) if self.remember == 0 || self.remember > offered => {
                return Err(Refusal::usage(format!(
                    "--remember takes 1 to {offered}, as `countersign inbox show` numbers them"
                )));
            }
            Some(until) => Some((self.remember - 1, until.word().to_owned())),
        };
        let allow = answers.get("allow").and_then(Value::as_bool).unwrap_or(false);
        Ok(Some(StepCommand::Decide { id: id.clone(), allow, edited, remember, comment }))
    }
}

/// Prints a step whole.
pub fn show(step: &Value, secrets: bool) {
    let shown = |safe: SafeText| if secrets { safe.revealed() } else { safe.plain() };
    let line = |value: &Value| shown(SafeText::line(value.as_str().unwrap_or_default()));
    let quoted = |text: &str| shown(SafeText::lines(text)).lines().for_each(|line| out!("  │ {line}"));
    out!("Tool: {} ({})", line(&step["tool"]), line(&step["kind"]));
    out!("Folder: {}", line(&step["folder"]));
    for warning in step["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        out!("Beware: {}", warning_words(warning));
    }
    match step["command"].as_str() {
        Some(command) => {
            out!("Command:");
            quoted(command);
            for part in step["commands"].as_array().into_iter().flatten() {
                let words = |key: &str| part[key].as_array().into_iter().flatten().map(line).collect::<Vec<_>>();
                let all = [words("assignments"), words("words"), words("redirections")].concat().join(" ");
                let inside = if part["inside"] == true { "  within: " } else { "" };
                out!("  {:>2} {inside}{all}", line(&part["operator"]));
            }
            let rest: Map<String, Value> = step["input"]
                .as_object()
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .filter(|(key, _)| key != "command")
                .collect();
            if !rest.is_empty() {
                out!("Besides:");
                quoted(&serde_json::to_string_pretty(&rest).unwrap_or_default());
            }
        }
        None => {
            out!("Input:");
            quoted(&serde_json::to_string_pretty(&step["input"]).unwrap_or_default());
        }
    }
    for (n, offered) in step["proposals"].as_array().into_iter().flatten().enumerate() {
        let words =
            offered["prefix"].as_array().map(|words| words.iter().map(line).collect::<Vec<_>>().join(" ") + " …");
        let exact = offered["exact"].as_str().map(|_| "exactly this".to_owned());
        let path = offered["path"].as_str().map(|_| format!("in {}", line(&offered["path"])));
        let parts: Vec<String> = [words, exact, path].into_iter().flatten().collect();
        out!(
            "To remember (--for session|hour|good --remember {}): {} {}",
            n + 1,
            line(&offered["tool"]),
            parts.join(" ")
        );
    }
}

fn warning_words(warning: &str) -> &str {
    match warning {
        "production" => "it names production",
        "own" => "it is about Countersign itself",
        "outside" => "it is about something outside of the workspace",
        "unreadable" => "it can't be told what all of it runs",
        "destroys" => "it takes away what can't be had again",
        other => other,
    }
}
