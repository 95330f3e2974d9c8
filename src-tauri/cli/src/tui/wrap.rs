//! Breaks what is to be read into lines of a terminal's width: at blanks where there are some, within a word where not, never
//! within a character. Widths are those of a terminal's cells.

use countersign_core::safe_text::{MASK, SafeText, Span as Safe};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// A piece of text in one style.
pub type Piece = (String, Style);

/// How many cells a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The pieces of an agent's text: what is hidden in it reversed, what looks secret masked unless it was asked for.
pub fn safe(text: &SafeText, style: Style, secrets: bool) -> Vec<Piece> {
    let piece = |span: &Safe| match span {
        Safe::Text { text } => (text.clone(), style),
        Safe::Escape { text } => (format!("⟦{text}⟧"), style.add_modifier(Modifier::REVERSED)),
        Safe::Secret { text } if secrets => (text.clone(), style),
        Safe::Secret { .. } => (MASK.to_owned(), style),
    };
    text.0.iter().map(piece).collect()
}

/// Lines of at most `width` cells; the first begins with `first`, all others with `rest`.
pub fn wrap(pieces: &[Piece], width: usize, first: &[Piece], rest: &[Piece]) -> Vec<Line<'static>> {
    let mut wrapped = Wrapped { width: width.max(2), lines: Vec::new(), line: Vec::new(), at: 0, rest, begun: 0 };
    wrapped.begin(first);
    for (text, style) in pieces {
        for word in text.split_word_bounds() {
            wrapped.word(word, *style);
        }
    }
    wrapped.end();
    wrapped.lines
}

struct Wrapped<'a> {
    width: usize,
    lines: Vec<Line<'static>>,
    line: Vec<Piece>,
    /// Cells of the line so far, and of what it begins with.
    at: usize,
    begun: usize,
    rest: &'a [Piece],
}

impl Wrapped<'_> {
    fn begin(&mut self, with: &[Piece]) {
        // A narrow terminal has no room for what a line begins with.
        let cells: usize = with.iter().map(|(text, _)| width(text)).sum();
        let fits = cells + 2 <= self.width;
        self.line = if fits { with.to_vec() } else { Vec::new() };
        self.at = if fits { cells } else { 0 };
        self.begun = self.at;
    }

    fn end(&mut self) {
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut last: Option<Piece> = None;
        for (text, style) in self.line.drain(..) {
            match &mut last {
                Some((before, same)) if *same == style => before.push_str(&text),
                _ => {
                    spans.extend(last.take().map(|(text, style)| Span::styled(text, style)));
                    last = Some((text, style));
                }
            }
        }
        spans.extend(last.map(|(text, style)| Span::styled(text, style)));
        self.lines.push(Line::from(spans));
    }

    fn next(&mut self) {
        self.end();
        let rest = self.rest.to_vec();
        self.begin(&rest);
    }

    fn push(&mut self, text: &str, style: Style, cells: usize) {
        self.line.push((text.to_owned(), style));
        self.at += cells;
    }

    fn word(&mut self, word: &str, style: Style) {
        if word == "\n" || word == "\r\n" {
            return self.next();
        }
        let tab = "    ";
        let word = if word == "\t" { tab } else { word };
        let cells = width(word);
        if self.at + cells <= self.width {
            return self.push(word, style, cells);
        }
        if word.trim().is_empty() {
            // The blank at which the line is broken.
            return self.next();
        }
        // A sign belongs to the word before it, but alone on a line is better than a word torn apart.
        if cells + self.begun <= self.width && self.at > self.begun {
            self.next();
            return self.push(word, style, cells);
        }
        for grapheme in word.graphemes(true) {
            let cells = width(grapheme);
            if self.at + cells > self.width && self.at > self.begun {
                self.next();
            }
            self.push(grapheme, style, cells);
        }
    }
}

/// A text of one line, cut to a width with an ellipsis; only for what is not decided on.
pub fn cut(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut at = 0;
    for grapheme in text.graphemes(true) {
        if at + width(grapheme) + 1 > cells {
            break;
        }
        at += width(grapheme);
        out.push_str(grapheme);
    }
    if cells > 0 {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: usize) -> Vec<String> {
        let plain = |text: &str| vec![(text.to_owned(), Style::default())];
        wrap(&plain(text), width, &[], &[]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_break_at_blanks_and_within_a_word_only_where_there_is_no_room_for_it() {
        assert_eq!(lines("one two three", 8), ["one two ", "three"]);
        assert_eq!(lines("one twothreefour", 8), ["one twot", "hreefour"]);
        assert_eq!(lines("a\n\nb\tc", 8), ["a", "", "b    c"]);
        assert_eq!(lines("", 8), [""]);
    }

    #[test]
    fn a_wide_character_takes_two_cells_and_is_never_cut() {
        assert_eq!(lines("日本語日本", 5), ["日本", "語日", "本"]);
        assert_eq!(lines("👩‍🚒👩‍🚒👩‍🚒", 4), ["👩‍🚒👩‍🚒", "👩‍🚒"]);
        assert_eq!(
            (cut("日本語", 6), cut("日本語", 5), cut("日本語", 0)),
            ("日本語".into(), "日本…".into(), String::new())
        );
    }

    #[test]
    fn nothing_is_lost_and_no_line_is_too_wide_at_any_width() {
        let text =
            "¿Cuánto debería durar el tema 3? 第三課はどのくらい？ 👍🏽 https://example.org/a/very/long/address?q=1";
        for width in 2..60 {
            let lines = lines(text, width);
            assert!(lines.iter().all(|line| super::width(line) <= width), "{width}: {lines:?}");
            let all = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            assert_eq!(all(&lines.concat()), all(text), "{width}");
        }
    }
}
