//! What can happen. Each variant is one thing that the writer does in one transaction's part.

use crate::agents::Caller;
use crate::arrivals::{Program, Terms};
use crate::error::BrokerError;
use crate::handle_files::FileMessage;
use crate::handle_runs::RunMessage;
use crate::handle_steps::StepMessage;
use crate::notes::Telling;
use crate::person::{Person, Shown, Verdict};
use crate::requests::Asked;
use crate::specs::{Acted, Created, Gated, Import, Imported, Seen};
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, SessionId, SpecId, WorkspaceId};
use countersign_core::mode::Mode;
use countersign_core::request::{Ask, Request};
use countersign_core::scope::Scopes;
use countersign_core::spec::{NewSpec, SpecRow};
use countersign_core::spec_act::SpecAct;
use countersign_core::todo::Todo;
use countersign_core::workspace::WorkspaceRules;
use countersign_store::{Agent, Session, Workspace};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

pub(crate) type Reply<T> = oneshot::Sender<Result<T, BrokerError>>;

pub(crate) enum Message {
    /// An agent's call comes in, from a session that is new or was away.
    Enter { agent: Agent, key: String, workspace: String, reply: Reply<Caller> },
    /// A session holds a line open, or let go of it.
    Present { caller: Caller, here: bool, reply: Reply<()> },
    /// A program was paired.
    Pair { program: Program, terms: Terms, reply: Reply<(AgentId, String)> },
    /// The person takes an agent's token away.
    Revoke { agent: AgentId, person: Person, reply: Reply<()> },
    /// The person replaces an agent's token.
    Rotate { agent: AgentId, person: Person, reply: Reply<String> },
    /// The person changes what an agent may do.
    SetScopes { agent: AgentId, scopes: Scopes, person: Person, reply: Reply<()> },
    /// The person switches a session's mode.
    SetMode { session: SessionId, mode: Mode, person: Person, reply: Reply<Session> },
    /// An agent asks for a stricter mode.
    RequestMode { caller: Caller, mode: Mode, reply: Reply<Session> },
    /// An agent asks.
    Ask { caller: Caller, ask: Ask, reply: Reply<Asked> },
    /// An agent takes its request back.
    Cancel { caller: Caller, id: RequestId, reply: Reply<Request> },
    /// An agent's own program answered a question of its client library.
    AnswerInProgram {
        caller: Caller,
        id: RequestId,
        answers: Map<String, Value>,
        comment: Option<String>,
        reply: Reply<Request>,
    },
    /// An ending was written to the agent.
    Collected { id: RequestId },
    /// A note about its mode was written to the agent.
    Told { telling: Telling },
    /// A person decides.
    Decide {
        person: Person,
        id: RequestId,
        digest: Option<Digest>,
        shown: Option<Shown>,
        verdict: Verdict,
        reply: Reply<Request>,
    },
    /// A person types.
    Draft { id: RequestId, draft: String, reply: Reply<()> },
    /// An agent makes a spec.
    CreateSpec { caller: Caller, spec: NewSpec, answers: Map<String, Value>, reply: Reply<Gated<Created>> },
    /// An agent does something to a spec.
    ActOnSpec {
        caller: Caller,
        term: String,
        act: SpecAct,
        answers: Map<String, Value>,
        seen: Box<Seen>,
        reply: Reply<Gated<Acted>>,
    },
    /// The person makes a spec.
    MakeSpec { person: Person, workspace: WorkspaceId, spec: NewSpec, reply: Reply<SpecRow> },
    /// The person does something to a spec.
    DoToSpec { person: Person, workspace: WorkspaceId, id: SpecId, act: SpecAct, reply: Reply<Acted> },
    /// An agent brings specs in.
    ImportSpecs { caller: Caller, import: Import, answers: Map<String, Value>, reply: Reply<Gated<Imported>> },
    /// The person brings specs in.
    BringInSpecs { person: Person, workspace: WorkspaceId, import: Import, reply: Reply<Imported> },
    /// The person has something to do with a folder, which nobody may have worked in yet.
    OpenWorkspace { person: Person, path: String, reply: Reply<Workspace> },
    /// The person rules for a workspace.
    SetRules { person: Person, workspace: WorkspaceId, rules: WorkspaceRules, reply: Reply<()> },
    /// A setting is kept, unless it must be new and is there already (then false).
    Set { key: String, value: String, only_new: bool, reply: Reply<bool> },
    /// An agent says what it does, item by item.
    SetTodos { caller: Caller, todos: Vec<Todo>, reply: Reply<()> },
    /// Something about the files that decisions take.
    Files(FileMessage),
    /// Something about runs and trust.
    Run(RunMessage),
    /// Something about steps and rules.
    Step(StepMessage),
    /// Time passed.
    Tick { reply: Reply<()> },
}
