//! One run of text with its inline nodes. All of its text is judged together once it is whole, so that a word divided
//! by markup (`p**а**ypal`) can't hide a letter.

use super::Inline;
use crate::safe_text::SafeText;
use pulldown_cmark::{LinkType, Tag, TagEnd};

/// Whether a tag stands within a text.
pub(super) fn is_inline(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
    )
}

/// A node that isn't closed yet, with what stood before it.
enum Open {
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Strike(Vec<Inline>),
    Link {
        before: Vec<Inline>,
        href: String,
        title: String,
    },
    Image {
        before: Vec<Inline>,
        href: String,
        title: String,
    },
    /// Too deep to keep, or within the text of an image, where nodes are only text; an address is kept as text.
    Flat {
        href: Option<String>,
    },
}

/// A text being gathered. Its nodes stay empty till its end; each takes the next stretch of `text`, up to the next cut.
pub(super) struct Leaf {
    text: String,
    cuts: Vec<usize>,
    here: Vec<Inline>,
    open: Vec<Open>,
    /// How many more nodes may nest.
    room: usize,
    in_image: bool,
}

impl Leaf {
    pub(super) fn new(room: usize) -> Self {
        Self { text: String::new(), cuts: Vec::new(), here: Vec::new(), open: Vec::new(), room, in_image: false }
    }

    /// The nodes of a text that is no markdown.
    pub(super) fn literal(text: &str) -> Vec<Inline> {
        let mut leaf = Self::new(0);
        leaf.text(text);
        leaf.end()
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Drops the newlines at the end of text that has no nodes.
    pub(super) fn trim_end(&mut self) {
        self.text.truncate(self.text.trim_end_matches(['\r', '\n']).len());
    }

    pub(super) fn code(&mut self, code: &str) {
        self.node(code, Inline::Code { spans: SafeText::default() });
    }

    pub(super) fn line_break(&mut self) {
        self.node("\n", Inline::Break);
    }

    pub(super) fn start(&mut self, tag: Tag<'_>) {
        if self.in_image {
            let href = match tag {
                Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => Some(dest_url.into_string()),
                _ => None,
            };
            return self.open.push(Open::Flat { href });
        }
        // A link or an image can't hold another, so that these nest by one at most whatever the text does.
        let make: fn(Vec<Inline>) -> Open =
            match tag {
                Tag::Link { link_type, dest_url, title, .. } => {
                    let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
                    return self.open_address(format!("{scheme}{dest_url}"), &title, |before, href, title| {
                        Open::Link { before, href, title }
                    });
                }
                Tag::Image { dest_url, title, .. } => {
                    self.open_address(dest_url.into_string(), &title, |before, href, title| Open::Image {
                        before,
                        href,
                        title,
                    });
                    self.in_image = true;
                    return;
                }
                Tag::Emphasis if self.room > 0 => Open::Emphasis,
                Tag::Strong if self.room > 0 => Open::Strong,
                Tag::Strikethrough if self.room > 0 => Open::Strike,
                _ => return self.open.push(Open::Flat { href: None }),
            };
        self.end_text();
        self.room -= 1;
        self.open.push(make(std::mem::take(&mut self.here)));
    }

    pub(super) fn end(mut self) -> Vec<Inline> {
        while !self.open.is_empty() {
            self.close();
        }
        self.end_text();
        let mut pieces = SafeText::pieces(&self.text, &self.cuts).into_iter();
        fill(&mut self.here, &mut pieces);
        self.here
    }

    pub(super) fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Flat { href }) => self.text.extend(href.iter().flat_map(|href| [" (", href, ")"])),
            Some(Open::Emphasis(before)) => self.wrap(before, |children| Inline::Emphasis { children }),
            Some(Open::Strong(before)) => self.wrap(before, |children| Inline::Strong { children }),
            Some(Open::Strike(before)) => self.wrap(before, |children| Inline::Strike { children }),
            Some(Open::Link { before, href, title }) => {
                self.title(&title);
                self.wrap(before, |children| Inline::Link { href: SafeText::line(&href), children });
                // It took no room when it opened.
                self.room -= 1;
            }
            Some(Open::Image { before, href, title }) => {
                self.title(&title);
                self.in_image = false;
                self.cuts.push(self.text.len());
                self.here = before;
                self.here.push(Inline::Image { href: SafeText::line(&href), alt: SafeText::default() });
            }
            None => {}
        }
    }

    fn open_address(&mut self, href: String, title: &str, make: fn(Vec<Inline>, String, String) -> Open) {
        self.end_text();
        self.open.push(make(std::mem::take(&mut self.here), href, title.to_owned()));
    }

    /// A title shows when a mouse rests on a link elsewhere; here it is text.
    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            self.text.extend([" “", title, "”"]);
        }
    }

    fn wrap(&mut self, before: Vec<Inline>, node: impl FnOnce(Vec<Inline>) -> Inline) {
        self.end_text();
        self.room += 1;
        let children = std::mem::replace(&mut self.here, before);
        self.here.push(node(children));
    }

    /// A node with a text of its own.
    fn node(&mut self, text: &str, node: Inline) {
        if self.in_image {
            return self.text(text);
        }
        self.end_text();
        self.text(text);
        self.cuts.push(self.text.len());
        self.here.push(node);
    }

    fn end_text(&mut self) {
        if self.text.len() > self.cuts.last().copied().unwrap_or(0) {
            self.cuts.push(self.text.len());
            self.here.push(Inline::Text { spans: SafeText::default() });
        }
    }
}

/// Hands the judged pieces to the nodes, in the order in which they were cut. As deep as `room` allowed.
fn fill(nodes: &mut [Inline], pieces: &mut impl Iterator<Item = SafeText>) {
    for node in nodes {
        match node {
            Inline::Text { spans } | Inline::Code { spans } | Inline::Image { alt: spans, .. } => {
                *spans = pieces.next().unwrap_or_default();
            }
            Inline::Break => drop(pieces.next()),
            Inline::Emphasis { children }
            | Inline::Strong { children }
            | Inline::Strike { children }
            | Inline::Link { children, .. } => fill(children, pieces),
        }
    }
}
