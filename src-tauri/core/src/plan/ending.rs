//! What the agent is told of a plan's answer. Each text says what to do next.

use super::Outcome;
use super::remark::Remark;
use crate::mode::Mode;

/// What the agent is told; `mode` is the session's once the decision was made. Nothing that the person wrote is left out.
pub fn ending(outcome: Outcome, mode: Mode, comment: Option<&str>, remarks: &[Remark]) -> String {
    let lines: String = remarks.iter().map(|remark| format!("\n{}", remark.said())).collect();
    let added = comment.map(|comment| format!(" They added: {comment}")).unwrap_or_default();
    match outcome {
        Outcome::Run => format!(
            "The person approved the plan. Plan mode is off (now {} mode): carry the plan out now, step by step.{added}{lines}",
            mode.word()
        ),
        Outcome::Keep => {
            let stops = |comment: &str| comment.ends_with(['.', '!', '?', '…']);
            let comment = comment.map(str::trim_end);
            let stop = if comment.is_some_and(stops) { "" } else { "." };
            let comment = comment.map(|comment| format!(": {comment}")).unwrap_or_default();
            let next = match mode {
                Mode::Plan => "You're still in plan mode: revise the plan and present it again.".to_owned(),
                Mode::Autonomous | Mode::Guided | Mode::Interactive => format!(
                    "Plan mode was left meanwhile (now {} mode): don't carry the plan out; revise it and tell them in your reply.",
                    mode.word()
                ),
            };
            let then = if remarks.is_empty() { " " } else { "\n" };
            format!("The person wants to keep planning{comment}{stop}{lines}{then}{next}")
        }
        Outcome::Cancel => {
            format!("The person cancelled the plan. Stop, and ask them what they want instead.{added}{lines}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn remarks() -> Vec<Remark> {
        let remark = |line, quote: &str, text: &str| Remark { line, quote: quote.into(), text: text.into() };
        vec![remark(3, "1. Read", "Only the first half"), remark(9, "", "Say why")]
    }

    #[test]
    fn each_ending_has_the_texts_of_the_seed_in_every_mode() {
        let mut said = String::new();
        for outcome in Outcome::ALL {
            for mode in Mode::ALL {
                // No decision leads there: autonomous mode has no plans, and a plan that is run leaves plan mode.
                if mode != Mode::Autonomous && (outcome, mode) != (Outcome::Run, Mode::Plan) {
                    said += &format!("{} in {}: {}\n", outcome.word(), mode.word(), ending(outcome, mode, None, &[]));
                }
            }
        }
        expect![[r#"
            run in guided: The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step.
            run in interactive: The person approved the plan. Plan mode is off (now interactive mode): carry the plan out now, step by step.
            keep in guided: The person wants to keep planning. Plan mode was left meanwhile (now guided mode): don't carry the plan out; revise it and tell them in your reply.
            keep in interactive: The person wants to keep planning. Plan mode was left meanwhile (now interactive mode): don't carry the plan out; revise it and tell them in your reply.
            keep in plan: The person wants to keep planning. You're still in plan mode: revise the plan and present it again.
            cancel in guided: The person cancelled the plan. Stop, and ask them what they want instead.
            cancel in interactive: The person cancelled the plan. Stop, and ask them what they want instead.
            cancel in plan: The person cancelled the plan. Stop, and ask them what they want instead.
        "#]]
        .assert_eq(&said);
    }

    #[test]
    fn what_the_person_wrote_goes_with_every_answer() {
        let mut said = String::new();
        let comments = [None, Some("No lab"), Some("No lab. "), Some("Why two\nlabs?")];
        for (outcome, mode) in
            [(Outcome::Run, Mode::Guided), (Outcome::Keep, Mode::Plan), (Outcome::Cancel, Mode::Plan)]
        {
            for comment in comments {
                for remarks in [Vec::new(), remarks()] {
                    said += &format!("[{}] {}\n", outcome.word(), ending(outcome, mode, comment, &remarks));
                }
            }
        }
        expect![[r#"
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step.
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step.
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: No lab
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: No lab
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: No lab. 
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: No lab. 
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: Why two
            labs?
            [run] The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: Why two
            labs?
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [keep] The person wants to keep planning. You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning.
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning: No lab. You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning: No lab.
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning: No lab. You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning: No lab.
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning: Why two
            labs? You're still in plan mode: revise the plan and present it again.
            [keep] The person wants to keep planning: Why two
            labs?
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            You're still in plan mode: revise the plan and present it again.
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead.
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead.
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead. They added: No lab
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead. They added: No lab
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead. They added: No lab. 
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead. They added: No lab. 
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead. They added: Why two
            labs?
            [cancel] The person cancelled the plan. Stop, and ask them what they want instead. They added: Why two
            labs?
            On line 3 (“1. Read”): Only the first half
            On line 9 (empty): Say why
        "#]].assert_eq(&said);
    }
}
