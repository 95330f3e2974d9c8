//! What waits for a person, and how it ends.

use crate::answer::{Answer, Answers, Pick};
use crate::asker::Asker;
use crate::channel::Channel;
use crate::class::Class;
use crate::digest::Digest;
use crate::filed::Filed;
use crate::id::{AgentId, RequestId, SessionId, SpecId, WorkspaceId};
use crate::limit::{self, TextError};
use crate::mode::Mode;
use crate::plan::chain::Place;
use crate::plan::remark::Remark;
use crate::question::{self, Question, QuestionError};
use crate::time::{Millis, Timestamp};
use crate::who_may_decide::is_no;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Where a request is: `pending`, then exactly one of the others, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Waits for a person.
    Pending,
    /// Decided, with answers.
    Answered,
    /// The person chose not to answer.
    Declined,
    /// The agent took it back, or its token was revoked.
    Cancelled,
    /// Its time ran out and nobody answered.
    Expired,
    /// A newer revision replaced it.
    Superseded,
}

impl State {
    /// All states.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Answered, Self::Declined, Self::Cancelled, Self::Expired, Self::Superseded];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered => "answered",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
        }
    }

    /// The state of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Whether the same ask, made again, gets what this one ended with. What was taken back is asked anew.
    pub const fn answers_the_same_ask(self) -> bool {
        match self {
            Self::Pending | Self::Answered | Self::Declined | Self::Expired => true,
            Self::Cancelled | Self::Superseded => false,
        }
    }
}

/// What happens when a request's time runs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OnExpiry {
    /// It expires; nobody answered.
    #[default]
    Expire,
    /// Its questions' own defaults are taken, where its class allows that, and it is said.
    Default,
}

impl OnExpiry {
    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Expire => "expire",
            Self::Default => "default",
        }
    }
}

/// The spec that a gate's question is about, as it was when it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Which spec.
    pub spec: SpecId,
    /// Its revision.
    pub revision: u32,
    /// Its status, as a word.
    pub status: String,
    /// The trusted commands that it is about, where it is about some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Digest>,
    /// How its criteria stood, where it is about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Digest>,
}

impl Subject {
    /// Whether it is this spec in the same revision and status, whatever else it is bound to.
    pub fn is_of(&self, spec: &Self) -> bool {
        (self.spec, self.revision, &self.status) == (spec.spec, spec.revision, &spec.status)
    }
}

/// What an agent wants to have asked, before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The tool that asks, which is also the kind of the request.
    pub tool: String,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// One line for lists: the question, a plan's first heading, the spec's id.
    pub title: String,
    /// More to read, as markdown.
    pub context: Option<String>,
    /// What is asked.
    pub questions: Vec<Question>,
    /// The tool's arguments with names resolved, without `answers`, `hold_seconds` and `_meta`.
    pub arguments: Value,
    /// Until when, counted from now.
    pub expires_in: Option<Millis>,
    /// What happens then.
    pub on_expiry: OnExpiry,
    /// The spec it is about.
    pub subject: Option<Subject>,
    /// The word that a yes takes, for destructive requests.
    pub typed_word: Option<String>,
    /// For a choice of what to do: the options that take no word. Each of the others takes itself.
    pub safe_options: Vec<String>,
    /// Whether it is a tool's gate: then the decision is a grant, which the same call uses.
    pub gate: bool,
}

