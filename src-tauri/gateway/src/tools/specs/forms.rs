//! What the spec tools take and give, as their schemas have it.

use crate::tools::asking::RequestForm;
use schemars::JsonSchema;
use serde_json::{Map, Value};

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads criteria")]
pub(crate) enum CriterionForm {
    /// The text alone.
    Text(String),
    /// With the name of a check.
    Full {
        /// What must hold, so that anybody can tell whether it does.
        #[schemars(length(min = 1, max = 5000))]
        text: String,
        /// The name of a trusted check of the workspace's countersign.toml that tells.
        #[schemars(length(min = 1, max = 64))]
        check: Option<String>,
    },
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads criteria")]
pub(crate) enum EditedForm {
    /// The text alone: the criterion with just this text, else a new one.
    Text(String),
    /// By its id.
    Full {
        /// The criterion that it is (AC-1). Leave it out for a new one.
        id: Option<String>,
        /// What must hold.
        #[schemars(length(min = 1, max = 5000))]
        text: String,
        /// The name of a trusted check of the workspace's countersign.toml that tells.
        #[schemars(length(min = 1, max = 64))]
        check: Option<String>,
    },
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the statuses")]
pub(crate) enum StatusForm {
    Draft,
    Review,
    Approved,
    Implementing,
    Done,
    Archived,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct CreateSpec {
    /// One line, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    title: String,
    /// The spec (markdown), up to 1 MiB.
    #[schemars(length(max = 1_048_576))]
    body: Option<String>,
    /// What must hold in the end, up to 1000 entries of up to 5000 characters.
    #[schemars(length(max = 1000))]
    criteria: Option<Vec<CriterionForm>>,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct BySpec {
    /// An id such as SPEC-001, or words of the title.
    #[schemars(length(min = 1, max = 200))]
    spec: String,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct ListSpecs {
    /// Only those in this status.
    status: Option<StatusForm>,
    /// Only those after this id: the `next` of the page before.
    after: Option<String>,
    /// At most so many, 1 to 200. 50 when absent.
    #[schemars(with = "Option<f64>", range(min = 1, max = 200))]
    limit: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct SearchSpecs {
    /// Words, or beginnings of words, of the title, the body or the criteria; all of them must be there.
    #[schemars(length(min = 1, max = 200))]
    query: String,
    /// At most so many, 1 to 200. 20 when absent.
    #[schemars(with = "Option<f64>", range(min = 1, max = 200))]
    limit: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct UpdateSpec {
    /// An id such as SPEC-001, or words of the title.
    #[schemars(length(min = 1, max = 200))]
    spec: String,
    /// The new title, one line.
    #[schemars(length(min = 1, max = 200))]
    title: Option<String>,
    /// The new body, whole (markdown), up to 1 MiB.
    #[schemars(length(max = 1_048_576))]
    body: Option<String>,
    /// All criteria, in order: those left out are dropped.
    #[schemars(length(max = 1000))]
    criteria: Option<Vec<EditedForm>>,
    /// The `revision` that you read; refused if the spec changed since.
    #[schemars(with = "Option<f64>")]
    base_revision: Option<u32>,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct UpdateStatus {
    /// An id such as SPEC-001, or words of the title.
    #[schemars(length(min = 1, max = 200))]
    spec: String,
    /// Where it goes.
    status: StatusForm,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(crate) struct RecordEvidence {
    /// An id such as SPEC-001, or words of the title.
    #[schemars(length(min = 1, max = 200))]
    spec: String,
    /// The criterion, such as AC-1.
    #[schemars(length(min = 1, max = 100))]
    criterion: String,
    /// Whether it is met.
    met: bool,
    /// What shows that: a test that ran, what you saw. Up to 10000 characters.
    #[schemars(length(min = 1, max = 10_000))]
    evidence: String,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// Either a spec, or what must be answered first.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(crate) struct SpecResult {
    id: Option<String>,
    title: Option<String>,
    status: Option<StatusForm>,
    revision: Option<u32>,
    locked: Option<bool>,
    /// Criteria that are met or waived.
    met: Option<u32>,
    /// All its criteria.
    total: Option<u32>,
    body: Option<String>,
    criteria: Option<Vec<Map<String, Value>>>,
    /// What came of it, such as created, existing, updated, unchanged, deleted or refused.
    outcome: Option<String>,
    /// Defaults that were taken because nobody is asked, by question id.
    took: Option<Map<String, Value>>,
    /// What a person has to answer first.
    interactive_questions: Option<Vec<Map<String, Value>>>,
    /// The request that stands in the person's inbox for it.
    request: Option<RequestForm>,
    /// What else to know.
    note: Option<String>,
}

/// What `validate` found, or what must be answered first.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(crate) struct ValidateResult {
    id: Option<String>,
    title: Option<String>,
    status: Option<StatusForm>,
    revision: Option<u32>,
    locked: Option<bool>,
    /// Criteria that are met or waived.
    met: Option<u32>,
    /// All its criteria.
    total: Option<u32>,
    /// Whether all criteria are met or waived.
    #[serde(rename = "all_met")]
    all_met: Option<bool>,
    /// Criteria by id and state.
    criteria: Option<Vec<Map<String, Value>>>,
    /// The first of the runs that began.
    #[serde(rename = "run_id")]
    run_id: Option<String>,
    /// The checks that run now: `run_id`, `check`, `state`.
    runs: Option<Vec<Map<String, Value>>>,
    /// The request in which the person is asked to trust the commands first.
    untrusted: Option<RequestForm>,
    outcome: Option<String>,
    took: Option<Map<String, Value>>,
    interactive_questions: Option<Vec<Map<String, Value>>>,
    request: Option<RequestForm>,
    note: Option<String>,
}

/// What `check_readiness` found.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(crate) struct Readiness {
    id: Option<String>,
    /// Criteria that are fit to build against.
    passing: Option<u32>,
    /// All its criteria.
    total: Option<u32>,
    /// Each with `fit`, and `findings` that name the rule.
    criteria: Option<Vec<Map<String, Value>>>,
    interactive_questions: Option<Vec<Map<String, Value>>>,
    note: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(crate) struct SpecList {
    specs: Vec<Map<String, Value>>,
    /// There are more: give this as `after`.
    next: Option<String>,
    note: Option<String>,
}
