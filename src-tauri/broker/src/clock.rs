//! What time it is. The only place that reads a clock.

use countersign_core::time::{Millis, Now, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// Both clocks, now.
    fn now(&self) -> Now;
}

/// The machine's clocks.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[cfg(target_os = "linux")]
    fn now(&self) -> Now {
        use rustix::time::{ClockId, clock_gettime};
        let millis = |id| {
            let time = clock_gettime(id);
            time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
        };
        Now {
            wall: Timestamp(millis(ClockId::Realtime)),
            boot: Millis(u64::try_from(millis(ClockId::Boottime)).unwrap_or(0)),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Now {
        use std::sync::OnceLock;
        use std::time::{Instant, SystemTime, UNIX_EPOCH};
        static START: OnceLock<Instant> = OnceLock::new();
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let boot = START.get_or_init(Instant::now).elapsed().as_millis();
        Now {
            wall: Timestamp(i64::try_from(wall).unwrap_or(i64::MAX)),
            boot: Millis(u64::try_from(boot).unwrap_or(u64::MAX)),
        }
    }
}

/// A clock that tests turn by hand.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Mutex<Now>>);

impl Default for ManualClock {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Now { wall: Timestamp(1_800_000_000_000), boot: Millis(1_000_000) })))
    }
}

impl ManualClock {
    /// Time passes, on both clocks.
    pub fn pass(&self, span: Millis) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.wall = now.wall.plus(span);
        now.boot.0 += span.0;
    }

    /// Somebody sets the wall clock; the boot clock goes on.
    pub fn set_wall(&self, wall: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).wall = wall;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Now {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
