//! Tokens of programs that this person paired from a terminal, for their bridges: files that only the owner reads.

use crate::home::Home;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A token that is kept for a bridge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptToken {
    /// Whose.
    pub agent: String,
    /// The token.
    pub token: String,
}

/// Keeps a token. The file is named after the agent's id.
pub fn keep_token(home: &Home, agent: &str, token: &str, name: &str, workspace: &str) -> io::Result<PathBuf> {
    let folder = home.tokens();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    let path = file(home, agent);
    write(&path, &json!({"agent": agent, "token": token, "name": name, "workspace": workspace}))?;
    Ok(path)
}

/// The newest token kept for this folder, else the newest of all.
pub fn find_token(home: &Home, workspace: &str) -> Option<KeptToken> {
    let mut kept: Vec<(std::time::SystemTime, Value)> = fs::read_dir(home.tokens())
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let value = read(&entry.path())?;
            Some((entry.metadata().ok()?.modified().ok()?, value))
        })
        .collect();
    kept.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let here = kept.iter().find(|(_, value)| value["workspace"] == workspace);
    here.or(kept.first()).and_then(|(_, value)| kept_in(value))
}

/// This agent's token as it is kept now; none where its bridge has it from elsewhere.
pub fn kept_token(home: &Home, agent: &str) -> Option<KeptToken> {
    kept_in(&read(&file(home, agent))?)
}

/// Replaces this agent's token where one is kept. False where none is.
pub(crate) fn replace(home: &Home, agent: &str, token: &str) -> io::Result<bool> {
    let path = file(home, agent);
    let Some(mut value) = read(&path) else { return Ok(false) };
    value["token"] = json!(token);
    // Beside it, then in its place: a bridge that reads in this moment gets the old one or the new one, whole.
    let beside = path.with_extension("new");
    let _ = fs::remove_file(&beside);
    write(&beside, &value)?;
    fs::rename(&beside, &path)?;
    Ok(true)
}

fn file(home: &Home, agent: &str) -> PathBuf {
    home.tokens().join(format!("{agent}.json"))
}

fn read(path: &Path) -> Option<Value> {
    (path.extension()? == "json").then(|| serde_json::from_str(&fs::read_to_string(path).ok()?).ok())?
}

fn kept_in(value: &Value) -> Option<KeptToken> {
    Some(KeptToken { agent: value["agent"].as_str()?.to_owned(), token: value["token"].as_str()?.to_owned() })
}

fn write(path: &Path, value: &Value) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(value.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_replaced_where_it_is_kept_and_nowhere_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::locate(Some(folder.path())).expect("a home");
        keep_token(&home, "a", "old", "name", "/w").expect("kept");
        assert!(replace(&home, "a", "new").expect("replaced"));
        assert!(!replace(&home, "b", "new").expect("none is kept"));
        assert_eq!(kept_token(&home, "a").map(|kept| kept.token).as_deref(), Some("new"));
        assert_eq!(find_token(&home, "/w").map(|kept| kept.agent).as_deref(), Some("a"));
        assert_eq!(kept_token(&home, "b"), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(file(&home, "a")).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
