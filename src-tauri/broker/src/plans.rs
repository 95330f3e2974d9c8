//! What is particular to plans: where they may be presented, what a newer one does to an older, where a run one leads, and what
//! came before one.

use crate::agents::Caller;
use crate::broker::Broker;
use crate::decide;
use crate::error::BrokerError;
use crate::modes;
use crate::person::{Person, Shown};
use crate::writer::Work;
use countersign_core::answer::Answers;
use countersign_core::class::Class;
use countersign_core::limit;
use countersign_core::mode::Mode;
use countersign_core::plan::chain::{self, Place};
use countersign_core::plan::landing;
use countersign_core::plan::remark::{self, GivenRemark, Remark};
use countersign_core::plan::{self, Outcome};
use countersign_core::request::{Request, State};
use countersign_store::PastPlan;
use serde_json::json;

/// A new plan takes plan mode, and replaces what that session presented before. Gives its place among the session's plans.
pub(crate) fn present(work: &mut Work<'_>, caller: &Caller) -> Result<Place, BrokerError> {
    make_room(work, caller)?;
    let last = work.tx.last_plan(&caller.session)?;
    Ok(chain::next(last.as_ref().map(|plan| (&plan.id, plan.revision, plan.end))))
}

fn make_room(work: &mut Work<'_>, caller: &Caller) -> Result<(), BrokerError> {
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
        State::Pending => make_room(work, caller),
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

/// A decision is over the session that was shown, and for a plan over the mode that this is in and the one to which running it was
/// said to lead.
pub(crate) fn check_shown(work: &Work<'_>, request: &Request, shown: &Shown) -> Result<(), BrokerError> {
    let standing = work.tx.session(&request.session)?.map(|session| session.standing);
    let is = standing.map(|standing| standing.mode);
    let leads = standing.map(|standing| standing.after_plan().mode);
    let fits = |shown: Option<Mode>, now: Option<Mode>| shown.is_none_or(|mode| now == Some(mode));
    if request.session != shown.session || !fits(shown.mode, is) || !fits(shown.run_mode, leads) {
        return Err(BrokerError::Stale);
    }
    Ok(())
}

/// What goes with the answer to a plan.
#[derive(Default)]
pub(crate) struct Besides {
    pub(crate) remarks: Vec<Remark>,
    pub(crate) mode: Option<Mode>,
}

/// Checks what goes with an answer: remarks on lines that there are, and a mode only where the plan is run.
pub(crate) fn besides(
    request: &Request,
    answers: &Answers,
    remarks: &[GivenRemark],
    mode: Option<Mode>,
) -> Result<Besides, BrokerError> {
    let invalid = |why: &str| BrokerError::Invalid(format!("{why}; nothing was decided"));
    let outcome = plan::outcome(answers).filter(|_| request.ask.class == Class::Plan);
    if outcome.is_none() && (mode.is_some() || !remarks.is_empty()) {
        return Err(invalid("remarks and a mode go with a plan, and this request is none"));
    }
    if mode.is_some() && outcome != Some(Outcome::Run) {
        return Err(invalid("a mode to go on in is for a plan that is run; this answer leaves the mode alone"));
    }
    let shown = request.ask.context.as_deref().unwrap_or_default();
    let remarks = remark::check(shown, remarks).map_err(|error| invalid(&error.to_string()))?;
    Ok(Besides { remarks, mode })
}

/// The person decided on a plan: "Run it" leaves plan mode, for the mode before it or the one that they want; the others leave the
/// mode alone. Gives the mode it is then.
pub(crate) fn decided(
    work: &mut Work<'_>,
    person: Person,
    request: &Request,
    answers: &Answers,
    wanted: Option<Mode>,
) -> Result<Option<Mode>, BrokerError> {
    let Some(outcome) = plan::outcome(answers) else { return Ok(None) };
    let Some(session) = work.tx.session(&request.session)? else { return Ok(None) };
    let standing = match outcome {
        Outcome::Run => landing::land(session.standing, wanted)
            .map_err(|error| BrokerError::Invalid(format!("{error}; nothing was decided")))?,
        Outcome::Keep | Outcome::Cancel => session.standing,
    };
    let by = json!({"channel": person.channel, "unattended": person.unattended});
    let session = modes::change(work, session, standing, &by, Some(&request.id))?;
    if outcome != Outcome::Cancel {
        // The ending's own text says which mode it is now.
        work.tx.set_told_mode(&session.id, session.standing.mode)?;
    }
    Ok(Some(session.standing.mode))
}

/// What a surface shows beside a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanHistory {
    /// Its revision, from 1.
    pub revision: u32,
    /// The whole text of the revision before it; none for the first, and where that can't be read.
    pub before: Option<String>,
    /// The plans before it, the latest first.
    pub previous: Vec<PastPlan>,
}

impl Broker {
    /// What came before a plan; none when the request is no plan.
    pub fn plan_history(&self, request: &Request) -> Result<Option<PlanHistory>, BrokerError> {
        if request.ask.class != Class::Plan {
            return Ok(None);
        }
        self.read(|db| {
            let follows = request.plan.as_ref().and_then(|place| place.follows.as_ref());
            let before = follows.map(|id| db.request(id)).transpose()?.flatten();
            Ok(Some(PlanHistory {
                revision: request.plan.as_ref().map_or(1, |place| place.revision),
                before: before.map(|before| before.ask.context.unwrap_or_default()),
                previous: db.plans_before(request, limit::PLANS_BEFORE)?,
            }))
        })
    }
}
