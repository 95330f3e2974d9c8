//! The one place where a request meets its decision.
//!
//! One OS thread owns the writing side of the store. It drains what has queued up, handles it in one transaction,
//! commits, and only then tells: the callers, those who wait, the desktop ([`Shell`]). Reading goes through read-only
//! connections beside it. Absent on purpose: HTTP, MCP, Tauri, and anything that is told before it is on disk.

mod agents;
mod arrivals;
mod beneath;
mod broker;
mod clock;
mod decide;
mod error;
mod expiry;
mod filing;
mod folder;
mod gates;
mod handle_files;
mod handle_runs;
mod handle_specs;
mod handle_steps;
mod known;
mod leases;
mod lobby;
mod looks;
mod message;
mod modes;
mod notes;
mod notices;
mod person;
mod plans;
mod random;
mod requests;
mod rule_draft;
mod rules;
mod run_folder;
mod runner;
mod runs;
mod shell;
pub mod spec_folder;
mod specs;
mod steps;
mod stops;
mod todos;
mod trusts;
mod waiters;
mod writer;

pub use agents::Caller;
pub use arrivals::{Arrival, ArrivalKind, Arrivals, Pairing, PairingState, Program, TerminalState};
pub use broker::{Broker, Detail, Listed};
pub use clock::{Clock, ManualClock, SystemClock};
pub use countersign_store::{
    Agent, Db, OpenRow, PastPlan, RevisionRow, RuleRow, Session, SessionRow, SpecPage, Workspace,
};
pub use error::BrokerError;
pub use filing::{FileSize, Places, Source};
pub use folder::{FolderError, Observed};
pub use handle_runs::{RunOutput, RunView};
pub use handle_steps::{NewStep, Tried};
pub use notes::{Note, Telling};
pub use notices::Notice;
pub use person::{Person, Shown, Verdict};
pub use plans::PlanHistory;
pub use requests::Asked;
pub use rule_draft::RuleDraft;
pub use rules::{NewRule, Remember, Until};
pub use runner::{RunOrder, Runner, Teller};
pub use runs::{Checks, Deployed};
pub use shell::{Change, RecordingShell, Shell, Told};
pub use specs::{Acted, Created, Gated, Import, Imported, Outcome};
pub use steps::{Gate, StepVerdict};
pub use trusts::{Folder, TrustView};
