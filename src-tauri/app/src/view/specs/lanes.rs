//! The specs of a workspace, a lane a status. The page reads on as far as somebody scrolls.

use crate::desk::Desk;
use crate::settings;
use crate::view::WINDOW;
use crate::view::row::folder_name;
use countersign_broker::{BrokerError, Db, SpecPage, Workspace};
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::readiness;
use countersign_core::safe_text::SafeText;
use countersign_core::spec::{SpecRow, Status};
use countersign_core::workspace::WorkspaceRules;
use serde::Serialize;
use ts_rs::TS;

/// Of each lane, rows that come with the first look.
const FIRST: u32 = 60;
/// Rows of a further page.
const PAGE: u32 = 200;
/// Specs that a search finds at the most.
const FOUND: u32 = 200;

/// A folder with specs.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
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
    /// Criteria that are fit to build against; in a list only of what is not agreed yet.
    pub fit: Option<u32>,
    /// When it last changed.
    pub changed_at: i64,
}

/// The specs of one status.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct LaneView {
    /// Which.
    pub status: Status,
    /// How many there are; of a search, how many were found.
    pub count: u32,
    /// The first of them, the newest first.
    pub rows: Vec<SpecRowView>,
}

/// The screen's first look.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
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

/// Every paired agent's own folder is a workspace, also before the agent first worked there.
pub async fn open_folders(desk: &Desk) -> Result<(), BrokerError> {
    let new = desk.broker.read(|db| {
        let mut new = Vec::new();
        for path in db.agents()?.into_iter().filter_map(|agent| agent.workspace) {
            if db.workspace_at(&path)?.is_none() {
                new.push(path);
            }
        }
        Ok(new)
    })?;
    for path in new {
        desk.broker.open_workspace(WINDOW, &path).await?;
    }
    Ok(())
}

/// The lanes of this workspace, else of the one that was shown last, else of one that has specs.
pub fn specs(desk: &Desk, wanted: Option<WorkspaceId>, query: &str) -> Result<SpecsView, BrokerError> {
    let (all, layout, folded, last) = desk.broker.read(|db| {
        let mut all = Vec::new();
        for workspace in db.workspaces()? {
            let counts = db.spec_counts(workspace.id)?;
            all.push((workspace, counts));
        }
        let word = |key: &str| Ok::<_, BrokerError>(db.setting(key)?);
        Ok((all, word(settings::SPECS_LAYOUT)?, word(settings::SPECS_FOLDED)?, word(settings::SPECS_WORKSPACE)?))
    })?;
    let last = last.and_then(|text| text.parse().ok()).map(WorkspaceId);
    let there = |id: WorkspaceId| all.iter().position(|(workspace, _)| workspace.id == id);
    let here = wanted
        .or(last)
        .and_then(there)
        .or_else(|| all.iter().position(|(_, counts)| !counts.is_empty()))
        .or((!all.is_empty()).then_some(0));
    let (lanes, more) = match here.map(|at| &all[at]) {
        None => {
            (Status::ALL.iter().map(|status| LaneView { status: *status, count: 0, rows: vec![] }).collect(), false)
        }
        Some((workspace, counts)) if query.trim().is_empty() => (every(desk, workspace.id, counts)?, false),
        Some((workspace, _)) => found(desk, workspace.id, query.trim())?,
    };
    Ok(SpecsView {
        workspace: here.map(|at| all[at].0.id.0),
        rules: here.map(|at| all[at].0.rules),
        workspaces: all.iter().map(|(workspace, counts)| view(workspace, counts)).collect(),
        lanes,
        more,
        layout: layout.unwrap_or_else(|| "board".into()),
        folded: match folded {
            None => vec![Status::Archived],
            Some(words) => words.split(' ').filter_map(Status::from_word).collect(),
        },
    })
}

fn view(workspace: &Workspace, counts: &[(Status, u32)]) -> WorkspaceView {
    WorkspaceView {
        id: workspace.id.0,
        name: SafeText::line(folder_name(&workspace.path)),
        path: SafeText::line(&workspace.path),
        specs: counts.iter().filter(|(status, _)| *status != Status::Archived).map(|(_, count)| count).sum(),
    }
}

fn every(desk: &Desk, workspace: WorkspaceId, counts: &[(Status, u32)]) -> Result<Vec<LaneView>, BrokerError> {
    let lane = |status: &Status| {
        let count = counts.iter().find(|(of, _)| of == status).map_or(0, |(_, count)| *count);
        let rows = rows(desk, workspace, *status, None, FIRST)?;
        Ok(LaneView { status: *status, count, rows })
    };
    Status::ALL.iter().map(lane).collect()
}

/// What has these words, in its lanes; an id finds that spec first.
fn found(desk: &Desk, workspace: WorkspaceId, query: &str) -> Result<(Vec<LaneView>, bool), BrokerError> {
    let mut rows = desk.broker.search_specs(workspace, query, FOUND)?;
    let more = rows.len() >= FOUND as usize;
    let number = query.parse().ok().map(SpecId).or_else(|| SpecId::parse(query));
    let named = number.filter(|id| rows.iter().all(|row| row.id != *id));
    let views = desk.broker.read(|db| {
        if let Some(id) = named {
            rows.extend(db.spec_row(workspace, id)?);
        }
        rows.into_iter().map(|row| card(db, workspace, row)).collect::<Result<Vec<_>, _>>()
    })?;
    let lane = |status: &Status| {
        let rows: Vec<_> = views.iter().filter(|row| row.status == *status).cloned().collect();
        LaneView { status: *status, count: u32::try_from(rows.len()).unwrap_or(u32::MAX), rows }
    };
    Ok((Status::ALL.iter().map(lane).collect(), more))
}

/// Those of a lane after this one.
pub fn page(
    desk: &Desk,
    workspace: WorkspaceId,
    status: Status,
    after: SpecId,
) -> Result<Vec<SpecRowView>, BrokerError> {
    rows(desk, workspace, status, Some(after), PAGE)
}

fn rows(
    desk: &Desk,
    workspace: WorkspaceId,
    status: Status,
    after: Option<SpecId>,
    limit: u32,
) -> Result<Vec<SpecRowView>, BrokerError> {
    let page = SpecPage { status: Some(status), after, newest_first: true, limit };
    desk.broker.read(|db| db.specs(workspace, page)?.into_iter().map(|row| card(db, workspace, row)).collect())
}

fn card(db: Db<'_>, workspace: WorkspaceId, row: SpecRow) -> Result<SpecRowView, BrokerError> {
    let open = matches!(row.status, Status::Draft | Status::Review);
    let (changed_at, texts) = db.spec_card(workspace, row.id, open)?;
    let texts: Vec<_> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let fit = open.then(|| fit(&readiness::check(&texts)));
    Ok(of(row, fit, changed_at.0))
}

/// How many are fit to build against.
pub fn fit(verdicts: &[readiness::Verdict]) -> u32 {
    u32::try_from(verdicts.iter().filter(|verdict| verdict.fit).count()).unwrap_or(u32::MAX)
}

/// As the page draws it.
pub fn of(row: SpecRow, fit: Option<u32>, changed_at: i64) -> SpecRowView {
    let title = SafeText::line(&row.title);
    SpecRowView {
        id: row.id.to_string(),
        plain_title: title.plain(),
        title,
        status: row.status,
        revision: row.revision,
        locked: row.locked,
        met: row.met,
        total: row.total,
        fit,
        changed_at,
    }
}
