//! Gates: when a tool must ask first, and what exactly it asks.

use crate::class::Class;
use crate::id::SpecId;
use crate::limit;
use crate::question::{Choice, Question};
use crate::request::Subject;
use crate::spec::{Spec, SpecRow};

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
    /// What the person should see of it before they answer (markdown).
    pub context: Option<String>,
    /// What is asked.
    pub question: Question,
    /// The spec as it is now; a decision counts only while it stays so.
    pub subject: Option<Subject>,
    /// The word that a yes takes.
    pub typed_word: Option<String>,
    /// For a choice: the options that take no word.
    pub safe_options: Vec<String>,
}

/// `create_spec`: the title is that of an existing spec.
pub fn duplicate_title(title: &str, existing: &SpecRow) -> Gate {
    let options = vec![Choice::plain(USE_EXISTING), Choice::plain(CREATE_ANYWAY)];
    let question =
        format!("There is already {} “{}”. Use it, or create “{title}” as another spec?", existing.id, existing.title);
    Gate {
        class: Class::Ambiguity,
        title: crate::request::title_from(&format!("Duplicate of {}? “{title}”", existing.id)),
        context: None,
        question: Question::choice("confirm-duplicate-title", question, options, Some(USE_EXISTING)),
        subject: Some(existing.subject()),
        typed_word: None,
        safe_options: Vec::new(),
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
        context: None,
        question: Question::choice(
            "choose-spec",
            format!("Several specs match “{term}”. Which one is meant?{more}"),
            options,
            None,
        ),
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
    }
}

/// Which spec an answer to `choose-spec` names.
pub fn chosen_spec(label: &str) -> Option<SpecId> {
    SpecId::parse(label.split(' ').next()?)
}

/// `delete_spec`: always. The person sees the whole spec that would be gone.
pub fn confirm_delete(whole: &Spec, changed: bool) -> Gate {
    let spec = &whole.row;
    let since = if changed { "The spec changed since this was last decided. " } else { "" };
    // The title stands alone on the last line, where it can't pass for the sentence around it.
    let question = format!("{since}Delete {} for good? This can't be undone. Its title:\n{}", spec.id, spec.title);
    Gate {
        class: Class::Destructive,
        title: crate::request::title_from(&format!("Delete {} “{}”", spec.id, spec.title)),
        context: Some(whole.to_markdown()).filter(|text| !text.is_empty()),
        question: Question::confirm("confirm-delete", question),
        subject: Some(spec.subject()),
        typed_word: Some(spec.id.to_string()),
        safe_options: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Criterion, CriterionState, Status};

    fn row(n: u32, title: &str) -> SpecRow {
        SpecRow { id: SpecId(n), title: title.into(), status: Status::Draft, revision: 3, locked: false }
    }

    fn whole(row: SpecRow) -> Spec {
        let at = crate::time::Timestamp(0);
        let criteria =
            vec![Criterion { id: "AC-1".into(), text: "It holds".into(), state: CriterionState::Met, check: None }];
        Spec { row, body: "All of it.".into(), criteria, created_at: at, updated_at: at }
    }

    #[test]
    fn every_gate_asks_a_question_that_passes_its_own_checks() {
        let long = "é".repeat(200);
        let gates = [
            duplicate_title(&long, &row(1, &long)),
            choose_spec(&long, &(1..=60).map(|n| row(n, &long)).collect::<Vec<_>>()),
            confirm_delete(&whole(row(1, &long)), true),
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
        let delete = confirm_delete(&whole(row(14, "Legacy")), false);
        assert_eq!(
            (delete.question.id.as_str(), delete.class, delete.question.default),
            ("confirm-delete", Class::Destructive, None)
        );
        assert_eq!(delete.typed_word.as_deref(), Some("SPEC-014"));
        assert_eq!(delete.context.as_deref(), Some("All of it.\n\n- AC-1 (met): It holds\n"));
        assert_eq!(delete.title, "Delete SPEC-014 “Legacy”");
    }
}
