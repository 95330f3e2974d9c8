//! Limits of what may come in, each with its unit. What is over a limit is refused with the limit named, never cut.

/// A title, in characters.
pub const TITLE_CHARS: usize = 200;
/// A question's text, in characters.
pub const QUESTION_CHARS: usize = 10_000;
/// An option's label, in characters.
pub const LABEL_CHARS: usize = 500;
/// An option's description or preview, in characters.
pub const DESCRIPTION_CHARS: usize = 20_000;
/// A question's id, in characters.
pub const QUESTION_ID_CHARS: usize = 100;
/// A pattern, in characters.
pub const PATTERN_CHARS: usize = 1_000;
/// A spec's body, a request's context or a text answer, in bytes of UTF-8: 1 MiB.
pub const BODY_BYTES: usize = 1 << 20;
/// Options of `ask_human`.
pub const ASK_HUMAN_OPTIONS: std::ops::RangeInclusive<usize> = 2..=8;
/// Options of any other question.
pub const OPTIONS: std::ops::RangeInclusive<usize> = 1..=50;
/// Questions of one request.
pub const QUESTIONS: std::ops::RangeInclusive<usize> = 1..=50;
/// Criteria of one spec.
pub const CRITERIA: usize = 1_000;
/// A criterion's text, in characters.
pub const CRITERION_CHARS: usize = 5_000;
/// The name of a check or a deploy target, in characters.
pub const CHECK_NAME_CHARS: usize = 64;
/// Evidence, or why a criterion is waived, in characters.
pub const EVIDENCE_CHARS: usize = 10_000;
/// All criteria of a spec together, in bytes: 1 MiB, as its body.
pub const CRITERIA_BYTES: usize = 1 << 20;
/// Specs of one import, or named in one export.
pub const IMPORT_SPECS: usize = 1_000;
/// Criteria of all specs of one import.
pub const IMPORT_CRITERIA: usize = 10_000;
/// Texts of all specs of one import, in bytes: everybody waits while they are written.
pub const IMPORT_BYTES: usize = 8 << 20;
/// Texts of all specs of one export, in bytes.
pub const EXPORT_ALL_BYTES: usize = 64 << 20;
/// An export that is given back rather than written, in bytes.
pub const EXPORT_BYTES: usize = 2 << 20;
/// Specs of one page of a list.
pub const SPEC_PAGE: u32 = 200;
/// A criterion that is fit to build against, in characters: about sixty words, a Given/When/Then with all its figures. A
/// longer one says several things, of which some may hold and some not.
pub const READY_CRITERION_CHARS: usize = 400;
/// A file that specs are imported from, in bytes: 32 MiB.
pub const SPEC_FILE_BYTES: usize = 32 << 20;
/// Specs of one such file.
pub const SPECS_IN_FILE: usize = 1_000;
/// A workspace's `countersign.toml`, in bytes: 256 KiB.
pub const COMMANDS_BYTES: usize = 256 << 10;
/// Checks, and again targets, of one workspace.
pub const COMMANDS: usize = 100;
/// The name of a check or a target, in characters.
pub const COMMAND_NAME_CHARS: usize = 64;
/// Elements of a command's argument vector.
pub const ARGUMENTS: std::ops::RangeInclusive<usize> = 1..=100;
/// One of them, in characters; also a command's folder.
pub const ARGUMENT_CHARS: usize = 10_000;
/// Variables that a command is given.
pub const VARIABLES: usize = 100;
/// The name of one, in characters.
pub const VARIABLE_CHARS: usize = 100;
/// Seconds until a command is stopped: one second to a day.
pub const TIMEOUT_SECONDS: std::ops::RangeInclusive<u32> = 1..=86_400;
/// Seconds until a command is stopped that doesn't say.
pub const TIMEOUT_SECONDS_DEFAULT: u32 = 600;
/// Seconds until a request expires, when the agent sets a limit: one second to thirty days.
pub const EXPIRES_SECONDS: std::ops::RangeInclusive<u64> = 1..=2_592_000;
/// Seconds that one `wait_for_answer` waits at the least: at most three calls a minute.
pub const WAIT_SECONDS_MIN: u64 = 20;
/// How long a decision that was collected is handed out again, to the same ask.
pub const REPEAT_MILLIS: u64 = 120_000;
/// How long a grant for a destructive act holds.
pub const DESTRUCTIVE_GRANT_MILLIS: u64 = 5 * 60_000;
/// How long any other grant holds.
pub const GRANT_MILLIS: u64 = 24 * 3_600_000;
/// How long a pairing code, or a terminal's code, holds.
pub const CODE_MILLIS: u64 = 120_000;
/// Wrong codes until pairing closes.
pub const CODE_TRIES: u32 = 5;
/// How long pairing stays closed after too many wrong codes.
pub const CLOSED_MILLIS: u64 = 10 * 60_000;
/// How long a person's proof holds in the terminal that gave it.
pub const PROOF_MILLIS: u64 = 3_600_000;
/// Pending requests of one agent.
pub const PENDING_PER_AGENT: u64 = 1_000;
/// What is kept of a run's output, in bytes: 1 MiB.
pub const RUN_OUTPUT_BYTES: usize = 1 << 20;
/// Runs that go on at once; one more, when the person wants it themselves.
pub const RUNS_AT_ONCE: usize = 4;
/// Those of them that agents may start in one workspace.
pub const RUNS_AT_ONCE_EACH: usize = 2;
/// Runs that wait for their turn.
pub const RUNS_QUEUED: usize = 256;
/// Those of them that agents may have waiting in one workspace.
pub const RUNS_QUEUED_EACH: usize = 64;
/// Runs of one workspace whose output is kept; older ones keep how they ended.
pub const RUN_OUTPUTS_KEPT: u32 = 200;
/// Seconds that one `get_run` waits at the most.
pub const RUN_WAIT_SECONDS: u64 = 50;
/// What `get_run` shows of an output unless the whole is asked for, in bytes.
pub const RUN_TAIL_BYTES: usize = 16 << 10;
/// A file that a trusted command names, in bytes, whose text is kept to show its changes.
pub const TRUST_TEXT_BYTES: u64 = 256 << 10;
/// The texts of all such files of a workspace, in bytes.
pub const TRUST_TEXTS_BYTES: u64 = 1 << 20;
/// All files that the commands of a workspace name, in bytes: what is read at each start of a run.
pub const TRUST_BYTES: u64 = 64 << 20;
/// Files that the commands of a workspace name.
pub const TRUST_FILES: usize = 1_000;
/// The name of a step's tool, in characters.
pub const STEP_TOOL_CHARS: usize = 200;
/// What a host calls one use of a tool, in characters.
pub const TOOL_USE_CHARS: usize = 200;
/// How long a yes to a step waits to be fetched before the same step is asked about anew.
pub const STEP_GRANT_MILLIS: u64 = 3_600_000;
/// Rules that hold at once.
pub const RULES: usize = 5_000;
/// How long a rule for a session holds at the most, should nobody see the session end: a day.
pub const SESSION_RULE_MILLIS: u64 = 24 * 3_600_000;
/// Seconds after which a rule may end: a minute to ten years.
pub const RULE_SECONDS: std::ops::RangeInclusive<u64> = 60..=315_360_000;
/// Steps of the history that one try of a rule looks at.
pub const RULE_TRIED: u32 = 2_000;
/// Steps of one manual intervention.
pub const MANUAL_STEPS: std::ops::RangeInclusive<usize> = 1..=50;
/// Items of a session's list of what it does.
pub const TODOS: usize = 200;
/// One of them, in characters.
pub const TODO_CHARS: usize = 500;
/// A file that a person gives, in bytes: 50 MiB.
pub const GIVEN_FILE_BYTES: u64 = 50 << 20;
/// A file that is put away, in bytes: 1 GiB. It is read whole to know it again.
pub const RETIRED_FILE_BYTES: u64 = 1 << 30;
/// A path, in bytes.
pub const PATH_BYTES: usize = 4_096;
/// Remarks on the lines of one plan.
pub const REMARKS: usize = 200;
/// One of them, in characters.
pub const REMARK_CHARS: usize = 10_000;
/// All remarks on one plan, in bytes: 1 MiB, as a comment.
pub const REMARKS_BYTES: usize = 1 << 20;
/// What is kept of the line that a remark is about, in characters.
pub const QUOTE_CHARS: usize = 120;
/// Previous plans that are listed beside one.
pub const PLANS_BEFORE: u32 = 50;
/// An answer file, in bytes: 1 MiB, as a text answer.
pub const ANSWER_FILE_BYTES: u64 = 1 << 20;
/// How long an answer file must have been left alone before it is read, in milliseconds.
pub const ANSWER_FILE_QUIET_MILLIS: u64 = 250;
/// How far a file's time may be behind the clock's, in milliseconds: file systems take theirs from the last tick.
pub const FILE_CLOCK_LAG_MILLIS: i64 = 10;
/// A draft, in bytes.
pub const DRAFT_BYTES: usize = 4 << 20;

