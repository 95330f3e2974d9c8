//! Asking, joining, taking back, collecting.

use crate::agents::{self, Caller};
use crate::decide;
use crate::error::BrokerError;
use crate::handle_files;
use crate::modes;
use crate::person::{Person, Verdict};
use crate::plans;
use crate::random;
use crate::shell::Change;
use crate::stops;
use crate::writer::{Effect, Work};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::filed;
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::mode::{Deed, Mode};
use countersign_core::plan::chain::Place;
use countersign_core::program_ask;
use countersign_core::request::{Ask, Join, Request, State, join};
use countersign_core::scope::Scope;
use countersign_core::time::{Millis, Timestamp};
use countersign_core::who_may_decide::has_dialog;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A session that holds no line open and was silent for this long has ended, as far as its questions go.
const SILENCE: Millis = Millis(10 * 60_000);

/// How an ask went.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The request it joined or made; settled already if that is what it joined.
    pub request: Request,
    /// Whether this ending was handed out before.
    pub repeated: bool,
}

/// Joins the same ask, or keeps a new one.
pub(crate) fn ask(work: &mut Work<'_>, caller: &Caller, ask: Ask) -> Result<Asked, BrokerError> {
    check_call(work, caller, &ask.tool, Some(Scope::Ask), filed::deed(&ask.tool))?;
    let key = ask.key();
    if let Some(request) = same(work, caller, &key)? {
        match join(&request, work.at()) {
            Join::Pending | Join::Uncollected => return Ok(Asked { request, repeated: false }),
            Join::Repeated => return Ok(Asked { request, repeated: true }),
            Join::New => {}
        }
    }
    handle_files::replace_older(work, caller, &ask)?;
    let request = match ask.class {
        Class::Plan => {
            let place = plans::present(work, caller)?;
            let digest = ask.digest_over(&key, &caller.agent, &caller.workspace_path);
            let request = keep(work, caller, ask, &key, digest, Some(place))?;
            work.effect(Effect::Asked(Arc::new(request.clone())));
            request
        }
        Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval | Class::Destructive => {
            insert(work, caller, ask, &key)?
        }
    };
    Ok(Asked { request, repeated: false })
}

/// The newest request of the same ask, in this session or left behind by one that ended, which this one takes over.
pub(crate) fn same(work: &mut Work<'_>, caller: &Caller, key: &Digest) -> Result<Option<Request>, BrokerError> {
    let found = find_same(work, caller, key)?;
    if let (Some(request), Some(folder)) = (&found, &caller.run_folder)
        && request.state == State::Pending
        && work.tx.run_folder(&request.id)?.as_ref() != Some(folder)
    {
        work.tx.set_run_folder(&request.id, folder)?;
        work.effect(Effect::Changed(Change::List));
    }
    Ok(found)
}

fn find_same(work: &mut Work<'_>, caller: &Caller, key: &Digest) -> Result<Option<Request>, BrokerError> {
    let own = work.tx.newest_same(&caller.agent, &caller.session, key)?;
    let own = standing(work, caller, own)?;
    if own.as_ref().is_some_and(|request| join(request, work.at()) != Join::New) {
        return Ok(own);
    }
    let idle_since = Timestamp(work.at().0.saturating_sub_unsigned(SILENCE.0));
    let left = work.tx.left_behind(&caller.agent, caller.workspace, key, idle_since)?;
    match standing(work, caller, left)? {
        Some(left) if left.session != caller.session && left.state.answers_the_same_ask() => {
            if left.ask.class == Class::Plan {
                plans::take_over(work, caller, &left)?;
            }
            work.tx.hand_over_request(&left.id, &caller.session)?;
            // Whose it is stands in lists and dialogs.
            work.effect(Effect::Changed(Change::List));
            Ok(Some(Request { session: caller.session.clone(), ..left }))
        }
        Some(_) | None => Ok(own),
    }
}

/// An earlier request, unless it is a plan whose ending is no answer any more.
fn standing(work: &Work<'_>, caller: &Caller, earlier: Option<Request>) -> Result<Option<Request>, BrokerError> {
    match earlier {
        Some(plan) if plan.ask.class == Class::Plan && !plans::still_answers(work, caller, &plan)? => Ok(None),
        earlier => Ok(earlier),
    }
}

/// Keeps a new pending request and its log entry, and has it shown. `key` is the ask's own.
pub(crate) fn insert(work: &mut Work<'_>, caller: &Caller, ask: Ask, key: &Digest) -> Result<Request, BrokerError> {
    let request = insert_untold(work, caller, ask, key)?;
    work.effect(Effect::Asked(Arc::new(request.clone())));
    Ok(request)
}

/// Keeps one that is settled in the same breath, so that nobody is called for it.
pub(crate) fn insert_untold(
    work: &mut Work<'_>,
    caller: &Caller,
    ask: Ask,
    key: &Digest,
) -> Result<Request, BrokerError> {
    let digest = ask.digest_over(key, &caller.agent, &caller.workspace_path);
    keep(work, caller, ask, key, digest, None)
}

/// The same for one that is found again by less than all of what is shown.
pub(crate) fn insert_keyed(
    work: &mut Work<'_>,
    caller: &Caller,
    ask: Ask,
    key: &Digest,
) -> Result<Request, BrokerError> {
    let digest = ask.digest(&caller.agent, &caller.workspace_path);
    keep(work, caller, ask, key, digest, None)
}

