//! For how long a token holds: whatever is open under one ends at once when the person takes it away or replaces it.

use countersign_core::digest::Digest;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// One lease a token that was used since the start.
#[derive(Clone, Default)]
pub(crate) struct Leases(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    open: HashMap<Digest, CancellationToken>,
    ended: HashSet<Digest>,
}

impl Leases {
    /// The lease of a token that was found in the store; none when it ended since it was read there.
    pub(crate) fn of(&self, token: &Digest) -> Option<CancellationToken> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.ended.contains(token) {
            return None;
        }
        Some(state.open.entry(*token).or_default().clone())
    }

    /// The token holds no more; told after that was committed.
    pub(crate) fn end(&self, token: &Digest) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.insert(*token);
        if let Some(lease) = state.open.remove(token) {
            lease.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_ends_with_its_token_and_one_that_was_read_a_moment_before_is_none() {
        let leases = Leases::default();
        let (one, other) = (Digest([1; 32]), Digest([2; 32]));
        let (first, second, others) = (leases.of(&one), leases.of(&one), leases.of(&other));
        leases.end(&one);
        let over = |lease: &Option<CancellationToken>| lease.as_ref().map(CancellationToken::is_cancelled);
        assert_eq!([over(&first), over(&second), over(&others)], [Some(true), Some(true), Some(false)]);
        assert!(leases.of(&one).is_none());
    }
}