/// What is wrong with a text field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing there.
    #[error("`{field}` is empty; give 1 to {limit} characters")]
    Empty {
        /// The field's name as the caller knows it.
        field: String,
        /// The limit in characters.
        limit: usize,
    },
    /// Over the limit in characters.
    #[error("`{field}` has {found} characters; {limit} are allowed")]
    Long {
        /// The field's name.
        field: String,
        /// Characters found.
        found: usize,
        /// The limit in characters.
        limit: usize,
    },
    /// Over the limit in bytes.
    #[error("`{field}` has {found} bytes; {limit} are allowed")]
    Large {
        /// The field's name.
        field: String,
        /// Bytes found.
        found: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// A NUL, which is refused everywhere.
    #[error("`{field}` contains a NUL character (U+0000); remove it")]
    Nul {
        /// The field's name.
        field: String,
    },
    /// Another control character, where none may be.
    #[error("`{field}` contains the control character U+{code:04X}; remove it")]
    Control {
        /// The field's name.
        field: String,
        /// The character.
        code: u32,
    },
}

/// A one-line text: 1 to `limit` characters, no control characters.
pub fn check_line(field: &str, text: &str, limit: usize) -> Result<(), TextError> {
    check_text(field, text, limit)?;
    match text.chars().find(|c| c.is_control()) {
        Some(c) => Err(TextError::Control { field: field.to_owned(), code: c.into() }),
        None => Ok(()),
    }
}

