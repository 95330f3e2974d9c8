//! The table of who may decide, as data. Every surface asks it, and the tests of every surface are made from it.

use crate::answer::{Answer, Answers};
use crate::channel::Channel;
use crate::class::Class;
use crate::mode::Mode;
use crate::plan::{self, Outcome};

/// What the table says of one class through one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum May {
    /// Yes.
    Yes,
    /// Only after the person turned it on.
    OptIn,
    /// Yes, and a yes takes a word typed by the person.
    TypedWord,
    /// Yes, marked as unverified: nobody but the agent says that the person said so.
    Unverified,
    /// Only if the question has a default.
    Default,
    /// Only towards the safer choice.
    SaferOnly,
    /// No, but what was said is kept and shown as the agent's claim.
    ClaimOnly,
    /// No.
    No,
}

/// Who may decide a request of this class through this channel.
///
/// A matter of the class and the channel alone. A proof that came from a file (`unattended`) narrows it further,
/// see [`unattended_may_decide`].
pub const fn may_decide(class: Class, channel: Channel) -> May {
    match channel {
        Channel::Window => match class {
            Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval => May::Yes,
            Class::Plan | Class::Destructive => May::No,
        },
        Channel::Dialog => match class {
            Class::Ask | Class::Ambiguity | Class::Policy | Class::Step => May::No,
            Class::Approval | Class::Plan => May::Yes,
            Class::Destructive => May::TypedWord,
        },
        Channel::Notification => match class {
            Class::Ask | Class::Ambiguity => May::OptIn,
            Class::Policy | Class::Step | Class::Approval | Class::Plan | Class::Destructive => May::No,
        },
        Channel::Terminal => match class {
            Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval => May::Yes,
            Class::Plan | Class::Destructive => May::No,
        },
        Channel::Serve => match class {
            Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval | Class::Plan => May::Yes,
            Class::Destructive => May::TypedWord,
        },
        Channel::File => match class {
            Class::Ask | Class::Ambiguity => May::Yes,
            Class::Policy | Class::Step | Class::Approval | Class::Plan | Class::Destructive => May::No,
        },
        Channel::Relayed => match class {
            Class::Ambiguity | Class::Policy => May::Unverified,
            Class::Destructive => May::ClaimOnly,
            Class::Ask | Class::Step | Class::Approval | Class::Plan => May::No,
        },
        Channel::Rule => match class {
            Class::Step => May::Yes,
            Class::Ask | Class::Ambiguity | Class::Policy | Class::Approval | Class::Plan | Class::Destructive => {
                May::No
            }
        },
        Channel::Autonomous => match class {
            Class::Ask | Class::Ambiguity | Class::Policy => May::Default,
            Class::Destructive => May::SaferOnly,
            Class::Step | Class::Approval | Class::Plan => May::No,
        },
        // The person is not there, as in a relayed answer; a default may stand in only where a wrong one is cheap.
        Channel::Expiry => match class {
            Class::Ask | Class::Ambiguity => May::Default,
            Class::Policy | Class::Step | Class::Approval | Class::Plan | Class::Destructive => May::No,
        },
        // A mode only ever says no.
        Channel::Mode => match class {
            Class::Step => May::SaferOnly,
            Class::Ask | Class::Ambiguity | Class::Policy | Class::Approval | Class::Plan | Class::Destructive => {
                May::No
            }
        },
        Channel::Program => match class {
            Class::Ask => May::Yes,
            Class::Ambiguity | Class::Policy | Class::Step | Class::Approval | Class::Plan | Class::Destructive => {
                May::No
            }
        },
    }
}

/// Whether checked answers let the agent do nothing: safe at any moment, without a word. Whatever is not plainly a no is none.
pub fn is_no(class: Class, answers: &Answers) -> bool {
    match class {
        Class::Plan => matches!(plan::outcome(answers), Some(Outcome::Keep | Outcome::Cancel)),
        Class::Ask | Class::Ambiguity | Class::Policy | Class::Step | Class::Approval | Class::Destructive => {
            !answers.0.is_empty() && answers.0.values().all(|answer| matches!(answer, Answer::Confirm(false)))
        }
    }
}

/// Whether requests of this class have a dialog of their own, because the main window may not decide them.
pub const fn has_dialog(class: Class) -> bool {
    matches!(may_decide(class, Channel::Dialog), May::Yes | May::TypedWord)
        && matches!(may_decide(class, Channel::Window), May::No)
}

