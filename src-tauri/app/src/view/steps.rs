//! A step, whole, as the page draws it: a command as a shell reads it, an edit as a diff, everything else by its fields.

mod parts;

use super::WINDOW;
use super::detail::{self, RequestView};
use super::specs::DiffLine;
use super::status::{StatusView, status};
use crate::desk::Desk;
use countersign_broker::{BrokerError, Detail, Remember, StepVerdict, Until as Remembered, Verdict};
use countersign_core::digest::Digest;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::rule::CommandMatch;
use countersign_core::safe_text::SafeText;
use countersign_core::step::{self, Proposal, StepKind as Kind, Warning, proposals};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What a step does, as far as could be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// It looks at something.
    Reads,
    /// It changes a file.
    Writes,
    /// It runs a program.
    Executes,
    /// It reaches the network.
    Network,
    /// It takes away what can't be had again.
    Destroys,
    /// Nobody knows.
    Unknown,
}

/// What to see at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum StepWarning {
    /// It names production.
    Production,
    /// It is about Countersign itself.
    Own,
    /// It is about something outside of the workspace.
    Outside,
    /// It can't be told what all of it runs.
    Unreadable,
    /// It takes away what can't be had again.
    Destroys,
}

/// One simple command of a step.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct CommandPartView {
    /// The program and its arguments.
    pub words: Vec<SafeText>,
    /// What is set in its environment, such as `A=1`.
    pub assignments: Vec<SafeText>,
    /// Where its input comes from and its output goes, such as `> out`.
    pub redirections: Vec<SafeText>,
    /// What stands before it: `&&`, `||`, `|`, `;` or `&`.
    pub operator: Option<String>,
    /// Whether it is in a substitution or behind a program that runs another.
    pub inside: bool,
}

/// A part of what a step would do.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum StepPartView {
    /// A command.
    Command {
        /// As the agent wrote it.
        lines: SafeText,
        /// As a shell reads it; empty when it can't be read.
        commands: Vec<CommandPartView>,
    },
    /// A change of a file.
    Diff {
        /// Of which file.
        path: SafeText,
        /// What changes in it.
        lines: Vec<DiffLine>,
    },
    /// Anything else.
    Field {
        /// Its name.
        name: SafeText,
        /// Its value.
        value: SafeText,
    },
}

/// What a decision could be remembered for.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ProposalView {
    /// Names it in the answer.
    pub id: usize,
    /// The tool; none: any.
    pub tool: Option<SafeText>,
    /// The words that the command starts with.
    pub prefix: Option<Vec<SafeText>>,
    /// Whether it is these words and no more.
    pub exact: bool,
    /// The folder beneath which it works.
    pub path: Option<SafeText>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    /// The host's tool.
    pub tool: SafeText,
    /// What it does.
    pub kind: StepKind,
    /// The folder in which it would be.
    pub folder: SafeText,
    /// Whether its host takes an edited input.
    pub edits: bool,
    /// Its input, as JSON to edit.
    pub input: String,
    /// What it would do, whole.
    pub parts: Vec<StepPartView>,
    /// What to see at once.
    pub warnings: Vec<StepWarning>,
    /// From narrow to wide; none where nothing can be remembered.
    pub proposals: Vec<ProposalView>,
    /// Whether Enter alone may allow it.
    pub enter: bool,
    /// Whether its session is stopped.
    pub stopped: bool,
    /// Its session, as commands name it.
    pub session_id: String,
    /// How it was decided; none while it is open.
    pub allowed: Option<bool>,
    /// How many other open steps the same decision settled.
    pub also_settled: u64,
}

/// Until when a decision is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// As long as the session goes on.
    Session,
    /// An hour.
    Hour,
    /// For good.
    Good,
}

/// What of a decision is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct RememberInput {
    proposal: usize,
    until: Until,
}

