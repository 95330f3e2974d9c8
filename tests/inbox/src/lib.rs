//! What the tests of this folder are made of: the engine in this process ([`House`]) or the real program as a child
//! ([`Home`], [`Program`]), agents that speak HTTP ([`Agent`]) or MCP ([`mcp`]), and the person ([`Terminal`], or on a
//! real terminal: [`Pty`]).
//!
//! Absent on purpose: sleeping until something has probably happened. Whoever waits says for what, and gives up.

mod agent;
mod home;
mod house;
pub mod mcp;
mod program;
mod pty;
mod terminal;
mod until;

pub use agent::{Agent, question};
pub use home::{Home, PASSPHRASE, Ran, Serve};
pub use house::{House, quiet_port};
pub use program::Program;
pub use pty::Pty;
pub use terminal::Terminal;
pub use until::{PATIENCE, in_time, until};
