//! Real MCP clients, rmcp's, of both protocol eras: over the port by an HTTP client of our own (rmcp's own one brings a
//! whole web client along), and through the bridge.

use crate::agent::Agent;
use crate::home::Home;
use crate::program::Program;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rmcp::model::{CallToolRequestParams, ClientJsonRpcMessage, ProtocolVersion};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::transport::IntoTransport;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
    StreamableHttpError, StreamableHttpPostResponse,
};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use sse_stream::{Sse, SseStream};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::unix::pipe;

/// A connected client.
pub type Client = RunningService<RoleClient, ()>;

/// How a client begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Without a session, each request for itself.
    Newest,
    /// With `initialize`, and over HTTP a session.
    Sessions,
}

/// A client of the port.
pub async fn over_http(agent: &Agent, era: Era) -> Client {
    over_http_as((), agent, era).await
}

/// A client of the port with this handler for what it hears.
pub async fn over_http_as<H: ClientHandler>(handler: H, agent: &Agent, era: Era) -> RunningService<RoleClient, H> {
    let url = format!("{}/mcp", agent.port.url());
    let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(agent.token.clone());
    connect(handler, StreamableHttpClientTransport::with_client(Http::default(), config), era).await
}

/// A client of a bridge of this agent; the bridge's process beside it.
pub async fn through_bridge(home: &Home, agent: &Agent, era: Era) -> (Client, Program) {
    through_bridge_as((), home, agent, era).await
}

/// A client of a bridge with this handler for what it hears.
pub async fn through_bridge_as<H: ClientHandler>(
    handler: H,
    home: &Home,
    agent: &Agent,
    era: Era,
) -> (RunningService<RoleClient, H>, Program) {
    let mut bridge = Program::start(home.command(&["mcp"]).env("COUNTERSIGN_TOKEN", &agent.token));
    let (stdout, stdin) = bridge.take_pipes();
    let read = pipe::Receiver::from_owned_fd(OwnedFd::from(stdout)).expect("a pipe");
    let write = pipe::Sender::from_owned_fd(OwnedFd::from(stdin)).expect("a pipe");
    (connect(handler, (read, write), era).await, bridge)
}

async fn connect<H, E, A>(
    handler: H,
    transport: impl IntoTransport<RoleClient, E, A>,
    era: Era,
) -> RunningService<RoleClient, H>
where
    H: ClientHandler,
    E: std::error::Error + Send + Sync + 'static,
{
    let lifecycle = match era {
        Era::Newest => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        Era::Sessions => ClientLifecycleMode::Initialize,
    };
    handler.serve_with_lifecycle(transport, lifecycle).await.expect("connected")
}

/// A client that counts how often it is told that its tools changed.
#[derive(Clone, Default)]
pub struct Ears(Arc<AtomicUsize>);

impl Ears {
    /// How often it was told.
    pub fn told(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl ClientHandler for Ears {
    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Calls a tool as a model's host does: `{structuredContent, text, isError}`.
pub async fn call<H: ClientHandler>(client: &RunningService<RoleClient, H>, tool: &str, arguments: Value) -> Value {
    let arguments = arguments.as_object().expect("an object").clone();
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let result = client.call_tool(params).await.unwrap_or_else(|error| panic!("{tool}: {error}"));
    let result = serde_json::to_value(result).expect("JSON");
    let text = result["content"][0]["text"].clone();
    json!({"structuredContent": result["structuredContent"], "text": text, "isError": result["isError"] == true})
}

/// One HTTP request by hand, once its response has begun.
pub async fn open(method: Method, url: &str, headers: &[(&str, &str)], body: &str) -> Response<Incoming> {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body.to_owned()))).expect("a request");
    Http::default().client.request(request).await.unwrap_or_else(|error| panic!("{url}: {error}"))
}

/// One HTTP request by hand: the status, the headers and the text.
pub async fn raw(
    method: Method,
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (StatusCode, http::HeaderMap, String) {
    let (parts, body) = open(method, url, headers, body).await.into_parts();
    let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    (parts.status, parts.headers, String::from_utf8_lossy(&bytes).into_owned())
}

/// HTTP for rmcp's client.
#[derive(Clone)]
struct Http {
    client: Hyper<HttpConnector, Full<Bytes>>,
}

impl Default for Http {
    fn default() -> Self {
        Self { client: Hyper::builder(TokioExecutor::new()).build(HttpConnector::new()) }
    }
}

type Failure = StreamableHttpError<hyper_util::client::legacy::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

impl Http {
    async fn send(
        &self,
        method: Method,
        uri: &str,
        session: Option<&str>,
        token: Option<String>,
        headers: Headers,
        body: Vec<u8>,
    ) -> Result<Response<Incoming>, Failure> {
        let mut request = Request::builder()
            .method(method)
            .uri(uri)
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::from(body))).expect("a request");
        self.client.request(request).await.map_err(StreamableHttpError::Client)
    }
}

fn events(response: Response<Incoming>) -> BoxStream<'static, Result<Sse, SseError>> {
    SseStream::new(response.into_body()).boxed()
}

async fn unexpected(response: Response<Incoming>) -> Failure {
    let status = response.status();
    let body = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let said = format!("HTTP {status}: {}", String::from_utf8_lossy(&body));
    StreamableHttpError::UnexpectedServerResponse(said.into())
}

impl StreamableHttpClient for Http {
    type Error = hyper_util::client::legacy::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let body = serde_json::to_vec(&message)?;
        let response = self.send(Method::POST, &uri, session_id.as_deref(), auth_header, custom_headers, body).await?;
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => return Ok(StreamableHttpPostResponse::Accepted),
            StatusCode::NOT_FOUND if session_id.is_some() => return Err(StreamableHttpError::SessionExpired),
            status if !status.is_success() => return Err(unexpected(response).await),
            _ => {}
        }
        let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let session = text("mcp-session-id");
        if text("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return Ok(StreamableHttpPostResponse::Sse(events(response), session));
        }
        let body = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        Ok(StreamableHttpPostResponse::Json(serde_json::from_slice(&body)?, session))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Failure> {
        let response =
            self.send(Method::DELETE, &uri, Some(&session_id), auth_header, custom_headers, Vec::new()).await?;
        if response.status().is_success() { Ok(()) } else { Err(unexpected(response).await) }
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        mut custom_headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        if let Some(id) = last_event_id.and_then(|id| HeaderValue::from_str(&id).ok()) {
            custom_headers.insert(HeaderName::from_static("last-event-id"), id);
        }
        let session = session_id.as_deref();
        let response = self.send(Method::GET, &uri, session, auth_header, custom_headers, Vec::new()).await?;
        if response.status().is_success() { Ok(events(response)) } else { Err(unexpected(response).await) }
    }
}
