//! What a host and its model are told about a step. English, as all that models read.

use super::{is_yes, of_request};
use crate::ending::decided_by;
use crate::mode::Mode;
use crate::request::{Request, State};
use serde_json::{Map, Value};

/// What the gate says of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// `allow`, `deny` or `pending`.
    pub decision: &'static str,
    /// Why, and what to do next.
    pub reason: String,
    /// The input that the person made of it, whole.
    pub input: Option<Map<String, Value>>,
    /// What the person added.
    pub comment: Option<String>,
    /// Who decided.
    pub decided_by: Option<&'static str>,
    /// By which rule.
    pub rule: Option<i64>,
}

impl Told {
    /// A step that passes by the mode alone.
    pub fn passes(mode: Mode) -> Self {
        let reason = format!("This passes in {} mode.", mode.word());
        Self { decision: "allow", reason, input: None, comment: None, decided_by: Some("mode"), rule: None }
    }

    /// A step of a session that the person stopped.
    pub fn stopped() -> Self {
        Self {
            decision: "deny",
            reason: STOPPED.into(),
            input: None,
            comment: None,
            decided_by: Some("person"),
            rule: None,
        }
    }
}

/// What every call of a stopped session is told.
pub const STOPPED: &str = "The person stopped this session: nothing of it passes until they release it. Stop now: don't try again, don't look for another way, and say in your reply that you were stopped.";
/// What is said of a step that the session's mode denies.
pub const NOT_IN_PLAN_MODE: &str = "In plan mode only what reads passes, so this was not done. Go on reading, and when the plan is ready, call present_plan with it; don't try this another way.";

/// How a step stands or ended. `edits`: whether the one who asks now takes an edited input.
pub fn told(request: &Request, edits: bool) -> Told {
    let decision = request.decision.as_ref().filter(|_| request.state == State::Answered);
    let by = decision.map(decided_by);
    let rule = decision.and_then(|decision| decision.step.as_ref()?.rule);
    let edited = decision.and_then(|decision| decision.step.as_ref()?.edited.clone());
    let comment = request.decision.as_ref().and_then(|decision| decision.comment.clone());
    let said = |text: String| match &comment {
        Some(comment) => format!("{text} They added: {comment}"),
        None => text,
    };
    let deny =
        |reason: String| Told { decision: "deny", reason, input: None, comment: comment.clone(), decided_by: by, rule };
    if decision.and_then(|decision| decision.step.as_ref()).is_some_and(|step| step.stop) {
        return deny(STOPPED.into());
    }
    match (request.state, decision) {
        (State::Answered, Some(decision)) if is_yes(&decision.answers) => {
            if let Some(edited) = &edited
                && !edits
            {
                let input = Value::Object(edited.clone());
                return deny(said(format!(
                    "The person changed the input, and this host can't take it, so this call was not done. Make this call instead: {input}"
                )));
            }
            let text = match (rule, &edited) {
                (Some(rule), _) => format!("A rule of the person's (rule {rule}) allows this."),
                (None, Some(_)) => "The person allowed this with an input that they changed; it is what runs.".into(),
                (None, None) => "The person allowed this, once.".into(),
            };
            Told { decision: "allow", reason: said(text), input: edited, comment: comment.clone(), decided_by: by, rule }
        }
        (State::Answered, _) => deny(match (by, rule) {
            (Some("mode"), _) => NOT_IN_PLAN_MODE.into(),
            (_, Some(rule)) => said(format!(
                "A rule of the person's (rule {rule}) denies this, so it was not done. Don't try it another way; go on without it, or stop and say so."
            )),
            (_, None) => said("The person denied this, so it was not done. Don't try it another way; go on without it, or stop and ask what they want.".into()),
        }),
        (State::Pending, _) => Told {
            decision: "pending",
            reason: format!(
                "Not decided yet: do not proceed. Make the same call again to go on waiting, or call wait_for_answer with request_id \"{}\" first.",
                request.id
            ),
            input: None,
            comment: None,
            decided_by: None,
            rule: None,
        },
        (State::Declined, _) => deny(said("The person didn't decide on this, so it was not done. Go on without it, or ask in your reply.".into())),
        (State::Cancelled, _) => deny("This was withdrawn before anyone decided, so it was not done.".into()),
        (State::Expired, _) => deny("Nobody decided in time, so this was not done. Silence is not consent: go on without it, or stop and say so.".into()),
        (State::Superseded, _) => deny("Something newer took the place of this, so it was not done.".into()),
    }
}

/// The text of `wait_for_answer` and the like for a step; none for other requests. What passes, passes at the gate alone.
pub fn text(request: &Request) -> Option<String> {
    of_request(request)?;
    let told = told(request, true);
    let next = if told.decision == "allow" { " Make the same call again now: it passes once." } else { "" };
    Some(told.reason + next)
}
