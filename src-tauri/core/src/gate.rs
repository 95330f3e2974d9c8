//! Gates: when a tool must ask first, and what exactly it asks.

use crate::class::Class;
use crate::id::SpecId;
use crate::limit;
use crate::question::{Choice, Question};
use crate::request::Subject;
use crate::spec::SpecRow;

/// The answer of `confirm-duplicate-title` that takes what is there.
pub const USE_EXISTING: &str = "use the existing one";
/// The answer of `confirm-duplicate-title` that makes a second one.
pub const CREATE_ANYWAY: &str = "create anyway";

/// One gate that is shut: what to ask, of which class, bound to what.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// How much a wrong yes would cost.
    pub class: Class,
    /// One line for lists.
    pub title: String,
    /// What is asked.
    pub question: Question,
    /// The spec as it is now; a decision counts only while it stays so.
    pub subject: Option<Subject>,
    /// The word that a yes takes.
    pub typed_word: Option<String>,
}

/// `create_spec`: the title is that of an existing spec.
pub fn duplicate_title(title: &str, existing: &SpecRow) -> Gate {
    let options = vec![Choice::plain(USE_EXISTING), Choice::plain(CREATE_ANYWAY)];
    let question =
        format!("There is already {} “{}”. Use it, or create “{title}” as another spec?", existing.id, existing.title);
    Gate {
        class: Class::Ambiguity,
        title: crate::request::title_from(&format!("Duplicate of {}? “{title}”", existing.id)),
        question: Question::choice("confirm-duplicate-title", question, options, Some(USE_EXISTING)),
        subject: Some(existing.subject()),
        typed_word: None,
    }
}

/// Any tool that names a spec by a term which several answer to.
///
/// At most as many as a question may have are offered; with more, the term must be made narrower.
pub fn choose_spec(term: &str, found: &[SpecRow]) -> Gate {
    let most = *limit::OPTIONS.end();
    let options = found.iter().take(most).map(|row| Choice::plain(row.label())).collect();
    let more = match found.len().checked_sub(most) {
        Some(rest) if rest > 0 => format!(" ({rest} more match; a longer term narrows it down)"),
        _ => String::new(),
    };
    Gate {
        class: Class::Ambiguity,
        title: crate::request::title_from(&format!("Which spec is meant by “{term}”?")),
        question: Question::choice(
            "choose-spec",
            format!("Several specs match “{term}”. Which one is meant?{more}"),
            options,
            None,
        ),
        subject: None,
        typed_word: None,
    }
}

/// Which spec an answer to `choose-spec` names.
pub fn chosen_spec(label: &str) -> Option<SpecId> {
    SpecId::parse(label.split(' ').next()?)
}

/// `delete_spec`: always.
pub fn confirm_delete(spec: &SpecRow, changed: bool) -> Gate {
    let since = if changed { "The spec changed since this was last decided. " } else { "" };
    // The title stands alone on the last line, where it can't pass for the sentence around it.
    let question = format!("{since}Delete {} for good? This can't be undone. Its title:\n{}", spec.id, spec.title);
    Gate {
        class: Class::Destructive,
        title: crate::request::title_from(&format!("Delete {} “{}”", spec.id, spec.title)),
        question: Question::confirm("confirm-delete", question),
        subject: Some(spec.subject()),
        typed_word: Some(spec.id.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Status;

    fn row(n: u32, title: &str) -> SpecRow {
        SpecRow { id: SpecId(n), title: title.into(), status: Status::Draft, revision: 3, locked: false }
    }

    #[test]
    fn every_gate_asks_a_question_that_passes_its_own_checks() {
        let long = "é".repeat(200);
        let gates = [
            duplicate_title(&long, &row(1, &long)),
            choose_spec(&long, &(1..=60).map(|n| row(n, &long)).collect::<Vec<_>>()),
            confirm_delete(&row(1, &long), true),
        ];
        for gate in gates {
            assert_eq!(gate.question.check(limit::OPTIONS), Ok(()));
            assert_eq!(limit::check_line("title", &gate.title, limit::TITLE_CHARS), Ok(()));
        }
    }

    #[test]
    fn gates_are_those_of_the_products_table() {
        let duplicate = duplicate_title("Refunds", &row(12, "refunds"));
        assert_eq!((duplicate.question.id.as_str(), duplicate.class), ("confirm-duplicate-title", Class::Ambiguity));
        assert_eq!(duplicate.question.default, Some(USE_EXISTING.into()));
        let choose = choose_spec("ref", &[row(1, "Refunds"), row(2, "Refs")]);
        assert_eq!(
            (choose.question.id.as_str(), choose.class, choose.question.default),
            ("choose-spec", Class::Ambiguity, None)
        );
        assert_eq!(chosen_spec(&choose.question.options[1].label), Some(SpecId(2)));
        let delete = confirm_delete(&row(14, "Legacy"), false);
        assert_eq!(
            (delete.question.id.as_str(), delete.class, delete.question.default),
            ("confirm-delete", Class::Destructive, None)
        );
        assert_eq!(delete.typed_word.as_deref(), Some("SPEC-014"));
        assert_eq!(delete.title, "Delete SPEC-014 “Legacy”");
    }
}
