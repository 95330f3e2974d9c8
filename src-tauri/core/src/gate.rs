//! Gates: when a tool must ask first, and what exactly it asks.

use crate::class::Class;
use crate::id::SpecId;
use crate::language::Language;
use crate::limit;
use crate::question::{Choice, Question};
use crate::readiness::Verdict;
use crate::request::Subject;
use crate::revision::{self, Content};
use crate::spec::{Criterion, Spec, SpecRow, Status, one_line};
use crate::spec_act::SpecAct;
use crate::spec_edit::Edited;
use crate::trust::fenced;

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

impl Gate {
    /// Whether this answer is one that nobody need be asked for: of a destructive gate, only what it names as safe.
    pub fn is_safe(&self, answer: &serde_json::Value) -> bool {
        self.class != Class::Destructive
            || answer == &serde_json::Value::Bool(false)
            || answer.as_str().is_some_and(|label| self.safe_options.iter().any(|safe| safe == label))
    }
}

/// `create_spec`: the title is that of an existing spec, or nearly; `alike` is how much, in percent.
pub fn duplicate_title(title: &str, existing: &SpecRow, alike: u8) -> Gate {
    let options = vec![Choice::plain(USE_EXISTING), Choice::plain(CREATE_ANYWAY)];
    let found = match alike {
        100 => format!("There is already {}", existing.id),
        alike => format!("{alike} % alike: {}", existing.id),
    };
    let question = format!("{found} “{}”. Use it, or create “{title}” as another spec?", existing.title);
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
pub fn confirm_delete(whole: &Spec) -> Gate {
    let spec = &whole.row;
    Gate {
        class: Class::Destructive,
        title: crate::request::title_from(&format!("Delete {} “{}”", spec.id, spec.title)),
        context: Some(whole.to_markdown()).filter(|text| !text.is_empty()),
        question: Question::confirm(
            "confirm-delete",
            about(spec, &format!("Delete {} for good? This can't be undone.", spec.id)),
        ),
        subject: Some(spec.subject()),
        typed_word: Some(spec.id.to_string()),
        safe_options: Vec::new(),
    }
}

/// `lock_spec`: the spec is a draft.
pub fn confirm_lock_draft(spec: &SpecRow) -> Gate {
    let question = format!("{} is still a draft. Lock it already, so that its content stays as it is?", spec.id);
    let question =
        Question { default: Some(false.into()), ..Question::confirm("confirm-lock-draft", about(spec, &question)) };
    plain(Class::Ambiguity, format!("Lock the draft {} “{}”?", spec.id, spec.title), question, spec)
}

/// `update_status(approved)`: none of its criteria is fit to build against.
pub fn confirm_low_criteria(spec: &Spec, verdicts: &[Verdict]) -> Gate {
    let row = &spec.row;
    let question = match verdicts.len() {
        0 => format!("{} has no acceptance criteria. Approve it all the same?", row.id),
        n => format!("0 of {n} criteria of {} pass check_readiness. Approve it all the same?", row.id),
    };
    let question = Question::confirm("confirm-low-criteria", about(row, &question));
    let title = format!("Approve {} “{}” with 0 criteria that pass?", row.id, row.title);
    let mut context = String::new();
    for (criterion, verdict) in spec.criteria.iter().zip(verdicts) {
        context.push_str(&format!("- {}: {}\n", criterion.id, one_line(&criterion.text)));
        for finding in &verdict.findings {
            context.push_str(&format!("  - {}\n", finding.message(Language::English)));
        }
    }
    Gate { context: some(context), ..plain(Class::Policy, title, question, row) }
}

/// `update_status(done)`: some of its criteria are unmet, or it has none.
pub fn confirm_unmet_criteria(spec: &Spec) -> Gate {
    let row = &spec.row;
    let unmet = spec.unmet();
    let question = match spec.criteria.len() {
        0 => format!(
            "{} has no acceptance criteria, so nothing shows that it is done. Set it to done all the same?",
            row.id
        ),
        n => format!("{} of {n} criteria of {} are unmet. Set it to done all the same?", unmet.len(), row.id),
    };
    let question = Question::confirm("confirm-unmet-criteria", about(row, &question));
    let title = format!("{} “{}” done with {} unmet?", row.id, row.title, unmet.len());
    Gate { context: some(listed(&unmet)), ..plain(Class::Policy, title, question, row) }
}

/// `update_spec`: unmet criteria that were agreed are dropped or reworded.
pub fn confirm_drop_criteria(spec: &Spec, edited: &Edited) -> Gate {
    let row = &spec.row;
    let (dropped, weakened) = (edited.dropped.len(), edited.weakened.len());
    let question = format!(
        "{} is {}. The change drops {dropped} and rewords {weakened} of its unmet criteria, which may ask for less. Change it all the same?",
        row.id,
        row.status.word()
    );
    let question = Question::confirm("confirm-drop-criteria", about(row, &question));
    let mut context = String::new();
    if dropped > 0 {
        context.push_str(&format!("Dropped:\n\n{}\n", listed(&edited.dropped.iter().collect::<Vec<_>>())));
    }
    if weakened > 0 {
        context.push_str("Reworded:\n\n");
        for (before, now) in &edited.weakened {
            context.push_str(&format!("- {}: {}\n  - now: {}\n", before.id, one_line(&before.text), one_line(now)));
        }
    }
    let title = format!("Drop criteria of {} “{}”?", row.id, row.title);
    Gate { context: some(context), ..plain(Class::Policy, title, question, row) }
}

/// `update_spec`, `unlock_spec`, an import: the spec is locked. The person sees what would change, or the whole spec where nothing
/// does.
pub fn confirm_overwrite_locked(spec: &Spec, edited: Option<&Edited>, what: &str) -> Gate {
    let row = &spec.row;
    let question = Question::confirm("confirm-overwrite-locked", about(row, &format!("{} is locked. {what}", row.id)));
    let context = match edited {
        Some(edited) => change_of(spec, edited),
        None => spec.to_markdown(),
    };
    Gate {
        context: some(context),
        typed_word: Some(row.id.to_string()),
        ..plain(Class::Destructive, format!("{} “{}” is locked: change it?", row.id, row.title), question, row)
    }
}

/// A body up to this size, in bytes, is compared with what was there; two larger ones are shown whole, one after the other, for
/// comparing takes a while that everybody would wait.
const COMPARED: usize = 256 << 10;

/// What would change, whole.
fn change_of(spec: &Spec, edited: &Edited) -> String {
    if spec.body.len() + edited.body.len() <= 2 * COMPARED && spec.criteria.len() + edited.criteria.len() <= 400 {
        return fenced("diff", &revision::diff(&Content::of(spec), &edited.content()).to_text());
    }
    let listed = |criteria: &[Criterion]| {
        criteria.iter().map(|c| format!("{}: {}\n", c.id, one_line(&c.text))).collect::<String>()
    };
    let whole = |title: &str, body: &str, criteria: &[Criterion]| {
        fenced("", &format!("{title}\n\n{body}\n\n{}", listed(criteria)))
    };
    format!(
        "After the change:\n\n{}\nBefore it:\n\n{}",
        whole(&edited.title, &edited.body, &edited.criteria),
        whole(&spec.row.title, &spec.body, &spec.criteria)
    )
}

/// What stands between an agent and this act, in order; each is asked by itself, once the one before is open. How fit the criteria
/// are is looked at here unless it is given.
pub fn of(act: &SpecAct, spec: &Spec, edited: Option<&Edited>, verdicts: Option<&[Verdict]>) -> Vec<Gate> {
    let row = &spec.row;
    match act {
        SpecAct::Edit(_) => of_edit(spec, edited, "Overwrite its content? The revision before stays in its history."),
        SpecAct::Move(Status::Approved) => {
            let verdicts = verdicts.map_or_else(|| spec.readiness(), <[Verdict]>::to_vec);
            let none_fit = !verdicts.iter().any(|verdict| verdict.fit);
            if none_fit { vec![confirm_low_criteria(spec, &verdicts)] } else { Vec::new() }
        }
        SpecAct::Move(Status::Done) if !spec.is_met() => vec![confirm_unmet_criteria(spec)],
        SpecAct::Lock if row.status == Status::Draft && !row.locked => vec![confirm_lock_draft(row)],
        SpecAct::Unlock if row.locked => vec![confirm_overwrite_locked(spec, None, "Take the lock away?")],
        SpecAct::Delete => vec![confirm_delete(spec)],
        SpecAct::Move(_)
        | SpecAct::Lock
        | SpecAct::Unlock
        | SpecAct::Evidence { .. }
        | SpecAct::Waive { .. }
        | SpecAct::Validate => Vec::new(),
    }
}

/// The gates before new content, which an edit or an import brings.
pub fn of_edit(spec: &Spec, edited: Option<&Edited>, what: &str) -> Vec<Gate> {
    let Some(edited) = edited.filter(|edited| edited.changed) else { return Vec::new() };
    let mut gates = Vec::new();
    if spec.row.locked {
        gates.push(confirm_overwrite_locked(spec, Some(edited), what));
    }
    if spec.row.status.is_agreed() && !(edited.dropped.is_empty() && edited.weakened.is_empty()) {
        gates.push(confirm_drop_criteria(spec, edited));
    }
    gates
}

/// A row of the table of gates: what is asked, and by which tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The question's id.
    pub id: &'static str,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// The tools that may ask it.
    pub tools: &'static [&'static str],
}

