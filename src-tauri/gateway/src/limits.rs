//! The port's limits, each with its unit, in one value that a test or a bench can change. Absent: limits of content, which
//! are core's.

use std::time::Duration;

/// How much, how many and how long.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How long a client may take for the head of a request, counted from the connection or from the head's first byte.
    pub head: Duration,
    /// How long a client may take for the body of a request.
    pub body: Duration,
    /// How long an authenticated connection may rest between two requests: longer than clients' pools keep theirs.
    pub idle: Duration,
    /// How long a client may leave its side of the socket unread.
    pub unread: Duration,
    /// A body without a token, in bytes.
    pub stranger_body_bytes: usize,
    /// A body with a token, in bytes.
    pub body_bytes: usize,
    /// Connections that showed no token yet.
    pub strangers: usize,
    /// How long a silent stranger is safe when the strangers' places are full and another one comes.
    pub stranger_grace: Duration,
    /// Connections that showed a token.
    pub agents: usize,
    /// Header fields of one request.
    pub headers: usize,
    /// Calls that create something: how many of one agent at once.
    pub creates_burst: u32,
    /// Calls that create something: how many of one agent a second, in the long run.
    pub creates_per_second: u32,
    /// Starts of pairing: how many of all programs at once.
    pub pairings_burst: u32,
    /// Starts of pairing: how many of all programs a minute, in the long run.
    pub pairings_per_minute: u32,
    /// Longest wait of one look at a pairing.
    pub pairing_wait: Duration,
    /// MCP sessions (of the older protocol versions) of one agent.
    pub mcp_sessions: usize,
    /// How long an MCP session without a stream or a call is kept.
    pub mcp_session_idle: Duration,
    /// How often idle MCP sessions are looked for.
    pub mcp_reap_every: Duration,
    /// How long a held MCP call is silent until its headers are sent.
    pub early_headers: Duration,
    /// How often a held call or stream shows that it lives.
    pub heartbeat: Duration,
    /// How long open calls get to end at shutdown.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(5),
            body: Duration::from_secs(5),
            idle: Duration::from_secs(120),
            unread: Duration::from_secs(30),
            stranger_body_bytes: 64 << 10,
            body_bytes: 4 << 20,
            strangers: 256,
            stranger_grace: Duration::from_millis(250),
            agents: 16_384,
            headers: 64,
            creates_burst: 256,
            creates_per_second: 64,
            pairings_burst: 6,
            pairings_per_minute: 6,
            pairing_wait: Duration::from_secs(25),
            mcp_sessions: 64,
            mcp_session_idle: Duration::from_secs(30 * 60),
            mcp_reap_every: Duration::from_secs(60),
            early_headers: Duration::from_secs(2),
            heartbeat: Duration::from_secs(15),
            shutdown: Duration::from_millis(1_500),
        }
    }
}
