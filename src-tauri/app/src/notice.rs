//! A notification for each new request. It tells, and decides nothing.

use crate::desk::Desk;
use crate::shell::{Heard, TauriShell};
use crate::words;
use countersign_core::safe_text::SafeText;
use std::sync::Arc;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt as _;

/// Characters of a notification's text at the most; the request itself is never cut.
const CHARS: usize = 120;

/// Notifies for as long as the app lives.
pub async fn run(app: AppHandle, shell: Arc<TauriShell>) {
    let Some(mut heard) = shell.take_heard() else { return };
    while let Some(first) = heard.recv().await {
        let more = std::iter::from_fn(|| heard.try_recv().ok()).count();
        let language = words::language(app.state::<Desk>().setting("language").ok().flatten().as_deref());
        let (title, body) = text(&first, more, language);
        if let Err(error) = app.notification().builder().title(title).body(body).show() {
            tracing::warn!(%error, "no notification could be shown");
        }
    }
}

fn text(first: &Heard, more: usize, language: words::Language) -> (String, String) {
    if more > 0 {
        return (words::many_wait(language, more + 1), String::new());
    }
    let plain = SafeText::line(&first.title).plain();
    let body =
        if plain.chars().count() > CHARS { plain.chars().take(CHARS - 1).chain(['…']).collect() } else { plain };
    // Some services read markup in the body.
    (words::one_waits(language), body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn a_notification_is_short_escaped_and_shows_what_is_hidden() {
        let heard = Heard { title: format!("<b>&\u{202e}{}", "x".repeat(300)) };
        let (title, body) = text(&heard, 0, Language::English);
        assert_eq!(title, "A question is waiting for you");
        assert!(body.starts_with("&lt;b&gt;&amp;⟦U+202E⟧xxx") && body.ends_with("x…"), "{body}");
        let (title, body) = text(&heard, 49, Language::Spanish);
        assert_eq!((title.as_str(), body.as_str()), ("50 preguntas te esperan", ""));
    }
}