fn keep(
    work: &mut Work<'_>,
    caller: &Caller,
    ask: Ask,
    key: &Digest,
    digest: Digest,
    plan: Option<Place>,
) -> Result<Request, BrokerError> {
    if work.tx.pending_of(&caller.agent)? >= limit::PENDING_PER_AGENT {
        return Err(BrokerError::TooMany {
            what: format!(
                "{} requests of this agent wait already; cancel some with cancel_request",
                limit::PENDING_PER_AGENT
            ),
            retry_after_seconds: 60,
        });
    }
    let at = work.at();
    let request = Request {
        id: random::request_id(),
        agent: caller.agent.clone(),
        session: caller.session.clone(),
        workspace: caller.workspace,
        digest,
        expires_at: ask.expires_in.map(|span| at.plus(span)),
        asker: caller.asker.clone().filter(|_| has_dialog(ask.class)),
        ask,
        state: State::Pending,
        created_at: at,
        decision: None,
        claims: Vec::new(),
        settled_at: None,
        collected_at: None,
        plan,
    };
    work.tx.insert_request(&request, key)?;
    if let Some(folder) = &caller.run_folder {
        work.tx.set_run_folder(&request.id, folder)?;
    }
    work.tx.log_asked(&request, random::salt())?;
    if let Some(span) = request.ask.expires_in {
        let boot = Millis(work.now.boot.0.saturating_add(span.0));
        work.effect(Effect::Deadline(request.id.clone(), boot));
    }
    Ok(request)
}

/// The agent takes its request back. One that ended stays as it ended.
pub(crate) fn cancel(work: &mut Work<'_>, caller: &Caller, id: &RequestId) -> Result<Request, BrokerError> {
    let request = work.tx.request(id)?.filter(|request| request.agent == caller.agent).ok_or_else(|| unknown(id))?;
    match request.state {
        State::Pending => decide::settle(work, &request, State::Cancelled, None),
        State::Answered | State::Declined | State::Cancelled | State::Expired | State::Superseded => Ok(request),
    }
}

/// The agent's own program answered: only what its client library asked, which gives it nothing. One that ended stays as it
/// ended.
pub(crate) fn answer_in_program(
    work: &mut Work<'_>,
    caller: &Caller,
    id: &RequestId,
    answers: Map<String, Value>,
    comment: Option<String>,
) -> Result<Request, BrokerError> {
    check_agent(work, caller, Some(Scope::Ask))?;
    let request = work.tx.request(id)?.filter(|request| request.agent == caller.agent).ok_or_else(|| unknown(id))?;
    if program_ask::Kind::of_tool(&request.ask.tool).is_none() {
        return Err(BrokerError::NotAllowed(format!(
            "a program answers only what its own client library asked, and this was asked by {}; nothing was decided",
            request.ask.tool
        )));
    }
    match request.state {
        State::Pending => {
            let verdict = Verdict::Answer { answers, comment, typed: None };
            decide::decide(work, Person::at(Channel::Program), id, Some(request.digest), None, verdict)
        }
        State::Answered | State::Declined | State::Cancelled | State::Expired | State::Superseded => Ok(request),
    }
}

/// Its ending was written to the agent without an error.
pub(crate) fn collected(work: &mut Work<'_>, id: &RequestId) -> Result<(), BrokerError> {
    work.tx.collect_request(id, work.at())?;
    Ok(())
}

/// The one check of a tool that asks or writes, in its own transaction: the agent's token still holds, it may still do this
/// there, and its session is still in a mode that has the tool, which it gives. The person may have said otherwise since it
/// was let in.
pub(crate) fn check_call(
    work: &Work<'_>,
    caller: &Caller,
    tool: &str,
    takes: Option<Scope>,
    deed: Deed,
) -> Result<Mode, BrokerError> {
    check_agent(work, caller, takes)?;
    let session = work.tx.session(&caller.session)?.ok_or_else(|| modes::unknown(&caller.session))?;
    if stops::is_stopped(&session) {
        return Err(BrokerError::SessionStopped);
    }
    deed.check(tool, session.standing.mode)?;
    Ok(session.standing.mode)
}

pub(crate) fn check_agent(work: &Work<'_>, caller: &Caller, takes: Option<Scope>) -> Result<(), BrokerError> {
    match work.tx.agent(&caller.agent)? {
        Some(agent) if agent.revoked_at.is_none() && agent.token_hash == caller.token_hash => {
            agent.scopes.check(takes)?;
            agents::check_folder(&agent, &caller.workspace_path)
        }
        Some(_) | None => Err(BrokerError::NotFound(
            "this agent was unpaired, or its token was replaced; pair it again, or use the new token".into(),
        )),
    }
}

/// The same words for an id that never was and for one of another agent.
pub(crate) fn unknown(id: &RequestId) -> BrokerError {
    // What is no id of ours may be of any length, and is said back.
    let id: String = id.as_str().chars().take(60).collect();
    BrokerError::NotFound(format!(
        "there is no request `{id}` of yours; ids come back in `request.id` of a tool's result"
    ))
}
