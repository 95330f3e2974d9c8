//! Paths of a workspace as they are spelled: inside of it, and not among what programs keep there for themselves. Whether a link on
//! the way leads elsewhere is for whoever opens them.

/// Folders into which no agent has files put, and out of which none are taken.
const KEPT: [&str; 2] = [".git", ".countersign"];

/// Why a path is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InsideError {
    /// It leads out, or may.
    #[error("`{path}` is not inside the workspace; give a path in it, without `..`")]
    Outside {
        /// As it was given.
        path: String,
    },
    /// It names nothing.
    #[error("`{field}` is empty; give a path in the workspace")]
    Empty {
        /// The field's name.
        field: String,
    },
    /// It is in a folder that a program keeps for itself.
    #[error("`{path}` is in a folder that programs keep for themselves; give another place in the workspace")]
    Kept {
        /// As it was given.
        path: String,
    },
    /// A control character.
    #[error("`{field}` contains the control character U+{code:04X}; remove it")]
    Control {
        /// The field's name.
        field: String,
        /// The character.
        code: u32,
    },
}

/// A path relative to the workspace `root`, with `/` between its parts; empty for the workspace itself.
pub fn inside(field: &str, root: &str, given: &str) -> Result<String, InsideError> {
    if let Some(c) = given.chars().find(|c| c.is_control()) {
        return Err(InsideError::Control { field: field.to_owned(), code: c.into() });
    }
    let said = || given.chars().take(300).collect::<String>();
    let trimmed = given.trim();
    if trimmed.is_empty() {
        return Err(InsideError::Empty { field: field.to_owned() });
    }
    let outside = || InsideError::Outside { path: said() };
    let relative = if is_absolute(trimmed) { beneath(root, trimmed).ok_or_else(outside)? } else { trimmed };
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.split(separators(root)) {
        match part {
            "" | "." => {}
            ".." => return Err(outside()),
            part if part.starts_with('~') && parts.is_empty() && (part == "~" || relative.starts_with("~/")) => {
                return Err(outside());
            }
            part if KEPT.iter().any(|kept| part.eq_ignore_ascii_case(kept)) => {
                return Err(InsideError::Kept { path: said() });
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// Whether a path begins at the root of a file system, on any system.
pub fn is_absolute(path: &str) -> bool {
    let drive = |path: &str| {
        let mut chars = path.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
    };
    path.starts_with(['/', '\\']) || drive(path)
}

/// A backslash is part of a name where paths begin with a slash.
fn separators(root: &str) -> &'static [char] {
    if root.starts_with('/') { &['/'] } else { &['/', '\\'] }
}

fn beneath<'p>(root: &str, path: &'p str) -> Option<&'p str> {
    let root = root.trim_end_matches(separators(root));
    let rest = path.strip_prefix(root)?;
    (rest.is_empty() || rest.starts_with(separators(root))).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spelled_as_inside_is_and_nothing_else() {
        let of = |given: &str| inside("source", "/w", given).map_err(|error| error.to_string());
        for (given, want) in [
            ("docs/a.pdf", "docs/a.pdf"),
            ("./docs//a.pdf", "docs/a.pdf"),
            ("/w/docs/a.pdf", "docs/a.pdf"),
            ("/w", ""),
            (".", ""),
            ("docs/", "docs"),
            ("docs/..a", "docs/..a"),
            ("C\\a", "C\\a"),
            ("a b/ñ.md", "a b/ñ.md"),
            (".github/x", ".github/x"),
            ("~x", "~x"),
        ] {
            assert_eq!(of(given).as_deref(), Ok(want), "{given}");
        }
        for given in
            ["..", "../a", "docs/../../a", "docs/../a", "/etc/hosts", "/wx/a", "/", "C:\\a", "\\\\host\\a", "~", "~/a"]
        {
            let said = format!("`{given}` is not inside the workspace; give a path in it, without `..`");
            assert_eq!(of(given), Err(said), "{given}");
        }
        for given in [".git/hooks/pre-commit", "a/.GIT/x", ".countersign/retired/a", "/w/.git"] {
            assert!(of(given).is_err_and(|said| said.contains("keep for themselves")), "{given}");
        }
        assert_eq!(of(" "), Err("`source` is empty; give a path in the workspace".into()));
        assert_eq!(of("a\nb"), Err("`source` contains the control character U+000A; remove it".into()));
    }
}
