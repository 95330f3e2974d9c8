//! `POST /v1/steps`: the gate that a host asks before each step of its agent. Fails closed: whatever is no `allow` is none.
//!
//! A held call ends in `pending` and loses nothing: the same call again, or the same use of the tool by another way, is the same card.

use crate::body;
use crate::delivery::Slip;
use crate::front::problem;
use crate::reply::{self, Body, Problem};
use crate::session_key;
use crate::tools::Desk;
use crate::visitor::Visitor;
use bytes::Bytes;
use countersign_broker::{BrokerError, Caller, Gate, NewStep};
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::request::{Request, State};
use http::request::Parts;
use http::{Response, StatusCode};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::Instant;

const FIELDS: [&str; 8] = ["tool", "input", "tool_use_id", "edits", "cwd", "workspace", "hold_seconds", "_meta"];

/// What came, read.
struct Given {
    step: NewStep,
    workspace: Option<String>,
    hold: Option<Value>,
}

/// Answers one call.
pub(crate) async fn gate(
    desk: &Desk,
    visitor: &Visitor,
    parts: Parts,
    bytes: Bytes,
    slip: &Slip,
) -> Result<Response<Body>, Problem> {
    let mut given = body::object(&bytes)?;
    let session = session_key::of(&parts.headers, given.get("_meta").and_then(Value::as_object));
    // Both share hyper's read buffer, which a parked call would hold on to while hyper takes another.
    drop((parts, bytes));
    let given = read(&mut given)?;
    if let Err(seconds) = desk.rates.take(&visitor.agent.id, Instant::now()) {
        let message = "Too many steps, one after the other: this one was not decided, do not proceed. Wait, then make the same call again.";
        return Err(Problem::too_many(message, seconds));
    }
    let caller = visitor.enter(&desk.broker, session.as_deref(), given.workspace.as_deref()).await.map_err(problem)?;
    let (seconds, note) =
        limit::clamp_seconds("hold_seconds", given.hold.as_ref(), caller.hold_seconds, 0..=caller.hold_seconds);
    let edits = given.step.edits;
    let mut gate = desk.broker.step(&caller, given.step).await.map_err(problem)?;
    let waits = gate.request.as_ref().filter(|request| request.state == State::Pending && seconds > 0);
    if let Some(id) = waits.map(|request| request.id.clone()) {
        gate = Gate::of(hold(desk, &caller, &id, seconds, slip).await?, edits);
    }
    if let Some(request) = &gate.request
        && request.state != State::Pending
        && request.collected_at.is_none()
    {
        slip.carries(request.id.clone());
    }
    Ok(reply::value(StatusCode::OK, &said(&gate, note)))
}

/// Holds until the request is settled, the time is up, the client is gone or the app stops.
async fn hold(desk: &Desk, caller: &Caller, id: &RequestId, seconds: u64, slip: &Slip) -> Result<Request, Problem> {
    let lease = slip.lease();
    tokio::select! {
        biased;
        () = lease.cancelled() => {
            let message = "This agent's token was revoked or replaced while the call waited: nothing was decided, do not proceed.";
            Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", message))
        }
        request = desk.broker.wait(caller, id, Duration::from_secs(seconds)) => request.map_err(problem),
        () = desk.stop.cancelled() => desk.broker.get(caller, id).await.map_err(problem),
        () = slip.gone().cancelled() => desk.broker.get(caller, id).await.map_err(problem),
    }
}

/// Reads the body; what is missing or of another shape is refused with the field named.
fn read(given: &mut Map<String, Value>) -> Result<Given, Problem> {
    given.retain(|_, value| !value.is_null());
    if let Some(field) = given.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        let field: String = field.chars().take(60).collect();
        return Err(invalid(format!("there is no field `{field}` here; it takes {}", FIELDS[..7].join(", "))));
    }
    let text = |given: &mut Map<String, Value>, field: &str| match given.remove(field) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(invalid(format!("`{field}` takes a text"))),
    };
    let tool = text(given, "tool")?.ok_or_else(|| invalid("`tool` is missing: the name of the host's tool".into()))?;
    let input = match given.remove("input") {
        Some(Value::Object(input)) => input,
        Some(_) | None => {
            return Err(invalid("`input` is missing: what the tool would be called with, an object".into()));
        }
    };
    let edits = match given.remove("edits") {
        None => false,
        Some(Value::Bool(edits)) => edits,
        Some(_) => return Err(invalid("`edits` takes true or false".into())),
    };
    let (tool_use, folder) = (text(given, "tool_use_id")?.filter(|id| !id.trim().is_empty()), text(given, "cwd")?);
    let (workspace, hold) = (text(given, "workspace")?, given.remove("hold_seconds"));
    Ok(Given { step: NewStep { tool, input, tool_use, edits, folder }, workspace, hold })
}

fn invalid(text: String) -> Problem {
    problem(BrokerError::Invalid(format!("{text}. This step was not decided: do not proceed.")))
}

fn said(gate: &Gate, note: Option<String>) -> Value {
    let told = &gate.told;
    let mut said = json!({"decision": told.decision, "reason": told.reason});
    for (key, value) in [
        ("input", told.input.clone().map(Value::Object)),
        ("comment", told.comment.as_deref().map(Value::from)),
        ("stop", gate.stop.then_some(Value::Bool(true))),
        ("request", gate.request.as_ref().map(Request::reference)),
        ("decided_by", told.decided_by.map(Value::from)),
        ("rule", told.rule.map(Value::from)),
        ("note", note.map(Value::from)),
    ] {
        if let Some(value) = value {
            said[key] = value;
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;
    use countersign_core::step::OWN_TOOLS;

    fn refused(body: Value) -> Option<String> {
        read(&mut body.as_object().expect("an object").clone()).err().map(|problem| problem.message)
    }

    #[test]
    fn what_is_missing_or_of_another_shape_is_refused_with_its_name() {
        assert_eq!(
            refused(json!({"tool": "Bash", "input": {}, "tool_use_id": null, "cwd": "/w", "hold_seconds": "x"})),
            None
        );
        for (body, field) in [
            (json!({"input": {}}), "`tool`"),
            (json!({"tool": "Bash"}), "`input`"),
            (json!({"tool": "Bash", "input": "ls"}), "`input`"),
            (json!({"tool": 3, "input": {}}), "`tool`"),
            (json!({"tool": "Bash", "input": {}, "edits": "yes"}), "`edits`"),
            (json!({"tool": "Bash", "input": {}, "tool_use_id": 3}), "`tool_use_id`"),
            (json!({"tool": "Bash", "input": {}, "decision": "allow"}), "`decision`"),
        ] {
            let said = refused(body.clone()).unwrap_or_else(|| panic!("{body}"));
            assert!(said.contains(field) && said.contains("do not proceed"), "{said}");
        }
    }

    #[test]
    fn every_tool_of_ours_is_known_to_the_gate() {
        let unknown: Vec<_> =
            tools::table().iter().map(|tool| tool.name).filter(|name| !OWN_TOOLS.contains(name)).collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }
}
