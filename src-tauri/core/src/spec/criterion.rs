//! One acceptance criterion: its text, whether it is met, and whose word that is.

use super::SpecError;
use crate::id::AgentId;
use crate::limit;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

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

/// The highest number of a criterion that is taken over from elsewhere.
const CRITERION_NUMBER: u32 = 1_000_000;

/// The number of an id such as `AC-3`.
pub(crate) fn criterion_number(id: &str) -> Option<u32> {
    let number: u32 = id.strip_prefix("AC-")?.parse().ok()?;
    (format!("AC-{number}") == id && (1..=CRITERION_NUMBER).contains(&number)).then_some(number)
}

/// The number after those of all these criteria.
pub fn next_criterion(criteria: &[Criterion]) -> u32 {
    criteria.iter().filter_map(|criterion| criterion_number(&criterion.id)).max().map_or(1, |most| most + 1)
}
