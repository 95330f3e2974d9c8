//! The port over real loopback, with a real broker and store, and by raw bytes: what a client sees, not what a library hides.

mod asking;
mod door;
mod gates;
mod house;
mod limits;
mod mcp_newest;
mod mcp_sessions;
mod pairing;
mod raw;
