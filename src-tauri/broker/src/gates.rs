//! Gates: a tool asks first, and goes on once a decision is there that is over exactly this call.

use crate::agents::Caller;
use crate::decide;
use crate::error::BrokerError;
use crate::requests;
use crate::specs::Gated;
use crate::writer::Work;
use countersign_core::answer;
use countersign_core::channel::Channel;
use countersign_core::digest::Digest;
use countersign_core::gate::Gate;
use countersign_core::request::{Ask, Claim, Decision, OnExpiry, Request, State};
use countersign_core::who_may_decide::{May, may_decide};
use countersign_store::Grant;
use serde_json::{Map, Value};

/// Claims kept of one request; a talkative agent does not grow it without end.
const CLAIMS: usize = 10;

/// What a gate lets through, or that it is shut.
pub(crate) enum Passage<T> {
    /// The answer, and the grant to use up once the tool has done its work.
    Open(Value, Box<Grant>),
    /// Ask first.
    Shut(Gated<T>),
}

/// A tool's call as a gate sees it.
pub(crate) struct Call<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) tool: &'static str,
    /// Names resolved to ids, without `answers`.
    pub(crate) arguments: Value,
    /// What the agent says the person answered.
    pub(crate) answers: &'a Map<String, Value>,
}

/// Goes through a gate. `make` builds it, told whether the spec changed since an earlier decision.
pub(crate) fn pass<T>(
    work: &mut Work<'_>,
    call: &Call<'_>,
    make: impl Fn(bool) -> Gate,
) -> Result<Passage<T>, BrokerError> {
    let gate = make(false);
    let key = ask_of(call, &gate).key();
    let mut changed = false;
    if let Some(grant) = work.tx.open_grant(&call.caller.agent, call.caller.workspace, &key, &gate.question.id)? {
        let holds = grant.created_at <= work.at() && work.at() <= grant.lapses_at;
        if holds && grant.subject == gate.subject {
            return Ok(Passage::Open(grant.answer.clone(), Box::new(grant)));
        }
        changed = grant.subject != gate.subject;
        work.tx.use_grant(grant.id, work.at())?;
    }
    if let Some(pending) = pending(work, call, &gate, &key)? {
        if pending.ask.subject == gate.subject {
            return relayed(work, call, pending, &key);
        }
        changed = true;
        decide::settle(work, &pending, State::Superseded, None)?;
    }
    // The key is over the tool and its arguments: the same, whatever the gate says.
    let request = requests::insert(work, call.caller, ask_of(call, &make(changed)), &key)?;
    let note =
        changed.then(|| "The spec changed since it was last decided, so that decision no longer counts.".to_owned());
    Ok(Passage::Shut(Gated::Asks { questions: request.ask.questions.clone(), request: Some(Box::new(request)), note }))
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

fn pending(work: &mut Work<'_>, call: &Call<'_>, gate: &Gate, key: &Digest) -> Result<Option<Request>, BrokerError> {
    let same = requests::same(work, call.caller, key)?;
    Ok(same.filter(|r| r.state == State::Pending && r.ask.questions.iter().any(|q| q.id == gate.question.id)))
}

/// The question was asked before. What the agent relays counts where the table says so; elsewhere it is kept as a claim.
fn relayed<T>(work: &mut Work<'_>, call: &Call<'_>, pending: Request, key: &Digest) -> Result<Passage<T>, BrokerError> {
    let shut = |request: Request, note: Option<String>| {
        Ok(Passage::Shut(Gated::Asks {
            questions: request.ask.questions.clone(),
            request: Some(Box::new(request)),
            note,
        }))
    };
    if call.answers.is_empty() {
        return shut(pending, None);
    }
    let checked =
        answer::check(&pending.ask.questions, call.answers).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    match may_decide(pending.ask.class, Channel::Relayed) {
        May::Unverified => {
            let decision = Decision {
                answers: checked,
                channel: Channel::Relayed,
                unattended: false,
                comment: None,
                at: work.at(),
                digest: pending.digest,
                mode: None,
            };
            let settled = decide::settle(work, &pending, State::Answered, Some(decision))?;
            let question = &settled.ask.questions[0].id;
            let grant = work.tx.open_grant(&call.caller.agent, call.caller.workspace, key, question)?;
            let grant = grant.ok_or_else(|| BrokerError::Invalid("the answer left nothing to go on".into()))?;
            Ok(Passage::Open(grant.answer.clone(), Box::new(grant)))
        }
        May::ClaimOnly => {
            let claims = claims(&pending, call.answers, work);
            work.tx.set_claims(&pending.id, &claims)?;
            work.effect(crate::writer::Effect::Changed(crate::Change::List));
            let note = "What you relayed was kept as your claim and decides nothing: only the person can decide this, in Countersign itself.";
            shut(Request { claims, ..pending }, Some(note.to_owned()))
        }
        May::Yes | May::OptIn | May::TypedWord | May::Default | May::SaferOnly | May::No => shut(
            pending,
            Some("Relayed answers don't count here: the person decides in Countersign itself.".to_owned()),
        ),
    }
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
