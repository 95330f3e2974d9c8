//! The loopback port: pairing, tools over MCP and HTTP, for agents and nobody else.
//!
//! Everything here turns bytes into calls of the broker and back. Absent on purpose: the store, binding a port (the host does),
//! any state beyond a connection, and any way to decide a request: an agent may only relay a person's answer to its own harmless
//! question, in the `answers` of its own tool call, and the broker says whether that counts.
//!
//! The way in: `listener` → `front` (`door`, `route`, token, `body`) → `over_http` or `mcp` → `tools`. The way out: `delivery`
//! knows when a response was written, `wire` when a client takes too long.

mod body;
mod delivery;
mod door;
mod front;
mod guest;
mod limits;
mod listener;
mod mcp;
mod over_http;
mod pairing;
mod peer;
mod presence;
mod rate;
mod reply;
mod requests;
mod route;
mod serve;
mod session_key;
mod steps;
mod strangers;
mod tools;
mod visitor;
mod wire;

pub use limits::Limits;
pub use peer::{Peer, find as find_peer};
pub use serve::{ServeError, serve};
pub use session_key::{HEADER as SESSION_HEADER, WORKSPACE_HEADER};
pub use tools::INSTRUCTIONS;
