//! Bringing specs in from files: what would become of each, before anything is done.
//!
//! What comes in is a draft: no status, evidence or lock of a file is believed. A file's id is kept only if it was never used in
//! the workspace; an id that is there already is another spec, unless the person or the agent says that it is to be replaced.

use crate::id::SpecId;
use crate::spec::{By, Criterion, CriterionState, NewCriterion, NewSpec, Spec, SpecError, Status, next_criterion};
use crate::spec_edit::{Edit, Edited};
use crate::spec_file::{self, FileBy, FileCriterion, FileEvidence, SpecFile};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The highest id that is kept: numbers are counted on from there.
const KEPT: u32 = 1_000_000;

/// What happens to a file whose id is that of a spec which is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Existing {
    /// It comes in beside it, under a new id.
    #[default]
    Copy,
    /// It becomes that spec's next revision, and a draft.
    Replace,
    /// It is left out.
    Skip,
}

/// One spec of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The file's name.
    pub file: String,
    /// Its content, or why there is none.
    pub spec: Result<IncomingSpec, String>,
}

impl Incoming {
    /// A file that could not be read.
    pub fn unreadable(file: &str, why: &str) -> Self {
        Self { file: file.to_owned(), spec: Err(why.to_owned()) }
    }
}

/// A spec as a file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingSpec {
    /// The id that it had.
    pub id: Option<SpecId>,
    /// Its content; criteria with the ids that they had.
    pub content: NewSpec,
    /// What of the file is not taken over, in words.
    pub notes: Vec<String>,
    /// Whether the file says that criteria are met, which is not believed.
    pub evidence: bool,
}

/// What becomes of a spec of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It comes in under this id, or under the next free one.
    Create(Option<SpecId>),
    /// It becomes the next revision of the spec that is there.
    Replace(SpecId),
    /// It is there already, the same.
    Unchanged(SpecId),
    /// It is left out, for this id is there.
    Skipped(SpecId),
    /// It can't come in.
    Broken(String),
}

impl Fate {
    /// The word sent.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Replace(_) => "replace",
            Self::Unchanged(_) => "unchanged",
            Self::Skipped(_) => "skip",
            Self::Broken(_) => "broken",
        }
    }
}

/// A spec of a file with what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The file's name.
    pub file: String,
    /// Its title, where it has one.
    pub title: Option<String>,
    /// What becomes of it.
    pub fate: Fate,
    /// What to know besides.
    pub notes: Vec<String>,
}

impl Planned {
    /// As agents and terminals read it; `id` is the one that it has now, where it came in.
    pub fn to_json(&self, id: Option<SpecId>) -> Value {
        let id = id.or(match self.fate {
            Fate::Create(id) => id,
            Fate::Replace(id) | Fate::Unchanged(id) | Fate::Skipped(id) => Some(id),
            Fate::Broken(_) => None,
        });
        let mut line = json!({"file": self.file, "action": self.fate.word(), "notes": self.notes});
        if let Some(title) = &self.title {
            line["title"] = json!(title);
        }
        if let Some(id) = id {
            line["id"] = json!(id);
        }
        if let Fate::Broken(why) = &self.fate {
            line["why"] = json!(why);
        }
        line
    }
}

/// Reads a file: JSON by its name's ending, else markdown. What can't be read is one entry that says why.
pub fn read(name: &str, text: &str) -> Vec<Incoming> {
    let is_json = name.rsplit_once('.').is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("json"));
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let read =
        if is_json { spec_file::from_json(text) } else { spec_file::from_markdown(text, stem).map(|one| vec![one]) };
    match read {
        Ok(specs) => {
            specs.into_iter().map(|spec| Incoming { file: name.to_owned(), spec: Ok(incoming(spec)) }).collect()
        }
        Err(error) => vec![Incoming { file: name.to_owned(), spec: Err(error.to_string()) }],
    }
}

fn incoming(read: spec_file::Imported) -> IncomingSpec {
    let (spec, notes) = (read.spec, read.notes);
    let evidence = spec
        .criteria
        .iter()
        .any(|c| c.evidence.is_some() || c.state.is_some_and(|state| state != CriterionState::Unmet));
    let criteria = spec.criteria.into_iter().map(|c| NewCriterion { id: c.id, text: c.text, check: c.check }).collect();
    let content = NewSpec { title: spec.title, body: spec.body, criteria };
    IncomingSpec { id: spec.id, content, notes, evidence }
}

/// A spec as a file has it.
pub fn file_of(spec: &Spec) -> SpecFile {
    let by = |by: &By| match by {
        By::Agent { name, .. } => FileBy { kind: "agent".into(), name: Some(name.clone()) },
        By::Person => FileBy { kind: "person".into(), name: None },
        By::Check { name } => FileBy { kind: "check".into(), name: Some(name.clone()) },
    };
    let criterion = |c: &Criterion| FileCriterion {
        id: Some(c.id.clone()),
        text: c.text.clone(),
        check: c.check.clone(),
        state: Some(c.state),
        evidence: c.evidence.as_ref().map(|evidence| FileEvidence {
            text: evidence.text.clone(),
            by: Some(by(&evidence.by)),
            at: Some(evidence.at),
        }),
    };
    SpecFile {
        id: Some(spec.row.id),
        title: spec.row.title.clone(),
        status: Some(spec.row.status),
        locked: Some(spec.row.locked),
        revision: Some(spec.row.revision),
        body: spec.body.clone(),
        criteria: spec.criteria.iter().map(criterion).collect(),
    }
}

