//! MCP over Streamable HTTP, the newest protocol version and the older ones with sessions, by rmcp, with what it leaves undone.
//!
//! No priming event (a client in use can't parse it), no idle clock of rmcp's (it kills quiet calls), sessions owned and reaped
//! here (`sessions`), headers sent while a call is held (`early`). Absent: resources, prompts, sampling, tasks.

mod changes;
mod early;
mod handler;
mod sessions;

use crate::delivery::Slip;
use crate::door;
use crate::limits::Limits;
use crate::reply::{Body, Problem};
use crate::tools::Desk;
use crate::visitor::Visitor;
use bytes::Bytes;
use changes::Listeners;
use countersign_broker::Broker;
use futures_util::StreamExt;
use handler::Handler;
use http::header::{self, HeaderName};
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, BodyStream, Full, StreamBody};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use sessions::Sessions;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The first protocol version without sessions.
const WITHOUT_SESSIONS: &str = "2026-07-28";
/// A plain error of rmcp's is a line; more is not read.
const ERROR_BYTES: usize = 16 << 10;

/// The MCP side of the port.
#[derive(Clone)]
pub(crate) struct Mcp {
    service: StreamableHttpService<Handler, LocalSessionManager>,
    sessions: Arc<Sessions>,
    listeners: Listeners,
    stop: CancellationToken,
    cut: CancellationToken,
    early_headers: Duration,
    heartbeat: Duration,
}

impl Mcp {
    pub(crate) fn new(desk: Arc<Desk>, limits: &Limits, ports: &[u16]) -> Self {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = None;
        manager.session_config.sse_retry = None;
        let manager = Arc::new(manager);
        let cut = CancellationToken::new();
        let config = StreamableHttpServerConfig::default()
            .with_sse_retry(None)
            .with_sse_keep_alive(Some(limits.heartbeat))
            .with_allowed_origins(ports.iter().flat_map(|port| door::origins(*port)))
            .enforce_origin_validation()
            .with_max_request_body_bytes(limits.body_bytes)
            .with_cancellation_token(cut.clone());
        let stop = desk.stop.clone();
        let listeners = Listeners::default();
        let handler = Handler::new(desk, limits.heartbeat, listeners.clone());
        let service = StreamableHttpService::new(move || Ok(handler.clone()), Arc::clone(&manager), config);
        let sessions = Arc::new(Sessions::new(manager, limits));
        let (early_headers, heartbeat) = (limits.early_headers, limits.heartbeat);
        Self { service, sessions, listeners, stop, cut, early_headers, heartbeat }
    }

    /// Closes idle sessions, for ever.
    pub(crate) async fn reap(&self) {
        self.sessions.reap().await;
    }

    /// Tells clients whose tools changed, for ever.
    pub(crate) async fn tell_changes(&self, broker: &Broker) {
        self.listeners.tell(broker).await;
    }

    /// Ends all sessions and calls.
    pub(crate) fn end(&self) {
        self.cut.cancel();
    }

    /// Answers one request of an agent.
    pub(crate) async fn answer(&self, mut parts: Parts, body: Bytes, visitor: Visitor, slip: Slip) -> Response<Body> {
        if has_no_sessions(&parts.headers) {
            // Such a client's session id means nothing; rmcp must not see it either, so that the check below can't be gone around.
            parts.headers.remove(SESSION);
            parts.headers.remove("last-event-id");
        }
        let id = match parts.headers.get(SESSION).map(|id| id.to_str()) {
            None => None,
            Some(Ok(id)) => Some(id.to_owned()),
            Some(Err(_)) => return unknown_session().response(),
        };
        let visit = match &id {
            None => None,
            Some(id) => match self.sessions.visit(&visitor.agent.id, id) {
                Some(visit) => Some(visit),
                None => return unknown_session().response(),
            },
        };
        let (owner, listens, ends) =
            (visitor.agent.id.clone(), parts.method == Method::GET, parts.method == Method::DELETE);
        let held = parts.method == Method::POST && is_tool_call(&body);
        let lease = slip.lease();
        parts.extensions.insert(Arc::new(visitor));
        parts.extensions.insert(slip);
        let service = self.service.clone();
        let request = Request::from_parts(parts, Full::new(body));
        let inner = async move { service.handle(request).await.map(BodyExt::boxed_unsync) };
        let response = if held { early::headers(inner, self.early_headers, self.heartbeat).await } else { inner.await };
        if let Some(made) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
            self.sessions.made(&owner, made).await;
        }
        if let Some(id) = id.filter(|_| ends && response.status().is_success()) {
            self.sessions.forget(&id);
        }
        as_json(response).await.map(|body| {
            let body = if listens { until(until(body, self.stop.clone()), lease) } else { body };
            // The visit lasts as long as the response's body.
            body.map_frame(move |frame| {
                let _ = &visit;
                frame
            })
            .boxed_unsync()
        })
    }
}

