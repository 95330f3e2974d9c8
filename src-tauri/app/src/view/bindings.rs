//! The page's types, generated from these. `COUNTERSIGN_BINDINGS=write cargo test -p countersign-desktop bindings` writes
//! them; without it the test compares.

#[cfg(test)]
mod tests {
    use crate::view::{
        Answer, CommandsView, CriterionInput, DialogView, FileInput, FileSizeView, HistoryView, ImportView, RequestView,
        RevisionView, RuleDraft, RuleTryView, RuleView, RunView, SnapshotView, SpecCheckView, SpecView, SpecsView,
        TokenView, Until, ViewError,
    };
    use countersign_core::import::Existing;
    use std::collections::BTreeMap;
    use std::path::Path;
    use ts_rs::{Config, TS};

    /// All files below a folder, by name.
    fn files(folder: &Path, below: &Path, found: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, below, found);
            } else {
                let name = path.strip_prefix(below).expect("a path below").to_string_lossy().into_owned();
                found.insert(name, std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }

    fn generated(folder: &Path) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        files(folder, folder, &mut found);
        found
    }

    fn export(folder: &Path) {
        let config = Config::new().with_out_dir(folder).with_large_int("number");
        SnapshotView::export_all(&config).expect("exports");
        RequestView::export_all(&config).expect("exports");
        ViewError::export_all(&config).expect("exports");
        Answer::export_all(&config).expect("exports");
        DialogView::export_all(&config).expect("exports");
        TokenView::export_all(&config).expect("exports");
        SpecsView::export_all(&config).expect("exports");
        SpecView::export_all(&config).expect("exports");
        SpecCheckView::export_all(&config).expect("exports");
        CommandsView::export_all(&config).expect("exports");
        RunView::export_all(&config).expect("exports");
        HistoryView::export_all(&config).expect("exports");
        RevisionView::export_all(&config).expect("exports");
        ImportView::export_all(&config).expect("exports");
        CriterionInput::export_all(&config).expect("exports");
        FileInput::export_all(&config).expect("exports");
        FileSizeView::export_all(&config).expect("exports");
        Existing::export_all(&config).expect("exports");
        RuleView::export_all(&config).expect("exports");
        RuleDraft::export_all(&config).expect("exports");
        RuleTryView::export_all(&config).expect("exports");
        Until::export_all(&config).expect("exports");
    }

    #[test]
    fn the_pages_types_are_those_of_the_commands() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/lib/bindings");
        if std::env::var("COUNTERSIGN_BINDINGS").is_ok_and(|word| word == "write") {
            export(&committed);
        }
        let folder = tempfile::tempdir().expect("a folder");
        export(folder.path());
        let (now, before) = (generated(folder.path()), generated(&committed));
        let names = |all: &BTreeMap<String, String>| all.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&now), names(&before), "write them anew, see the head of this file");
        for (name, text) in now {
            assert_eq!(Some(&text), before.get(&name), "{name}: write it anew, see the head of this file");
        }
    }

    #[test]
    fn build_capability_and_page_name_the_same_commands() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a text");
        let between = |text: &str, from: &str, to: &str| {
            let start = text.find(from).expect("a start") + from.len();
            text[start..].split(to).next().expect("an end").to_owned()
        };
        let quoted = |text: &str| text.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let build = sorted(quoted(&between(&read("src-tauri/app/build.rs"), "COMMANDS: &[&str] = &[", "];")));
        let conf: serde_json::Value = serde_json::from_str(&read("tauri.conf.json")).expect("JSON");
        let capabilities = conf["app"]["security"]["capabilities"].as_array().expect("a list");
        let permissions: Vec<_> =
            capabilities.iter().flat_map(|one| one["permissions"].as_array().expect("a list").clone()).collect();
        let allowed: std::collections::BTreeSet<_> = permissions
            .iter()
            .filter_map(|p| p.as_str()?.strip_prefix("allow-").map(|name| name.replace('-', "_")))
            .collect();
        assert_eq!(sorted(allowed.into_iter().collect()), build, "the capability");
        let ipc = read("ui/src/lib/ipc.ts");
        let invoked = ipc.match_indices("invoke<").map(|(at, _)| quoted(&ipc[at..])[0].clone());
        assert_eq!(sorted(invoked.collect()), build, "the page");
        let view = read("src-tauri/app/src/view.rs");
        let handled = between(&view, "generate_handler![", "]");
        assert_eq!(
            sorted(
                handled.split(',').map(|name| name.trim().rsplit("::").next().unwrap_or_default().to_owned()).collect()
            ),
            build,
            "the handler"
        );
    }
}
