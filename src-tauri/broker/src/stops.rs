//! The person stops a session: nothing of it passes, and it asks nobody, until they release it.

use crate::decide;
use crate::error::BrokerError;
use crate::modes;
use crate::person::Person;
use crate::random;
use crate::rules;
use crate::shell::Change;
use crate::steps;
use crate::writer::{Effect, Work};
use countersign_core::id::SessionId;
use countersign_core::request::{Decision, State, StepDecision};
use countersign_store::Session;
use serde_json::json;

/// Whether everything of a session is refused.
pub(crate) fn is_stopped(session: &Session) -> bool {
    session.stopped_at.is_some()
}

/// Stops a session, or releases it.
pub(crate) fn set(work: &mut Work<'_>, id: &SessionId, stop: bool, person: Person) -> Result<Session, BrokerError> {
    let session = work.tx.session(id)?.filter(|session| !session.agent.is_house()).ok_or_else(|| modes::unknown(id))?;
    rules::check_person(work, person, !stop)?;
    if is_stopped(&session) == stop {
        return Ok(session);
    }
    let at = stop.then_some(work.at());
    work.tx.set_stopped(id, at)?;
    let kind = if stop { "session.stopped" } else { "session.released" };
    let body = json!({
        "session": id, "agent": session.agent, "channel": person.channel, "unattended": person.unattended,
    });
    work.tx.log(work.at(), kind, id.as_str(), &body, random::salt())?;
    if stop {
        for request in work.tx.pending_steps(Some(id))? {
            let decision = Decision {
                answers: steps::answers(false),
                channel: person.channel,
                unattended: person.unattended,
                comment: None,
                at: work.at(),
                digest: request.digest,
                mode: None,
                remarks: Vec::new(),
                file: None,
                step: Some(StepDecision { stop: true, ..StepDecision::default() }),
            };
            decide::settle(work, &request, State::Answered, Some(decision))?;
        }
    }
    work.effect(Effect::Changed(Change::List));
    work.effect(Effect::Changed(Change::Agents));
    Ok(Session { stopped_at: at, ..session })
}
