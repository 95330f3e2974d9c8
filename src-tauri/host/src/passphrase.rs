//! The passphrase: kept as an Argon2id digest (RFC 9106), and tried only so often.

use crate::error::HostError;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use countersign_core::time::{Millis, Now};
use std::sync::{Mutex, PoisonError};

/// The setting that holds the digest.
pub(crate) const SETTING: &str = "passphrase";
/// Characters of a passphrase at the least.
const LEAST: usize = 8;
/// Wrong tries until a pause.
const TRIES: u32 = 5;
/// The pause.
const PAUSE: Millis = Millis(60_000);

/// What is kept of a new passphrase.
pub(crate) fn digest(passphrase: &str) -> Result<String, HostError> {
    if passphrase.chars().count() < LEAST {
        return Err(HostError::ShortPassphrase { least: LEAST });
    }
    let hash = Argon2::default().hash_password(passphrase.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| HostError::Digest(error.to_string()))
}

/// Whether this is the passphrase.
pub(crate) fn fits(passphrase: &str, kept: &str) -> bool {
    let Ok(kept) = PasswordHash::new(kept) else { return false };
    Argon2::default().verify_password(passphrase.as_bytes(), &kept).is_ok()
}

/// Counts wrong tries over all terminals.
#[derive(Debug, Default)]
pub(crate) struct Tries {
    state: Mutex<(u32, Option<Millis>)>,
    /// One try at a time: many at once would all be judged before the first is counted, and each takes 19 MiB.
    pub(crate) turn: tokio::sync::Mutex<()>,
}

impl Tries {
    /// Seconds until another try is allowed; none when it is.
    pub(crate) fn wait(&self, now: Now) -> Option<u64> {
        let (_, until) = *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| *until > now.boot).map(|until| (until.0 - now.boot.0).div_ceil(1_000))
    }

    /// Writes down how a try went.
    pub(crate) fn tried(&self, fits: bool, now: Now) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = if fits { 0 } else { state.0 + 1 };
        *state = if wrong >= TRIES { (0, Some(Millis(now.boot.0 + PAUSE.0))) } else { (wrong, None) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::time::Timestamp;

    #[test]
    fn a_passphrase_is_recognised_by_its_digest_and_a_short_one_is_refused() {
        let kept = digest("correct horse").expect("digested");
        assert!(kept.starts_with("$argon2id$") && !kept.contains("horse"));
        assert!(fits("correct horse", &kept));
        assert!(!fits("correct horsf", &kept));
        assert!(!fits("correct horse", "garbage"));
        assert!(matches!(digest("seven77"), Err(HostError::ShortPassphrase { least: 8 })));
    }

    #[test]
    fn five_wrong_tries_make_a_pause() {
        let tries = Tries::default();
        let at = |seconds: u64| Now { wall: Timestamp(0), boot: Millis::seconds(seconds) };
        for _ in 0..4 {
            tries.tried(false, at(0));
        }
        assert_eq!(tries.wait(at(0)), None);
        tries.tried(false, at(0));
        assert_eq!((tries.wait(at(0)), tries.wait(at(59)), tries.wait(at(60))), (Some(60), Some(1), None));
    }
}
