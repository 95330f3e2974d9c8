//! Checks and deployments: what starts one, and what is kept of it. Processes are the runner's.

use crate::agents::{Caller, check_folder};
use crate::error::BrokerError;
use crate::folder::{FolderError, Observed};
use crate::gates::{self, Call, Passage};
use crate::person::Person;
use crate::random;
use crate::requests::check_call;
use crate::runner::{RunEffect, RunOrder};
use crate::shell::Change;
use crate::specs::{self, Gated, Resolved};
use crate::trusts::{self, Folder};
use crate::writer::{Effect, Work};
use countersign_core::commands::{Command, Commands};
use countersign_core::deploy;
use countersign_core::id::{RequestId, RunId, SpecId, WorkspaceId};
use countersign_core::limit;
use countersign_core::mode::Deed;
use countersign_core::request::{Request, State};
use countersign_core::run::{Run, RunBy, RunCommand, RunEnd, RunKind, RunState};
use countersign_core::scope::Scope;
use countersign_core::spec::SpecRow;
use countersign_core::time::Timestamp;
use countersign_store::{Trust, Tx};
use serde_json::{Map, Value, json};

/// What `deploy_spec` comes to once no gate is in the way.
#[derive(Debug, Clone, PartialEq)]
pub enum Deployed {
    /// It was started, or goes on already.
    Started {
        /// The run; its name is the environment.
        run: Box<Run>,
        /// The environment that was asked for.
        asked: String,
        /// Whether it was started by an earlier call.
        joined: bool,
    },
    /// The commands are not trusted: the person is asked.
    Untrusted(Box<Request>),
    /// The person did not answer where to deploy to, and was not asked again.
    Refused,
}

/// What `validate` hears of the checks that it wants run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checks {
    /// Those that were started, or go on already.
    pub runs: Vec<Run>,
    /// The request for trust, when the commands are not trusted; then none was started.
    pub untrusted: Option<Box<Request>>,
    /// Why none can be run: no file, a mistake in it.
    pub problem: Option<String>,
    /// Names of checks that the file does not have.
    pub unknown: Vec<String>,
}

/// Who starts a run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Starter<'a> {
    Agent(&'a Caller),
    Person(Person),
}

/// `deploy_spec`.
pub(crate) fn deploy(
    work: &mut Work<'_>,
    caller: &Caller,
    term: &str,
    asked: &str,
    answers: &Map<String, Value>,
    folder: &Folder,
) -> Result<Gated<Deployed>, BrokerError> {
    const TOOL: &str = "deploy_spec";
    let mode = check_call(work, caller, TOOL, Some(Scope::Specs), Deed::Writes)?;
    let mut passed = Vec::new();
    let spec = match specs::resolve(work, caller, mode, TOOL, term, answers)? {
        Resolved::Spec(spec, pass) => {
            passed.extend(pass);
            spec
        }
        Resolved::Asks(asks) => return Ok(asks),
    };
    let seen = usable(folder)?;
    let target = deploy::target(&seen.commands, asked).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let Some(trust) = trusts::standing(work, caller.workspace, seen)? else {
        let request = Box::new(trusts::request(work, caller, folder)?);
        return Ok(Gated::Done { value: Deployed::Untrusted(request), took: Map::new() });
    };
    let (mut chosen, mut request) = (asked.to_owned(), None);
    if target.protected {
        let arguments = json!({"spec": spec.id, "environment": asked});
        let call = Call { caller, mode, tool: TOOL, arguments, answers };
        let gate = deploy::confirm_target_env(&spec, &seen.commands, asked, trust.digest);
        match gates::pass(work, &call, &gate)? {
            Passage::Shut(asks) => return Ok(asks),
            Passage::Open(pass) => {
                chosen = pass.answer.as_str().unwrap_or_default().to_owned();
                request = Some(pass.grant.request.clone());
                passed.push(pass);
            }
        }
    }
    let mut took = Map::new();
    for pass in &passed {
        gates::finish(work, &pass.grant)?;
        took.extend(pass.took.iter().map(|id| (id.clone(), pass.answer.clone())));
    }
    let wanted = Wanted { kind: RunKind::Deploy, name: &chosen, spec: &spec, request };
    let target = deploy::target(&seen.commands, &chosen).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let (run, joined) = start(work, Starter::Agent(caller), caller.workspace, &trust, &target.command, wanted)?;
    Ok(Gated::Done { value: Deployed::Started { run: Box::new(run), asked: asked.to_owned(), joined }, took })
}

