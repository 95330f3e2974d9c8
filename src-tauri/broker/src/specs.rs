//! The spec tools that change something, each behind its gates.

use crate::agents::Caller;
use crate::error::BrokerError;
use crate::gates::{self, Call, Passage};
use crate::random;
use crate::requests::check_call;
use crate::writer::Work;
use countersign_core::gate;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::limit;
use countersign_core::mode::Deed;
use countersign_core::question::Question;
use countersign_core::request::Request;
use countersign_core::scope::Scope;
use countersign_core::spec::{NewSpec, SpecRow};
use countersign_core::title::Term;
use countersign_store::{Db, Grant};
use serde_json::{Map, Value, json};

/// What a gated tool comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Gated<T> {
    /// It did its work.
    Done(T),
    /// It must ask first. The same call goes on once there is an answer.
    Asks {
        /// What is asked.
        questions: Vec<Question>,
        /// The request in the inbox; none for a tool that only reads.
        request: Option<Box<Request>>,
        /// Something that the agent should know besides.
        note: Option<String>,
    },
}

/// What `create_spec` comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Created {
    /// The spec.
    pub spec: SpecRow,
    /// Whether it was there before.
    pub existing: bool,
}

/// What `delete_spec` comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone.
    Deleted(SpecId),
    /// The person said no.
    Refused(SpecId),
}

/// Which specs a name means.
pub(crate) enum Named {
    One(SpecRow),
    Several(Vec<SpecRow>),
}

/// Makes a spec; asks first when one of that title is there.
pub(crate) fn create(
    work: &mut Work<'_>,
    caller: &Caller,
    spec: &NewSpec,
    answers: &Map<String, Value>,
) -> Result<Gated<Created>, BrokerError> {
    check_call(work, caller, "create_spec", Some(Scope::Specs), Deed::Writes)?;
    spec.check().map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let Some(existing) = work.tx.spec_titled(caller.workspace, &spec.title)? else {
        return insert(work, caller, spec).map(Gated::Done);
    };
    let criteria: Vec<Value> = spec.criteria.iter().map(|c| json!({"text": c.text, "check": c.check})).collect();
    let arguments = json!({"title": spec.title, "body": spec.body, "criteria": criteria});
    let call = Call { caller, tool: "create_spec", arguments, answers };
    match gates::pass(work, &call, |_| gate::duplicate_title(&spec.title, &existing))? {
        Passage::Shut(asks) => Ok(asks),
        Passage::Open(answer, grant) => {
            gates::finish(work, &grant)?;
            if answer == gate::CREATE_ANYWAY {
                insert(work, caller, spec)
            } else {
                Ok(Created { spec: existing, existing: true })
            }
            .map(Gated::Done)
        }
    }
}

fn insert(work: &mut Work<'_>, caller: &Caller, spec: &NewSpec) -> Result<Created, BrokerError> {
    let row = work.tx.insert_spec(caller.workspace, spec, &caller.agent, work.at())?;
    let body = json!({"spec": row.id, "workspace": caller.workspace_path, "agent": caller.agent, "title": row.title});
    work.tx.log(work.at(), "spec.created", &row.id.to_string(), &body, random::salt())?;
    Ok(Created { spec: row, existing: false })
}

/// Deletes a spec; always asks first.
pub(crate) fn delete(
    work: &mut Work<'_>,
    caller: &Caller,
    term: &str,
    answers: &Map<String, Value>,
) -> Result<Gated<Deleted>, BrokerError> {
    check_call(work, caller, "delete_spec", Some(Scope::Specs), Deed::Writes)?;
    let (spec, choice) = match resolve(work, caller, term, answers)? {
        Resolved::Spec(spec, choice) => (spec, choice),
        Resolved::Asks(asks) => return Ok(asks),
    };
    // A call that answers `choose-spec` has nothing to say to the gate behind it.
    let none = Map::new();
    let answers = if answers.contains_key("confirm-delete") { answers } else { &none };
    let call = Call { caller, tool: "delete_spec", arguments: json!({"spec": spec.id}), answers };
    let gone = || BrokerError::NotFound(format!("{} is gone", spec.id));
    let whole = work.tx.spec(caller.workspace, spec.id)?.ok_or_else(gone)?;
    match gates::pass(work, &call, |changed| gate::confirm_delete(&whole, changed))? {
        Passage::Shut(asks) => Ok(asks),
        Passage::Open(answer, grant) => {
            gates::finish(work, &grant)?;
            if let Some(choice) = choice {
                gates::finish(work, &choice)?;
            }
            if answer != Value::Bool(true) {
                return Ok(Gated::Done(Deleted::Refused(spec.id)));
            }
            work.tx.delete_spec(caller.workspace, spec.id)?;
            let body = json!({"spec": spec.id, "workspace": caller.workspace_path, "agent": caller.agent, "request": grant.request, "revision": spec.revision});
            work.tx.log(work.at(), "spec.deleted", &spec.id.to_string(), &body, random::salt())?;
            Ok(Gated::Done(Deleted::Deleted(spec.id)))
        }
    }
}

enum Resolved<T> {
    Spec(SpecRow, Option<Box<Grant>>),
    Asks(Gated<T>),
}

/// Which spec is meant; asks when several are.
fn resolve<T>(
    work: &mut Work<'_>,
    caller: &Caller,
    term: &str,
    answers: &Map<String, Value>,
) -> Result<Resolved<T>, BrokerError> {
    let found = match named(**work.tx, caller.workspace, term)? {
        Named::One(spec) => return Ok(Resolved::Spec(spec, None)),
        Named::Several(found) => found,
    };
    let own: Map<String, Value> =
        answers.iter().filter(|(id, _)| *id == "choose-spec").map(|(id, v)| (id.clone(), v.clone())).collect();
    let call = Call { caller, tool: "delete_spec", arguments: json!({"spec": term}), answers: &own };
    match gates::pass(work, &call, |_| gate::choose_spec(term, &found))? {
        Passage::Shut(asks) => Ok(Resolved::Asks(asks)),
        Passage::Open(answer, grant) => {
            let chosen = answer.as_str().and_then(gate::chosen_spec);
            match found.into_iter().find(|row| Some(row.id) == chosen) {
                Some(spec) => Ok(Resolved::Spec(spec, Some(grant))),
                None => {
                    gates::finish(work, &grant)?;
                    Err(BrokerError::Invalid(format!("the spec that was chosen for “{term}” is gone; call again")))
                }
            }
        }
    }
}

/// The specs that a name means: one by its id, or those whose titles answer to a term.
pub(crate) fn named(db: Db<'_>, workspace: WorkspaceId, term: &str) -> Result<Named, BrokerError> {
    // Before anything that takes time or repeats it: one agent's term is read while all others wait.
    limit::check_line("spec", term, limit::TITLE_CHARS).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let none = |what: String| Err(BrokerError::NotFound(format!("{what}; list_specs shows what there is")));
    if let Some(id) = SpecId::parse(term) {
        return match db.spec_row(workspace, id)? {
            Some(spec) => Ok(Named::One(spec)),
            None => none(format!("there is no {id} in this workspace")),
        };
    }
    let wanted = Term::new(term);
    let mut found: Vec<SpecRow> = db.specs(workspace)?.into_iter().filter(|row| wanted.finds(&row.title)).collect();
    match found.len() {
        0 => none(format!("no spec of this workspace answers to “{term}”")),
        1 => Ok(Named::One(found.remove(0))),
        _ => Ok(Named::Several(found)),
    }
}
