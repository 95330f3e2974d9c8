//! Gates: a tool asks first, and goes on once a decision is there that is over exactly this call.

use crate::agents::Caller;
use crate::decide;
use crate::error::BrokerError;
use crate::requests;
use crate::specs::Gated;
use crate::writer::Work;
use countersign_core::answer::{self, Answers};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::gate::{self, Gate};
use countersign_core::mode::Mode;
use countersign_core::request::{Ask, Claim, Decision, OnExpiry, Request, State, Subject};
use countersign_core::who_may_decide::{May, may_decide};
use countersign_store::Grant;
use serde_json::{Map, Value};

/// Claims kept of one request; a talkative agent does not grow it without end.
const CLAIMS: usize = 10;

/// The note of a question that comes back because the spec is not what it was.
const CHANGED: &str = "The spec changed since this was last asked, so what was said then no longer counts.";
/// The same, because the commands are not what they were.
const COMMANDS_CHANGED: &str =
    "The commands changed and were trusted anew since this was last asked, so what was said then no longer counts.";
/// The note of a question that comes back because its decision waited too long.
const LAPSED: &str = "The decision lapsed before it was used, so it no longer counts.";

/// The note where a relayed answer is kept and decides nothing.
const CLAIMED: &str = "What you relayed was kept as your claim and decides nothing: only the person can decide this, in Countersign itself";
/// The note where a relayed answer is nothing.
const UNHEARD: &str = "Relayed answers don't count here: the person decides in Countersign itself";

/// What a gate lets through, or that it is shut.
pub(crate) enum Passage<T> {
    /// It is open.
    Open(Pass),
    /// Ask first.
    Shut(Gated<T>),
}

/// A gate that is open: the answer, and the grant to use up once the tool has done its work.
#[derive(Debug)]
pub(crate) struct Pass {
    pub(crate) answer: Value,
    pub(crate) grant: Box<Grant>,
    /// The question whose default was taken, because nobody is asked in the session's mode.
    pub(crate) took: Option<String>,
}

/// A tool's call as a gate sees it.
pub(crate) struct Call<'a> {
    pub(crate) caller: &'a Caller,
    /// The session's mode now.
    pub(crate) mode: Mode,
    pub(crate) tool: &'static str,
    /// Names resolved to ids, without `answers`.
    pub(crate) arguments: Value,
    /// What the agent says the person answered, to all of the tool's questions.
    pub(crate) answers: &'a Map<String, Value>,
}

/// Goes through a gate.
pub(crate) fn pass<T>(work: &mut Work<'_>, call: &Call<'_>, gate: &Gate) -> Result<Passage<T>, BrokerError> {
    let key = ask_of(call, gate).key();
    let mut note = None;
    if let Some(grant) = work.tx.open_grant(&call.caller.agent, call.caller.workspace, &key, &gate.question.id)? {
        let holds = grant.created_at <= work.at() && work.at() <= grant.lapses_at;
        if holds && grant.subject == gate.subject {
            return Ok(Passage::Open(Pass { answer: grant.answer.clone(), grant: Box::new(grant), took: None }));
        }
        note = Some(if grant.subject == gate.subject { LAPSED } else { changed(grant.subject.as_ref(), gate) });
        work.tx.use_grant(grant.id, work.at())?;
    }
    match earlier(work, call, gate, &key)? {
        Some(pending) if pending.state == State::Pending && pending.ask.subject == gate.subject => {
            return relayed(work, call, pending, &key);
        }
        Some(pending) if pending.state == State::Pending => {
            note = Some(changed(pending.ask.subject.as_ref(), gate));
            decide::settle(work, &pending, State::Superseded, None)?;
        }
        Some(superseded) if superseded.ask.subject != gate.subject => {
            note = note.or(Some(changed(superseded.ask.subject.as_ref(), gate)));
        }
        Some(_) | None => {}
    }
    // The key is over the tool and its arguments: the same, whatever the question says.
    let mut ask = ask_of(call, gate);
    if let Some(note) = note {
        ask.questions[0].question = format!("{note} {}", ask.questions[0].question);
    }
    if call.mode == Mode::Autonomous
        && let Some(default) = taken(gate)
    {
        return by_default(work, call, ask, default, &key);
    }
    let request = requests::insert(work, call.caller, ask, &key)?;
    let blocked = (call.mode == Mode::Autonomous)
        .then_some("Nobody is asked in autonomous mode and this question has no default that may be taken, so the call is blocked; the question is shown to the person.");
    let notes: Vec<&str> = note.into_iter().chain(blocked).collect();
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    shut(work, request, note)
}

