//! Bringing in specs from files, all of them or none.

use super::acts::{self, Author};
use super::{Gated, create};
use crate::agents::Caller;
use crate::error::BrokerError;
use crate::gates::{self, Call, Pass, Passage};
use crate::person::Person;
use crate::requests::check_call;
use crate::writer::Work;
use countersign_core::digest::Digest;
use countersign_core::gate;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::import::{self, Existing, Fate, Incoming, IncomingSpec, Planned, Shelf};
use countersign_core::limit;
use countersign_core::mode::{Deed, Mode};
use countersign_core::scope::Scope;
use countersign_core::spec::{Spec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_store::{Db, StoreError};
use serde_json::{Map, Value, json};

/// Files to bring in.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// What was read of them.
    pub incoming: Vec<Incoming>,
    /// What happens to those that are there.
    pub existing: Existing,
}

impl Import {
    /// Refuses more than is looked at together.
    pub fn check(&self) -> Result<(), BrokerError> {
        if self.incoming.len() > limit::IMPORT_SPECS {
            return Err(BrokerError::Invalid(format!(
                "{} specs are too many for one import; {} are allowed, so bring them in by parts",
                self.incoming.len(),
                limit::IMPORT_SPECS
            )));
        }
        Ok(())
    }

    /// What makes two imports the same.
    fn digest(&self) -> Digest {
        let one = |incoming: &Incoming| match &incoming.spec {
            Ok(spec) => {
                let content = &spec.content;
                json!([incoming.file, spec.id, content.title, content.body, content.criteria])
            }
            Err(why) => json!([incoming.file, why]),
        };
        let all: Vec<Value> = self.incoming.iter().map(one).collect();
        Digest::of_bytes(Value::Array(all).to_string().as_bytes())
    }
}

/// What came of an import.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// Each spec of the files, with the id that it has now.
    pub specs: Vec<(Planned, Option<SpecId>)>,
    /// Whether the person said no, so that nothing was done.
    pub refused: bool,
}

/// A workspace of the store, for the rules of an import.
pub(crate) struct Stored<'d>(pub(crate) Db<'d>, pub(crate) WorkspaceId);

impl Shelf for Stored<'_> {
    type Error = StoreError;

    fn spec(&self, id: SpecId) -> Result<Option<Spec>, StoreError> {
        self.0.spec(self.1, id)
    }

    fn was_used(&self, id: SpecId) -> Result<bool, StoreError> {
        self.0.spec_was_used(self.1, id)
    }

    fn titled(&self, title: &str) -> Result<Option<SpecId>, StoreError> {
        Ok(self.0.spec_titled(self.1, title)?.map(|row| row.id))
    }
}

/// An agent brings them in: through the gates of each spec that would be overwritten.
pub(crate) fn call(
    work: &mut Work<'_>,
    caller: &Caller,
    import: &Import,
    answers: &Map<String, Value>,
) -> Result<Gated<Imported>, BrokerError> {
    let mode = check_call(work, caller, "import_specs", Some(Scope::Specs), Deed::Writes)?;
    import.check()?;
    let planned = import::plan(&import.incoming, import.existing, &Stored(**work.tx, caller.workspace))?;
    let key = import.digest();
    let mut passed = Vec::new();
    for (one, incoming) in planned.iter().zip(&import.incoming) {
        let (Fate::Replace(id), Ok(spec)) = (&one.fate, &incoming.spec) else { continue };
        match open(work, caller, mode, (*id, spec), &key, answers)? {
            Opened::Asks(asks) => return Ok(asks),
            Opened::Refused(pass) => {
                passed.extend(pass);
                let specs = planned.into_iter().map(|one| (one, None)).collect();
                return done(work, Imported { specs, refused: true }, &passed);
            }
            Opened::Yes(pass) => passed.extend(pass),
        }
    }
    let specs = bring_in(work, Author::Agent(caller), caller.workspace, import, planned)?;
    done(work, Imported { specs, refused: false }, &passed)
}

enum Opened {
    Asks(Gated<Imported>),
    Refused(Vec<Pass>),
    Yes(Vec<Pass>),
}

