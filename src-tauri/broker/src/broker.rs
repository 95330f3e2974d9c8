//! The handle that everyone else holds: cheap to clone, safe to call from anywhere.

use crate::agents::{self, Caller};
use crate::arrivals::Register;
use crate::clock::Clock;
use crate::error::BrokerError;
use crate::expiry::Deadlines;
use crate::filing;
use crate::handle_files::Decided;
use crate::known::{Known, Place};
use crate::leases::Leases;
use crate::looks::Looks;
use crate::message::{Message, Reply};
use crate::modes;
use crate::notes::Notes;
use crate::notices::{Notice, Notices};
use crate::person::{Person, Verdict};
use crate::requests::{self, Asked};
use crate::rules::Book;
use crate::runner::Runs;
use crate::runs;
use crate::shell::{Change, Shell};
use crate::specs::Titles;
use crate::waiters::{self, Waiters};
use crate::writer::Writer;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, RunId, SessionId};
use countersign_core::limit;
use countersign_core::mode::{Mode, Standing};
use countersign_core::request::{Ask, Request, State};
use countersign_core::scope::Scopes;
use countersign_core::todo::Todo;
use countersign_store::{Agent, Db, OpenRow, Reader, Session, SessionRow, Store, StoreError};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::sync::{broadcast, oneshot, watch};
use tokio_util::sync::CancellationToken;

/// The one place where a request meets its decision.
#[derive(Clone)]
pub struct Broker {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) queue: mpsc::Sender<Message>,
    readers: Mutex<Vec<Reader>>,
    pub(crate) path: std::path::PathBuf,
    waiters: Waiters,
    known: Known,
    pub(crate) titles: Titles,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) shell: Arc<dyn Shell>,
    pub(crate) register: Mutex<Register>,
    /// Counts changes of the register, for those who wait for one.
    pub(crate) arrived: watch::Sender<u64>,
    /// Lines that each session holds open: a bridge that comes back opens a new one before its old one is missed.
    present: Mutex<HashMap<SessionId, usize>>,
    notices: Notices,
    pub(crate) notes: Notes,
    leases: Leases,
    pub(crate) runs: Arc<Runs>,
    pub(crate) book: Book,
    pub(crate) looks: Looks,
    /// Runs that went on when the process before this one ended.
    pub(crate) interrupted: Vec<RunId>,
}

/// A pending request in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its row.
    pub row: OpenRow,
    /// Whether somebody waits for it in this moment.
    pub waiting: bool,
}

/// A request with all that a surface shows beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// The request.
    pub request: Request,
    /// Who asks.
    pub agent: Agent,
    /// Which session of that agent.
    pub session: u32,
    /// How strictly that session is watched, and how strictly before plan mode.
    pub standing: Standing,
    /// The folder.
    pub workspace: String,
    /// What a person typed and did not send.
    pub draft: Option<String>,
    /// Whether somebody waits in this moment.
    pub waiting: bool,
    /// What its session says that it does.
    pub todos: Vec<Todo>,
    /// How often it said so.
    pub todos_set: u32,
}