/// The step of a request; none for other kinds.
pub fn of(desk: &Desk, detail: &Detail) -> Result<Option<StepView>, BrokerError> {
    let request = &detail.request;
    let Some((asked, step)) = desk.broker.step_of(request, &detail.workspace) else { return Ok(None) };
    let decision = request.decision.as_ref();
    let remembered = decision.and_then(|decision| decision.step.as_ref()?.remembered);
    let stopped = desk.broker.session(&request.session)?.session.stopped_at.is_some();
    let also_settled = match (remembered, request.settled_at) {
        (Some(rule), Some(at)) => desk.broker.read(|db| Ok(db.settled_by_rule(rule, at)?))?,
        _ => 0,
    };
    Ok(Some(StepView {
        tool: SafeText::line(&step.call.tool),
        kind: kind(step.kind),
        folder: SafeText::line(&step.call.folder),
        edits: asked.edits,
        input: serde_json::to_string_pretty(&step.call.input).unwrap_or_default(),
        parts: parts::of(&step),
        warnings: step.warnings.iter().map(|one| warning(*one)).collect(),
        proposals: proposals(&step, &detail.workspace).iter().enumerate().map(proposal).collect(),
        enter: step.enter_may_allow(),
        stopped,
        session_id: request.session.to_string(),
        allowed: decision.map(|decision| step::is_yes(&decision.answers)),
        also_settled,
    }))
}

const fn kind(kind: Kind) -> StepKind {
    match kind {
        Kind::Reads => StepKind::Reads,
        Kind::Writes => StepKind::Writes,
        Kind::Executes => StepKind::Executes,
        Kind::Network => StepKind::Network,
        Kind::Destroys => StepKind::Destroys,
        // The first three pass, and are nobody's to decide.
        Kind::Asks | Kind::Todos | Kind::Own | Kind::Unknown => StepKind::Unknown,
    }
}

const fn warning(warning: Warning) -> StepWarning {
    match warning {
        Warning::Production => StepWarning::Production,
        Warning::Own => StepWarning::Own,
        Warning::Outside => StepWarning::Outside,
        Warning::Unreadable => StepWarning::Unreadable,
        Warning::Destroys => StepWarning::Destroys,
    }
}

fn proposal((id, proposal): (usize, &Proposal)) -> ProposalView {
    let line = |text: &Option<String>| text.as_deref().map(SafeText::line);
    let prefix = match &proposal.command {
        Some(CommandMatch::Prefix(words)) => Some(words.iter().map(|word| SafeText::line(word)).collect()),
        Some(CommandMatch::Exact(_)) | None => None,
    };
    let exact = matches!(proposal.command, Some(CommandMatch::Exact(_)));
    ProposalView { id, tool: line(&proposal.tool), prefix, exact, path: line(&proposal.path) }
}

/// The person decides on a step.
pub async fn answer(
    desk: &Desk,
    id: RequestId,
    digest: &str,
    allow: bool,
    remember: Option<RememberInput>,
    edited: Option<String>,
    comment: Option<String>,
) -> Result<RequestView, BrokerError> {
    let digest = Digest::parse(digest).ok_or(BrokerError::Stale)?;
    let edited = match edited.map(|text| serde_json::from_str(&text)) {
        None => None,
        Some(Ok(Value::Object(edited))) => Some(edited),
        Some(_) => return Err(BrokerError::Invalid("the input must be a JSON object; nothing was decided".into())),
    };
    let remember = remember.map(|remember| Remember {
        proposal: remember.proposal,
        until: match remember.until {
            Until::Session => Remembered::Session,
            Until::Hour => Remembered::Hour,
            Until::Good => Remembered::Good,
        },
    });
    let verdict = Verdict::Step(Box::new(StepVerdict { allow, edited, remember, comment }));
    desk.broker.decide(WINDOW, &id, Some(digest), verdict).await?;
    detail::request(desk, &id)
}

/// The person stops a session, or releases it.
pub async fn stop(desk: &Desk, session: String, stop: bool) -> Result<StatusView, BrokerError> {
    desk.broker.stop_session(WINDOW, &SessionId(session), stop).await?;
    status(desk)
}
