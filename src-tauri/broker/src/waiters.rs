//! Those who wait for a request to end. They are woken after the commit that ended it, never before.

use countersign_core::id::RequestId;
use countersign_core::request::Request;
use countersign_core::time::Millis;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

type Line = Vec<(u64, oneshot::Sender<Arc<Request>>)>;

/// How long after the last one left somebody still counts as waiting: clients that wait in slices come right back.
pub(crate) const GRACE: Millis = Millis(2_000);

#[derive(Default)]
struct Lines {
    next: u64,
    by_request: HashMap<RequestId, Line>,
    /// When the last one left, by the boot clock.
    left: HashMap<RequestId, Millis>,
}

/// The waiters of all requests.
#[derive(Clone, Default)]
pub(crate) struct Waiters(Arc<Mutex<Lines>>);

/// One place in line; dropping it leaves the line.
pub(crate) struct Place {
    waiters: Waiters,
    request: RequestId,
    number: u64,
    pub(crate) woken: oneshot::Receiver<Arc<Request>>,
}

impl Waiters {
    /// Stands in line. Read the request's state after this, not before: a fast person answers into the gap otherwise.
    pub(crate) fn stand(&self, request: &RequestId) -> Place {
        let (sender, woken) = oneshot::channel();
        let mut lines = self.lock();
        lines.next += 1;
        let number = lines.next;
        lines.by_request.entry(request.clone()).or_default().push((number, sender));
        Place { waiters: self.clone(), request: request.clone(), number, woken }
    }

    /// Wakes everyone who waits for this request.
    pub(crate) fn wake(&self, request: &Arc<Request>) {
        let line = {
            let mut lines = self.lock();
            lines.left.remove(&request.id);
            lines.by_request.remove(&request.id).unwrap_or_default()
        };
        for (_, sender) in line {
            // One that left in this moment reads the state when it comes back.
            let _ = sender.send(request.clone());
        }
    }

    /// Whether somebody waits, or did a moment ago.
    pub(crate) fn anyone(&self, request: &RequestId, boot: Millis) -> bool {
        let lines = self.lock();
        lines.by_request.contains_key(request) || lines.left.get(request).is_some_and(|at| boot.0 < at.0 + GRACE.0)
    }

    /// Leaves the line; true when nobody else stands in it.
    pub(crate) fn leave(&self, place: Place, boot: Millis) -> bool {
        let request = place.request.clone();
        drop(place);
        let mut lines = self.lock();
        lines.left.retain(|_, at| boot.0 < at.0 + GRACE.0);
        let empty = !lines.by_request.contains_key(&request);
        if empty {
            lines.left.insert(request, boot);
        }
        empty
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lines = self.waiters.lock();
        if let Some(line) = lines.by_request.get_mut(&self.request) {
            line.retain(|(number, _)| *number != self.number);
            if line.is_empty() {
                lines.by_request.remove(&self.request);
            }
        }
    }
}
