//! `countersign mcp`: the bridge. An MCP server on stdin and stdout (both protocol eras, by rmcp) whose tools are those
//! of the running app. It waits in slices, so that no limit on the way can end a wait, and it fails closed: what could
//! not be asked was not decided.
//!
//! Every line on stdout is JSON-RPC; everything else goes to stderr.

use crate::exit::{Exit, Refusal};
use crate::tokens::Token;
use crate::workspace;
use countersign_client::{Port, PortError};
use countersign_host::{Endpoint, Home};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf, Stdin};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// One wait, in seconds: below every limit that is known.
const SLICE: u64 = 20;
/// How often progress is shown.
const PROGRESS: Duration = Duration::from_secs(15);
/// How often the app is looked for while it is away.
const RETRY: Duration = Duration::from_millis(500);
/// How often a token that was refused is tried again.
const REFUSED: Duration = Duration::from_secs(5);
/// How often it is checked that the parent is still there.
const PARENT: Duration = Duration::from_secs(1);
/// How long answers that are on their way get after stdin ended; rmcp would give calls that are held five seconds.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How much longer than it may be held a call may take; past that the app hangs.
const GRACE: Duration = Duration::from_secs(5);

/// The bridge's flags.
#[derive(clap::Args)]
pub struct Mcp {
    /// The folder of this run: what is asked may be answered there by a file [env: COUNTERSIGN_RUN_FOLDER]
    #[arg(long, value_name = "DIR")]
    run_folder: Option<std::path::PathBuf>,
}

/// Serves until stdin ends or the parent is gone.
pub async fn run(arguments: Mcp) -> anyhow::Result<Exit> {
    let home = Home::locate(None)?;
    let folder = workspace::of(None)?;
    let in_environment = || std::env::var_os("COUNTERSIGN_RUN_FOLDER").filter(|folder| !folder.is_empty());
    let run_folder = arguments.run_folder.or_else(|| in_environment().map(Into::into));
    let run_folder = run_folder.map(|folder| workspace::run_folder(&folder)).transpose()?;
    let token = Token::find(&home, &folder).ok_or_else(|| {
        Refusal::usage(
            "no token: pair this program first with `countersign pair --name NAME`, or set COUNTERSIGN_TOKEN",
        )
    })?;
    let session = uuid::Uuid::new_v4().to_string();
    let bridge = Bridge {
        shared: Arc::new(Shared {
            home,
            folder,
            run_folder,
            token: Mutex::new(token),
            session,
            client: OnceLock::new(),
        }),
    };
    let presence = tokio::spawn(stay_present(bridge.shared.clone()));
    let ended = Arc::new(Notify::new());
    let stdin = Heard { stdin: tokio::io::stdin(), ended: ended.clone() };
    let service = bridge.serve((stdin, tokio::io::stdout())).await?;
    tokio::select! {
        _ = service.waiting() => {}
        () = async { ended.notified().await; tokio::time::sleep(LAST_WORDS).await } => {}
        () = orphaned() => {}
    }
    presence.abort();
    Ok(Exit::Done)
}

/// Stdin that says when it ended.
struct Heard {
    stdin: Stdin,
    ended: Arc<Notify>,
}

impl AsyncRead for Heard {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.stdin).poll_read(cx, buf);
        if polled.is_ready() && buf.filled().len() == before && buf.remaining() > 0 {
            self.ended.notify_one();
        }
        polled
    }
}

/// Ends when the process that started this one is gone.
#[cfg(unix)]
async fn orphaned() {
    let parent = rustix::process::getppid();
    loop {
        tokio::time::sleep(PARENT).await;
        if rustix::process::getppid() != parent {
            return;
        }
    }
}

#[cfg(not(unix))]
async fn orphaned() {
    std::future::pending().await
}

/// Holds a line open, by which the app knows that this session is there; opened again after each restart of the app. The app
/// says on it when this session's tools changed.
async fn stay_present(shared: Arc<Shared>) {
    let mut before = false;
    loop {
        let mut pause = RETRY;
        if let Some(port) = shared.port() {
            match port.open("/v1/session").await {
                Ok(body) => {
                    if std::mem::replace(&mut before, true) {
                        // What was said while the line was down is not said again.
                        shared.tools_changed().await;
                    }
                    listen(&shared, body).await;
                }
                Err(refused @ PortError::Refused { .. }) if !shared.renewed(&refused).await => {
                    // Once it is let in, its tools are others than before.
                    before = true;
                    pause = REFUSED;
                }
                Err(_) => {}
            }
        }
        tokio::time::sleep(pause).await;
    }
}

/// Hears what the app says on the line, until that ends.
async fn listen(shared: &Shared, mut body: countersign_client::Body) {
    let mut heard = Vec::new();
    while let Some(Ok(frame)) = http_body_util::BodyExt::frame(&mut body).await {
        heard.extend_from_slice(frame.data_ref().map(AsRef::as_ref).unwrap_or_default());
        while let Some(end) = heard.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = heard.drain(..=end).collect();
            if line == b"event: tools\n" {
                shared.tools_changed().await;
            }
        }
        // No line of the app's is longer; whatever else speaks there is not listened to.
        heard.truncate(1_024);
    }
}

