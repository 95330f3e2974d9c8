//! The page's commands: parse, ask the broker, map the error. Which window may call which is in `tauri.conf.json`.

mod agents;
mod asks;
mod bindings;
mod detail;
mod dialog;
mod error;
mod plan;
mod row;
mod rules;
mod specs;
mod status;
mod steps;

pub use agents::{AgentRow, ArrivalView, ArrivalsView, TokenView, agents, arrivals};
pub use asks::FileSizeView;
pub use detail::{Answer, RequestView};
pub use dialog::DialogView;
pub use error::ViewError;
pub use row::{OpenListView, RowView, list};
pub use rules::{RuleDraft, RuleTryView, RuleView};
pub use specs::{
    AboutView, CommandsView, CriterionInput, FileInput, HistoryView, ImportView, RevisionView, RunRowView, RunView,
    SpecCheckView, SpecRowView, SpecView, SpecsView,
};
pub use status::{SessionView, SnapshotView, StatusView, status};
pub use steps::Until;

use crate::desk::Desk;
use crate::notice::Heard;
use crate::{settings, window};
use countersign_broker::{BrokerError, Person, Verdict};
use countersign_core::channel::Channel;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId};
use countersign_core::scope::Scopes;
use std::collections::HashMap;
use tauri::{AppHandle, State};

/// The person, at the main window.
const WINDOW: Person = Person::at(Channel::Window);

type Said<T> = Result<T, ViewError>;

/// All commands, for the builder.
pub fn handler() -> impl Fn(tauri::ipc::Invoke<tauri::Wry>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        snapshot,
        request,
        answer,
        decline,
        save_draft,
        accept_arrival,
        refuse_arrival,
        revoke_agent,
        rotate_agent,
        set_scopes,
        set_mode,
        set_preference,
        test_notification,
        quit,
        set_passphrase,
        painted,
        asks::give_file,
        asks::pick_file,
        asks::file_size,
        specs::specs,
        specs::spec_page,
        specs::spec,
        specs::spec_commands,
        specs::spec_check,
        specs::spec_preview,
        specs::spec_create,
        specs::spec_edit,
        specs::spec_status,
        specs::spec_lock,
        specs::spec_evidence,
        specs::spec_waive,
        specs::spec_delete,
        specs::spec_history,
        specs::spec_revision,
        specs::spec_export,
        specs::spec_save,
        specs::spec_import_look,
        specs::spec_import,
        specs::spec_validate,
        specs::spec_deploy,
        specs::spec_run,
        specs::spec_cancel,
        specs::trust_review,
        specs::set_rules,
        answer_step,
        stop_session,
        release_session,
        rules,
        rule_try,
        rule_make,
        rule_remove,
        dialog::open_dialog,
        dialog::dialog_view,
        dialog::dialog_yes,
        dialog::dialog_no,
        dialog::dialog_plan,
        dialog::dialog_later,
        dialog::dialog_ignored
    ]
}

