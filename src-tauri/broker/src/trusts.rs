//! Trust in a workspace's commands: who asks for it, what a yes keeps, and whether what is there now is what was trusted.

use crate::agents::Caller;
use crate::decide;
use crate::error::BrokerError;
use crate::folder::{FolderError, Observed};
use crate::random;
use crate::requests;
use crate::shell::Change;
use crate::writer::{Effect, Work};
use countersign_core::asker::Asker;
use countersign_core::commands::Commands;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, WorkspaceId};
use countersign_core::mode::{Mode, Standing};
use countersign_core::request::{Ask, Join, Request, State, join};
use countersign_core::scope::Scopes;
use countersign_core::trust::{self, Snapshot, TrustState};
use countersign_store::{Agent, Db, StoreError, Trust};
use serde_json::json;

/// What a folder's commands are, and what would be asked about them: made beside the writer, before it looks.
#[derive(Debug, Clone)]
pub struct Folder {
    /// What was seen.
    pub seen: Result<Observed, FolderError>,
    /// The request for trust in it, and the digest of what that shows the difference to.
    ask: Option<(Ask, Option<Digest>)>,
}

impl Folder {
    /// Looks at what was seen beside what is trusted.
    pub(crate) fn new(
        db: Db<'_>,
        workspace: Option<WorkspaceId>,
        path: &str,
        seen: Result<Observed, FolderError>,
    ) -> Result<Self, StoreError> {
        let ask = match &seen {
            Ok(seen) => {
                let before = workspace.map(|workspace| db.trusted(workspace)).transpose()?.flatten();
                let shown = !before.as_ref().is_some_and(|before| fits(seen, before));
                shown.then(|| (ask(path, seen, before.as_ref()), before.map(|before| before.digest)))
            }
            Err(_) => None,
        };
        Ok(Self { seen, ask })
    }
}

fn ask(path: &str, seen: &Observed, before: Option<&Trust>) -> Ask {
    trust::ask(path, &seen.commands, &seen.snapshot, before.map(|before| &before.snapshot))
}

/// Whether what is there is what was trusted. Where programs are looked for is what it was then, whatever it is now.
fn fits(seen: &Observed, trusted: &Trust) -> bool {
    seen.snapshot.clone().with_path(&trusted.snapshot.path_env).digest() == trusted.digest
}

/// How a workspace's commands stand, for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct TrustView {
    /// In one word.
    pub state: TrustState,
    /// Why there are no commands, in a sentence.
    pub problem: Option<String>,
    /// What there is, unless there is a problem.
    pub commands: Option<Commands>,
    /// The digest of what is there.
    pub digest: Option<Digest>,
    /// What is there that is not trusted, as markdown; all of it when nothing ever was.
    pub changes: String,
    /// The request that asks for trust in exactly this, if one waits.
    pub request: Option<Request>,
}

/// How they stand.
pub(crate) fn view(
    db: Db<'_>,
    workspace: Option<WorkspaceId>,
    seen: Result<Observed, FolderError>,
) -> Result<TrustView, StoreError> {
    let none = TrustView {
        state: TrustState::None,
        problem: None,
        commands: None,
        digest: None,
        changes: String::new(),
        request: None,
    };
    let seen = match seen {
        Ok(seen) => seen,
        Err(error) => {
            let state = match error {
                FolderError::NoFolder | FolderError::NoFile { .. } => TrustState::None,
                FolderError::Mistake { .. }
                | FolderError::Outside
                | FolderError::Special { .. }
                | FolderError::TooMuch { .. }
                | FolderError::Unreadable { .. } => TrustState::Mistake,
            };
            return Ok(TrustView { state, problem: Some(error.to_string()), ..none });
        }
    };
    let before = workspace.map(|workspace| db.trusted(workspace)).transpose()?.flatten();
    let digest = seen.snapshot.digest();
    let (state, digest, changes) = match &before {
        Some(before) if fits(&seen, before) => (TrustState::Trusted, before.digest, String::new()),
        Some(before) => (TrustState::Changed, digest, trust::changes(&seen.snapshot, Some(&before.snapshot))),
        None => (TrustState::Untrusted, digest, trust::changes(&seen.snapshot, None)),
    };
    let mut request = None;
    for id in workspace.map(|workspace| db.trust_requests(workspace)).transpose()?.unwrap_or_default() {
        if db.trust_of(&id)?.is_some_and(|asked| asked.digest == digest) {
            request = db.request(&id)?;
        }
    }
    Ok(TrustView { state, commands: Some(seen.commands), digest: Some(digest), changes, request, ..none })
}

/// What is trusted, if it is what was seen.
pub(crate) fn standing(work: &Work<'_>, workspace: WorkspaceId, seen: &Observed) -> Result<Option<Trust>, BrokerError> {
    Ok(work.tx.trusted(workspace)?.filter(|trusted| fits(seen, trusted)))
}

