//! The answer files of a run folder, for the app and for a program that asks while the app is away.
//!
//! `approval-response.txt` answers what alone waits there, `answers/<request id>.txt` one request. What is obeyed is a regular
//! file of this user's that is no link, is not older than the request, and was left alone for a moment; everything else is set
//! aside or gets a note beside it. Absent on purpose: decisions, and the way to the app.

mod folder;
mod name;
mod note;
mod pending;
mod quiet;

pub use folder::{Look, Opened, Sight, Unfit};
pub use name::{ANSWERS, LEGACY, Name, PENDING};
pub use note::Reason;
pub use pending::{Waiting, document, program_document};
pub use quiet::Quiet;
