//! One step that an agent is about to take: a tool of its host's with its input, and what that would do.
//!
//! What can't be told is [`StepKind::Unknown`], and asked about. Absent: files (where a path leads is an argument), modes' and
//! rules' say on it ([`verdict`], [`crate::rule`]).

mod asked;
mod ending;
mod paths;
mod proposals;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod tools;
pub mod verdict;

pub use asked::{Asked, KIND, QUESTION, ask, is_yes, of_request};
pub use ending::{NOT_IN_PLAN_MODE, STOPPED, Told, text as ending_text, told};
pub use paths::{is_beneath, lexical, production as names_production, steers};
pub use proposals::{Proposal, proposals};
pub use text::{beware, text};
pub use tools::{OWN_TOOLS, runs_commands};

use crate::limit::{self, TextError};
use crate::shell::{self, Script, Unreadable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tools::Shape;

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// Looks at something on this computer.
    Reads,
    /// Changes a file.
    Writes,
    /// Runs a program.
    Executes,
    /// Reaches the network.
    Network,
    /// Takes away what can't be had again.
    Destroys,
    /// Asks the person by itself.
    Asks,
    /// Writes the agent's own list of what is to do.
    Todos,
    /// Is one of Countersign's own tools, which have their own rules.
    Own,
    /// Nobody here knows what it does.
    Unknown,
}

impl StepKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Reads,
        Self::Writes,
        Self::Executes,
        Self::Network,
        Self::Destroys,
        Self::Asks,
        Self::Todos,
        Self::Own,
        Self::Unknown,
    ];

    /// The word sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Executes => "executes",
            Self::Network => "network",
            Self::Destroys => "destroys",
            Self::Asks => "asks",
            Self::Todos => "todos",
            Self::Own => "own",
            Self::Unknown => "unknown",
        }
    }

    /// Whether one key may let it pass: not what runs, reaches out, destroys or is unknown.
    pub const fn enter_may_allow(self) -> bool {
        match self {
            Self::Reads | Self::Writes => true,
            Self::Executes | Self::Network | Self::Destroys | Self::Asks | Self::Todos | Self::Own | Self::Unknown => {
                false
            }
        }
    }
}

/// What a person should see at once about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Warning {
    /// It names production.
    Production,
    /// It is about Countersign itself.
    Own,
    /// It is about something outside of the workspace, or about what steers the tools in it.
    Outside,
    /// What it runs can't be told.
    Unreadable,
    /// It takes away what can't be had again.
    Destroys,
}

/// A step as it came, before anything is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The tool's name, as its host has it.
    pub tool: String,
    /// What it would be called with.
    pub input: Map<String, Value>,
    /// The folder in which it would be; absolute, links followed.
    pub folder: String,
}

/// Where a path leads: absolute, with links followed as far as there is something; a lexical one where nothing is known of files.
pub type Resolve<'a> = &'a dyn Fn(&str) -> String;

/// A command that a step runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// As it came.
    pub text: String,
    /// As a shell reads it.
    pub script: Result<Script, Unreadable>,
}

/// A step, and what it would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// As it came.
    pub call: Call,
    /// What it does.
    pub kind: StepKind,
    /// Whether it only looks something up in the web.
    pub looks_up: bool,
    /// The paths that it names, resolved. Of a command: its folder, and what looks like a path in it.
    pub paths: Vec<String>,
    /// Whether all that it is about is inside the workspace, and nothing of it steers the tools there.
    pub inside: bool,
    /// What it runs.
    pub command: Option<Command>,
    /// What to see at once.
    pub warnings: Vec<Warning>,
}

/// Where a step is looked at from.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The folder that the agent works in; empty for none.
    pub workspace: &'a str,
    /// Folders and sockets of this program's own.
    pub own: &'a [String],
    /// Where paths lead.
    pub resolve: Resolve<'a>,
}

/// Whether a step may come in at all.
pub fn check(tool: &str, input: &Map<String, Value>) -> Result<(), TextError> {
    limit::check_line("tool", tool, limit::STEP_TOOL_CHARS)?;
    limit::check_body("input", &serde_json::to_string(input).expect("BUG: a JSON value has a text"))
}

impl Step {
    /// Reads a step.
    pub fn read(call: Call, place: Place<'_>) -> Self {
        let row = tools::find(&call.tool);
        let command = match row.shape {
            Shape::Shell(fields) => Some(paths::command(&call.input, fields)),
            _ => None,
        };
        let paths = paths::paths(&call, row, command.as_ref(), place.resolve);
        let missing = matches!(row.shape, Shape::Paths { needed: true, .. } | Shape::Patch(_)) && paths.is_empty();
        let kind = match &command {
            Some(command) => of_command(command),
            // What it would change can't be told.
            None if missing => StepKind::Unknown,
            None => row.kind,
        };
        let mut step = Self { kind, looks_up: row.looks_up, inside: true, paths, command, warnings: Vec::new(), call };
        if matches!(kind, StepKind::Own | StepKind::Asks | StepKind::Todos) {
            return step;
        }
        let own = paths::is_own(&step, place.own);
        step.inside = !own && step.paths.iter().all(|path| paths::is_inside(path, place.workspace, kind));
        let unreadable =
            step.command.as_ref().is_some_and(|command| command.script.as_ref().map_or(true, |script| script.opaque));
        for (is, warning) in [
            (kind == StepKind::Destroys, Warning::Destroys),
            (paths::names_production(&step), Warning::Production),
            (own, Warning::Own),
            (!step.inside && !own, Warning::Outside),
            (unreadable, Warning::Unreadable),
        ] {
            if is {
                step.warnings.push(warning);
            }
        }
        step
    }

    /// Whether this is seen at once.
    pub fn warns(&self, warning: Warning) -> bool {
        self.warnings.contains(&warning)
    }

    /// One line for lists: the tool, and what it is about.
    pub fn title(&self) -> String {
        let about = match &self.command {
            Some(command) => command.text.as_str(),
            None => paths::about(self),
        };
        let about = about.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        crate::request::title_from(&if about.is_empty() {
            self.call.tool.clone()
        } else {
            format!("{}: {about}", self.call.tool)
        })
    }
}

fn of_command(command: &Command) -> StepKind {
    let Ok(script) = &command.script else { return StepKind::Unknown };
    if script.commands.iter().any(shell::destroys) {
        StepKind::Destroys
    } else if script.commands.iter().any(shell::reaches_network) {
        StepKind::Network
    } else {
        StepKind::Executes
    }
}
