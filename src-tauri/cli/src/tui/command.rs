//! What is typed behind a slash: `/plan`, `/mode interactive`, `/quit`. The same words in both languages and in the plain inbox.

use super::panel::Until;
use countersign_core::mode::Mode;

/// What the person wants besides answering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Plan mode on, or off again.
    Plan,
    /// This mode for the session.
    Mode(Mode),
    /// The request is left pending, and the next one shown.
    Skip,
    /// What waits, as a list.
    List,
    /// No answer, with these words.
    Decline(Option<String>),
    /// These words go with the answer.
    Comment(String),
    /// A remark on one line of a plan, as it was typed.
    Remark(String),
    /// The mode to which running the plan shall lead.
    Into(Mode),
    /// What is offered at this place is remembered of the answer, until then.
    Remember(usize, Until),
    /// The session is stopped, or released.
    Stop {
        /// Whether it is released.
        release: bool,
    },
    /// Secrets are shown, or masked again.
    Secrets,
    /// The window is brought to the front.
    Open,
    /// What the keys do.
    Help,
    /// The end; everything stays pending.
    Quit,
}

/// Reads a command without its slash; none for what is none.
pub fn read(typed: &str) -> Option<Wish> {
    let typed = typed.trim().trim_start_matches('/');
    let (verb, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let rest = rest.trim();
    let words = || (!rest.is_empty()).then(|| rest.to_owned());
    match verb.to_lowercase().as_str() {
        "plan" if rest.is_empty() => Some(Wish::Plan),
        "mode" => Mode::from_word(&rest.to_lowercase()).map(Wish::Mode),
        "guided" | "interactive" if rest.is_empty() => Mode::from_word(verb).map(Wish::Mode),
        "skip" | "later" | "next" if rest.is_empty() => Some(Wish::Skip),
        "list" if rest.is_empty() => Some(Wish::List),
        "decline" => Some(Wish::Decline(words())),
        "comment" => words().map(Wish::Comment),
        "remark" => words().map(Wish::Remark),
        "into" => Mode::from_word(&rest.to_lowercase()).map(Wish::Into),
        "remember" => remembered(rest),
        "stop" if rest.is_empty() => Some(Wish::Stop { release: false }),
        "release" if rest.is_empty() => Some(Wish::Stop { release: true }),
        "secrets" if rest.is_empty() => Some(Wish::Secrets),
        "open" if rest.is_empty() => Some(Wish::Open),
        "help" | "?" if rest.is_empty() => Some(Wish::Help),
        "quit" | "exit" | "q" if rest.is_empty() => Some(Wish::Quit),
        _ => None,
    }
}

/// `2 hour`, `session`, `1 good`.
fn remembered(typed: &str) -> Option<Wish> {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let (place, until) = match words.as_slice() {
        [until] => (1, *until),
        [place, until] => (place.parse().ok()?, *until),
        _ => return None,
    };
    let until = Until::ALL.into_iter().find(|one| one.word() == until.to_lowercase())?;
    Some(Wish::Remember(usize::checked_sub(place, 1)?, until))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_one_of_the_known_ones_and_nothing_else() {
        for (typed, want) in [
            ("plan", Some(Wish::Plan)),
            ("/Plan ", Some(Wish::Plan)),
            ("plan the trip", None),
            ("mode interactive", Some(Wish::Mode(Mode::Interactive))),
            ("mode  PLAN", Some(Wish::Mode(Mode::Plan))),
            ("mode", None),
            ("mode loose", None),
            ("guided", Some(Wish::Mode(Mode::Guided))),
            ("decline", Some(Wish::Decline(None))),
            ("decline not now", Some(Wish::Decline(Some("not now".into())))),
            ("comment", None),
            ("comment with care", Some(Wish::Comment("with care".into()))),
            ("remember session", Some(Wish::Remember(0, Until::Session))),
            ("remember 2 hour", Some(Wish::Remember(1, Until::Hour))),
            ("remember 0 good", None),
            ("remember me", None),
            ("stop", Some(Wish::Stop { release: false })),
            ("release", Some(Wish::Stop { release: true })),
            ("skip", Some(Wish::Skip)),
            ("quit", Some(Wish::Quit)),
            ("etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(read(typed), want, "{typed:?}");
        }
    }
}
