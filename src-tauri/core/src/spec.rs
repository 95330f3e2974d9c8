//! A spec: a document with acceptance criteria, a status, a lock and revisions.

use crate::id::SpecId;
use crate::limit::{self, TextError};
use crate::request::Subject;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a spec is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
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
}

/// Whether a criterion is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
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
    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unmet => "unmet",
            Self::Met => "met",
            Self::Waived => "waived",
        }
    }
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
}

/// A criterion as an agent writes it: a text, or `{text, check?}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCriterion {
    /// What must hold.
    pub text: String,
    /// The name of a trusted check.
    pub check: Option<String>,
}

impl<'de> Deserialize<'de> for NewCriterion {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a criterion is a text or an object {text, check?}")]
        enum Form {
            Plain(String),
            Full { text: String, check: Option<String> },
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Plain(text) => Self { text, check: None },
            Form::Full { text, check } => Self { text, check },
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
}

impl NewSpec {
    /// Checks all of it.
    pub fn check(&self) -> Result<(), SpecError> {
        limit::check_line("title", &self.title, limit::TITLE_CHARS)?;
        limit::check_body("body", &self.body)?;
        if self.criteria.len() > limit::CRITERIA {
            return Err(SpecError::Criteria { found: self.criteria.len(), limit: limit::CRITERIA });
        }
        for (i, criterion) in self.criteria.iter().enumerate() {
            limit::check_text(&format!("criteria[{i}]"), &criterion.text, limit::CRITERION_CHARS)?;
            if let Some(check) = &criterion.check {
                limit::check_line(&format!("criteria[{i}].check"), check, limit::QUESTION_ID_CHARS)?;
            }
        }
        Ok(())
    }

    /// The criteria with their ids.
    pub fn numbered(&self) -> Vec<Criterion> {
        let number = |(i, c): (usize, &NewCriterion)| Criterion {
            id: format!("AC-{}", i + 1),
            text: c.text.clone(),
            state: CriterionState::Unmet,
            check: c.check.clone(),
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
    /// Its body and its criteria, as markdown for a person.
    pub fn to_markdown(&self) -> String {
        let mut text = self.body.trim_end().to_owned();
        if !text.is_empty() && !self.criteria.is_empty() {
            text.push_str("\n\n");
        }
        for criterion in &self.criteria {
            // One line each: what an agent wrote must not pass for another criterion.
            let line = criterion.text.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&format!("- {} ({}): {line}\n", criterion.id, criterion.state.word()));
        }
        text
    }
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
    fn limits_are_named() {
        let spec = |title: &str, body: String, n: usize| NewSpec {
            title: title.into(),
            body,
            criteria: vec![NewCriterion { text: "x".into(), check: None }; n],
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