/// The person deploys: their own act, which no gate asks about again.
pub(crate) fn deploy_for_person(
    work: &mut Work<'_>,
    person: Person,
    workspace: WorkspaceId,
    id: SpecId,
    environment: &str,
    folder: &Folder,
) -> Result<Deployed, BrokerError> {
    specs::check_person(work, person)?;
    let gone = || BrokerError::NotFound(format!("there is no {id} in this workspace"));
    let spec = work.tx.spec_row(workspace, id)?.ok_or_else(gone)?;
    let seen = usable(folder)?;
    let target = deploy::target(&seen.commands, environment).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let Some(trust) = trusts::standing(work, workspace, seen)? else {
        let house = trusts::house(work, workspace, Some(trusts::own_program()))?;
        return Ok(Deployed::Untrusted(Box::new(trusts::request(work, &house, folder)?)));
    };
    let wanted = Wanted { kind: RunKind::Deploy, name: environment, spec: &spec, request: None };
    let (run, joined) = start(work, Starter::Person(person), workspace, &trust, &target.command, wanted)?;
    Ok(Deployed::Started { run: Box::new(run), asked: environment.to_owned(), joined })
}

/// Starts the checks of these names over a spec as it is now. For `validate`, in its own transaction.
pub(crate) fn start_checks(
    work: &mut Work<'_>,
    starter: Starter<'_>,
    workspace: WorkspaceId,
    spec: &SpecRow,
    names: &[String],
    folder: &Folder,
) -> Result<Checks, BrokerError> {
    let mut checks = Checks::default();
    if names.is_empty() {
        return Ok(checks);
    }
    let seen = match usable(folder) {
        Ok(seen) => seen,
        Err(error) => return Ok(Checks { problem: Some(error.to_string()), ..checks }),
    };
    let known = |name: &&String| seen.commands.checks.contains_key(name.as_str());
    checks.unknown = names.iter().filter(|name| !known(name)).cloned().collect();
    let mut wanted: Vec<&String> = names.iter().filter(known).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return Ok(checks);
    }
    let Some(trust) = trusts::standing(work, workspace, seen)? else {
        let house;
        let caller = match starter {
            Starter::Agent(caller) => caller,
            Starter::Person(_) => {
                house = trusts::house(work, workspace, Some(trusts::own_program()))?;
                &house
            }
        };
        checks.untrusted = Some(Box::new(trusts::request(work, caller, folder)?));
        return Ok(checks);
    };
    for name in wanted {
        let Some(command) = seen.commands.checks.get(name) else { continue };
        let wanted = Wanted { kind: RunKind::Check, name, spec, request: None };
        checks.runs.push(start(work, starter, workspace, &trust, command, wanted)?.0);
    }
    Ok(checks)
}

/// What the last run of a check over this revision came to, if one is over.
pub(crate) fn last_check(
    tx: &countersign_store::Db<'_>,
    workspace: WorkspaceId,
    spec: &SpecRow,
    name: &str,
) -> Result<Option<Run>, BrokerError> {
    Ok(tx.last_run(workspace, spec.id, spec.revision, RunKind::Check, name)?)
}

fn usable(folder: &Folder) -> Result<&Observed, BrokerError> {
    folder.seen.as_ref().map_err(|error| BrokerError::Invalid(error.to_string()))
}

struct Wanted<'a> {
    kind: RunKind,
    name: &'a str,
    spec: &'a SpecRow,
    request: Option<RequestId>,
}

/// Keeps a run that waits for its turn; one that does the same already is joined. True: it was.
fn start(
    work: &mut Work<'_>,
    starter: Starter<'_>,
    workspace: WorkspaceId,
    trust: &Trust,
    command: &Command,
    wanted: Wanted<'_>,
) -> Result<(Run, bool), BrokerError> {
    let open = work.tx.open_runs()?;
    let same = |run: &&Run| {
        (run.workspace, run.kind, run.spec, run.revision) == (workspace, wanted.kind, wanted.spec.id, wanted.spec.revision)
            && run.name == wanted.name
            && run.trust == trust.digest
    };
    if let Some(run) = open.iter().find(same) {
        return Ok((run.clone(), true));
    }
    if open.len() >= limit::RUNS_QUEUED + limit::RUNS_AT_ONCE {
        let what = format!(
            "{} runs go on and {} wait already; cancel some with cancel_run",
            limit::RUNS_AT_ONCE,
            limit::RUNS_QUEUED
        );
        return Err(BrokerError::TooMany { what, retry_after_seconds: 60 });
    }
    let by = match starter {
        Starter::Agent(caller) => RunBy::Agent { agent: caller.agent.clone(), session: caller.session.clone() },
        Starter::Person(person) => RunBy::Person(person.channel),
    };
    let run = Run {
        id: random::run_id(),
        workspace,
        spec: wanted.spec.id,
        revision: wanted.spec.revision,
        kind: wanted.kind,
        name: wanted.name.to_owned(),
        command: RunCommand {
            argv: command.run.clone(),
            dir: command.dir.clone(),
            env: command.env.clone(),
            timeout_seconds: command.timeout_seconds,
        },
        by,
        request: wanted.request,
        trust: trust.digest,
        state: RunState::Queued,
        exit_code: None,
        reason: None,
        created_at: work.at(),
        started_at: None,
        ended_at: None,
    };
    work.tx.insert_run(&run, limit::RUN_OUTPUTS_KEPT)?;
    let folder = work.tx.workspace_path(workspace)?;
    log_queued(work, &run, &folder)?;
    work.effect(Effect::Run(RunEffect::Queued(Box::new(RunOrder {
        id: run.id.clone(),
        workspace,
        folder,
        kind: run.kind,
        name: run.name.clone(),
        spec: run.spec,
        command: run.command.clone(),
        path_env: trust.snapshot.path_env.clone(),
        trust: run.trust,
    }))));
    Ok((run, false))
}

