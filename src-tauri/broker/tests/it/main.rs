//! The broker with a recording shell and a clock turned by hand, over a real file.

mod asking;
mod deciding;
mod expiring;
mod files;
mod gate_table;
mod gates;
mod modes;
mod notes;
mod pairing;
mod plans;
mod room;
mod runs;
mod scopes;
mod spec_tricks;
mod specs;
