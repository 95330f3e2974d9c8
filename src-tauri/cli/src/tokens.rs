//! Tokens of programs that this person paired from a terminal, for their bridges: files that only the owner reads.

use countersign_host::Home;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

/// Keeps a token. The file is named after the agent's id.
pub fn keep(home: &Home, agent: &str, token: &str, name: &str, workspace: &str) -> anyhow::Result<PathBuf> {
    let folder = home.tokens();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    let path = folder.join(format!("{agent}.json"));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let text = json!({"agent": agent, "token": token, "name": name, "workspace": workspace}).to_string();
    options.open(&path)?.write_all(text.as_bytes())?;
    Ok(path)
}

/// The token for a bridge in this folder: `COUNTERSIGN_TOKEN`, else the newest kept for the folder, else the newest.
pub fn find(home: &Home, workspace: &str) -> Option<String> {
    if let Some(token) = std::env::var("COUNTERSIGN_TOKEN").ok().filter(|token| !token.is_empty()) {
        return Some(token);
    }
    let mut kept: Vec<(std::time::SystemTime, Value)> = fs::read_dir(home.tokens())
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let value = serde_json::from_str(&fs::read_to_string(entry.path()).ok()?).ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, value))
        })
        .collect();
    kept.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let here = kept.iter().find(|(_, value)| value["workspace"] == workspace);
    here.or(kept.first()).and_then(|(_, value)| value["token"].as_str()).map(str::to_owned)
}
