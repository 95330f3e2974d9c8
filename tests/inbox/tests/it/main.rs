//! The engine over real loopback, and the real program as a child; no window.

mod asker;
mod asking_tools;
mod bridge;
mod crash;
mod deciding;
mod mcp;
mod obedience;
mod plans;
mod proofs;
mod rules;
mod runs;
mod scopes;
mod serve;
mod spec_files;
mod specs;
mod tokens;
mod verbs;
mod waiting;
