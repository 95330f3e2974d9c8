//! How a person starts the command line from a terminal: by its name where that is found, else by its path.

use std::path::{Path, PathBuf};

/// The command line's file.
const NAME: &str = if cfg!(windows) { "countersign.exe" } else { "countersign" };
/// What it is called.
const BARE: &str = "countersign";

/// The first word of a command, as a shell takes it.
pub fn word() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.is_absolute() && runs(&folder.join(NAME)));
    let beside = std::env::current_exe().ok().and_then(|app| app.parent().map(|folder| folder.join(NAME)));
    pick(found, beside.filter(|file| runs(file)))
}

fn pick(found: bool, beside: Option<PathBuf>) -> String {
    beside.filter(|_| !found).and_then(|file| quoted(&file)).unwrap_or_else(|| BARE.to_owned())
}

/// The path as one word of a shell; none where it can't be shown as it is.
fn quoted(path: &Path) -> Option<String> {
    let text = path.to_str().filter(|text| !text.chars().any(char::is_control))?;
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    if text.chars().all(plain) {
        Some(text.to_owned())
    } else if cfg!(windows) {
        // A path there has no quotes in it. PowerShell runs a quoted word only after this sign.
        Some(format!("& \"{text}\""))
    } else {
        Some(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

/// An argument vector as one line, to be looked at: no shell ever reads it.
pub fn line(arguments: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    let word = |argument: &String| {
        let bare = !argument.is_empty() && argument.chars().all(plain);
        if bare { argument.clone() } else { format!("'{}'", argument.replace('\'', r"'\''")) }
    };
    arguments.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(unix)]
fn runs(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt as _;
    use std::process::Command;

    #[test]
    fn a_command_line_that_no_shell_finds_is_named_by_its_path_and_any_other_by_its_name() {
        for (found, beside, want) in [
            (true, Some("/opt/app/countersign"), "countersign"),
            (false, Some("/opt/app/countersign"), "/opt/app/countersign"),
            (false, Some("/home/ana/My Apps/countersign"), "'/home/ana/My Apps/countersign'"),
            (false, Some("/home/d'or/countersign"), r"'/home/d'\''or/countersign'"),
            (false, Some("/home/josé/countersign"), "/home/josé/countersign"),
            (false, Some("/a$b`c;d\"e\\f/countersign"), r#"'/a$b`c;d"e\f/countersign'"#),
            (false, Some("~/countersign"), "'~/countersign'"),
            (false, Some("/a\nb/countersign"), "countersign"),
            (false, None, "countersign"),
        ] {
            assert_eq!(pick(found, beside.map(PathBuf::from)), want, "{beside:?}");
        }
        let torn = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff/countersign"));
        assert_eq!(quoted(torn), None);
    }

    #[test]
    fn a_real_shell_takes_the_quoted_path_as_one_word_and_changes_nothing_in_it() {
        for path in ["/a b/c", "/it's/c", "/$HOME/`id`/c", "/a\\b\"c/*?[x]{y}/~", "/josé/ñ;#&|<>()!/c", "-"] {
            let word = quoted(Path::new(path)).expect("can be shown");
            let said = Command::new("sh").args(["-c", &format!("printf %s {word}")]).output().expect("a shell");
            assert_eq!(String::from_utf8_lossy(&said.stdout), path);
        }
    }
}
