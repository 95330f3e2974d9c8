//! Moments and spans. Nothing here knows what time it is.

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00:00Z (UTC), as the wall clock had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// A span in milliseconds, never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// A span of whole seconds.
    pub const fn seconds(n: u64) -> Self {
        Self(n * 1_000)
    }
}

impl Timestamp {
    /// The moment `span` later; saturates at the end of time.
    pub fn plus(self, span: Millis) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.0).unwrap_or(i64::MAX)))
    }

    /// How long from `earlier` to this moment; zero when the clock went back.
    pub fn since(self, earlier: Self) -> Millis {
        Millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// What a clock says at one moment: the wall for people and files, the boot clock for waiting.
///
/// The boot clock (Linux `CLOCK_BOOTTIME`) never goes back and counts while the machine sleeps; the wall may jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// The wall clock.
    pub wall: Timestamp,
    /// Time since the machine started, sleep included.
    pub boot: Millis,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_went_back_gives_no_negative_span() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), Millis(0));
        assert_eq!(Timestamp(i64::MAX).plus(Millis(u64::MAX)), Timestamp(i64::MAX));
    }
}
