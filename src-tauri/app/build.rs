//! What Tauri needs before the app compiles: the page's folder, and the list of commands that are refused to every window
//! whose capability does not name them.

/// The same names as in `src/view.rs`, in the capabilities of `tauri.conf.json` and in the page's `ipc.ts`; a test compares them.
const COMMANDS: &[&str] = &[
    "snapshot",
    "request",
    "answer",
    "decline",
    "save_draft",
    "accept_arrival",
    "refuse_arrival",
    "revoke_agent",
    "rotate_agent",
    "set_scopes",
    "set_mode",
    "set_preference",
    "test_notification",
    "quit",
    "set_passphrase",
    "painted",
    "specs",
    "spec_page",
    "spec",
    "spec_commands",
    "spec_check",
    "spec_preview",
    "spec_create",
    "spec_edit",
    "spec_status",
    "spec_lock",
    "spec_evidence",
    "spec_waive",
    "spec_delete",
    "spec_history",
    "spec_revision",
    "spec_export",
    "spec_save",
    "spec_import_look",
    "spec_import",
    "spec_validate",
    "spec_deploy",
    "spec_run",
    "spec_cancel",
    "trust_review",
    "set_rules",
    "answer_step",
    "stop_session",
    "release_session",
    "rules",
    "rule_try",
    "rule_make",
    "rule_remove",
    "open_dialog",
    "dialog_view",
    "dialog_yes",
    "dialog_no",
    "dialog_plan",
    "dialog_later",
    "dialog_ignored",
];

fn main() {
    // `generate_context!` stops when the folder is missing, as it is before the page's first build.
    std::fs::create_dir_all("ui/dist").expect("the page's folder can be made");
    let manifest = tauri_build::AppManifest::new().commands(COMMANDS);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)).expect("the app's manifest is right");
}