/// The gates before one spec that would be overwritten. A decision is for this spec in this import.
fn open(
    work: &mut Work<'_>,
    caller: &Caller,
    mode: Mode,
    (id, spec): (SpecId, &IncomingSpec),
    key: &Digest,
    answers: &Map<String, Value>,
) -> Result<Opened, BrokerError> {
    let Some((there, plan)) = replacement(work, caller.workspace, id, spec)? else {
        return Ok(Opened::Yes(Vec::new()));
    };
    let arguments = json!({"import": key, "spec": id});
    let call = Call { caller, mode, tool: "import_specs", arguments, answers };
    let mut passed = Vec::new();
    let what = "An import would overwrite its content. Overwrite it? The revision before stays in its history.";
    for gate in gate::of_edit(&there, plan.edited.as_ref(), what) {
        match gates::pass(work, &call, &gate)? {
            Passage::Shut(asks) => return Ok(Opened::Asks(asks)),
            Passage::Open(pass) => {
                let refused = pass.answer == Value::Bool(false);
                passed.push(pass);
                if refused {
                    return Ok(Opened::Refused(passed));
                }
            }
        }
    }
    Ok(Opened::Yes(passed))
}

fn done(work: &mut Work<'_>, value: Imported, passed: &[Pass]) -> Result<Gated<Imported>, BrokerError> {
    for pass in passed {
        gates::finish(work, &pass.grant)?;
    }
    Ok(Gated::Done { value, took: Map::new() })
}

/// The person brings them in.
pub(crate) fn for_person(
    work: &mut Work<'_>,
    person: Person,
    workspace: WorkspaceId,
    import: &Import,
) -> Result<Imported, BrokerError> {
    // What comes in beside the others is a draft, which an agent may make as well; what is replaced takes the person.
    match import.existing {
        Existing::Replace => acts::check_person(work, person)?,
        Existing::Copy | Existing::Skip => acts::check_channel(person)?,
    }
    import.check()?;
    let planned = import::plan(&import.incoming, import.existing, &Stored(**work.tx, workspace))?;
    let specs = bring_in(work, Author::Person(person), workspace, import, planned)?;
    Ok(Imported { specs, refused: false })
}

fn bring_in(
    work: &mut Work<'_>,
    author: Author<'_>,
    workspace: WorkspaceId,
    import: &Import,
    planned: Vec<Planned>,
) -> Result<Vec<(Planned, Option<SpecId>)>, BrokerError> {
    let mut specs = Vec::with_capacity(planned.len());
    for (one, incoming) in planned.into_iter().zip(&import.incoming) {
        let id = match (&one.fate, &incoming.spec) {
            (Fate::Create(id), Ok(spec)) => {
                let by = match author {
                    Author::Agent(caller) => Some(caller),
                    Author::Person(_) => None,
                };
                Some(create::insert(work, workspace, *id, &spec.content, by)?.id)
            }
            (Fate::Replace(id), Ok(spec)) => {
                replace(work, author, workspace, *id, spec)?;
                Some(*id)
            }
            (Fate::Unchanged(id) | Fate::Skipped(id), _) => Some(*id),
            (Fate::Broken(_) | Fate::Create(_) | Fate::Replace(_), _) => None,
        };
        specs.push((one, id));
    }
    Ok(specs)
}

fn replacement(
    work: &Work<'_>,
    workspace: WorkspaceId,
    id: SpecId,
    spec: &IncomingSpec,
) -> Result<Option<(Spec, acts::Plan)>, BrokerError> {
    let Some(there) = work.tx.spec(workspace, id)? else { return Ok(None) };
    let edit = SpecAct::Edit(import::edit_over(&there, &spec.content));
    let plan = acts::plan(work, workspace, &there, &edit)?;
    Ok(Some((there, plan)))
}

/// The next revision, as a draft.
fn replace(
    work: &mut Work<'_>,
    author: Author<'_>,
    workspace: WorkspaceId,
    id: SpecId,
    spec: &IncomingSpec,
) -> Result<(), BrokerError> {
    let Some((there, plan)) = replacement(work, workspace, id, spec)? else { return Ok(()) };
    acts::act(work, author, workspace, &there, &SpecAct::Edit(Default::default()), plan)?;
    let Some(now) = work.tx.spec(workspace, id)? else { return Ok(()) };
    if now.row.status != Status::Draft {
        acts::to_draft(work, author, workspace, &now)?;
    }
    Ok(())
}