fn log_queued(work: &Work<'_>, run: &Run, folder: &str) -> Result<(), BrokerError> {
    let mut body = json!({
        "run": run.id, "workspace": folder, "spec": run.spec, "revision": run.revision, "kind": run.kind, "name": run.name,
        "argv": run.command.argv, "dir": run.command.dir, "trust": run.trust, "request": run.request,
    });
    match &run.by {
        RunBy::Agent { agent, .. } => body["agent"] = json!(agent),
        RunBy::Person(channel) => body["channel"] = json!(channel.word()),
    }
    work.tx.log(work.at(), "run.asked", run.id.as_str(), &body, random::salt())?;
    Ok(())
}

/// Its program is about to be started. False: it is over already.
pub(crate) fn began(work: &mut Work<'_>, id: &RunId) -> Result<bool, BrokerError> {
    let began = work.tx.start_run(id, work.at())?;
    if began {
        work.effect(Effect::Run(RunEffect::Began));
    }
    Ok(began)
}

/// What it printed so far.
pub(crate) fn printed(work: &mut Work<'_>, id: &RunId, output: &[u8], total: u64) -> Result<(), BrokerError> {
    // What came later than its end is in the end's own message.
    if work.tx.run(id)?.is_some_and(|run| !run.state.is_over()) {
        work.tx.set_run_output(id, output, total)?;
    }
    Ok(())
}

/// It is over. What ended before stays as it ended.
pub(crate) fn over(
    work: &mut Work<'_>,
    id: &RunId,
    end: &RunEnd,
    output: Option<(&[u8], u64)>,
) -> Result<Option<Run>, BrokerError> {
    work.effect(Effect::Run(RunEffect::Over(id.clone())));
    let at = work.at();
    if !end_in(work.tx, id, end, output, at)? {
        return Ok(None);
    }
    Ok(work.tx.run(id)?)
}

fn end_in(
    tx: &Tx<'_>,
    id: &RunId,
    end: &RunEnd,
    output: Option<(&[u8], u64)>,
    at: Timestamp,
) -> Result<bool, BrokerError> {
    if !tx.end_run(id, end, at)? {
        return Ok(false);
    }
    if let Some((output, total)) = output {
        tx.set_run_output(id, output, total)?;
    }
    let body = json!({"run": id, "state": end.state, "exit_code": end.exit_code, "reason": end.reason});
    tx.log(at, "run.ended", id.as_str(), &body, random::salt())?;
    Ok(true)
}

/// At start nothing runs: what was queued or running when the process ended was interrupted. Those whose program may go on still.
pub(crate) fn interrupt_all(tx: &Tx<'_>, at: Timestamp) -> Result<Vec<RunId>, BrokerError> {
    let mut left = Vec::new();
    for run in tx.open_runs()? {
        let reason = (run.state == RunState::Queued).then(|| "it had not begun".to_owned());
        let end = RunEnd { state: RunState::Interrupted, exit_code: None, reason };
        end_in(tx, &run.id, &end, None, at)?;
        if run.state == RunState::Running {
            left.push(run.id);
        }
    }
    Ok(left)
}

