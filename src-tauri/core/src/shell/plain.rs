//! Words that every shell reads alike: a scan that knows letters, quotes and blanks, and gives up at anything else.
//!
//! It is the second opinion beside the grammar. Absent on purpose: escapes, variables, patterns, operators, comments, newlines.

/// The words of a line, if it has nothing but plain words.
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => quoted(&mut chars, '\'', "", word.get_or_insert_default())?,
            // What double quotes leave alive, and what an interactive shell takes for history.
            '"' => quoted(&mut chars, '"', "$`\\!", word.get_or_insert_default())?,
            c if is_plain(c) || (word.is_some() && c == '=') => word.get_or_insert_default().push(c),
            _ => return None,
        }
    }
    words.extend(word);
    // `A=1` before a command is an assignment, `=cmd` is looked up by some shells, a keyword is no program.
    let first = words.first()?;
    (!first.contains('=') && !first.is_empty() && !KEYWORDS.contains(&first.as_str())).then_some(words)
}

fn quoted(chars: &mut std::str::Chars<'_>, end: char, never: &str, into: &mut String) -> Option<()> {
    for c in chars.by_ref() {
        if c == end {
            return Some(());
        }
        if c.is_control() || never.contains(c) {
            return None;
        }
        into.push(c);
    }
    None
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_-./:,@%+".contains(c)
}

const KEYWORDS: [&str; 21] = [
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "do",
    "done",
    "case",
    "esac",
    "while",
    "until",
    "for",
    "in",
    "select",
    "function",
    "time",
    "coproc",
    "repeat",
    "foreach",
    "end",
    "nocorrect",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_read_and_everything_else_is_given_up() {
        for (text, want) in [
            ("git status", Some(&["git", "status"][..])),
            (" git\tstatus  ", Some(&["git", "status"])),
            ("git commit -m 'a; b $x'", Some(&["git", "commit", "-m", "a; b $x"])),
            ("git log --format=\"%h it's\"", Some(&["git", "log", "--format=%h it's"])),
            ("a''b \"\"", Some(&["ab", ""])),
            ("cargo test -p a -- --nocapture", Some(&["cargo", "test", "-p", "a", "--", "--nocapture"])),
            ("echo ñandú", Some(&["echo", "ñandú"])),
            ("", None),
            ("''", None),
            ("A=1 git", None),
            ("=git x", None),
            ("git =x", None),
            ("time git", None),
            ("a;b", None),
            ("a&&b", None),
            ("a|b", None),
            ("a\nb", None),
            ("a\rb", None),
            ("a\u{a0}b", None),
            ("a $b", None),
            ("a \"$b\"", None),
            ("a `b`", None),
            ("a \"`b`\"", None),
            ("a \\b", None),
            ("a \"\\b\"", None),
            ("a \"b!\"", None),
            ("a 'b", None),
            ("a \"b", None),
            ("a 'b\nc'", None),
            ("a # b", None),
            ("a *", None),
            ("a b?", None),
            ("a [b]", None),
            ("a {b,c}", None),
            ("a ~", None),
            ("a b~", None),
            ("a > b", None),
            ("a < b", None),
            ("a (b)", None),
            ("! a", None),
            ("a ^b", None),
            ("a\u{200b}b", None),
        ] {
            let words = words(text);
            let got: Option<Vec<&str>> = words.as_ref().map(|words| words.iter().map(String::as_str).collect());
            assert_eq!(got.as_deref(), want, "{text:?}");
        }
    }
}
