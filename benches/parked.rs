//! Agents that wait for a person: memory of each, the processor while nothing happens, and whether others notice.

use crate::asker::{Asker, Way, question};
use crate::clock;
use crate::line::{Line, request};
use crate::process::{Process, cpu, rss};
use crate::spread::{Rounds, micros};
use crate::table::{Budget, row};
use anyhow::Context as _;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// Waiting calls of one agent, below its limit of pending requests.
const OF_ONE: usize = 900;
/// Connections that are opened at once.
const AT_ONCE: usize = 64;
/// Past this a held MCP call has sent its headers and taken what it takes.
const SETTLE: Duration = Duration::from_secs(4);
/// Long enough for a heartbeat, which comes every 15 s.
const IDLE: Duration = Duration::from_secs(20);

struct Server {
    process: Process,
    port: u16,
    tokens: Vec<String>,
}

/// Measures and tells.
pub fn run(client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    raise_files()?;
    let bare = echo_memory(client, 10_000)?;
    let peer = format!("bare hyper {bare:.1} kB");
    for (way, count, most) in [
        (Way::Http, 2_000_usize, 16.0),
        (Way::Http, 10_000, 16.0),
        (Way::Newest, 2_000, 80.0),
        (Way::Newest, 10_000, 80.0),
        (Way::Session, 2_000, 80.0),
    ] {
        let name = format!("{way:?}-{count}");
        let mut server = Server::start(&folder.join(name), count.div_ceil(OF_ONE))?;
        waiters(client, &mut server, way, count, &peer, most)?;
    }
    for way in Way::ALL {
        let mut server = Server::start(&folder.join(format!("idle-{way:?}")), 2)?;
        idle(client, &mut server, way)?;
    }
    Ok(())
}

impl Server {
    fn start(folder: &Path, agents: usize) -> anyhow::Result<Self> {
        let folder = folder.to_str().context("an odd folder")?;
        Self::of(Process::ourselves(&["engine", folder, &agents.to_string()])?)
    }

    fn of(process: Process) -> anyhow::Result<Self> {
        let said: Value = serde_json::from_str(&process.line(|_| true)?.1)?;
        let port = said["port"].as_u64().context("no port")?.try_into()?;
        let tokens = said["tokens"].as_array().into_iter().flatten();
        Ok(Self { process, port, tokens: tokens.filter_map(|t| t.as_str().map(str::to_owned)).collect() })
    }

    fn number(&mut self, order: &str) -> anyhow::Result<usize> {
        self.process.say(order)?;
        Ok(self.process.line(|_| true)?.1.parse()?)
    }

    fn rss(&self) -> anyhow::Result<f64> {
        std::thread::sleep(SETTLE);
        rss(self.process.pid())
    }
}

fn waiters(client: &Runtime, server: &mut Server, way: Way, count: usize, peer: &str, most: f64) -> anyhow::Result<()> {
    // Warm, so that what every server has once is not counted to the waiters.
    drop(park(client, server, way, 100)?);
    server.number("answer")?;
    let (before, quiet) = (server.rss()?, client.block_on(unrelated(server.port))?);
    let parked = park(client, server, way, count)?;
    let each = (server.rss()? - before) / count as f64;
    let busy = client.block_on(unrelated(server.port))?;
    let start = clock::now();
    server.number("answer")?;
    let answered = client.block_on(collect(parked))?;
    let released = start.elapsed();
    anyhow::ensure!(answered == count, "{answered} of {count} answers came");
    let name = way.name();
    let ours = format!(
        "{} MB in all; all answered and back in {}",
        (each * count as f64 / 1e3) as u64,
        micros(released.as_secs_f64() * 1e6)
    );
    row(&format!("{name}: memory of one of {count} waiting calls"), &ours, peer, each, Budget::AtMost(most, " kB"));
    let what = format!("{name}: unrelated call beside {count} waiting ÷ beside none");
    row(&what, &busy.shown(), &format!("none: {}", quiet.shown()), busy.over(&quiet), Budget::AtMost(1.2, "×"));
    Ok(())
}

fn idle(client: &Runtime, server: &mut Server, way: Way) -> anyhow::Result<()> {
    let parked = park(client, server, way, 1_000)?;
    std::thread::sleep(SETTLE);
    let before = cpu(server.process.pid())?;
    std::thread::sleep(IDLE);
    let used = cpu(server.process.pid())? - before;
    let part = used.as_secs_f64() / IDLE.as_secs_f64() * 100.0;
    let ours = format!("{} ms in {} s", used.as_millis(), IDLE.as_secs());
    let what = format!("{}: processor while 1000 wait", way.name());
    row(&what, &ours, "a core", part, Budget::AtMost(0.5, " %"));
    drop(parked);
    Ok(())
}

fn park(client: &Runtime, server: &mut Server, way: Way, count: usize) -> anyhow::Result<Vec<Asker>> {
    let (port, tokens) = (server.port, server.tokens.clone());
    let parked = client.block_on(async {
        let (mut opening, mut parked) = (JoinSet::new(), Vec::with_capacity(count));
        for n in 0..count {
            if opening.len() >= AT_ONCE
                && let Some(opened) = opening.join_next().await
            {
                parked.push(opened??);
            }
            let token = tokens[n % tokens.len()].clone();
            opening.spawn(async move {
                let mut asker = Asker::connect(way, port, &token).await?;
                asker.send("ask_human", &question(true)).await?;
                anyhow::Ok(asker)
            });
        }
        while let Some(opened) = opening.join_next().await {
            parked.push(opened??);
        }
        anyhow::Ok(parked)
    })?;
    while server.number("waiting")? < count {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(parked)
}

async fn collect(parked: Vec<Asker>) -> anyhow::Result<usize> {
    let mut answered = 0;
    for mut asker in parked {
        answered += usize::from(asker.result().await?["state"] == "answered");
    }
    Ok(answered)
}

/// Calls that have nothing to do with those who wait.
async fn unrelated(port: u16) -> anyhow::Result<Rounds> {
    let mut rounds = Rounds::default();
    let mut line = Line::open(port).await?;
    let bytes = request(port, "GET", "/v1/health", &[], "");
    for _ in 0..5 {
        let mut samples = Vec::new();
        for _ in 0..600 {
            let start = clock::now();
            line.send(&bytes).await?;
            line.reply().await?;
            samples.push(start.elapsed());
        }
        rounds.add(samples);
    }
    Ok(rounds)
}

/// What bare hyper takes for one parked call.
fn echo_memory(client: &Runtime, count: usize) -> anyhow::Result<f64> {
    let server = Server::of(Process::ourselves(&["echo"])?)?;
    let before = server.rss()?;
    let parked = client.block_on(async {
        let mut lines = Vec::with_capacity(count);
        for _ in 0..count {
            let mut line = Line::open(server.port).await?;
            line.send(&request(server.port, "POST", "/park", &[], &question(true).to_string())).await?;
            lines.push(line);
        }
        anyhow::Ok(lines)
    })?;
    let each = (server.rss()? - before) / count as f64;
    drop(parked);
    Ok(each)
}

fn raise_files() -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?)
}
