//! What is to be known of a plan besides its text: its revision, what changed, where running it leads, the ones before it.

use super::text;
use countersign_core::mode::Mode;
use serde_json::Value;

/// A plan that ended before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// Its revision.
    pub revision: u64,
    /// What it was called.
    pub title: String,
    /// What became of it, in one word.
    pub outcome: String,
    /// What the person said, and remarked on single lines.
    pub said: Vec<String>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSeen {
    /// Its revision, from 1.
    pub revision: u64,
    /// What changed since the revision before, as a unified diff; none for the first.
    pub changes: Option<String>,
    /// The modes that running it may lead to; none where it switches nothing.
    pub modes: Vec<Mode>,
    /// Where it leads unless the person picks another.
    pub run_mode: Mode,
    /// The plans before it, the newest first.
    pub previous: Vec<Past>,
}

impl PlanSeen {
    /// As `show` says it; none where it is no plan.
    pub fn read(said: &Value) -> Option<Self> {
        let mode = |value: &Value| value.as_str().and_then(Mode::from_word);
        let remark =
            |remark: &Value| format!("{}: “{}” {}", remark["line"], text(&remark["quote"]), text(&remark["text"]));
        let past = |past: &Value| {
            let comment = past["comment"].as_str().map(str::to_owned);
            let remarks = past["remarks"].as_array().into_iter().flatten().map(remark);
            Past {
                revision: past["revision"].as_u64().unwrap_or_default(),
                title: text(&past["title"]),
                outcome: text(&past["outcome"]),
                said: comment.into_iter().chain(remarks).collect(),
            }
        };
        said.is_object().then(|| Self {
            revision: said["revision"].as_u64().unwrap_or(1),
            changes: said["changes"].as_str().map(str::to_owned),
            modes: said["modes"].as_array().into_iter().flatten().filter_map(mode).collect(),
            run_mode: mode(&said["run_mode"]).unwrap_or_default(),
            previous: said["previous"].as_array().into_iter().flatten().map(past).collect(),
        })
    }
}
