//! Markdown from agents as a small tree of typed nodes that a page draws without ever making HTML of it.
//!
//! HTML is text here, an address is shown as written and decides nothing, an image is its address. Whatever a reader
//! of the source would see is somewhere in the tree: titles, unused link definitions, surplus table cells. Absent on
//! purpose: HTML out, footnotes, maths, any idea of which addresses are safe. Linear, and no recursion over the input.

mod leaf;
#[cfg(test)]
mod tests;

use crate::safe_text::SafeText;
use leaf::Leaf;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use serde::Serialize;
use std::ops::Range;

/// Deeper quotes, lists and emphasis lose their nesting, never their text.
const DEPTH: usize = 32;

/// A block of a document.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        children: Vec<Inline>,
    },
    /// A paragraph.
    Paragraph {
        /// Its text.
        children: Vec<Inline>,
    },
    /// A list.
    List {
        /// Whether it is numbered.
        ordered: bool,
        /// The first number; 1 when it isn't numbered.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        start: u64,
        /// Its items.
        items: Vec<Vec<Block>>,
    },
    /// A quotation.
    Quote {
        /// What is quoted.
        children: Vec<Block>,
    },
    /// A block of code.
    Code {
        /// What its fence says: a language, mostly.
        language: Option<SafeText>,
        /// The code.
        spans: SafeText,
    },
    /// A table.
    Table {
        /// The cells of its head.
        head: Vec<Vec<Inline>>,
        /// Its rows; one may have a cell more than the head, with what was surplus in it.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A line across.
    Rule,
}

/// A part of a text.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Inline {
    /// Plain text; its newlines are soft.
    Text {
        /// The text.
        spans: SafeText,
    },
    /// Code within a line.
    Code {
        /// The code.
        spans: SafeText,
    },
    /// Stressed.
    Emphasis {
        /// What.
        children: Vec<Inline>,
    },
    /// Strongly stressed.
    Strong {
        /// What.
        children: Vec<Inline>,
    },
    /// Struck through.
    Strike {
        /// What.
        children: Vec<Inline>,
    },
    /// A link.
    Link {
        /// Its real address, whatever it is.
        href: SafeText,
        /// Its words.
        children: Vec<Inline>,
    },
    /// An image, which is never loaded.
    Image {
        /// Its real address, whatever it is.
        href: SafeText,
        /// The text in its place.
        alt: SafeText,
    },
    /// A line break.
    Break,
}

/// How many parts a tree has: blocks, inlines and spans. What draws it takes time and memory for each.
pub fn parts(blocks: &[Block]) -> usize {
    let cells = |row: &[Vec<Inline>]| row.iter().map(|cell| 1 + inline_parts(cell)).sum::<usize>();
    let of = |block: &Block| match block {
        Block::Heading { children, .. } | Block::Paragraph { children } => inline_parts(children),
        Block::List { items, .. } => items.iter().map(|item| 1 + parts(item)).sum(),
        Block::Quote { children } => parts(children),
        Block::Code { spans, .. } => spans.0.len(),
        Block::Table { head, rows } => cells(head) + rows.iter().map(|row| 1 + cells(row)).sum::<usize>(),
        Block::Rule => 0,
    };
    blocks.iter().map(|block| 1 + of(block)).sum()
}

fn inline_parts(inlines: &[Inline]) -> usize {
    let of = |inline: &Inline| match inline {
        Inline::Text { spans } | Inline::Code { spans } => spans.0.len(),
        Inline::Emphasis { children } | Inline::Strong { children } | Inline::Strike { children } => {
            inline_parts(children)
        }
        Inline::Link { href, children } => href.0.len() + inline_parts(children),
        Inline::Image { href, alt } => href.0.len() + alt.0.len(),
        Inline::Break => 0,
    };
    inlines.iter().map(|inline| 1 + of(inline)).sum()
}

/// The tree of a markdown text.
pub fn parse(text: &str) -> Vec<Block> {
    let mut builder = Builder::new(text);
    let extensions = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(text, extensions).into_offset_iter() {
        builder.take(event, range);
    }
    builder.end()
}

/// The words of the first heading, as written, for lists.
pub fn first_heading(text: &str) -> Option<String> {
    let mut words: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match (event, &mut words) {
            (Event::Start(Tag::Heading { .. }), _) => words = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), _) => return words,
            (Event::Text(text) | Event::Code(text) | Event::InlineHtml(text), Some(words)) => words.push_str(&text),
            (Event::SoftBreak | Event::HardBreak, Some(words)) => words.push(' '),
            _ => {}
        }
    }
    None
}

/// A container that isn't closed yet.
enum Open {
    Quote(Vec<Block>),
    List { ordered: bool, start: u64, items: Vec<Vec<Block>> },
    Item(Vec<Block>),
}

#[derive(Default)]
struct Table {
    head: Vec<Vec<Inline>>,
    rows: Vec<Vec<Vec<Inline>>>,
    row: Vec<Vec<Inline>>,
}

#[derive(Default)]
struct Builder<'a> {
    source: &'a str,
    /// Up to where the source is in the tree.
    seen: usize,
    open: Vec<Open>,
    /// How many quotes and lists are open and kept, and how many containers that were too deep to keep.
    depth: usize,
    flat: usize,
    done: Vec<Block>,
    /// What text goes to. In a tight list a paragraph opens by itself.
    leaf: Option<(LeafKind, Leaf)>,
    code: Option<(Option<SafeText>, String)>,
    table: Table,
}

enum LeafKind {
    Paragraph,
    Heading(u8),
    Cell,
}

