//! Deploying, and following or ending what runs. Trust and the gate are the broker's; starting processes is the host's.

use super::call::Call;
use super::outcome::{Failure, Outcome};
use super::specs::{answers, finish, term};
use countersign_broker::{Deployed, RunView};
use countersign_core::id::RunId;
use countersign_core::limit;
use countersign_core::output;
use countersign_core::request::{Request, State};
use countersign_core::run::{Run, RunKind, RunState};
use countersign_core::time::Timestamp;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use std::time::Duration;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct DeploySpec {
    /// An id such as SPEC-001, or words of the title.
    #[schemars(length(min = 1, max = 200))]
    spec: String,
    /// The name of a deploy target of the workspace's countersign.toml, such as staging.
    #[schemars(length(min = 1, max = 64))]
    environment: String,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct GetRun {
    /// The `run_id` of an earlier result.
    run_id: String,
    /// Seconds to wait for its end, 0 to 50; 0 when absent.
    #[schemars(with = "Option<f64>", range(min = 0, max = 50))]
    wait_seconds: Option<Value>,
    /// Whether to return all of its output that is kept (up to 1 MiB) instead of the last 16 KiB.
    whole: Option<bool>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct CancelRun {
    /// The `run_id` of an earlier result.
    run_id: String,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// A deployment that was started, or what must happen first.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct DeployResult {
    /// What came of it: started, untrusted or refused.
    outcome: Option<String>,
    /// Pass it to `get_run`.
    #[serde(rename = "run_id")]
    run_id: Option<String>,
    /// Where it is deployed to: not always what was asked for.
    environment: Option<String>,
    /// The spec's id.
    id: Option<String>,
    /// How the run stands.
    state: Option<RunStateForm>,
    /// What a person has to answer first.
    interactive_questions: Option<Vec<Map<String, Value>>>,
    /// The request that stands in the person's inbox for it.
    request: Option<super::asking::RequestForm>,
    /// The defaults that were taken where nobody is asked.
    took: Option<Map<String, Value>>,
    /// What else to know.
    note: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used; core has the states")]
pub(super) enum RunStateForm {
    Queued,
    Running,
    Passed,
    Failed,
    TimedOut,
    Cancelled,
    Interrupted,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the kinds")]
pub(super) enum RunKindForm {
    Check,
    Deploy,
}

/// A run as it stands.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are written by name")]
pub(super) struct RunResult {
    run_id: String,
    kind: RunKindForm,
    /// The check's name, or the environment's.
    name: String,
    /// The spec's id.
    spec: String,
    revision: u32,
    state: RunStateForm,
    /// The code that its command exited with.
    exit_code: Option<i32>,
    /// What else is to be said of how it ended.
    reason: Option<String>,
    cancelled_by: Option<String>,
    /// What it printed, both streams in order: its end, or with `whole` all that is kept.
    output: Option<String>,
    /// How many bytes it printed in all.
    output_bytes: Option<u64>,
    /// How many bytes of what is kept are not in `output`, before it.
    left_out_bytes: Option<u64>,
    /// Milliseconds since 1970 (UTC), as the others.
    created_at: f64,
    started_at: Option<f64>,
    ended_at: Option<f64>,
    /// What else to know.
    note: Option<String>,
}

pub(super) async fn deploy_spec(call: Call) -> Result<Outcome, Failure> {
    let environment: String = call.arguments.needed("environment", "the name of a deploy target, such as staging")?;
    limit::check_line("environment", &environment, limit::CHECK_NAME_CHARS)?;
    let gated = call.broker.deploy_spec(&call.caller, &term(&call)?, &environment, answers(&call)?).await?;
    Ok(finish(&call, gated, |deployed| {
        match deployed {
        Deployed::Started { run, asked, joined } => started(&run, &asked, joined),
        Deployed::Untrusted(request) => untrusted("deploy_spec", &request),
        Deployed::Refused => Outcome::said(
            "The person chose not to say where to deploy to: nothing is deployed. Don't try it another way; go on without it, or ask what they want instead.".into(),
            json!({"outcome": "refused"}),
        ),
    }
    }))
}

fn started(run: &Run, asked: &str, joined: bool) -> Outcome {
    let value = json!({
        "outcome": "started", "run_id": run.id, "environment": run.name, "id": run.spec, "state": run.state,
    });
    let how = if joined { "goes on already" } else { "is started" };
    let elsewhere = if run.name == asked {
        String::new()
    } else {
        format!(" You asked for “{asked}”; it goes to “{}” instead, and not to “{asked}”.", run.name)
    };
    let said = format!(
        "The deployment of {} to “{}” {how}.{elsewhere} Call get_run with run_id \"{}\" to see how it goes; it is not done before its state is \"passed\".",
        run.spec, run.name, run.id
    );
    Outcome::said(said, value)
}

/// What a model is told while the commands that it needs are not trusted.
pub(super) fn untrusted(tool: &str, request: &Request) -> Outcome {
    let value = json!({"outcome": "untrusted", "request": request.reference()});
    if request.state != State::Pending {
        let said = countersign_core::ending::text(request);
        return Outcome { ending: Some(request.id.clone()), ..Outcome::said(said, value) };
    }
    let said = format!(
        "Nothing runs: the commands of this workspace (countersign.toml and the files that it names) are not trusted as they are now. The \
         person is asked in Countersign, and only they decide it there. Tell them, in their language, then call wait_for_answer with \
         request_id \"{}\", and once it is answered call {tool} again with the same arguments. Don't change those files meanwhile: each \
         change is asked about anew.",
        request.id
    );
    Outcome::said(said, value)
}

pub(super) async fn get_run(call: Call) -> Result<Outcome, Failure> {
    let id = RunId(call.arguments.text("run_id")?);
    let whole: bool = call.arguments.parsed("whole", "true or false")?.unwrap_or(false);
    let range = 0..=limit::RUN_WAIT_SECONDS;
    let (seconds, note) = limit::clamp_seconds("wait_seconds", call.arguments.raw("wait_seconds"), 0, range);
    let mut view = call.broker.run_of(&call.caller, &id)?;
    if seconds > 0 && !view.run.state.is_over() {
        let over = call.broker.wait_run(&id, Duration::from_secs(seconds));
        call.hold_until(over).await?;
        view = call.broker.run_of(&call.caller, &id)?;
    }
    Ok(shown(&view, whole).noted(note.into_iter().collect()))
}

pub(super) async fn cancel_run(call: Call) -> Result<Outcome, Failure> {
    let id = RunId(call.arguments.text("run_id")?);
    let run = call.broker.cancel_run(&call.caller, &id).await?;
    let said =
        if run.state.is_over() { run.sentence() } else { format!("{} Call get_run to see it end.", run.sentence()) };
    Ok(Outcome::said(said, value_of(&run)))
}

fn value_of(run: &Run) -> Value {
    let mut value = json!({
        "run_id": run.id, "kind": run.kind, "name": run.name, "spec": run.spec, "revision": run.revision,
        "state": run.state, "created_at": run.created_at,
    });
    let at = |at: Option<Timestamp>| at.map(|at| json!(at));
    for (name, part) in [
        ("exit_code", run.exit_code.map(|code| json!(code))),
        ("reason", run.reason.as_ref().map(|reason| json!(reason))),
        ("cancelled_by", run.cancelled_by.as_ref().map(|by| json!(by))),
        ("started_at", at(run.started_at)),
        ("ended_at", at(run.ended_at)),
    ] {
        if let Some(part) = part {
            value[name] = part;
        }
    }
    value
}

fn shown(view: &RunView, whole: bool) -> Outcome {
    let run = &view.run;
    let mut value = value_of(run);
    let mut said = run.sentence();
    match &view.output {
        Some(printed) => {
            let most = if whole { printed.bytes.len() } else { limit::RUN_TAIL_BYTES };
            let (tail, left_out) = output::tail(&printed.bytes, most);
            let text = output::shown(tail);
            let part = if left_out == 0 { "Its output" } else { "The end of its output (`whole` returns more)" };
            if !text.is_empty() {
                said = format!("{said}\n{part}:\n{text}");
            }
            value["output"] = json!(text);
            value["output_bytes"] = json!(printed.total);
            value["left_out_bytes"] = json!(left_out);
        }
        None if run.started_at.is_some() && run.state.is_over() => said.push_str(" Its output is not kept any more."),
        None => {}
    }
    if !run.state.is_over() {
        said.push_str(
            "\nIt is not over: call get_run again with `wait_seconds`, or go on with what doesn't depend on it.",
        );
    } else if run.kind == RunKind::Deploy && run.state == RunState::Interrupted {
        said.push_str("\nSomebody has to look at the environment before it is deployed again: say so in your reply.");
    }
    // Not with the value as text besides: what was printed would be there twice.
    Outcome { structured: value, text: said, ending: None }
}
