//! Which folder a program works in: the git root, else the folder itself.

use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// The workspace of a folder, as an absolute path without links.
pub fn of(folder: Option<&Path>) -> anyhow::Result<String> {
    let folder = folder.map_or_else(std::env::current_dir, |folder| Ok(folder.to_owned()))?;
    let folder = folder.canonicalize().with_context(|| format!("the folder {} can't be used", folder.display()))?;
    let root = folder.ancestors().find(|ancestor| ancestor.join(".git").exists()).map(Path::to_owned);
    let chosen: PathBuf = root.unwrap_or(folder);
    chosen
        .into_os_string()
        .into_string()
        .map_err(|path| anyhow::anyhow!("the folder {path:?} has a name that is no UTF-8"))
}

/// A run folder as an absolute path. A link at its end stays one, for the app to refuse.
pub fn run_folder(folder: &Path) -> anyhow::Result<String> {
    let shown = folder.display().to_string();
    anyhow::ensure!(folder.is_dir(), "the run folder {shown} is not there; make it first");
    let absolute = std::path::absolute(folder).context("the run folder can't be used")?;
    let folder = match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => parent.canonicalize().map(|parent| parent.join(name)),
        _ => absolute.canonicalize(),
    };
    let folder = folder.with_context(|| format!("the run folder {shown} can't be used"))?;
    let text = folder.into_os_string().into_string();
    text.map_err(|path| anyhow::anyhow!("the run folder {path:?} has a name that is no UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_is_the_git_root_or_the_folder_itself() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().canonicalize().expect("a path");
        let deep = root.join("a/b");
        std::fs::create_dir_all(&deep).expect("makes");
        assert_eq!(of(Some(&deep)).expect("found"), deep.to_string_lossy());
        std::fs::create_dir(root.join(".git")).expect("makes");
        assert_eq!(of(Some(&deep)).expect("found"), root.to_string_lossy());
        assert!(of(Some(&root.join("missing"))).is_err());
    }
}
