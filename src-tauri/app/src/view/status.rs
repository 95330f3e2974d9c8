//! The status line, and the page's first look at everything.

use super::WINDOW;
use super::agents::{AgentRow, ArrivalsView, agents, arrivals};
use super::row::{OpenListView, folder_name, list};
use crate::command_line;
use crate::desk::Desk;
use crate::login;
use crate::notice::Service;
use crate::settings::Announcing;
use countersign_broker::{BrokerError, SessionRow};
use countersign_core::id::SessionId;
use countersign_core::mode::Mode;
use countersign_core::safe_text::SafeText;
use countersign_core::time::Timestamp;
use serde::Serialize;
use ts_rs::TS;

/// An agent that was seen within this many milliseconds counts as connected.
const CONNECTED_MILLIS: i64 = 5 * 60_000;

/// Sessions whose modes are shown.
const SESSIONS: u32 = 20;

/// The status line.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StatusView {
    /// The port, such as `127.0.0.1:4780`.
    pub address: String,
    /// Agents that are there.
    pub agents_connected: u64,
    /// How a terminal starts the command line: its name, or its path as a shell takes it.
    pub command: String,
    /// Whether decisions here mean nothing.
    pub test_home: bool,
    /// The program's version.
    pub version: String,
    /// The strictest mode of the sessions that are there; when none is, that of the one that was seen last.
    pub mode: Option<String>,
    /// Its folder's name.
    pub mode_workspace: Option<SafeText>,
    /// The sessions that are there, or were seen last, the latest first.
    pub sessions: Vec<SessionView>,
    /// `system`, `en` or `es`.
    pub language: String,
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Whether a passphrase for terminals is set.
    pub passphrase_set: bool,
    /// Whether new requests are announced.
    pub notifications: bool,
    /// How well that goes.
    pub service: Service,
    /// Whether there are hours without.
    pub quiet: bool,
    /// Those hours, such as `22:00-08:00`.
    pub quiet_hours: String,
    /// Whether the app starts at login; none: that is not ours to set here.
    pub start_at_login: Option<bool>,
    /// Whether this desktop shows tray icons.
    pub tray: bool,
    /// Whether windows here can't come to the front by themselves.
    pub wayland: bool,
    /// Whether the dialog stands over this window: keys may be meant for it, so none answers here.
    pub dialog_open: bool,
}

/// One run of an agent in a folder, with its mode.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Names it in commands.
    pub id: String,
    /// Its agent.
    pub agent: SafeText,
    /// Its folder's name.
    pub workspace: SafeText,
    /// Which session of that agent in that folder.
    pub ordinal: u32,
    /// How strictly it is watched.
    pub mode: String,
    /// Whether its mode can be changed: autonomous mode is fixed at the start.
    pub switchable: bool,
    /// Whether it holds a line open in this moment.
    pub present: bool,
    /// When it was last seen.
    pub last_seen_at: i64,
    /// Whether the person stopped it: everything of it is refused until it is released.
    pub stopped: bool,
}

/// Everything at once.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct SnapshotView {
    /// The status line.
    pub status: StatusView,
    /// What is open.
    pub list: OpenListView,
    /// Who is paired.
    pub agents: Vec<AgentRow>,
    /// Who wants in.
    pub arrivals: ArrivalsView,
    /// Where the page opens, when it was asked to before it was there; such as `#settings`.
    pub opens: Option<String>,
}

/// The status line, now.
pub fn status(desk: &Desk) -> Result<StatusView, BrokerError> {
    let announcing = Announcing::of(desk);
    let since = Timestamp(desk.clock.now().wall.0 - CONNECTED_MILLIS);
    desk.broker.read(|db| {
        let rows = db.latest_sessions(SESSIONS)?;
        let strictest = strictest(&rows, since).map(session);
        let sessions: Vec<SessionView> = rows.iter().map(session).collect();
        let word = |key: &str| db.setting(key).map(|value| value.unwrap_or_else(|| "system".into()));
        Ok(StatusView {
            address: desk.address.clone(),
            agents_connected: db.connected_agents(since)?,
            command: command_line::word(),
            test_home: desk.test_home,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            mode: strictest.as_ref().map(|session| session.mode.clone()),
            mode_workspace: strictest.map(|session| session.workspace),
            sessions,
            language: word("language")?,
            theme: word("theme")?,
            passphrase_set: db.setting("passphrase")?.is_some(),
            notifications: announcing.on,
            service: desk.bell.service(),
            quiet: announcing.quiet,
            quiet_hours: announcing.hours.to_string(),
            start_at_login: login::is_on(desk.home.as_deref()),
            tray: desk.tray,
            wayland: std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty()),
            dialog_open: desk.dialog.shown().is_some(),
        })
    })
}