/// All gates.
pub const TABLE: [Row; 9] = [
    Row { id: "confirm-duplicate-title", class: Class::Ambiguity, tools: &["create_spec"] },
    Row {
        id: "choose-spec",
        class: Class::Ambiguity,
        tools: &[
            "update_spec",
            "update_status",
            "lock_spec",
            "unlock_spec",
            "record_evidence",
            "validate",
            "deploy_spec",
            "delete_spec",
        ],
    },
    Row { id: "confirm-lock-draft", class: Class::Ambiguity, tools: &["lock_spec"] },
    Row { id: "confirm-low-criteria", class: Class::Policy, tools: &["update_status"] },
    Row { id: "confirm-unmet-criteria", class: Class::Policy, tools: &["update_status"] },
    Row { id: "confirm-drop-criteria", class: Class::Policy, tools: &["update_spec", "import_specs"] },
    Row { id: "confirm-target-env", class: Class::Destructive, tools: &["deploy_spec"] },
    Row { id: "confirm-delete", class: Class::Destructive, tools: &["delete_spec"] },
    Row {
        id: "confirm-overwrite-locked",
        class: Class::Destructive,
        tools: &["update_spec", "unlock_spec", "import_specs"],
    },
];

/// The questions that a tool may ask.
pub fn ids_of(tool: &str) -> Vec<&'static str> {
    TABLE.iter().filter(|row| row.tools.contains(&tool)).map(|row| row.id).collect()
}

/// A title as an agent or a person wrote it stands alone on the last line, where it can't pass for the sentence around it.
fn about(spec: &SpecRow, question: &str) -> String {
    format!("{question} Its title:\n{}", spec.title)
}

fn plain(class: Class, title: String, question: Question, spec: &SpecRow) -> Gate {
    let title = crate::request::title_from(&title);
    Gate {
        class,
        title,
        context: None,
        question,
        subject: Some(spec.subject()),
        typed_word: None,
        safe_options: Vec::new(),
    }
}

/// One line each: what an agent wrote must not pass for another criterion.
fn listed(criteria: &[&Criterion]) -> String {
    criteria.iter().map(|c| format!("- {} ({}): {}\n", c.id, c.state.word(), one_line(&c.text))).collect()
}

fn some(context: String) -> Option<String> {
    Some(context).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