/// A text that may have lines: 1 to `limit` characters, no NUL.
pub fn check_text(field: &str, text: &str, limit: usize) -> Result<(), TextError> {
    if text.trim().is_empty() {
        return Err(TextError::Empty { field: field.to_owned(), limit });
    }
    let found = text.chars().count();
    if found > limit {
        return Err(TextError::Long { field: field.to_owned(), found, limit });
    }
    check_nul(field, text)
}

/// A body: up to 1 MiB, no NUL; may be empty.
pub fn check_body(field: &str, text: &str) -> Result<(), TextError> {
    if text.len() > BODY_BYTES {
        return Err(TextError::Large { field: field.to_owned(), found: text.len(), limit: BODY_BYTES });
    }
    check_nul(field, text)
}

fn check_nul(field: &str, text: &str) -> Result<(), TextError> {
    if text.contains('\0') { Err(TextError::Nul { field: field.to_owned() }) } else { Ok(()) }
}

/// A number of seconds that a model gave for a limit, brought into what is allowed, with a note when it was changed.
pub fn clamp_seconds(
    field: &str,
    given: Option<&serde_json::Value>,
    default: u64,
    range: std::ops::RangeInclusive<u64>,
) -> (u64, Option<String>) {
    clamp(field, given, default, range, "seconds")
}

/// A whole number of `unit` that a model gave for a limit, brought into what is allowed, with a note when it was changed.
///
/// Takes whatever JSON came (a text, a negative number, a fraction): a limit is never a reason to lose a question.
pub fn clamp(
    field: &str,
    given: Option<&serde_json::Value>,
    default: u64,
    range: std::ops::RangeInclusive<u64>,
    unit: &str,
) -> (u64, Option<String>) {
    let (low, high) = (*range.start(), *range.end());
    let default = default.clamp(low, high);
    let Some(given) = given.filter(|value| !value.is_null()) else { return (default, None) };
    let number = given.as_f64().or_else(|| given.as_str().and_then(|text| text.trim().parse().ok()));
    let Some(number) = number.filter(|n| n.is_finite()) else {
        return (default, Some(format!("`{field}` was not a number of {unit}; {default} was used")));
    };
    if number < low as f64 {
        return (low, Some(format!("`{field}` was raised to {low} {unit}, the least that is allowed")));
    }
    if number > high as f64 {
        return (high, Some(format!("`{field}` was lowered to {high} {unit}, the most that is allowed")));
    }
    (number.round() as u64, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn limits_hold_at_below_and_above() {
        assert_eq!(check_line("title", &"é".repeat(200), TITLE_CHARS), Ok(()));
        assert_eq!(
            check_line("title", &"é".repeat(201), TITLE_CHARS).map_err(|e| e.to_string()),
            Err("`title` has 201 characters; 200 are allowed".into())
        );
        assert!(matches!(check_line("title", " ", 200), Err(TextError::Empty { .. })));
        assert!(matches!(check_line("title", "a\nb", 200), Err(TextError::Control { code: 10, .. })));
        assert!(matches!(check_text("question", "a\0b", 200), Err(TextError::Nul { .. })));
        assert_eq!(check_text("question", "a\nb", 200), Ok(()));
        assert_eq!(check_body("body", &"x".repeat(BODY_BYTES)), Ok(()));
        assert!(matches!(check_body("body", &"x".repeat(BODY_BYTES + 1)), Err(TextError::Large { .. })));
    }

    #[test]
    fn limits_from_a_model_are_clamped_and_it_is_said() {
        let clamp = |value| clamp_seconds("timeout_seconds", Some(&value), 50, 20..=50);
        for (given, want, said) in [
            (json!(30), 30, false),
            (json!(1), 20, true),
            (json!(0), 20, true),
            (json!(-5), 20, true),
            (json!(1e300), 50, true),
            (json!(99_999_999_999_u64), 50, true),
            (json!("25"), 25, false),
            (json!("soon"), 50, true),
            (json!({}), 50, true),
            (json!(null), 50, false),
            (json!(20.4), 20, false),
        ] {
            let (seconds, note) = clamp(given.clone());
            assert_eq!((seconds, note.is_some()), (want, said), "{given}");
        }
    }
}
