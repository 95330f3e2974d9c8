//! The writer's side of a file's work: checked and noted before anything is touched, kept with the decision, forgotten when undone.

use crate::agents::Caller;
use crate::decide;
use crate::error::BrokerError;
use crate::message::Reply;
use crate::person::{Person, Shown, Verdict};
use crate::requests::{self, Asked};
use crate::writer::{Effect, Place, Tell, Work, run};
use countersign_core::digest::Digest;
use countersign_core::filed::Filed;
use countersign_core::id::RequestId;
use countersign_core::request::{Ask, Join, Request, State, join};
use countersign_core::retire;
use countersign_store::{BegunWork, Tx};
use serde_json::Value;

/// Requests of a tool that are looked through for the same call.
const LOOKED_THROUGH: u32 = 50;

/// A person's decision, as it came.
#[derive(Debug, Clone)]
pub(crate) struct Decided {
    pub(crate) person: Person,
    pub(crate) id: RequestId,
    pub(crate) digest: Option<Digest>,
    pub(crate) shown: Option<Shown>,
    pub(crate) verdict: Verdict,
}

pub(crate) enum FileMessage {
    /// Whether it could be decided so.
    Check { decided: Decided, reply: Reply<()> },
    /// The same, and what is about to be done is noted.
    Begin { decided: Decided, begun: BegunWork, reply: Reply<()> },
    /// It is done; the decision is kept over it.
    Finish { decided: Decided, filed: Filed, reply: Reply<Request> },
    /// It was not done, or is undone; where the file is another than was shown, nobody can answer any more.
    End { request: RequestId, stale: bool, reply: Reply<()> },
    /// What became of the same call to put a file away.
    Rejoin { caller: Caller, base: Value, reply: Reply<Option<Asked>> },
}

pub(crate) fn handle(tx: &Tx<'_>, at: &Place, effects: &mut Vec<Effect>, message: FileMessage) -> Tell {
    match message {
        FileMessage::Check { decided, reply } => run(tx, at, effects, reply, |w| check(w, &decided)),
        FileMessage::Begin { decided, begun, reply } => run(tx, at, effects, reply, |w| begin(w, &decided, &begun)),
        FileMessage::Finish { decided, filed, reply } => run(tx, at, effects, reply, |w| finish(w, decided, filed)),
        FileMessage::End { request, stale, reply } => run(tx, at, effects, reply, |w| end(w, &request, stale)),
        FileMessage::Rejoin { caller, base, reply } => run(tx, at, effects, reply, |w| rejoin(w, &caller, &base)),
    }
}

fn check(work: &Work<'_>, decided: &Decided) -> Result<(), BrokerError> {
    let Decided { person, id, digest, shown, verdict } = decided;
    decide::check(work, *person, id, *digest, shown.as_ref(), verdict.clone()).map(|_| ())
}

fn begin(work: &Work<'_>, decided: &Decided, begun: &BegunWork) -> Result<(), BrokerError> {
    check(work, decided)?;
    if work.tx.begin_file_work(begun, work.at())? {
        return Ok(());
    }
    Err(BrokerError::Invalid("this is being answered in this moment; look again".into()))
}

fn finish(work: &mut Work<'_>, decided: Decided, filed: Filed) -> Result<Request, BrokerError> {
    work.tx.end_file_work(&decided.id)?;
    let Decided { person, id, digest, shown, verdict } = decided;
    decide::decide_over(work, person, &id, digest, shown.as_ref(), verdict, Some(filed))
}

fn end(work: &mut Work<'_>, id: &RequestId, stale: bool) -> Result<(), BrokerError> {
    work.tx.end_file_work(id)?;
    if stale && let Some(request) = work.tx.request(id)?.filter(|request| request.state == State::Pending) {
        decide::settle(work, &request, State::Superseded, None)?;
    }
    Ok(())
}

fn rejoin(work: &mut Work<'_>, caller: &Caller, base: &Value) -> Result<Option<Asked>, BrokerError> {
    requests::check_agent(work, caller, Some(countersign_core::scope::Scope::Ask))?;
    for earlier in work.tx.newest_of_tool(&caller.agent, caller.workspace, retire::TOOL, LOOKED_THROUGH)? {
        if retire::base(&earlier.ask.arguments) != *base {
            continue;
        }
        let Some(request) = requests::same(work, caller, &earlier.ask.key())? else { continue };
        match join(&request, work.at()) {
            Join::Pending | Join::Uncollected => return Ok(Some(Asked { request, repeated: false })),
            Join::Repeated => return Ok(Some(Asked { request, repeated: true })),
            Join::New => {}
        }
    }
    Ok(None)
}

/// The same call over another content takes the place of what still waits.
pub(crate) fn replace_older(work: &mut Work<'_>, caller: &Caller, ask: &Ask) -> Result<(), BrokerError> {
    if ask.tool != retire::TOOL {
        return Ok(());
    }
    let base = retire::base(&ask.arguments);
    for earlier in work.tx.newest_of_tool(&caller.agent, caller.workspace, retire::TOOL, LOOKED_THROUGH)? {
        let own = earlier.session == caller.session && earlier.state == State::Pending;
        if own && retire::base(&earlier.ask.arguments) == base && earlier.ask.arguments != ask.arguments {
            decide::settle(work, &earlier, State::Superseded, None)?;
        }
    }
    Ok(())
}