/// Whose mode the status line shows: the strictest of those that are there, the latest of several; else the latest of all.
fn strictest(rows: &[SessionRow], since: Timestamp) -> Option<&SessionRow> {
    let is_there =
        |row: &&SessionRow| row.present || (row.session.ended_at.is_none() && row.session.last_seen_at >= since);
    // Of equals `max_by_key` takes the last, and the latest is the first.
    rows.iter().rev().filter(is_there).max_by_key(|row| row.session.standing.mode).or(rows.first())
}

fn session(row: &SessionRow) -> SessionView {
    let mode = row.session.standing.mode;
    SessionView {
        id: row.session.id.to_string(),
        agent: SafeText::line(&row.agent),
        workspace: SafeText::line(folder_name(&row.workspace)),
        ordinal: row.session.ordinal,
        mode: mode.word().to_owned(),
        switchable: mode != Mode::Autonomous,
        present: row.present,
        last_seen_at: row.session.last_seen_at.0,
        stopped: row.session.stopped_at.is_some(),
    }
}

/// Switches a session's mode.
pub async fn set_mode(desk: &Desk, session: String, mode: &str) -> Result<StatusView, BrokerError> {
    let mode = Mode::from_word(mode).ok_or_else(|| BrokerError::Invalid(format!("there is no mode `{mode}`")))?;
    desk.broker.set_mode(&SessionId(session), mode, WINDOW).await?;
    status(desk)
}

/// Everything at once.
pub fn snapshot(desk: &Desk) -> Result<SnapshotView, BrokerError> {
    Ok(SnapshotView {
        opens: desk.page_listens(),
        status: status(desk)?,
        list: list(desk)?,
        agents: agents(desk)?,
        arrivals: arrivals(desk),
    })
}

/// Sets the passphrase, if none is set.
pub async fn set_passphrase(desk: &Desk, passphrase: &str) -> Result<StatusView, BrokerError> {
    let engine = desk.engine.read().await;
    let engine = engine.as_ref().ok_or(BrokerError::Stopped)?;
    match engine.set_passphrase(passphrase).await {
        Ok(true) => status(desk),
        Ok(false) => Err(BrokerError::NotAllowed("a passphrase is set already".into())),
        Err(error) => Err(BrokerError::Invalid(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_broker::Session;
    use countersign_core::id::{AgentId, WorkspaceId};
    use countersign_core::mode::Standing;

    #[test]
    fn the_status_line_shows_the_strictest_of_those_that_are_there() {
        let row = |id: &str, mode, present, seen_at, ended: bool| SessionRow {
            session: Session {
                id: SessionId(id.into()),
                agent: AgentId("a".into()),
                workspace: WorkspaceId(1),
                key: id.into(),
                ordinal: 1,
                standing: Standing::starting(mode),
                last_seen_at: Timestamp(seen_at),
                ended_at: ended.then_some(Timestamp(seen_at)),
                stopped_at: None,
            },
            present,
            workspace: String::new(),
            agent: String::new(),
        };
        let since = Timestamp(100);
        let shown = |rows: &[SessionRow]| strictest(rows, since).map(|row| row.session.id.to_string());
        let decoy = row("decoy", Mode::Guided, true, 900, false);
        let planning = row("planning", Mode::Plan, true, 0, false);
        let calling = row("calling", Mode::Interactive, false, 100, false);
        let ended = row("ended", Mode::Plan, false, 200, true);
        let silent = row("silent", Mode::Plan, false, 99, false);
        assert_eq!(shown(&[]), None);
        assert_eq!(shown(&[decoy.clone(), planning.clone()]).as_deref(), Some("planning"));
        assert_eq!(shown(&[decoy.clone(), calling, ended.clone(), silent.clone()]).as_deref(), Some("calling"));
        assert_eq!(shown(&[decoy.clone(), ended.clone(), silent.clone()]).as_deref(), Some("decoy"));
        assert_eq!(shown(&[ended, silent]).as_deref(), Some("ended"), "nobody is there");
        let other = row("other", Mode::Guided, true, 800, false);
        assert_eq!(shown(&[decoy, other]).as_deref(), Some("decoy"), "the latest of equals");
    }
}
