//! Whole lists to the page, as soon as something changed, and at most sixty times a second.

use crate::desk::Desk;
use crate::shell::TauriShell;
use crate::{dialog_window, tray, view, words};
use countersign_broker::BrokerError;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tauri::{AppHandle, Emitter, Manager};

/// The shortest time between two pushes.
const FRAME: Duration = Duration::from_millis(16);

/// Pushes for as long as the app lives.
pub async fn run(app: AppHandle, shell: Arc<TauriShell>) {
    loop {
        let dirty = shell.dirty().await;
        let desk = app.state::<Desk>();
        if dirty.list {
            let list = view::list(&desk);
            if let Ok(list) = &list {
                tray::show_count(&app, list.rows.len(), words::of(&desk));
            }
            emit(&app, "list", list);
            dialog_window::follow(&app);
        }
        if dirty.arrivals {
            emit(&app, "arrivals", Ok(view::arrivals(&desk)));
        }
        if dirty.agents || dirty.list {
            emit(&app, "agents", view::agents(&desk));
            emit(&app, "status", view::status(&desk));
            tray::follow(&app);
        }
        if dirty.specs {
            // A workspace may have a hundred thousand: the page reads again what it shows.
            emit(&app, "specs", Ok(()));
        }
        if dirty.runs {
            emit(&app, "runs", Ok(()));
        }
        tokio::time::sleep(FRAME).await;
    }
}

/// Pushes the status line: the dialog came or went.
pub fn status(app: &AppHandle) {
    emit(app, "status", view::status(&app.state::<Desk>()));
}

fn emit<T: Serialize + Clone>(app: &AppHandle, event: &str, payload: Result<T, BrokerError>) {
    match payload {
        Ok(payload) => {
            if let Err(error) = app.emit(event, payload) {
                tracing::warn!(%error, event, "the window could not be told");
            }
        }
        Err(error) => tracing::warn!(%error, event, "the list could not be read"),
    }
}