/// What it would run is not what was trusted: it is not started, and the person is asked about what is there now.
pub(crate) fn stale(work: &mut Work<'_>, id: &RunId, seen: Result<Observed, FolderError>) -> Result<(), BrokerError> {
    let Some(run) = work.tx.run(id)?.filter(|run| !run.state.is_over()) else { return Ok(()) };
    let reason = match &seen {
        Err(error) => format!("the commands changed since they were trusted, so it was not started: {error}"),
        Ok(now) => {
            let before = trusts::last(work, run.workspace)?;
            let names = before.map(|before| now.snapshot.clone().with_path(&before.path_env).differs(&before));
            let names = names.filter(|names| !names.is_empty()).unwrap_or_else(|| vec!["what was trusted".into()]);
            let caller = author(work, &run)?;
            let path = work.tx.workspace_path(run.workspace)?;
            let folder = Folder::new(**work.tx, run.workspace, &path, seen.clone())?;
            let asked = trusts::request(work, &caller, &folder)?;
            let person = match asked.state {
                State::Pending => format!("the person is asked whether to trust what is there now (request {})", asked.id),
                State::Answered | State::Declined | State::Cancelled | State::Expired | State::Superseded => {
                    "the person did not trust what is there now".to_owned()
                }
            };
            format!("{} changed since the commands were trusted, so it was not started; {person}", names.join(", "))
        }
    };
    over(work, id, &RunEnd::unstarted(reason), None)?;
    Ok(())
}

/// In whose name the person is asked: the agent's that started the run, else Countersign's own.
fn author(work: &mut Work<'_>, run: &Run) -> Result<Caller, BrokerError> {
    if let RunBy::Agent { agent, session } = &run.by
        && let (Some(agent), Some(session)) = (work.tx.agent(agent)?, work.tx.session(session)?)
        && agent.revoked_at.is_none()
    {
        let path = work.tx.workspace_path(run.workspace)?;
        return Ok(Caller::new(&agent, &session, &path));
    }
    trusts::house(work, run.workspace, Some(trusts::own_program()))
}

/// `cancel_run`: always allowed, for runs of the folders that the agent may work in.
pub(crate) fn cancel(work: &mut Work<'_>, caller: &Caller, id: &RunId) -> Result<Run, BrokerError> {
    crate::requests::check_agent(work, caller, Some(Scope::Specs))?;
    let run = own(work, caller, id)?;
    let by = work.tx.agent(&caller.agent)?.map(|agent| agent.name).unwrap_or_default();
    end_early(work, run, format!("by {by}"))
}

/// The person ends a run.
pub(crate) fn cancel_for_person(work: &mut Work<'_>, person: Person, id: &RunId) -> Result<Run, BrokerError> {
    specs::check_person(work, person)?;
    let run = work.tx.run(id)?.ok_or_else(|| unknown(id))?;
    end_early(work, run, "by the person".to_owned())
}

fn end_early(work: &mut Work<'_>, run: Run, by: String) -> Result<Run, BrokerError> {
    match run.state {
        RunState::Queued => {
            let reason = Some(format!("{by}, before it began"));
            let end = RunEnd { state: RunState::Cancelled, exit_code: None, reason };
            Ok(over(work, &run.id, &end, None)?.unwrap_or(run))
        }
        RunState::Running => {
            work.tx.set_run_reason(&run.id, &by)?;
            work.effect(Effect::Run(RunEffect::Cancel(run.id.clone())));
            Ok(run)
        }
        RunState::Passed | RunState::Failed | RunState::TimedOut | RunState::Cancelled | RunState::Interrupted => Ok(run),
    }
}

/// A run in a folder that the agent may work in.
fn own(work: &Work<'_>, caller: &Caller, id: &RunId) -> Result<Run, BrokerError> {
    let run = work.tx.run(id)?.ok_or_else(|| unknown(id))?;
    readable(**work.tx, caller, &run).map(|()| run)
}

/// Whether the agent may see this run: it is of a folder that it may work in. Else it is as unknown as one that never was.
pub(crate) fn readable(db: countersign_store::Db<'_>, caller: &Caller, run: &Run) -> Result<(), BrokerError> {
    if run.workspace == caller.workspace {
        return Ok(());
    }
    let agent = db.agent(&caller.agent)?.ok_or_else(|| unknown(&run.id))?;
    check_folder(&agent, &db.workspace_path(run.workspace)?).map_err(|_| unknown(&run.id))
}

pub(crate) fn unknown(id: &RunId) -> BrokerError {
    let id: String = id.as_str().chars().take(60).collect();
    BrokerError::NotFound(format!("there is no run `{id}` here; ids come back in `run_id` of deploy_spec and validate"))
}

/// The person wants to review what could be trusted: a request in Countersign's own name, or nothing when all is trusted.
pub(crate) fn review(
    work: &mut Work<'_>,
    workspace: WorkspaceId,
    folder: &Folder,
) -> Result<Option<Request>, BrokerError> {
    let seen = usable(folder)?;
    if trusts::standing(work, workspace, seen)?.is_some() {
        return Ok(None);
    }
    let house = trusts::house(work, workspace, Some(trusts::own_program()))?;
    Ok(Some(trusts::request(work, &house, folder)?))
}

/// Names of the environments that there are, for a person or a model.
pub(crate) fn environments(commands: &Commands) -> Vec<String> {
    commands.targets.keys().cloned().collect()
}
