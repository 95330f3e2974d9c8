//! Places for connections that showed no token yet. When all are taken, the longest silent one goes, once it had its grace;
//! else the newcomer is refused. So a crowd of silent sockets can't keep a paired agent out.

use crate::wire::Wire;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// All strangers' connections.
#[derive(Default)]
pub(crate) struct Strangers(Mutex<Places>);

#[derive(Default)]
struct Places {
    next: u64,
    taken: BTreeMap<u64, Stranger>,
}

struct Stranger {
    since: Instant,
    wire: Arc<Wire>,
    out: CancellationToken,
}

/// One place, given back when dropped.
pub(crate) struct Place {
    number: u64,
    strangers: Arc<Strangers>,
}

impl Strangers {
    fn places(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. `out` is cancelled when the place is needed for somebody else.
    pub(crate) fn enter(
        self: &Arc<Self>,
        wire: &Arc<Wire>,
        out: &CancellationToken,
        most: usize,
        grace: Duration,
    ) -> Option<Place> {
        let now = Instant::now();
        let mut places = self.places();
        if places.taken.len() >= most {
            let oldest = places
                .taken
                .iter()
                .find(|(_, stranger)| stranger.is_silent_for(grace, now))
                .map(|(number, _)| *number)?;
            if let Some(stranger) = places.taken.remove(&oldest) {
                stranger.out.cancel();
            }
        }
        let number = places.next;
        places.next += 1;
        places.taken.insert(number, Stranger { since: now, wire: Arc::clone(wire), out: out.clone() });
        Some(Place { number, strangers: Arc::clone(self) })
    }
}

impl Strangers {
    /// Sends away all silent ones that had their grace: there are no file descriptors left for those who speak.
    pub(crate) fn make_room(&self, grace: Duration) {
        let now = Instant::now();
        self.places().taken.retain(|_, stranger| {
            let goes = stranger.is_silent_for(grace, now);
            if goes {
                stranger.out.cancel();
            }
            !goes
        });
    }
}

impl Stranger {
    fn is_silent_for(&self, grace: Duration, now: Instant) -> bool {
        self.wire.is_silent() && now.saturating_duration_since(self.since) >= grace
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.strangers.places().taken.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_millis(250);

    fn wire() -> Arc<Wire> {
        Arc::new(Wire::new(Arc::new(|_| {})))
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_silent_stranger_makes_room_and_one_that_speaks_stays() {
        let strangers = Arc::new(Strangers::default());
        let (speaks, silent) = (wire(), wire());
        let (speaks_out, silent_out, out) =
            (CancellationToken::new(), CancellationToken::new(), CancellationToken::new());
        let _first = strangers.enter(&speaks, &speaks_out, 2, GRACE).expect("a place");
        let _second = strangers.enter(&silent, &silent_out, 2, GRACE).expect("a place");
        assert!(strangers.enter(&wire(), &out, 2, GRACE).is_none(), "within the grace nobody goes");
        tokio::time::advance(GRACE).await;
        speaks.serving();
        let third = strangers.enter(&wire(), &out, 2, GRACE).expect("a place");
        assert!(silent_out.is_cancelled());
        assert!(!speaks_out.is_cancelled());
        assert!(strangers.enter(&wire(), &out, 2, GRACE).is_none());
        strangers.make_room(GRACE);
        assert!(!out.is_cancelled(), "nobody silent had the grace yet");
        tokio::time::advance(GRACE).await;
        strangers.make_room(GRACE);
        assert!(out.is_cancelled());
        assert!(!speaks_out.is_cancelled());
        drop(third);
        assert!(strangers.enter(&wire(), &out, 2, GRACE).is_some());
    }
}
