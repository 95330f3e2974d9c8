//! Token buckets: one an agent for calls that create something, one for all starts of pairing. Absent: a clock; a moment is an
//! argument.

use countersign_core::id::AgentId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A bucket that holds `burst` tokens and gets `per` of them back each `period`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    burst: f64,
    per_second: f64,
}

impl Rate {
    pub(crate) fn new(burst: u32, refill: u32, period: Duration) -> Self {
        let per_second = f64::from(refill.max(1)) / period.as_secs_f64().max(f64::MIN_POSITIVE);
        Self { burst: f64::from(burst.max(1)), per_second }
    }
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Bucket {
    fn full(rate: Rate, now: Instant) -> Self {
        Self { tokens: rate.burst, at: now }
    }

    fn refill(&mut self, rate: Rate, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + passed * rate.per_second).min(rate.burst);
        self.at = now;
    }

    /// Takes a token, or says in how many whole seconds there is one.
    fn take(&mut self, rate: Rate, now: Instant) -> Result<(), u64> {
        self.refill(rate, now);
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        Err((((1.0 - self.tokens) / rate.per_second).ceil() as u64).max(1))
    }
}

/// One bucket for everybody.
#[derive(Debug)]
pub(crate) struct Shared {
    rate: Rate,
    bucket: Mutex<Option<Bucket>>,
}

impl Shared {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, bucket: Mutex::new(None) }
    }

    /// Takes a token, or says in how many seconds to come back.
    pub(crate) fn take(&self, now: Instant) -> Result<(), u64> {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.get_or_insert_with(|| Bucket::full(self.rate, now)).take(self.rate, now)
    }
}

/// One bucket an agent. Full buckets are forgotten, so that the map is never larger than the agents of the last seconds.
#[derive(Debug)]
pub(crate) struct PerAgent {
    rate: Rate,
    buckets: Mutex<HashMap<AgentId, Bucket>>,
}

const FORGET_ABOVE: usize = 64;

impl PerAgent {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes a token of this agent, or says in how many seconds to come back.
    pub(crate) fn take(&self, agent: &AgentId, now: Instant) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > FORGET_ABOVE {
            buckets.retain(|_, bucket| {
                bucket.refill(self.rate, now);
                bucket.tokens < self.rate.burst
            });
        }
        buckets.entry(agent.clone()).or_insert_with(|| Bucket::full(self.rate, now)).take(self.rate, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(n: usize) -> AgentId {
        AgentId(n.to_string())
    }

    #[test]
    fn a_thousand_asks_in_a_second_from_one_agent_are_cut_and_another_agent_is_unaffected() {
        let rates = PerAgent::new(Rate::new(256, 64, Duration::from_secs(1)));
        let start = Instant::now();
        let taken = |agent: &AgentId, n: u32| {
            (0..n).filter(|i| rates.take(agent, start + Duration::from_secs(1) * *i / n).is_ok()).count()
        };
        assert!((319..=320).contains(&taken(&agent(1), 1_000)));
        assert_eq!(taken(&agent(2), 10), 10);
        assert_eq!(rates.take(&agent(1), start + Duration::from_secs(1)), Err(1));
        assert_eq!(rates.take(&agent(1), start + Duration::from_secs(2)), Ok(()));
    }

    #[test]
    fn agents_that_went_quiet_are_forgotten() {
        let rates = PerAgent::new(Rate::new(2, 1, Duration::from_secs(1)));
        let start = Instant::now();
        for n in 0..1_000 {
            assert_eq!(rates.take(&agent(n), start + Duration::from_secs(n as u64)), Ok(()));
        }
        assert!(rates.buckets.lock().expect("not poisoned").len() <= FORGET_ABOVE + 1);
    }

    #[test]
    fn a_refusal_says_when_to_come_back() {
        let shared = Shared::new(Rate::new(1, 6, Duration::from_secs(60)));
        let start = Instant::now();
        assert_eq!(shared.take(start), Ok(()));
        assert_eq!(shared.take(start), Err(10));
        assert_eq!(shared.take(start + Duration::from_secs(10)), Ok(()));
    }
}
