//! The person's settings: what each may be, what it is when nothing was said, and what follows at once from another one.

use crate::desk::Desk;
use crate::notice::Heard;
use crate::{dialog_window, local, login, push, tray};
use countersign_broker::BrokerError;
use countersign_core::quiet_hours::{MinuteOfDay, QuietHours};
use countersign_core::spec::Status;
use countersign_core::time::Timestamp;
use tauri::{AppHandle, Manager as _};

/// Quiet hours where nobody set others; they are off then.
const HOURS: &str = "22:00-08:00";
/// How the specs are laid out.
pub const SPECS_LAYOUT: &str = "specs_layout";
/// Their lanes that are folded away.
pub const SPECS_FOLDED: &str = "specs_folded";
/// The workspace whose specs were shown last.
pub const SPECS_WORKSPACE: &str = "specs_workspace";
/// The one that is no text in the store but a file of the desktop's.
const AT_LOGIN: &str = "start_at_login";

/// Whether and when requests are announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announcing {
    /// At all.
    pub on: bool,
    /// Whether there are hours without.
    pub quiet: bool,
    /// Those hours.
    pub hours: QuietHours,
}

impl Announcing {
    /// As the person set it. What can't be read counts as never said: a notification too many is the safe mistake.
    pub fn of(desk: &Desk) -> Self {
        let word = |key: &str| desk.setting(key).ok().flatten();
        Self::read(word("notifications").as_deref(), word("quiet").as_deref(), word("quiet_hours").as_deref())
    }

    fn read(notifications: Option<&str>, quiet: Option<&str>, hours: Option<&str>) -> Self {
        let usual = || QuietHours::parse(HOURS).expect("BUG: the usual quiet hours can be read");
        Self {
            on: notifications != Some("off"),
            quiet: quiet == Some("on"),
            hours: hours.and_then(QuietHours::parse).unwrap_or_else(usual),
        }
    }

    /// Whether a request that comes at this moment is announced.
    pub fn may(self, at: Timestamp) -> bool {
        self.may_at(local::minute_of_day(at))
    }

    fn may_at(self, minute: Option<MinuteOfDay>) -> bool {
        self.on && !(self.quiet && minute.is_some_and(|minute| self.hours.contain(minute)))
    }
}

/// Keeps a setting, and lets it take effect.
pub async fn prefer(app: &AppHandle, key: &str, value: &str) -> Result<(), BrokerError> {
    let desk = app.state::<Desk>();
    check(key, value).map_err(BrokerError::Invalid)?;
    if key == AT_LOGIN {
        login::set(value == "on", desk.home.as_deref()).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    } else {
        desk.broker.set_setting(key, value).await?;
    }
    match key {
        "notifications" | "quiet" | "quiet_hours" => desk.bell.tell(Heard::Settings),
        "language" => tray::follow(app),
        _ => {}
    }
    if matches!(key, "language" | "theme") {
        dialog_window::look_again(app);
    }
    push::status(app);
    Ok(())
}

fn check(key: &str, value: &str) -> Result<(), String> {
    let words: &[&str] = match key {
        "language" => &["system", "en", "es"],
        "theme" => &["system", "light", "dark"],
        "notifications" | "quiet" | AT_LOGIN => &["on", "off"],
        "quiet_hours" if QuietHours::parse(value).is_some() => return Ok(()),
        "quiet_hours" => &[HOURS],
        SPECS_LAYOUT => &["board", "list"],
        SPECS_FOLDED if value.split(' ').all(|word| word.is_empty() || Status::from_word(word).is_some()) => {
            return Ok(());
        }
        SPECS_FOLDED => &["draft review approved implementing done archived"],
        SPECS_WORKSPACE if value.parse::<i64>().is_ok() => return Ok(()),
        SPECS_WORKSPACE => &["a number"],
        _ => return Err(format!("there is no preference `{key}`")),
    };
    if words.contains(&value) { Ok(()) } else { Err(format!("`{key}` takes {}", words.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_announced_unless_that_is_off_or_it_is_quiet_now() {
        for (notifications, quiet, hours, minute, want) in [
            (None, None, None, "23:00", true),
            (Some("on"), Some("off"), Some("00:00-00:00"), "23:00", true),
            (Some("off"), None, None, "12:00", false),
            (None, Some("on"), None, "23:00", false),
            (None, Some("on"), None, "12:00", true),
            (None, Some("on"), Some("11:00-13:00"), "12:00", false),
            (None, Some("on"), Some("11:00-13:00"), "23:00", true),
            (None, Some("on"), Some("rubbish"), "23:00", false),
            (Some("rubbish"), Some("rubbish"), None, "23:00", true),
        ] {
            let announcing = Announcing::read(notifications, quiet, hours);
            let may = announcing.may_at(Some(MinuteOfDay::parse(minute).expect("a minute")));
            assert_eq!(may, want, "{notifications:?} {quiet:?} {hours:?} {minute}");
        }
        assert!(Announcing::read(None, Some("on"), None).may_at(None), "where the time of day is unknown");
    }

    #[test]
    fn every_setting_takes_its_own_words_only() {
        for (key, value, right) in [
            ("language", "es", true),
            ("language", "fr", false),
            ("theme", "dark", true),
            ("theme", "", false),
            ("notifications", "off", true),
            ("notifications", "false", false),
            ("quiet", "on", true),
            ("quiet_hours", "23:30-06:00", true),
            ("quiet_hours", "23:30", false),
            ("start_at_login", "on", true),
            ("start_at_login", "system", false),
            ("specs_layout", "list", true),
            ("specs_layout", "grid", false),
            ("specs_folded", "done archived", true),
            ("specs_folded", "", true),
            ("specs_folded", "gone", false),
            ("specs_workspace", "12", true),
            ("specs_workspace", "../", false),
            ("passphrase", "on", false),
            ("test_home", "yes", false),
            ("port", "1", false),
        ] {
            assert_eq!(check(key, value).is_ok(), right, "{key} {value}");
        }
    }
}
