//! Names of files: what a person typed or dropped as a path, and what a copy is called where a name is taken.

/// Bytes of one name of a file, at the most, on the systems that there are.
const NAME_BYTES: usize = 255;

/// A path as a person gave it: blanks and a pair of quotes around it are gone, `file://` is a path, `~` is `home`. None: it is
/// empty, or not a whole path.
pub fn path(typed: &str, home: Option<&str>) -> Option<String> {
    let mut text = typed.trim();
    for quote in ['"', '\'', '“', '«'] {
        let close = match quote {
            '“' => '”',
            '«' => '»',
            same => same,
        };
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(close)) {
            text = inner.trim();
        }
    }
    if let Some(rest) = text.strip_prefix("file://") {
        let path = rest.strip_prefix("localhost").unwrap_or(rest);
        return decoded(path).filter(|path| path.starts_with('/'));
    }
    let whole = match (text.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => text.to_owned(),
    };
    let drive = whole.as_bytes().get(1) == Some(&b':') && whole.as_bytes()[0].is_ascii_alphabetic();
    (whole.starts_with('/') || whole.starts_with("\\\\") || drive).then_some(whole).filter(|path| !path.contains('\0'))
}

/// RFC 3986, section 2.1.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// A name that a copy may have: no control characters, no separators, nothing that hides its direction, not too long.
pub fn clean(name: &str) -> String {
    let bad = |c: char| {
        c.is_control()
            || matches!(c, '/' | '\\' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = name.chars().map(|c| if bad(c) { '_' } else { c }).collect();
    let name = name.trim();
    let name = if matches!(name, "" | "." | "..") { "file" } else { name };
    let (stem, ending) = parts(name);
    // Room for a number.
    let most = NAME_BYTES - 8 - ending.len().min(32);
    let stem: String = stem.char_indices().take_while(|(at, c)| at + c.len_utf8() <= most).map(|(_, c)| c).collect();
    let ending: String = ending.char_indices().take_while(|(at, c)| at + c.len_utf8() <= 32).map(|(_, c)| c).collect();
    stem + &ending
}

/// The nth name to try, from 1: the name itself, then `name (2).ext`.
pub fn nth(name: &str, n: u32) -> String {
    if n <= 1 {
        return name.to_owned();
    }
    let (stem, ending) = parts(name);
    format!("{stem} ({n}){ending}")
}

/// The stem, and the ending with its point; a name that begins with a point has none.
fn parts(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        Some(_) | None => (name, ""),
    }
}

/// A folder's part into which nothing is put for an agent, whoever chose the file: what runs by itself, and what is ours.
pub fn is_reserved(part: &str) -> bool {
    [".git", ".countersign"].iter().any(|own| part.eq_ignore_ascii_case(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_people_paste_it() {
        let cases = [
            ("/a/b.pdf", Some("/a/b.pdf")),
            ("  \"/a/b c.pdf\"  ", Some("/a/b c.pdf")),
            ("'/a/b.pdf'", Some("/a/b.pdf")),
            ("“/a/b.pdf”", Some("/a/b.pdf")),
            ("\"/a/b.pdf", None),
            ("file:///a/b%20c.pdf", Some("/a/b c.pdf")),
            ("file://localhost/a", Some("/a")),
            ("file://elsewhere/a", None),
            ("file:///a%2", None),
            ("file:///a%00b", None),
            ("~/b.pdf", Some("/home/ana/b.pdf")),
            ("~", Some("/home/ana")),
            ("~other/b", None),
            ("C:\\b.pdf", Some("C:\\b.pdf")),
            ("b.pdf", None),
            ("./b.pdf", None),
            ("", None),
            ("\"\"", None),
            ("/a\0b", None),
        ];
        for (typed, want) in cases {
            assert_eq!(path(typed, Some("/home/ana")).as_deref(), want, "{typed:?}");
        }
        assert_eq!(path("~/b", None), None);
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number_before_its_ending() {
        for (name, second) in
            [("a.pdf", "a (2).pdf"), ("a", "a (2)"), (".env", ".env (2)"), ("a.tar.gz", "a.tar (2).gz")]
        {
            assert_eq!(nth(name, 1), name);
            assert_eq!(nth(name, 2), second);
        }
    }

    #[test]
    fn a_name_can_neither_leave_its_folder_nor_hide_what_it_is() {
        for (name, want) in [
            ("a\u{202e}fdp.exe", "a_fdp.exe"),
            ("..", "file"),
            (".", "file"),
            ("", "file"),
            ("a/b\\c", "a_b_c"),
            ("a\nb", "a_b"),
            (" x ", "x"),
        ] {
            assert_eq!(clean(name), want, "{name:?}");
        }
        let long = clean(&("é".repeat(300) + ".pdf"));
        assert!(nth(&long, 9_999).len() <= NAME_BYTES && long.ends_with(".pdf"), "{}", long.len());
    }

    #[test]
    fn nothing_is_put_among_gits_files_or_ours() {
        for (part, reserved) in
            [(".git", true), (".GIT", true), (".countersign", true), (".github", false), ("git", false)]
        {
            assert_eq!(is_reserved(part), reserved, "{part}");
        }
    }
}
