//! How long the nearest of 100,000 titles take, and whether an edited title is found: `cargo run --release -p
//! countersign-core --example titles_bench`.

use countersign_core::id::SpecId;
use countersign_core::titles::TitleIndex;
use std::time::Instant;

const TITLES: u32 = 100_000;
const LOOK_UPS: usize = 2_000;

/// A xorshift generator: the same titles each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// 600 words of two to four syllables, so that many titles share many trigrams.
fn words(dice: &mut Dice) -> Vec<String> {
    let syllables =
        ["re", "tri", "web", "ho", "ok", "in", "vo", "ice", "log", "ex", "port", "sa", "les", "pa", "ge", "da", "ta"];
    let word = |dice: &mut Dice| (0..2 + dice.below(3)).map(|_| syllables[dice.below(syllables.len())]).collect();
    (0..600).map(|_| word(dice)).collect()
}

#[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
fn now() -> Instant {
    Instant::now()
}

fn main() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let words = words(&mut dice);
    let title = |dice: &mut Dice| {
        let picked: Vec<&str> = (0..4 + dice.below(6)).map(|_| words[dice.below(words.len())].as_str()).collect();
        picked.join(" ")
    };
    let titles: Vec<String> = (0..TITLES).map(|_| title(&mut dice)).collect();
    let start = now();
    let mut index = TitleIndex::new();
    for (n, title) in (1..).zip(&titles) {
        index.insert(SpecId(n), title);
    }
    println!("{} titles indexed in {} ms", index.len(), start.elapsed().as_millis());

    let mut micros = Vec::new();
    let (mut found, mut alike) = (0, 0);
    for _ in 0..LOOK_UPS {
        let of = dice.below(titles.len());
        let mut chars: Vec<char> = titles[of].chars().collect();
        for _ in 0..=dice.below(2) {
            let at = 1 + dice.below(chars.len() - 2);
            match dice.below(3) {
                0 => chars.swap(at, at - 1),
                1 => drop(chars.remove(at)),
                _ => chars.insert(at, 'x'),
            }
        }
        let edited: String = chars.into_iter().collect();
        let start = now();
        let near = index.nearest(&edited, 5);
        micros.push(start.elapsed().as_micros());
        found += usize::from(near.iter().any(|near| near.id == SpecId(of as u32 + 1)));
        let mut alone = TitleIndex::new();
        alone.insert(SpecId(1), &titles[of]);
        alike += alone.nearest(&edited, 1).len();
    }
    micros.sort_unstable();
    let at = |percent: usize| micros[(micros.len() - 1) * percent / 100];
    println!(
        "{LOOK_UPS} look-ups of titles with one or two edits: p50 {} µs, p99 {} µs, longest {} µs",
        at(50),
        at(99),
        at(100)
    );
    println!("{alike} of them are alike by the rules, {found} were found among all");
}
