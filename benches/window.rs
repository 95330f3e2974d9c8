//! The real window: start beside an empty one, a call until its row is drawn, memory. Needs a display; without one it starts
//! itself again under Xvfb with a D-Bus session.

use crate::asker::{Asker, Way, question};
use crate::clock;
use crate::house::House;
use crate::process::{Ear, Process, beside, pss_of_tree};
use crate::spread::{Rounds, median};
use crate::table::{Budget, row, skipped};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const STARTS: usize = 7;
const CALLS: usize = 60;
const ROUNDS: usize = 3;
/// Between two questions while it starts: as exact as the start is told. Fewer don't tell, and more of them slow it down.
const STEP: Duration = Duration::from_millis(100);
/// The window is at rest between two calls.
const REST: Duration = Duration::from_millis(120);
/// A frame of Xvfb, which has no screen to wait for: WebKitGTK's own 60 Hz timer.
const FRAME: Duration = Duration::from_micros(16_667);

/// A bus that starts nothing: a notification daemon would draw on the same two cores, and its popups are not our window.
const BUS: &str = r#"<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>"#;

/// Measures in a display of its own, and tells.
pub fn run(folder: &Path) -> anyhow::Result<()> {
    let what = "the window";
    for name in ["countersign-desktop", "examples/empty_window"] {
        if let Err(error) = beside(name) {
            skipped(what, &error.to_string());
            return Ok(());
        }
    }
    let bus = folder.join("bus.conf");
    std::fs::write(&bus, BUS)?;
    let status = Command::new("xvfb-run")
        .args(["-a", "-s", "-screen 0 1400x1000x24", "dbus-run-session", "--config-file"])
        .arg(bus)
        .arg("--")
        .arg(std::env::current_exe()?)
        .arg("window-here")
        .status();
    match status.as_ref().map(ExitStatus::success) {
        Ok(true) => {}
        Ok(false) => anyhow::bail!("the window's measurements ended early"),
        Err(error) => skipped(what, &format!("no xvfb-run: {error}")),
    }
    Ok(())
}

/// Measures in the display that is there.
pub fn here(client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    let (app, empty) = (beside("countersign-desktop")?, beside("examples/empty_window")?);
    let home = folder.join("window");
    let house = House::start(&home)?;
    let token = client.block_on(house.pair("asker"))?;
    drop(house);
    let (mut ours, mut theirs) = (Rounds::default(), Rounds::default());
    let (mut memory, mut empty_memory, mut painted) = (Vec::new(), Vec::new(), Rounds::default());
    for n in 0..STARTS {
        let (took, pss) = start_empty(&empty)?;
        theirs.add(vec![took]);
        empty_memory.push(pss);
        let open = Open::start(client, &app, &home, &token)?;
        ours.add(vec![open.took]);
        memory.push(open.pss()?);
        if n < ROUNDS {
            painted.add(client.block_on(open.calls(&token))?);
        }
    }
    let frame = format!("a frame {:.1} ms", FRAME.as_secs_f64() * 1e3);
    let frames = painted.p50() / (FRAME.as_secs_f64() * 1e6);
    row("window: tools/call → drawn, two frames on", &painted.shown(), &frame, frames, Budget::None(" frames"));
    let (shown, peer) = (ours.shown(), format!("empty {}", theirs.shown()));
    row(
        "window: start → a question drawn ÷ empty window's start",
        &shown,
        &peer,
        ours.over(&theirs),
        Budget::None("×"),
    );
    let (ours, theirs) = (median(&memory) / 1e3, median(&empty_memory) / 1e3);
    let (shown, peer) = (format!("{ours:.0} MB"), format!("empty {theirs:.0} MB"));
    row("window: memory (PSS, all processes) ÷ empty window's", &shown, &peer, ours / theirs, Budget::None("×"));
    Ok(())
}

fn start_empty(program: &PathBuf) -> anyhow::Result<(Duration, f64)> {
    let start = clock::now();
    let process = Process::start(Command::new(program).env("NO_AT_BRIDGE", "1"), Ear::Err)?;
    let (at, _) = process.line(|line| line == "loaded")?;
    std::thread::sleep(Duration::from_secs(1));
    Ok((at.duration_since(start), pss_of_tree(process.pid())?))
}

/// The app with its window, and a question of ours on it.
struct Open {
    process: Process,
    port: u16,
    took: Duration,
}

impl Open {
    /// Starts it, and asks every few milliseconds until a question is drawn: the page tells of those alone that came while it
    /// was there.
    fn start(client: &Runtime, app: &Path, home: &Path, token: &str) -> anyhow::Result<Self> {
        let start = clock::now();
        let mut command = Command::new(app);
        command
            .env("COUNTERSIGN_HOME", home)
            .env("COUNTERSIGN_LOG", "info")
            .env("NO_COLOR", "1")
            .env("NO_AT_BRIDGE", "1");
        let process = Process::start(&mut command, Ear::Err)?;
        let port = port(home, process.pid());
        let (at, ids) = client.block_on(async {
            let mut asker = Asker::connect(Way::Http, port, token).await?;
            let mut ids = Vec::new();
            loop {
                let said = asker.call("ask_human", &question(false)).await?;
                ids.push(said["request"]["id"].clone());
                if let Some(at) = process.line_within(|line| line.contains("painted"), STEP)? {
                    return anyhow::Ok((at, ids));
                }
            }
        })?;
        let took = at.duration_since(start);
        client.block_on(async {
            let mut asker = Asker::connect(Way::Http, port, token).await?;
            for id in ids {
                asker.call("cancel_request", &json!({"request_id": id})).await?;
            }
            anyhow::Ok(())
        })?;
        Ok(Self { process, port, took })
    }

    fn pss(&self) -> anyhow::Result<f64> {
        std::thread::sleep(Duration::from_secs(1));
        pss_of_tree(self.process.pid())
    }

    async fn calls(&self, token: &str) -> anyhow::Result<Vec<Duration>> {
        let mut asker = Asker::connect(Way::Newest, self.port, token).await?;
        let mut samples = Vec::new();
        for _ in 0..CALLS {
            tokio::time::sleep(REST).await;
            let bytes = asker.bytes("ask_human", &question(false));
            let start = clock::now();
            asker.send_bytes(&bytes).await?;
            let said = asker.result().await?;
            let id = said["request"]["id"].as_str().context("no id")?;
            let (at, _) = self.process.line(|line| line.contains("painted") && line.contains(id))?;
            samples.push(at.duration_since(start));
            asker.call("cancel_request", &json!({"request_id": id})).await?;
        }
        Ok(samples)
    }
}

/// The port of the process that has the folder, once that is this one.
fn port(home: &Path, pid: u32) -> u16 {
    let start: Instant = clock::now();
    loop {
        let text = std::fs::read_to_string(home.join("endpoint.json")).unwrap_or_default();
        let said: Value = serde_json::from_str(&text).unwrap_or_default();
        let url = said["url"].as_str().filter(|_| said["pid"] == pid);
        if let Some(port) = url.and_then(|url| url.rsplit(':').next()?.parse().ok()) {
            return port;
        }
        if start.elapsed() > Duration::from_secs(30) {
            return 0;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
