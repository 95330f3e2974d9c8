//! Hours of the day in which nothing is announced. They silence; they answer nothing and hide nothing.

use std::fmt;

/// Minutes of a day.
const DAY: u16 = 24 * 60;

/// A minute of the person's own day, 0 to 1439.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MinuteOfDay(u16);

impl MinuteOfDay {
    /// This hour and minute, where there is one.
    pub fn new(hour: u16, minute: u16) -> Option<Self> {
        (hour < 24 && minute < 60).then(|| Self(hour * 60 + minute))
    }

    /// `22:05`; nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.split_once(':')?;
        let number = |text: &str| {
            let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten()
        };
        Self::new(number(hour)?, number(minute)?)
    }
}

impl fmt::Display for MinuteOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// From one minute up to another one, over midnight where the second is earlier. The same twice is the whole day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// The first quiet minute.
    pub from: MinuteOfDay,
    /// The first minute after them.
    pub to: MinuteOfDay,
}

impl QuietHours {
    /// `22:00-08:00`; nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-')?;
        Some(Self { from: MinuteOfDay::parse(from)?, to: MinuteOfDay::parse(to)? })
    }

    /// Whether this minute is one of them.
    pub fn contain(self, minute: MinuteOfDay) -> bool {
        let after = |from: MinuteOfDay, to: MinuteOfDay| (to.0 + DAY - from.0) % DAY;
        let length = after(self.from, self.to);
        length == 0 || after(self.from, minute) < length
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_go_over_midnight_and_end_before_their_last_minute() {
        for (hours, minute, want) in [
            ("22:00-08:00", "21:59", false),
            ("22:00-08:00", "22:00", true),
            ("22:00-08:00", "23:59", true),
            ("22:00-08:00", "00:00", true),
            ("22:00-08:00", "07:59", true),
            ("22:00-08:00", "08:00", false),
            ("22:00-08:00", "12:00", false),
            ("09:00-17:30", "08:59", false),
            ("09:00-17:30", "09:00", true),
            ("09:00-17:30", "17:29", true),
            ("09:00-17:30", "17:30", false),
            ("09:00-17:30", "23:00", false),
            ("00:00-00:01", "00:00", true),
            ("00:00-00:01", "00:01", false),
            ("13:00-13:00", "13:00", true),
            ("13:00-13:00", "12:59", true),
        ] {
            let (parsed, at) = (QuietHours::parse(hours), MinuteOfDay::parse(minute));
            let contain = parsed.expect("hours").contain(at.expect("a minute"));
            assert_eq!(contain, want, "{minute} in {hours}");
        }
    }

    #[test]
    fn only_one_way_of_writing_them_is_read_and_it_is_the_one_they_are_written_in() {
        for text in ["22:00-08:00", "00:00-23:59"] {
            assert_eq!(QuietHours::parse(text).map(|hours| hours.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "off",
            "22:00",
            "22:00-",
            "-08:00",
            "24:00-08:00",
            "22:60-08:00",
            "9:00-10:00",
            "+9:00-10:00",
            "22:00-08:00-09:00",
            "22:00 - 08:00",
        ] {
            assert_eq!(QuietHours::parse(text), None, "{text}");
        }
    }
}
