//! Files that a decision takes: one that the person gives is copied into the workspace, one that is put away is moved in it, before
//! the decision is kept. What is refused is undone, and so is at the next start what a crash cut off.
//!
//! Reads and writes files, so none of it is on the writer's thread: that checks and notes the work before anything is touched
//! (`handle_files.rs`), and keeps the decision after.

mod bring;
mod error;
mod given;
mod mend;
mod places;
mod put_away;
mod steps;

use crate::agents::Caller;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::handle_files::{Decided, FileMessage};
use crate::message::Message;
use crate::person::Verdict;
use crate::requests::Asked;
use countersign_core::filed::Filed;
use countersign_core::id::RequestId;
use countersign_core::request::{Request, State};
use countersign_core::{given as giving, retire};
use countersign_store::{BegunWork, FileWork};
use error::FileError;
use serde_json::{Value, json};
use std::path::PathBuf;

pub use given::FileSize;
pub(crate) use mend::mend;
pub use places::{Places, Source};

/// Times that a name is looked for anew when somebody else takes it in the same moment.
const TRIES: usize = 20;

/// What is to be done with which file.
enum Job {
    /// The person's file at this path comes in.
    Bring(String),
    /// The one that was shown goes away.
    PutAway(retire::Retire),
}

/// What is planned, before anything is touched.
enum Plan {
    /// Nothing is to be done.
    There(Filed),
    Bring(bring::Bring),
    PutAway(put_away::PutAway),
}

/// All that a file's work needs to know.
struct Task {
    request: Request,
    folder: String,
    /// Countersign's own folder, of which nobody is given a file.
    own: PathBuf,
    job: Job,
}

impl Task {
    fn plan(&self) -> Result<Plan, FileError> {
        match &self.job {
            Job::Bring(path) => {
                let home = std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
                let file = given::open(path, home.as_deref(), &self.folder, &self.own)?;
                bring::plan(file, &self.folder, &self.request)
            }
            Job::PutAway(retire) => put_away::plan(retire, &self.folder).map(Plan::PutAway),
        }
    }
}

impl Plan {
    fn work(&self) -> Option<FileWork> {
        match self {
            Self::There(_) => None,
            Self::Bring(bring) => Some(bring.work()),
            Self::PutAway(put_away) => Some(put_away.work()),
        }
    }

    /// Does it. What fails leaves nothing behind.
    fn perform(&mut self) -> Result<Filed, FileError> {
        match self {
            Self::There(filed) => Ok(filed.clone()),
            Self::Bring(bring) => bring.perform().map(Filed::Given),
            Self::PutAway(put_away) => put_away.perform().map(Filed::Retired),
        }
    }

    fn undo(&self) {
        let undone = match self {
            Self::There(_) => Ok(()),
            Self::Bring(bring) => bring.undo(),
            Self::PutAway(put_away) => put_away.undo(),
        };
        if let Err(error) = undone {
            tracing::warn!(%error, "what was done with a file for a decision that was refused could not be undone");
        }
    }
}

impl Broker {
    /// Whether this verdict takes a file's work, and which.
    fn task(&self, id: &RequestId, verdict: &Verdict) -> Result<Option<Task>, BrokerError> {
        let Verdict::Answer { answers, .. } = verdict else { return Ok(None) };
        if ![giving::QUESTION, retire::QUESTION].iter().any(|question| answers.contains_key(*question)) {
            return Ok(None);
        }
        let Some((request, folder)) = self.read(|db| {
            let Some(request) = db.request(id)? else { return Ok(None) };
            let folder = db.workspace_path(request.workspace)?;
            Ok(Some((request, folder)))
        })?
        else {
            return Ok(None);
        };
        let job = match request.ask.tool.as_str() {
            giving::TOOL => answers[giving::QUESTION].as_str().map(|path| Job::Bring(path.to_owned())),
            retire::TOOL if answers[retire::QUESTION] == json!(true) => {
                retire::Retire::of(&request.ask).map(Job::PutAway)
            }
            _ => None,
        };
        let own = self.inner.path.parent().map(PathBuf::from).unwrap_or_default();
        Ok(job.filter(|_| request.state == State::Pending).map(|job| Task { request, folder, own, job }))
    }

    /// Decides where that takes a file's work first; none where it takes none. Once begun it comes to its end, though nobody waits.
    pub(crate) async fn decide_over_file(&self, decided: &Decided) -> Result<Option<Request>, BrokerError> {
        let Some(task) = self.task(&decided.id, &decided.verdict)? else { return Ok(None) };
        let (broker, decided) = (self.clone(), decided.clone());
        let whole = tokio::spawn(async move { broker.file(task, decided).await });
        whole.await.map_err(|_| BrokerError::Stopped)?.map(Some)
    }

