//! Text from agents, made safe to read: whatever can't be seen, or passes for something else, is shown as ⟦U+202E⟧.
//!
//! What a person decides on must be what the text says. Controls, bidirectional and zero-width characters, blanks that
//! push text out of sight, towers of marks and look-alike letters come out as [`Span::Escape`], which a surface draws
//! apart from the words. What looks like a secret is a [`Span::Secret`], which a surface masks until it is asked. Absent on
//! purpose: markup, any opinion on what the words mean. Linear in the text.

mod lookalike;
#[cfg(test)]
mod tests;

use crate::secret;
use serde::Serialize;
use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};

/// More marks than this on one letter are a tower (Zalgo); NFD in any living orthography needs fewer.
const MARKS: usize = 4;
/// More blanks in a row than this push what follows out of sight.
const BLANKS: usize = 40;
/// More newlines in a row than this push what follows out of sight.
const NEWLINES: usize = 20;
/// England, Scotland and Wales: the only tag sequences that draw something of their own.
const FLAG_TAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// A stretch of text as it may be drawn.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Span {
    /// Text that reads as what it is.
    Text {
        /// The text.
        text: String,
    },
    /// Something hidden or disguised, by name: `U+202E`, or `U+0020 ×120` for a run of the same.
    Escape {
        /// The name.
        text: String,
    },
    /// Text that looks like a secret ([`crate::secret`]).
    Secret {
        /// The text.
        text: String,
    },
}

/// What stands for a secret.
pub const MASK: &str = "••••••••";

/// A text whose hidden parts are shown.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct SafeText(pub Vec<Span>);

impl SafeText {
    /// A text of one line: newlines and tabs are shown too.
    pub fn line(text: &str) -> Self {
        Self::cut(text, false, &[]).pop().unwrap_or_default()
    }

    /// A text of several lines: newlines and tabs stay, and Windows' line ends become newlines.
    pub fn lines(text: &str) -> Self {
        Self::cut(text, true, &[]).pop().unwrap_or_default()
    }

    /// Several lines, judged as one text and then cut at the byte offsets `cuts` (ascending): one piece more than cuts.
    /// A word that markup divides is still one word to its reader.
    pub fn pieces(text: &str, cuts: &[usize]) -> Vec<Self> {
        Self::cut(text, true, cuts)
    }

    /// Several lines, judged as one text, each without its end: as many as [`str::lines`] gives.
    pub fn by_line(text: &str) -> Vec<Self> {
        let start = text.as_ptr() as usize;
        let mut cuts = Vec::new();
        for line in text.lines() {
            let at = line.as_ptr() as usize - start;
            cuts.extend([at, at + line.len()]);
        }
        // Before the first line stands nothing; after each stands its end.
        Self::pieces(text, &cuts).into_iter().skip(1).step_by(2).take(cuts.len() / 2).collect()
    }

    /// The text with its escapes drawn as ⟦U+202E⟧ and its secrets masked, for notifications, logs and screen readers.
    pub fn plain(&self) -> String {
        self.drawn(|_| MASK)
    }

    /// The same with its secrets, for one who asked for them.
    pub fn revealed(&self) -> String {
        self.drawn(|secret| secret)
    }

    fn drawn<'a>(&'a self, secret: impl Fn(&'a str) -> &'a str) -> String {
        let mut out = String::new();
        for span in &self.0 {
            match span {
                Span::Text { text } => out.push_str(text),
                Span::Escape { text } => out.extend(["⟦", text, "⟧"]),
                Span::Secret { text } => out.push_str(secret(text)),
            }
        }
        out
    }

    /// Whether anything was hidden or disguised.
    pub fn has_escapes(&self) -> bool {
        self.0.iter().any(|span| matches!(span, Span::Escape { .. }))
    }

    fn cut(text: &str, keep_lines: bool, cuts: &[usize]) -> Vec<Self> {
        let chars: Vec<char> = text.chars().collect();
        let mut verdicts = vec![Verdict::Show; chars.len()];
        if !text.is_ascii() {
            lookalike::judge(&chars, &mut verdicts);
        }
        judge(&chars, &mut verdicts, keep_lines);
        mark_secrets(text, &mut verdicts);
        let mut pieces = Vec::with_capacity(cuts.len() + 1);
        let (mut at, mut byte, mut cuts) = (0, 0, cuts.iter());
        loop {
            let (start, cut) = (at, cuts.next());
            while at < chars.len() && cut.is_none_or(|cut| byte < *cut) {
                byte += chars[at].len_utf8();
                at += 1;
            }
            pieces.push(draw(&chars[start..at], &verdicts[start..at]));
            if cut.is_none() {
                return pieces;
            }
        }
    }
}

