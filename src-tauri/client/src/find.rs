//! How the app is found: `endpoint.json` in its data folder, and a token as the bridge finds it.

use serde_json::Value;
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

/// The data folder: `COUNTERSIGN_HOME`, else the system's place for data.
pub(crate) fn home() -> Option<PathBuf> {
    let named = std::env::var_os("COUNTERSIGN_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let named = named.and_then(|home| std::path::absolute(home).ok());
    named.or_else(|| dirs::data_local_dir().map(|folder| folder.join("countersign")))
}

/// Where the app listens, as the discovery file says; it stays behind after a crash, and then nothing listens.
pub(crate) fn url(home: &Path) -> Option<String> {
    let endpoint: Value = serde_json::from_str(&fs::read_to_string(home.join("endpoint.json")).ok()?).ok()?;
    endpoint["url"].as_str().map(str::to_owned)
}

/// `COUNTERSIGN_TOKEN`, else the newest token that is kept for the workspace, else the newest of all.
pub(crate) fn token(home: &Path, workspace: &str) -> Option<String> {
    if let Some(token) = std::env::var("COUNTERSIGN_TOKEN").ok().filter(|token| !token.is_empty()) {
        return Some(token);
    }
    let kept = |path: PathBuf| -> Option<(std::time::SystemTime, Value)> {
        let json = path.extension().is_some_and(|end| end == "json");
        let value = json.then(|| serde_json::from_str(&fs::read_to_string(&path).ok()?).ok())??;
        Some((fs::metadata(&path).ok()?.modified().ok()?, value))
    };
    let mut all: Vec<_> = fs::read_dir(home.join("tokens")).ok()?.flatten().filter_map(|e| kept(e.path())).collect();
    all.sort_by_key(|(at, _)| Reverse(*at));
    let here = all.iter().find(|(_, value)| value["workspace"] == workspace);
    here.or(all.first()).and_then(|(_, value)| value["token"].as_str().map(str::to_owned))
}

/// The workspace of a folder: the git root, else the folder itself.
pub(crate) fn workspace(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let root = folder.ancestors().find(|ancestor| ancestor.join(".git").exists()).map(Path::to_owned);
    root.unwrap_or(folder).into_os_string().into_string().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_app_is_found_by_its_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path();
        assert_eq!((url(home), token(home, "/w")), (None, None));
        fs::write(home.join("endpoint.json"), r#"{"url": "http://127.0.0.1:4780"}"#).expect("written");
        assert_eq!(url(home).as_deref(), Some("http://127.0.0.1:4780"));
        fs::create_dir(home.join("tokens")).expect("made");
        let keep = |agent: &str, workspace: &str, at: u64| {
            let path = home.join(format!("tokens/{agent}.json"));
            fs::write(&path, format!(r#"{{"token": "of {agent}", "workspace": "{workspace}"}}"#)).expect("written");
            let at = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(at);
            fs::File::options().write(true).open(path).and_then(|file| file.set_modified(at)).expect("set");
        };
        keep("a", "/w", 1);
        keep("b", "/other", 2);
        assert_eq!(token(home, "/w").as_deref(), Some("of a"));
        assert_eq!(token(home, "/none").as_deref(), Some("of b"));
    }
}
