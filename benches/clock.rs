//! The clock of the benches. Absent: deadlines; nothing here fails for being slow.

use std::time::Instant;

/// Now.
#[expect(clippy::disallowed_methods, reason = "a bench measures; nothing of the product reads this clock")]
pub fn now() -> Instant {
    Instant::now()
}