impl<'a> Builder<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, ..Self::default() }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) if leaf::is_inline(&tag.to_end()) => self.leaf().start(tag),
            Event::End(tag) if leaf::is_inline(&tag) => self.leaf().close(),
            Event::Start(tag) => return self.start(tag, range),
            Event::End(tag) => self.finish(tag, &range),
            Event::Rule => {
                self.begin(range.start);
                self.add(Block::Rule);
            }
            Event::Code(code) => self.leaf().code(&code),
            Event::SoftBreak => self.leaf().text("\n"),
            Event::HardBreak => self.leaf().line_break(),
            // HTML is text. Mathematics and footnotes are off.
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.leaf().text(&text),
            },
            Event::TaskListMarker(_) => {}
        }
        self.seen = self.seen.max(range.end);
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        self.begin(range.start);
        self.seen = range.start;
        match tag {
            Tag::Heading { level, .. } => self.open_leaf(LeafKind::Heading(level as u8)),
            Tag::TableCell => self.open_leaf(LeafKind::Cell),
            Tag::CodeBlock(kind) => {
                let fence = match &kind {
                    CodeBlockKind::Fenced(fence) => fence.trim(),
                    CodeBlockKind::Indented => "",
                };
                self.code = Some(((!fence.is_empty()).then(|| SafeText::line(fence)), String::new()));
            }
            Tag::BlockQuote(_) => self.contain(Open::Quote(Vec::new())),
            Tag::List(start) => {
                let (ordered, start) = (start.is_some(), start.unwrap_or(1));
                self.contain(Open::List { ordered, start, items: Vec::new() });
            }
            Tag::Item => self.contain(Open::Item(Vec::new())),
            // Tables gather in `table`; a paragraph opens with its first text.
            _ => {}
        }
    }

    fn finish(&mut self, tag: TagEnd, range: &Range<usize>) {
        if let (TagEnd::HtmlBlock, Some((_, leaf))) = (tag, &mut self.leaf) {
            leaf.trim_end();
        }
        self.close_leaf();
        match tag {
            TagEnd::CodeBlock => {
                if let Some((language, code)) = self.code.take() {
                    let spans = SafeText::lines(code.strip_suffix('\n').unwrap_or(&code));
                    self.add(Block::Code { language, spans });
                }
            }
            TagEnd::TableHead => self.table.head = std::mem::take(&mut self.table.row),
            TagEnd::TableRow => {
                // A row with more cells than the head loses them by the rules of markdown; a reader must not.
                let surplus = self.source.get(self.seen..range.end).unwrap_or_default();
                let surplus = surplus.trim_matches(|c: char| c == '|' || c.is_whitespace());
                if !surplus.is_empty() {
                    self.table.row.push(Leaf::literal(surplus));
                }
                let row = std::mem::take(&mut self.table.row);
                self.table.rows.push(row);
            }
            TagEnd::Table => {
                let Table { head, rows, .. } = std::mem::take(&mut self.table);
                self.add(Block::Table { head, rows });
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => {
                self.begin(range.end);
                self.close_container();
            }
            _ => {}
        }
    }

    fn end(mut self) -> Vec<Block> {
        self.begin(self.source.len());
        while !self.open.is_empty() {
            self.close_container();
        }
        self.done
    }

    /// Before a block that starts at `at`: ends the text before it, and shows what markdown would drop between them.
    /// That is only ever the definition of a link, a favourite place for what nobody should see.
    fn begin(&mut self, at: usize) {
        self.close_leaf();
        let unseen = self.source.get(self.seen..at).unwrap_or_default();
        if unseen.contains("]:") {
            self.add(Block::Paragraph { children: Leaf::literal(unseen.trim()) });
            self.seen = at;
        }
    }

    fn open_leaf(&mut self, kind: LeafKind) {
        self.leaf = Some((kind, Leaf::new(DEPTH - self.depth)));
    }

    fn leaf(&mut self) -> &mut Leaf {
        let room = DEPTH - self.depth;
        &mut self.leaf.get_or_insert_with(|| (LeafKind::Paragraph, Leaf::new(room))).1
    }

    fn close_leaf(&mut self) {
        let Some((kind, leaf)) = self.leaf.take() else { return };
        let children = leaf.end();
        match kind {
            LeafKind::Paragraph if children.is_empty() => {}
            LeafKind::Paragraph => self.add(Block::Paragraph { children }),
            LeafKind::Heading(level) => self.add(Block::Heading { level, children }),
            LeafKind::Cell => self.table.row.push(children),
        }
    }

    fn contain(&mut self, container: Open) {
        let nests = !matches!(container, Open::Item(_));
        if self.flat > 0 || (nests && self.depth == DEPTH) {
            self.flat += 1;
        } else {
            self.depth += usize::from(nests);
            self.open.push(container);
        }
    }

    fn close_container(&mut self) {
        if self.flat > 0 {
            self.flat -= 1;
            return;
        }
        match self.open.pop() {
            Some(Open::Quote(children)) => {
                self.depth -= 1;
                self.add(Block::Quote { children });
            }
            Some(Open::List { ordered, start, items }) => {
                self.depth -= 1;
                self.add(Block::List { ordered, start, items });
            }
            Some(Open::Item(blocks)) => match self.open.last_mut() {
                Some(Open::List { items, .. }) => items.push(blocks),
                _ => blocks.into_iter().for_each(|block| self.add(block)),
            },
            None => {}
        }
    }

    fn add(&mut self, block: Block) {
        match self.open.last_mut() {
            Some(Open::Quote(blocks) | Open::Item(blocks)) => blocks.push(block),
            Some(Open::List { items, .. }) => items.push(vec![block]),
            None => self.done.push(block),
        }
    }
}
