//! What particular requests have besides their question, as the page draws it: a file that is asked for, one that is put away, and what
//! the session says that it does. And the commands that give a file.

use super::detail::{self, RequestView};
use super::{Said, ViewError, WINDOW};
use crate::desk::Desk;
use countersign_broker::{BrokerError, Verdict};
use countersign_core::digest::Digest;
use countersign_core::filed::Filed;
use countersign_core::id::RequestId;
use countersign_core::request::Request;
use countersign_core::retire::{Retire, Why};
use countersign_core::safe_text::SafeText;
use countersign_core::todo::{Status, Todo};
use countersign_core::{given, limit};
use serde::Serialize;
use serde_json::{Map, json};
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt as _;
use ts_rs::TS;

/// A file that was given.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GivenFileView {
    /// Where it lies in the workspace.
    pub path: SafeText,
    /// Its size.
    pub bytes: u64,
    /// Whether the same content was there before, so that nothing was copied.
    pub already_there: bool,
}

/// A file that is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FileRequestView {
    /// Where in the workspace the agent wants it.
    pub destination: Option<SafeText>,
    /// The file of the workspace that it stands in for.
    pub replaces: Option<SafeText>,
    /// The largest that is taken.
    pub limit_bytes: u64,
    /// What became of the file that was given.
    pub given: Option<GivenFileView>,
}

/// A file that an agent wants to put away.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RetireView {
    /// Which file, from the workspace.
    pub source: SafeText,
    /// Why.
    pub why: Why,
    /// The agent's own words.
    pub reason: SafeText,
    /// What stands in its place.
    pub replaced_by: Option<SafeText>,
    /// Its size.
    pub bytes: u64,
}

/// One task of a session's list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TodoView {
    /// What is to be done.
    pub content: SafeText,
    /// The same as it is being done.
    pub active_form: Option<SafeText>,
    /// How far it is.
    pub status: Status,
}

/// A file of the person's, before it is given.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct FileSizeView {
    /// Its name.
    pub name: SafeText,
    /// Its size.
    pub bytes: u64,
    /// Whether it is small enough.
    pub fits: bool,
}

/// What a request for a file has besides.
pub(super) fn file(request: &Request) -> Option<FileRequestView> {
    let place = |field| given::argument(&request.ask.arguments, field).map(SafeText::line);
    let given = match request.decision.as_ref().and_then(|decision| decision.file.as_ref()) {
        Some(Filed::Given(file)) => Some(GivenFileView {
            path: SafeText::line(&file.path),
            bytes: file.bytes,
            already_there: file.already_there,
        }),
        Some(Filed::Retired(_)) | None => None,
    };
    (request.ask.tool == given::TOOL).then(|| FileRequestView {
        destination: place("destination"),
        replaces: place("replaces"),
        limit_bytes: limit::GIVEN_FILE_BYTES,
        given,
    })
}

/// What a request to put a file away has besides.
pub(super) fn retire(request: &Request) -> Option<RetireView> {
    let retire = Retire::of(&request.ask)?;
    Some(RetireView {
        source: SafeText::line(&retire.source),
        why: retire.why,
        reason: SafeText::lines(&retire.reason),
        replaced_by: retire.replaced_by.as_deref().map(SafeText::line),
        bytes: retire.bytes,
    })
}

pub(super) fn todo(todo: &Todo) -> TodoView {
    TodoView {
        content: SafeText::line(&todo.content),
        active_form: todo.active_form.as_deref().map(SafeText::line),
        status: todo.status,
    }
}

/// Gives a file to a request for one: it is copied into the workspace, and that is the answer.
#[tauri::command]
pub(super) async fn give_file(
    desk: State<'_, Desk>,
    id: String,
    digest: String,
    path: String,
    comment: Option<String>,
) -> Said<RequestView> {
    give(&desk, &RequestId(id), &digest, path, comment).await.map_err(|error| ViewError::new(&desk, &error))
}

async fn give(
    desk: &Desk,
    id: &RequestId,
    digest: &str,
    path: String,
    comment: Option<String>,
) -> Result<RequestView, BrokerError> {
    let digest = Digest::parse(digest).ok_or(BrokerError::Stale)?;
    let answers = Map::from_iter([(given::QUESTION.to_owned(), json!(path))]);
    desk.broker.decide(WINDOW, id, Some(digest), Verdict::Answer { answers, comment, typed: None }).await?;
    detail::request(desk, id)
}

/// The system's own picker; the path of what was picked. The page opens no other dialog and reads no file.
#[tauri::command]
pub(super) async fn pick_file(app: AppHandle, window: tauri::WebviewWindow) -> Said<Option<String>> {
    let (picked, answer) = tokio::sync::oneshot::channel();
    app.dialog().file().set_parent(&window).pick_file(move |file| {
        // The window may be gone by then.
        let _ = picked.send(file.and_then(|file| file.into_path().ok()));
    });
    Ok(answer.await.ok().flatten().and_then(|path| path.into_os_string().into_string().ok()))
}

/// What is said of a file before it is given.
#[tauri::command]
pub(super) async fn file_size(desk: State<'_, Desk>, path: String) -> Said<FileSizeView> {
    let size = desk.broker.file_size(path).await.map_err(|error| ViewError::new(&desk, &error))?;
    Ok(FileSizeView { name: SafeText::line(&size.name), bytes: size.bytes, fits: size.fits })
}
