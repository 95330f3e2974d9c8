//! The main window.

use crate::desk::Desk;
use crate::{dialog_window, screens, tray};
use countersign_core::id::RequestId;
use countersign_core::request::State;
use countersign_core::who_may_decide::has_dialog;
use std::sync::PoisonError;
use std::time::Duration;
use tauri::{
    App, AppHandle, Emitter as _, Manager, Url, UserAttentionType, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    WindowEvent,
};

/// Its label, by which its capability is found.
pub const MAIN: &str = "main";

/// Tells the page to go somewhere.
const OPEN: &str = "open";
/// How long a window manager may take to bring a window to the front.
const RAISED: Duration = Duration::from_millis(300);

/// What the window can be opened at. Opening decides nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The list.
    Inbox,
    /// One request in it.
    Request(RequestId),
    /// The settings.
    Settings,
}

/// Opens it; in the background where it waits to be needed: in the tray, or minimised where there is none.
pub fn open(app: &App, in_background: bool) -> tauri::Result<()> {
    let tray = app.state::<Desk>().tray;
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Countersign")
        .inner_size(1240.0, 800.0)
        .min_inner_size(480.0, 400.0)
        .visible(!in_background || !tray)
        .on_navigation(is_ours)
        .build()?;
    if in_background && !tray {
        window.minimize()?;
    }
    tray::keep_on_close(&window);
    let seen = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::Focused(true) = event {
            // Nothing more to hint at; a window without a hint stays as it is.
            let _ = seen.request_user_attention(None);
        }
    });
    Ok(())
}

/// Brings it to the front, from wherever it is: hidden, minimised, beneath others, or on another workspace.
pub fn raise(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    // Each of these may be refused by the window manager; the others still help.
    let _ = window.unminimize();
    show(&window);
    let _ = window.set_focus();
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(RAISED).await;
        if one_has_focus(&app) {
            return;
        }
        // Window managers show a window that comes anew where the person is, and leave one that is there where it is.
        let _ = hide(&window);
        show(&window);
        let _ = window.set_focus();
        tokio::time::sleep(RAISED).await;
        if !one_has_focus(&app) {
            ask_for_attention(&app);
        }
    });
}

/// Hides it, and keeps where it was.
pub fn hide(window: &WebviewWindow) -> tauri::Result<()> {
    let desk = window.state::<Desk>();
    *desk.left_at.lock().unwrap_or_else(PoisonError::into_inner) = window.outer_position().ok();
    window.hide()
}

/// Shows it where it was before it was hidden, or on a screen that is there still: window managers place it anew.
fn show(window: &WebviewWindow) {
    let desk = window.state::<Desk>();
    let place = desk.left_at.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Err(error) = window.show() {
        tracing::warn!(%error, "the window could not be shown");
    }
    screens::bring_back(window, place);
}

/// Brings the window to the front and its page to this place.
pub fn open_at(app: &AppHandle, place: Place) {
    let desk = app.state::<Desk>();
    let hash = match &place {
        Place::Inbox => "#inbox".into(),
        Place::Settings => "#settings".into(),
        Place::Request(id) => format!("#inbox/{id}"),
    };
    if desk.page_opens(&hash)
        && let Err(error) = app.emit_to(MAIN, OPEN, hash)
    {
        tracing::warn!(%error, "the page could not be told what to open");
    }
    raise(app);
    // What is decided in its dialog has that beside it again, without the keyboard: a click may be forged, and the person
    // may be typing.
    if let Place::Request(id) = place
        && desk
            .broker
            .detail(&id)
            .is_ok_and(|detail| detail.request.state == State::Pending && has_dialog(detail.request.ask.class))
    {
        desk.dialog.want(id);
        dialog_window::follow(app);
    }
}

/// The hint in the taskbar, where nothing else says that somebody waits. A window that is in use needs none.
pub fn ask_for_attention(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN).filter(|_| !one_has_focus(app)) {
        let _ = window.request_user_attention(Some(UserAttentionType::Critical));
    }
}

fn one_has_focus(app: &AppHandle) -> bool {
    app.webview_windows().values().any(|window: &WebviewWindow| window.is_focused().unwrap_or(false))
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
