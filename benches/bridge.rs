//! The bridge that a client starts: from its start to its first answer, and its memory. Beside Node with no package at all.

use crate::clock;
use crate::house::House;
use crate::process::{Ear, Process, beside, rss};
use crate::spread::{Rounds, median};
use crate::table::{Budget, row, skipped};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::runtime::Runtime;

const STARTS: usize = 15;
const ROUNDS: usize = 3;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const THEN: [&str; 2] =
    [r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#];
const NODE: &str = r#"
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } });
  else if (id !== undefined) say(id, { tools: [] });
});"#;

/// Measures and tells.
pub fn run(client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    let home = folder.join("bridge");
    let house = House::start(&home)?;
    let token = client.block_on(house.pair("bridged"))?;
    let program = match beside("countersign") {
        Ok(program) => program,
        Err(error) => {
            skipped("bridge", &error.to_string());
            return Ok(());
        }
    };
    let bridge = || {
        let mut command = Command::new(&program);
        command.arg("mcp").env("COUNTERSIGN_HOME", &home).env("COUNTERSIGN_TOKEN", &token);
        command
    };
    let node = || {
        let mut command = Command::new("node");
        command.args(["-e", NODE]);
        command
    };
    let has_node = node().arg("--version").output().is_ok();
    let (mut ours, mut theirs) = (Rounds::default(), Rounds::default());
    let (mut memory, mut node_memory) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.add(starts(bridge, &mut memory)?);
        if has_node {
            theirs.add(starts(node, &mut node_memory)?);
        }
    }
    let peer = format!("node {}", theirs.shown());
    row("bridge: start → `initialize` answered", &ours.shown(), &peer, ours.p50() / 1e3, Budget::AtMost(20.0, " ms"));
    let own = median(&memory) / 1e3;
    let peer = format!("node {:.1} MB", median(&node_memory) / 1e3);
    row("bridge: memory (RSS)", &format!("{own:.1} MB"), &peer, own, Budget::AtMost(10.0, " MB"));
    if has_node {
        row("bridge: start ÷ node's", &ours.shown(), &theirs.shown(), ours.over(&theirs), Budget::None("×"));
    } else {
        skipped("bridge: start ÷ node's", "no node here");
    }
    Ok(())
}

fn starts(command: impl Fn() -> Command, memory: &mut Vec<f64>) -> anyhow::Result<Vec<Duration>> {
    let mut samples = Vec::new();
    for _ in 0..STARTS {
        let start = clock::now();
        let mut process = Process::start(&mut command(), Ear::Out)?;
        process.say(HELLO)?;
        let (at, _) = process.line(|line| line.contains("\"result\""))?;
        samples.push(at.duration_since(start));
        for line in THEN {
            process.say(line)?;
        }
        process.line(|line| line.contains("\"tools\""))?;
        memory.push(rss(process.pid())?);
    }
    Ok(samples)
}
