//! `/v1/requests`: what a program asks through the client library. Asking, waiting, looking and taking back; and, where the
//! program's own port was faster than the inbox, saying what was answered there, which gives it nothing here.

use crate::body;
use crate::delivery::Slip;
use crate::front::problem;
use crate::reply::{self, Body, Problem};
use crate::session_key;
use crate::tools::Desk;
use crate::visitor::Visitor;
use bytes::Bytes;
use countersign_broker::{BrokerError, Caller};
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::program_ask::{self, Kind, Prompt, Wish};
use countersign_core::question::Choice;
use countersign_core::request::{OnExpiry, Request, State};
use countersign_core::scope::Scope;
use countersign_core::time::Millis;
use countersign_core::{ending, mode};
use http::request::Parts;
use http::{Response, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// The body of `POST /v1/requests`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    kind: Kind,
    title: String,
    #[serde(default)]
    lines: Vec<String>,
    question: Option<String>,
    markdown: Option<String>,
    #[serde(default)]
    options: Vec<Choice>,
    #[serde(default)]
    multiple: bool,
    run_folder: Option<String>,
    workspace: Option<String>,
    expires_in_seconds: Option<Value>,
    #[serde(default)]
    on_expiry: OnExpiry,
    hold_seconds: Option<Value>,
}

/// The body of `POST /v1/requests/{id}/cancel`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Withdrawal {
    answers: Option<Map<String, Value>>,
    comment: Option<String>,
}

/// `POST /v1/requests`: asks, or joins the same ask; holds for the answer where that is wished.
pub(crate) async fn ask(
    desk: &Desk,
    visitor: &Visitor,
    parts: Parts,
    bytes: Bytes,
    slip: &Slip,
) -> Result<Response<Body>, Problem> {
    let mut object = body::object(&bytes)?;
    let session = session_key::of(&parts.headers, object.get("_meta").and_then(Value::as_object));
    object.remove("_meta");
    drop((parts, bytes));
    let mut arguments = object.clone();
    let given: Given = serde_json::from_value(Value::Object(object)).map_err(|error| invalid(error.to_string()))?;
    for field in ["hold_seconds", "run_folder", "workspace"] {
        arguments.remove(field);
    }
    let mut notes = Vec::new();
    let expires_in = given.expires_in_seconds.as_ref().filter(|given| !given.is_null()).map(|seconds| {
        let most = *limit::EXPIRES_SECONDS.end();
        let (seconds, note) = limit::clamp_seconds("expires_in_seconds", Some(seconds), most, limit::EXPIRES_SECONDS);
        notes.extend(note);
        Millis::seconds(seconds)
    });
    if given.kind != Kind::Choice && (!given.options.is_empty() || given.multiple) {
        return Err(invalid("`options` and `multiple` are only for the kind \"choice\"; leave them out"));
    }
    let prompt = Prompt { title: given.title, lines: given.lines, question: given.question, markdown: given.markdown };
    let wish = Wish { options: given.options, multiple: given.multiple, expires_in, on_expiry: given.on_expiry };
    let ask = program_ask::ask(given.kind, &prompt, wish, Value::Object(arguments))
        .map_err(|error| invalid(error.to_string()))?;
    visitor.agent.scopes.check(Some(Scope::Ask)).map_err(|error| problem(error.into()))?;
    desk.rates.take(&visitor.agent.id, Instant::now()).map_err(|seconds| {
        Problem::too_many("Too many requests, one after the other; what was asked before still stands.", seconds)
    })?;
    let entered = visitor.enter(&desk.broker, session.as_deref(), given.workspace.as_deref()).await;
    let mut caller = entered.map_err(problem)?;
    mode::Deed::Asks.check(given.kind.tool(), caller.mode).map_err(|unfit| problem(unfit.into()))?;
    caller.run_folder = visitor.run_folder(&desk.broker, given.run_folder.as_deref()).map_err(problem)?;
    let most = caller.hold_seconds;
    let (seconds, note) = limit::clamp_seconds("hold_seconds", given.hold_seconds.as_ref(), most, 0..=most);
    notes.extend(note);
    let asked = desk.broker.ask(&caller, ask).await.map_err(problem)?;
    let request = match asked.request.state {
        State::Pending if seconds > 0 => hold(desk, &caller, &asked.request.id, seconds, slip).await?,
        _ => asked.request,
    };
    Ok(said(&request, asked.repeated, notes, slip))
}