impl Broker {
    /// Starts the writer's thread over an open store.
    pub fn start(mut store: Store, clock: Arc<dyn Clock>, shell: Arc<dyn Shell>) -> Result<Self, BrokerError> {
        let (queue, inbox) = mpsc::channel();
        filing::mend(&mut store)?;
        let now = clock.now();
        let interrupted = store.write(|tx| {
            tx.end_present_sessions(now.wall)?;
            runs::interrupt_all(tx, now.wall)
        })?;
        let deadlines = Deadlines::load(&store, now)?;
        let path = store.path().to_owned();
        let waiters = Waiters::default();
        let (known, titles) = (Known::default(), Titles::default());
        let (notices, leases) = (Notices::default(), Leases::default());
        let runs = Arc::<Runs>::default();
        let book = Book::load(&store)?;
        let writer = Writer {
            store,
            clock: clock.clone(),
            shell: shell.clone(),
            waiters: waiters.clone(),
            known: known.clone(),
            titles: titles.clone(),
            deadlines,
            notices: notices.clone(),
            leases: leases.clone(),
            runs: runs.clone(),
            book: book.clone(),
        };
        std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || writer.run(&inbox))
            .map_err(StoreError::from)?;
        let (register, arrived) = (Mutex::default(), watch::Sender::new(0));
        Ok(Self {
            inner: Arc::new(Inner {
                queue,
                readers: Mutex::default(),
                path,
                waiters,
                known,
                titles,
                clock,
                shell,
                register,
                arrived,
                present: Mutex::default(),
                notices,
                notes: Notes::default(),
                leases,
                runs,
                book,
                looks: Looks::default(),
                interrupted,
            }),
        })
    }

    /// The agent with this token; none when it is unknown or was revoked.
    pub fn authenticate(&self, token: &str) -> Result<Option<Agent>, BrokerError> {
        let hash = Digest::of_bytes(token.as_bytes());
        let since = match self.inner.known.agent(&hash) {
            Ok(agent) => return Ok(Some(agent)),
            Err(since) => since,
        };
        let found = self.read(|db| Ok(db.agent_by_token(&hash)?))?;
        if let Some(agent) = &found {
            self.inner.known.keep_agent(since, agent);
        }
        Ok(found)
    }

    /// Cancelled as soon as this agent's token holds no more; none when that is so already.
    pub fn lease(&self, agent: &Agent) -> Option<CancellationToken> {
        self.inner.leases.of(&agent.token_hash)
    }

    /// Finds or makes the session of a call. `key` is what the client calls its session, `workspace` a folder.
    pub async fn enter(
        &self,
        agent: &Agent,
        key: Option<&str>,
        workspace: Option<&str>,
    ) -> Result<Caller, BrokerError> {
        let key = key.unwrap_or_default();
        limit::check_body("session", key).map_err(|error| BrokerError::Invalid(error.to_string()))?;
        if key.len() > 500 {
            return Err(BrokerError::Invalid(format!("a session id has {} bytes; 500 are allowed", key.len())));
        }
        let path = agents::workspace_of(agent, workspace)?;
        let now = self.inner.clock.now().wall;
        if let Some(session) = self.session_at(agent, &path, key)?.filter(|session| agents::is_fresh(session, now)) {
            return Ok(Caller::new(agent, &session, &path));
        }
        self.send(|reply| Message::Enter { agent: agent.clone(), key: key.to_owned(), workspace: path, reply }).await
    }

    fn session_at(&self, agent: &Agent, path: &str, key: &str) -> Result<Option<Session>, BrokerError> {
        let place = Place { agent: agent.id.clone(), folder: path.to_owned(), key: key.to_owned() };
        let since = match self.inner.known.session(&place) {
            Ok(session) => return Ok(Some(session)),
            Err(since) => since,
        };
        let found = self.read(|db| match db.workspace_at(path)? {
            Some(workspace) => Ok(db.session_by_key(&agent.id, workspace.id, key)?),
            None => Ok(None),
        })?;
        if let Some(session) = &found {
            self.inner.known.keep_session(since, place, session);
        }
        Ok(found)
    }

    /// A session holds a line open, or let go of it.
    pub async fn present(&self, caller: &Caller, here: bool) -> Result<(), BrokerError> {
        let changed = {
            let mut present = self.inner.present.lock().unwrap_or_else(PoisonError::into_inner);
            let lines = present.entry(caller.session.clone()).or_default();
            *lines = if here { *lines + 1 } else { lines.saturating_sub(1) };
            let now = *lines;
            if now == 0 {
                present.remove(&caller.session);
            }
            now == usize::from(here)
        };
        if !changed {
            return Ok(());
        }
        self.send(|reply| Message::Present { caller: caller.clone(), here, reply }).await
    }

    /// The person switches a session's mode.
    pub async fn set_mode(&self, session: &SessionId, mode: Mode, person: Person) -> Result<Session, BrokerError> {
        self.send(|reply| Message::SetMode { session: session.clone(), mode, person, reply }).await
    }

    /// An agent asks for a stricter mode, and has it at once.
    pub async fn request_mode(&self, caller: &Caller, mode: Mode) -> Result<Session, BrokerError> {
        self.send(|reply| Message::RequestMode { caller: caller.clone(), mode, reply }).await
    }

    /// A session with all that a surface shows beside it.
    pub fn session(&self, id: &SessionId) -> Result<SessionRow, BrokerError> {
        self.read(|db| db.session_row(id)?.ok_or_else(|| modes::unknown(id)))
    }

    /// Hears of what the port must know by itself.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.inner.notices.listen()
    }

    /// An agent asks: joins the same ask or keeps a new one. Never waits for a person.
    pub async fn ask(&self, caller: &Caller, ask: Ask) -> Result<Asked, BrokerError> {
        self.send(|reply| Message::Ask { caller: caller.clone(), ask, reply }).await
    }

    /// Waits until a request of this agent ends, at most so long. Dropping the future stops waiting, and nothing else.
    pub async fn wait(&self, caller: &Caller, id: &RequestId, at_most: Duration) -> Result<Request, BrokerError> {
        let first = self.get(caller, id).await?;
        if first.state != State::Pending || at_most.is_zero() {
            return Ok(first);
        }
        let mut line = Line { place: Some(self.inner.waiters.stand(id)), inner: self.inner.clone() };
        self.inner.shell.changed(Change::List);
        let again = self.get(caller, id).await?;
        if again.state != State::Pending {
            return Ok(again);
        }
        let Some(place) = line.place.as_mut() else { return Ok(again) };
        let woken = tokio::time::timeout(at_most, &mut place.woken).await;
        match woken {
            Ok(Ok(request)) => {
                // The whole line was woken; there is nobody to miss.
                line.place = None;
                Ok((*request).clone())
            }
            Ok(Err(_)) => Err(BrokerError::Stopped),
            Err(_) => self.get(caller, id).await,
        }
    }

    /// A request of this agent as it stands.
    pub async fn get(&self, caller: &Caller, id: &RequestId) -> Result<Request, BrokerError> {
        let found = self.read(|db| Ok(db.request(id)?))?;
        found.filter(|request| request.agent == caller.agent).ok_or_else(|| requests::unknown(id))
    }

    /// The agent takes its request back. One that ended is returned as it ended.
    pub async fn cancel(&self, caller: &Caller, id: &RequestId) -> Result<Request, BrokerError> {
        self.send(|reply| Message::Cancel { caller: caller.clone(), id: id.clone(), reply }).await
    }

    /// A request's ending was written to its agent without an error.
    pub fn collected(&self, id: RequestId) {
        // When the broker has stopped, the ending is handed out again after the next start.
        let _ = self.inner.queue.send(Message::Collected { id });
    }

    /// A person decides. With a digest, only over exactly that content.
    pub async fn decide(
        &self,
        person: Person,
        id: &RequestId,
        digest: Option<Digest>,
        verdict: Verdict,
    ) -> Result<Request, BrokerError> {
        self.decided(Decided { person, id: id.clone(), digest, shown: None, verdict }).await
    }

    /// Keeps what a person typed and did not send; an empty text forgets it.
    pub async fn save_draft(&self, id: &RequestId, draft: String) -> Result<(), BrokerError> {
        self.send(|reply| Message::Draft { id: id.clone(), draft, reply }).await
    }

    /// What is pending, oldest first, at most `limit`.
    pub fn open_list(&self, workspace: Option<&str>, limit: u32) -> Result<Vec<Listed>, BrokerError> {
        let boot = self.inner.clock.now().boot;
        let rows = self.read(|db| Ok(db.open_rows(workspace, limit)?))?;
        Ok(rows.into_iter().map(|row| Listed { waiting: self.inner.waiters.anyone(&row.id, boot), row }).collect())
    }

    /// A request with all that a surface shows beside it, whoever's it is.
    pub fn detail(&self, id: &RequestId) -> Result<Detail, BrokerError> {
        let missing = || BrokerError::NotFound(format!("there is no request `{id}`"));
        self.read(|db| {
            let request = db.request(id)?.ok_or_else(missing)?;
            let session = db.session(&request.session)?.ok_or_else(missing)?;
            Ok(Detail {
                agent: db.agent(&request.agent)?.ok_or_else(missing)?,
                session: session.ordinal,
                standing: session.standing,
                workspace: db.workspace_path(request.workspace)?,
                draft: db.draft(id)?,
                todos: db.todos(&request.session)?,
                todos_set: db.todos_set(&request.session)?,
                waiting: self.inner.waiters.anyone(id, self.inner.clock.now().boot),
                request,
            })
        })
    }

    /// The folder of the store.
    pub(crate) fn data_folder(&self) -> Option<&std::path::Path> {
        self.inner.path.parent()
    }

    /// The agent's own program answered a question of its client library itself. One that ended is returned as it ended.
    pub async fn answer_in_program(
        &self,
        caller: &Caller,
        id: &RequestId,
        answers: Map<String, Value>,
        comment: Option<String>,
    ) -> Result<Request, BrokerError> {
        self.send(|reply| Message::AnswerInProgram { caller: caller.clone(), id: id.clone(), answers, comment, reply })
            .await
    }

    /// Reads anything else from a snapshot beside the writer.
    pub fn read<T>(&self, work: impl FnOnce(Db<'_>) -> Result<T, BrokerError>) -> Result<T, BrokerError> {
        let pooled = self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut reader = match pooled {
            Some(reader) => reader,
            None => Reader::open(&self.inner.path)?,
        };
        let done = reader.read(work);
        self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        done
    }

    /// Keeps a setting.
    pub async fn set_setting(&self, key: &str, value: &str) -> Result<(), BrokerError> {
        self.send(|reply| Message::Set { key: key.to_owned(), value: value.to_owned(), only_new: false, reply })
            .await
            .map(|_| ())
    }

    /// Keeps a setting that must not be there yet; false when it is.
    pub async fn set_setting_once(&self, key: &str, value: &str) -> Result<bool, BrokerError> {
        self.send(|reply| Message::Set { key: key.to_owned(), value: value.to_owned(), only_new: true, reply }).await
    }

    /// The person takes an agent's token away.
    pub async fn revoke(&self, agent: &AgentId, person: Person) -> Result<(), BrokerError> {
        self.send(|reply| Message::Revoke { agent: agent.clone(), person, reply }).await
    }

    /// The person replaces an agent's token: the old one holds no more, the new one is returned and never kept.
    pub async fn rotate(&self, agent: &AgentId, person: Person) -> Result<String, BrokerError> {
        self.send(|reply| Message::Rotate { agent: agent.clone(), person, reply }).await
    }

    /// The person changes what an agent may do, at once.
    pub async fn set_scopes(&self, agent: &AgentId, scopes: Scopes, person: Person) -> Result<(), BrokerError> {
        self.send(|reply| Message::SetScopes { agent: agent.clone(), scopes, person, reply }).await
    }

    /// Lets what is due expire now; for tests that turn a manual clock.
    pub async fn tick(&self) -> Result<(), BrokerError> {
        self.send(|reply| Message::Tick { reply }).await
    }

    pub(crate) async fn send<T>(&self, make: impl FnOnce(Reply<T>) -> Message) -> Result<T, BrokerError> {
        let (reply, answer) = oneshot::channel();
        self.inner.queue.send(make(reply)).map_err(|_| BrokerError::Stopped)?;
        answer.await.map_err(|_| BrokerError::Stopped)?
    }
}

/// A place in line that tells the desktop when it is given up, once it is clear that nobody comes right back.
struct Line {
    place: Option<waiters::Place>,
    inner: Arc<Inner>,
}

impl Drop for Line {
    fn drop(&mut self) {
        let Some(place) = self.place.take() else { return };
        let empty = self.inner.waiters.leave(place, self.inner.clock.now().boot);
        if let (true, Ok(runtime)) = (empty, tokio::runtime::Handle::try_current()) {
            let shell = self.inner.shell.clone();
            runtime.spawn(async move {
                tokio::time::sleep(Duration::from_millis(waiters::GRACE.0)).await;
                shell.changed(Change::List);
            });
        }
    }
}
