//! One request, whole, as the page draws it.

use super::asks::{self, FileRequestView, RetireView, TodoView};
use super::plan::{self, PlanHistoryView, RemarkView};
use super::row::{self, RowView};
use super::specs::{self, AboutView};
use super::steps::{self, StepView};
use crate::desk::Desk;
use countersign_broker::{BrokerError, Detail};
use countersign_core::asker::Asker;
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::markdown::{self, Block};
use countersign_core::question::{Choice, Question, QuestionType};
use countersign_core::request::Decision;
use countersign_core::safe_text::SafeText;
use countersign_core::who_may_decide::{May, may_decide};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

/// Where a request is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Here.
    Window,
    /// In its own dialog.
    Dialog,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct OptionView {
    /// What is shown.
    pub label: SafeText,
    /// What an answer carries.
    pub value: String,
    /// A line that explains it.
    pub description: Option<SafeText>,
    /// A longer sample.
    pub preview: Option<SafeText>,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuestionView {
    /// Matches the answer.
    pub id: String,
    /// What the person reads.
    pub question: SafeText,
    /// What kind of answer it takes.
    #[serde(rename = "type")]
    pub kind: QuestionType,
    /// What can be chosen.
    pub options: Vec<OptionView>,
    /// Preselected.
    pub default: Option<Value>,
    /// Whether it must be answered.
    pub required: bool,
    /// What a text must match.
    pub pattern: Option<String>,
    /// Whether an own answer may be given.
    pub allow_other: bool,
}

/// What the agent says the person answered.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ClaimView {
    /// To which question.
    pub question: String,
    /// What.
    pub value: SafeText,
    /// When.
    pub at: i64,
}

/// How it was decided.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct DecisionView {
    /// Through which channel.
    pub by: String,
    /// Whether the proof of a person came from a file.
    pub unattended: bool,
    /// When.
    pub at: i64,
    /// One line a question.
    pub answers: Vec<SafeText>,
    /// What the person added.
    pub comment: Option<SafeText>,
    /// What the person remarked on the lines of a plan, if anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<RemarkView>>")]
    pub remarks: Vec<RemarkView>,
    /// The session's mode since then, for a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<String>,
}

/// The program on the other end of the socket, at the moment it asked.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct AskerView {
    /// Its process.
    pub pid: u32,
    /// The file that it runs.
    pub path: Option<SafeText>,
    /// The folder in which it runs.
    pub folder: Option<SafeText>,
    /// Whether it asks through our own bridge.
    pub bridge: bool,
}

/// A whole request.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct RequestView {
    /// Its row.
    pub row: RowView,
    /// The spec that it is about.
    pub spec: Option<AboutView>,
    /// More to read.
    pub context: Vec<Block>,
    /// What is asked.
    pub questions: Vec<QuestionView>,
    /// The digest of exactly this content; comes back with the decision.
    pub digest: String,
    /// Whether it is one of Countersign's own gates, whose words the page knows.
    pub gate: bool,
    /// Where it is decided.
    pub surface: Surface,
    /// The program that asked, as the system told; for what is decided in its dialog, and only where it could be told.
    pub asker: Option<AskerView>,
    /// The file that it asks for, when that is what it asks.
    pub file: Option<FileRequestView>,
    /// The file that it would put away, when that is what it asks.
    pub retire: Option<RetireView>,
    /// The tasks of its session.
    pub todos: Vec<TodoView>,
    /// Where it stands among its session's plans, when it is one.
    pub plan: Option<PlanHistoryView>,
    /// What the agent claims.
    pub claims: Vec<ClaimView>,
    /// What the person typed and did not send.
    pub draft: Option<String>,
    /// How it was decided.
    pub decision: Option<DecisionView>,
    /// Whether the agent has its ending.
    pub collected: bool,
    /// The step, when it is one.
    pub step: Option<StepView>,
}

/// An answer as the page sends it.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(untagged)]
pub enum Answer {
    /// To a yes/no question.
    Confirm(bool),
    /// An option's value, or a text.
    Text(String),
    /// Several options.
    Some(Vec<String>),
    /// Options, and own words.
    Own {
        /// Options.
        chosen: Vec<String>,
        /// Own words.
        other: String,
    },
}

