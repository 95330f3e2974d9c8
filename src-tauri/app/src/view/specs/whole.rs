//! One spec, whole, and what there is to say of one as it is typed.

use super::lanes::{self, SpecRowView};
use super::runs::{self, RunRowView};
use crate::desk::Desk;
use crate::view::detail;
use crate::words;
use countersign_broker::BrokerError;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::language::Language;
use countersign_core::markdown::Block;
use countersign_core::readiness::{self, Finding, Verdict};
use countersign_core::request::Request;
use countersign_core::safe_text::SafeText;
use countersign_core::spec::{By, Criterion, CriterionState, Evidence, NewCriterion, Status};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Runs that are listed with a spec.
const RUNS: u32 = 20;

/// The spec that a request is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct AboutView {
    /// Its workspace.
    pub workspace: i64,
    /// `SPEC-001`.
    pub id: String,
}

/// Whose word something is.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ByView {
    /// `agent`, `person` or `check`.
    pub kind: String,
    /// The agent's or the check's name.
    pub name: Option<SafeText>,
}

/// What was said of a criterion last.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
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
pub struct FindingView {
    /// The rule's name.
    pub rule: String,
    /// The same in the person's language.
    pub title: String,
    /// What is wrong and how to mend it, with the words that were found.
    pub message: SafeText,
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
    pub check: Option<SafeText>,
    /// The same as it was written, to be edited.
    pub check_source: Option<String>,
    /// What was said of it last.
    pub evidence: Option<EvidenceView>,
    /// Whether it is fit to build against.
    pub fit: bool,
    /// Why not.
    pub findings: Vec<FindingView>,
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

impl From<CriterionInput> for NewCriterion {
    fn from(given: CriterionInput) -> Self {
        Self { id: given.id, text: given.text, check: given.check }
    }
}

/// A spec whose title is nearly the same.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
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
pub struct FitView {
    /// Whether it is fit to build against.
    pub fit: bool,
    /// Why not.
    pub findings: Vec<FindingView>,
}

/// What there is to say of a spec as it is typed.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct SpecCheckView {
    /// Others whose titles are nearly the same.
    pub near: Vec<NearView>,
    /// One a criterion, in order.
    pub criteria: Vec<FitView>,
}

/// The spec that a request is about, if it is about one.
pub fn about(request: &Request) -> Option<AboutView> {
    let subject = request.ask.subject.as_ref()?;
    Some(AboutView { workspace: request.workspace.0, id: subject.spec.to_string() })
}

/// A spec by its id.
pub fn spec(desk: &Desk, workspace: WorkspaceId, id: SpecId) -> Result<SpecView, BrokerError> {
    let language = words::of(desk).core();
    desk.broker.read(|db| {
        let missing = || BrokerError::NotFound(format!("there is no {id} in this workspace"));
        let spec = db.spec(workspace, id)?.ok_or_else(missing)?;
        let verdicts = spec.readiness();
        let runs = db.runs_of(workspace, id, RUNS)?;
        Ok(SpecView {
            workspace: workspace.0,
            title: spec.row.title.clone(),
            blocks: detail::context(&spec.body),
            criteria: spec
                .criteria
                .iter()
                .zip(&verdicts)
                .map(|(one, verdict)| criterion(one, verdict, language))
                .collect(),
            moves: spec.row.status.moves().to_vec(),
            runs: runs.iter().map(|run| runs::row(db, run)).collect::<Result<_, _>>()?,
            created_at: spec.created_at.0,
            row: lanes::of(spec.row, Some(lanes::fit(&verdicts)), spec.updated_at.0),
            body: spec.body,
        })
    })
}

/// The revision that it is at now.
pub fn revision(desk: &Desk, workspace: WorkspaceId, id: SpecId) -> Option<u32> {
    desk.broker.read(|db| Ok(db.spec_row(workspace, id)?)).ok().flatten().map(|row| row.revision)
}

fn criterion(one: &Criterion, verdict: &Verdict, language: Language) -> CriterionView {
    CriterionView {
        id: one.id.clone(),
        text: SafeText::lines(&one.text),
        source: one.text.clone(),
        state: one.state,
        check: one.check.as_deref().map(SafeText::line),
        check_source: one.check.clone(),
        evidence: one.evidence.as_ref().map(evidence),
        fit: verdict.fit,
        findings: findings(&verdict.findings, language),
    }
}

fn evidence(said: &Evidence) -> EvidenceView {
    EvidenceView { text: SafeText::lines(&said.text), met: said.met, by: by(&said.by), at: said.at.0 }
}

fn by(by: &By) -> ByView {
    let (kind, name) = match by {
        By::Agent { name, .. } => ("agent", Some(name)),
        By::Person => ("person", None),
        By::Check { name } => ("check", Some(name)),
    };
    ByView { kind: kind.to_owned(), name: name.map(|name| SafeText::line(name)) }
}

fn findings(found: &[Finding], language: Language) -> Vec<FindingView> {
    let view = |finding: &Finding| FindingView {
        rule: finding.rule.word().to_owned(),
        title: finding.rule.title(language).to_owned(),
        message: SafeText::line(&finding.message(language)),
    };
    found.iter().map(view).collect()
}

/// What there is to say of what is being typed.
pub fn check(
    desk: &Desk,
    workspace: WorkspaceId,
    own: Option<SpecId>,
    title: &str,
    criteria: &[String],
) -> Result<SpecCheckView, BrokerError> {
    let language = words::of(desk).core();
    // A title that can't be one yet is near to none.
    let near = desk.broker.near_titles(workspace, title).unwrap_or_default();
    let names: Vec<String> = (1..=criteria.len()).map(|number| format!("AC-{number}")).collect();
    let texts: Vec<_> = names.iter().map(String::as_str).zip(criteria.iter().map(String::as_str)).collect();
    let fit = |verdict: Verdict| FitView { fit: verdict.fit, findings: findings(&verdict.findings, language) };
    Ok(SpecCheckView {
        near: near
            .into_iter()
            .filter(|(row, _)| Some(row.id) != own)
            .map(|(row, alike)| NearView { id: row.id.to_string(), title: SafeText::line(&row.title), alike })
            .collect(),
        criteria: readiness::check(&texts).into_iter().map(fit).collect(),
    })
}
