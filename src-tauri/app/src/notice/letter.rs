//! One notification on its way: handed to the plugin, and watched until it is clear how that went.
//!
//! The plugin says nothing of it. What it does with the callback for closing tells: it drops it uncalled when whoever
//! shows notifications refused. And it holds a lock while it waits for that answer: what needs the lock, waits too.

use super::bell::{Bell, Heard};
use countersign_core::notices::Number;
use std::sync::Arc;
use std::time::Duration;
use tauri::AppHandle;
use tauri_plugin_notification::NotificationExt as _;

/// Till the plugin has begun to send.
const BEGUN: Duration = Duration::from_millis(150);
/// How long whoever shows notifications may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// A notification as it is sent.
pub struct Letter {
    /// Which.
    pub number: Number,
    /// Its first line: our words.
    pub title: String,
    /// Its text, escaped.
    pub body: String,
}

/// Sends it. The bell hears how it went: `Failed`, or `Taken`, or `Silent` and perhaps `Late`.
pub fn send(app: &AppHandle, bell: &Arc<Bell>, letter: Letter) {
    let number = letter.number;
    let builder = app.notification().builder().id(number.0).title(letter.title).body(letter.body);
    #[cfg(target_os = "linux")]
    let builder = {
        let fate = Fate { bell: bell.clone(), number, closed: false };
        builder.on_close(move || fate.closed())
    };
    if let Err(error) = builder.show() {
        tracing::warn!(%error, "no notification could be made");
        return bell.tell(Heard::Failed(number));
    }
    let (app, bell) = (app.clone(), bell.clone());
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(BEGUN).await;
        // Closes none of them, and returns when nothing is being sent.
        let mut answered = tauri::async_runtime::spawn_blocking(move || app.notification().remove_active(Vec::new()));
        if tokio::time::timeout(PATIENCE, &mut answered).await.is_err() {
            bell.tell(Heard::Silent(number));
            // Ended by the plugin's answer alone, whichever.
            let _ = answered.await;
            tokio::time::sleep(BEGUN).await;
            return bell.tell(Heard::Late);
        }
        // A refusal is told right after the lock was let go of.
        tokio::time::sleep(BEGUN).await;
        bell.tell(Heard::Taken(number));
    });
}

/// Takes it away. Never waits: whoever shows notifications may hang.
pub fn withdraw(app: &AppHandle, number: Number) {
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        if let Err(error) = app.notification().remove_active(vec![number.0]) {
            tracing::warn!(%error, "a notification could not be taken away");
        }
    });
}

/// What the plugin does with the callback for closing.
#[cfg(target_os = "linux")]
struct Fate {
    bell: Arc<Bell>,
    number: Number,
    closed: bool,
}

#[cfg(target_os = "linux")]
impl Fate {
    fn closed(mut self) {
        self.closed = true;
        self.bell.tell(Heard::Closed(self.number));
    }
}

#[cfg(target_os = "linux")]
impl Drop for Fate {
    fn drop(&mut self) {
        if !self.closed {
            self.bell.tell(Heard::Failed(self.number));
        }
    }
}
