//! A text that is being typed: where the cursor is, and what each key does to it. Moves by what a reader takes for one character.

use unicode_segmentation::UnicodeSegmentation as _;

/// A text and a cursor in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    text: String,
    /// A byte offset at the edge of a grapheme.
    cursor: usize,
}

impl Field {
    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte offset of the cursor.
    pub const fn cursor(&self) -> usize {
        self.cursor
    }

    /// Whether nothing but blanks is in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Forgets it all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Another text, with the cursor at its end.
    pub fn set(&mut self, text: &str) {
        self.clear();
        self.insert(text);
    }

    /// Types a text. Line ends become newlines; what a keyboard does not write is left out.
    pub fn insert(&mut self, text: &str) {
        let clean = text.replace("\r\n", "\n").replace('\r', "\n");
        let clean: String = clean.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
        // What was typed may have joined what stood there: the cursor goes behind the whole character.
        let typed = self.cursor;
        let edge = self.edges().find(|edge| *edge >= typed);
        self.cursor = edge.unwrap_or(self.text.len());
    }

    /// Types a text of one line: what else it has becomes blanks.
    pub fn insert_line(&mut self, text: &str) {
        self.insert(&text.trim_end_matches(['\r', '\n']).replace("\r\n", " ").replace(['\r', '\n', '\t'], " "));
    }

    fn edges(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.text.grapheme_indices(true).map(|(at, _)| at)
    }

    fn before(&self) -> usize {
        self.edges().rev().find(|edge| *edge < self.cursor).unwrap_or(0)
    }

    fn after(&self) -> usize {
        self.edges().find(|edge| *edge > self.cursor).unwrap_or(self.text.len())
    }

    /// Takes the character before the cursor away.
    pub fn backspace(&mut self) {
        let from = self.before();
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// Takes the character at the cursor away.
    pub fn delete(&mut self) {
        let to = self.after();
        self.text.replace_range(self.cursor..to, "");
    }

    /// Takes the word before the cursor away, with the blanks behind it.
    pub fn delete_word(&mut self) {
        let head = self.text[..self.cursor].trim_end();
        let from =
            head.rfind(char::is_whitespace).map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8));
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// Takes the line up to the cursor away.
    pub fn delete_line(&mut self) {
        let from = self.line_start();
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// One character back.
    pub fn left(&mut self) {
        self.cursor = self.before();
    }

    /// One character on.
    pub fn right(&mut self) {
        self.cursor = self.after();
    }

    fn line_start(&self) -> usize {
        self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.cursor..].find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }

    /// To the start of the line.
    pub fn home(&mut self) {
        self.cursor = self.line_start();
    }

    /// To the end of the line.
    pub fn end(&mut self) {
        self.cursor = self.line_end();
    }

    /// A line up, as far right as before; false on the first one.
    pub fn up(&mut self) -> bool {
        let start = self.line_start();
        let Some(end) = start.checked_sub(1) else { return false };
        let column = self.text[start..self.cursor].graphemes(true).count();
        let above = self.text[..end].rfind('\n').map_or(0, |at| at + 1);
        self.cursor = self.at_column(above, end, column);
        true
    }

    /// A line down; false on the last one.
    pub fn down(&mut self) -> bool {
        let end = self.line_end();
        if end == self.text.len() {
            return false;
        }
        let column = self.text[self.line_start()..self.cursor].graphemes(true).count();
        let next = self.text[end + 1..].find('\n').map_or(self.text.len(), |at| end + 1 + at);
        self.cursor = self.at_column(end + 1, next, column);
        true
    }

    fn at_column(&self, from: usize, to: usize, column: usize) -> usize {
        self.text[from..to].grapheme_indices(true).nth(column).map_or(to, |(at, _)| from + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(text: &str) -> Field {
        let mut field = Field::default();
        field.insert(text);
        field
    }

    #[test]
    fn a_character_is_what_a_reader_takes_for_one() {
        for text in ["é", "e\u{301}", "日", "👩‍🚒", "🇪🇸"] {
            let mut field = field(&format!("a{text}"));
            field.left();
            field.insert("b");
            assert_eq!(field.text(), format!("ab{text}"));
            field.end();
            field.backspace();
            assert_eq!(field.text(), "ab", "{text:?}");
            field.home();
            field.delete();
            assert_eq!(field.text(), "b");
        }
    }

    #[test]
    fn what_a_keyboard_does_not_write_is_left_out_and_line_ends_are_newlines() {
        assert_eq!(field("a\r\nb\rc\u{1b}[31m\0\td").text(), "a\nb\nc[31m\td");
        let mut one = Field::default();
        one.insert_line("correct horse\nbattery\r\n");
        assert_eq!(one.text(), "correct horse battery");
    }

    #[test]
    fn lines_are_gone_up_and_down_in_the_same_column() {
        let mut field = field("first line\nno\nthird line");
        assert!(field.up() && field.cursor() == 13, "a short line ends it");
        assert!(field.up() && !field.up());
        field.insert("|");
        assert_eq!(field.text(), "fi|rst line\nno\nthird line");
        assert!(field.down() && field.down() && !field.down());
        field.insert("|");
        assert_eq!(field.text(), "fi|rst line\nno\nth|ird line");
    }

    #[test]
    fn words_and_lines_are_taken_away_whole() {
        let mut field = field("one two  three\nfour five ");
        field.delete_word();
        assert_eq!(field.text(), "one two  three\nfour ");
        field.delete_line();
        assert_eq!(field.text(), "one two  three\n");
        field.backspace();
        field.delete_word();
        assert_eq!(field.text(), "one two  ");
        field.set("日本 語");
        field.delete_word();
        assert_eq!(field.text(), "日本 ");
    }
}
