//! `countersign rules`: the person's rules for steps.

use crate::exit::{Exit, Refusal};
use crate::line::Line;
use crate::out::out;
use crate::workspace;
use clap::{Args, Subcommand, ValueEnum};
use countersign_core::rule::Effect;
use countersign_core::safe_text::SafeText;
use countersign_host::{Command, Home, RuleDraft, StepCommand};
use serde_json::Value;
use std::path::PathBuf;

/// Show, make and remove the rules for steps: what always passes, is always asked about, or never passes.
#[derive(Args)]
pub struct Rules {
    /// A file whose first line is the passphrase; such a proof only makes things stricter
    #[arg(long, value_name = "FILE", global = true)]
    passphrase_file: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// The rules that hold, the newest first
    List,
    /// Make a rule
    Add(Draft),
    /// Say what a rule would have matched, and whether it can be made
    Try(Draft),
    /// Remove a rule
    Remove {
        /// Its number
        id: i64,
    },
}

#[derive(Args)]
struct Draft {
    /// What it does
    effect: Does,
    /// To steps of this tool, such as Bash
    #[arg(long)]
    tool: Option<String>,
    /// Whose command begins with these plain words
    #[arg(long, value_name = "WORDS")]
    command: Option<String>,
    /// Whose command is this text and no other
    #[arg(long, value_name = "TEXT", conflicts_with = "command")]
    exactly: Option<String>,
    /// About what is in this folder
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Only in this workspace
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Only for so long: 90s, 30m, 8h, 7d
    #[arg(long = "for", value_name = "TIME", value_parser = seconds)]
    expires: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Does {
    /// It passes without a question
    Allow,
    /// It is asked about, whatever else would let it pass
    Ask,
    /// It does not pass
    Deny,
}

impl From<Does> for Effect {
    fn from(does: Does) -> Self {
        match does {
            Does::Allow => Self::Allow,
            Does::Ask => Self::Ask,
            Does::Deny => Self::Deny,
        }
    }
}

fn seconds(text: &str) -> Result<u64, String> {
    let wrong = || "a time such as 90s, 30m, 8h or 7d".to_owned();
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let each = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    number.checked_mul(each).ok_or_else(wrong)
}

impl Draft {
    fn read(self) -> anyhow::Result<RuleDraft> {
        let folder = |dir: Option<PathBuf>| dir.map(|dir| workspace::of(Some(&dir))).transpose();
        let exact = self.exactly.is_some();
        Ok(RuleDraft {
            effect: self.effect.into(),
            tool: self.tool,
            command: self.exactly.or(self.command),
            exact,
            path: folder(self.path)?,
            workspace: folder(self.workspace)?,
            expires_in_seconds: self.expires,
        })
    }
}

impl Rules {
    /// Does what it was told.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let command = match self.verb {
            Verb::List => StepCommand::Rules,
            Verb::Add(draft) => StepCommand::Make(draft.read()?),
            Verb::Try(draft) => StepCommand::Try(draft.read()?),
            Verb::Remove { id } => StepCommand::Remove { id },
        };
        let mut line = Line::open(&Home::locate(None)?).await?;
        if command.takes_proof() {
            line.prove(self.passphrase_file.as_deref()).await?;
        }
        let said = line.say(&Command::Steps(command.clone())).await?;
        match (&said, self.json) {
            (Value::Array(rules), true) => rules.iter().for_each(|rule| out!("{rule}")),
            (said, true) => out!("{said}"),
            (Value::Array(rules), false) if rules.is_empty() => out!("There are no rules."),
            (Value::Array(rules), false) => rules.iter().for_each(|rule| out!("{}", sentence(rule))),
            (said, false) => print(said, &command),
        }
        match (&command, said["refused"].as_str()) {
            (StepCommand::Try(_), Some(why)) => Err(Refusal::refused(why).into()),
            _ => Ok(Exit::Done),
        }
    }
}

fn print(said: &Value, command: &StepCommand) {
    match command {
        StepCommand::Remove { id } => out!("Rule {id} is removed."),
        StepCommand::Try(_) => {
            out!("It would have matched {} of {} steps.", said["matched"], said["of"]);
            for step in said["steps"].as_array().into_iter().flatten() {
                out!("  {}", plain(&step["title"]));
            }
        }
        StepCommand::Make(_) | StepCommand::Rules | StepCommand::Decide { .. } | StepCommand::Stop { .. } => {
            out!("{}", sentence(said));
        }
    }
}

fn plain(value: &Value) -> String {
    SafeText::line(value.as_str().unwrap_or_default()).plain()
}

/// A rule in one line.
fn sentence(rule: &Value) -> String {
    let mut line = format!("{:>4}  {:<5}", rule["id"].as_i64().unwrap_or_default(), plain(&rule["effect"]));
    for (key, before) in [
        ("tool", ""),
        ("exact", "exactly "),
        ("prefix", ""),
        ("path", "in "),
        ("workspace", "workspace "),
        ("agent", "by "),
    ] {
        let text = match &rule[key] {
            Value::Array(words) => words.iter().map(plain).collect::<Vec<_>>().join(" ") + " …",
            Value::String(_) => plain(&rule[key]),
            _ => continue,
        };
        line += &format!("  {before}{text}");
    }
    if let Some(session) = rule["session"].as_u64() {
        line += &format!(" (its session {session})");
    }
    format!("{line}  matched {}", rule["matched"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, want) in [
            ("90s", Some(90)),
            ("30m", Some(1_800)),
            ("8h", Some(28_800)),
            ("7d", Some(604_800)),
            ("7", None),
            ("", None),
            ("-1h", None),
            ("ñ", None),
        ] {
            assert_eq!(seconds(text).ok(), want, "{text:?}");
        }
    }
}