/// Ask first.
fn shut<T>(work: &Work<'_>, request: Request, note: Option<String>) -> Result<Passage<T>, BrokerError> {
    let relays = relayed_counts(work, &request)? == May::Unverified;
    let questions = request.ask.questions.clone();
    Ok(Passage::Shut(Gated::Asks { questions, request: Some(Box::new(request)), note, relays }))
}

/// What a relayed answer to this request counts for: as the table says, unless the workspace wants it answered in the app.
fn relayed_counts(work: &Work<'_>, request: &Request) -> Result<May, BrokerError> {
    let in_app = request.ask.class == Class::Policy && work.tx.workspace(request.workspace)?.rules.policy_in_app;
    Ok(if in_app { May::ClaimOnly } else { may_decide(request.ask.class, Channel::Relayed) })
}

/// What is not as it was when it was decided.
fn changed(before: Option<&Subject>, gate: &Gate) -> &'static str {
    let spec = |subject: &Subject| (subject.spec, subject.revision, subject.status.clone());
    if before.map(spec) == gate.subject.as_ref().map(spec) { COMMANDS_CHANGED } else { CHANGED }
}

/// The default that autonomous mode takes, where the table of who may decide lets it.
fn taken(gate: &Gate) -> Option<&Value> {
    let default = gate.question.default.as_ref()?;
    match may_decide(gate.class, Channel::Autonomous) {
        May::Default => Some(default),
        May::SaferOnly => Some(default).filter(|default| gate.is_safe(default)),
        May::Yes | May::OptIn | May::TypedWord | May::Unverified | May::ClaimOnly | May::No => None,
    }
}

/// Nobody is asked: the default is taken, and it is kept that it was.
fn by_default<T>(
    work: &mut Work<'_>,
    call: &Call<'_>,
    ask: Ask,
    default: &Value,
    key: &Digest,
) -> Result<Passage<T>, BrokerError> {
    let question = ask.questions[0].id.clone();
    let given = Map::from_iter([(question.clone(), default.clone())]);
    let answers = answer::check(&ask.questions, &given).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let request = requests::insert_untold(work, call.caller, ask, key)?;
    let settled = decided(work, &request, answers, Channel::Autonomous)?;
    Ok(Passage::Open(Pass { took: Some(question), ..open(work, call, &settled, key)? }))
}

/// Settles a request by something that is no person at a surface.
fn decided(work: &mut Work<'_>, request: &Request, answers: Answers, channel: Channel) -> Result<Request, BrokerError> {
    let decision = Decision {
        answers,
        channel,
        unattended: false,
        comment: None,
        at: work.at(),
        digest: request.digest,
        mode: None,
        step: None,
        file: None,
        remarks: Vec::new(),
    };
    decide::settle(work, request, State::Answered, Some(decision))
}

/// The grant that was just given.
fn open(work: &Work<'_>, call: &Call<'_>, settled: &Request, key: &Digest) -> Result<Pass, BrokerError> {
    let question = &settled.ask.questions[0].id;
    let grant = work.tx.open_grant(&call.caller.agent, call.caller.workspace, key, question)?;
    let grant = grant.ok_or_else(|| BrokerError::Invalid("the answer left nothing to go on".into()))?;
    Ok(Pass { answer: grant.answer.clone(), grant: Box::new(grant), took: None })
}

