//! A path as a person gives it: typed, pasted, dropped on a terminal, or as a `file:` address.

use crate::inside::is_absolute;
use crate::limit;

/// Why a path is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Nothing there.
    #[error("give the path of a file")]
    Empty,
    /// It depends on a folder that nobody here knows.
    #[error("`{path}` is not a whole path; give one that begins with / or ~")]
    Relative {
        /// As it was given.
        path: String,
    },
    /// An address of something else.
    #[error("`{address}` is not a file of this computer")]
    Elsewhere {
        /// As it was given.
        address: String,
    },
    /// A control character, or far too long.
    #[error("that is not the path of a file")]
    NoPath,
}

/// The file names that a text may stand for, likeliest first: quotes are taken off, `~` and `file:` are resolved, and a backslash
/// may be what a terminal puts before a space.
pub fn candidates(given: &str, home: Option<&str>) -> Result<Vec<String>, PathError> {
    let text = given.trim();
    if text.len() > limit::PATH_BYTES || text.chars().any(char::is_control) {
        return Err(PathError::NoPath);
    }
    let (text, quoted) = unquoted(text);
    if text.trim().is_empty() {
        return Err(PathError::Empty);
    }
    let said = || text.chars().take(300).collect::<String>();
    if let Some(rest) = strip_scheme(text) {
        let path = of_address(rest).ok_or_else(|| PathError::Elsewhere { address: said() })?;
        return Ok(vec![path]);
    }
    let at_home = |text: &str| -> Option<String> {
        match text.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => home.map(|home| format!("{home}{rest}")),
            _ => None,
        }
    };
    let whole = |text: &str| at_home(text).or_else(|| is_absolute(text).then(|| text.to_owned()));
    let mut found: Vec<String> = whole(text).into_iter().collect();
    if !quoted && text.starts_with(['/', '~']) && text.contains('\\') {
        found.extend(whole(&unescaped(text)));
    }
    if found.is_empty() { Err(PathError::Relative { path: said() }) } else { Ok(found) }
}

/// A path that a terminal was given in `folder`, made whole; one that is whole, at home or an address stays as it is.
pub fn absolute(given: &str, folder: &str) -> String {
    let (text, _) = unquoted(given.trim());
    if text.is_empty() || text.starts_with('~') || strip_scheme(text).is_some() || is_absolute(text) {
        return given.to_owned();
    }
    format!("{}/{text}", folder.trim_end_matches('/'))
}

/// Without the quotes around it, and whether there were some.
fn unquoted(text: &str) -> (&str, bool) {
    for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('«', '»'), ('`', '`')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return (inner.trim(), true);
        }
    }
    (text, false)
}

fn strip_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case("file:").then_some(rest)
}

/// The path of a `file:` address behind its scheme; none of another computer's.
fn of_address(rest: &str) -> Option<String> {
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, _) = rest.split_once('/')?;
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return None;
            }
            &rest[host.len()..]
        }
        None => rest,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let decoded = decoded(path)?;
    let fits = decoded.starts_with('/') && !decoded.chars().any(char::is_control);
    // A drive's letter comes behind a slash there.
    let drive = decoded.get(1..).filter(|rest| rest.get(1..2) == Some(":") && is_absolute(rest));
    fits.then(|| drive.map_or_else(|| decoded.clone(), str::to_owned))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

fn unescaped(text: &str) -> String {
    let (mut out, mut chars) = (String::with_capacity(text.len()), text.chars());
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_people_give_them() {
        let of = |given: &str| candidates(given, Some("/home/ana")).map_err(|error| error.to_string());
        for (given, want) in [
            ("/tmp/a.pdf", vec!["/tmp/a.pdf"]),
            ("  /tmp/a b.pdf\n", vec!["/tmp/a b.pdf"]),
            ("\"/tmp/a.pdf\"", vec!["/tmp/a.pdf"]),
            ("'/tmp/a.pdf' ", vec!["/tmp/a.pdf"]),
            ("“/tmp/a.pdf”", vec!["/tmp/a.pdf"]),
            ("~/a.pdf", vec!["/home/ana/a.pdf"]),
            ("'~/a.pdf'", vec!["/home/ana/a.pdf"]),
            ("file:///tmp/a%20b%C3%B1.pdf", vec!["/tmp/a bñ.pdf"]),
            ("FILE://localhost/tmp/a.pdf", vec!["/tmp/a.pdf"]),
            ("file:/tmp/a.pdf", vec!["/tmp/a.pdf"]),
            ("file:///C:/a.pdf", vec!["C:/a.pdf"]),
            ("/tmp/a\\ b.pdf", vec!["/tmp/a\\ b.pdf", "/tmp/a b.pdf"]),
            ("\"/tmp/a\\ b.pdf\"", vec!["/tmp/a\\ b.pdf"]),
            ("C:\\a.pdf", vec!["C:\\a.pdf"]),
        ] {
            let want = want.into_iter().map(str::to_owned).collect();
            assert_eq!(of(given), Ok::<Vec<_>, String>(want), "{given}");
        }
        for (given, want) in [
            ("", "give the path of a file"),
            ("''", "give the path of a file"),
            ("a.pdf", "`a.pdf` is not a whole path; give one that begins with / or ~"),
            ("../a.pdf", "`../a.pdf` is not a whole path; give one that begins with / or ~"),
            ("~bob/a.pdf", "`~bob/a.pdf` is not a whole path; give one that begins with / or ~"),
            ("file://host/a.pdf", "`file://host/a.pdf` is not a file of this computer"),
            ("file:///a%zz", "`file:///a%zz` is not a file of this computer"),
            ("file:///a%00", "`file:///a%00` is not a file of this computer"),
            ("/tmp/a\0b", "that is not the path of a file"),
            ("/tmp/a\nb", "that is not the path of a file"),
        ] {
            assert_eq!(of(given), Err(want.to_owned()), "{given}");
        }
        assert!(candidates("~/a", None).is_err());
        assert_eq!(candidates(&"/x".repeat(5_000), None), Err(PathError::NoPath));
    }

    #[test]
    fn a_terminals_relative_path_is_made_whole() {
        for (given, want) in [
            ("a.pdf", "/here/a.pdf"),
            ("../a.pdf", "/here/../a.pdf"),
            ("'a b.pdf'", "/here/a b.pdf"),
            ("/tmp/a.pdf", "/tmp/a.pdf"),
            ("~/a.pdf", "~/a.pdf"),
            ("file:///a.pdf", "file:///a.pdf"),
            ("", ""),
        ] {
            assert_eq!(absolute(given, "/here"), want, "{given}");
        }
    }
}
