//! What the inbox in a terminal says to a person, in English and Spanish: one file each, of the same texts.

mod en;
mod es;

use crate::tui::Until;
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::mode::Mode;
use countersign_core::request::State;

/// The texts' names; `{}` is filled in, in its order.
macro_rules! catalogue {
    ($($name:ident),* $(,)?) => {
        /// All texts of one language.
        #[derive(Debug)]
        pub struct Words {
            $(pub $name: &'static str,)*
        }

        #[cfg(test)]
        impl Words {
            fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

catalogue! {
    // Whose panel it is.
    asks, asks_approval, asks_plan, asks_step, asks_hands, asks_file, asks_policy, destroys,
    question_of, other, yes, no, approve, reject, allow, deny, done, could_not, run, keep, cancel, by_default,
    left_out, takes_pattern, optional, claims, program, program_unknown, through, comment_is,
    // What the keys do.
    hint_choose, hint_mark, hint_text, hint_own, hint_confirm, hint_plan, hint_plan_read, hint_step, hint_review, hint_comment,
    hint_word, hint_window, hint_leave_out, hint_back, hint_more, hint_list, hint_idle, hint_panel, hint_note, hint_passphrase,
    hint_code, hint_command, ask_comment, ask_change, ask_reason, ask_word, review,
    // Plans.
    revision, leads_to, remark_is, bad_remark, switches_nothing, first_revision, unchanged, no_previous, out_run, out_keep,
    out_cancel, out_declined, out_replaced, out_withdrawn, out_expired,
    // Files.
    file_goes, file_replaces, file_limit,
    // Steps.
    step_offered, remembers, never_remembered, until_session, until_hour, until_good, stopped, released, is_stopped,
    step_parts, step_reads, step_writes, step_executes, step_network, step_destroys, step_unknown, warn_production, warn_own,
    warn_outside, warn_unreadable, warn_destroys,
    // What is wrong with what was pressed.
    mark_one, needs_answer, not_pattern, read_to_end, in_window, enter_never, wrong_word, pasted, not_a_command,
    mode_fixed, no_session, away, back_again, gone_midway, sent, declined_it, mode_now, raised, no_window,
    secrets_shown, secrets_masked, test_home,
    // How it ended elsewhere.
    ended_answered, ended_declined, ended_cancelled, ended_expired, ended_superseded, your_text,
    by_window, by_dialog, by_notification, by_terminal, by_serve, by_file, by_relayed, by_rule, by_mode, by_autonomous,
    by_expiry, by_program, by_nobody,
    // The proof.
    proof_typed, proof_window, proof_wait, proof_wrong, proof_pause, proof_none, proof_not_given,
    // The rest of the screen.
    waiting_none, waiting, place_of, mode_word, guided, interactive, plan_mode, autonomous, in_folder, sessions,
    more_tasks, more_requests, help, small,
    // The plain inbox.
    plain_start, plain_wait, plain_prompt_choice, plain_prompt_many, plain_prompt_own, plain_prompt_text,
    plain_prompt_confirm, plain_comment, plain_passphrase, plain_code, plain_not_understood, plain_help, plain_end,
    plain_optional, plain_default,
}

/// The language of the setting, else of the system's locale.
pub fn of(setting: Option<&str>, locale: impl Fn(&str) -> Option<String>) -> &'static Words {
    let said = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| locale(name).filter(|v| !v.is_empty()));
    let word = match setting {
        Some("en" | "es") => setting.map(str::to_owned),
        Some(_) | None => said(),
    };
    if word.is_some_and(|word| word.starts_with("es")) { &es::WORDS } else { &en::WORDS }
}

/// A text with its gaps filled, in their order.
pub fn fill(text: &str, with: &[&str]) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    let mut with = with.iter();
    for part in parts {
        filled.push_str(with.next().copied().unwrap_or("?"));
        filled.push_str(part);
    }
    filled
}

impl Words {
    /// A mode's name.
    pub const fn mode(&self, mode: Mode) -> &'static str {
        match mode {
            Mode::Autonomous => self.autonomous,
            Mode::Guided => self.guided,
            Mode::Interactive => self.interactive,
            Mode::Plan => self.plan_mode,
        }
    }

    /// What stands over a panel.
    pub fn heading(&self, class: Class, kind: &str) -> &'static str {
        match (class, kind) {
            (_, "request_manual_intervention") => self.asks_hands,
            (_, "request_file") => self.asks_file,
            (Class::Ask | Class::Ambiguity, _) => self.asks,
            (Class::Policy, _) => self.asks_policy,
            (Class::Step, _) => self.asks_step,
            (Class::Approval, _) => self.asks_approval,
            (Class::Plan, _) => self.asks_plan,
            (Class::Destructive, _) => self.destroys,
        }
    }

    /// What a yes and a no are called.
    pub fn yes_no(&self, class: Class, kind: &str) -> [&'static str; 2] {
        match (class, kind) {
            (_, "request_manual_intervention") => [self.done, self.could_not],
            (Class::Approval, _) => [self.approve, self.reject],
            (Class::Step, _) => [self.allow, self.deny],
            (Class::Ask | Class::Ambiguity | Class::Policy | Class::Plan | Class::Destructive, _) => {
                [self.yes, self.no]
            }
        }
    }

    /// An option as the person reads it: those of a plan are this program's own.
    pub fn option<'a>(&self, class: Class, label: &'a str) -> &'a str
    where
        Self: 'a,
    {
        let own = |class| matches!(class, Class::Plan);
        match label {
            "Run it" if own(class) => self.run,
            "Keep planning" if own(class) => self.keep,
            "Cancel" if own(class) => self.cancel,
            _ => label,
        }
    }

    /// How a request ended, and by whom.
    pub fn ended(&self, state: State, by: Option<Channel>) -> String {
        let by = match by {
            Some(Channel::Window) => self.by_window,
            Some(Channel::Dialog) => self.by_dialog,
            Some(Channel::Notification) => self.by_notification,
            Some(Channel::Terminal) => self.by_terminal,
            Some(Channel::Serve) => self.by_serve,
            Some(Channel::File) => self.by_file,
            Some(Channel::Relayed) => self.by_relayed,
            Some(Channel::Rule) => self.by_rule,
            Some(Channel::Mode) => self.by_mode,
            Some(Channel::Autonomous) => self.by_autonomous,
            Some(Channel::Expiry) => self.by_expiry,
            Some(Channel::Program) => self.by_program,
            Some(Channel::Mode) => self.by_mode,
            None => self.by_nobody,
        };
        let text = match state {
            State::Pending | State::Answered => self.ended_answered,
            State::Declined => self.ended_declined,
            State::Cancelled => self.ended_cancelled,
            State::Expired => self.ended_expired,
            State::Superseded => self.ended_superseded,
        };
        fill(text, &[by])
    }

    /// What a step does.
    pub fn step_kind<'a>(&'a self, word: &'a str) -> &'a str {
        match word {
            "reads" => self.step_reads,
            "writes" => self.step_writes,
            "executes" => self.step_executes,
            "network" => self.step_network,
            "destroys" => self.step_destroys,
            _ => self.step_unknown,
        }
    }

    /// What to beware of.
    pub fn step_warning<'a>(&'a self, word: &'a str) -> &'a str {
        match word {
            "production" => self.warn_production,
            "own" => self.warn_own,
            "outside" => self.warn_outside,
            "unreadable" => self.warn_unreadable,
            "destroys" => self.warn_destroys,
            other => other,
        }
    }

    /// Until when an answer holds.
    pub const fn until(&self, until: Until) -> &'static str {
        match until {
            Until::Session => self.until_session,
            Until::Hour => self.until_hour,
            Until::Good => self.until_good,
        }
    }

    /// What became of a plan.
    pub fn plan_outcome<'a>(&'a self, word: &'a str) -> &'a str {
        match word {
            "run" => self.out_run,
            "keep" => self.out_keep,
            "cancel" => self.out_cancel,
            "declined" => self.out_declined,
            "replaced" => self.out_replaced,
            "withdrawn" => self.out_withdrawn,
            "expired" => self.out_expired,
            _ => "",
        }
    }

    /// A refusal in the person's words where it is a common one, else as it was said.
    pub fn refusal(&self, code: &str, message: &str) -> String {
        match code {
            "wrong_passphrase" => self.proof_wrong.into(),
            "no_passphrase" => self.proof_none.into(),
            "not_proven" => self.proof_not_given.into(),
            "too_many" => {
                let seconds: String = message.chars().filter(char::is_ascii_digit).collect();
                fill(self.proof_pause, &[&seconds])
            }
            "gone" => self.gone_midway.into(),
            _ => message.to_owned(),
        }
    }
}