/// Uses a grant up, once its tool has done its work.
pub(crate) fn finish(work: &Work<'_>, grant: &Grant) -> Result<(), BrokerError> {
    if !work.tx.use_grant(grant.id, work.at())? {
        return Err(BrokerError::Invalid("this decision was used already".into()));
    }
    work.tx.collect_request(&grant.request, work.at())?;
    Ok(())
}

fn ask_of(call: &Call<'_>, gate: &Gate) -> Ask {
    Ask {
        tool: call.tool.to_owned(),
        class: gate.class,
        title: gate.title.clone(),
        context: gate.context.clone(),
        questions: vec![gate.question.clone()],
        arguments: call.arguments.clone(),
        expires_in: None,
        on_expiry: OnExpiry::Expire,
        subject: gate.subject.clone(),
        typed_word: gate.typed_word.clone(),
        safe_options: gate.safe_options.clone(),
        gate: true,
    }
}

/// The same question as it was asked last, if nobody answered it.
fn earlier(work: &mut Work<'_>, call: &Call<'_>, gate: &Gate, key: &Digest) -> Result<Option<Request>, BrokerError> {
    let of_gate = |request: &Request| request.ask.questions.iter().any(|question| question.id == gate.question.id);
    let same = requests::same(work, call.caller, key)?;
    if let Some(pending) = same.filter(|request| request.state == State::Pending && of_gate(request)) {
        return Ok(Some(pending));
    }
    let replaced = work.tx.newest_superseded(&call.caller.agent, call.caller.workspace, key)?;
    Ok(replaced.filter(of_gate))
}

/// The question was asked before. What the agent relays counts where the table says so; elsewhere it is kept as a claim.
fn relayed<T>(work: &mut Work<'_>, call: &Call<'_>, pending: Request, key: &Digest) -> Result<Passage<T>, BrokerError> {
    let own = relevant(call, &pending.ask.questions[0].id)?;
    if own.is_empty() {
        return shut(work, pending, None);
    }
    let checked =
        answer::check(&pending.ask.questions, &own).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    match relayed_counts(work, &pending)? {
        May::Unverified => {
            let settled = decided(work, &pending, checked, Channel::Relayed)?;
            Ok(Passage::Open(open(work, call, &settled, key)?))
        }
        May::ClaimOnly => {
            let claims = claims(&pending, &own, work);
            work.tx.set_claims(&pending.id, &claims)?;
            work.effect(crate::writer::Effect::Changed(crate::Change::List));
            shut(work, Request { claims, ..pending }, Some(CLAIMED.to_owned()))
        }
        May::Yes | May::OptIn | May::TypedWord | May::Default | May::SaferOnly | May::No => {
            shut(work, pending, Some(UNHEARD.to_owned()))
        }
    }
}

/// Of all answers those to this question. What the tool never asks is a mistake.
fn relevant(call: &Call<'_>, question: &str) -> Result<Map<String, Value>, BrokerError> {
    let known = gate::ids_of(call.tool);
    if let Some(id) = call.answers.keys().find(|id| !known.contains(&id.as_str())) {
        let id: String = id.chars().take(60).collect();
        return Err(BrokerError::Invalid(format!(
            "`answers` has `{id}`, which is no question of `{}`; asked is `{question}`",
            call.tool
        )));
    }
    Ok(call.answers.iter().filter(|(id, _)| *id == question).map(|(id, value)| (id.clone(), value.clone())).collect())
}

fn claims(pending: &Request, answers: &Map<String, Value>, work: &Work<'_>) -> Vec<Claim> {
    let mut claims = pending.claims.clone();
    for (question, value) in answers {
        if !claims.iter().any(|claim| &claim.question == question && &claim.value == value) {
            claims.push(Claim { question: question.clone(), value: value.clone(), at: work.at() });
        }
    }
    let over = claims.len().saturating_sub(CLAIMS);
    claims.split_off(over)
}
