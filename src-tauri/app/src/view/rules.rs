//! The rules for steps, as Settings shows and edits them.

use super::WINDOW;
use super::row::{self, RowView};
use crate::desk::Desk;
use countersign_broker::{BrokerError, RuleDraft as Draft, RuleRow};
use countersign_core::rule::{CommandMatch, Effect};
use countersign_core::safe_text::SafeText;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Steps that one try shows.
const SHOWN: usize = 50;

/// A standing decision of the person's.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleView {
    /// Names it in commands.
    pub id: i64,
    /// What it does.
    pub effect: Effect,
    /// The tool; none: any.
    pub tool: Option<SafeText>,
    /// The words that a command starts with.
    pub prefix: Option<Vec<SafeText>>,
    /// The command, no more and no less.
    pub exact: Option<SafeText>,
    /// The folder beneath which it holds.
    pub path: Option<SafeText>,
    /// The workspace; none: any.
    pub workspace: Option<SafeText>,
    /// The agent; none: any.
    pub agent: Option<SafeText>,
    /// Only in this session of it.
    pub session: Option<u32>,
    /// When it ends.
    pub expires_at: Option<i64>,
    /// When it was made.
    pub made_at: i64,
    /// How many steps it settled.
    pub matched: u64,
    /// When it last did.
    pub last_at: Option<i64>,
}

/// A rule that the person is writing.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleDraft {
    /// What it does.
    pub effect: Effect,
    /// The tool; none: any.
    pub tool: Option<String>,
    /// The command, or how it starts.
    pub command: Option<String>,
    /// Whether it is the whole command.
    pub exact: bool,
    /// The folder beneath which it holds.
    pub path: Option<String>,
    /// The workspace; none: any.
    pub workspace: Option<String>,
    /// How long it holds; none: for good.
    pub expires_in_seconds: Option<u64>,
}

/// What a rule would have done.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct RuleTryView {
    /// Why it can't be made.
    pub refused: Option<String>,
    /// How many of the steps kept it covers.
    pub matched: usize,
    /// How many are kept.
    pub of: usize,
    /// The newest of those that it covers.
    pub rows: Vec<RowView>,
}

impl From<RuleDraft> for Draft {
    fn from(draft: RuleDraft) -> Self {
        let RuleDraft { effect, tool, command, exact, path, workspace, expires_in_seconds } = draft;
        Self { effect, tool, command, exact, path, workspace, expires_in_seconds }
    }
}

/// The rules that hold.
pub fn rules(desk: &Desk) -> Result<Vec<RuleView>, BrokerError> {
    Ok(desk.broker.rules()?.iter().map(view).collect())
}

fn view(row: &RuleRow) -> RuleView {
    let (rule, scope) = (&row.rule, &row.rule.scope);
    let line = |text: &Option<String>| text.as_deref().map(SafeText::line);
    let (prefix, exact) = match &scope.command {
        Some(CommandMatch::Prefix(words)) => (Some(words.iter().map(|word| SafeText::line(word)).collect()), None),
        Some(CommandMatch::Exact(text)) => (None, Some(SafeText::lines(text))),
        None => (None, None),
    };
    RuleView {
        id: rule.id,
        effect: rule.effect,
        tool: line(&scope.tool),
        prefix,
        exact,
        path: line(&scope.path),
        workspace: line(&row.workspace),
        agent: line(&row.agent),
        session: row.session,
        expires_at: rule.expires_at.map(|at| at.0),
        made_at: rule.made_at.0,
        matched: row.matched,
        last_at: row.last_at.map(|at| at.0),
    }
}

/// What a rule would have matched; a draft that is no rule says why.
pub fn tried(desk: &Desk, draft: RuleDraft) -> Result<RuleTryView, BrokerError> {
    let new = match desk.broker.rule_of(draft.into()) {
        Ok(new) => new,
        Err(BrokerError::Invalid(why) | BrokerError::NotFound(why)) => {
            return Ok(RuleTryView { refused: Some(why), matched: 0, of: 0, rows: Vec::new() });
        }
        Err(error) => return Err(error),
    };
    let tried = desk.broker.try_rule(&new)?;
    let newest = tried.matched.iter().take(SHOWN);
    let rows = newest.map(|request| desk.broker.detail(&request.id).map(|detail| row::of(&detail)));
    Ok(RuleTryView {
        refused: tried.refused,
        matched: tried.matched.len(),
        of: tried.of,
        rows: rows.collect::<Result<_, _>>()?,
    })
}

/// Makes a rule.
pub async fn make(desk: &Desk, draft: RuleDraft) -> Result<Vec<RuleView>, BrokerError> {
    let new = desk.broker.rule_of(draft.into())?;
    desk.broker.make_rule(WINDOW, new).await?;
    rules(desk)
}

/// Removes a rule.
pub async fn remove(desk: &Desk, id: i64) -> Result<Vec<RuleView>, BrokerError> {
    desk.broker.remove_rule(WINDOW, id).await?;
    rules(desk)
}
