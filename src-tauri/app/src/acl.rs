//! Which window may call what: the capabilities of `tauri.conf.json`, asked of Tauri itself, for every command in every window.

use std::collections::BTreeSet;
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{WebviewUrl, WebviewWindow, WebviewWindowBuilder};

/// Keeping what was typed is both windows'; it decides nothing.
const SHARED: &[&str] = &["save_draft"];

/// What belongs to the dialog; all other commands of `build.rs` belong to the main window.
fn is_dialogs(command: &str) -> bool {
    command.starts_with("dialog_")
}

fn commands() -> BTreeSet<&'static str> {
    let build = include_str!("../build.rs");
    let list = build.split("COMMANDS: &[&str] = &[").nth(1).and_then(|rest| rest.split("];").next()).expect("the list");
    list.split('"').skip(1).step_by(2).collect()
}

fn says(window: &WebviewWindow<MockRuntime>, command: &str, from: &str) -> Result<(), String> {
    let request = InvokeRequest {
        cmd: command.to_owned(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: from.parse().expect("an address"),
        body: InvokeBody::default(),
        headers: Default::default(),
        invoke_key: INVOKE_KEY.to_owned(),
    };
    get_ipc_response(window, request).map(|_| ()).map_err(|refused| refused.to_string())
}

#[test]
fn each_window_reaches_its_own_commands_and_no_other() {
    // Every command that is let through answers; what the capabilities refuse never gets there.
    let app = mock_builder()
        .invoke_handler(|invoke| {
            invoke.resolver.resolve(());
            true
        })
        .build(tauri::generate_context!())
        .expect("the app");
    let window = |label: &str| WebviewWindowBuilder::new(&app, label, WebviewUrl::default()).build().expect("a window");
    let (main, dialog, other) = (window("main"), window("dialog"), window("other"));
    let ours = if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" };
    let commands = commands();
    assert!(commands.len() >= 18 && commands.iter().any(|command| is_dialogs(command)), "{commands:?}");
    for command in &commands {
        let (mains, shared) = (!is_dialogs(command), SHARED.contains(command));
        assert_eq!(says(&main, command, ours).is_ok(), mains, "main: {command}");
        assert_eq!(says(&dialog, command, ours).is_ok(), !mains || shared, "dialog: {command}");
        assert!(says(&other, command, ours).is_err(), "another window: {command}");
        for foreign in ["https://example.com", "http://127.0.0.1:4780", "file:///tmp/x.html"] {
            assert!(says(&main, command, foreign).is_err(), "main, from {foreign}: {command}");
            assert!(says(&dialog, command, foreign).is_err(), "dialog, from {foreign}: {command}");
        }
    }
    // Nothing of Tauri's own that opens, writes, runs, shows or tells the other window something.
    for command in [
        "plugin:event|emit",
        "plugin:event|emit_to",
        "plugin:window|create",
        "plugin:window|set_focus",
        "plugin:window|close",
        "plugin:window|destroy",
        "plugin:webview|create_webview_window",
        "plugin:notification|notify",
        "plugin:dialog|open",
        "plugin:dialog|save",
        "plugin:dialog|message",
        "plugin:app|version",
        "plugin:path|resolve_directory",
        "plugin:tray|new",
        "plugin:menu|new",
        "plugin:image|new",
        "plugin:resources|close",
    ] {
        assert!(says(&main, command, ours).is_err(), "main: {command}");
        assert!(says(&dialog, command, ours).is_err(), "dialog: {command}");
    }
}
