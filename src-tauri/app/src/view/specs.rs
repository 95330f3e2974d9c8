//! The Specs screen's commands: what it draws, and the person's own acts there. No gate asks about any of them.

mod events;
mod files;
mod history;
mod lanes;
mod runs;
mod whole;

pub use files::{FileInput, ImportView};
pub(super) use history::body as diff_lines;
pub use history::{DiffKind, DiffLine, DiffSpan, HistoryView, RevisionView};
pub use lanes::{SpecRowView, SpecsView};
pub use runs::{CommandsView, RunRowView, RunView};
pub use whole::{AboutView, CriterionInput, SpecCheckView, SpecView, about};

use super::{Said, ViewError, WINDOW};
use crate::desk::Desk;
use countersign_broker::BrokerError;
use countersign_core::id::{RunId, SpecId, WorkspaceId};
use countersign_core::import::Existing;
use countersign_core::markdown::Block;
use countersign_core::spec::{NewSpec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edit;
use countersign_core::workspace::WorkspaceRules;
use files::FileFormat;
use tauri::{AppHandle, State};

/// A spec as the page names it.
fn named(id: &str) -> Result<SpecId, BrokerError> {
    SpecId::parse(id).ok_or_else(|| BrokerError::NotFound(format!("there is no spec {id}")))
}

/// What comes of a command, with its error in the person's words.
trait ForPage<T> {
    fn said(self, desk: &Desk) -> Said<T>;
}

impl<T> ForPage<T> for Result<T, BrokerError> {
    fn said(self, desk: &Desk) -> Said<T> {
        self.map_err(|error| ViewError::of_spec(desk, &error))
    }
}

/// The person does it, and sees what came of it.
async fn act(desk: &Desk, workspace: i64, id: &str, act: SpecAct) -> Result<SpecView, BrokerError> {
    let id = named(id)?;
    desk.broker.do_to_spec(WINDOW, WorkspaceId(workspace), id, act).await?;
    whole::spec(desk, WorkspaceId(workspace), id)
}

#[tauri::command]
pub async fn specs(desk: State<'_, Desk>, workspace: Option<i64>, query: String) -> Said<SpecsView> {
    let opened = lanes::open_folders(&desk).await;
    opened.and_then(|()| lanes::specs(&desk, workspace.map(WorkspaceId), &query)).said(&desk)
}

#[tauri::command]
pub async fn spec_page(desk: State<'_, Desk>, workspace: i64, status: Status, after: String) -> Said<Vec<SpecRowView>> {
    named(&after).and_then(|after| lanes::page(&desk, WorkspaceId(workspace), status, after)).said(&desk)
}

#[tauri::command]
pub async fn spec(desk: State<'_, Desk>, workspace: i64, id: String) -> Said<SpecView> {
    named(&id).and_then(|id| whole::spec(&desk, WorkspaceId(workspace), id)).said(&desk)
}

#[tauri::command]
pub async fn spec_commands(desk: State<'_, Desk>, workspace: i64) -> Said<CommandsView> {
    runs::commands(&desk, WorkspaceId(workspace)).await.said(&desk)
}

#[tauri::command]
pub async fn spec_check(
    desk: State<'_, Desk>,
    workspace: i64,
    id: Option<String>,
    title: String,
    criteria: Vec<String>,
) -> Said<SpecCheckView> {
    let own = id.as_deref().and_then(SpecId::parse);
    whole::check(&desk, WorkspaceId(workspace), own, &title, &criteria).said(&desk)
}

#[tauri::command]
pub async fn spec_preview(body: String) -> Vec<Block> {
    super::detail::context(&body)
}

#[tauri::command]
pub async fn spec_create(
    desk: State<'_, Desk>,
    workspace: i64,
    title: String,
    body: String,
    criteria: Vec<CriterionInput>,
) -> Said<SpecView> {
    let spec = NewSpec { title, body, criteria: criteria.into_iter().map(Into::into).collect() };
    let made = desk.broker.make_spec(WINDOW, WorkspaceId(workspace), spec).await;
    made.and_then(|row| whole::spec(&desk, WorkspaceId(workspace), row.id)).said(&desk)
}

/// Refused with `conflict` when it changed since `base`.
#[tauri::command]
pub async fn spec_edit(
    desk: State<'_, Desk>,
    workspace: i64,
    id: String,
    base: u32,
    title: Option<String>,
    body: Option<String>,
    criteria: Option<Vec<CriterionInput>>,
) -> Said<SpecView> {
    let criteria = criteria.map(|all| all.into_iter().map(Into::into).collect());
    let edit = Edit { title, body, criteria, base_revision: Some(base) };
    let done = act(&desk, workspace, &id, SpecAct::Edit(edit)).await;
    done.map_err(|error| {
        let now = SpecId::parse(&id).and_then(|id| whole::revision(&desk, WorkspaceId(workspace), id));
        let mut refused = ViewError::of_spec(&desk, &error);
        if now.is_some_and(|now| now != base) {
            refused.code = "conflict".to_owned();
        }
        refused
    })
}

#[tauri::command]
pub async fn spec_status(desk: State<'_, Desk>, workspace: i64, id: String, status: Status) -> Said<SpecView> {
    act(&desk, workspace, &id, SpecAct::Move(status)).await.said(&desk)
}

#[tauri::command]
pub async fn spec_lock(desk: State<'_, Desk>, workspace: i64, id: String, locked: bool) -> Said<SpecView> {
    act(&desk, workspace, &id, if locked { SpecAct::Lock } else { SpecAct::Unlock }).await.said(&desk)
}

#[tauri::command]
pub async fn spec_evidence(
    desk: State<'_, Desk>,
    workspace: i64,
    id: String,
    criterion: String,
    met: bool,
    text: String,
) -> Said<SpecView> {
    act(&desk, workspace, &id, SpecAct::Evidence { criterion, met, text }).await.said(&desk)
}

/// Without a reason the waiver is taken back.
#[tauri::command]
pub async fn spec_waive(
    desk: State<'_, Desk>,
    workspace: i64,
    id: String,
    criterion: String,
    reason: Option<String>,
) -> Said<SpecView> {
    act(&desk, workspace, &id, SpecAct::Waive { criterion, reason }).await.said(&desk)
}

#[tauri::command]
pub async fn spec_delete(desk: State<'_, Desk>, workspace: i64, id: String, typed: String) -> Said<()> {
    delete(&desk, workspace, &id, &typed).await.said(&desk)
}

async fn delete(desk: &Desk, workspace: i64, id: &str, typed: &str) -> Result<(), BrokerError> {
    let id = named(id)?;
    confirmed(typed, &id.to_string())?;
    desk.broker.do_to_spec(WINDOW, WorkspaceId(workspace), id, SpecAct::Delete).await.map(|_| ())
}

/// The word that was asked for was typed.
fn confirmed(typed: &str, word: &str) -> Result<(), BrokerError> {
    if typed == word { Ok(()) } else { Err(BrokerError::Invalid(format!("type `{word}` to go on"))) }
}

#[tauri::command]
pub async fn spec_history(desk: State<'_, Desk>, workspace: i64, id: String, before: Option<u32>) -> Said<HistoryView> {
    named(&id).and_then(|id| history::revisions(&desk, WorkspaceId(workspace), id, before)).said(&desk)
}

/// What changed up to a revision: since the one before it, or since another.
#[tauri::command]
pub async fn spec_revision(
    desk: State<'_, Desk>,
    workspace: i64,
    id: String,
    revision: u32,
    since: Option<u32>,
) -> Said<RevisionView> {
    named(&id).and_then(|id| history::changes(&desk, WorkspaceId(workspace), id, revision, since)).said(&desk)
}

#[tauri::command]
pub async fn spec_export(desk: State<'_, Desk>, workspace: i64, ids: Vec<String>, format: FileFormat) -> Said<String> {
    files::export(&desk, WorkspaceId(workspace), &ids, format).said(&desk)
}

/// Writes it into the downloads folder; the path.
#[tauri::command]
pub async fn spec_save(desk: State<'_, Desk>, workspace: i64, ids: Vec<String>, format: FileFormat) -> Said<String> {
    files::save(&desk, WorkspaceId(workspace), &ids, format).said(&desk)
}

#[tauri::command]
pub async fn spec_import_look(
    desk: State<'_, Desk>,
    workspace: i64,
    files: Vec<FileInput>,
    existing: Existing,
) -> Said<ImportView> {
    files::look(&desk, WorkspaceId(workspace), &files, existing).said(&desk)
}

#[tauri::command]
pub async fn spec_import(
    desk: State<'_, Desk>,
    workspace: i64,
    files: Vec<FileInput>,
    existing: Existing,
) -> Said<ImportView> {
    files::bring_in(&desk, WorkspaceId(workspace), &files, existing).await.said(&desk)
}

/// Says what is met, and starts the checks that its criteria name.
#[tauri::command]
pub async fn spec_validate(app: AppHandle, desk: State<'_, Desk>, workspace: i64, id: String) -> Said<SpecView> {
    let done = match named(&id) {
        Ok(id) => runs::validate(&app, &desk, WorkspaceId(workspace), id).await,
        Err(error) => Err(error),
    };
    done.said(&desk)
}

#[tauri::command]
pub async fn spec_deploy(
    app: AppHandle,
    desk: State<'_, Desk>,
    workspace: i64,
    id: String,
    target: String,
    typed: Option<String>,
) -> Said<RunRowView> {
    let done = match named(&id) {
        Ok(id) => runs::deploy(&app, &desk, WorkspaceId(workspace), id, &target, typed.as_deref()).await,
        Err(error) => Err(error),
    };
    done.said(&desk)
}

#[tauri::command]
pub async fn spec_run(desk: State<'_, Desk>, id: String, whole: bool) -> Said<RunView> {
    runs::run(&desk, &RunId(id), whole).said(&desk)
}

#[tauri::command]
pub async fn spec_cancel(desk: State<'_, Desk>, id: String) -> Said<()> {
    desk.broker.cancel_run_for_person(WINDOW, &RunId(id)).await.map(|_| ()).said(&desk)
}

/// Opens the dialog in which the commands of a workspace are trusted; nothing when they are.
#[tauri::command]
pub async fn trust_review(app: AppHandle, desk: State<'_, Desk>, workspace: i64) -> Said<()> {
    let asked = desk.broker.review_trust(WorkspaceId(workspace)).await.said(&desk)?;
    if let Some(request) = asked {
        runs::open_dialog(&app, &desk, request.id);
    }
    Ok(())
}

#[tauri::command]
pub async fn set_rules(desk: State<'_, Desk>, workspace: i64, rules: WorkspaceRules) -> Said<()> {
    desk.broker.set_rules(WINDOW, WorkspaceId(workspace), rules).await.said(&desk)
}
