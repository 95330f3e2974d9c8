//! Plans of 200 kB: drawn as the dialog does it (the tree of the markdown, and each line for remarks), and compared with the
//! revision before (line by line, word by word, made safe to show), each down to the JSON that the page gets.

use crate::clock;
use crate::spread::Rounds;
use crate::table::{Budget, row};
use countersign_core::markdown;
use countersign_core::revision::{self, Hunk};
use countersign_core::safe_text::SafeText;

const BYTES: usize = 200_000;
const ROUNDS: usize = 5;
const TIMES: usize = 5;
/// Milliseconds for each.
const BUDGET: f64 = 100.0;

/// A plan, and the revision before it.
struct Case {
    what: &'static str,
    before: String,
    now: String,
}

/// Measures and tells.
pub fn run() -> anyhow::Result<()> {
    for case in cases() {
        anyhow::ensure!(case.now.len() >= BYTES && case.now.len() < BYTES * 6 / 5, "{} bytes", case.now.len());
        measured(&format!("plans: draw 200 kB, {}", case.what), || drawn(&case.now))?;
        measured(&format!("plans: compare 200 kB, {}", case.what), || compared(&case.before, &case.now))?;
    }
    Ok(())
}

fn drawn(plan: &str) -> anyhow::Result<usize> {
    let tree = markdown::parse(plan);
    let lines = SafeText::by_line(plan);
    Ok(markdown::parts(&tree) + serde_json::to_vec(&tree)?.len() + serde_json::to_vec(&lines)?.len())
}

fn compared(before: &str, now: &str) -> anyhow::Result<usize> {
    let hunks = revision::hunks(before, now);
    let lines: Vec<Vec<SafeText>> = hunks.iter().flat_map(shown).collect();
    Ok(serde_json::to_vec(&lines)?.len())
}

/// Each line judged whole and cut where it differs.
fn shown(hunk: &Hunk) -> impl Iterator<Item = Vec<SafeText>> {
    hunk.lines.iter().map(|line| {
        let whole: String = line.spans.iter().map(|span| span.text.as_str()).collect();
        let ends = line.spans.iter().scan(0, |at, span| {
            *at += span.text.len();
            Some(*at)
        });
        SafeText::pieces(&whole, &ends.collect::<Vec<_>>())
    })
}

/// One row; the slow end is what is held to the budget.
fn measured(what: &str, once: impl Fn() -> anyhow::Result<usize>) -> anyhow::Result<()> {
    let mut rounds = Rounds::default();
    for _ in 0..ROUNDS {
        let mut samples = Vec::with_capacity(TIMES);
        for _ in 0..TIMES {
            let start = clock::now();
            std::hint::black_box(once()?);
            samples.push(start.elapsed());
        }
        rounds.add(samples);
    }
    row(what, &rounds.shown(), "–", rounds.p99() / 1e3, Budget::AtMost(BUDGET, " ms"));
    Ok(())
}

fn cases() -> Vec<Case> {
    let prose = prose(1);
    let paragraph = words(2, BYTES);
    let middle = floor(&paragraph, BYTES / 2);
    let short: String = (0..20_000).map(|n| format!("- {:07}\n", n * 7_919 % 9_999_991)).collect();
    let long: Vec<String> = (0..132).map(|n| words(n, 1_530)).collect();
    vec![
        Case { what: "prose", before: edited(&prose), now: prose.clone() },
        Case { what: "prose of which all changed", before: self::prose(99), now: prose },
        Case {
            what: "one paragraph",
            before: format!("Then {} other words {}", &paragraph[..middle], &paragraph[middle..]),
            now: paragraph.clone() + " and no more",
        },
        Case { what: "one paragraph of which all changed", before: words(98, BYTES), now: paragraph },
        Case {
            what: "20,000 lines",
            before: short.lines().enumerate().filter(|(n, _)| n % 3 > 0).map(|(_, line)| format!("{line}\n")).collect(),
            now: short.clone(),
        },
        Case {
            what: "20,000 lines of which all changed",
            before: (0..20_000).map(|n| format!("- {:07}\n", n * 104_729 % 9_999_973)).collect(),
            now: short.clone(),
        },
        Case {
            what: "20,000 lines in another order",
            before: short.lines().rev().map(|line| format!("{line}\n")).collect(),
            now: short,
        },
        Case {
            what: "lines of 200 words of which every second changed",
            before: long.iter().map(|line| alternated(line) + "\n").collect(),
            now: long.join("\n") + "\n",
        },
    ]
}

/// Headings, paragraphs, lists and code.
fn prose(seed: usize) -> String {
    let mut text = String::new();
    let mut n = seed * 1_000;
    while text.len() < BYTES {
        n += 1;
        text += &match n % 5 {
            0 => format!("## {}\n\n", words(n, 30)),
            1 | 2 => format!("{} **{}** {}\n\n", words(n, 300), words(n + 7, 20), words(n + 11, 80)),
            3 => format!("1. {}\n2. `{}`\n   - {}\n\n", words(n, 60), words(n + 3, 12), words(n + 5, 40)),
            _ => format!("```sh\n{}\n{}\n```\n\n", words(n, 50), words(n + 9, 40)),
        };
    }
    text
}

/// One line of about so many bytes.
fn words(seed: usize, bytes: usize) -> String {
    const WORDS: [&str; 16] = [
        "ledger", "move", "the", "retry", "of", "canción", "and", "token", "window", "plan", "to", "step", "día",
        "webhook", "queue", "a",
    ];
    let mut text = String::new();
    let mut at = seed as u64 + 1;
    while text.len() < bytes {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let n = (at >> 33) as usize;
        text += WORDS[n % WORDS.len()];
        text += &format!("{} ", n % 977);
    }
    text.trim_end().to_owned()
}

/// A word in every tenth line is another, and some lines are gone.
fn edited(text: &str) -> String {
    let lines = text.lines().enumerate().filter(|(n, _)| n % 37 != 5);
    lines
        .map(|(n, line)| if n % 10 == 0 { line.replacen("plan", "scheme", 1) + "\n" } else { format!("{line}\n") })
        .collect()
}

fn alternated(line: &str) -> String {
    let word = |(n, word): (usize, &str)| if n % 2 == 0 { word.to_owned() } else { format!("x{}", n * 7 % 50) };
    line.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
