//! Specs, a hundred thousand of them: is there one of this title, where are these words, and a page of the list.

use crate::clock;
use crate::spread::Rounds;
use crate::table::{Budget, row};
use countersign_broker::{Broker, SpecPage, SystemClock};
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::spec::{NewCriterion, NewSpec, Status};
use countersign_core::time::Timestamp;
use countersign_store::{Store, StoreError};
use std::path::Path;
use std::sync::Arc;

const SPECS: u64 = 100_000;
const BATCH: u64 = 5_000;
const PAGE: u32 = 50;
const FOUND: u32 = 20;
const ROUNDS: usize = 3;
const READS: usize = 200;

/// Measures and tells.
pub fn run(folder: &Path) -> anyhow::Result<()> {
    let start = clock::now();
    let (broker, workspace, titles) = fill(&folder.join("specs.db"))?;
    let filled = start.elapsed().as_secs();

    let start = clock::now();
    broker.near_titles(workspace, "The first look makes the index")?;
    let built = start.elapsed().as_secs_f64();
    let beside = format!("filled in {filled} s");
    row("specs: index of 100 k titles, made once", "", &beside, built, Budget::None(" s"));

    let mut dice = Dice(7);
    measured("specs: near-duplicate of a title with a typo, of 100 k", 5.0, |_| {
        let title = mistyped(&titles[dice.below(titles.len())]);
        anyhow::ensure!(!broker.near_titles(workspace, &title)?.is_empty(), "{title:?} was not found");
        Ok(())
    })?;
    measured("specs: no near-duplicate, of 100 k", 5.0, |n| {
        broker.near_titles(workspace, &format!("Quite another matter {n} of zeppelins"))?;
        Ok(())
    })?;
    let (common, middle, rare) = (word(0), word(200), word(WORDS - 5));
    for (what, words) in [
        ("a word of most", common.clone()),
        ("a word of some", middle.clone()),
        ("a rare word", rare.clone()),
        ("two common words", format!("{common} {}", word(1))),
        ("a common and a rare word", format!("{common} {rare}")),
        ("one letter", common[..1].to_owned()),
        ("three letters of a common word", common[..3].to_owned()),
        ("all but the last letter of a common word", common[..common.len() - 1].to_owned()),
        ("no word of any", "zeppelin".to_owned()),
    ] {
        measured(&format!("specs: first {FOUND} with {what}, of 100 k"), 10.0, |_| {
            broker.search_specs(workspace, &words, FOUND)?;
            Ok(())
        })?;
    }
    for (what, after, status) in
        [("first", None, None), ("middle", Some(SpecId(50_000)), None), ("first in draft", None, Some(Status::Draft))]
    {
        for newest_first in [false, true] {
            let order = if newest_first { "newest" } else { "oldest" };
            let page = SpecPage { status, after, newest_first, limit: PAGE };
            measured(&format!("specs: {what} page of {PAGE}, {order} first, of 100 k"), 2.0, |_| {
                let rows = broker.list_specs(workspace, page)?;
                anyhow::ensure!(rows.len() == PAGE as usize, "{} rows", rows.len());
                Ok(())
            })?;
        }
    }
    measured("specs: how many in each status, of 100 k", 10.0, |_| {
        broker.read(|db| Ok(db.spec_counts(workspace)?))?;
        Ok(())
    })
}

/// One row; the slow end is what is held to the budget, in milliseconds.
fn measured(what: &str, budget: f64, mut look: impl FnMut(usize) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut rounds = Rounds::default();
    for round in 0..ROUNDS {
        let mut samples = Vec::with_capacity(READS);
        for n in 0..READS {
            let start = clock::now();
            look(round * READS + n)?;
            samples.push(start.elapsed());
        }
        rounds.add(samples);
    }
    row(what, &rounds.shown(), "–", rounds.p99() / 1e3, Budget::AtMost(budget, " ms"));
    Ok(())
}

const WORDS: usize = 5_000;

/// The n-th most common word: two to four syllables.
fn word(n: usize) -> String {
    const SYLLABLES: [&str; 20] = [
        "re", "fun", "da", "web", "ho", "ken", "lo", "gin", "pa", "ci", "tor", "ma", "len", "qui", "bro", "sal", "ver",
        "ne", "du", "xi",
    ];
    let mut left = n + SYLLABLES.len();
    let mut text = String::new();
    while left > 0 {
        text.push_str(SYLLABLES[left % SYLLABLES.len()]);
        left /= SYLLABLES.len();
    }
    text + "s"
}

/// A generator that gives the same every time (Knuth's MMIX multiplier).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        (self.roll() % n as u64) as usize
    }

    /// As words are spread in text: the n-th is about n times rarer than the first.
    fn word(&mut self) -> String {
        let part = (self.roll() as f64 + 1.0) / (1_u64 << 31) as f64;
        word(((WORDS as f64).powf(part) as usize).saturating_sub(1).min(WORDS - 1))
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// Two letters of its longest word change places.
fn mistyped(title: &str) -> String {
    let longest = title.split(' ').max_by_key(|word| word.len()).unwrap_or_default();
    let mut letters: Vec<char> = longest.chars().collect();
    let middle = letters.len() / 2;
    letters.swap(middle, middle - 1);
    title.replacen(longest, &letters.into_iter().collect::<String>(), 1)
}

fn fill(path: &Path) -> anyhow::Result<(Broker, WorkspaceId, Vec<String>)> {
    let mut store = Store::open(path)?;
    let workspace = store.write(|tx| tx.insert_workspace("/bench", Timestamp(0)))?.id;
    let mut dice = Dice(1);
    let mut titles = Vec::new();
    for batch in 0..SPECS / BATCH {
        store.write(|tx| {
            for n in batch * BATCH..(batch + 1) * BATCH {
                let new = NewSpec {
                    title: dice.text(6),
                    body: dice.text(120),
                    criteria: (0..3).map(|_| NewCriterion::plain(dice.text(10))).collect(),
                };
                let spec = tx.insert_spec(workspace, None, &new, None, Timestamp(n as i64))?;
                if n % 3 == 0 {
                    tx.set_spec_status(workspace, spec.id, Status::Done, Timestamp(n as i64))?;
                }
                titles.push(new.title);
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok((Broker::start(store, Arc::new(SystemClock), Arc::new(()))?, workspace, titles))
}
