//! The main window.

use crate::tray;
use tauri::{App, AppHandle, Manager, Url, WebviewUrl, WebviewWindowBuilder};

/// Its label, by which its capability is found.
pub const MAIN: &str = "main";

/// Opens it.
pub fn open(app: &App) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Countersign")
        .inner_size(1240.0, 800.0)
        .min_inner_size(480.0, 400.0)
        .on_navigation(is_ours)
        .build()?;
    tray::keep_on_close(&window);
    Ok(())
}

/// Brings it to the front.
pub fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        // Each of these may be refused by the window manager; the others still help.
        let _ = (window.unminimize(), window.show(), window.set_focus());
    }
}

/// The page goes nowhere else.
pub fn is_ours(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => true,
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => url.as_str() == "about:blank",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_goes_nowhere_else() {
        for (url, want) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/", true),
            ("about:blank", true),
            ("http://127.0.0.1:4780/", false),
            ("https://example.com/", false),
            ("http://tauri.localhost.example.com/", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("file:///etc/passwd", false),
        ] {
            assert_eq!(is_ours(&url.parse().expect("a url")), want, "{url}");
        }
    }
}
