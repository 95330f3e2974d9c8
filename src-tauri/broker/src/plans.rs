//! What is particular to plans: where they may be presented, what a newer one does to an older, where a run one leads.

use crate::agents::Caller;
use crate::decide;
use crate::error::BrokerError;
use crate::modes;
use crate::person::{Person, Shown};
use crate::writer::Work;
use countersign_core::answer::Answers;
use countersign_core::mode::Mode;
use countersign_core::plan::{self, Outcome};
use countersign_core::request::{Request, State};
use serde_json::json;

/// A new plan takes plan mode, and replaces what that session presented before.
pub(crate) fn present(work: &mut Work<'_>, caller: &Caller) -> Result<(), BrokerError> {
    let session = work.tx.session(&caller.session)?;
    if session.is_none_or(|session| session.standing.mode != Mode::Plan) {
        return Err(BrokerError::WrongMode(
            "present_plan only works in plan mode: you aren't in it, so just go ahead".into(),
        ));
    }
    for older in work.tx.pending_plans(&caller.session)? {
        decide::settle(work, &older, State::Superseded, None)?;
    }
    Ok(())
}

/// Another session presents a plan that one of the same agent left behind: it takes plan mode as for a new one, and replaces what
/// that session presented before.
pub(crate) fn take_over(work: &mut Work<'_>, caller: &Caller, left: &Request) -> Result<(), BrokerError> {
    match left.state {
        State::Pending => present(work, caller),
        State::Answered | State::Declined | State::Cancelled | State::Expired | State::Superseded => Ok(()),
    }
}

/// Whether what became of an earlier presenting of the same plan is an answer for this session. That it was run is none for one
/// that is in plan mode now: it was for another time.
pub(crate) fn still_answers(work: &Work<'_>, caller: &Caller, earlier: &Request) -> Result<bool, BrokerError> {
    let run = earlier.decision.as_ref().and_then(|decision| plan::outcome(&decision.answers)) == Some(Outcome::Run);
    let session = work.tx.session(&caller.session)?;
    Ok(!run || session.is_none_or(|session| session.standing.mode != Mode::Plan))
}

/// A decision is over the session that was shown, and for a plan over the mode to which running it was said to lead.
pub(crate) fn check_shown(work: &Work<'_>, request: &Request, shown: &Shown) -> Result<(), BrokerError> {
    let leads = work.tx.session(&request.session)?.map(|session| session.standing.after_plan().mode);
    if request.session != shown.session || shown.run_mode.is_some_and(|mode| leads != Some(mode)) {
        return Err(BrokerError::Stale);
    }
    Ok(())
}

/// The person decided on a plan: "Run it" leaves plan mode, the others leave the mode alone. Gives the mode it is then.
pub(crate) fn decided(
    work: &mut Work<'_>,
    person: Person,
    request: &Request,
    answers: &Answers,
) -> Result<Option<Mode>, BrokerError> {
    let Some(outcome) = plan::outcome(answers) else { return Ok(None) };
    let Some(session) = work.tx.session(&request.session)? else { return Ok(None) };
    let standing = match outcome {
        Outcome::Run => session.standing.after_plan(),
        Outcome::Keep | Outcome::Cancel => session.standing,
    };
    let by = json!({"channel": person.channel, "unattended": person.unattended});
    modes::change(work, session, standing, &by, Some(&request.id)).map(|session| Some(session.standing.mode))
}
