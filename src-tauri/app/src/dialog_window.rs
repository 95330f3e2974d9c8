//! The dialog's window: there while something belongs in it, always on top, and never taking the keyboard by itself.

use crate::desk::Desk;
use crate::dialog::Beside;
use crate::window::{MAIN, is_ours};
use crate::{push, words};
use tauri::{AppHandle, Emitter as _, Manager as _, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};

/// Its label, by which its capability is found.
pub const LABEL: &str = "dialog";
/// Tells the page to fetch what belongs on screen now.
const CHANGED: &str = "dialog-changed";
/// Tells the page that a yes is inert for another second.
const DISTURBED: &str = "dialog-disturbed";

/// Opens the window, tells it to look again, or closes it: whatever the open list asks for.
pub fn follow(app: &AppHandle) {
    follow_for(app, false);
}

/// The same for a person who pressed for it in our own window, and so types into the dialog next. A click on a notification is no
/// such thing: it may be forged.
pub fn follow_person(app: &AppHandle) {
    follow_for(app, true);
    raise(app);
}

fn follow_for(app: &AppHandle, asked: bool) {
    let desk = app.state::<Desk>();
    let before = desk.dialog.shown();
    let belongs = match desk.broker.open_list(None, u32::MAX) {
        Ok(open) => desk.dialog.choose(&open).map(|id| {
            let beside = desk.broker.detail(&id).map(|detail| Beside::of(&detail)).unwrap_or_default();
            (id, beside)
        }),
        Err(error) => return tracing::warn!(%error, "what belongs in the dialog could not be read"),
    };
    match (app.get_webview_window(LABEL), belongs) {
        (None, None) => {}
        (None, Some(_)) => open(app, asked),
        (Some(window), None) => {
            close(&window);
            push::status(app);
        }
        (Some(_), Some(now)) if before.as_ref() == Some(&now) => {}
        (Some(_), Some(_)) => look_again(app),
    }
}

/// Tells an open dialog to fetch what it shows anew.
pub fn look_again(app: &AppHandle) {
    if app.get_webview_window(LABEL).is_some()
        && let Err(error) = app.emit_to(LABEL, CHANGED, ())
    {
        tracing::warn!(%error, "the dialog could not be told");
    }
}

/// Brings it to the front, when the person asked for it.
fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // Either may be refused by the window manager; the other still helps.
        let _ = (window.show(), window.set_focus());
    }
}

fn open(app: &AppHandle, asked: bool) {
    let app = app.clone();
    let language = words::of(&app.state::<Desk>());
    // Windows are made on the main thread.
    let made = app.clone().run_on_main_thread(move || {
        if app.get_webview_window(LABEL).is_some() {
            return;
        }
        let mut builder = WebviewWindowBuilder::new(&app, LABEL, WebviewUrl::App("dialog.html".into()))
            .title(words::dialog_title(language))
            .inner_size(700.0, 620.0)
            .min_inner_size(480.0, 360.0)
            .center()
            .always_on_top(true)
            .skip_taskbar(false)
            .focused(asked)
            .on_navigation(is_ours);
        if let Some(main) = app.get_webview_window(MAIN) {
            builder = match builder.parent(&main) {
                Ok(builder) => builder,
                Err(error) => return tracing::error!(%error, "the dialog has no parent"),
            };
        }
        match builder.build() {
            Ok(window) => {
                watch(&window);
                if asked {
                    raise(&app);
                }
            }
            Err(error) => tracing::error!(%error, "the dialog could not be opened"),
        }
    });
    if let Err(error) = made {
        tracing::error!(%error, "the dialog could not be opened");
    }
}

/// Keys that reach the window go to its page. GTK leaves a window that was made without the focus with no widget that has it, and
/// there they were lost until a click or Tab.
fn give_keys(window: &WebviewWindow) {
    let page: &tauri::Webview = window.as_ref();
    if let Err(error) = page.set_focus() {
        tracing::warn!(%error, "the dialog's page could not be given the keys");
    }
}

/// Whatever moves the dialog under a hand that is already on its way makes a yes inert again.
fn watch(window: &WebviewWindow) {
    let (app, shown) = (window.app_handle().clone(), window.clone());
    // The urgency hint stands in where a window may not come to the front by itself.
    let _ = window.request_user_attention(Some(tauri::UserAttentionType::Critical));
    window.on_window_event(move |event| match event {
        WindowEvent::Moved(_)
        | WindowEvent::Resized(_)
        | WindowEvent::Focused(true)
        | WindowEvent::ScaleFactorChanged { .. } => {
            if matches!(event, WindowEvent::Focused(true)) {
                give_keys(&shown);
            }
            let desk = app.state::<Desk>();
            desk.dialog.disturbed(desk.clock.now().boot);
            let _ = shown.emit_to(LABEL, DISTURBED, ());
        }
        WindowEvent::CloseRequested { .. } => {
            app.state::<Desk>().dialog.put_off();
            let app = app.clone();
            tauri::async_runtime::spawn(async move { follow(&app) });
        }
        _ => {}
    });
}

fn close(window: &WebviewWindow) {
    if let Err(error) = window.destroy() {
        tracing::warn!(%error, "the dialog could not be closed");
    }
}