/// What was trusted last, to say what differs.
pub(crate) fn last(work: &Work<'_>, workspace: WorkspaceId) -> Result<Option<Snapshot>, BrokerError> {
    Ok(work.tx.trusted(workspace)?.map(|trusted| trusted.snapshot))
}

/// Asks the person for trust in what was seen, in the name of the one who needs it; joins the same request. One that asked for
/// something else of this folder is replaced: that is not there any more.
pub(crate) fn request(work: &mut Work<'_>, caller: &Caller, folder: &Folder) -> Result<Request, BrokerError> {
    let seen = folder.seen.as_ref().map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let digest = seen.snapshot.digest();
    let before = work.tx.trusted(caller.workspace)?;
    let prepared = folder.ask.as_ref().filter(|(_, over)| *over == before.as_ref().map(|before| before.digest));
    let ask = match prepared {
        Some((ask, _)) => ask.clone(),
        None => ask(&caller.workspace_path, seen, before.as_ref()),
    };
    let key = ask.key();
    if let Some(same) = requests::same(work, caller, &key)?
        && join(&same, work.at()) != Join::New
        // A yes to this that holds no more, because something else was trusted since, is no answer.
        && (same.state == State::Pending || !same.decision.as_ref().is_some_and(|d| trust::is_yes(&d.answers)))
    {
        return Ok(same);
    }
    for other in work.tx.trust_requests(caller.workspace)? {
        let asked = work.tx.trust_of(&other)?.map(|asked| asked.digest);
        if asked != Some(digest)
            && let Some(other) = work.tx.request(&other)?
        {
            decide::settle(work, &other, State::Superseded, None)?;
        }
    }
    let request = requests::insert(work, caller, ask, &key)?;
    work.tx.propose_trust(caller.workspace, &request.id, &seen.snapshot)?;
    Ok(request)
}

/// A request for trust was answered: a yes keeps the trust, over what the request showed. In the decision's own transaction.
pub(crate) fn decided(work: &mut Work<'_>, request: &Request) -> Result<(), BrokerError> {
    let yes = request.decision.as_ref().is_some_and(|decision| trust::is_yes(&decision.answers));
    if request.state != State::Answered || !yes {
        return Ok(());
    }
    let damaged = || StoreError::Damaged { what: format!("request {} asks for trust in nothing", request.id) };
    let asked = work.tx.trust_of(&request.id)?.ok_or_else(damaged)?;
    // What was shown is what the request's arguments name; the row beside it must be that.
    if asked.workspace != request.workspace || request.ask.arguments["digest"] != json!(asked.digest) {
        return Err(damaged().into());
    }
    work.tx.trust(&asked, work.at())?;
    let path = work.tx.workspace_path(request.workspace)?;
    let body = json!({"workspace": path, "request": request.id, "digest": asked.digest});
    work.tx.log(work.at(), "trust.given", request.id.as_str(), &body, random::salt())?;
    for other in work.tx.trust_requests(request.workspace)? {
        if let Some(other) = work.tx.request(&other)?.filter(|other| other.id != request.id) {
            decide::settle(work, &other, State::Superseded, None)?;
        }
    }
    work.effect(Effect::Changed(Change::Runs));
    Ok(())
}

/// Countersign itself as the one who asks in a workspace, for what the person starts.
pub(crate) fn house(work: &mut Work<'_>, workspace: WorkspaceId, asker: Option<Asker>) -> Result<Caller, BrokerError> {
    let at = work.at();
    let agent = match work.tx.agent(&AgentId::house())? {
        Some(agent) => agent,
        None => {
            let agent = Agent {
                id: AgentId::house(),
                name: "Countersign".to_owned(),
                client: String::new(),
                workspace: None,
                // Of a token that nobody was ever given.
                token_hash: Digest::of_bytes(random::token().as_bytes()),
                hold_seconds: 50,
                scopes: Scopes::NONE,
                created_at: at,
                revoked_at: None,
            };
            work.tx.insert_agent(&agent)?;
            agent
        }
    };
    let session = match work.tx.session_by_key(&agent.id, workspace, "")? {
        Some(session) => {
            work.tx.touch_session(&session.id, at)?;
            session
        }
        None => {
            let standing = Standing::starting(Mode::Guided);
            work.tx.insert_session(&random::session_id(), &agent.id, workspace, "", standing, at)?
        }
    };
    let path = work.tx.workspace_path(workspace)?;
    Ok(Caller { asker, ..Caller::new(&agent, &session, &path) })
}

/// This process, as the one who asks.
pub(crate) fn own_program() -> Asker {
    let text = |path: std::io::Result<std::path::PathBuf>| path.ok().map(|path| path.to_string_lossy().into_owned());
    Asker {
        pid: std::process::id(),
        path: text(std::env::current_exe()),
        folder: text(std::env::current_dir()),
        bridge: false,
    }
}
