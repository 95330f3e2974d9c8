//! The dialog's commands. Only the window with that label may call them; `open_dialog` alone is the main window's.

use super::detail::{self, Answer, RequestView};
use super::{Said, ViewError};
use crate::desk::Desk;
use crate::dialog::{Beside, INERT, Refused, belongs_in_dialog};
use crate::{dialog_window, push, words};
use countersign_broker::{BrokerError, Detail, Person, Verdict};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::id::RequestId;
use countersign_core::plan::{self, Outcome};
use serde::Serialize;
use std::collections::HashMap;
use tauri::{AppHandle, State};
use ts_rs::TS;

/// The person, at the dialog.
const DIALOG: Person = Person::at(Channel::Dialog);

/// What the dialog shows.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DialogView {
    /// Comes back with the decision; good for one, and void once the dialog is shown anew.
    pub nonce: String,
    /// The request.
    pub request: RequestView,
    /// The word that a yes takes.
    pub typed_word: Option<String>,
    /// What running it does to the session's mode; for plans.
    pub plan: Option<PlanView>,
    /// When the agent was paired.
    pub paired_at: i64,
    /// How long a yes is inert after a disturbance, in milliseconds.
    pub inert_millis: u64,
    /// Requests that wait behind this one.
    pub behind: usize,
    /// `system`, `en` or `es`.
    pub language: String,
    /// `system`, `light` or `dark`.
    pub theme: String,
}

/// What goes with a plan.
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
}

fn plan_of(detail: &Detail) -> Option<PlanView> {
    (detail.request.ask.class == Class::Plan).then(|| PlanView {
        mode: detail.standing.mode.word().to_owned(),
        run_mode: detail.standing.after_plan().mode.word().to_owned(),
        run: Outcome::Run.label().to_owned(),
        keep: Outcome::Keep.label().to_owned(),
        cancel: Outcome::Cancel.label().to_owned(),
    })
}

/// What belongs on screen, with a new nonce; nothing when the dialog may go.
#[tauri::command]
pub async fn dialog_view(app: AppHandle, desk: State<'_, Desk>) -> Said<Option<DialogView>> {
    let shown = view(&desk).map_err(|error| ViewError::new(&desk, &error));
    push::status(&app);
    shown
}

fn view(desk: &Desk) -> Result<Option<DialogView>, BrokerError> {
    let open = desk.broker.open_list(None, u32::MAX)?;
    let Some(id) = desk.dialog.choose(&open) else { return Ok(None) };
    let detail = desk.broker.detail(&id)?;
    let nonce = desk.dialog.show(id, detail.request.digest, Beside::of(&detail), desk.clock.now().boot);
    let word = |key: &str| desk.setting(key).map(|value| value.unwrap_or_else(|| "system".into()));
    let behind = open.iter().filter(|listed| listed.row.id != detail.request.id && belongs_in_dialog(listed)).count();
    Ok(Some(DialogView {
        nonce,
        typed_word: detail.request.ask.typed_word.clone(),
        plan: plan_of(&detail),
        paired_at: detail.agent.created_at.0,
        inert_millis: INERT.0,
        behind,
        language: word("language")?,
        theme: word("theme")?,
        request: detail::view(&detail),
    }))
}

/// The dangerous answer, with the word where one is taken.
#[tauri::command]
pub async fn dialog_yes(
    app: AppHandle,
    desk: State<'_, Desk>,
    nonce: String,
    digest: String,
    answers: HashMap<String, Answer>,
    comment: Option<String>,
    typed: Option<String>,
) -> Said<()> {
    let verdict = Verdict::Answer { answers: into_json(answers), comment, typed };
    let now = desk.clock.now().boot;
    settle(&app, &desk, &digest, verdict, |digest| desk.dialog.yes(&nonce, digest, now)).await
}

/// A safe answer: a no takes no word and no second.
#[tauri::command]
pub async fn dialog_no(
    app: AppHandle,
    desk: State<'_, Desk>,
    nonce: String,
    digest: String,
    answers: HashMap<String, Answer>,
    comment: Option<String>,
) -> Said<()> {
    let answers = into_json(answers);
    if answers.get(plan::QUESTION).is_some_and(|answer| answer == Outcome::Run.label()) {
        // Running a plan takes no word: a page that called it safe would go around the second.
        return Err(ViewError::new(&desk, &BrokerError::Invalid("running a plan is no safe answer".into())));
    }
    let verdict = Verdict::Answer { answers, comment, typed: None };
    settle(&app, &desk, &digest, verdict, |digest| desk.dialog.no(&nonce, digest)).await
}

async fn settle(
    app: &AppHandle,
    desk: &Desk,
    digest: &str,
    verdict: Verdict,
    take: impl FnOnce(&Digest) -> Result<RequestId, Refused>,
) -> Said<()> {
    let digest = Digest::parse(digest).ok_or_else(|| ViewError::new(desk, &BrokerError::Stale))?;
    let id = take(&digest).map_err(|refused| match refused {
        Refused::Stale => ViewError::new(desk, &BrokerError::Stale),
        Refused::TooSoon => ViewError { code: "too_soon".into(), message: words::too_soon(words::of(desk)) },
    })?;
    let decided = desk.broker.decide(DIALOG, &id, Some(digest), verdict).await;
    if decided.is_ok() {
        desk.dialog.close();
    }
    dialog_window::follow(app);
    decided.map(|_| ()).map_err(|error| ViewError::new(desk, &error))
}

/// Later: it stays pending.
#[tauri::command]
pub async fn dialog_later(app: AppHandle, desk: State<'_, Desk>) -> Said<()> {
    desk.dialog.put_off();
    dialog_window::follow(&app);
    Ok(())
}

/// The page ignored a key or a click: a yes is inert for another second.
#[tauri::command]
pub async fn dialog_ignored(desk: State<'_, Desk>) -> Said<()> {
    desk.dialog.disturbed(desk.clock.now().boot);
    Ok(())
}

/// The person opens a request's dialog from the inbox.
#[tauri::command]
pub async fn open_dialog(app: AppHandle, desk: State<'_, Desk>, id: String) -> Said<()> {
    desk.dialog.want(RequestId(id));
    dialog_window::follow(&app);
    dialog_window::raise(&app);
    Ok(())
}

fn into_json(answers: HashMap<String, Answer>) -> serde_json::Map<String, serde_json::Value> {
    answers.into_iter().map(|(id, answer)| (id, answer.into_json())).collect()
}
