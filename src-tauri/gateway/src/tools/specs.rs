//! Specs: making, reading, finding, changing and deleting them. The gates are the broker's.

mod forms;

pub(super) use forms::{
    BySpec, CreateSpec, ListSpecs, Readiness, RecordEvidence, SearchSpecs, SpecList, SpecResult, UpdateSpec,
    UpdateStatus, ValidateResult,
};

use super::call::Call;
use super::gated;
use super::outcome::{Failure, Outcome};
use countersign_broker::{Acted, BrokerError, Checks, Created, Gated, Outcome as Came, SpecPage};
use countersign_core::id::SpecId;
use countersign_core::language::Language;
use countersign_core::limit;
use countersign_core::spec::{NewCriterion, NewSpec, Spec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edit;
use serde_json::{Map, Value, json};

/// Specs of a page, when it is not said.
const PAGE: u64 = 50;
/// Specs that a search finds, when it is not said.
const FOUND: u64 = 20;
/// What `status` takes.
const STATUSES: &str = "draft, review, approved, implementing, done or archived";

pub(super) async fn create_spec(call: Call) -> Result<Outcome, Failure> {
    let criteria: Option<Vec<NewCriterion>> =
        call.arguments.parsed("criteria", "a list of texts or objects {text, check?}")?;
    let criteria = criteria.unwrap_or_default().into_iter().map(|new| NewCriterion { id: None, ..new }).collect();
    let spec = NewSpec {
        title: call.arguments.text("title")?,
        body: call.arguments.parsed("body", "a text")?.unwrap_or_default(),
        criteria,
    };
    spec.check()?;
    let gated = call.broker.create_spec(&call.caller, spec, answers(&call)?).await?;
    Ok(finish(&call, gated, |Created { spec, existing }| {
        let said = if existing { "was there already, and nothing was created" } else { "is created, as a draft" };
        let mut value = json!(spec);
        value["outcome"] = json!(if existing { "existing" } else { "created" });
        Outcome::said(format!("{} {said}.", spec.id), value)
    }))
}

pub(super) async fn get_spec(call: Call) -> Result<Outcome, Failure> {
    let gated = call.broker.get_spec(&call.caller, &term(&call)?, answers(&call)?).await?;
    Ok(finish(&call, gated, |spec| Outcome::value(json!(spec))))
}

pub(super) async fn list_specs(call: Call) -> Result<Outcome, Failure> {
    let (limit, note) = limit_of(&call, PAGE);
    let after: Option<String> = call.arguments.parsed("after", "an id such as SPEC-050")?;
    let after = after.map(|text| SpecId::parse(&text).ok_or(Failure::NoId { field: "after" })).transpose()?;
    let status: Option<Status> = call.arguments.parsed("status", STATUSES)?;
    // One more than is shown says whether there are more.
    let page = SpecPage { status, after, newest_first: false, limit: limit + 1 };
    let mut specs = call.broker.list_specs(call.caller.workspace, page)?;
    let more = specs.len() > limit as usize;
    specs.truncate(limit as usize);
    let mut value = json!({"specs": specs});
    if let Some(last) = specs.last().filter(|_| more) {
        value["next"] = json!(last.id);
    }
    Ok(Outcome::value(value).noted(note.into_iter().collect()))
}

pub(super) async fn search_specs(call: Call) -> Result<Outcome, Failure> {
    let (limit, note) = limit_of(&call, FOUND);
    let specs = call.broker.search_specs(call.caller.workspace, &call.arguments.text("query")?, limit)?;
    Ok(Outcome::value(json!({"specs": specs})).noted(note.into_iter().collect()))
}

pub(super) async fn check_readiness(call: Call) -> Result<Outcome, Failure> {
    let gated = match call.broker.get_spec(&call.caller, &term(&call)?, answers(&call)?).await? {
        // A thousand long criteria take a while, and the port has one thread.
        Gated::Done { value, took } => {
            let looked = tokio::task::spawn_blocking(move || readiness(&value)).await;
            Gated::Done { value: looked.map_err(|_| BrokerError::Stopped)?, took }
        }
        Gated::Asks { questions, request, note, relays } => Gated::Asks { questions, request, note, relays },
    };
    Ok(finish(&call, gated, |outcome| outcome))
}

fn readiness(spec: &Spec) -> Outcome {
    let verdicts = spec.readiness();
    let passing = verdicts.iter().filter(|verdict| verdict.fit).count();
    let criteria: Vec<Value> = spec
        .criteria
        .iter()
        .zip(&verdicts)
        .map(|(criterion, verdict)| {
            let findings: Vec<Value> = verdict
                .findings
                .iter()
                .map(|finding| json!({"rule": finding.rule.word(), "message": finding.message(Language::English)}))
                .collect();
            json!({"id": criterion.id, "text": criterion.text, "fit": verdict.fit, "findings": findings})
        })
        .collect();
    let said = format!("{passing} of {} criteria of {} are fit to build against.", verdicts.len(), spec.row.id);
    let total = verdicts.len();
    Outcome::said(said, json!({"id": spec.row.id, "passing": passing, "total": total, "criteria": criteria}))
}

pub(super) async fn update_spec(call: Call) -> Result<Outcome, Failure> {
    let edit = Edit {
        title: call.arguments.parsed("title", "a text")?,
        body: call.arguments.parsed("body", "a text")?,
        criteria: call.arguments.parsed("criteria", "a list of texts or objects {id?, text, check?}")?,
        base_revision: call.arguments.parsed("base_revision", "the number of the revision that you read")?,
    };
    act(call, SpecAct::Edit(edit)).await
}

pub(super) async fn update_status(call: Call) -> Result<Outcome, Failure> {
    let status: Status = call.arguments.needed("status", STATUSES)?;
    act(call, SpecAct::Move(status)).await
}

pub(super) async fn lock_spec(call: Call) -> Result<Outcome, Failure> {
    act(call, SpecAct::Lock).await
}

pub(super) async fn unlock_spec(call: Call) -> Result<Outcome, Failure> {
    act(call, SpecAct::Unlock).await
}

pub(super) async fn record_evidence(call: Call) -> Result<Outcome, Failure> {
    let evidence = SpecAct::Evidence {
        criterion: call.arguments.text("criterion")?,
        met: call.arguments.needed("met", "true or false")?,
        text: call.arguments.text("evidence")?,
    };
    act(call, evidence).await
}

pub(super) async fn validate(call: Call) -> Result<Outcome, Failure> {
    act(call, SpecAct::Validate).await
}

pub(super) async fn delete_spec(call: Call) -> Result<Outcome, Failure> {
    act(call, SpecAct::Delete).await
}

async fn act(call: Call, act: SpecAct) -> Result<Outcome, Failure> {
    act.check()?;
    let with_criteria = matches!(act, SpecAct::Evidence { .. } | SpecAct::Validate | SpecAct::Edit(_));
    let gated = call.broker.act_on_spec(&call.caller, &term(&call)?, act, answers(&call)?).await?;
    let nobody = matches!(&gated, Gated::Done { took, .. } if !took.is_empty());
    Ok(finish(&call, gated, |acted| came_of(&acted, with_criteria, nobody)))
}

/// The spec in short after an act; whole it is read with `get_spec`.
fn came_of(acted: &Acted, with_criteria: bool, nobody: bool) -> Outcome {
    let mut value = match &acted.spec {
        Some(spec) => json!(spec.row),
        None => json!({"id": acted.id}),
    };
    value["outcome"] = json!(acted.outcome.word());
    if let Some(spec) = acted.spec.as_deref().filter(|_| with_criteria && acted.outcome != Came::Refused) {
        let criteria = spec.criteria.iter().map(|c| json!({"id": c.id, "state": c.state.word(), "text": c.text}));
        value["criteria"] = Value::Array(criteria.collect());
        if acted.outcome == Came::Validated {
            value["all_met"] = json!(spec.is_met());
        }
    }
    if let Some(checks) = &acted.checks {
        let notes = checks_of(checks, &mut value);
        return Outcome::said(sentence(acted, nobody), value).noted(acted.notes.iter().cloned().chain(notes).collect());
    }
    Outcome::said(sentence(acted, nobody), value).noted(acted.notes.clone())
}

/// The runs that a validation started, and what stands in the way of others.
fn checks_of(checks: &Checks, value: &mut Value) -> Vec<String> {
    let runs = checks.runs.iter().map(|run| json!({"run_id": run.id, "check": run.name, "state": run.state.word()}));
    value["runs"] = Value::Array(runs.collect());
    let mut notes = Vec::new();
    if let Some(first) = checks.runs.first() {
        value["run_id"] = json!(first.id);
        notes.push("Its checks run now; get_run tells how they go, and the next validate how they went".to_owned());
    }
    if !checks.unknown.is_empty() {
        notes
            .push(format!("countersign.toml has no check {}, so what names it stays unmet", checks.unknown.join(", ")));
    }
    if let Some(request) = &checks.untrusted {
        value["untrusted"] = request.reference();
        notes.push(format!(
            "Its checks did not run: the person has to trust the commands of countersign.toml first, and is asked in Countersign; wait with wait_for_answer, request_id \"{}\", then call validate again",
            request.id
        ));
    }
    notes.extend(checks.problem.iter().map(|problem| format!("Its checks did not run: {problem}")));
    notes
}

fn sentence(acted: &Acted, nobody: bool) -> String {
    let id = acted.id;
    let status = acted.spec.as_ref().map_or("gone", |spec| spec.row.status.word());
    match acted.outcome {
        Came::Updated => format!("{id} is changed; it is {status} now."),
        Came::Unchanged => format!("{id} was so already; nothing was changed."),
        Came::Locked => format!("{id} is locked."),
        Came::Unlocked => format!("{id} is not locked any more."),
        Came::Recorded => format!("What you said of it is kept with {id}."),
        Came::Deleted => format!("{id} is deleted."),
        Came::Refused if nobody => {
            format!(
                "{id} was not changed: nobody is asked in autonomous mode, and the default is no. Go on without it."
            )
        }
        Came::Refused => format!(
            "The person said no: {id} was not changed. Don't try it another way; go on without it, or ask what they want instead."
        ),
        Came::Validated => {
            let unmet: Vec<&str> = acted.spec.iter().flat_map(|spec| spec.unmet()).map(|c| c.id.as_str()).collect();
            match acted.spec.as_ref().map(|spec| spec.criteria.len()) {
                Some(0) => format!("{id} has no criteria, which counts as unmet."),
                _ if unmet.is_empty() => format!("All criteria of {id} are met."),
                _ => format!("Unmet in {id}: {}.", unmet.join(", ")),
            }
        }
    }
}

pub(super) fn finish<T>(call: &Call, gated: Gated<T>, outcome: impl FnOnce(T) -> Outcome) -> Outcome {
    match gated {
        Gated::Done { value, took } => taken(outcome(value), took),
        Gated::Asks { questions, request, note, relays } => {
            gated::outcome(call.tool.name, &questions, request.as_deref(), note, relays)
        }
    }
}

/// What was taken where nobody is asked is said in both forms.
pub(super) fn taken(mut outcome: Outcome, took: Map<String, Value>) -> Outcome {
    if took.is_empty() {
        return outcome;
    }
    let said: Vec<String> = took.iter().map(|(id, value)| format!("{id} = {value}")).collect();
    outcome.structured["took"] = Value::Object(took);
    outcome.noted(vec![format!("Nobody is asked in autonomous mode; taken by default: {}", said.join(", "))])
}

fn limit_of(call: &Call, default: u64) -> (u32, Option<String>) {
    let most = u64::from(limit::SPEC_PAGE);
    let (limit, note) = limit::clamp("limit", call.arguments.raw("limit"), default, 1..=most, "specs");
    (u32::try_from(limit).unwrap_or(limit::SPEC_PAGE), note)
}

pub(super) fn term(call: &Call) -> Result<String, Failure> {
    Ok(call.arguments.needed("spec", "an id such as SPEC-001, or words of the title")?)
}

pub(super) fn answers(call: &Call) -> Result<Map<String, Value>, Failure> {
    let takes = "an object of answers by question id, such as {\"choose-spec\": \"SPEC-001 Title\"}";
    Ok(call.arguments.parsed("answers", takes)?.unwrap_or_default())
}