/// What the workspace has, as far as an import asks.
pub trait Shelf {
    /// Why it can't be told.
    type Error;
    /// The spec of this id.
    fn spec(&self, id: SpecId) -> Result<Option<Spec>, Self::Error>;
    /// Whether a spec of this id was ever there.
    fn was_used(&self, id: SpecId) -> Result<bool, Self::Error>;
    /// The spec that has this title.
    fn titled(&self, title: &str) -> Result<Option<SpecId>, Self::Error>;
}

/// What would become of each, in order.
pub fn plan<S: Shelf>(incoming: &[Incoming], existing: Existing, shelf: &S) -> Result<Vec<Planned>, S::Error> {
    let mut taken = HashSet::new();
    incoming.iter().map(|one| planned(one, existing, shelf, &mut taken)).collect()
}

fn planned<S: Shelf>(
    one: &Incoming,
    existing: Existing,
    shelf: &S,
    taken: &mut HashSet<SpecId>,
) -> Result<Planned, S::Error> {
    let broken = |title: Option<String>, why: String| Planned {
        file: one.file.clone(),
        title,
        fate: Fate::Broken(why),
        notes: Vec::new(),
    };
    let spec = match &one.spec {
        Ok(spec) => spec,
        Err(why) => return Ok(broken(None, why.clone())),
    };
    let title = Some(spec.content.title.clone());
    if let Err(error) = spec.content.check() {
        return Ok(broken(None, error.to_string()));
    }
    let mut notes = spec.notes.clone();
    let fate = match spec.id {
        None => Fate::Create(None),
        Some(id) if taken.contains(&id) => {
            notes.push(format!("{id} is in these files twice; this one gets a new id"));
            Fate::Create(None)
        }
        Some(id) => match shelf.spec(id)? {
            Some(there) if is_same(&there, &spec.content) => Fate::Unchanged(id),
            Some(there) => match existing {
                Existing::Replace => match over(&there, &spec.content) {
                    Ok(edited) => {
                        notes.extend(cost(&there, &edited));
                        Fate::Replace(id)
                    }
                    Err(error) => return Ok(broken(title, error.to_string())),
                },
                Existing::Skip => Fate::Skipped(id),
                Existing::Copy => {
                    notes.push(format!("{id} is there already, so this one gets a new id"));
                    Fate::Create(None)
                }
            },
            None if shelf.was_used(id)? => {
                notes.push(format!("{id} was used here before, so it gets a new id"));
                Fate::Create(None)
            }
            None if id.0 > KEPT => {
                notes.push(format!("ids above {} are not kept, so it gets a new id", SpecId(KEPT)));
                Fate::Create(None)
            }
            None => Fate::Create(Some(id)),
        },
    };
    taken.extend(spec.id);
    match fate {
        Fate::Create(_) if spec.evidence => {
            notes.push("its evidence is not taken over: every criterion is unmet here".to_owned());
        }
        // Nothing of the file comes in, so nothing of it needs to be known.
        Fate::Unchanged(_) | Fate::Skipped(_) => notes.clear(),
        Fate::Create(_) | Fate::Replace(_) | Fate::Broken(_) => {}
    }
    if let (Fate::Create(_), Some(same)) = (&fate, shelf.titled(&spec.content.title)?) {
        notes.push(format!("{same} has the same title"));
    }
    Ok(Planned { file: one.file.clone(), title, fate, notes })
}

/// Whether a file says what is there.
fn is_same(there: &Spec, content: &NewSpec) -> bool {
    let texts = there.criteria.iter().map(|c| (c.text.as_str(), c.check.as_deref()));
    there.row.title == content.title
        && there.body == content.body
        && texts.eq(content.criteria.iter().map(|c| (c.text.as_str(), c.check.as_deref())))
}

/// What replacing a spec takes away, in words.
fn cost(there: &Spec, edited: &Edited) -> Vec<String> {
    let mut notes = Vec::new();
    if there.row.locked {
        notes.push(format!("{} is locked", there.row.id));
    }
    if there.row.status != Status::Draft {
        notes.push(format!("it is {} and goes back to draft", there.row.status.word()));
    }
    let kept = |id: &str| edited.criteria.iter().find(|criterion| criterion.id == id);
    let gone = there.criteria.iter().filter(|criterion| kept(&criterion.id).is_none()).count();
    let lost =
        |criterion: &&Criterion| criterion.state.counts() && kept(&criterion.id).is_some_and(|now| !now.state.counts());
    let unmet = there.criteria.iter().filter(lost).count();
    if gone > 0 {
        notes.push(format!("criteria of it that are not in the file, and go: {gone}"));
    }
    if unmet > 0 {
        notes.push(format!("criteria of it that are met and will be unmet again: {unmet}"));
    }
    notes
}

