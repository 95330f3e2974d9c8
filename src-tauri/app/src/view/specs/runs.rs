//! What can be run for a spec, and what ran.

use super::whole::{self, ByView, SpecView};
use super::{WINDOW, confirmed};
use crate::desk::Desk;
use crate::{command_line, dialog_window};
use countersign_broker::{BrokerError, Db, Deployed};
use countersign_core::commands::Command;
use countersign_core::id::{RequestId, RunId, SpecId, WorkspaceId};
use countersign_core::output;
use countersign_core::run::{Run, RunBy, RunKind, RunState};
use countersign_core::safe_text::SafeText;
use countersign_core::spec_act::SpecAct;
use countersign_core::trust::{self, TrustState};
use serde::Serialize;
use tauri::AppHandle;
use ts_rs::TS;

/// Of a long output, the bytes at its end that are shown at first.
const TAIL: usize = 64 * 1024;

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
pub struct RunView {
    /// Its row.
    pub row: RunRowView,
    /// The program and its arguments.
    pub command: SafeText,
    /// What it printed; only the end of a long one, unless all was asked for.
    pub output: SafeText,
    /// Bytes before that.
    pub before: u32,
}

/// One command of a workspace.
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
    pub timeout_seconds: u32,
    /// Whether a deployment to it takes a typed word.
    pub protected: bool,
}

/// What a workspace's `countersign.toml` declares.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct CommandsView {
    /// How far it is trusted.
    pub state: TrustState,
    /// What is wrong with it.
    pub problem: Option<SafeText>,
    /// The file.
    pub path: SafeText,
    /// Its checks.
    pub checks: Vec<CommandView>,
    /// Its deploy targets.
    pub targets: Vec<CommandView>,
}

/// What a workspace's folder declares now.
pub async fn commands(desk: &Desk, workspace: WorkspaceId) -> Result<CommandsView, BrokerError> {
    let folder = desk.broker.read(|db| Ok(db.workspace_path(workspace)?))?;
    let view = desk.broker.trust_state(workspace).await?;
    let commands = view.commands.unwrap_or_default();
    Ok(CommandsView {
        state: view.state,
        problem: view.problem.as_deref().map(SafeText::line),
        path: SafeText::line(&format!("{}/{}", folder.trim_end_matches('/'), trust::FILE)),
        checks: commands.checks.iter().map(|check| command(check, false)).collect(),
        targets: commands.targets.iter().map(|target| command(&target.command, target.protected)).collect(),
    })
}

fn command(of: &Command, protected: bool) -> CommandView {
    CommandView {
        name: of.name.clone(),
        run: SafeText::line(&command_line::line(&of.run)),
        folder: SafeText::line(&of.dir),
        env: of.env.iter().map(|name| SafeText::line(name)).collect(),
        timeout_seconds: of.timeout_seconds,
        protected,
    }
}

/// A run as the page draws it.
pub fn row(db: Db<'_>, run: &Run) -> Result<RunRowView, BrokerError> {
    let by = match &run.by {
        RunBy::Agent { agent, .. } => {
            let name = db.agent(agent)?.map(|agent| SafeText::line(&agent.name));
            ByView { kind: "agent".into(), name }
        }
        RunBy::Person(_) => ByView { kind: "person".into(), name: None },
    };
    Ok(RunRowView {
        id: run.id.to_string(),
        kind: run.kind,
        name: SafeText::line(&run.name),
        revision: run.revision,
        state: run.state,
        exit_code: run.exit_code,
        reason: run.reason.as_deref().map(SafeText::line),
        by,
        created_at: run.created_at.0,
        started_at: run.started_at.map(|at| at.0),
        ended_at: run.ended_at.map(|at| at.0),
    })
}

/// A run with what it printed so far.
pub fn run(desk: &Desk, id: &RunId, whole: bool) -> Result<RunView, BrokerError> {
    let view = desk.broker.run(id)?;
    let bytes = view.output.map(|output| output.bytes).unwrap_or_default();
    let (shown, before) = output::tail(&bytes, if whole { usize::MAX } else { TAIL });
    Ok(RunView {
        row: desk.broker.read(|db| row(db, &view.run))?,
        command: SafeText::line(&command_line::line(&view.run.command.argv)),
        output: SafeText::lines(&output::text(shown)),
        before: u32::try_from(before).unwrap_or(u32::MAX),
    })
}

/// Says how a spec stands, and runs the checks that its criteria name.
pub async fn validate(
    app: &AppHandle,
    desk: &Desk,
    workspace: WorkspaceId,
    id: SpecId,
) -> Result<SpecView, BrokerError> {
    desk.broker.do_to_spec(WINDOW, workspace, id, SpecAct::Validate).await?;
    let view = whole::spec(desk, workspace, id)?;
    if view.criteria.iter().all(|criterion| criterion.check.is_none()) {
        return Ok(view);
    }
    let checks = desk.broker.run_checks(WINDOW, workspace, id).await?;
    if let Some(request) = checks.untrusted {
        open_dialog(app, desk, request.id);
    }
    match (checks.problem, checks.unknown.first()) {
        (Some(problem), _) => Err(BrokerError::Invalid(problem)),
        (None, Some(name)) => Err(BrokerError::Invalid(format!("{} has no check `{name}`", trust::FILE))),
        (None, None) => whole::spec(desk, workspace, id),
    }
}

/// Deploys a spec; to a protected target with its name, typed.
pub async fn deploy(
    app: &AppHandle,
    desk: &Desk,
    workspace: WorkspaceId,
    id: SpecId,
    target: &str,
    typed: Option<&str>,
) -> Result<RunRowView, BrokerError> {
    let commands = desk.broker.trust_state(workspace).await?.commands.unwrap_or_default();
    if commands.target(target).is_some_and(|found| found.protected) {
        confirmed(typed.unwrap_or_default(), target)?;
    }
    match desk.broker.deploy(WINDOW, workspace, id, target).await? {
        Deployed::Started { run, .. } => desk.broker.read(|db| row(db, &run)),
        Deployed::Untrusted(request) => {
            open_dialog(app, desk, request.id);
            Err(BrokerError::NotAllowed("the commands of this folder must be trusted first; nothing ran".into()))
        }
        Deployed::Refused => Err(BrokerError::NotAllowed("nothing was deployed".into())),
    }
}

/// Brings a request's dialog before the person, who just pressed for it.
pub fn open_dialog(app: &AppHandle, desk: &Desk, request: RequestId) {
    desk.dialog.want(request);
    dialog_window::follow_person(app);
}