struct Shared {
    home: Home,
    folder: String,
    run_folder: Option<String>,
    token: Mutex<Token>,
    session: String,
    /// The client, once it listed its tools, in the protocol versions that have `tools/list_changed` without a subscription.
    client: OnceLock<Peer<RoleServer>>,
}

impl Shared {
    /// The client's list of tools is out of date.
    async fn tools_changed(&self) {
        if let Some(client) = self.client.get()
            && let Err(error) = client.notify_tool_list_changed().await
        {
            tracing::debug!(%error, "the client could not be told that its tools changed");
        }
    }

    /// The port as the discovery file has it now.
    fn port(&self) -> Option<Port> {
        let endpoint = Endpoint::read(&self.home)?;
        let port = Port::at(&endpoint.url)
            .with_token(self.token().word())
            .with_session(&self.session)
            .with_workspace(&self.folder);
        Some(match &self.run_folder {
            Some(folder) => port.with_run_folder(folder),
            None => port,
        })
    }

    fn require(&self) -> Result<Port, PortError> {
        self.port().ok_or_else(|| PortError::Gone {
            url: self.home.path().display().to_string(),
            why: "no endpoint.json in the data folder".into(),
        })
    }

    async fn tools(&self) -> Result<Value, PortError> {
        match self.require()?.get("/v1/tools").await {
            Err(refused) if self.renewed(&refused).await => self.require()?.get("/v1/tools").await,
            said => said,
        }
    }

    async fn call(&self, name: &str, arguments: &Value) -> Result<Value, PortError> {
        match self.require()?.call(name, arguments).await {
            Err(refused) if self.renewed(&refused).await => self.require()?.call(name, arguments).await,
            said => said,
        }
    }

    /// Whether the token was refused and the person has replaced it: then the same once more, for it was not let in before.
    async fn renewed(&self, error: &PortError) -> bool {
        if !matches!(error, PortError::Refused { status: 401, .. }) {
            return false;
        }
        if self.token().renew(&self.home) {
            return true;
        }
        // The old token ends a moment before the new one is written.
        tokio::time::sleep(RETRY).await;
        self.token().renew(&self.home)
    }

    fn token(&self) -> MutexGuard<'_, Token> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What comes until then; an app that hangs has not decided anything.
    async fn soon<T>(&self, until: Instant, call: impl Future<Output = Result<T, PortError>>) -> Result<T, PortError> {
        timeout_at(until, call).await.unwrap_or_else(|_| {
            Err(PortError::Gone { url: self.home.path().display().to_string(), why: "it does not answer".into() })
        })
    }
}

#[derive(Clone)]
struct Bridge {
    shared: Arc<Shared>,
}

impl ServerHandler for Bridge {
    fn get_info(&self) -> ServerConfig {
        let mut info =
            ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build());
        info.server_info = Implementation::new("countersign", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(countersign_host::INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if context.protocol_version().is_none_or(|version| version.has_initialize()) {
            // Set once: it is the same client for as long as this process lives.
            let _ = self.shared.client.set(context.peer.clone());
        }
        let gone = |error: PortError| ErrorData::internal_error(closed(&error), None);
        let said = self.shared.soon(Instant::now() + GRACE, self.shared.tools()).await.map_err(gone)?;
        let tools: Vec<Tool> = serde_json::from_value(said["tools"].clone())
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let call = self.call(&request.name, arguments);
        tokio::pin!(call);
        let token = context.meta.get_progress_token();
        let mut ticks = tokio::time::interval(PROGRESS);
        let mut beats = 0.0;
        let said = loop {
            tokio::select! {
                said = &mut call => break said,
                // A client that gives up ends the wait; the request stays, and is found again by its id.
                () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled; the request stays open", None)),
                _ = ticks.tick(), if token.is_some() => {
                    beats += 1.0;
                    if let Some(token) = token.clone() {
                        let progress = ProgressNotificationParam::new(token, beats).with_message("Waiting for the person to answer in Countersign.");
                        // A client that doesn't listen to progress loses nothing.
                        let _ = context.peer.notify_progress(progress).await;
                    }
                }
            }
        };
        Ok(result(said).into())
    }
}

impl Bridge {
    /// Calls a tool, and goes on waiting in slices while it holds: as long as the app lets this agent's calls be held.
    async fn call(&self, name: &str, arguments: JsonObject) -> Result<Value, PortError> {
        let shared = &self.shared;
        let holds = match name {
            "wait_for_answer" => Some("timeout_seconds"),
            _ if arguments.contains_key("answers") => None,
            "ask_human"
            | "ask_questions"
            | "present_plan"
            | "request_human_approval"
            | "request_manual_intervention"
            | "request_file"
            | "retire_source" => Some("hold_seconds"),
            _ => None,
        };
        let begun = Instant::now();
        let Some(limit) = holds else {
            return shared.soon(begun + GRACE, shared.call(name, &Value::Object(arguments))).await;
        };
        let tools = match shared.soon(begun + GRACE, shared.tools()).await {
            // Not in this folder, which the call itself says better; what the agent asked before can still be waited for.
            Err(PortError::Refused { status: 403, .. }) => Value::Null,
            said => said?,
        };
        let most = tools["hold_seconds"].as_u64().unwrap_or(50);
        let wanted =
            arguments.get(limit).and_then(Value::as_f64).map_or(most, |seconds| (seconds.max(0.0) as u64).min(most));
        if wanted <= SLICE {
            // The app makes a wait no shorter than a slice.
            let least = if name == "wait_for_answer" { SLICE } else { wanted };
            let until = begun + Duration::from_secs(least) + GRACE;
            return shared.soon(until, shared.call(name, &Value::Object(arguments))).await;
        }
        let until = begun + Duration::from_secs(wanted);
        let mut first = arguments.clone();
        // A limit that makes no sense is passed on, so that the app says what it made of it.
        if arguments
            .get(limit)
            .is_none_or(|given| given.as_f64().is_some_and(|seconds| seconds >= SLICE as f64 && seconds <= most as f64))
        {
            first.insert(limit.into(), json!(SLICE));
        }
        let mut said = shared.soon(until + GRACE, self.patiently(name, &Value::Object(first), until)).await?;
        while said["structuredContent"]["state"] == "pending" {
            let note = said["structuredContent"]["note"].as_str().map(str::to_owned);
            let Some(slice) = slice(until.saturating_duration_since(Instant::now()).as_secs()) else { break };
            let wait = json!({"request_id": said["structuredContent"]["request"]["id"], "timeout_seconds": slice});
            said = shared.soon(until + GRACE, self.patiently("wait_for_answer", &wait, until)).await?;
            carry(note, &mut said);
        }
        Ok(said)
    }