/// What becomes of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Show,
    /// Part of what looks like a secret.
    Mask,
    Escape,
    /// One of a long run of blanks: named once, with how many there are.
    Pad,
    /// The first half of a Windows line end.
    Drop,
}

/// Secrets are found in the whole text, whatever it is cut into. What is hidden in one is shown all the same.
fn mark_secrets(text: &str, verdicts: &mut [Verdict]) {
    let mut secrets = secret::find(text).into_iter().peekable();
    if secrets.peek().is_none() {
        return;
    }
    for ((byte, _), verdict) in text.char_indices().zip(verdicts) {
        while secrets.next_if(|secret| secret.end <= byte).is_some() {}
        match secrets.peek() {
            Some(secret) if secret.contains(&byte) && *verdict == Verdict::Show => *verdict = Verdict::Mask,
            Some(_) => {}
            None => return,
        }
    }
}

fn judge(chars: &[char], verdicts: &mut [Verdict], keep_lines: bool) {
    // A mark needs something to stand on: after an escape, or at the start, it would change what the page drew before.
    let (mut base, mut marks, mut i) = (false, 0, 0);
    while i < chars.len() {
        let c = chars[i];
        let space = (i..chars.len()).take_while(|at| is_space(chars, *at, keep_lines)).count();
        if space > 0 {
            judge_space(&chars[i..i + space], &mut verdicts[i..i + space]);
            i += space;
            (base, marks) = (chars[i - 1] != '\n' && verdicts[i - 1] == Verdict::Show, 0);
        } else if let Some((_, length)) = drawn_escape(&chars[i..]) {
            (base, marks) = (false, 0);
            i += length;
        } else if c.is_ascii_graphic() {
            (base, marks) = (verdicts[i] == Verdict::Show, 0);
            i += 1;
        } else if is_part_of_emoji(chars, i) {
            i += 1;
        } else {
            let category = c.general_category();
            let stacks = matches!(category, GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark);
            let stands = !stacks || (base && marks < MARKS);
            base = verdicts[i] == Verdict::Show && !is_hidden(c, category) && stands;
            if !base {
                verdicts[i] = Verdict::Escape;
            }
            // A mark with a width of its own (Indic vowel signs) neither stacks nor starts a new letter.
            if stacks {
                marks += 1;
            } else if category != GeneralCategory::SpacingMark {
                marks = 0;
            }
            i += 1 + if c == '\u{1F3F4}' { flag_tags(&chars[i + 1..]) } else { 0 };
        }
    }
}

/// Whether a character is a blank that may stay, with newlines, tabs and Windows' line ends where lines are kept.
fn is_space(chars: &[char], at: usize, keep_lines: bool) -> bool {
    match chars[at] {
        ' ' | '\u{A0}' | '\u{3000}' => true,
        '\n' | '\t' => keep_lines,
        '\r' => keep_lines && chars.get(at + 1) == Some(&'\n'),
        _ => false,
    }
}

/// A whole run of [`is_space`].
fn judge_space(run: &[char], verdicts: &mut [Verdict]) {
    let padded = run.iter().filter(|c| **c == '\n').count() > NEWLINES;
    let mut at = 0;
    for line in run.split_inclusive(|c| *c == '\n') {
        let blanks = line.iter().filter(|c| !matches!(c, '\n' | '\r')).count();
        for c in line {
            verdicts[at] = match c {
                '\r' => Verdict::Drop,
                '\n' if padded => Verdict::Pad,
                '\n' => Verdict::Show,
                _ if padded || blanks > BLANKS => Verdict::Pad,
                _ => Verdict::Show,
            };
            at += 1;
        }
    }
}

/// Whether a character draws nothing, draws a blank, or draws what this machine's fonts happen to hold.
fn is_hidden(c: char, category: GeneralCategory) -> bool {
    use GeneralCategory as G;
    match category {
        G::Control | G::Format | G::PrivateUse | G::Unassigned | G::Surrogate => true,
        G::LineSeparator | G::ParagraphSeparator => true,
        // The blanks that may stay were taken before; these are of unusual width.
        G::SpaceSeparator => true,
        // Letters, marks and symbols by category, blank by design: joiners, fillers, selectors, placeholders.
        _ => matches!(c,
            '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{2800}'
            | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{FFFC}' | '\u{13441}'..='\u{13446}' | '\u{16FE4}'
            | '\u{1D159}' | '\u{E0100}'..='\u{E01EF}'),
    }
}

