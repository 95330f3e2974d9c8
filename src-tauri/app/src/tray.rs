//! The tray icon with the number of what waits; and what closing the window does: with a tray the app stays there, without
//! one the window is minimised. Either way agents find the app running.

use crate::window;
use crate::words::{self, Language};
use tauri::menu::{Menu, MenuItem};
use tauri::tray::{TrayIconBuilder, TrayIconEvent};
use tauri::{App, AppHandle, WebviewWindow, WindowEvent};

const ID: &str = "inbox";
const OPEN: &str = "open";
const QUIT: &str = "quit";

/// Puts the icon there, where the desktop has a place for it.
pub fn build(app: &App, language: Language) -> tauri::Result<()> {
    if !is_there() {
        tracing::info!("this desktop shows no tray icons; closing the window minimises it");
        return Ok(());
    }
    let open = MenuItem::with_id(app, OPEN, words::open_inbox(language), true, None::<&str>)?;
    let quit = MenuItem::with_id(app, QUIT, words::quit(language), true, None::<&str>)?;
    let menu = Menu::with_items(app, &[&open, &quit])?;
    let mut builder = TrayIconBuilder::with_id(ID).menu(&menu).tooltip("Countersign").show_menu_on_left_click(false);
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    builder
        .on_menu_event(|app, event| match event.id.as_ref() {
            OPEN => window::raise(app),
            QUIT => app.exit(0),
            _ => {}
        })
        .on_tray_icon_event(|tray, event| {
            if let TrayIconEvent::Click { .. } = event {
                window::raise(tray.app_handle());
            }
        })
        .build(app)?;
    Ok(())
}

/// Shows how much waits.
pub fn show_count(app: &AppHandle, count: usize, language: Language) {
    let Some(tray) = app.tray_by_id(ID) else { return };
    let title = (count > 0).then(|| count.to_string());
    // A desktop without labels or tooltips shows the icon alone.
    let _ = (tray.set_title(title), tray.set_tooltip(Some(words::waiting(language, count))));
}

/// Closing the window ends nothing.
pub fn keep_on_close(window: &WebviewWindow) {
    let kept = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::CloseRequested { api, .. } = event {
            api.prevent_close();
            let done = if is_there() { kept.hide() } else { kept.minimize() };
            if let Err(error) = done {
                tracing::warn!(%error, "the window could not be put away");
            }
        }
    });
}

/// Whether somebody shows tray icons: on Linux the session bus knows (freedesktop.org StatusNotifierItem).
#[cfg(target_os = "linux")]
fn is_there() -> bool {
    use gio::prelude::ToVariant as _;
    let Ok(bus) = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE) else { return false };
    let answer = bus.call_sync(
        Some("org.freedesktop.DBus"),
        "/org/freedesktop/DBus",
        "org.freedesktop.DBus",
        "NameHasOwner",
        Some(&("org.kde.StatusNotifierWatcher",).to_variant()),
        None,
        gio::DBusCallFlags::NONE,
        500,
        gio::Cancellable::NONE,
    );
    answer.ok().and_then(|answer| answer.child_value(0).get::<bool>()).unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
fn is_there() -> bool {
    true
}