/// What becomes of a spec by what a file says.
fn over(there: &Spec, content: &NewSpec) -> Result<Edited, SpecError> {
    edit_over(there, content).apply(there, next_criterion(&there.criteria))
}

/// The edit that makes a spec what a file says. A criterion keeps its id only where the spec has it.
pub fn edit_over(there: &Spec, content: &NewSpec) -> Edit {
    let known = |id: &String| there.criteria.iter().any(|criterion| &criterion.id == id);
    let criteria =
        content.criteria.iter().map(|new| NewCriterion { id: new.id.clone().filter(known), ..new.clone() }).collect();
    Edit {
        title: Some(content.title.clone()),
        body: Some(content.body.clone()),
        criteria: Some(criteria),
        base_revision: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::SpecRow;
    use crate::time::Timestamp;
    use std::convert::Infallible;

    /// SPEC-001 is there, SPEC-002 was deleted, and SPEC-003 would be next.
    struct Two;

    impl Shelf for Two {
        type Error = Infallible;

        fn spec(&self, id: SpecId) -> Result<Option<Spec>, Infallible> {
            let criterion = Criterion {
                id: "AC-1".into(),
                text: "returns 200".into(),
                state: CriterionState::Met,
                check: None,
                evidence: None,
            };
            let (status, locked) = (Status::Approved, false);
            let row = SpecRow { id, title: "Refunds".into(), status, revision: 4, locked, met: 1, total: 1 };
            let at = Timestamp(0);
            let spec = Spec { row, body: "B\r\n".into(), criteria: vec![criterion], created_at: at, updated_at: at };
            Ok((id == SpecId(1)).then_some(spec))
        }

        fn was_used(&self, id: SpecId) -> Result<bool, Infallible> {
            Ok(id.0 < 3)
        }

        fn titled(&self, title: &str) -> Result<Option<SpecId>, Infallible> {
            Ok((title == "Refunds").then_some(SpecId(1)))
        }
    }

    fn incoming(id: Option<u32>, title: &str, body: &str) -> Incoming {
        let content =
            NewSpec { title: title.into(), body: body.into(), criteria: vec![NewCriterion::plain("returns 200")] };
        let spec = IncomingSpec { id: id.map(SpecId), content, notes: Vec::new(), evidence: false };
        Incoming { file: "a.md".into(), spec: Ok(spec) }
    }

    fn fates(incoming: &[Incoming], existing: Existing) -> Vec<(Fate, Vec<String>)> {
        let Ok(planned) = plan(incoming, existing, &Two);
        planned.into_iter().map(|one| (one.fate, one.notes)).collect()
    }

    #[test]
    fn an_id_is_kept_only_if_it_was_never_used_here() {
        let planned = fates(
            &[
                incoming(None, "New", ""),
                incoming(Some(7), "Other", ""),
                incoming(Some(7), "Again", ""),
                incoming(Some(2), "Deleted", ""),
                incoming(Some(4_000_000_000), "Far", ""),
                incoming(None, "Refunds", ""),
            ],
            Existing::Copy,
        );
        let said: Vec<_> = planned.iter().map(|(fate, notes)| (fate.clone(), notes.join("; "))).collect();
        assert_eq!(
            said,
            [
                (Fate::Create(None), String::new()),
                (Fate::Create(Some(SpecId(7))), String::new()),
                (Fate::Create(None), "SPEC-007 is in these files twice; this one gets a new id".into()),
                (Fate::Create(None), "SPEC-002 was used here before, so it gets a new id".into()),
                (Fate::Create(None), "ids above SPEC-1000000 are not kept, so it gets a new id".into()),
                (Fate::Create(None), "SPEC-001 has the same title".into()),
            ]
        );
    }

    #[test]
    fn what_is_there_is_left_copied_or_replaced_as_it_is_said() {
        let changed = [incoming(Some(1), "Refunds", "B\n")];
        assert_eq!(fates(&changed, Existing::Skip)[0].0, Fate::Skipped(SpecId(1)));
        assert_eq!(fates(&changed, Existing::Replace)[0].0, Fate::Replace(SpecId(1)));
        assert_eq!(fates(&changed, Existing::Copy)[0].0, Fate::Create(None));
        for existing in [Existing::Skip, Existing::Replace, Existing::Copy] {
            let same = [incoming(Some(1), "Refunds", "B\r\n")];
            assert_eq!(fates(&same, existing), [(Fate::Unchanged(SpecId(1)), Vec::new())]);
        }
    }

    #[test]
    fn what_can_not_come_in_says_why_and_stops_no_other() {
        let unreadable = Incoming { file: "b.md".into(), spec: Err("line 3: no title".into()) };
        let planned = fates(&[unreadable, incoming(None, " ", ""), incoming(None, "Fine", "")], Existing::Copy);
        assert_eq!(planned[0].0, Fate::Broken("line 3: no title".into()));
        assert_eq!(planned[1].0, Fate::Broken("`title` is empty; give 1 to 200 characters".into()));
        assert_eq!(planned[2].0, Fate::Create(None));
    }
}