/// Whether a selector or joiner is part of an emoji that is drawn as one: ❤️, 1️⃣, 👩‍🚒.
fn is_part_of_emoji(chars: &[char], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map(|at| chars[at]);
    let emoji = |c: char| !c.is_ascii() && c.is_emoji_char();
    // All that is ever joined stands past the arrows; © and ® are emoji too, but join nothing.
    let joins = |c: char| c >= '\u{2190}' && emoji(c);
    match chars[at] {
        '\u{FE0F}' => before(1).is_some_and(|base| {
            emoji(base) || (matches!(base, '0'..='9' | '#' | '*') && chars.get(at + 1) == Some(&'\u{20E3}'))
        }),
        '\u{200D}' => {
            let base = if before(1) == Some('\u{FE0F}') { before(2) } else { before(1) };
            base.is_some_and(joins) && chars.get(at + 1).copied().is_some_and(joins)
        }
        _ => false,
    }
}

/// How many tag characters after a black flag make it England's, Scotland's or Wales'.
fn flag_tags(after: &[char]) -> usize {
    let tag = |c: char| char::from_u32(0xE0000 + c as u32).unwrap_or(c);
    let is_here = |name: &str| after.iter().copied().take(6).eq(name.chars().map(tag).chain(['\u{E007F}']));
    if FLAG_TAGS.into_iter().any(is_here) { 6 } else { 0 }
}

/// A text that already reads ⟦U+202E⟧, as [`SafeText::plain`] writes it: the character it names, and its length.
/// Known so that drawing a drawn text changes nothing.
fn drawn_escape(chars: &[char]) -> Option<(char, usize)> {
    let [first, rest @ ..] = chars.strip_prefix(&['⟦', 'U', '+'])? else { return None };
    let digits = 1 + rest.iter().take(6).take_while(|c| c.is_ascii_hexdigit()).count();
    let code = std::iter::once(first).chain(&rest[..digits - 1]).collect::<String>();
    let named = char::from_u32(u32::from_str_radix(&code, 16).ok()?)?;
    let mut at = 3 + digits;
    if let Some(count) = chars[at..].strip_prefix(&[' ', '×']) {
        at += 2 + count.iter().take(10).take_while(|c| c.is_ascii_digit()).count();
    }
    (chars.get(at) == Some(&'⟧')).then_some((named, at + 1))
}

/// One piece, its neighbouring texts and equal escapes merged.
fn draw(chars: &[char], verdicts: &[Verdict]) -> SafeText {
    let mut spans = Vec::new();
    let (mut text, mut same) = ((String::new(), Verdict::Show), None::<(char, usize)>);
    // A run of padding may mix blanks; each kind is named once, so that a megabyte of it stays a line.
    let mut padding: Vec<(char, usize)> = Vec::new();
    for (c, verdict) in chars.iter().zip(verdicts) {
        if *verdict == Verdict::Pad {
            match padding.iter_mut().find(|(blank, _)| blank == c) {
                Some((_, count)) => *count += 1,
                None => padding.push((*c, 1)),
            }
            continue;
        }
        if *verdict == Verdict::Drop {
            continue;
        }
        if !padding.is_empty() || (*verdict != Verdict::Escape && same.is_some()) {
            end_text(&mut spans, &mut text, &mut same);
            spans.extend(padding.drain(..).map(escape));
        }
        match (verdict, &mut same) {
            (Verdict::Escape, Some((last, count))) if last == c => *count += 1,
            (Verdict::Escape, _) => {
                end_text(&mut spans, &mut text, &mut same);
                same = Some((*c, 1));
            }
            (verdict, _) => {
                if text.1 != *verdict {
                    end_text(&mut spans, &mut text, &mut same);
                    text.1 = *verdict;
                }
                text.0.push(*c);
            }
        }
    }
    end_text(&mut spans, &mut text, &mut same);
    spans.extend(padding.into_iter().map(escape));
    SafeText(spans)
}

/// Ends the text or the run of one escape that is open (never both are).
fn end_text(spans: &mut Vec<Span>, (text, kind): &mut (String, Verdict), same: &mut Option<(char, usize)>) {
    if !text.is_empty() {
        let text = std::mem::take(text);
        spans.push(if *kind == Verdict::Mask { Span::Secret { text } } else { Span::Text { text } });
    }
    spans.extend(same.take().map(escape));
}

fn escape((c, count): (char, usize)) -> Span {
    let code = c as u32;
    Span::Escape { text: if count == 1 { format!("U+{code:04X}") } else { format!("U+{code:04X} ×{count}") } }
}
