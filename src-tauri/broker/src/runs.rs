//! Checks and deployments: what starts one. Processes are the runner's.

mod life;

pub(crate) use life::{began, cancel, cancel_for_person, interrupt_all, over, printed, readable, stale, unknown};

use crate::agents::Caller;
use crate::error::BrokerError;
use crate::folder::Observed;
use crate::gates::{self, Call, Passage};
use crate::person::Person;
use crate::random;
use crate::requests::{self, check_call};
use crate::runner::{RunEffect, RunOrder};
use crate::specs::{self, Gated, Resolved};
use crate::trusts::{self, Folder};
use crate::writer::{Effect, Work};
use countersign_core::commands::Command;
use countersign_core::deploy;
use countersign_core::digest::Digest;
use countersign_core::id::{RequestId, SpecId, WorkspaceId};
use countersign_core::limit;
use countersign_core::mode::Deed;
use countersign_core::request::{Request, State};
use countersign_core::run::{Run, RunBy, RunCommand, RunKind, RunState};
use countersign_core::scope::Scope;
use countersign_core::spec::SpecRow;
use countersign_store::{Db, Trust};
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
    let spec = match specs::resolve(work, caller, mode, TOOL, json!({"spec": term, "environment": asked}), answers)? {
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
        if declined(work, &call)? {
            return Ok(Gated::Done { value: Deployed::Refused, took: Map::new() });
        }
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

/// Whether the person chose not to answer this very call. Said once: a choice of environments has no other no.
fn declined(work: &mut Work<'_>, call: &Call<'_>) -> Result<bool, BrokerError> {
    let key = Digest::of(&json!({"tool": call.tool, "arguments": call.arguments}));
    let last = requests::same(work, call.caller, &key)?;
    let Some(last) = last.filter(|last| last.state == State::Declined && last.collected_at.is_none()) else {
        return Ok(false);
    };
    Ok(work.tx.collect_request(&last.id, work.at())?)
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
    let target =
        deploy::target(&seen.commands, environment).map_err(|error| BrokerError::Invalid(error.to_string()))?;
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
    let known = |name: &&String| seen.commands.check(name).is_some();
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
        let Some(command) = seen.commands.check(name) else { continue };
        let wanted = Wanted { kind: RunKind::Check, name, spec, request: None };
        checks.runs.push(start(work, starter, workspace, &trust, command, wanted)?.0);
    }
    Ok(checks)
}

/// The person runs a spec's checks: those that its criteria name.
pub(crate) fn check_for_person(
    work: &mut Work<'_>,
    person: Person,
    workspace: WorkspaceId,
    id: SpecId,
    folder: &Folder,
) -> Result<Checks, BrokerError> {
    specs::check_person(work, person)?;
    let gone = || BrokerError::NotFound(format!("there is no {id} in this workspace"));
    let spec = work.tx.spec(workspace, id)?.ok_or_else(gone)?;
    let names: Vec<String> = spec.criteria.iter().filter_map(|criterion| criterion.check.clone()).collect();
    start_checks(work, Starter::Person(person), workspace, &spec.row, &names, folder)
}

/// What the last run of a check over this revision came to, if one is over.
pub(crate) fn last_check(
    db: Db<'_>,
    workspace: WorkspaceId,
    spec: &SpecRow,
    name: &str,
) -> Result<Option<Run>, BrokerError> {
    Ok(db.last_run(workspace, spec.id, spec.revision, RunKind::Check, name)?)
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
        (run.workspace, run.kind, run.spec, run.revision)
            == (workspace, wanted.kind, wanted.spec.id, wanted.spec.revision)
            && run.name == wanted.name
            && run.trust == trust.digest
    };
    if let Some(run) = open.iter().find(same) {
        if matches!(starter, Starter::Person(_)) {
            work.effect(Effect::Run(RunEffect::Preferred(run.id.clone())));
        }
        return Ok((run.clone(), true));
    }
    room(&open, starter, workspace)?;
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
            timeout_seconds: command.timeout_seconds.into(),
        },
        by,
        request: wanted.request,
        trust: trust.digest,
        state: RunState::Queued,
        exit_code: None,
        reason: None,
        cancelled_by: None,
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
        by_person: matches!(run.by, RunBy::Person(_)),
    }))));
    Ok((run, false))
}

/// Whether there is a place for one more. What agents wait for takes none from the person, and one workspace none from all others.
fn room(open: &[Run], starter: Starter<'_>, workspace: WorkspaceId) -> Result<(), BrokerError> {
    let persons = |run: &&Run| matches!(run.by, RunBy::Person(_));
    let full = |what: String| Err(BrokerError::TooMany { what, retry_after_seconds: 60 });
    let all = limit::RUNS_AT_ONCE + limit::RUNS_QUEUED;
    if let Starter::Person(_) = starter {
        if open.iter().filter(persons).count() >= all {
            return full(format!("{all} of your own runs go on or wait already; cancel some"));
        }
        return Ok(());
    }
    let agents: Vec<&Run> = open.iter().filter(|run| !persons(run)).collect();
    if agents.len() >= all {
        return full(format!("{all} runs go on or wait already; cancel some with cancel_run"));
    }
    let each = limit::RUNS_AT_ONCE_EACH + limit::RUNS_QUEUED_EACH;
    if agents.iter().filter(|run| run.workspace == workspace).count() >= each {
        return full(format!("{each} runs of this workspace go on or wait already; cancel some with cancel_run"));
    }
    Ok(())
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

/// The person wants to review what could be trusted in a folder: a request in Countersign's own name, or nothing when all is trusted.
pub(crate) fn review(work: &mut Work<'_>, path: &str, folder: &Folder) -> Result<Option<Request>, BrokerError> {
    let seen = usable(folder)?;
    let workspace = match work.tx.workspace_at(path)? {
        Some(workspace) => workspace.id,
        None => work.tx.insert_workspace(path, work.at())?.id,
    };
    if trusts::standing(work, workspace, seen)?.is_some() {
        return Ok(None);
    }
    let house = trusts::house(work, workspace, Some(trusts::own_program()))?;
    Ok(Some(trusts::request(work, &house, folder)?))
}
