//! The gate for steps: what the mode and the rules say of each, one card for one action, and the decision handed out once.

use crate::agents::Caller;
use crate::decide;
use crate::error::BrokerError;
use crate::modes;
use crate::person::Person;
use crate::requests;
use crate::rules::{self, Remember};
use crate::stops;
use crate::writer::{Effect, Work};
use countersign_core::answer::{Answer, Answers};
use countersign_core::channel::Channel;
use countersign_core::digest::Digest;
use countersign_core::limit;
use countersign_core::request::{Decision, Join, Request, State, StepDecision, join};
use countersign_core::rule::{self, Effect as Does, Rule, Who};
use countersign_core::step::verdict::{Verdict, verdict};
use countersign_core::step::{self, Asked, Step, Told};
use countersign_core::time::Millis;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A step as its host brings it, read away from the writer's thread.
pub(crate) struct Prepared {
    pub(crate) asked: Asked,
    pub(crate) step: Step,
    pub(crate) key: Digest,
    /// What the host calls this use of the tool.
    pub(crate) tool_use: Option<String>,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The decision, and its words.
    pub told: Told,
    /// Whether the session is stopped.
    pub stop: bool,
    /// The request, where one is kept.
    pub request: Option<Request>,
}

impl Gate {
    /// How a request stands or ended.
    pub fn of(request: Request, edits: bool) -> Self {
        let stop = request.decision.as_ref().and_then(|decision| decision.step.as_ref()).is_some_and(|step| step.stop);
        Self { told: step::told(&request, edits), stop, request: Some(request) }
    }
}

/// What the person says of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepVerdict {
    /// Whether it passes.
    pub allow: bool,
    /// The input that they made of it, whole.
    pub edited: Option<Map<String, Value>>,
    /// What of it is remembered.
    pub remember: Option<Remember>,
    /// What they add.
    pub comment: Option<String>,
}

/// A step comes to the gate.
pub(crate) fn gate(work: &mut Work<'_>, caller: &Caller, prepared: &Prepared) -> Result<Gate, BrokerError> {
    requests::check_agent(work, caller, None)?;
    let session = work.tx.session(&caller.session)?.ok_or_else(|| modes::unknown(&caller.session))?;
    if session.stopped_at.is_some() {
        return Ok(Gate { told: Told::stopped(), stop: true, request: None });
    }
    let mode = session.standing.mode;
    let rules = work.book.rules(**work.tx)?;
    let who = Who { agent: &caller.agent, session: &caller.session, workspace: caller.workspace, at: work.at() };
    match verdict(mode, &prepared.step, rule::strictest(rules.iter(), &prepared.step, who)) {
        Verdict::Passes => Ok(Gate { told: Told::passes(mode), stop: false, request: None }),
        Verdict::Allowed(rule) => settled_at_once(work, caller, prepared, Channel::Rule, true, Some(rule)),
        Verdict::Denied(rule) => settled_at_once(work, caller, prepared, Channel::Rule, false, Some(rule)),
        Verdict::DeniedByMode => settled_at_once(work, caller, prepared, Channel::Mode, false, None),
        Verdict::Asked(rule) => {
            let request = match earlier(work, caller, prepared)? {
                Some(request) => request,
                None => {
                    let ask = step::ask(&prepared.step, &prepared.asked);
                    let request = requests::insert_keyed(work, caller, ask, &prepared.key)?;
                    rules::note(work, &request.id, rule)?;
                    if let Some(tool_use) = &prepared.tool_use {
                        work.tx.set_tool_use(&request.id, tool_use)?;
                    }
                    work.effect(Effect::Asked(Arc::new(request.clone())));
                    request
                }
            };
            Ok(Gate::of(request, prepared.asked.edits))
        }
    }
}

/// Asked and settled in one breath. It counts as collected: the next one like it is looked at anew, whatever became of this answer.
fn settled_at_once(
    work: &mut Work<'_>,
    caller: &Caller,
    prepared: &Prepared,
    channel: Channel,
    allow: bool,
    rule: Option<i64>,
) -> Result<Gate, BrokerError> {
    let ask = step::ask(&prepared.step, &prepared.asked);
    let request = requests::insert_keyed(work, caller, ask, &prepared.key)?;
    let settled = settle(work, &request, channel, allow, rule)?;
    work.tx.collect_request(&settled.id, work.at())?;
    Ok(Gate::of(Request { collected_at: Some(work.at()), ..settled }, prepared.asked.edits))
}

/// Settles a step by something that is no person.
fn settle(
    work: &mut Work<'_>,
    request: &Request,
    channel: Channel,
    allow: bool,
    rule: Option<i64>,
) -> Result<Request, BrokerError> {
    rules::note(work, &request.id, rule)?;
    let decision = Decision {
        answers: answers(allow),
        channel,
        unattended: false,
        comment: None,
        at: work.at(),
        digest: request.digest,
        mode: None,
        remarks: Vec::new(),
        file: None,
        step: Some(StepDecision { rule, ..StepDecision::default() }),
    };
    decide::settle(work, request, State::Answered, Some(decision))
}