impl Answer {
    /// As core checks it.
    pub fn into_json(self) -> Value {
        match self {
            Self::Confirm(yes) => json!(yes),
            Self::Text(text) => json!(text),
            Self::Some(chosen) => json!(chosen),
            Self::Own { chosen, other } => json!({"chosen": chosen, "other": other}),
        }
    }
}

/// A request by its id.
pub fn request(desk: &Desk, id: &RequestId) -> Result<RequestView, BrokerError> {
    let detail = desk.broker.detail(id)?;
    let history = plan::history(desk, &detail)?;
    let step = steps::of(desk, &detail)?;
    Ok(RequestView { step, ..view(&detail, history) })
}

/// As the page draws it.
pub fn view(detail: &Detail, plan: Option<PlanHistoryView>) -> RequestView {
    let request = &detail.request;
    let surface = match may_decide(request.ask.class, Channel::Window) {
        May::Yes => Surface::Window,
        May::OptIn | May::TypedWord | May::Unverified | May::Default | May::SaferOnly | May::ClaimOnly | May::No => {
            Surface::Dialog
        }
    };
    RequestView {
        row: row::of(detail),
        spec: specs::about(request),
        context: request.ask.context.as_deref().map(context).unwrap_or_default(),
        questions: request.ask.questions.iter().map(question).collect(),
        digest: request.digest.to_string(),
        gate: request.ask.gate,
        surface,
        asker: request.asker.as_ref().map(asker),
        file: asks::file(request),
        retire: asks::retire(request),
        todos: detail.todos.iter().map(asks::todo).collect(),
        plan,
        claims: request
            .claims
            .iter()
            .map(|claim| ClaimView {
                question: claim.question.clone(),
                value: SafeText::line(&claim.value.to_string()),
                at: claim.at.0,
            })
            .collect(),
        draft: detail.draft.clone(),
        decision: request.decision.as_ref().map(|decision| decided(decision, &request.ask.questions)),
        collected: request.collected_at.is_some(),
        step: None,
    }
}

/// Parts of a rendered text at the most: with more the window would freeze for seconds while it draws them.
const PARTS: usize = 5_000;

/// As markdown, or, when that has more parts than can be drawn at once, as the text that it is. Nothing is left out.
pub fn context(text: &str) -> Vec<Block> {
    let blocks = markdown::parse(text);
    if markdown::parts(&blocks) <= PARTS {
        return blocks;
    }
    vec![Block::Code { language: None, spans: SafeText::lines(text) }]
}

fn asker(asker: &Asker) -> AskerView {
    let line = |text: &Option<String>| text.as_deref().map(SafeText::line);
    AskerView { pid: asker.pid, path: line(&asker.path), folder: line(&asker.folder), bridge: asker.bridge }
}

fn question(question: &Question) -> QuestionView {
    QuestionView {
        id: question.id.clone(),
        question: SafeText::lines(&question.question),
        kind: question.kind,
        options: question.options.iter().map(option).collect(),
        default: question.default.clone(),
        required: question.required,
        pattern: question.pattern.clone(),
        allow_other: question.allow_other,
    }
}

fn option(choice: &Choice) -> OptionView {
    let lines = |text: &Option<String>| text.as_deref().map(SafeText::lines);
    OptionView {
        label: SafeText::line(&choice.label),
        value: choice.label.clone(),
        description: lines(&choice.description),
        preview: lines(&choice.preview),
    }
}

fn decided(decision: &Decision, questions: &[Question]) -> DecisionView {
    let answers = questions.iter().filter_map(|question| decision.answers.0.get(&question.id));
    DecisionView {
        by: by(decision.channel).to_owned(),
        unattended: decision.unattended,
        at: decision.at.0,
        answers: answers.map(|answer| SafeText::lines(&answer.line())).collect(),
        comment: decision.comment.as_deref().map(SafeText::lines),
        remarks: decision.remarks.iter().map(plan::remark).collect(),
        mode: decision.mode.map(|mode| mode.word().to_owned()),
    }
}

/// A default is a default, whoever's clock took it.
pub const fn by(channel: Channel) -> &'static str {
    match channel {
        Channel::Expiry | Channel::Autonomous => "default",
        Channel::Window
        | Channel::Dialog
        | Channel::Notification
        | Channel::Terminal
        | Channel::Serve
        | Channel::File
        | Channel::Relayed
        | Channel::Rule
        | Channel::Program
        | Channel::Mode => channel.word(),
    }
}
