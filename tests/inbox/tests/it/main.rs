//! The engine over real loopback, and the real program as a child; no window.

mod answer_files;
mod asker;
mod bridge;
mod client;
mod crash;
mod deciding;
mod mcp;
mod notes;
mod obedience;
mod plans;
mod proofs;
mod revisions;
mod rules;
mod runs;
mod scopes;
mod serve;
mod spec_files;
mod specs;
mod step_rules;
mod steps;
mod terminal_inbox;
mod terminal_plain;
mod tokens;
mod verbs;
mod waiting;
mod watching;