/// Yes or no to a step.
pub(crate) fn answers(allow: bool) -> Answers {
    Answers([(step::QUESTION.to_owned(), Answer::Confirm(allow))].into())
}

/// The card that is there for this action, or its decision that nobody has fetched.
fn earlier(work: &mut Work<'_>, caller: &Caller, prepared: &Prepared) -> Result<Option<Request>, BrokerError> {
    if let Some(tool_use) = &prepared.tool_use
        && let Some(request) = work.tx.by_tool_use(&caller.session, tool_use)?
        && step::of_request(&request).is_some_and(|asked| asked.key() == prepared.key)
    {
        // The same use of the tool, by whichever way it comes.
        let again = request.collected_at.is_some_and(|at| work.at().since(at) <= Millis(limit::REPEAT_MILLIS));
        let answers = request.state.answers_the_same_ask() && (request.collected_at.is_none() || again);
        if answers && let Some(request) = still(work, request, prepared)? {
            return Ok(Some(request));
        }
    }
    let Some(request) = requests::same(work, caller, &prepared.key)? else { return Ok(None) };
    match join(&request, work.at()) {
        Join::Pending => still(work, request, prepared),
        Join::Uncollected => {
            // Another use of the tool is another action: what was said of the one before is not for it.
            let before = work.tx.tool_use(&request.id)?;
            let other = before.is_some() && prepared.tool_use.is_some() && before != prepared.tool_use;
            if other { Ok(None) } else { still(work, request, prepared) }
        }
        Join::Repeated | Join::New => Ok(None),
    }
}

/// An earlier request, while what it showed is what would be done, and its yes is fresh.
fn still(work: &mut Work<'_>, request: Request, prepared: &Prepared) -> Result<Option<Request>, BrokerError> {
    let Some(asked) = step::of_request(&request) else { return Ok(None) };
    if asked.links != prepared.asked.links {
        if request.state == State::Pending {
            decide::settle(work, &request, State::Superseded, None)?;
        }
        return Ok(None);
    }
    let span = if prepared.step.destroys() { limit::DESTRUCTIVE_GRANT_MILLIS } else { limit::STEP_GRANT_MILLIS };
    let lapsed = request.settled_at.is_some_and(|at| work.at().since(at) > Millis(span));
    Ok((!lapsed).then_some(request))
}

/// A person's verdict on a step, checked: the answers, what is kept besides, and the digest that it is over. The rule that remembers
/// it is made.
pub(crate) fn decided(
    work: &mut Work<'_>,
    person: Person,
    request: &Request,
    verdict: &StepVerdict,
) -> Result<(Answers, StepDecision, Digest, Option<Rule>), BrokerError> {
    let invalid = |text: &str| BrokerError::Invalid(format!("{text}; nothing was decided"));
    let asked = step::of_request(request).ok_or_else(|| invalid("this is no step"))?;
    let mut digest = request.digest;
    if let Some(edited) = &verdict.edited {
        if !verdict.allow {
            return Err(invalid("an edited input goes with a yes only"));
        }
        if !asked.edits {
            return Err(invalid("the host of this step takes no edited input"));
        }
        if verdict.remember.is_some() {
            return Err(invalid("an input that was edited is not remembered: edit it, or make a rule"));
        }
        step::check(&asked.call.tool, edited).map_err(|error| BrokerError::Invalid(error.to_string()))?;
        digest = Digest::of(&json!({"shown": request.digest, "edited": edited}));
    }
    let rule = match verdict.remember {
        Some(remember) => {
            let workspace = work.tx.workspace_path(request.workspace)?;
            let step = asked.step(&workspace, work.book.own());
            Some(rules::remember(work, person, request, &step, remember, verdict.allow)?)
        }
        None => None,
    };
    let kept = StepDecision {
        edited: verdict.edited.clone(),
        rule: None,
        remembered: rule.as_ref().map(|rule| rule.id),
        stop: false,
    };
    Ok((answers(verdict.allow), kept, digest, rule))
}

/// A new rule settles what waits and is covered by it, at once.
pub(crate) fn settle_covered(work: &mut Work<'_>, rule: &Rule) -> Result<(), BrokerError> {
    if rule.effect == Does::Ask {
        return Ok(());
    }
    let rules = work.book.rules(**work.tx)?;
    for request in work.tx.pending_steps(rule.scope.session.as_ref())? {
        let (Some(asked), Some(session)) = (step::of_request(&request), work.tx.session(&request.session)?) else {
            continue;
        };
        if stops::is_stopped(&session) {
            continue;
        }
        let workspace = work.tx.workspace_path(request.workspace)?;
        let step = asked.step(&workspace, work.book.own());
        let who = Who { agent: &request.agent, session: &request.session, workspace: request.workspace, at: work.at() };
        match verdict(session.standing.mode, &step, rule::strictest(rules.iter(), &step, who)) {
            Verdict::Allowed(id) => settle(work, &request, Channel::Rule, true, Some(id)).map(drop)?,
            Verdict::Denied(id) => settle(work, &request, Channel::Rule, false, Some(id)).map(drop)?,
            Verdict::Passes | Verdict::Asked(_) | Verdict::DeniedByMode => {}
        }
    }
    Ok(())
}