    /// Calls once; when the app goes away in the middle, waits for it to come back. The same ask joins the same request.
    async fn patiently(&self, name: &str, arguments: &Value, until: Instant) -> Result<Value, PortError> {
        let mut reached = false;
        loop {
            match self.shared.call(name, arguments).await {
                Err(PortError::Gone { .. }) if (reached || name == "wait_for_answer") && Instant::now() < until => {
                    tokio::time::sleep(RETRY).await
                }
                Err(PortError::Gone { url, why })
                    if !reached && Endpoint::read(&self.shared.home).is_some() && Instant::now() < until =>
                {
                    // It was there a moment ago: once more, for a connection that broke while the app restarted.
                    reached = true;
                    tracing::debug!(url, why, "once more");
                    tokio::time::sleep(RETRY).await;
                }
                other => return other,
            }
        }
    }
}

/// How much of the seconds that are left one wait takes; none when they are fewer than the app waits at the least. The
/// last one takes the rest, so that all of them together are no longer than was promised.
fn slice(left: u64) -> Option<u64> {
    (left >= SLICE).then_some(if left < 2 * SLICE { left } else { SLICE })
}

/// What an earlier slice noted goes on with the next: the client sees the last one alone, and nothing is noted twice.
fn carry(note: Option<String>, said: &mut Value) {
    let Some(note) = note else { return };
    said["text"] = json!(format!("{}\nNote: {note}.", said["text"].as_str().unwrap_or_default()));
    if said["structuredContent"].is_object() {
        let later = said["structuredContent"]["note"].as_str().map(|later| format!("; {later}")).unwrap_or_default();
        said["structuredContent"]["note"] = json!(note + &later);
    }
}

/// What a model is told when nobody could be asked.
fn closed(error: &PortError) -> String {
    let what = match error {
        PortError::Gone { .. } => {
            "Countersign isn't running or doesn't answer, so nobody decided. Ask the person to start it, then call again."
                .to_owned()
        }
        PortError::Refused { message, .. } => message.clone(),
        PortError::Foreign { .. } => error.to_string(),
    };
    format!("Not decided: do not proceed. {what}")
}

fn result(said: Result<Value, PortError>) -> CallToolResult {
    match said {
        Ok(said) => {
            let content = vec![ContentBlock::text(said["text"].as_str().unwrap_or_default())];
            if said["isError"] == true {
                return CallToolResult::error(content);
            }
            let mut result = CallToolResult::success(content);
            result.structured_content = Some(said["structuredContent"].clone());
            result
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(closed(&error))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_slice_noted_goes_on_with_the_next() {
        let mut said = json!({"text": "Red.", "structuredContent": {"note": "later"}});
        carry(None, &mut said);
        assert_eq!(said["text"], "Red.");
        carry(Some("first".into()), &mut said);
        assert_eq!(said, json!({"text": "Red.\nNote: first.", "structuredContent": {"note": "first; later"}}));
    }

    #[test]
    fn slices_together_are_never_longer_than_what_is_left_nor_shorter_by_a_whole_one() {
        for wanted in 0..=600 {
            let mut left = wanted;
            while let Some(slice) = slice(left) {
                assert!((SLICE..2 * SLICE).contains(&slice), "{slice} of {left}");
                left -= slice;
            }
            assert!(left < SLICE, "{left} of {wanted}");
        }
    }
}