/// Whether a proof that no person typed (`--passphrase-file`) may decide this class; a test home lets it decide all.
pub const fn unattended_may_decide(class: Class, test_home: bool) -> bool {
    test_home || matches!(class, Class::Ask | Class::Ambiguity)
}

/// Whether such a proof may change a session's mode: to a stricter one, for the other way lets an agent do more.
pub fn unattended_may_switch(from: Mode, to: Mode, test_home: bool) -> bool {
    test_home || to >= from
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_table_is_the_one_in_the_product_page() {
        let columns = [
            Channel::Window,
            Channel::Dialog,
            Channel::Notification,
            Channel::Terminal,
            Channel::Serve,
            Channel::File,
            Channel::Relayed,
            Channel::Rule,
            Channel::Autonomous,
            Channel::Expiry,
            Channel::Program,
            Channel::Mode,
        ];
        let mut table = String::new();
        for class in Class::ALL {
            table += &format!("{:<11}", class.word());
            for channel in columns {
                table += &format!(" {:<10}", format!("{:?}", may_decide(class, channel)));
            }
            table = table.trim_end().to_owned() + "\n";
        }
        expect![[r#"
            ask         Yes        No         OptIn      Yes        Yes        Yes        No         No         Default    Default    Yes        No
            ambiguity   Yes        No         OptIn      Yes        Yes        Yes        Unverified No         Default    Default    No         No
            policy      Yes        No         No         Yes        Yes        No         Unverified No         Default    No         No         No
            step        Yes        No         No         Yes        Yes        No         No         Yes        No         No         No         SaferOnly
            approval    Yes        Yes        No         Yes        Yes        No         No         No         No         No         No         No
            plan        No         Yes        No         No         Yes        No         No         No         No         No         No         No
            destructive No         TypedWord  No         No         TypedWord  No         ClaimOnly  No         SaferOnly  No         No         No
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn no_channel_without_a_person_says_a_full_yes_but_to_a_plain_question_or_by_the_persons_own_rule() {
        for class in Class::ALL {
            for channel in [Channel::Relayed, Channel::Autonomous, Channel::Expiry, Channel::Mode] {
                assert!(!matches!(may_decide(class, channel), May::Yes | May::TypedWord), "{class:?} {channel:?}");
            }
        }
    }

    #[test]
    fn plans_and_what_destroys_have_a_dialog_of_their_own() {
        let with: Vec<_> = Class::ALL.into_iter().filter(|class| has_dialog(*class)).collect();
        assert_eq!(with, [Class::Plan, Class::Destructive]);
    }

    #[test]
    fn only_what_is_plainly_a_no_is_one() {
        use crate::answer::Pick;
        let of = |id: &str, answer| Answers([(id.to_owned(), answer)].into());
        for outcome in Outcome::ALL {
            let answers = of(plan::QUESTION, Answer::One(Pick::Option(outcome.label().into())));
            assert_eq!(is_no(Class::Plan, &answers), outcome != Outcome::Run, "{outcome:?}");
        }
        for other in [Answer::One(Pick::Other("Cancel".into())), Answer::Text("Cancel".into()), Answer::Confirm(false)]
        {
            assert!(!is_no(Class::Plan, &of(plan::QUESTION, other.clone())), "{other:?}");
        }
        for class in Class::ALL {
            assert!(!is_no(class, &Answers::default()), "{class:?}: nothing said");
            assert!(!is_no(class, &of("confirm", Answer::Confirm(true))), "{class:?}");
        }
        assert!(is_no(Class::Destructive, &of("confirm", Answer::Confirm(false))));
        let both = [("a".to_owned(), Answer::Confirm(false)), ("b".to_owned(), Answer::Confirm(true))];
        assert!(!is_no(Class::Destructive, &Answers(both.into())));
    }

    #[test]
    fn a_proof_from_a_file_decides_only_harmless_classes_outside_test_homes() {
        for class in Class::ALL {
            assert_eq!(unattended_may_decide(class, false), matches!(class, Class::Ask | Class::Ambiguity));
            assert!(unattended_may_decide(class, true));
        }
    }

    #[test]
    fn a_proof_from_a_file_makes_a_mode_stricter_only_outside_test_homes() {
        for from in Mode::ALL {
            for to in Mode::ALL {
                assert_eq!(unattended_may_switch(from, to, false), to >= from);
                assert!(unattended_may_switch(from, to, true));
            }
        }
    }
}
