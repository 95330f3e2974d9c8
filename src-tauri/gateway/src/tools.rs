//! The tools: one table for MCP and for `POST /v1/tools/{name}`. A tool is a row of `rows.rs` and a handler in a module below.
//!
//! Absent: transports, and deciding: a handler passes on what the agent says, the broker knows what it counts for.

mod arguments;
mod asking;
mod call;
mod files;
mod gated;
mod outcome;
mod plans;
mod questions;
mod rows;
mod runs;
mod schema;
mod sources;
mod specs;
mod table;
mod words;

pub(crate) use call::{Desk, run};
pub(crate) use outcome::{Failure, Outcome};
pub(crate) use table::{Tool, listed, table};
pub use words::INSTRUCTIONS;
