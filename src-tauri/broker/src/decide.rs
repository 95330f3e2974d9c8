//! The one settlement of a request: by a person, by an agent's relayed word, by a deadline, by being taken back.

use crate::error::BrokerError;
use crate::person::{Person, Shown, Verdict};
use crate::plans::{self, Besides};
use crate::random;
use crate::steps::{self, StepVerdict};
use crate::trusts;
use crate::writer::{Effect, Work};
use countersign_core::answer::{self, Answers};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::filed::Filed;
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::request::{Decision, Request, State};
use countersign_core::time::Millis;
use countersign_core::trust;
use countersign_core::who_may_decide::{May, may_decide, unattended_may_decide};
use countersign_core::{given, retire};
use countersign_store::{Grant, StoreError};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The setting that marks a test home, for good.
pub(crate) const TEST_HOME: &str = "test_home";

/// What a person says of a request, once it is checked.
pub(crate) struct Checked {
    request: Request,
    state: State,
    answers: Answers,
    comment: Option<String>,
    besides: Besides,
    step: Option<Box<StepVerdict>>,
}

/// Whether a person may decide so, without anything being kept.
pub(crate) fn check(
    work: &Work<'_>,
    person: Person,
    id: &RequestId,
    digest: Option<Digest>,
    shown: Option<&Shown>,
    verdict: Verdict,
) -> Result<Checked, BrokerError> {
    let missing = || BrokerError::NotFound(format!("there is no request `{id}`"));
    let request = work.tx.request(id)?.ok_or_else(missing)?;
    check_open(&request)?;
    if digest.is_some_and(|digest| digest != request.digest) {
        return Err(BrokerError::Stale);
    }
    if let Some(shown) = shown {
        plans::check_shown(work, &request, shown)?;
    }
    check_row(work, &request)?;
    check_proof(work, person, request.ask.class)?;
    let mut step = None;
    let mut besides = Besides::default();
    let (state, answers, comment) = match verdict {
        Verdict::Step(said) => {
            check_table(
                may_decide(request.ask.class, person.channel),
                person.channel,
                &request,
                &steps::answers(said.allow),
                None,
            )?;
            let (answers, comment) = (steps::answers(said.allow), said.comment.clone());
            step = Some(said);
            (State::Answered, answers, comment)
        }
        Verdict::Answer { answers, comment, typed } => {
            let checked = check_answers(person, &request, &answers, typed.as_deref())?;
            (State::Answered, checked, comment)
        }
        Verdict::Plan { answers, comment, remarks, mode } => {
            let checked = check_answers(person, &request, &answers, None)?;
            besides = plans::besides(&request, &checked, &remarks, mode)?;
            (State::Answered, checked, comment)
        }
        Verdict::Decline { comment } => {
            check_decline(person.channel)?;
            (State::Declined, Answers::default(), comment)
        }
    };
    if let Some(comment) = &comment {
        limit::check_body("comment", comment).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    }
    let comment = comment.filter(|comment| !comment.trim().is_empty());
    Ok(Checked { request, state, answers, comment, besides, step })
}

/// A person decides. Refused: nothing is kept and the request stays open.
pub(crate) fn decide(
    work: &mut Work<'_>,
    person: Person,
    id: &RequestId,
    digest: Option<Digest>,
    shown: Option<&Shown>,
    verdict: Verdict,
) -> Result<Request, BrokerError> {
    decide_over(work, person, id, digest, shown, verdict, None)
}

