//! Samples, and what is told of them: the median over rounds of each round's p50 and p99, and ratios within a round.

use std::time::Duration;

/// What was measured, round by round, in microseconds.
#[derive(Debug, Default)]
pub struct Rounds {
    p50: Vec<f64>,
    p99: Vec<f64>,
}

impl Rounds {
    /// Adds one round's samples.
    pub fn add(&mut self, samples: Vec<Duration>) {
        let mut micros: Vec<f64> = samples.iter().map(|sample| sample.as_secs_f64() * 1e6).collect();
        self.p50.push(quantile(&mut micros, 0.50));
        self.p99.push(quantile(&mut micros, 0.99));
    }

    /// The typical sample.
    pub fn p50(&self) -> f64 {
        median(&self.p50)
    }

    /// The slow end.
    pub fn p99(&self) -> f64 {
        median(&self.p99)
    }

    /// How many times the peer's typical sample: each round beside the same round, for the machine changes meanwhile.
    pub fn over(&self, peer: &Self) -> f64 {
        let ratios: Vec<f64> = self.p50.iter().zip(&peer.p50).map(|(ours, theirs)| ours / theirs).collect();
        median(&ratios)
    }

    /// `p50 / p99` as people read it.
    pub fn shown(&self) -> String {
        format!("{} / {}", micros(self.p50()), micros(self.p99()))
    }
}

/// A span in the unit that suits it.
pub fn micros(micros: f64) -> String {
    match micros {
        small if small < 1_000.0 => format!("{small:.0} µs"),
        middle if middle < 1e6 => format!("{:.2} ms", middle / 1e3),
        large => format!("{:.2} s", large / 1e6),
    }
}

/// The middle one.
pub fn median(values: &[f64]) -> f64 {
    quantile(&mut values.to_vec(), 0.5)
}

fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len().saturating_sub(1) as f64 * part).round() as usize;
    values.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_slow_end_are_told_and_ratios_are_within_a_round() {
        let spans = |range: std::ops::RangeInclusive<u64>| range.map(Duration::from_micros).collect::<Vec<_>>();
        let (mut ours, mut peer) = (Rounds::default(), Rounds::default());
        for slower in [1, 10, 1] {
            ours.add(spans(1..=201).into_iter().map(|span| span * 2 * slower).collect());
            peer.add(spans(1..=201).into_iter().map(|span| span * slower).collect());
        }
        assert_eq!(peer.shown(), "101 µs / 199 µs");
        assert_eq!(ours.over(&peer), 2.0);
    }
}
