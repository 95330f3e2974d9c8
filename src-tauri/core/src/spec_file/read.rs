//! What the fields of a spec's file are.

use super::fields::{Fields, List, Loose, Object, Place};
use super::{FileBy, FileCriterion, FileError, FileEvidence, Imported, SpecFile};
use crate::id::SpecId;
use crate::limit;
use crate::spec::{CriterionState, Status};
use crate::time::Timestamp;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The fields of a file; what isn't there is none.
#[derive(Default)]
pub(super) struct Spec {
    pub(super) title: Option<String>,
    pub(super) criteria: Option<Vec<FileCriterion>>,
    pub(super) rest: SpecFile,
}

impl Fields for Spec {
    const WHAT: &'static str = "a spec";
    const NAMES: &'static str = "title, body, criteria, id, status, locked and revision";

    fn take<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A, place: &Place) -> Result<bool, A::Error> {
        let rest = &mut self.rest;
        match name {
            "title" => {
                self.title = Some(place.text(map, |field, text| limit::check_line(field, text, limit::TITLE_CHARS))?)
            }
            "body" => rest.body = place.text(map, limit::check_body)?,
            "criteria" => {
                let criteria = map.next_value_seed(List::<FileCriterion>::at(place, limit::CRITERIA))?;
                twice(&criteria).map_err(|message| place.mistake::<A::Error>(message))?;
                self.criteria = Some(criteria);
            }
            "id" => rest.id = place.loose(map, "like SPEC-001", |value| SpecId::parse(value.text()?))?,
            "status" => {
                let words = Status::ALL.map(Status::word).join(", ");
                rest.status = place.loose(map, &format!("one of {words}"), |value| Status::from_word(value.text()?))?;
            }
            "locked" => {
                let locked = |value: &Loose| if let Loose::Bool(locked) = value { Some(*locked) } else { None };
                rest.locked = place.loose(map, "true or false", locked)?;
            }
            "revision" => {
                rest.revision = place.loose(map, "a whole number", |value| u32::try_from(value.number()?).ok())?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Criteria that pass for one another.
fn twice(criteria: &[FileCriterion]) -> Result<(), String> {
    let mut seen = std::collections::HashSet::new();
    match criteria.iter().filter_map(|criterion| criterion.id.as_deref()).find(|id| !seen.insert(*id)) {
        Some(id) => Err(format!("two criteria have the id “{id}”; give each its own, or leave the ids out")),
        None => Ok(()),
    }
}

impl Fields for FileCriterion {
    const WHAT: &'static str = "a criterion";
    const NAMES: &'static str = "text, check, id, state and evidence";

    fn take<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A, place: &Place) -> Result<bool, A::Error> {
        match name {
            "id" => self.id = place.maybe(map, limit::QUESTION_ID_CHARS)?,
            "text" => {
                self.text = place.text(map, |field, text| limit::check_text(field, text, limit::CRITERION_CHARS))?
            }
            "check" => self.check = place.maybe(map, limit::QUESTION_ID_CHARS)?,
            "state" => {
                let all = [CriterionState::Unmet, CriterionState::Met, CriterionState::Waived];
                let word = |value: &Loose| all.into_iter().find(|state| value.text() == Some(state.word()));
                self.state = place.loose(map, "one of unmet, met, waived", word)?;
            }
            "evidence" => self.evidence = Some(map.next_value_seed(Object::at(place))?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn plain(text: &str) -> Option<Self> {
        Some(Self { text: text.to_owned(), ..Self::default() })
    }

    fn check(&self, place: &Place) -> Result<(), String> {
        let field = place.field();
        if self.text.is_empty() {
            return Err(format!("`{field}` has no text; give one, in quotes if there is a `: ` in it"));
        }
        limit::check_text(&field, &self.text, limit::CRITERION_CHARS).map_err(|error| error.to_string())
    }
}

impl Fields for FileEvidence {
    const WHAT: &'static str = "evidence";
    const NAMES: &'static str = "text, by and at";

    fn take<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A, place: &Place) -> Result<bool, A::Error> {
        match name {
            "text" => self.text = place.text(map, limit::check_body)?,
            "by" => self.by = Some(map.next_value_seed(Object::at(place))?),
            "at" => {
                self.at = place.loose(map, "a number of milliseconds", |value| {
                    Some(Timestamp(i64::try_from(value.number()?).ok()?))
                })?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn plain(text: &str) -> Option<Self> {
        Some(Self { text: text.to_owned(), ..Self::default() })
    }
}

impl Fields for FileBy {
    const WHAT: &'static str = "who said it";
    const NAMES: &'static str = "kind and name";

    fn take<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A, place: &Place) -> Result<bool, A::Error> {
        match name {
            "kind" => {
                self.kind = place.text(map, |field, text| limit::check_line(field, text, limit::QUESTION_ID_CHARS))?
            }
            "name" => self.name = place.maybe(map, limit::LABEL_CHARS)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn plain(text: &str) -> Option<Self> {
        Some(Self { kind: text.to_owned(), name: None })
    }
}

/// The fields of a front matter.
pub(super) fn yaml(text: &str, place: &Place) -> Result<Spec, FileError> {
    if text.trim().is_empty() {
        return Ok(Spec::default());
    }
    // An alias is never needed; a few are no harm.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_documents: 1, max_aliases: 100, max_depth: 16, max_nodes: 100_000 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 10_000, max_replay_stack_depth: 4 },
        with_snippet: false,
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::PassThrough,
    };
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| {
        Object::<Spec>::at(place).deserialize(deserializer)
    });
    read.map_err(|error| {
        let line = error.location().map_or(1, |location| location.line());
        let message = error.to_string();
        // What it advises concerns a program.
        let message = message.lines().next().unwrap_or_default().replace("; use Option<String>", "");
        place.error(line, message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message))
    })
}

/// One spec, or a list of them.
pub(super) fn json(text: &str) -> Result<Vec<Imported>, FileError> {
    struct Specs<'p>(&'p Place);

    impl<'de> Visitor<'de> for Specs<'_> {
        type Value = Vec<Imported>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a spec or a list of specs")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<Imported>, A::Error> {
            let spec = Object::<Spec>::at(self.0).visit_map(map)?;
            Ok(vec![imported::<A::Error>(spec, self.0)?])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Imported>, A::Error> {
            let mut all = Vec::new();
            loop {
                let one = self.0.within(format!("[{}]", all.len() + 1), || {
                    let spec = list.next_element_seed(Object::<Spec>::at(self.0))?;
                    spec.map(|spec| imported::<A::Error>(spec, self.0)).transpose()
                });
                match one? {
                    None => return Ok(all),
                    Some(_) if all.len() == limit::SPECS_IN_FILE => {
                        return Err(self.0.mistake(format!(
                            "there are more than {} specs; put them into several files",
                            limit::SPECS_IN_FILE
                        )));
                    }
                    Some(one) => all.push(one),
                }
            }
        }
    }

    fn imported<E: serde::de::Error>(spec: Spec, place: &Place) -> Result<Imported, E> {
        let Some(title) = spec.title else {
            return Err(place.mistake(format!("`title` is missing; give 1 to {} characters", limit::TITLE_CHARS)));
        };
        let spec = SpecFile { title, criteria: spec.criteria.unwrap_or_default(), ..spec.rest };
        Ok(Imported { spec, notes: place.notes.take() })
    }

    check_size(text)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let place = Place::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = deserializer.deserialize_any(Specs(&place)).and_then(|specs| deserializer.end().map(|()| specs));
    read.map_err(|error: serde_json::Error| {
        let message = error.to_string();
        place.error(
            error.line() as u64,
            message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message),
        )
    })
}

/// A file that is too large isn't read at all.
pub(super) fn check_size(text: &str) -> Result<(), FileError> {
    let (found, limit) = (text.len(), limit::SPEC_FILE_BYTES);
    let message = format!("the file has {found} bytes; {limit} are allowed");
    if found > limit { Err(FileError { line: 1, field: None, message }) } else { Ok(()) }
}