/// The same, over what was done with a file for it.
pub(crate) fn decide_over(
    work: &mut Work<'_>,
    person: Person,
    id: &RequestId,
    digest: Option<Digest>,
    shown: Option<&Shown>,
    verdict: Verdict,
    file: Option<Filed>,
) -> Result<Request, BrokerError> {
    let Checked { request, state, mut answers, comment, besides, step } =
        check(work, person, id, digest, shown, verdict)?;
    check_filed(&request, state, &answers, file.as_ref())?;
    let mut over = request.digest;
    let (mut kept, mut rule) = (None, None);
    if let Some(said) = &step {
        let (said, step, digest, remembered) = steps::decided(work, person, &request, said)?;
        (answers, kept, rule, over) = (said, Some(step), remembered, digest);
    }
    let mode = match request.ask.class {
        Class::Plan => plans::decided(work, person, &request, &answers, besides.mode)?,
        Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval | Class::Destructive => None,
    };
    let decision = Decision {
        answers,
        channel: person.channel,
        unattended: person.unattended,
        comment,
        at: work.at(),
        digest: over,
        mode,
        step: kept,
        file,
        remarks: besides.remarks,
    };
    work.tx.set_draft(id, "", work.at())?;
    let settled = settle(work, &request, state, Some(decision))?;
    if let Some(rule) = &rule {
        steps::settle_covered(work, rule)?;
    }
    Ok(settled)
}

/// What takes a file's work is answered only with that done.
fn check_filed(request: &Request, state: State, answers: &Answers, file: Option<&Filed>) -> Result<(), BrokerError> {
    let fits = match (request.ask.tool.as_str(), file) {
        (given::TOOL, Some(Filed::Given(_))) | (retire::TOOL, Some(Filed::Retired(_))) => state == State::Answered,
        (given::TOOL, None) => state != State::Answered,
        (retire::TOOL, None) => state != State::Answered || retire::outcome(answers) == Some(false),
        (_, file) => file.is_none(),
    };
    if fits { Ok(()) } else { Err(BrokerError::Invalid("this answer takes a file; nothing was decided".into())) }
}

/// Keeps what a person typed and did not send yet.
pub(crate) fn draft(work: &mut Work<'_>, id: &RequestId, draft: &str) -> Result<(), BrokerError> {
    if draft.len() > limit::DRAFT_BYTES {
        return Err(BrokerError::Invalid(format!("a draft may have {} bytes", limit::DRAFT_BYTES)));
    }
    let before = work.tx.draft(id)?.is_some();
    work.tx.request(id)?.ok_or_else(|| BrokerError::NotFound(format!("there is no request `{id}`")))?;
    work.tx.set_draft(id, draft, work.at())?;
    if before == draft.is_empty() {
        work.effect(Effect::Changed(crate::Change::List));
    }
    Ok(())
}

/// Ends a pending request, with its log entry and, for a gate, its grant: all of it or nothing.
pub(crate) fn settle(
    work: &mut Work<'_>,
    request: &Request,
    state: State,
    decision: Option<Decision>,
) -> Result<Request, BrokerError> {
    let at = work.at();
    if !work.tx.settle_request(&request.id, state, decision.as_ref(), at)? {
        let now = work.tx.request(&request.id)?.unwrap_or_else(|| request.clone());
        return Err(settled(&now));
    }
    let settled = Request { state, decision, settled_at: Some(at), ..request.clone() };
    work.tx.log_settled(&settled, at, random::salt())?;
    if settled.ask.gate && state == State::Answered {
        grant(work, &settled)?;
    }
    if settled.ask.tool == trust::TOOL {
        trusts::decided(work, &settled)?;
    }
    work.effect(Effect::Settled(Arc::new(settled.clone())));
    Ok(settled)
}

/// What a gate's answer gives: this call, this answer, over this spec, once, for a while.
fn grant(work: &Work<'_>, request: &Request) -> Result<(), BrokerError> {
    let span = match request.ask.class {
        Class::Destructive => Millis(limit::DESTRUCTIVE_GRANT_MILLIS),
        Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval | Class::Plan => {
            Millis(limit::GRANT_MILLIS)
        }
    };
    for (question, answer) in request.decision.iter().flat_map(|decision| &decision.answers.0) {
        work.tx.insert_grant(&Grant {
            id: 0,
            request: request.id.clone(),
            agent: request.agent.clone(),
            workspace: request.workspace,
            key: request.ask.key(),
            question: question.clone(),
            answer: answer.to_json(),
            subject: request.ask.subject.clone(),
            created_at: work.at(),
            lapses_at: work.at().plus(span),
        })?;
    }
    Ok(())
}