/// The two languages, for tests of both.
#[cfg(test)]
pub const BOTH: [&Words; 2] = [&en::WORDS, &es::WORDS];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_say_everything_and_leave_the_same_gaps() {
        for ((name, en), (_, es)) in en::WORDS.all().into_iter().zip(es::WORDS.all()) {
            assert!(!en.trim().is_empty() && !es.trim().is_empty(), "{name}");
            assert_eq!(en.matches("{}").count(), es.matches("{}").count(), "{name}");
        }
    }

    #[test]
    fn the_setting_wins_over_the_locale_and_a_locale_without_a_language_is_english() {
        for (setting, name, locale, spanish) in [
            (Some("es"), "LANG", "en_US.UTF-8", true),
            (Some("en"), "LANG", "es_ES.UTF-8", false),
            (Some("system"), "LANG", "es_MX.UTF-8", true),
            (None, "LC_ALL", "es_ES", true),
            (None, "LANG", "C", false),
            (None, "LANG", "C.UTF-8", false),
            (None, "LANG", "", false),
            (None, "OTHER", "es", false),
        ] {
            let words = of(setting, |asked| (asked == name).then(|| locale.to_owned()));
            assert_eq!(words.yes == es::WORDS.yes, spanish, "{setting:?} {name}={locale}");
        }
    }

    #[test]
    fn gaps_are_filled_in_their_order() {
        assert_eq!(fill("{} of {}", &["1", "3"]), "1 of 3");
        assert_eq!(fill("none", &[]), "none");
        assert_eq!(fill("{}: {}", &["{}", "b"]), "{}: b");
    }

    #[test]
    fn each_ending_has_its_own_words() {
        for words in BOTH {
            let said = [State::Answered, State::Declined, State::Cancelled, State::Expired, State::Superseded]
                .map(|state| words.ended(state, None));
            let apart: std::collections::HashSet<_> = said.iter().collect();
            assert_eq!(apart.len(), said.len(), "{said:?}");
            let by = Channel::ALL.map(|channel| words.ended(State::Answered, Some(channel)));
            let apart: std::collections::HashSet<_> = by.iter().collect();
            assert_eq!(apart.len(), by.len(), "{by:?}");
        }
    }
}
