//! `POST /v1/tools/{name}`: the table of tools over plain HTTP.

use crate::body;
use crate::delivery::Slip;
use crate::front::problem;
use crate::reply::{self, Body, Problem};
use crate::session_key;
use crate::tools::{self, Desk, Failure};
use crate::visitor::Visitor;
use bytes::Bytes;
use countersign_broker::BrokerError;
use http::request::Parts;
use http::{Response, StatusCode};
use serde_json::{Value, json};

/// Calls a tool and answers `{structuredContent, text, isError}`. Too much is 429, an unknown tool 404, a store that can't write
/// 507; all else that a tool refuses is a result with `isError`.
pub(crate) async fn call(
    desk: &Desk,
    visitor: &Visitor,
    name: &str,
    parts: Parts,
    bytes: Bytes,
    slip: &Slip,
) -> Result<Response<Body>, Problem> {
    let given = body::object(&bytes)?;
    let session = session_key::of(&parts.headers, given.get("_meta").and_then(Value::as_object));
    // Both share hyper's read buffer, which a parked call would hold on to while hyper takes another.
    drop((parts, bytes));
    let result = match tools::run(desk, visitor, session.as_deref(), name, given, slip, slip.gone().clone()).await {
        Ok(outcome) => {
            if let Some(id) = outcome.ending {
                slip.carries(id);
            }
            json!({"structuredContent": outcome.structured, "text": outcome.text, "isError": false})
        }
        Err(failure) => {
            if let Some(seconds) = failure.retry_after_seconds() {
                return Err(Problem::too_many(failure.to_string(), seconds));
            }
            match failure {
                Failure::Unknown { .. } => {
                    return Err(Problem::new(StatusCode::NOT_FOUND, failure.code(), failure.to_string()));
                }
                failure @ Failure::Ended { .. } => {
                    return Err(Problem::new(StatusCode::UNAUTHORIZED, failure.code(), failure.to_string()));
                }
                Failure::Broker(error @ (BrokerError::Store(_) | BrokerError::Stopped)) => return Err(problem(error)),
                Failure::Argument(_)
                | Failure::Ask(_)
                | Failure::Text(_)
                | Failure::Spec(_)
                | Failure::NoId { .. }
                | Failure::Rate { .. }
                | Failure::Steps(_)
                | Failure::Todos(_)
                | Failure::Broker(_)
                | Failure::Noted { .. } => {}
            }
            let mut structured = failure.structured();
            if let Some(note) = failure.note() {
                structured["note"] = json!(note);
            }
            json!({"structuredContent": structured, "text": failure.to_string(), "isError": true})
        }
    };
    Ok(reply::value(StatusCode::OK, &result))
}
