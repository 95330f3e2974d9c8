//! The tray icon with the number of what waits; and what closing the window does: with a tray the app stays there, without
//! one the window is minimised. Either way agents find the app running.

use crate::desk::Desk;
use crate::words::{self, Language};
use crate::{bus, window};
use tauri::menu::{Menu, MenuItem};
use tauri::tray::{TrayIconBuilder, TrayIconEvent};
use tauri::{App, AppHandle, Emitter, Manager, WebviewWindow, WindowEvent};

const ID: &str = "inbox";
const OPEN: &str = "open";
const QUIT: &str = "quit";

/// Puts the icon there, where the desktop has a place for it.
pub fn build(app: &App, language: Language) -> tauri::Result<()> {
    if !is_there() {
        tracing::info!("this desktop shows no tray icons; closing the window minimises it");
        return Ok(());
    }
    let mut builder =
        TrayIconBuilder::with_id(ID).menu(&menu(app, language)?).tooltip("Countersign").show_menu_on_left_click(false);
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    builder
        .on_menu_event(|app, event| match event.id.as_ref() {
            OPEN => window::raise(app),
            QUIT => quit(app),
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

/// The page knows what would go with the app, and asks; where there is no page yet, nothing would.
fn quit(app: &AppHandle) {
    let told = app.state::<Desk>().page_is_there() && app.emit_to(window::MAIN, QUIT, ()).is_ok();
    if !told {
        app.exit(0);
    }
}

fn menu(app: &impl Manager<tauri::Wry>, language: Language) -> tauri::Result<Menu<tauri::Wry>> {
    let open = MenuItem::with_id(app, OPEN, words::open_inbox(language), true, None::<&str>)?;
    let quit = MenuItem::with_id(app, QUIT, words::quit(language), true, None::<&str>)?;
    Menu::with_items(app, &[&open, &quit])
}

/// Its menu in this language.
pub fn speak(app: &AppHandle, language: Language) {
    let Some(tray) = app.tray_by_id(ID) else { return };
    let app = app.clone();
    // Menus are made on the main thread.
    let made = app.clone().run_on_main_thread(move || {
        if let Err(error) = menu(&app, language).and_then(|menu| tray.set_menu(Some(menu))) {
            tracing::warn!(%error, "the tray's menu stays as it was");
        }
    });
    if let Err(error) = made {
        tracing::warn!(%error, "the tray's menu stays as it was");
    }
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
            let done = if is_there() { window::hide(&kept) } else { kept.minimize() };
            if let Err(error) = done {
                tracing::warn!(%error, "the window could not be put away");
            }
        }
    });
}

/// Whether somebody shows tray icons.
pub fn is_there() -> bool {
    bus::is_there(bus::TRAY)
}