fn check_open(request: &Request) -> Result<(), BrokerError> {
    match request.state {
        State::Pending => Ok(()),
        State::Answered | State::Declined | State::Cancelled | State::Expired | State::Superseded => {
            Err(settled(request))
        }
    }
}

fn settled(request: &Request) -> BrokerError {
    let by = request.decision.as_ref().map_or("nobody", |decision| decision.channel.word());
    let by = if request.state == State::Cancelled { "the agent" } else { by };
    BrokerError::Settled {
        state: request.state,
        by: by.to_owned(),
        at: request.settled_at.unwrap_or(request.created_at),
    }
}

/// The row still says what was asked: its content has the digest that was kept and logged with it.
fn check_row(work: &Work<'_>, request: &Request) -> Result<(), BrokerError> {
    let path = work.tx.workspace_path(request.workspace)?;
    if request.ask.digest(&request.agent, &path) == request.digest {
        return Ok(());
    }
    let what =
        format!("request {} is not what the agent asked; it can't be decided, only declined by its agent", request.id);
    Err(StoreError::Damaged { what }.into())
}

fn check_proof(work: &Work<'_>, person: Person, class: Class) -> Result<(), BrokerError> {
    let test_home = work.tx.setting(TEST_HOME)?.is_some();
    if person.unattended && !unattended_may_decide(class, test_home) {
        return Err(BrokerError::NotAllowed(format!(
            "a proof from a file decides questions of class ask and ambiguity only, and this one is {}; type the passphrase on the terminal instead",
            class.word()
        )));
    }
    Ok(())
}

/// The answers as the questions take them, from one who may give them.
fn check_answers(
    person: Person,
    request: &Request,
    answers: &Map<String, Value>,
    typed: Option<&str>,
) -> Result<Answers, BrokerError> {
    let may = may_decide(request.ask.class, person.channel);
    let checked =
        answer::check(&request.ask.questions, answers).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    check_table(may, person.channel, request, &checked, typed)?;
    Ok(checked)
}

fn check_table(
    may: May,
    channel: Channel,
    request: &Request,
    answers: &Answers,
    typed: Option<&str>,
) -> Result<(), BrokerError> {
    let class = request.ask.class;
    match may {
        May::Yes => Ok(()),
        May::TypedWord => check_typed(request, answers, typed),
        May::OptIn | May::Unverified | May::Default | May::SaferOnly | May::ClaimOnly | May::No => {
            Err(BrokerError::NotAllowed(format!(
                "a request of class {} can't be answered through the {} channel; {}",
                class.word(),
                channel.word(),
                match class {
                    Class::Plan | Class::Destructive =>
                        "answer it in its own dialog, or on the terminal under `countersign serve`",
                    Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval =>
                        "answer it in the window",
                }
            )))
        }
    }
}

/// A yes takes the word; a no, or a choice that is safe, does not.
fn check_typed(request: &Request, answers: &Answers, typed: Option<&str>) -> Result<(), BrokerError> {
    let Some(word) = request.ask.word_for(answers) else { return Ok(()) };
    if typed.map(str::trim) == Some(word) {
        return Ok(());
    }
    Err(BrokerError::Invalid(format!("a yes to this takes the word “{word}”, typed exactly; nothing was decided")))
}

/// Saying nothing is safe, but only a person does it.
fn check_decline(channel: Channel) -> Result<(), BrokerError> {
    match channel {
        Channel::Window | Channel::Dialog | Channel::Terminal | Channel::Serve => Ok(()),
        Channel::Notification
        | Channel::File
        | Channel::Relayed
        | Channel::Rule
        | Channel::Autonomous
        | Channel::Expiry
        | Channel::Program
        | Channel::Mode => Err(BrokerError::NotAllowed(format!("the {} channel can't decline", channel.word()))),
    }
}
