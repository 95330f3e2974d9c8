//! An agent's call of a tool that does something to a spec: which one is meant, then the gates one by one, then the act.

use super::acts::{self, Author, Plan};
use super::{Acted, Gated, Named, Outcome, named};
use crate::agents::Caller;
use crate::error::BrokerError;
use crate::gates::{self, Call, Pass, Passage};
use crate::requests::check_call;
use crate::trusts::Folder;
use crate::writer::Work;
use countersign_core::gate;
use countersign_core::id::SpecId;
use countersign_core::mode::{Deed, Mode};
use countersign_core::readiness::Verdict;
use countersign_core::scope::Scope;
use countersign_core::spec::{Spec, SpecRow};
use countersign_core::spec_act::SpecAct;
use serde_json::{Map, Value, json};

/// What was looked at before the call's turn, away from the writer's thread.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// What the workspace's folder has of commands, where the act may start some.
    pub(crate) folder: Option<Box<Folder>>,
    /// How fit the criteria are, where the act takes them as agreed.
    pub(crate) readied: Option<Readied>,
}

/// How fit the criteria of a spec were in one of its revisions.
#[derive(Debug)]
pub(crate) struct Readied {
    pub(crate) spec: SpecId,
    pub(crate) revision: u32,
    pub(crate) verdicts: Vec<Verdict>,
}

/// Does it, or asks first.
pub(crate) fn call(
    work: &mut Work<'_>,
    caller: &Caller,
    term: &str,
    act: &SpecAct,
    answers: &Map<String, Value>,
    seen: Seen,
) -> Result<Gated<Acted>, BrokerError> {
    let tool = act.tool().ok_or_else(|| BrokerError::NotAllowed("only the person does this".into()))?;
    let mode = check_call(work, caller, tool, Some(Scope::Specs), Deed::Writes)?;
    act.check().map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let mut passed = Vec::new();
    let row = match resolve(work, caller, mode, tool, term, answers)? {
        Resolved::Spec(row, pass) => {
            passed.extend(pass);
            row
        }
        Resolved::Asks(asks) => return Ok(asks),
    };
    let gone = || BrokerError::NotFound(format!("{} is gone", row.id));
    let spec = work.tx.spec(caller.workspace, row.id)?.ok_or_else(gone)?;
    let Seen { folder, readied } = seen;
    let mut plan = Plan { folder, ..acts::plan(work, caller.workspace, &spec, act)? };
    let call = Call { caller, mode, tool, arguments: act.arguments(row.id), answers };
    let readied = readied.filter(|seen| (seen.spec, seen.revision) == (spec.row.id, spec.row.revision));
    let verdicts = readied.as_ref().map(|seen| seen.verdicts.as_slice());
    for gate in gate::of(act, &spec, plan.edited.as_ref(), verdicts) {
        match gates::pass(work, &call, &gate)? {
            Passage::Shut(asks) => return Ok(asks),
            Passage::Open(pass) => {
                let refused = pass.answer == Value::Bool(false);
                passed.push(pass);
                if refused {
                    return refuse(work, &spec, &passed);
                }
            }
        }
    }
    plan.let_by = passed.iter().map(|pass| pass.grant.request.clone()).collect();
    let acted = acts::act(work, Author::Agent(caller), caller.workspace, &spec, act, plan)?;
    done(work, acted, &passed)
}

fn refuse(work: &mut Work<'_>, spec: &Spec, passed: &[Pass]) -> Result<Gated<Acted>, BrokerError> {
    let spec_after = Some(Box::new(spec.clone()));
    let acted = Acted { id: spec.row.id, spec: spec_after, outcome: Outcome::Refused, notes: Vec::new(), checks: None };
    done(work, acted, passed)
}

/// All that it went through is used up with it.
fn done(work: &mut Work<'_>, value: Acted, passed: &[Pass]) -> Result<Gated<Acted>, BrokerError> {
    let mut took = Map::new();
    for pass in passed {
        gates::finish(work, &pass.grant)?;
        took.extend(pass.took.iter().map(|id| (id.clone(), pass.answer.clone())));
    }
    Ok(Gated::Done { value, took })
}

/// Which spec is meant.
pub(crate) enum Resolved<T> {
    /// This one; where it had to be chosen, with the gate that was passed.
    Spec(SpecRow, Option<Pass>),
    /// The person must say first.
    Asks(Gated<T>),
}

/// Which spec is meant; asks when several are.
pub(crate) fn resolve<T>(
    work: &mut Work<'_>,
    caller: &Caller,
    mode: Mode,
    tool: &'static str,
    term: &str,
    answers: &Map<String, Value>,
) -> Result<Resolved<T>, BrokerError> {
    let found = match named(**work.tx, caller.workspace, term)? {
        Named::One(spec) => return Ok(Resolved::Spec(spec, None)),
        Named::Several(found) => found,
    };
    let call = Call { caller, mode, tool, arguments: json!({"spec": term}), answers };
    match gates::pass(work, &call, &gate::choose_spec(term, &found))? {
        Passage::Shut(asks) => Ok(Resolved::Asks(asks)),
        Passage::Open(pass) => {
            let chosen = pass.answer.as_str().and_then(gate::chosen_spec);
            match found.into_iter().find(|row| Some(row.id) == chosen) {
                Some(spec) => Ok(Resolved::Spec(spec, Some(pass))),
                None => {
                    gates::finish(work, &pass.grant)?;
                    Err(BrokerError::Invalid(format!("the spec that was chosen for “{term}” is gone; call again")))
                }
            }
        }
    }
}
