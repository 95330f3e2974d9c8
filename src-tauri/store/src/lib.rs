//! The SQLite file: its schema, its migrations, the rows of each noun, and the chain of the log.
//!
//! One [`Store`] writes, any number of [`Reader`]s read beside it (WAL). A commit is on disk when it returns
//! (`synchronous=FULL`). Absent on purpose: decisions, clocks (a time is an argument), and any way to get at the
//! connection itself.

mod agents;
mod db;
mod drafts;
mod error;
mod file_works;
mod grants;
mod log;
mod migration;
mod open;
mod plans;
mod requests;
mod revisions;
mod rules;
mod run_folders;
mod runs;
mod sessions;
mod settings;
mod spec_search;
mod specs;
mod todos;
mod trusts;
mod workspaces;

pub use agents::Agent;
pub use db::{Db, Tx};
pub use error::StoreError;
pub use file_works::{BegunWork, FileWork};
pub use grants::Grant;
pub use log::{Entry, LogFault};
pub use open::{Reader, Store};
pub use plans::PastPlan;
pub use requests::OpenRow;
pub use revisions::RevisionRow;
pub use rules::RuleRow;
pub use sessions::{Session, SessionRow, ToldMode};
pub use specs::SpecPage;
pub use trusts::Trust;
pub use workspaces::Workspace;
