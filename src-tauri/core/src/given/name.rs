//! Where a copy goes and what it is called: as the agent asked, without ever taking another file's place.

/// A name may have this many bytes, so that a number fits behind it everywhere.
const NAME_BYTES: usize = 200;
/// Letters of what ends a name behind its last dot, at the most.
const EXTENSION_CHARS: usize = 10;
/// Names that are devices on some system, whatever ends them.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A place in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The folder, relative to the workspace; empty for the workspace itself.
    pub folder: String,
    /// The file's name.
    pub name: String,
}

/// Where a file called `name` goes: into the `destination`, if that is a folder by its spelling or in truth, else under its name
/// with the file's own ending. Without one: beside what it replaces, or into the workspace itself.
pub fn place(destination: Option<&str>, is_folder: bool, replaces: Option<&str>, name: &str) -> Place {
    let name = clean(name);
    let parent = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default();
    match destination {
        None => Place { folder: replaces.map(parent).unwrap_or_default(), name },
        Some(path) => {
            let last = path.rsplit('/').next().unwrap_or_default();
            match split(last) {
                (stem, Some(_)) if !is_folder => {
                    let ending = split(&name).1.map(|ending| format!(".{ending}")).unwrap_or_default();
                    Place { folder: parent(path), name: clean(&format!("{stem}{ending}")) }
                }
                _ => Place { folder: path.to_owned(), name },
            }
        }
    }
}

/// A name that every system takes, and in which nothing is hidden.
pub fn clean(name: &str) -> String {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fffd}')
    };
    let plain: String = name.chars().map(|c| if odd(c) { '_' } else { c }).collect();
    let plain = plain.trim().trim_end_matches(['.', ' ']);
    let plain = if plain.is_empty() { "file" } else { plain };
    let (stem, ending) = split(plain);
    let stem = if DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) {
        format!("_{stem}")
    } else {
        stem.to_owned()
    };
    let ending = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
    format!("{}{ending}", cut(&stem, NAME_BYTES - ending.len()))
}

/// The name with this number: `name (2).ext`.
pub fn numbered(name: &str, n: u32) -> String {
    let (stem, ending) = split(name);
    match ending {
        Some(ending) => format!("{stem} ({n}).{ending}"),
        None => format!("{stem} ({n})"),
    }
}

/// A name without its ending, and that.
fn split(name: &str) -> (&str, Option<&str>) {
    let is_ending = |ending: &str| {
        (1..=EXTENSION_CHARS).contains(&ending.chars().count()) && ending.chars().all(char::is_alphanumeric)
    };
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_ending(ending) => (stem, Some(ending)),
        _ => (name, None),
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_goes_where_the_agent_asked_with_its_own_ending() {
        for (destination, is_folder, replaces, name, folder, want) in [
            (None, false, None, "a.pdf", "", "a.pdf"),
            (None, false, Some("docs/old.pdf"), "a.pdf", "docs", "a.pdf"),
            (None, false, Some("old.pdf"), "a.pdf", "", "a.pdf"),
            (Some("docs"), true, None, "a.pdf", "docs", "a.pdf"),
            (Some("docs"), false, None, "a.pdf", "docs", "a.pdf"),
            (Some("docs/v1.2"), true, None, "a.pdf", "docs/v1.2", "a.pdf"),
            (Some("docs/syllabus.pdf"), false, None, "scan0001.pdf", "docs", "syllabus.pdf"),
            (Some("docs/syllabus.pdf"), false, None, "scan.docx", "docs", "syllabus.docx"),
            (Some("syllabus.pdf"), false, Some("x/old.pdf"), "scan", "", "syllabus"),
            (Some(""), true, None, "a.pdf", "", "a.pdf"),
        ] {
            let want = Place { folder: folder.into(), name: want.into() };
            assert_eq!(place(destination, is_folder, replaces, name), want, "{destination:?} {name}");
        }
    }

    #[test]
    fn names_are_such_that_every_system_takes_them() {
        for (name, want) in [
            ("a.pdf", "a.pdf"),
            ("año 1.pdf", "año 1.pdf"),
            ("../a.pdf", ".._a.pdf"),
            ("a\u{202e}fdp.exe", "a_fdp.exe"),
            ("a:b?.txt", "a_b_.txt"),
            ("a. ", "a"),
            ("..", "file"),
            ("", "file"),
            (".env", ".env"),
            ("NUL.txt", "_NUL.txt"),
            ("con", "_con"),
            ("line\nbreak", "line_break"),
        ] {
            assert_eq!(clean(name), want, "{name:?}");
        }
        let long = clean(&format!("{}.pdf", "ñ".repeat(300)));
        assert!(long.len() <= NAME_BYTES && long.ends_with("ñ.pdf"), "{long}");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number_before_its_ending() {
        for (name, want) in [
            ("a.pdf", "a (2).pdf"),
            ("a", "a (2)"),
            (".env", ".env (2)"),
            ("v1. notes", "v1. notes (2)"),
            ("a.tar.gz", "a.tar (2).gz"),
        ] {
            assert_eq!(numbered(name, 2), want, "{name}");
        }
    }
}
