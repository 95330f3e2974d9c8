//! How strictly sessions are watched: the person switches, an agent asks to be watched more closely.

use crate::agents::Caller;
use crate::decide::TEST_HOME;
use crate::error::BrokerError;
use crate::person::Person;
use crate::random;
use crate::requests::check_call;
use crate::shell::Change;
use crate::writer::{Effect, Work};
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::{Deed, Mode, Standing};
use countersign_core::who_may_decide::unattended_may_switch;
use countersign_store::Session;
use serde_json::{Value, json};

/// The person switches a session's mode.
pub(crate) fn set(work: &mut Work<'_>, id: &SessionId, to: Mode, person: Person) -> Result<Session, BrokerError> {
    let session = work.tx.session(id)?.filter(|session| !session.agent.is_house()).ok_or_else(|| unknown(id))?;
    let test_home = work.tx.setting(TEST_HOME)?.is_some();
    if person.unattended && !unattended_may_switch(session.standing.mode, to, test_home) {
        return Err(BrokerError::NotAllowed(format!(
            "a proof from a file makes a mode only stricter, and {} is less strict than {}; type the passphrase on the terminal instead",
            to.word(),
            session.standing.mode.word()
        )));
    }
    let standing = session.standing.switched(to).map_err(|error| BrokerError::WrongMode(error.to_string()))?;
    let by = json!({"channel": person.channel, "unattended": person.unattended});
    change(work, session, standing, &by, None)
}

/// An agent asks for a mode; it gets a stricter one, at once.
pub(crate) fn request(work: &mut Work<'_>, caller: &Caller, to: Mode) -> Result<Session, BrokerError> {
    check_call(work, caller, "request_mode", None, Deed::Asks)?;
    let session = work.tx.session(&caller.session)?.ok_or_else(|| unknown(&caller.session))?;
    let standing = session.standing.asked(to).map_err(|error| BrokerError::WrongMode(error.to_string()))?;
    let session = change(work, session, standing, &json!({"agent": caller.agent}), None)?;
    // What it comes to is what it hears.
    work.tx.set_told_mode(&session.id, session.standing.mode)?;
    Ok(session)
}

/// Keeps a session's new mode and its log entry; whoever lists its tools hears of it after the commit.
pub(crate) fn change(
    work: &mut Work<'_>,
    session: Session,
    standing: Standing,
    by: &Value,
    over: Option<&RequestId>,
) -> Result<Session, BrokerError> {
    if standing == session.standing {
        return Ok(session);
    }
    work.tx.set_standing(&session.id, standing)?;
    let before = work.tx.left_modes(&session.agent)?;
    let left = before.after(session.standing.mode, standing.mode, work.at());
    if left != before {
        work.tx.set_left_modes(&session.agent, left)?;
    }
    let body = json!({
        "session": session.id, "agent": session.agent, "from": session.standing.mode, "to": standing.mode,
        "by": by, "request": over,
    });
    work.tx.log(work.at(), "session.mode", session.id.as_str(), &body, random::salt())?;
    if session.standing.mode != standing.mode {
        work.effect(Effect::Mode(session.id.clone()));
        // A plan that is open says where it leads.
        work.effect(Effect::Changed(Change::List));
    }
    work.effect(Effect::Changed(Change::Agents));
    Ok(Session { standing, ..session })
}

/// No such session, and where to find those that there are.
pub(crate) fn unknown(id: &SessionId) -> BrokerError {
    BrokerError::NotFound(format!(
        "there is no session `{id}`; `countersign mode` without an id lists them, and `countersign inbox show` names a request's"
    ))
}
