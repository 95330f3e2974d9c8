//! The Specs screen: what it draws, and the person's own acts there. No gate asks about any of them.
//!
//! A draft of the contract until the broker's API for it has landed.

use countersign_core::markdown::Block;
use countersign_core::run::{RunKind, RunState};
use countersign_core::safe_text::SafeText;
use countersign_core::spec::{CriterionState, Status};
use countersign_core::workspace::WorkspaceRules;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A folder with specs.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceView {
    /// Names it in commands.
    pub id: i64,
    /// The folder's name.
    pub name: SafeText,
    /// The folder; empty for agents that never named one.
    pub path: SafeText,
    /// Its specs, but for those that are put away.
    pub specs: u32,
}

/// A spec in a list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SpecRowView {
    /// `SPEC-001`.
    pub id: String,
    /// One line.
    pub title: SafeText,
    /// The same as a plain text, for names.
    pub plain_title: String,
    /// Where it is.
    pub status: Status,
    /// Its newest revision, from 1.
    pub revision: u32,
    /// Whether it is locked.
    pub locked: bool,
    /// Criteria that are met or waived.
    pub met: u32,
    /// All its criteria.
    pub total: u32,
    /// Criteria that are fit to build against.
    pub fit: u32,
    /// When it last changed.
    pub changed_at: i64,
}

/// The specs of one status.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LaneView {
    /// Which.
    pub status: Status,
    /// How many there are; of a search, how many were found.
    pub count: u32,
    /// The first of them, the newest first. The others come by `spec_page`.
    pub rows: Vec<SpecRowView>,
}

/// The screen's first look.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SpecsView {
    /// All workspaces, the latest used first.
    pub workspaces: Vec<WorkspaceView>,
    /// The one that is shown; none when there is none at all.
    pub workspace: Option<i64>,
    /// What the person ruled for it.
    pub rules: Option<WorkspaceRules>,
    /// All six, in order.
    pub lanes: Vec<LaneView>,
    /// Whether a search found more than is shown.
    pub more: bool,
    /// `board` or `list`, as the person last had it.
    pub layout: String,
    /// The lanes that are folded away.
    pub folded: Vec<Status>,
}

/// Whose word something is.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ByView {
    /// `agent`, `person` or `check`.
    pub kind: String,
    /// The agent's or the check's name.
    pub name: Option<SafeText>,
}

/// What was said of a criterion last.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceView {
    /// What shows that it is met, or what is missing; for a waiver, why it need not be.
    pub text: SafeText,
    /// Whether it says that the criterion is met.
    pub met: bool,
    /// Whose word it is.
    pub by: ByView,
    /// When.
    pub at: i64,
}

/// Why a criterion is not fit to build against.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FindingView {
    /// The rule's name.
    pub rule: String,
    /// What it means, in the person's language.
    pub message: String,
    /// What was found, as written.
    pub words: Vec<SafeText>,
}

/// One acceptance criterion.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CriterionView {
    /// `AC-1`.
    pub id: String,
    /// What must hold.
    pub text: SafeText,
    /// The same as it was written, to be edited.
    pub source: String,
    /// Whether it does.
    pub state: CriterionState,
    /// The name of the check that tells.
    pub check: Option<String>,
    /// What was said of it last.
    pub evidence: Option<EvidenceView>,
    /// Whether it is fit to build against.
    pub fit: bool,
    /// Why not.
    pub findings: Vec<FindingView>,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunRowView {
    /// Names it in commands.
    pub id: String,
    /// What for.
    pub kind: RunKind,
    /// The check's name, or the environment's.
    pub name: SafeText,
    /// Of which revision.
    pub revision: u32,
    /// Where it is.
    pub state: RunState,
    /// The code its program exited with.
    pub exit_code: Option<i32>,
    /// What else is to be said of its end.
    pub reason: Option<SafeText>,
    /// Who started it.
    pub by: ByView,
    /// When it was asked for.
    pub created_at: i64,
    /// When its program was started.
    pub started_at: Option<i64>,
    /// When it was over.
    pub ended_at: Option<i64>,
}

/// A whole run.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Its row.
    pub row: RunRowView,
    /// The program and its arguments.
    pub command: SafeText,
    /// The working folder.
    pub folder: SafeText,
    /// What it printed; only the end of a long one, unless all was asked for.
    pub output: SafeText,
    /// Bytes before that.
    pub before: u32,
}

/// A whole spec.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SpecView {
    /// Its workspace.
    pub workspace: i64,
    /// Its row.
    pub row: SpecRowView,
    /// The title as it was written, to be edited.
    pub title: String,
    /// The body as it was written, to be edited.
    pub body: String,
    /// The body, rendered.
    pub blocks: Vec<Block>,
    /// What must hold.
    pub criteria: Vec<CriterionView>,
    /// Where it may go.
    pub moves: Vec<Status>,
    /// The latest runs for it, the newest first.
    pub runs: Vec<RunRowView>,
    /// When it was made.
    pub created_at: i64,
}

/// How far a workspace's commands are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum TrustState {
    /// There is no file that declares any.
    None,
    /// The file has a mistake.
    Broken,
    /// Nobody ever said yes to them.
    Untrusted,
    /// They are not what was said yes to.
    Changed,
    /// They may run.
    Trusted,
}

/// One trusted command.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CommandView {
    /// The check's name, or the environment's.
    pub name: String,
    /// The program and its arguments.
    pub run: SafeText,
    /// The working folder.
    pub folder: SafeText,
    /// Variables that are passed on.
    pub env: Vec<SafeText>,
    /// How long it may take.
    pub timeout_seconds: u64,
    /// Whether a deployment to it takes a typed word.
    pub protected: bool,
}

/// What a workspace's `countersign.toml` declares.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CommandsView {
    /// How far it is trusted.
    pub state: TrustState,
    /// What is wrong with it, or what changed.
    pub problem: Option<SafeText>,
    /// The file.
    pub path: SafeText,
    /// Its checks.
    pub checks: Vec<CommandView>,
    /// Its deploy targets.
    pub targets: Vec<CommandView>,
}

/// A criterion as the page sends it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct CriterionInput {
    /// The one that it replaces.
    pub id: Option<String>,
    /// What must hold.
    pub text: String,
    /// The name of a check.
    pub check: Option<String>,
}

/// A spec whose title is nearly the same.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NearView {
    /// `SPEC-001`.
    pub id: String,
    /// Its title.
    pub title: SafeText,
    /// How much, in percent.
    pub alike: u8,
}

/// How one criterion reads, as it is typed.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FitView {
    /// Whether it is fit to build against.
    pub fit: bool,
    /// Why not.
    pub findings: Vec<FindingView>,
}

/// What there is to say of a spec as it is typed.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SpecCheckView {
    /// Others whose titles are nearly the same.
    pub near: Vec<NearView>,
    /// One a criterion, in order.
    pub criteria: Vec<FitView>,
}
