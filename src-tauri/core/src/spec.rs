//! A spec: a document with acceptance criteria, a status, a lock and revisions.

mod criterion;
mod status;

pub(crate) use criterion::check_criteria;
pub use criterion::{By, Criterion, CriterionState, Evidence, NewCriterion, next_criterion};
pub use status::Status;

use crate::id::SpecId;
use crate::limit::{self, TextError};
use crate::readiness::{self, Verdict};
use crate::request::Subject;
use crate::time::Timestamp;
use criterion::criterion_number;
use serde::Serialize;
use status::words;
use std::collections::HashSet;

/// A spec to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSpec {
    /// One line.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// What must hold, in order.
    pub criteria: Vec<NewCriterion>,
}

/// Why a spec is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// One of its texts.
    #[error("{0}")]
    Text(#[from] TextError),
    /// Too many criteria.
    #[error("`criteria` has {found} entries; {limit} are allowed")]
    Criteria {
        /// Entries found.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// No legal move.
    #[error("a spec in {} can't go to {}; it can go to {}", from.word(), to.word(), words(from.moves()))]
    Move {
        /// Where it is.
        from: Status,
        /// Where it was to go.
        to: Status,
    },
    /// A criterion that is not there.
    #[error("there is no criterion `{id}` in this spec; it has {known}")]
    NoCriterion {
        /// What was named.
        id: String,
        /// Those that there are.
        known: String,
    },
    /// One criterion named twice.
    #[error("`criteria` names {id} twice; each id once")]
    Twice {
        /// Its id.
        id: String,
    },
    /// It changed since it was read.
    #[error(
        "this spec is at revision {now}, and `base_revision` is {base}: it changed since; read it with get_spec, and make the change again over what is there now"
    )]
    Conflict {
        /// The revision that was read.
        base: u32,
        /// The one that is there.
        now: u32,
    },
}

impl NewSpec {
    /// Checks all of it.
    pub fn check(&self) -> Result<(), SpecError> {
        limit::check_line("title", &self.title, limit::TITLE_CHARS)?;
        limit::check_body("body", &self.body)?;
        check_criteria(&self.criteria)
    }

    /// The criteria with their ids: the one that each brings from elsewhere, if it is `AC-` with a number and no other has it,
    /// else the next number after all of those.
    pub fn numbered(&self) -> Vec<Criterion> {
        let mut brought = HashSet::new();
        let kept: Vec<Option<u32>> = self
            .criteria
            .iter()
            .map(|new| new.id.as_deref().and_then(criterion_number).filter(|number| brought.insert(*number)))
            .collect();
        let mut next = brought.iter().max().map_or(1, |most| most + 1)..;
        let number = |(new, kept): (&NewCriterion, Option<u32>)| Criterion {
            id: format!("AC-{}", kept.or_else(|| next.next()).expect("BUG: the numbers end")),
            text: new.text.clone(),
            state: CriterionState::Unmet,
            check: new.check.clone(),
            evidence: None,
        };
        self.criteria.iter().zip(kept).map(number).collect()
    }
}

/// A spec in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpecRow {
    /// `SPEC-001`.
    pub id: SpecId,
    /// One line.
    pub title: String,
    /// Where it is.
    pub status: Status,
    /// Its newest revision, from 1.
    pub revision: u32,
    /// Whether it is locked.
    pub locked: bool,
    /// Criteria that are met or waived.
    pub met: u32,
    /// All its criteria.
    pub total: u32,
}

impl SpecRow {
    /// What a gate's decision is bound to.
    pub fn subject(&self) -> Subject {
        Subject { spec: self.id, revision: self.revision, status: self.status.word().to_owned(), trust: None }
    }

    /// How `choose-spec` names it.
    pub fn label(&self) -> String {
        format!("{} {}", self.id, self.title)
    }
}

