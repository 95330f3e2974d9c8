//! One request, from its head to its response, in this order: `Host`, `Origin`, method and path, token, body, handler.
//!
//! Absent: any route that decides something. What an agent relays goes in its own tool call, and the broker says what it counts for.

use crate::delivery::{Delivered, Serving, Slip};
use crate::guest::Guest;
use crate::limits::Limits;
use crate::mcp::Mcp;
use crate::pairing::Pairings;
use crate::reply::{self, Body, Problem};
use crate::route::{self, Route};
use crate::tools::{self, Desk};
use crate::visitor::Visitor;
use crate::{body, door, over_http, presence, requests, session_key, steps};
use bytes::Bytes;
use countersign_broker::{Broker, BrokerError};
use http::header::{self, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, Request, Response, StatusCode};
use hyper::body::Incoming;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Everything that answers.
pub(crate) struct Front {
    pub(crate) broker: Broker,
    pub(crate) limits: Limits,
    pub(crate) desk: Arc<Desk>,
    pub(crate) pairings: Pairings,
    pub(crate) mcp: Mcp,
    pub(crate) agents: Arc<Semaphore>,
}

impl Front {
    /// Answers one request. Never fails: what goes wrong is an answer too.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        guest: Arc<Guest>,
    ) -> Result<Response<Delivered<Body>>, Infallible> {
        let slip = Slip::over(guest.local, guest.remote);
        let serving = Serving::new(slip.clone(), Arc::clone(&guest.wire));
        let (parts, body) = request.into_parts();
        let answered = self.respond(parts, body, &guest, &slip).await;
        let mut response = answered.unwrap_or_else(Problem::response);
        reply::finish(response.headers_mut());
        Ok(response.map(|body| Delivered::new(body, serving)))
    }

    async fn respond(
        &self,
        parts: Parts,
        body: Incoming,
        guest: &Guest,
        slip: &Slip,
    ) -> Result<Response<Body>, Problem> {
        door::check(&parts, guest.local.port())?;
        let path = parts.uri.path().to_owned();
        let route = route::find(&parts.method, &path)?;
        if route.is_open() {
            // Boxed, here and below, so that a parked call doesn't carry the room of all the others: 2 kB instead of 8.
            return Box::pin(self.open(route, &parts, body, guest)).await;
        }
        let visitor = self.authenticate(&parts.headers)?;
        // None: the token was taken away in this moment.
        slip.lasts(self.broker.lease(&visitor.agent).ok_or_else(unauthorized)?);
        if !guest.promote(&self.agents) {
            let message = "Too many agents' connections are open here; close some, or retry in a second.";
            let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "full", message);
            return Err(problem
                .with(header::RETRY_AFTER, 1)
                .with(header::CONNECTION, HeaderValue::from_static("close")));
        }
        let body = self.read(&parts, body, self.limits.body_bytes).await?;
        self.closed(route, parts, body, visitor, slip).await
    }

    /// What anybody may use.
    async fn open(
        &self,
        route: Route<'_>,
        parts: &Parts,
        body: Incoming,
        guest: &Guest,
    ) -> Result<Response<Body>, Problem> {
        let body = self.read(parts, body, self.limits.stranger_body_bytes).await?;
        match route {
            Route::Health => {
                let health = json!({"status": "ok", "name": "countersign", "version": env!("CARGO_PKG_VERSION")});
                Ok(reply::value(StatusCode::OK, &health))
            }
            Route::BeginPairing => self.pairings.begin(&self.broker, &body, guest).await,
            Route::AwaitPairing(id) => self.pairings.wait(&self.broker, id, parts.uri.query(), &self.desk.stop).await,
            Route::Tools
            | Route::Tool(_)
            | Route::Steps
            | Route::Requests
            | Route::Request(_)
            | Route::Withdraw(_)
            | Route::Session
            | Route::Mcp => Err(unauthorized()),
        }
    }

    /// What an agent may use.
    async fn closed(
        &self,
        route: Route<'_>,
        parts: Parts,
        body: Bytes,
        visitor: Visitor,
        slip: &Slip,
    ) -> Result<Response<Body>, Problem> {
        match route {
            Route::Tools => {
                let session = session_key::of(&parts.headers, None);
                let caller = visitor.enter(&self.broker, session.as_deref(), None).await.map_err(problem)?;
                let tools: Vec<_> = tools::listed(caller.mode, caller.scopes).map(tools::Tool::to_json).collect();
                Ok(reply::value(StatusCode::OK, &json!({"tools": tools, "hold_seconds": caller.hold_seconds})))
            }
            Route::Tool(name) => over_http::call(&self.desk, &visitor, name, parts, body, slip).await,
            Route::Steps => Box::pin(steps::gate(&self.desk, &visitor, parts, body, slip)).await,
            // Boxed, as above.
            Route::Requests => Box::pin(requests::ask(&self.desk, &visitor, parts, body, slip)).await,
            Route::Request(id) => Box::pin(requests::look(&self.desk, &visitor, parts, id, slip)).await,
            Route::Withdraw(id) => Box::pin(requests::withdraw(&self.desk, &visitor, parts, body, id, slip)).await,
            Route::Session => {
                let ends = [self.desk.stop.clone(), slip.lease()];
                presence::stream(&self.broker, &visitor, &parts, self.limits.heartbeat, ends).await
            }
            Route::Mcp => Ok(Box::pin(self.mcp.answer(parts, body, visitor, slip.clone())).await),
            Route::Health | Route::BeginPairing | Route::AwaitPairing(_) => Err(unauthorized()),
        }
    }

    async fn read(&self, parts: &Parts, body: Incoming, most: usize) -> Result<Bytes, Problem> {
        let bytes = body::read(body, most, self.limits.body).await?;
        if !bytes.is_empty() && !is_json(&parts.headers) {
            let message = "Send the body as JSON, with `Content-Type: application/json`.";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", message));
        }
        Ok(bytes)
    }

    /// The agent whose token this is. Absent, malformed, unknown and revoked tokens take the same way and get the same answer.
    fn authenticate(&self, headers: &HeaderMap) -> Result<Visitor, Problem> {
        match self.broker.authenticate(token(headers).unwrap_or_default()) {
            Ok(Some(agent)) => Ok(Visitor::new(agent, headers)),
            Ok(None) => Err(unauthorized()),
            Err(error) => Err(problem(error)),
        }
    }
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let only = values.next().filter(|_| values.next().is_none())?;
    let (scheme, token) = only.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn unauthorized() -> Problem {
    let message = "This needs the token of a paired agent, as `Authorization: Bearer …`. The token is missing, unknown or revoked: \
                   pair again with `countersign pair`, and have the person accept it in Countersign.";
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
        .with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// What the broker refuses, over HTTP.
pub(crate) fn problem(error: BrokerError) -> Problem {
    let (code, message) = (error.code(), error.to_string());
    match error {
        BrokerError::NotFound(_) => Problem::new(StatusCode::NOT_FOUND, code, message),
        BrokerError::TooMany { retry_after_seconds: seconds, .. } | BrokerError::PairingClosed { seconds } => {
            Problem { code, ..Problem::too_many(message, seconds) }
        }
        BrokerError::Store(_) => Problem::new(StatusCode::INSUFFICIENT_STORAGE, code, message),
        BrokerError::Stopped => {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, message).with(header::RETRY_AFTER, 1)
        }
        BrokerError::Invalid(_) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, message),
        BrokerError::OutOfScope(_) => Problem::new(StatusCode::FORBIDDEN, code, message),
        BrokerError::Settled { .. }
        | BrokerError::NotAllowed(_)
        | BrokerError::WrongMode(_)
        | BrokerError::SessionStopped
        | BrokerError::Stale
        | BrokerError::WrongCode { .. } => Problem::new(StatusCode::CONFLICT, code, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_taken_from_one_well_formed_header_only() {
        for (values, want) in [
            (vec!["Bearer abc"], Some("abc")),
            (vec!["bearer  abc "], Some("abc")),
            (vec!["Basic abc"], None),
            (vec!["abc"], None),
            (vec!["Bearer abc", "Bearer abc"], None),
            (vec![], None),
        ] {
            let mut headers = HeaderMap::new();
            for value in &values {
                headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).expect("a header value"));
            }
            assert_eq!(token(&headers), want, "{values:?}");
        }
    }
}
