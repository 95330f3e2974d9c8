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

    /// The moment for people, to the second: `2026-07-28 09:05:07 UTC`.
    pub fn utc(self) -> String {
        let (days, second) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000) / 1_000);
        // Days counted from a 1 March, so that a leap day is the last of its year (H. Hinnant, `civil_from_days`).
        let (era, day) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let (month, day) = ((5 * day + 2) / 153, day - (153 * ((5 * day + 2) / 153) + 2) / 5 + 1);
        let (year, month) = (year + era * 400 + i64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
        format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", second / 3_600, second / 60 % 60, second % 60)
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

    #[test]
    fn a_moment_is_written_for_people_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_785_229_507, "2026-07-28 09:05:07 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(Timestamp(seconds * 1_000).utc(), text);
        }
    }
}