/// A whole spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spec {
    /// Its row.
    #[serde(flatten)]
    pub row: SpecRow,
    /// Markdown.
    pub body: String,
    /// What must hold.
    pub criteria: Vec<Criterion>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Spec {
    /// The criterion of that id, case aside.
    pub fn criterion(&self, id: &str) -> Result<&Criterion, SpecError> {
        let found = self.criteria.iter().find(|criterion| criterion.id.eq_ignore_ascii_case(id.trim()));
        found.ok_or_else(|| SpecError::NoCriterion { id: id.chars().take(60).collect(), known: self.criterion_ids() })
    }

    fn criterion_ids(&self) -> String {
        let mut ids: Vec<&str> = self.criteria.iter().take(20).map(|criterion| criterion.id.as_str()).collect();
        if self.criteria.len() > ids.len() {
            ids.push("…");
        }
        if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
    }

    /// Criteria that are neither met nor waived.
    pub fn unmet(&self) -> Vec<&Criterion> {
        self.criteria.iter().filter(|criterion| !criterion.state.counts()).collect()
    }

    /// Whether all is met; a spec without criteria counts as unmet.
    pub fn is_met(&self) -> bool {
        !self.criteria.is_empty() && self.criteria.iter().all(|criterion| criterion.state.counts())
    }

    /// How fit each criterion is to build against, in order.
    pub fn readiness(&self) -> Vec<Verdict> {
        let texts: Vec<_> = self.criteria.iter().map(|c| (c.id.as_str(), c.text.as_str())).collect();
        readiness::check(&texts)
    }

    /// Its body and its criteria, as markdown for a person.
    pub fn to_markdown(&self) -> String {
        let mut text = self.body.trim_end().to_owned();
        if !text.is_empty() && !self.criteria.is_empty() {
            text.push_str("\n\n");
        }
        for criterion in &self.criteria {
            let line = one_line(&criterion.text);
            text.push_str(&format!("- {} ({}): {line}\n", criterion.id, criterion.state.word()));
        }
        text
    }
}

/// A text in one line: what an agent wrote must not pass for another entry of a list.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn criteria_come_as_texts_or_objects_and_are_numbered_in_order() {
        let criteria: Vec<NewCriterion> =
            serde_json::from_value(json!(["returns 200", {"text": "p99 under 5 ms", "check": "bench"}]))
                .expect("they parse");
        let spec = NewSpec { title: "T".into(), body: String::new(), criteria };
        assert_eq!(spec.check(), Ok(()));
        let numbered = spec.numbered();
        assert_eq!((numbered[0].id.as_str(), numbered[1].id.as_str()), ("AC-1", "AC-2"));
        assert_eq!(numbered[1].check.as_deref(), Some("bench"));
    }

    #[test]
    fn a_spec_goes_where_the_product_says_and_nowhere_else() {
        let table: Vec<_> =
            Status::ALL.iter().map(|from| format!("{} -> {}", from.word(), words(from.moves()))).collect();
        assert_eq!(
            table,
            [
                "draft -> review, approved, archived",
                "review -> draft, approved, archived",
                "approved -> review, implementing, archived",
                "implementing -> approved, done, archived",
                "done -> implementing, archived",
                "archived -> draft",
            ]
        );
        for from in Status::ALL {
            for to in Status::ALL {
                assert_eq!(from.check_move(to).is_ok(), from.moves().contains(&to));
            }
        }
        assert_eq!(
            Status::Done.check_move(Status::Draft).map_err(|error| error.to_string()),
            Err("a spec in done can't go to draft; it can go to implementing, archived".into())
        );
    }

    #[test]
    fn ids_of_criteria_are_taken_over_where_they_are_good_and_nobody_elses() {
        let with = |id: &str| NewCriterion { id: Some(id.into()), ..NewCriterion::plain("x") };
        let criteria = vec![
            with("AC-3"),
            NewCriterion::plain("x"),
            with("AC-3"),
            with("AC-01"),
            with("x"),
            with("AC-1"),
            with("AC-0"),
        ];
        let spec = NewSpec { title: "T".into(), body: String::new(), criteria };
        let numbered = spec.numbered();
        let ids: Vec<_> = numbered.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["AC-3", "AC-4", "AC-5", "AC-6", "AC-7", "AC-1", "AC-8"]);
        assert_eq!((next_criterion(&numbered), next_criterion(&[])), (9, 1));
    }

    #[test]
    fn limits_are_named() {
        let spec = |title: &str, body: String, n: usize| NewSpec {
            title: title.into(),
            body,
            criteria: vec![NewCriterion::plain("x"); n],
        };
        let says = |spec: NewSpec| spec.check().map_err(|e| e.to_string());
        assert_eq!(says(spec("T", "x".repeat(1 << 20), limit::CRITERIA)), Ok(()));
        assert_eq!(
            says(spec("T", "x".repeat((1 << 20) + 1), 0)),
            Err("`body` has 1048577 bytes; 1048576 are allowed".into())
        );
        assert_eq!(says(spec("T", String::new(), 1001)), Err("`criteria` has 1001 entries; 1000 are allowed".into()));
        assert_eq!(
            says(spec("a\0b", String::new(), 0)),
            Err("`title` contains a NUL character (U+0000); remove it".into())
        );
    }
}
