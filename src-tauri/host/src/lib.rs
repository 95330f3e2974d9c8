//! One process's start-up and shutdown: the data folder and its lock, the port, the discovery file, the passphrase, and
//! the owner-only socket over which terminals act for the person. Used by the app and by `countersign serve` alike.
//!
//! Absent on purpose: rules, SQL, HTTP routes.

mod command;
mod desk;
mod endpoint;
mod engine;
mod error;
mod home;
mod logging;
mod news;
mod passphrase;
mod port;
mod run_folders;
#[cfg(unix)]
mod runner;
mod shown;
mod socket;
mod spec_command;
mod step_command;
mod system;
mod tokens;
mod trust;

pub use command::{Command, Reply, Surface};
pub use countersign_broker::RuleDraft;
pub use countersign_broker::spec_folder;
pub use countersign_gateway::INSTRUCTIONS;
pub use endpoint::Endpoint;
pub use engine::{Engine, Options, Passphrase};
pub use error::HostError;
pub use home::Home;
pub use logging::start_logging;
pub use shown::shown;
pub use socket::raise;
pub use spec_command::{RulesChange, SpecCommand, SpecWish};
pub use step_command::StepCommand;
pub use tokens::{KeptToken, find_token, keep_token, kept_token};
