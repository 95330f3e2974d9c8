//! What becomes of a run: it begins, prints, ends, or is ended.

use crate::agents::{Caller, check_folder};
use crate::error::BrokerError;
use crate::folder::{FolderError, Observed};
use crate::person::Person;
use crate::random;
use crate::requests::check_agent;
use crate::runner::RunEffect;
use crate::shell::Change;
use crate::specs;
use crate::trusts::{self, Folder};
use crate::writer::{Effect, Work};
use countersign_core::id::RunId;
use countersign_core::request::State;
use countersign_core::run::{Run, RunBy, RunEnd, RunKind, RunState};
use countersign_core::scope::Scope;
use countersign_core::spec::{By, CriterionState, Evidence};
use countersign_core::time::Timestamp;
use countersign_store::{Db, Tx};
use serde_json::json;

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
    let run = work.tx.run(id)?;
    if let Some(run) = run.as_ref().filter(|run| run.kind == RunKind::Check) {
        found(work, run)?;
    }
    Ok(run)
}

/// A check found whether the criteria that name it are met, over the revision that it ran on. What the person waived stays so.
fn found(work: &mut Work<'_>, run: &Run) -> Result<(), BrokerError> {
    let Some(spec) = work.tx.spec(run.workspace, run.spec)?.filter(|spec| spec.row.revision == run.revision) else {
        return Ok(());
    };
    // One that was cancelled or never began found nothing.
    if run.started_at.is_none() {
        return Ok(());
    }
    let met = match run.state {
        RunState::Passed => true,
        RunState::Failed | RunState::TimedOut => false,
        RunState::Queued | RunState::Running | RunState::Cancelled | RunState::Interrupted => return Ok(()),
    };
    let text = match run.exit_code {
        Some(code) => format!("{} with exit code {code} (run {})", run.state.word().replace('_', " "), run.id),
        None => format!("{} (run {})", run.state.word().replace('_', " "), run.id),
    };
    for criterion in spec.criteria.iter().filter(|criterion| criterion.check.as_deref() == Some(run.name.as_str())) {
        if criterion.state == CriterionState::Waived {
            continue;
        }
        let evidence = Evidence { text: text.clone(), met, by: By::Check { name: run.name.clone() }, at: work.at() };
        let state = if met { CriterionState::Met } else { CriterionState::Unmet };
        work.tx.set_criterion(run.workspace, run.spec, &criterion.id, state, Some(&evidence))?;
    }
    work.effect(Effect::Changed(Change::Specs));
    Ok(())
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
            let folder = Folder::new(**work.tx, Some(run.workspace), &path, seen.clone())?;
            let asked = trusts::request(work, &caller, &folder)?;
            let person = match asked.state {
                State::Pending => {
                    format!("the person is asked whether to trust what is there now (request {})", asked.id)
                }
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
    check_agent(work, caller, Some(Scope::Specs))?;
    let run = own(work, caller, id)?;
    let by = work.tx.agent(&caller.agent)?.map(|agent| agent.name).unwrap_or_default();
    end_early(work, run, &by)
}

/// The person ends a run.
pub(crate) fn cancel_for_person(work: &mut Work<'_>, person: Person, id: &RunId) -> Result<Run, BrokerError> {
    specs::check_person(work, person)?;
    let run = work.tx.run(id)?.ok_or_else(|| unknown(id))?;
    end_early(work, run, "the person")
}

fn end_early(work: &mut Work<'_>, run: Run, by: &str) -> Result<Run, BrokerError> {
    if run.state.is_over() {
        return Ok(run);
    }
    work.tx.cancel_run(&run.id, by)?;
    if run.state == RunState::Queued {
        let end = RunEnd { state: RunState::Cancelled, exit_code: None, reason: Some("it had not begun".into()) };
        over(work, &run.id, &end, None)?;
    } else {
        work.effect(Effect::Run(RunEffect::Cancel(run.id.clone())));
    }
    work.tx.run(&run.id)?.ok_or_else(|| unknown(&run.id))
}

/// A run in a folder that the agent may work in.
fn own(work: &Work<'_>, caller: &Caller, id: &RunId) -> Result<Run, BrokerError> {
    let run = work.tx.run(id)?.ok_or_else(|| unknown(id))?;
    readable(**work.tx, caller, &run).map(|()| run)
}

/// Whether the agent may see this run: it is of a folder that it may work in. Else it is as unknown as one that never was.
pub(crate) fn readable(db: Db<'_>, caller: &Caller, run: &Run) -> Result<(), BrokerError> {
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