#[tauri::command]
async fn snapshot(desk: State<'_, Desk>) -> Said<SnapshotView> {
    status::snapshot(&desk).map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn request(desk: State<'_, Desk>, id: String) -> Said<RequestView> {
    detail::request(&desk, &RequestId(id)).map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn answer(
    desk: State<'_, Desk>,
    id: String,
    digest: String,
    answers: HashMap<String, Answer>,
    comment: Option<String>,
) -> Said<RequestView> {
    let answers = answers.into_iter().map(|(id, answer)| (id, answer.into_json())).collect();
    decide(&desk, RequestId(id), &digest, Verdict::Answer { answers, comment, typed: None }).await
}

#[tauri::command]
async fn decline(desk: State<'_, Desk>, id: String, digest: String, comment: Option<String>) -> Said<RequestView> {
    decide(&desk, RequestId(id), &digest, Verdict::Decline { comment }).await
}

async fn decide(desk: &Desk, id: RequestId, digest: &str, verdict: Verdict) -> Said<RequestView> {
    let decided = match Digest::parse(digest) {
        Some(digest) => {
            desk.broker.decide(WINDOW, &id, Some(digest), verdict).await.and_then(|_| detail::request(desk, &id))
        }
        None => Err(BrokerError::Stale),
    };
    decided.map_err(|error| ViewError::new(desk, &error))
}

#[tauri::command]
async fn answer_step(
    desk: State<'_, Desk>,
    id: String,
    digest: String,
    allow: bool,
    remember: Option<steps::RememberInput>,
    edited: Option<String>,
    comment: Option<String>,
) -> Said<RequestView> {
    let answered = steps::answer(&desk, RequestId(id), &digest, allow, remember, edited, comment).await;
    answered.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn stop_session(desk: State<'_, Desk>, session: String) -> Said<StatusView> {
    steps::stop(&desk, session, true).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn release_session(desk: State<'_, Desk>, session: String) -> Said<StatusView> {
    steps::stop(&desk, session, false).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn rules(desk: State<'_, Desk>) -> Said<Vec<RuleView>> {
    rules::rules(&desk).map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn rule_try(desk: State<'_, Desk>, draft: RuleDraft) -> Said<RuleTryView> {
    rules::tried(&desk, draft).map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn rule_make(desk: State<'_, Desk>, draft: RuleDraft) -> Said<Vec<RuleView>> {
    rules::make(&desk, draft).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn rule_remove(desk: State<'_, Desk>, id: i64) -> Said<Vec<RuleView>> {
    rules::remove(&desk, id).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn save_draft(desk: State<'_, Desk>, id: String, draft: String) -> Said<()> {
    desk.broker.save_draft(&RequestId(id), draft).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn accept_arrival(desk: State<'_, Desk>, id: String, code: String, scopes: Scopes) -> Said<()> {
    desk.broker.accept_arrival(Some(&id), &code, scopes, WINDOW).map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn refuse_arrival(desk: State<'_, Desk>, id: String) -> Said<()> {
    desk.broker.refuse_arrival(&id).map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn revoke_agent(desk: State<'_, Desk>, id: String) -> Said<()> {
    desk.broker.revoke(&AgentId(id), WINDOW).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn rotate_agent(desk: State<'_, Desk>, id: String) -> Said<TokenView> {
    agents::rotate(&desk, &AgentId(id)).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn set_scopes(desk: State<'_, Desk>, id: String, scopes: Scopes) -> Said<Vec<AgentRow>> {
    agents::set_scopes(&desk, &AgentId(id), scopes).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn set_mode(desk: State<'_, Desk>, session: String, mode: String) -> Said<StatusView> {
    status::set_mode(&desk, session, &mode).await.map_err(|error| ViewError::new(&desk, &error))
}

#[tauri::command]
async fn set_preference(app: AppHandle, desk: State<'_, Desk>, key: String, value: String) -> Said<StatusView> {
    let kept = settings::prefer(&app, &key, &value).await.and_then(|()| status(&desk));
    kept.map_err(|error| ViewError::new(&desk, &error))
}

/// Shows a notification; the status that comes back says how that went.
#[tauri::command]
async fn test_notification(desk: State<'_, Desk>) -> Said<StatusView> {
    let (waits, told) = tokio::sync::oneshot::channel();
    desk.bell.tell(Heard::Test(waits));
    // Dropped unsaid only when the app ends.
    let _ = told.await;
    status(&desk).map_err(|error| ViewError::new(&desk, &error))
}

/// Ends the app; what waits goes on waiting. Unless the person is `sure`, what would go with it holds it back: something
/// unsaved in the page, or runs, whose number comes back; the window is then in front, for the question.
#[tauri::command]
async fn quit(app: AppHandle, desk: State<'_, Desk>, sure: bool, unsaved: bool) -> Said<usize> {
    // A file that can't be read is no reason to stay.
    let runs = if sure { 0 } else { desk.broker.read(|db| Ok(db.open_runs()?.len())).unwrap_or(0) };
    if sure || (runs == 0 && !unsaved) {
        app.exit(0);
    } else {
        window::raise(&app);
    }
    Ok(runs)
}

#[tauri::command]
async fn set_passphrase(desk: State<'_, Desk>, passphrase: String) -> Said<StatusView> {
    status::set_passphrase(&desk, &passphrase).await.map_err(|error| ViewError::new(&desk, &error))
}

/// A new request is on screen; benchmarks read this line of the log.
#[tauri::command]
async fn painted(id: String) {
    tracing::info!(id, "painted");
}
