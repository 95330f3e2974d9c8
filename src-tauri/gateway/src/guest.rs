//! One connection's guest: the socket's two addresses, its place among the strangers or the agents.

use crate::strangers::Place;
use crate::wire::Wire;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Who is on a connection.
pub(crate) struct Guest {
    pub(crate) local: SocketAddr,
    pub(crate) remote: SocketAddr,
    pub(crate) wire: Arc<Wire>,
    seat: Mutex<Seat>,
}

enum Seat {
    Stranger(#[expect(dead_code, reason = "held for its drop, which gives the place back")] Place),
    Agent(#[expect(dead_code, reason = "held for its drop, which gives the place back")] OwnedSemaphorePermit),
}

impl Guest {
    pub(crate) fn new(local: SocketAddr, remote: SocketAddr, wire: Arc<Wire>, place: Place) -> Self {
        Self { local, remote, wire, seat: Mutex::new(Seat::Stranger(place)) }
    }

    /// A valid token came: from now on the connection counts as an agent's. False when all of those places are taken.
    pub(crate) fn promote(&self, agents: &Arc<Semaphore>) -> bool {
        let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        match &*seat {
            Seat::Agent(_) => true,
            Seat::Stranger(_) => match Arc::clone(agents).try_acquire_owned() {
                Ok(permit) => {
                    *seat = Seat::Agent(permit);
                    self.wire.trust();
                    true
                }
                Err(_) => false,
            },
        }
    }
}
