//! An agent's side, over one kept connection, in each of the three ways in.

use crate::line::{Line, Reply, request};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

const NEWEST: &str = "2026-07-28";
const OLDER: &str = "2025-11-25";
const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");

/// How it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `POST /v1/tools/…`
    Http,
    /// MCP of 2026-07-28, without a session.
    Newest,
    /// MCP of 2025-11-25, in a session.
    Session,
}

impl Way {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Http, Self::Newest, Self::Session];

    /// As the table has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "HTTP",
            Self::Newest => "MCP 2026-07-28",
            Self::Session => "MCP 2025-11-25, session",
        }
    }
}

/// One agent's connection.
pub struct Asker {
    line: Line,
    way: Way,
    port: u16,
    token: String,
    session: String,
    calls: u64,
}

impl Asker {
    /// Connects, and opens a session where the way has one.
    pub async fn connect(way: Way, port: u16, token: &str) -> anyhow::Result<Self> {
        let line = Line::open(port).await?;
        let mut asker = Self { line, way, port, token: format!("Bearer {token}"), session: String::new(), calls: 0 };
        if way == Way::Session {
            asker.initialize().await?;
        }
        Ok(asker)
    }

    async fn initialize(&mut self) -> anyhow::Result<()> {
        let params =
            json!({"protocolVersion": OLDER, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let reply = self.post(&hello, &[]).await?;
        let id = reply.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        self.session = id.context("no session")?.trim().to_owned();
        let session = self.session.clone();
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.post(&done, &[("mcp-session-id", &session)]).await?;
        Ok(())
    }

    async fn post(&mut self, message: &Value, more: &[(&str, &str)]) -> anyhow::Result<Reply> {
        let headers = [&[("authorization", self.token.as_str()), ACCEPT], more].concat();
        let bytes = request(self.port, "POST", "/mcp", &headers, &message.to_string());
        self.line.send(&bytes).await?;
        let reply = self.line.reply().await?;
        if !reply.head.starts_with("http/1.1 20") {
            bail!("{}{}", reply.head, String::from_utf8_lossy(&reply.body));
        }
        Ok(reply)
    }

    /// Sends a call; its result is read with [`Asker::result`].
    pub async fn send(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<()> {
        let bytes = self.bytes(tool, arguments);
        self.line.send(&bytes).await
    }

    /// A call's bytes, made before the clock starts.
    pub fn bytes(&mut self, tool: &str, arguments: &Value) -> Vec<u8> {
        self.calls += 1;
        let mut headers = vec![("authorization", self.token.as_str())];
        let mut params = json!({"name": tool, "arguments": arguments});
        match self.way {
            Way::Http => {
                let path = format!("/v1/tools/{tool}");
                return request(self.port, "POST", &path, &headers, &arguments.to_string());
            }
            Way::Newest => {
                headers.extend([
                    ACCEPT,
                    ("mcp-protocol-version", NEWEST),
                    ("mcp-method", "tools/call"),
                    ("mcp-name", tool),
                ]);
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": NEWEST,
                    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
                    "io.modelcontextprotocol/clientCapabilities": {},
                });
            }
            Way::Session => {
                headers.extend([ACCEPT, ("mcp-protocol-version", OLDER), ("mcp-session-id", &self.session)]);
            }
        }
        let message = json!({"jsonrpc": "2.0", "id": self.calls, "method": "tools/call", "params": params});
        request(self.port, "POST", "/mcp", &headers, &message.to_string())
    }

    /// Sends bytes that were made before.
    pub async fn send_bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.line.send(bytes).await
    }

    /// Reads a call's result, unparsed.
    pub async fn reply(&mut self) -> anyhow::Result<Reply> {
        self.line.reply().await
    }

    /// Reads a call's result.
    pub async fn result(&mut self) -> anyhow::Result<Value> {
        let reply = self.line.reply().await?;
        structured(&reply)
    }

    /// Calls a tool.
    pub async fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<Value> {
        self.send(tool, arguments).await?;
        self.result().await
    }
}

/// What a result says, whichever way it came. A tool's error is one here too.
pub fn structured(reply: &Reply) -> anyhow::Result<Value> {
    let text = std::str::from_utf8(&reply.body)?;
    let last = text.lines().rev().find_map(|line| line.strip_prefix("data: "));
    let said: Value = serde_json::from_str(last.unwrap_or(text)).with_context(|| format!("{}{text}", reply.head))?;
    let result = said.get("result").unwrap_or(&said);
    if result["isError"] == true || !result["structuredContent"].is_object() {
        bail!("{}{said}", reply.head);
    }
    Ok(result["structuredContent"].clone())
}

/// A plain question of about 500 bytes, never the same twice.
pub fn question(hold: bool) -> Value {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let text = format!(
        "Which colour should number {number} of {} have? {}",
        std::process::id(),
        "It is said at length. ".repeat(17)
    );
    let mut ask = json!({"question": text, "options": ["Red", "Blue", "Green"]});
    if !hold {
        ask["hold_seconds"] = json!(0);
    }
    ask
}
