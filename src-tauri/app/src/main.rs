//! The desktop app. All of it is in the library, so that tests reach it.

// No console window beside the app on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    countersign_desktop::run()
}