/// Why an ask is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// One of its texts.
    #[error("{0}")]
    Text(#[from] TextError),
    /// One of its questions.
    #[error("{0}")]
    Question(#[from] QuestionError),
    /// `on_expiry: default` where no default may or can be taken.
    #[error("`on_expiry` can't be \"default\" here: {why}; leave it out, or use \"expire\"")]
    OnExpiry {
        /// Why.
        why: String,
    },
}

impl Ask {
    /// Checks all of it; `options` is how many options its questions may have.
    pub fn check(&self, options: std::ops::RangeInclusive<usize>) -> Result<(), AskError> {
        if let Some(context) = &self.context {
            limit::check_body("context", context)?;
        }
        self.check_but_context(options)
    }

    /// As [`Ask::check`], for a context that was put together from texts that were checked each for itself.
    pub fn check_but_context(&self, options: std::ops::RangeInclusive<usize>) -> Result<(), AskError> {
        limit::check_line("title", &self.title, limit::TITLE_CHARS)?;
        question::check_all(&self.questions, options)?;
        if self.on_expiry == OnExpiry::Default {
            if !matches!(
                crate::who_may_decide::may_decide(self.class, Channel::Expiry),
                crate::who_may_decide::May::Default
            ) {
                return Err(AskError::OnExpiry {
                    why: format!("a request of class {} never takes a default", self.class.word()),
                });
            }
            if let Err(question) = crate::answer::defaults(&self.questions) {
                return Err(AskError::OnExpiry {
                    why: format!("question `{}` is required and has no default", question.id),
                });
            }
        }
        Ok(())
    }

    /// What makes two asks of one agent the same: the tool and its arguments, canonically.
    pub fn key(&self) -> Digest {
        Digest::of(&json!({"tool": self.tool, "arguments": self.arguments}))
    }

    /// The digest of what the person is shown; a decision is over exactly this.
    pub fn digest(&self, agent: &AgentId, workspace: &str) -> Digest {
        self.digest_over(&self.key(), agent, workspace)
    }

    /// The same, for one who has the key already.
    pub fn digest_over(&self, key: &Digest, agent: &AgentId, workspace: &str) -> Digest {
        let mut shown = json!({
            "agent": agent,
            "workspace": workspace,
            "tool": self.tool,
            "class": self.class,
            "title": self.title,
            "context": self.context,
            "questions": self.questions,
            "arguments": key,
            "subject": self.subject,
            "typed_word": self.typed_word,
            "gate": self.gate,
        });
        // Only where there are some: what was asked before there was this field keeps its digest.
        if !self.safe_options.is_empty() {
            shown["safe_options"] = json!(self.safe_options);
        }
        Digest::of(&shown)
    }

    /// The word that these answers take: the one that a yes takes, or a chosen option itself, unless it is a safe one.
    pub fn word_for<'a>(&'a self, answers: &'a Answers) -> Option<&'a str> {
        if self.class != Class::Destructive || is_no(self.class, answers) {
            return None;
        }
        if let Some(word) = &self.typed_word {
            return Some(word);
        }
        answers.0.values().find_map(|answer| match answer {
            Answer::One(Pick::Option(label)) if !self.safe_options.contains(label) => Some(label.as_str()),
            Answer::One(_) | Answer::Some { .. } | Answer::Text(_) | Answer::Confirm(_) => None,
        })
    }
}

/// A one-line title from a longer text: its first line with words, shortened to what a title may have.
///
/// Only lists and notifications use it; what is decided on is never cut.
pub fn title_from(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let clean: String = line.chars().filter(|c| !c.is_control()).collect();
    if clean.chars().count() <= limit::TITLE_CHARS {
        return clean;
    }
    clean.chars().take(limit::TITLE_CHARS - 1).chain(['…']).collect()
}

/// How a request was decided: by whom, through what, when, over which content.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The answers; empty unless answered.
    pub answers: Answers,
    /// Through what it came.
    pub channel: Channel,
    /// Whether the proof that a person is there came from a file.
    pub unattended: bool,
    /// What the person added.
    pub comment: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The content that it is over.
    pub digest: Digest,
    /// The session's mode once it was made; for plans alone.
    pub mode: Option<Mode>,
    /// What there is to say of it besides; for steps alone.
    pub step: Option<StepDecision>,
    /// What became of a file by it.
    pub file: Option<Filed>,
    /// What the person remarked on single lines; for plans alone.
    pub remarks: Vec<Remark>,
}

/// What a decision on a step says besides yes or no.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepDecision {
    /// The input that the person made of it, whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Map<String, Value>>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<i64>,
    /// The rule that remembers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered: Option<i64>,
    /// Whether the person stopped the session with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
}

/// What the agent says the person answered to a question that it may not relay: shown as its claim, decides nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The question.
    pub question: String,
    /// The value it gave.
    pub value: Value,
    /// When.
    pub at: Timestamp,
}

/// A request as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Ours, random, never reused.
    pub id: RequestId,
    /// Who asks.
    pub agent: AgentId,
    /// In which run.
    pub session: SessionId,
    /// Where.
    pub workspace: WorkspaceId,
    /// What.
    pub ask: Ask,
    /// The digest of what is asked. Who asks by which program is no part of it: that is what the system told of one
    /// moment, and the same ask may be joined from another process. It is in the log's entry instead.
    pub digest: Digest,
    /// The program that asked, for what has its own dialog; none where it could not be told.
    pub asker: Option<Asker>,
    /// Where it is.
    pub state: State,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When its time runs out.
    pub expires_at: Option<Timestamp>,
    /// How it ended.
    pub decision: Option<Decision>,
    /// What the agent claimed.
    pub claims: Vec<Claim>,
    /// When it ended.
    pub settled_at: Option<Timestamp>,
    /// When its ending was written to the agent without an error.
    pub collected_at: Option<Timestamp>,
    /// Where it stands among the plans of its session; for plans alone.
    pub plan: Option<Place>,
}

impl Request {
    /// Whether a deadline passed at `now`, by the wall clock. The broker also asks its boot clock.
    pub fn is_past_deadline(&self, now: Timestamp) -> bool {
        self.state == State::Pending && self.expires_at.is_some_and(|at| at <= now)
    }

    /// `{id, state, class}`: how a tool result names it.
    pub fn reference(&self) -> Value {
        json!({"id": self.id, "state": self.state, "class": self.ask.class})
    }
}

/// What to do with an ask, given the newest request of the same agent, session and key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Wait with the pending one.
    Pending,
    /// Hand out how it ended; nobody had it yet.
    Uncollected,
    /// Hand out how it ended once more, marked as a repetition.
    Repeated,
    /// Ask anew.
    New,
}

/// Whether an ask joins the newest request of the same key.
pub fn join(newest: &Request, now: Timestamp) -> Join {
    if newest.state == State::Pending {
        return Join::Pending;
    }
    if !newest.state.answers_the_same_ask() {
        return Join::New;
    }
    match newest.collected_at {
        None => Join::Uncollected,
        Some(_) if newest.ask.class.delivered_once() => Join::New,
        Some(at) if now.since(at) <= Millis(limit::REPEAT_MILLIS) => Join::Repeated,
        Some(_) => Join::New,
    }
}

#[cfg(test)]
pub(crate) mod tests;
