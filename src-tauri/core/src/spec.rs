//! A spec: a document with acceptance criteria, a status, a lock and revisions.

use crate::id::{AgentId, SpecId};
use crate::limit::{self, TextError};
use crate::readiness::{self, Verdict};
use crate::request::Subject;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a spec is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Being written.
    #[default]
    Draft,
    /// Being read.
    Review,
    /// Fit to build.
    Approved,
    /// Being built.
    Implementing,
    /// Built.
    Done,
    /// Put away.
    Archived,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 6] =
        [Self::Draft, Self::Review, Self::Approved, Self::Implementing, Self::Done, Self::Archived];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Review => "review",
            Self::Approved => "approved",
            Self::Implementing => "implementing",
            Self::Done => "done",
            Self::Archived => "archived",
        }
    }

    /// The status of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Where a spec may go from here.
    pub const fn moves(self) -> &'static [Self] {
        match self {
            Self::Draft => &[Self::Review, Self::Approved, Self::Archived],
            Self::Review => &[Self::Draft, Self::Approved, Self::Archived],
            Self::Approved => &[Self::Review, Self::Implementing, Self::Archived],
            Self::Implementing => &[Self::Approved, Self::Done, Self::Archived],
            Self::Done => &[Self::Implementing, Self::Archived],
            Self::Archived => &[Self::Draft],
        }
    }

    /// Refuses what is no legal move, with those that are.
    pub fn check_move(self, to: Self) -> Result<(), SpecError> {
        if self.moves().contains(&to) { Ok(()) } else { Err(SpecError::Move { from: self, to }) }
    }

    /// Whether it was approved once: what its criteria ask for is agreed, and dropping some of it is asked about.
    pub const fn is_agreed(self) -> bool {
        match self {
            Self::Approved | Self::Implementing | Self::Done => true,
            Self::Draft | Self::Review | Self::Archived => false,
        }
    }
}

/// Whether a criterion is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CriterionState {
    /// Not yet.
    #[default]
    Unmet,
    /// Yes.
    Met,
    /// A person said that it need not be; counts as met.
    Waived,
}

impl CriterionState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Unmet, Self::Met, Self::Waived];

    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unmet => "unmet",
            Self::Met => "met",
            Self::Waived => "waived",
        }
    }

    /// The state of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Whether a spec with it may be done.
    pub const fn counts(self) -> bool {
        match self {
            Self::Met | Self::Waived => true,
            Self::Unmet => false,
        }
    }
}

/// Whose word something is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum By {
    /// An agent says so.
    Agent {
        /// Its id.
        id: AgentId,
        /// What it is called.
        name: String,
    },
    /// The person says so.
    Person,
    /// A trusted check found so.
    Check {
        /// Its name.
        name: String,
    },
}

/// What was said of a criterion last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What shows that it is met, or what is missing; for a waiver, why it need not be.
    pub text: String,
    /// Whether it says that the criterion is met.
    pub met: bool,
    /// Whose word it is.
    pub by: By,
    /// When.
    pub at: Timestamp,
}

/// One acceptance criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// `AC-1` upwards in its spec.
    pub id: String,
    /// What must hold.
    pub text: String,
    /// Whether it does.
    #[serde(default)]
    pub state: CriterionState,
    /// The name of the trusted check that tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// What was said of it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// A criterion as an agent writes it: a text, or `{text, id?, check?}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewCriterion {
    /// The one that it replaces, in an edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What must hold.
    pub text: String,
    /// The name of a trusted check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

impl NewCriterion {
    /// One that is a text alone.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { id: None, text: text.into(), check: None }
    }
}

impl<'de> Deserialize<'de> for NewCriterion {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a criterion is a text or an object {text, id?, check?}")]
        enum Form {
            Plain(String),
            Full { id: Option<String>, text: String, check: Option<String> },
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Plain(text) => Self::plain(text),
            Form::Full { id, text, check } => Self { id, text, check },
        })
    }
}

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

fn words(statuses: &[Status]) -> String {
    statuses.iter().map(|status| status.word()).collect::<Vec<_>>().join(", ")
}

/// Checks the criteria of a new spec or an edit.
pub(crate) fn check_criteria(criteria: &[NewCriterion]) -> Result<(), SpecError> {
    if criteria.len() > limit::CRITERIA {
        return Err(SpecError::Criteria { found: criteria.len(), limit: limit::CRITERIA });
    }
    for (i, criterion) in criteria.iter().enumerate() {
        limit::check_text(&format!("criteria[{i}].text"), &criterion.text, limit::CRITERION_CHARS)?;
        if let Some(check) = &criterion.check {
            limit::check_line(&format!("criteria[{i}].check"), check, limit::CHECK_NAME_CHARS)?;
        }
        if let Some(id) = &criterion.id {
            limit::check_line(&format!("criteria[{i}].id"), id, limit::QUESTION_ID_CHARS)?;
        }
    }
    Ok(())
}

impl NewSpec {
    /// Checks all of it.
    pub fn check(&self) -> Result<(), SpecError> {
        limit::check_line("title", &self.title, limit::TITLE_CHARS)?;
        limit::check_body("body", &self.body)?;
        check_criteria(&self.criteria)
    }

    /// The criteria with their ids.
    pub fn numbered(&self) -> Vec<Criterion> {
        let number = |(i, c): (usize, &NewCriterion)| Criterion {
            id: format!("AC-{}", i + 1),
            text: c.text.clone(),
            state: CriterionState::Unmet,
            check: c.check.clone(),
            evidence: None,
        };
        self.criteria.iter().enumerate().map(number).collect()
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
