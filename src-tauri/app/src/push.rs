//! Whole lists to the page, as soon as something changed, and at most sixty times a second.

use crate::desk::Desk;
use crate::shell::TauriShell;
use crate::{dialog_window, view};
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
            emit(&app, "list", view::list(&desk));
            dialog_window::follow(&app);
        }
        if dirty.arrivals {
            emit(&app, "arrivals", Ok(view::arrivals(&desk)));
        }
        if dirty.agents || dirty.list {
            emit(&app, "agents", view::agents(&desk));
            emit(&app, "status", view::status(&desk));
        }
        tokio::time::sleep(FRAME).await;
    }
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
