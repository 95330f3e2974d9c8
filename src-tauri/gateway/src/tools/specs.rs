//! Specs: making, reading, listing and deleting them. The gates are the broker's.

use super::call::Call;
use super::gated;
use super::outcome::{Failure, Outcome};
use countersign_broker::{Created, Deleted, Gated};
use countersign_core::spec::{NewCriterion, NewSpec};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads criteria")]
pub(super) enum CriterionForm {
    /// The text alone.
    Text(String),
    /// With the name of a check.
    Full {
        /// What must hold, so that anybody can tell whether it does.
        text: String,
        /// The name of a trusted check of the workspace that tells.
        check: Option<String>,
    },
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct CreateSpec {
    /// One line, up to 200 characters.
    title: String,
    /// The spec (markdown).
    body: Option<String>,
    /// What must hold in the end.
    criteria: Option<Vec<CriterionForm>>,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct BySpec {
    /// An id such as SPEC-001, or words of the title.
    spec: String,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct Nothing {
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// Either a spec, or what must be answered first.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct SpecResult {
    id: Option<String>,
    title: Option<String>,
    status: Option<String>,
    revision: Option<u32>,
    locked: Option<bool>,
    body: Option<String>,
    criteria: Option<Vec<Map<String, Value>>>,
    /// What came of it: created, existing, deleted or refused.
    outcome: Option<String>,
    /// What a person has to answer first.
    interactive_questions: Option<Vec<Map<String, Value>>>,
    /// The request that stands in the person's inbox for it.
    request: Option<super::asking::RequestForm>,
    /// What else to know.
    note: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct SpecList {
    specs: Vec<Map<String, Value>>,
}

pub(super) async fn create_spec(call: Call) -> Result<Outcome, Failure> {
    let criteria: Option<Vec<NewCriterion>> =
        call.arguments.parsed("criteria", "a list of texts or objects {text, check?}")?;
    let spec = NewSpec {
        title: call.arguments.text("title")?,
        body: call.arguments.parsed("body", "a text")?.unwrap_or_default(),
        criteria: criteria.unwrap_or_default(),
    };
    spec.check()?;
    let gated = call.broker.create_spec(&call.caller, spec, answers(&call)?).await?;
    Ok(finish(&call, gated, |Created { spec, existing }| {
        let mut value = json!(spec);
        value["outcome"] = json!(if existing { "existing" } else { "created" });
        value
    }))
}

pub(super) async fn get_spec(call: Call) -> Result<Outcome, Failure> {
    let gated = call.broker.get_spec(&call.caller, &term(&call)?, answers(&call)?).await?;
    Ok(finish(&call, gated, |spec| json!(spec)))
}

pub(super) async fn list_specs(call: Call) -> Result<Outcome, Failure> {
    let specs = call.broker.list_specs(&call.caller).await?;
    Ok(Outcome::value(json!({"specs": specs})))
}

pub(super) async fn delete_spec(call: Call) -> Result<Outcome, Failure> {
    let gated = call.broker.delete_spec(&call.caller, &term(&call)?, answers(&call)?).await?;
    Ok(finish(&call, gated, |deleted| match deleted {
        Deleted::Deleted(id) => json!({"outcome": "deleted", "id": id}),
        Deleted::Refused(id) => json!({"outcome": "refused", "id": id}),
    }))
}

fn finish<T>(call: &Call, gated: Gated<T>, value: impl FnOnce(T) -> Value) -> Outcome {
    match gated {
        Gated::Done(done) => Outcome::value(value(done)),
        Gated::Asks { questions, request, note } => {
            gated::outcome(call.tool.name, &questions, request.as_deref(), note)
        }
    }
}

fn term(call: &Call) -> Result<String, Failure> {
    Ok(call.arguments.needed("spec", "an id such as SPEC-001, or words of the title")?)
}

fn answers(call: &Call) -> Result<Map<String, Value>, Failure> {
    let takes = "an object of answers by question id, such as {\"choose-spec\": \"SPEC-001 Title\"}";
    Ok(call.arguments.parsed("answers", takes)?.unwrap_or_default())
}
