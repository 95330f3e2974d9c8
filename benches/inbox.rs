//! The first page of the inbox over a small and a large file: what is over and done with must not slow down what is open.

use crate::clock;
use crate::spread::Rounds;
use crate::table::{Budget, row};
use countersign_broker::{Agent, Broker, SystemClock};
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, SessionId};
use countersign_core::mode::Standing;
use countersign_core::question::{Choice, Question};
use countersign_core::request::{Ask, OnExpiry, Request, State};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::{Store, StoreError, Tx, Workspace};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SMALL: u64 = 100_000;
const LARGE: u64 = 1_000_000;
const PENDING: u64 = 1_000;
const BATCH: u64 = 20_000;
const PAGE: u32 = 50;
const ROUNDS: usize = 5;
const READS: usize = 400;

/// Measures and tells.
pub fn run(folder: &Path) -> anyhow::Result<()> {
    let start = clock::now();
    let (small, _) = fill(&folder.join("small.db"), SMALL)?;
    let (large, bytes) = fill(&folder.join("large.db"), LARGE)?;
    let filled = start.elapsed().as_secs();
    for (page, reads) in [(PAGE, READS), (PENDING as u32, READS / 10)] {
        let (mut few, mut many) = (Rounds::default(), Rounds::default());
        pages(&small, page, reads)?;
        pages(&large, page, reads)?;
        for _ in 0..ROUNDS {
            few.add(pages(&small, page, reads)?);
            many.add(pages(&large, page, reads)?);
        }
        let what = format!("inbox: first {page} of {PENDING} open, of 1 M rows ÷ of 100 k");
        let ours = format!("{} ({} MB, filled in {filled} s)", many.shown(), bytes / 1_000_000);
        row(&what, &ours, &format!("100 k: {}", few.shown()), many.over(&few), Budget::AtMost(2.0, "×"));
    }
    Ok(())
}

fn pages(broker: &Broker, page: u32, reads: usize) -> anyhow::Result<Vec<Duration>> {
    let mut samples = Vec::with_capacity(reads);
    for _ in 0..reads {
        let start = clock::now();
        let rows = broker.open_list(None, page)?;
        samples.push(start.elapsed());
        anyhow::ensure!(rows.len() == page as usize, "{} rows", rows.len());
    }
    Ok(samples)
}

/// A file with so many requests, of which a thousand, evenly spread, are open. Their log entries are left out: no page reads them.
fn fill(path: &Path, count: u64) -> anyhow::Result<(Broker, u64)> {
    let mut store = Store::open(path)?;
    let agent = agent();
    let session = SessionId("session".into());
    let workspace = store.write(|tx| {
        tx.insert_agent(&agent)?;
        let workspace = tx.insert_workspace("/bench", Timestamp(0))?;
        tx.insert_session(
            &session,
            &agent.id,
            workspace.id,
            "",
            Standing::starting(workspace.rules.mode),
            Timestamp(0),
        )?;
        Ok::<_, StoreError>(workspace)
    })?;
    let open_every = count / PENDING;
    for batch in 0..count / BATCH {
        store.write(|tx| {
            (batch * BATCH..(batch + 1) * BATCH)
                .try_for_each(|n| keep(tx, &session, &workspace, n, n % open_every == 0))
        })?;
    }
    // What SQLite still has in its log would be read from there, in one file more than in the other.
    let copy = path.with_extension("copy.db");
    store.backup(&copy)?;
    drop(store);
    std::fs::remove_file(path)?;
    let bytes = std::fs::metadata(&copy)?.len();
    Ok((Broker::start(Store::open(&copy)?, Arc::new(SystemClock), Arc::new(()))?, bytes))
}

fn keep(tx: &Tx<'_>, session: &SessionId, workspace: &Workspace, n: u64, open: bool) -> Result<(), StoreError> {
    let request = request(session, workspace, n);
    tx.insert_request(&request, &request.ask.key())?;
    if !open {
        tx.settle_request(&request.id, State::Declined, None, Timestamp(n as i64 + 1))?;
    }
    Ok(())
}

fn agent() -> Agent {
    Agent {
        id: AgentId("agent".into()),
        name: "agent".into(),
        client: "codex".into(),
        workspace: None,
        token_hash: Digest([1; 32]),
        hold_seconds: 50,
        scopes: Scopes::ALL,
        created_at: Timestamp(0),
        revoked_at: None,
    }
}

fn request(session: &SessionId, workspace: &Workspace, n: u64) -> Request {
    let text = format!("Which colour should number {n} have? {}", "It is said at length. ".repeat(17));
    let ask = Ask {
        tool: "ask_human".into(),
        class: Class::Ask,
        title: format!("Which colour should number {n} have?"),
        context: None,
        questions: vec![Question::choice("answer", text, vec![Choice::plain("Red"), Choice::plain("Blue")], None)],
        arguments: json!({"question": n, "options": ["Red", "Blue"]}),
        expires_in: None,
        on_expiry: OnExpiry::Expire,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    // Ids are random in the product; a hash of the number spreads as well over the index.
    let digest = Digest::of_bytes(&n.to_le_bytes());
    Request {
        id: RequestId(digest.hex()[..36].to_owned()),
        agent: AgentId("agent".into()),
        session: session.clone(),
        workspace: workspace.id,
        digest,
        asker: None,
        ask,
        state: State::Pending,
        created_at: Timestamp(n as i64),
        expires_at: None,
        decision: None,
        claims: Vec::new(),
        settled_at: None,
        collected_at: None,
        plan: None,
    }
}
