//! What is being typed as lines, and where its cursor is.

use crate::tui::field::Field;
use crate::tui::wrap::width;
use countersign_core::safe_text::SafeText;
use unicode_segmentation::UnicodeSegmentation as _;

/// The lines of a text, at most `cells` wide, and the row and column of its cursor. `masked`: a dot a character.
pub fn lines(field: &Field, cells: usize, masked: bool) -> (Vec<String>, (usize, usize)) {
    let mut lines = vec![String::new()];
    let (mut at, mut cursor) = (0, (0, 0));
    let text = field.text();
    for (byte, grapheme) in text.grapheme_indices(true) {
        if byte == field.cursor() {
            cursor = (lines.len() - 1, at);
        }
        if matches!(grapheme, "\n" | "\r\n") {
            lines.push(String::new());
            at = 0;
            continue;
        }
        let shown = if masked { "•".to_owned() } else { shown(grapheme) };
        let wide = width(&shown);
        if at + wide > cells && at > 0 {
            lines.push(String::new());
            if byte == field.cursor() {
                cursor = (lines.len() - 1, 0);
            }
            at = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(&shown);
        }
        at += wide;
    }
    if field.cursor() == text.len() {
        if at >= cells {
            lines.push(String::new());
            at = 0;
        }
        cursor = (lines.len() - 1, at);
    }
    (lines, cursor)
}

/// A character as it is drawn: what can't be seen by its name.
fn shown(grapheme: &str) -> String {
    if grapheme == "\t" {
        return "    ".into();
    }
    let plain = grapheme.chars().all(|c| c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ');
    if plain && width(grapheme) > 0 { grapheme.to_owned() } else { SafeText::line(grapheme).plain() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_where_the_next_character_will_be() {
        for (text, cells, want, cursor) in [
            ("", 5, vec![""], (0, 0)),
            ("abc", 5, vec!["abc"], (0, 3)),
            ("abcde", 5, vec!["abcde", ""], (1, 0)),
            ("日本語", 5, vec!["日本", "語"], (1, 2)),
            ("a\nb", 5, vec!["a", "b"], (1, 1)),
            ("👩‍🚒x", 5, vec!["👩‍🚒x"], (0, 3)),
            ("a\u{202e}", 20, vec!["a⟦U+202E⟧"], (0, 9)),
        ] {
            let mut field = Field::default();
            field.insert(text);
            assert_eq!(
                lines(&field, cells, false),
                (want.into_iter().map(str::to_owned).collect(), cursor),
                "{text:?}"
            );
        }
        let mut secret = Field::default();
        secret.insert("pass");
        secret.left();
        assert_eq!(lines(&secret, 9, true), (vec!["••••".to_owned()], (0, 3)));
    }
}
