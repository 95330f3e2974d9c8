//! Starting at login: on Linux a file of the XDG autostart specification, which is itself what says whether it is on.
//!
//! Absent on purpose: `tauri-plugin-autostart`. Its entry goes to `~/.config` wherever `XDG_CONFIG_HOME` points, its path
//! is not quoted, and it can't carry `COUNTERSIGN_HOME`.

use std::io;
use std::path::{Path, PathBuf};

/// The argument of such a start: the app waits in the tray, or minimised.
pub const IN_BACKGROUND: &str = "--in-background";
/// The entry's name.
const FILE: &str = "dev.countersign.desktop.desktop";

/// Whether this app, on this data folder, starts at login; none: this system has no such file.
pub fn is_on(home: Option<&Path>) -> Option<bool> {
    let (path, wanted) = (file()?, entry(&program()?, home)?);
    Some(std::fs::read_to_string(path).is_ok_and(|text| exec(&text) == exec(&wanted)))
}

/// Writes the entry, or takes it away. One for another data folder is replaced by the first, and left by the second.
pub fn set(on: bool, home: Option<&Path>) -> io::Result<()> {
    let unsupported = || io::Error::new(io::ErrorKind::Unsupported, "this system has no folder for it");
    let (path, text) = file().zip(program().and_then(|program| entry(&program, home))).ok_or_else(unsupported)?;
    if !on {
        let ours = std::fs::read_to_string(&path).is_ok_and(|kept| exec(&kept) == exec(&text));
        return if ours { std::fs::remove_file(&path) } else { Ok(()) };
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Whole or not at all.
    let beside = path.with_extension("new");
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, &path)
}

fn file() -> Option<PathBuf> {
    // `XDG_CONFIG_HOME`, else `~/.config`.
    let folder = dirs::config_dir().filter(|_| cfg!(target_os = "linux"))?;
    Some(folder.join("autostart").join(FILE))
}

/// What to start: an AppImage runs from a folder that is gone at the next login.
fn program() -> Option<PathBuf> {
    std::env::var_os("APPIMAGE").map(PathBuf::from).or_else(|| std::env::current_exe().ok())
}

fn entry(program: &Path, home: Option<&Path>) -> Option<String> {
    let home = match home {
        Some(home) => format!("env {} ", quoted(&format!("COUNTERSIGN_HOME={}", home.to_str()?))?),
        None => String::new(),
    };
    let program = quoted(program.to_str()?)?;
    Some(format!(
        "[Desktop Entry]\nType=Application\nName=Countersign\nComment=Answer what AI agents need a person for\n\
         Exec={home}{program} {IN_BACKGROUND}\nTerminal=false\nStartupNotify=false\n"
    ))
}

/// One argument of an `Exec` line (Desktop Entry Specification): quoted for the line, then escaped for the file.
fn quoted(word: &str) -> Option<String> {
    if word.chars().any(char::is_control) {
        return None;
    }
    let mut quoted = String::from('"');
    for letter in word.chars() {
        match letter {
            '"' | '`' | '$' => quoted.extend(['\\', '\\', letter]),
            '\\' => quoted.push_str("\\\\\\\\"),
            '%' => quoted.push_str("%%"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    Some(quoted)
}

fn exec(text: &str) -> Option<&str> {
    text.lines().find(|line| line.starts_with("Exec="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_starts_this_program_in_the_background_on_this_data_folder() {
        let text = entry(Path::new("/opt/count er/app"), None).expect("an entry");
        assert_eq!(exec(&text), Some(r#"Exec="/opt/count er/app" --in-background"#));
        let text = entry(Path::new("/app"), Some(Path::new("/x y"))).expect("an entry");
        assert_eq!(exec(&text), Some(r#"Exec=env "COUNTERSIGN_HOME=/x y" "/app" --in-background"#));
    }

    #[test]
    fn no_letter_of_a_path_ends_its_argument_or_means_anything() {
        for (word, want) in [
            (r"a b", Some(r#""a b""#)),
            (r#"a"b"#, Some(r#""a\\"b""#)),
            (r"a$b`c", Some(r#""a\\$b\\`c""#)),
            (r"a\b", Some(r#""a\\\\b""#)),
            (r"100%u", Some(r#""100%%u""#)),
            ("a\nExec=evil", None),
        ] {
            assert_eq!(quoted(word).as_deref(), want, "{word}");
        }
    }
}