    async fn file(&self, task: Task, decided: Decided) -> Result<Request, BrokerError> {
        // Before anything is read: who may not decide learns nothing of the person's files.
        self.files(|reply| FileMessage::Check { decided: decided.clone(), reply }).await?;
        let task = std::sync::Arc::new(task);
        for _ in 0..TRIES {
            let planning = task.clone();
            let mut plan = match blocking(move || planning.plan()).await? {
                Ok(plan) => plan,
                Err(error) => return Err(self.refuse(&decided.id, error).await),
            };
            if let Some(work) = plan.work() {
                let begun = BegunWork { request: decided.id.clone(), root: task.folder.clone(), work };
                self.files(|reply| FileMessage::Begin { decided: decided.clone(), begun, reply }).await?;
            }
            let (plan, filed) = blocking(move || {
                let filed = plan.perform();
                (plan, filed)
            })
            .await?;
            match filed {
                Ok(filed) => return self.keep(plan, filed, decided).await,
                Err(FileError::Taken) => self.end(&decided.id, false).await?,
                Err(error) => {
                    self.end(&decided.id, false).await?;
                    return Err(self.refuse(&decided.id, error).await);
                }
            }
        }
        Err(FileError::Taken.into())
    }

    /// Keeps the decision over what was done, or undoes that.
    async fn keep(&self, plan: Plan, filed: Filed, decided: Decided) -> Result<Request, BrokerError> {
        let id = decided.id.clone();
        let verdict = over(&filed, decided.verdict.clone());
        let finished = Decided { verdict, ..decided };
        let kept = self.files(|reply| FileMessage::Finish { decided: finished, filed, reply }).await;
        if kept.is_err() {
            blocking(move || plan.undo()).await?;
            self.end(&id, false).await?;
        }
        kept
    }

    /// What was shown is not there any more: then nobody can answer, and the agent hears of it.
    async fn refuse(&self, id: &RequestId, error: FileError) -> BrokerError {
        if let FileError::Changed { .. } = &error
            && let Err(error) = self.end(id, true).await
        {
            return error;
        }
        error.into()
    }

    async fn end(&self, request: &RequestId, stale: bool) -> Result<(), BrokerError> {
        self.files(|reply| FileMessage::End { request: request.clone(), stale, reply }).await
    }

    pub(crate) async fn files<T>(
        &self,
        make: impl FnOnce(crate::message::Reply<T>) -> FileMessage,
    ) -> Result<T, BrokerError> {
        self.send(|reply| Message::Files(make(reply))).await
    }

    /// The places that a request for a file names, as they are in the workspace; refused where one is not in it.
    pub async fn look_at_places(
        &self,
        caller: &Caller,
        destination: Option<String>,
        replaces: Option<String>,
    ) -> Result<Places, BrokerError> {
        let folder = caller.workspace_path.clone();
        let look = move || places::places(&folder, destination.as_deref(), replaces.as_deref());
        Ok(blocking(look).await??)
    }

    /// A file of the workspace that is to be put away, as it is; none where it is not there.
    pub async fn look_at_source(
        &self,
        caller: &Caller,
        source: String,
        replaced_by: Option<String>,
    ) -> Result<Source, BrokerError> {
        let folder = caller.workspace_path.clone();
        // Each look reads a file whole.
        let _turn = self.inner.looks.turn(&folder).await;
        Ok(blocking(move || places::source(&folder, &source, replaced_by.as_deref())).await??)
    }

    /// What became of the same call while its file was there: what waits, or what the agent did not hear of yet.
    pub async fn rejoin_retiring(&self, caller: &Caller, base: Value) -> Result<Option<Asked>, BrokerError> {
        self.files(|reply| FileMessage::Rejoin { caller: caller.clone(), base, reply }).await
    }

    /// A file of the person's, before it is given.
    pub async fn file_size(&self, path: String) -> Result<FileSize, BrokerError> {
        let home = std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
        Ok(blocking(move || given::size(&path, home.as_deref())).await??)
    }
}

/// The verdict as it is kept: the answer is where the file is now.
fn over(filed: &Filed, verdict: Verdict) -> Verdict {
    match (filed, verdict) {
        (Filed::Given(file), Verdict::Answer { mut answers, comment, typed }) => {
            answers.insert(giving::QUESTION.to_owned(), json!(file.path));
            Verdict::Answer { answers, comment, typed }
        }
        (Filed::Given(_) | Filed::Retired(_), verdict) => verdict,
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, BrokerError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| BrokerError::Stopped)
}
