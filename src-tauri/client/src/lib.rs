//! The agents' side of the port, for programs that ask a person: HTTP over loopback, with a token.
//!
//! Absent on purpose: deciding, the store, the person's socket.

mod pairing;
mod port;

pub use pairing::{Invitation, Outcome};
pub use port::{Body, Port, PortError};
