//! What is kept of what a run prints: the first and the last half of a limit, and a line that says what is missing between.
//!
//! Bytes as they came, of both of its streams in order of arrival. They are made readable when they are shown.

use crate::limit::RUN_OUTPUT_BYTES;
use crate::safe_text::SafeText;
use std::collections::VecDeque;

/// Room for the line that stands where something was cut.
const LINE: usize = 128;
/// What is kept at each end.
const HALF: usize = (RUN_OUTPUT_BYTES - LINE) / 2;

/// A growing output.
#[derive(Debug, Default)]
pub struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Output {
    /// More came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = HALF.saturating_sub(self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(HALF)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(HALF);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    /// How many bytes came in all.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// What is kept, with the line where something was cut: never more than [`RUN_OUTPUT_BYTES`].
    pub fn kept(&self) -> Vec<u8> {
        let (first, second) = self.tail.as_slices();
        if self.total == (self.head.len() + self.tail.len()) as u64 {
            return [&self.head, first, second].concat();
        }
        // A character that the cut divides goes with what was cut.
        let head = &self.head[..self.head.len() - broken_end(&self.head)];
        let skip = self.tail.iter().take(3).take_while(|byte| is_continuation(**byte)).count();
        let tail: Vec<u8> = self.tail.iter().skip(skip).copied().collect();
        let cut = self.total - (head.len() + tail.len()) as u64;
        let line = format!("\n[Countersign cut {cut} bytes here]\n");
        [head, line.as_bytes(), &tail].concat()
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// How many bytes at the end begin a UTF-8 character and do not end it.
fn broken_end(bytes: &[u8]) -> usize {
    let back = bytes.iter().rev().take(3).take_while(|byte| is_continuation(**byte)).count();
    let Some(lead) = bytes.len().checked_sub(back + 1).map(|at| bytes[at]) else { return 0 };
    let needs = match lead {
        0b1100_0000..=0b1101_1111 => 2,
        0b1110_0000..=0b1110_1111 => 3,
        0b1111_0000..=0b1111_0111 => 4,
        _ => return 0,
    };
    if back + 1 < needs { back + 1 } else { 0 }
}

/// Output as plain text: terminals' colours and cursor movements are left out, what is no UTF-8 is shown as `�`, and a line that
/// is written over (a progress bar) becomes lines. Still text from elsewhere: see [`shown`] and [`SafeText`].
pub fn text(bytes: &[u8]) -> String {
    let lossy = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(lossy.len());
    let mut chars = lossy.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\u{9b}' => skip_control(&mut chars),
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            c => out.push(c),
        }
    }
    out
}

/// Skips what follows an ESC: `[ … letter` (ECMA-48 CSI), `] … BEL` or `] … ESC \` (OSC), or one character.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_control(chars);
        }
        Some(']') => {
            // One that never ends hides no line after it.
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
                    return;
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            chars.next();
            chars.next_if(char::is_ascii_graphic);
        }
        Some(c) if ('0'..='~').contains(c) => {
            chars.next();
        }
        Some(_) | None => {}
    }
}

/// Skips parameters and the letter that ends them.
fn skip_control(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// Output as a person or a model reads it: plain, with what hides or disguises something shown, and secrets masked.
pub fn shown(bytes: &[u8]) -> String {
    SafeText::lines(&text(bytes)).plain()
}

/// The last `most` bytes, from the start of a line where there is one; and how many bytes were left out before.
pub fn tail(bytes: &[u8], most: usize) -> (&[u8], usize) {
    let Some(from) = bytes.len().checked_sub(most).filter(|from| *from > 0) else { return (bytes, 0) };
    let line = bytes[from..].iter().position(|byte| *byte == b'\n').map_or(from, |at| from + at + 1);
    let from = if line < bytes.len() { line } else { from };
    (&bytes[from..], from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(chunks: &[&[u8]]) -> Output {
        let mut output = Output::default();
        chunks.iter().for_each(|chunk| output.push(chunk));
        output
    }

    #[test]
    fn what_fits_is_kept_whole_and_what_does_not_loses_its_middle_with_the_bytes_counted() {
        assert_eq!(of(&[b"one\n", b"", b"two\n"]).kept(), b"one\ntwo\n");
        let exact = of(&[&[b'x'; 2 * HALF]]);
        assert_eq!(exact.kept().len(), 2 * HALF, "not a byte over: nothing is cut");
        let mut long = of(&[b"first line\n"]);
        for n in 0..300_000 {
            long.push(format!("line {n}\n").as_bytes());
        }
        let kept = long.kept();
        assert!(kept.len() <= RUN_OUTPUT_BYTES);
        let kept = String::from_utf8(kept).expect("ASCII");
        assert!(kept.starts_with("first line\nline 0\n") && kept.ends_with("line 299999\n"));
        let (_, after) = kept.split_once("[Countersign cut ").expect("said");
        let cut: u64 = after.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        let line = format!("\n[Countersign cut {cut} bytes here]\n");
        assert_eq!(kept.len() as u64 - line.len() as u64 + cut, long.total());
    }

    #[test]
    fn a_character_that_the_cut_divides_goes_whole() {
        for shift in 0..4 {
            let mut output = of(&[&vec![b'.'; shift]]);
            output.push("é€😀".repeat(200_000).as_bytes());
            assert!(String::from_utf8(output.kept()).is_ok(), "{shift}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn how_it_came_in_pieces_does_not_matter(bytes in prop::collection::vec(any::<u8>(), 0..2_000), at in 0_usize..2_000) {
            let at = at.min(bytes.len());
            let big = [b"x".repeat(RUN_OUTPUT_BYTES - 700), bytes.clone()].concat();
            let whole = of(&[&big]);
            let pieces = of(&[&big[..big.len() - at], &big[big.len() - at..]]);
            prop_assert_eq!(whole.kept(), pieces.kept());
            prop_assert!(whole.kept().len() <= RUN_OUTPUT_BYTES);
        }

        #[test]
        fn any_bytes_can_be_shown(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let shown = shown(&bytes);
            prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{:?}", shown);
        }
    }

    #[test]
    fn colours_and_cursor_movements_are_left_out_and_what_else_is_hidden_is_shown() {
        for (given, want) in [
            (&b"\x1b[1;31merror\x1b[0m: no\n"[..], "error: no\n"),
            (b"10%\r20%\r\nend\r\n", "10%\n20%\nend\n"),
            (b"\x1b]0;title\x07text", "text"),
            (b"\x1b]0;title\x1b\\text", "text"),
            (b"\x1b]never ends\nnext", "\nnext"),
            (b"\x1b[2K\x1b(Bdone\x1b[", "done"),
            (b"\xff\xfe ok", "\u{fffd}\u{fffd} ok"),
            (b"a\x00b\x08", "a⟦U+0000⟧b⟦U+0008⟧"),
            ("safe\u{202e}txt".as_bytes(), "safe⟦U+202E⟧txt"),
        ] {
            assert_eq!(shown(given), want, "{given:?}");
        }
    }

    #[test]
    fn the_tail_begins_with_a_line() {
        assert_eq!(tail(b"one\ntwo\nthree\n", 100), (&b"one\ntwo\nthree\n"[..], 0));
        assert_eq!(tail(b"one\ntwo\nthree\n", 9), (&b"three\n"[..], 8));
        assert_eq!(tail(b"one line without an end", 3), (&b"end"[..], 20));
        assert_eq!(tail(b"xxxx\n", 2), (&b"x\n"[..], 3));
    }
}
