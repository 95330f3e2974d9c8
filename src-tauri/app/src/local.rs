//! The time of day where the person is. Reads no clock: the moment is an argument.

use countersign_core::quiet_hours::MinuteOfDay;
use countersign_core::time::Timestamp;

/// Which minute of the day that moment is, in the system's time zone.
#[cfg(target_os = "linux")]
pub fn minute_of_day(at: Timestamp) -> Option<MinuteOfDay> {
    let local = gio::glib::DateTime::from_unix_local(at.0.div_euclid(1_000)).ok()?;
    MinuteOfDay::new(u16::try_from(local.hour()).ok()?, u16::try_from(local.minute()).ok()?)
}

/// Which minute of the day that moment is, in the system's time zone.
#[cfg(not(target_os = "linux"))]
pub fn minute_of_day(at: Timestamp) -> Option<MinuteOfDay> {
    use chrono::Timelike as _;
    let local = chrono::DateTime::from_timestamp_millis(at.0)?.with_timezone(&chrono::Local);
    MinuteOfDay::new(u16::try_from(local.hour()).ok()?, u16::try_from(local.minute()).ok()?)
}
