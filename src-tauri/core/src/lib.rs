//! What a question, a request, a spec and a gate *is*: pure values and pure rules.
//!
//! Every rule of the product is a function in this room with a table of cases beside it. Absent on purpose: clocks,
//! files, sockets, SQL, HTTP, Tauri, async. A time is an argument, an id is made elsewhere.

pub mod answer;
pub mod approval;
pub mod asker;
pub mod channel;
pub mod class;
pub mod client_kind;
pub mod commands;
pub mod deploy;
pub mod digest;
pub mod ending;
pub mod filed;
pub mod gate;
pub mod given;
pub mod id;
pub mod import;
pub mod inside;
pub mod language;
pub mod limit;
pub mod manual;
pub mod markdown;
pub mod mode;
pub mod notices;
pub mod output;
pub mod plan;
pub mod program_ask;
pub mod question;
pub mod quiet_hours;
pub mod readiness;
pub mod reply;
pub mod request;
pub mod retire;
pub mod revision;
pub mod rule;
pub mod run;
pub mod safe_text;
pub mod scope;
pub mod secret;
pub mod shell;
pub mod spec;
pub mod spec_act;
pub mod spec_edit;
pub mod spec_file;
pub mod step;
pub mod time;
pub mod title;
pub mod titles;
pub mod todo;
pub mod trust;
pub mod who_may_decide;
pub mod workspace;
