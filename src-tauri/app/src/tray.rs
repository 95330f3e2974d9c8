//! The tray icon with the number of what waits; and what closing the window does: with a tray the app stays there, without
//! one the window is minimised. Either way agents find the app running.

mod sessions;

use crate::desk::Desk;
use crate::words::{self, Language};
use crate::{bus, window};
use sessions::Entry;
use std::sync::{Mutex, PoisonError};
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
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
    let entries = sessions::entries(&app.state::<Desk>());
    let first = menu(app, language, &entries)?;
    app.manage(Shown(Mutex::new((language, entries))));
    let mut builder = TrayIconBuilder::with_id(ID).menu(&first).tooltip("Countersign").show_menu_on_left_click(false);
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    builder
        .on_menu_event(|app, event| match event.id.as_ref() {
            OPEN => window::raise(app),
            QUIT => quit(app),
            other => {
                sessions::chosen(app, other, show_menu);
            }
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

fn menu(app: &impl Manager<tauri::Wry>, language: Language, entries: &[Entry]) -> tauri::Result<Menu<tauri::Wry>> {
    let open = MenuItem::with_id(app, OPEN, words::open_inbox(language), true, None::<&str>)?;
    let quit = MenuItem::with_id(app, QUIT, words::quit(language), true, None::<&str>)?;
    let lines = [PredefinedMenuItem::separator(app)?, PredefinedMenuItem::separator(app)?];
    let sessions = sessions::menus(app, entries, language)?;
    let mut items: Vec<&dyn IsMenuItem<tauri::Wry>> = vec![&open, &lines[0]];
    if !sessions.is_empty() {
        items.extend(sessions.iter().map(|session| session as &dyn IsMenuItem<tauri::Wry>));
        items.push(&lines[1]);
    }
    items.push(&quit);
    Menu::with_items(app, &items)
}

/// What the menu shows; it is made anew only when that is something else, for it closes under the pointer then.
struct Shown(Mutex<(Language, Vec<Entry>)>);

/// Its menu as things are now, in the language that is spoken now.
pub fn follow(app: &AppHandle) {
    let Some(shown) = app.try_state::<Shown>() else { return };
    let desk = app.state::<Desk>();
    let now = (words::of(&desk), sessions::entries(&desk));
    let mut before = shown.0.lock().unwrap_or_else(PoisonError::into_inner);
    if *before == now {
        return;
    }
    *before = now;
    drop(before);
    show_menu(app);
}

fn show_menu(app: &AppHandle) {
    let Some(tray) = app.tray_by_id(ID) else { return };
    let app = app.clone();
    // Menus are made on the main thread.
    let made = app.clone().run_on_main_thread(move || {
        let shown = app.state::<Shown>();
        let (language, entries) = shown.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Err(error) = menu(&app, language, &entries).and_then(|menu| tray.set_menu(Some(menu))) {
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
