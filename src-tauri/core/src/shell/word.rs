//! One word: what the program gets of it, when nothing must be expanded for that, and the commands that are in it.

use brush_parser::ParserOptions;
use brush_parser::word::{self, WordPiece, WordPieceWithSource};

/// What is in a word.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// What the program gets; none where something must be expanded.
    pub(super) literal: Option<String>,
    /// Command substitutions in it.
    pub(super) substitutions: Vec<String>,
    /// Whether something in it may run what can't be told.
    pub(super) opaque: bool,
}

/// Reads a word as it is written.
pub(super) fn read(raw: &str) -> Read {
    let mut read = Read { literal: Some(String::new()), ..Read::default() };
    match word::parse(raw, &ParserOptions::default()) {
        Ok(pieces) => pieces.iter().for_each(|piece| take(piece, false, &mut read)),
        Err(_) => read = Read { opaque: true, ..Read::default() },
    }
    read
}

/// The body of a here-document, in which commands are substituted.
pub(super) fn read_document(raw: &str) -> Read {
    let mut read = Read { literal: Some(String::new()), ..Read::default() };
    match word::parse_heredoc(raw, &ParserOptions::default()) {
        Ok(pieces) => pieces.iter().for_each(|piece| take(piece, true, &mut read)),
        Err(_) => read = Read { opaque: true, ..Read::default() },
    }
    read
}

fn take(piece: &WordPieceWithSource, quoted: bool, read: &mut Read) {
    match &piece.piece {
        WordPiece::Text(text) if !quoted && expands(text) => read.literal = None,
        WordPiece::Text(text) => push(read, text),
        WordPiece::SingleQuotedText(text) => push(read, text),
        WordPiece::DoubleQuotedSequence(pieces) => pieces.iter().for_each(|piece| take(piece, true, read)),
        WordPiece::EscapeSequence(text) => match text.strip_prefix('\\') {
            Some("\n") => {}
            Some(escaped) => push(read, escaped),
            None => push(read, text),
        },
        WordPiece::AnsiCQuotedText(_) | WordPiece::TildeExpansion(_) => read.literal = None,
        WordPiece::GettextDoubleQuotedSequence(pieces) => {
            pieces.iter().for_each(|piece| take(piece, true, read));
            read.literal = None;
        }
        WordPiece::CommandSubstitution(command) => {
            read.literal = None;
            read.substitutions.push(command.clone());
        }
        WordPiece::BackquotedCommandSubstitution(command) => {
            read.literal = None;
            // Within backquotes a backslash is taken off these three before anything is read.
            let plain = command.replace("\\`", "`").replace("\\$", "$").replace("\\\\", "\\");
            read.substitutions.push(plain);
        }
        WordPiece::ParameterExpansion(parameter) => {
            read.literal = None;
            // `${x:-$(y)}`, `${x[$(y)]}`, `${!x}` and the like: their parts are texts that are expanded in turn.
            let inner = format!("{parameter:?}");
            read.opaque |= ["$(", "`", "${", "<(", ">(", "indirect: true", "PromptExpand", "NamedWithIndex"]
                .iter()
                .any(|sign| inner.contains(sign));
        }
        WordPiece::ArithmeticExpression(expression) => {
            read.literal = None;
            read.opaque |= ["$", "`", "["].iter().any(|sign| expression.value.contains(sign));
        }
    }
}

fn push(read: &mut Read, text: &str) {
    if let Some(literal) = &mut read.literal {
        literal.push_str(text);
    }
}

/// Whether unquoted text is a pattern, or has braces that make several words of it.
fn expands(text: &str) -> bool {
    let mut text = text.to_owned();
    if text.contains('{') {
        // Braces with nothing between are themselves: `xargs -I{}`.
        text = text.replace("{}", "");
    }
    text.contains(['*', '?', '[', ']', '{', '}', '~', '^', '!', '(', ')'])
}
