//! An agent's markdown as lines of a terminal. All of it: addresses are shown as they are, nothing is loaded, nothing left out.

use super::theme::Theme;
use super::wrap::{Piece, safe, wrap};
use countersign_core::markdown::{self, Block, Inline};
use countersign_core::safe_text::SafeText;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

/// Parts of a rendered text at the most; with more it is shown as the text that it is.
const PARTS: usize = 20_000;

/// How it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    /// Colours, or none.
    pub theme: Theme,
    /// Whether secrets are shown.
    pub secrets: bool,
}

/// The lines of a text.
pub fn lines(text: &str, width: usize, draw: Draw) -> Vec<Line<'static>> {
    let blocks = markdown::parse(text);
    if markdown::parts(&blocks) > PARTS {
        return wrap(&safe(&SafeText::lines(text), Style::default(), draw.secrets), width, &[], &[]);
    }
    let mut lines = Vec::new();
    draw.blocks(&blocks, width, &[], &mut lines);
    lines
}

impl Draw {
    fn blocks(self, blocks: &[Block], width: usize, indent: &[Piece], lines: &mut Vec<Line<'static>>) {
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                lines.extend(wrap(&[], width, indent, &[]));
            }
            self.block(block, width, indent, indent, lines);
        }
    }

    fn block(self, block: &Block, width: usize, first: &[Piece], rest: &[Piece], lines: &mut Vec<Line<'static>>) {
        let plain = Style::default();
        match block {
            Block::Heading { level, children } => {
                let style = self.theme.heading();
                let mut pieces = vec![(format!("{} ", "#".repeat(usize::from(*level))), self.theme.faint())];
                self.inlines(children, style, &mut pieces);
                lines.extend(wrap(&pieces, width, first, rest));
            }
            Block::Paragraph { children } => {
                let mut pieces = Vec::new();
                self.inlines(children, plain, &mut pieces);
                lines.extend(wrap(&pieces, width, first, rest));
            }
            Block::List { ordered, start, items } => {
                for (at, item) in items.iter().enumerate() {
                    let sign = if *ordered { format!("{}. ", start.saturating_add(at as u64)) } else { "• ".into() };
                    let blank = " ".repeat(super::wrap::width(&sign));
                    let lead = if at == 0 { first } else { rest };
                    let begin = [lead, &[(sign, self.theme.faint())]].concat();
                    let go_on = [rest, &[(blank, plain)]].concat();
                    if item.is_empty() {
                        lines.extend(wrap(&[], width, &begin, &go_on));
                    }
                    for (n, block) in item.iter().enumerate() {
                        self.block(block, width, if n == 0 { &begin } else { &go_on }, &go_on, lines);
                    }
                }
            }
            Block::Quote { children } => {
                let bar = |lead: &[Piece]| [lead, &[("│ ".to_owned(), self.theme.faint())]].concat();
                let (begin, go_on) = (bar(first), bar(rest));
                for (at, block) in children.iter().enumerate() {
                    if at > 0 {
                        lines.extend(wrap(&[], width, &go_on, &[]));
                    }
                    self.block(block, width, if at == 0 { &begin } else { &go_on }, &go_on, lines);
                }
            }
            Block::Code { language, spans } => {
                let go_on = [rest, &[("  ".to_owned(), plain)]].concat();
                let begin = [first, &[("  ".to_owned(), plain)]].concat();
                let mut pieces = Vec::new();
                if let Some(language) = language.as_ref().filter(|language| !language.0.is_empty()) {
                    pieces.extend(safe(language, self.theme.faint(), self.secrets));
                    pieces.push(("\n".to_owned(), plain));
                }
                pieces.extend(safe(spans, self.theme.code(), self.secrets));
                if let Some((text, _)) = pieces.last_mut() {
                    text.truncate(text.trim_end_matches('\n').len());
                }
                lines.extend(wrap(&pieces, width, &begin, &go_on));
            }
            Block::Table { head, rows } => {
                let row = |cells: &[Vec<Inline>], style: Style| {
                    let mut pieces = Vec::new();
                    for (at, cell) in cells.iter().enumerate() {
                        if at > 0 {
                            pieces.push((" │ ".to_owned(), self.theme.faint()));
                        }
                        self.inlines(cell, style, &mut pieces);
                    }
                    pieces
                };
                lines.extend(wrap(&row(head, plain.add_modifier(Modifier::BOLD)), width, first, rest));
                for cells in rows {
                    lines.extend(wrap(&row(cells, plain), width, rest, rest));
                }
            }
            Block::Rule => {
                let cells: usize = first.iter().map(|(text, _)| super::wrap::width(text)).sum();
                let dashes = "─".repeat(width.saturating_sub(cells).clamp(1, 40));
                lines.extend(wrap(&[(dashes, self.theme.faint())], width, first, rest));
            }
        }
    }

    fn inlines(self, inlines: &[Inline], style: Style, pieces: &mut Vec<Piece>) {
        for inline in inlines {
            match inline {
                Inline::Text { spans } => {
                    // Its newlines are soft.
                    let soft = safe(spans, style, self.secrets).into_iter();
                    pieces.extend(soft.map(|(text, style)| (text.replace('\n', " "), style)));
                }
                Inline::Code { spans } => pieces.extend(safe(spans, self.theme.code(), self.secrets)),
                Inline::Emphasis { children } => {
                    self.inlines(children, style.add_modifier(Modifier::ITALIC), pieces);
                }
                Inline::Strong { children } => self.inlines(children, style.add_modifier(Modifier::BOLD), pieces),
                Inline::Strike { children } => {
                    self.inlines(children, style.add_modifier(Modifier::CROSSED_OUT), pieces);
                }
                Inline::Link { href, children } => {
                    self.inlines(children, style.add_modifier(Modifier::UNDERLINED), pieces);
                    self.address(href, pieces);
                }
                Inline::Image { href, alt } => {
                    pieces.extend(safe(alt, style.add_modifier(Modifier::ITALIC), self.secrets));
                    self.address(href, pieces);
                }
                Inline::Break => pieces.push(("\n".to_owned(), style)),
            }
        }
    }

    fn address(self, href: &SafeText, pieces: &mut Vec<Piece>) {
        pieces.push((" <".to_owned(), self.theme.faint()));
        pieces.extend(safe(href, self.theme.faint(), self.secrets));
        pieces.push((">".to_owned(), self.theme.faint()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn drawn(text: &str, width: usize) -> String {
        let lines = lines(text, width, Draw { theme: Theme::new(false), secrets: false });
        lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_plan_reads_as_what_it_is() {
        expect![[r#"
            ## Plan

            1. Read the *syllabus* of
               the course
               • and its notes
            2. Write

              sh
              make test

            │ as agreed, see the notes
            │ <https://example.org>

            Topic │ Hours
            3 │ two"#]]
        .assert_eq(&drawn(
            "## Plan\n\n1. Read the \\*syllabus\\* of the course\n   - and its notes\n2. Write\n\n```sh\nmake test\n```\n\n> as agreed, see [the notes](https://example.org)\n\n| Topic | Hours |\n| --- | --- |\n| 3 | two |",
            26,
        ));
    }

    #[test]
    fn what_is_hidden_is_shown_and_what_looks_secret_is_masked() {
        let text = drawn("a\u{202e}b `ghp_0123456789abcdefghijklmnopqrstuvwxyz` <b>bold</b>", 80);
        assert_eq!(text, "a⟦U+202E⟧b •••••••• <b>bold</b>");
    }
}
