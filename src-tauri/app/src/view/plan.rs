//! What goes with a plan, as the page draws it: what changed since the revision before, its lines for remarks, where it can lead, and
//! the plans before it.

use super::specs::{DiffLine, diff_lines};
use crate::desk::Desk;
use countersign_broker::{BrokerError, Detail, PastPlan};
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_core::markdown::Block;
use countersign_core::mode::Mode;
use countersign_core::plan::chain::End;
use countersign_core::plan::remark::Remark;
use countersign_core::plan::{Outcome, landing};
use countersign_core::revision;
use countersign_core::safe_text::SafeText;
use serde::Serialize;
use ts_rs::TS;

/// What goes with a plan in its dialog.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    /// The session's mode now.
    pub mode: String,
    /// Its mode once the plan runs.
    pub run_mode: String,
    /// The three answers, as they travel.
    pub run: String,
    /// The agent revises it.
    pub keep: String,
    /// The agent stops and asks.
    pub cancel: String,
    /// Which revision it is, from 1.
    pub revision: u32,
    /// What changed since the revision before; none for the first.
    pub changes: Option<Vec<DiffLine>>,
    /// Its source, line by line, for remarks.
    pub lines: Vec<SafeText>,
    /// The modes that a run may lead to; none where the session isn't in plan mode.
    pub modes: Vec<String>,
    /// The plans before it, the latest first.
    pub previous: Vec<PastPlanView>,
}

/// Where a plan stands among those of its session.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct PlanHistoryView {
    /// Which revision it is, from 1.
    pub revision: u32,
    /// What changed since the revision before; none for the first.
    pub changes: Option<Vec<DiffLine>>,
    /// The plans before it, the latest first.
    pub previous: Vec<PastPlanView>,
}

/// A plan that came before. Its text is read by its id.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct PastPlanView {
    /// Its request.
    pub id: String,
    /// Which revision it was.
    pub revision: u32,
    /// One line.
    pub title: SafeText,
    /// How it ended.
    pub outcome: End,
    /// When.
    pub at: i64,
    /// What the person added.
    pub comment: Option<SafeText>,
    /// What the person remarked on its lines.
    pub remarks: Vec<RemarkView>,
}

/// What the person remarked on a line of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct RemarkView {
    /// Which line, from 1.
    pub line: u32,
    /// What stands there, or its beginning.
    pub quote: SafeText,
    /// What should be otherwise.
    pub text: SafeText,
}

/// Where a request stands among the plans of its session; none when it is no plan.
pub fn history(desk: &Desk, detail: &Detail) -> Result<Option<PlanHistoryView>, BrokerError> {
    let history = desk.broker.plan_history(&detail.request)?;
    Ok(history.map(|history| PlanHistoryView {
        revision: history.revision,
        changes: history.before.as_deref().map(|before| changes(before, source(detail))),
        previous: history.previous.iter().map(past).collect(),
    }))
}

/// All that its dialog shows besides; none when the request is no plan.
pub fn view(detail: &Detail, history: Option<&PlanHistoryView>) -> Option<PlanView> {
    let history = history?.clone();
    let word = |mode: Mode| mode.word().to_owned();
    Some(PlanView {
        mode: word(detail.standing.mode),
        run_mode: word(detail.standing.after_plan().mode),
        run: Outcome::Run.label().to_owned(),
        keep: Outcome::Keep.label().to_owned(),
        cancel: Outcome::Cancel.label().to_owned(),
        revision: history.revision,
        changes: history.changes,
        lines: SafeText::by_line(source(detail)),
        modes: landing::modes(detail.standing).iter().copied().map(word).collect(),
        previous: history.previous,
    })
}

/// A plan, whole, by its id.
pub fn whole(desk: &Desk, id: &RequestId) -> Result<Vec<Block>, BrokerError> {
    let detail = desk.broker.detail(id)?;
    if detail.request.ask.class != Class::Plan {
        return Err(BrokerError::NotFound(format!("there is no plan `{id}`")));
    }
    Ok(super::detail::context(source(&detail)))
}

fn source(detail: &Detail) -> &str {
    detail.request.ask.context.as_deref().unwrap_or_default()
}

/// What changed from one text to another, with how many lines are left out between.
pub fn changes(before: &str, now: &str) -> Vec<DiffLine> {
    diff_lines(&revision::hunks(before, now), before.lines().count())
}

fn past(plan: &PastPlan) -> PastPlanView {
    PastPlanView {
        id: plan.id.to_string(),
        revision: plan.revision,
        title: SafeText::line(&plan.title),
        outcome: plan.end,
        at: plan.at.0,
        comment: plan.comment.as_deref().map(SafeText::lines),
        remarks: plan.remarks.iter().map(remark).collect(),
    }
}

/// As the page draws it.
pub fn remark(remark: &Remark) -> RemarkView {
    RemarkView { line: remark.line, quote: SafeText::line(&remark.quote), text: SafeText::lines(&remark.text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_told_by_the_line_and_nothing_of_a_secret_is_shown_for_having_changed() {
        let secret = |end: &str| format!("# Plan\n\ntoken = ghp_abcdefghijklmnopqrstuvwxyz0123-{end}\n");
        let lines = changes(&secret("first"), &secret("second"));
        let kinds: Vec<_> = lines.iter().map(|line| serde_json::json!(line.kind)).collect();
        assert_eq!(kinds, ["same", "same", "removed", "added"]);
        let plain = |line: &DiffLine| line.spans.iter().map(|span| span.text.plain()).collect::<String>();
        for line in &lines[2..] {
            assert!(!plain(line).contains("first") && !plain(line).contains("second"), "{line:?}");
        }
        assert_eq!(changes("a\n", "a\n"), []);
    }
}