/// `GET /v1/requests/{id}?wait=N`: how one stands, now or once it ended.
pub(crate) async fn look(
    desk: &Desk,
    visitor: &Visitor,
    parts: Parts,
    id: &str,
    slip: &Slip,
) -> Result<Response<Body>, Problem> {
    let caller = enter(desk, visitor, &parts).await?;
    let id = RequestId(id.to_owned());
    let wait = parts.uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("wait=")));
    let request = match wait.map(|seconds| json!(seconds)).filter(|seconds| seconds != "0") {
        None => desk.broker.get(&caller, &id).await.map_err(problem)?,
        Some(seconds) => {
            // No shorter than a slice, so that whoever waits makes at most three calls a minute.
            let most = caller.hold_seconds.max(limit::WAIT_SECONDS_MIN);
            let range = limit::WAIT_SECONDS_MIN..=most;
            let (seconds, _) = limit::clamp_seconds("wait", Some(&seconds), most, range);
            hold(desk, &caller, &id, seconds, slip).await?
        }
    };
    Ok(said(&request, false, Vec::new(), slip))
}

/// `POST /v1/requests/{id}/cancel`: takes it back, or says what the program's own port was answered. One that ended stays as it
/// ended, and is returned like that.
pub(crate) async fn withdraw(
    desk: &Desk,
    visitor: &Visitor,
    parts: Parts,
    bytes: Bytes,
    id: &str,
    slip: &Slip,
) -> Result<Response<Body>, Problem> {
    let given: Withdrawal = if bytes.is_empty() {
        Withdrawal::default()
    } else {
        serde_json::from_value(Value::Object(body::object(&bytes)?)).map_err(|error| invalid(error.to_string()))?
    };
    let caller = enter(desk, visitor, &parts).await?;
    let id = RequestId(id.to_owned());
    let ended = match given.answers {
        Some(answers) => desk.broker.answer_in_program(&caller, &id, answers, given.comment).await,
        None => desk.broker.cancel(&caller, &id).await,
    };
    let request = ended.map_err(problem)?;
    Ok(said(&request, false, Vec::new(), slip))
}

/// The session of a call about an earlier request: in the token's own folder where it may no longer work in the other.
async fn enter(desk: &Desk, visitor: &Visitor, parts: &Parts) -> Result<Caller, Problem> {
    let session = session_key::of(&parts.headers, None);
    match visitor.enter(&desk.broker, session.as_deref(), None).await {
        Err(BrokerError::OutOfScope(_)) => visitor.enter_own(&desk.broker, session.as_deref()).await.map_err(problem),
        entered => entered.map_err(problem),
    }
}

/// Holds until it ended, the time is up, the client is gone or the app stops; with an error once the token is no more.
async fn hold(desk: &Desk, caller: &Caller, id: &RequestId, seconds: u64, slip: &Slip) -> Result<Request, Problem> {
    let lease = slip.lease();
    let request = tokio::select! {
        biased;
        () = lease.cancelled() => {
            let message = "This agent's token was revoked or replaced while the call waited; nobody decided.";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", message));
        }
        request = desk.broker.wait(caller, id, Duration::from_secs(seconds)) => request,
        () = desk.stop.cancelled() => desk.broker.get(caller, id).await,
        () = slip.gone().cancelled() => desk.broker.get(caller, id).await,
    };
    request.map_err(problem)
}

/// `{state, request, message, …}`, with what was answered in the words of the call.
fn said(request: &Request, repeated: bool, notes: Vec<String>, slip: &Slip) -> Response<Body> {
    if request.state != State::Pending {
        slip.carries(request.id.clone());
    }
    let mut value = ending::structured(request, repeated);
    let decision = request.decision.as_ref().filter(|_| request.state == State::Answered);
    if let (Some(kind), Some(decision)) = (Kind::of_tool(&request.ask.tool), decision) {
        for (field, answer) in program_ask::outcome(kind, &decision.answers) {
            value[field] = answer;
        }
        value["channel"] = json!(decision.channel);
    }
    // Not `text`: that is what was written in answer to one.
    value["message"] = json!(ending::text(request));
    if !notes.is_empty() {
        value["note"] = json!(notes.join("; "));
    }
    reply::value(StatusCode::OK, &value)
}

fn invalid(message: impl Into<String>) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message)
}
