//! Keys and pastes from the terminal. Keys that come at once were not pressed one by one: what they type is kept together, so that
//! several pasted lines are never several answers, and no letter of a pasted word decides anything.

use super::event::Event;
use ratatui::crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// Letters at once that nobody types.
const AT_ONCE: usize = 3;

/// Hears the terminal until nobody hears of it any more, or it is gone.
pub fn listen(events: &UnboundedSender<Event>) {
    let mut next = read().ok();
    while let Some(input) = next.take() {
        let mut keys = Vec::new();
        let mut other = Some(input);
        while let Some(key) = other.as_ref().and_then(types) {
            keys.push(key);
            other = match poll(Duration::ZERO) {
                Ok(true) => read().ok(),
                Ok(false) | Err(_) => None,
            };
        }
        let others = other.and_then(one);
        for event in at_once(&keys).into_iter().chain(others) {
            if events.send(event).is_err() {
                return;
            }
        }
        next = read().ok();
    }
    let _ = events.send(Event::Hung);
}

/// A key that types something.
fn types(input: &Input) -> Option<KeyEvent> {
    match input {
        Input::Key(key) if key.kind != KeyEventKind::Release => {
            let plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
            matches!(key.code, KeyCode::Char(_) | KeyCode::Enter).then_some(*key).filter(|_| plain)
        }
        _ => None,
    }
}

fn one(input: Input) -> Option<Event> {
    match input {
        Input::Key(key) if key.kind == KeyEventKind::Release => None,
        Input::Key(key) => Some(Event::Key(key)),
        Input::Paste(text) => Some(Event::Paste(text)),
        Input::Resize(..) => Some(Event::Resized),
        Input::Mouse(_) | Input::FocusGained | Input::FocusLost => None,
    }
}

/// Keys that came at once: themselves where they are few, else what they type.
fn at_once(keys: &[KeyEvent]) -> Vec<Event> {
    let mut text = String::new();
    for key in keys {
        match key.code {
            KeyCode::Char(c) => text.push(c),
            _ => text.push('\n'),
        }
    }
    let body = text.strip_suffix('\n').unwrap_or(&text);
    let one_line = !body.contains('\n');
    if one_line && body.chars().count() < AT_ONCE {
        return keys.iter().copied().map(Event::Key).collect();
    }
    let enter = one_line && body.len() < text.len();
    vec![Event::Burst { text: if enter { body.to_owned() } else { text }, enter }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_come_at_once_are_one_text_and_only_one_line_is_sent_by_its_end() {
        let keys = |text: &str| {
            let key = |c| if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
            at_once(&text.chars().map(|c| KeyEvent::from(key(c))).collect::<Vec<_>>())
        };
        let burst = |text: &str, enter| vec![Event::Burst { text: text.into(), enter }];
        assert_eq!(keys("y\n").len(), 2);
        assert_eq!(keys("\n").len(), 1);
        assert_eq!(keys("run"), burst("run", false));
        assert_eq!(keys("run\n"), burst("run", true));
        assert_eq!(keys("1\n2\n"), burst("1\n2\n", false));
        assert_eq!(keys("one\ntwo"), burst("one\ntwo", false));
        assert_eq!(keys("日本語"), burst("日本語", false));
        assert!(keys("").is_empty());
    }
}