/// A stream that would never end by itself ends with the app, so that its connection can, and with its agent's token.
fn until(body: Body, stop: CancellationToken) -> Body {
    StreamBody::new(BodyStream::new(body).take_until(stop.cancelled_owned())).boxed_unsync()
}

fn has_no_sessions(headers: &HeaderMap) -> bool {
    headers.get(VERSION).and_then(|version| version.to_str().ok()).is_some_and(|version| version >= WITHOUT_SESSIONS)
}

fn is_tool_call(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow)]
        method: Cow<'a, str>,
    }
    serde_json::from_slice::<Head<'_>>(body).is_ok_and(|head| head.method == "tools/call")
}

fn unknown_session() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "unknown_session",
        "There is no MCP session with this id; send `initialize` again for a new one.",
    )
}

/// rmcp's plain errors as JSON, like all others of the port.
async fn as_json(response: Response<Body>) -> Response<Body> {
    let is_json = |kind: &http::HeaderValue| kind.as_bytes().starts_with(b"application/json");
    if !response.status().is_client_error() && !response.status().is_server_error() {
        return response;
    }
    if response.headers().get(header::CONTENT_TYPE).is_some_and(is_json) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = match http_body_util::Limited::new(body, ERROR_BYTES).collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(_) => "The request was refused.".to_owned(),
    };
    let code = if parts.status == StatusCode::NOT_FOUND { "unknown_session" } else { "mcp" };
    let mut answer = Problem::new(parts.status, code, text).response();
    if let Some(allow) = parts.headers.get(header::ALLOW) {
        answer.headers_mut().insert(header::ALLOW, allow.clone());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply;

    #[test]
    fn tool_calls_are_told_from_other_messages() {
        assert!(is_tool_call(br#"{"jsonrpc":"2.0","id":1,"params":{"x":{"method":"no"}},"method":"tools/call"}"#));
        for other in [r#"{"method":"initialize"}"#, r#"[{"method":"tools/call"}]"#, r#"{"method":3}"#, "", "{"] {
            assert!(!is_tool_call(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn only_the_newest_protocol_has_no_sessions() {
        for (version, want) in [("2026-07-28", true), ("2025-11-25", false), ("2025-03-26", false)] {
            let mut headers = HeaderMap::new();
            headers.insert(VERSION, version.parse().expect("a header value"));
            assert_eq!(has_no_sessions(&headers), want, "{version}");
        }
        assert!(!has_no_sessions(&HeaderMap::new()));
    }

    #[tokio::test]
    async fn plain_errors_become_json_and_json_stays() {
        let plain = Response::builder()
            .status(406)
            .body(reply::whole(Bytes::from_static(b"Not Acceptable")))
            .expect("a response");
        let body = as_json(plain).await.into_body().collect().await.expect("whole").to_bytes();
        assert_eq!(body, r#"{"code":"mcp","message":"Not Acceptable"}"#);
        let json = reply::value(StatusCode::BAD_REQUEST, &serde_json::json!({"jsonrpc": "2.0"}));
        let body = as_json(json).await.into_body().collect().await.expect("whole").to_bytes();
        assert_eq!(body, r#"{"jsonrpc":"2.0"}"#);
    }
}
