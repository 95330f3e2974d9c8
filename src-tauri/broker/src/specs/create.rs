//! Making specs.

use super::{Created, Gated};
use crate::agents::Caller;
use crate::error::BrokerError;
use crate::gates::{self, Call, Passage};
use crate::person::Person;
use crate::random;
use crate::requests::check_call;
use crate::shell::Change;
use crate::writer::{Effect, Work};
use countersign_core::gate;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::mode::Deed;
use countersign_core::scope::Scope;
use countersign_core::spec::{NewSpec, SpecRow};
use serde_json::{Map, Value, json};

/// An agent makes a spec, unless there is one of that title already.
pub(crate) fn create(
    work: &mut Work<'_>,
    caller: &Caller,
    spec: &NewSpec,
    answers: &Map<String, Value>,
) -> Result<Gated<Created>, BrokerError> {
    let mode = check_call(work, caller, "create_spec", Some(Scope::Specs), Deed::Writes)?;
    spec.check().map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let new = |work: &mut Work<'_>| {
        let spec = insert(work, caller.workspace, None, spec, Some(caller))?;
        Ok::<_, BrokerError>(Created { spec, existing: false })
    };
    let Some((existing, alike)) = duplicate(work, caller.workspace, &spec.title)? else {
        return Ok(Gated::Done { value: new(work)?, took: Map::new() });
    };
    let arguments = json!({"title": spec.title, "body": spec.body, "criteria": spec.criteria});
    let call = Call { caller, mode, tool: "create_spec", arguments, answers };
    match gates::pass(work, &call, &gate::duplicate_title(&spec.title, &existing, alike))? {
        Passage::Shut(asks) => Ok(asks),
        Passage::Open(pass) => {
            gates::finish(work, &pass.grant)?;
            let create = pass.answer == gate::CREATE_ANYWAY;
            let value = if create { new(work)? } else { Created { spec: existing, existing: true } };
            Ok(Gated::Done { value, took: pass.took.into_iter().map(|id| (id, pass.answer.clone())).collect() })
        }
    }
}

/// The person makes a spec. A title that is there already is theirs to give again.
pub(crate) fn create_for_person(
    work: &mut Work<'_>,
    person: Person,
    workspace: WorkspaceId,
    spec: &NewSpec,
) -> Result<SpecRow, BrokerError> {
    super::acts::check_person(work, person)?;
    spec.check().map_err(|error| BrokerError::Invalid(error.to_string()))?;
    insert(work, workspace, None, spec, None)
}

/// The spec whose title this one repeats, and how much in percent: the oldest that people would take for the same, else the
/// nearest.
fn duplicate(work: &Work<'_>, workspace: WorkspaceId, title: &str) -> Result<Option<(SpecRow, u8)>, BrokerError> {
    if let Some(same) = work.tx.spec_titled(workspace, title)? {
        return Ok(Some((same, 100)));
    }
    for near in work.titles.nearest(workspace, title, 5) {
        if let Some(row) = work.tx.spec_row(workspace, near.id)? {
            return Ok(Some((row, near.alike)));
        }
    }
    Ok(None)
}

/// Keeps a new spec, as a draft.
pub(crate) fn insert(
    work: &mut Work<'_>,
    workspace: WorkspaceId,
    id: Option<SpecId>,
    spec: &NewSpec,
    by: Option<&Caller>,
) -> Result<SpecRow, BrokerError> {
    let row = work.tx.insert_spec(workspace, id, spec, by.map(|caller| &caller.agent), work.at())?;
    let path = work.tx.workspace_path(workspace)?;
    let body = json!({"spec": row.id, "workspace": path, "agent": by.map(|caller| &caller.agent), "title": row.title});
    work.tx.log(work.at(), "spec.created", &row.id.to_string(), &body, random::salt())?;
    work.titles.set(workspace, row.id, Some(&row.title));
    work.effect(Effect::Changed(Change::Specs));
    Ok(row)
}
