//! The desktop: the window, its commands, what is pushed to it, and notifications.
//!
//! Absent on purpose: rules and SQL. A command is one line of logic: parse, ask the broker, map the error.

#[cfg(test)]
mod acl;
mod bus;
mod command_line;
mod desk;
mod dialog;
mod dialog_window;
mod downloads;
mod local;
mod login;
mod notice;
mod push;
mod screens;
mod settings;
mod shell;
mod start;
mod tray;
pub mod view;
mod window;
mod words;

pub use start::run;
