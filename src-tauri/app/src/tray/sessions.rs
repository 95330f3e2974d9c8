//! The tray's menu of sessions: how strictly each that is there is watched, to be changed from there.

use crate::desk::Desk;
use crate::view::{self, SessionView};
use crate::words::{self, Language};
use countersign_broker::Person;
use countersign_core::channel::Channel;
use countersign_core::id::SessionId;
use countersign_core::mode::Mode;
use tauri::menu::{CheckMenuItem, IsMenuItem, Submenu};
use tauri::{AppHandle, Manager, Wry};

/// A menu is no list to search in.
const MOST: usize = 8;
/// A session that holds no line open is shown for so long after it was seen, in milliseconds.
const RECENT_MILLIS: i64 = 5 * 60_000;
/// The person switches between these.
const SWITCHABLE: [Mode; 3] = [Mode::Guided, Mode::Interactive, Mode::Plan];

/// A session in the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    id: String,
    name: String,
    ordinal: u32,
    mode: Mode,
    can_switch: bool,
}

/// The sessions that are there now, the latest first.
pub fn entries(desk: &Desk) -> Vec<Entry> {
    let now = desk.clock.now().wall.0;
    view::status(desk).map(|status| of(&status.sessions, now)).unwrap_or_default()
}

fn of(sessions: &[SessionView], now: i64) -> Vec<Entry> {
    let is_there = |session: &&SessionView| session.present || now - session.last_seen_at < RECENT_MILLIS;
    let entry = |session: &SessionView| {
        Some(Entry {
            id: session.id.clone(),
            name: name(session),
            ordinal: session.ordinal,
            mode: Mode::from_word(&session.mode)?,
            can_switch: session.switchable,
        })
    };
    sessions.iter().filter(is_there).filter_map(entry).take(MOST).collect()
}

/// Text of an agent's as it may be shown; a menu takes a lone `&` for the mark of a letter.
fn name(session: &SessionView) -> String {
    let (agent, workspace) = (session.agent.plain(), session.workspace.plain());
    let place = if workspace.is_empty() { String::new() } else { format!(" · {workspace}") };
    format!("{agent}{place}").replace('&', "&&")
}

/// The submenus, one a session.
pub fn menus(app: &impl Manager<Wry>, entries: &[Entry], language: Language) -> tauri::Result<Vec<Submenu<Wry>>> {
    entries.iter().map(|entry| menu(app, entry, language)).collect()
}

fn menu(app: &impl Manager<Wry>, entry: &Entry, language: Language) -> tauri::Result<Submenu<Wry>> {
    let fixed = [entry.mode];
    let modes: &[Mode] = if entry.can_switch { &SWITCHABLE } else { &fixed };
    let one = |mode: &Mode| {
        let (id, is_on) = (word(&entry.id, *mode), *mode == entry.mode);
        CheckMenuItem::with_id(app, id, words::mode(language, *mode), entry.can_switch, is_on, None::<&str>)
    };
    let items: Vec<CheckMenuItem<Wry>> = modes.iter().map(one).collect::<tauri::Result<_>>()?;
    let items: Vec<&dyn IsMenuItem<Wry>> = items.iter().map(|item| item as &dyn IsMenuItem<Wry>).collect();
    let label = format!("{} · {}", entry.name, words::session(language, entry.ordinal));
    Submenu::with_items(app, label, true, &items)
}

/// What an item is called by: `mode`, the session, the mode.
fn word(session: &str, mode: Mode) -> String {
    format!("mode {session} {}", mode.word())
}

fn read(word: &str) -> Option<(SessionId, Mode)> {
    let (session, mode) = word.strip_prefix("mode ")?.split_once(' ')?;
    Some((SessionId(session.to_owned()), Mode::from_word(mode)?))
}

/// The person chose an item; one of ours switches its session. True: the menu is to be shown anew, whatever came of it, for a
/// pressed mark turns by itself.
pub fn chosen(app: &AppHandle, item: &str, then: impl FnOnce(&AppHandle) + Send + 'static) -> bool {
    let Some((session, mode)) = read(item) else { return false };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let desk = app.state::<Desk>();
        if let Err(error) = desk.broker.set_mode(&session, mode, Person::at(Channel::Window)).await {
            tracing::warn!(%error, "the session stays in its mode");
        }
        then(&app);
    });
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::safe_text::SafeText;

    fn session(id: &str, agent: &str, mode: Mode, present: bool, last_seen_at: i64) -> SessionView {
        SessionView {
            id: id.into(),
            agent: SafeText::line(agent),
            workspace: SafeText::line("shop"),
            ordinal: 3,
            mode: mode.word().into(),
            switchable: mode != Mode::Autonomous,
            present,
            last_seen_at,
        }
    }

    #[test]
    fn it_lists_who_is_there_and_a_name_can_neither_hide_nor_mark_anything() {
        let now = 10 * RECENT_MILLIS;
        let here = session("a", "A&B\u{202e}", Mode::Plan, true, 0);
        let recent = session("b", "B", Mode::Autonomous, false, now - 1);
        let gone = session("c", "C", Mode::Guided, false, now - RECENT_MILLIS);
        let shown = of(&[here.clone(), recent, gone], now);
        let labels: Vec<_> = shown.iter().map(|entry| (entry.name.as_str(), entry.ordinal, entry.can_switch)).collect();
        assert_eq!(labels, [("A&&B⟦U+202E⟧ · shop", 3, true), ("B · shop", 3, false)]);
        assert_eq!(of(&vec![here; 50], now).len(), MOST);
    }

    #[test]
    fn an_item_names_its_session_and_mode_and_nothing_else_does() {
        assert_eq!(read(&word("s-1", Mode::Plan)), Some((SessionId("s-1".into()), Mode::Plan)));
        for other in ["open", "quit", "mode", "mode s-1", "mode s-1 loose", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
