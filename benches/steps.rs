//! Steps at the gate over HTTP, with a thousand rules: what passes by the mode, and what a rule settles in a commit of its own.

use crate::clock;
use crate::house::House;
use crate::line::{Line, request};
use crate::spread::Rounds;
use crate::table::{Budget, row};
use anyhow::{Context as _, ensure};
use countersign_broker::{NewRule, Person};
use countersign_core::channel::Channel;
use countersign_core::rule::{CommandMatch, Effect, Scope};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Rules that hold.
const RULES: usize = 1_000;
/// Steps that are measured in each of three rounds.
const STEPS: usize = 1_000;

/// Measures.
pub fn run(client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    let folder = folder.join("steps");
    std::fs::create_dir_all(&folder)?;
    let house = House::start(&folder)?;
    let token = house.block_on(async {
        for n in 0..RULES {
            let (effect, words) = match n % 3 {
                0 => (Effect::Allow, vec!["cargo".to_owned(), format!("task-{n}")]),
                1 => (Effect::Ask, vec!["git".to_owned(), format!("verb-{n}")]),
                _ => (Effect::Deny, vec![format!("program-{n}")]),
            };
            let scope = Scope { command: Some(CommandMatch::Prefix(words)), ..Scope::default() };
            let rule = NewRule { effect, scope, expires_in_seconds: None };
            house.broker.make_rule(Person::at(Channel::Window), rule).await?;
        }
        house.pair("steps").await
    })?;
    let step = |tool: &str, input: Value| json!({"tool": tool, "input": input}).to_string();
    let read = step("Read", json!({"file_path": "/bench/src/main.rs"}));
    let rule = step("Bash", json!({"command": "cargo task-999 --all-targets", "description": "Runs the task"}));
    let denied = step("Bash", json!({"command": "cd src && env A=1 program-998 $(git log -1) > out; ls | wc -l"}));
    for (what, body, decision, by, most) in [
        ("a step that the mode lets pass", &read, "allow", "mode", 2.0),
        ("a step that a rule settles", &rule, "allow", "rule", 2.0),
        ("a compound step that a rule denies", &denied, "deny", "rule", 2.0),
    ] {
        let mut rounds = Rounds::default();
        for _ in 0..3 {
            rounds.add(client.block_on(measured(house.port, &token, body, decision, by))?);
        }
        let figure = rounds.p99() / 1_000.0;
        row(&format!("HTTP: {what}, {RULES} rules: p99"), &rounds.shown(), "–", figure, Budget::AtMost(most, " ms"));
    }
    Ok(())
}

async fn measured(port: u16, token: &str, body: &str, decision: &str, by: &str) -> anyhow::Result<Vec<Duration>> {
    let authorization = format!("Bearer {token}");
    let bytes = request(port, "POST", "/v1/steps", &[("authorization", &authorization)], body);
    let mut line = Line::open(port).await?;
    let mut times = Vec::with_capacity(STEPS);
    for n in 0..STEPS + 100 {
        let begun = clock::now();
        line.send(&bytes).await?;
        let reply = line.reply().await?;
        // The first ones warm it up.
        if n >= 100 {
            times.push(begun.elapsed());
        }
        let said: Value = serde_json::from_slice(&reply.body).context("no JSON")?;
        ensure!(said["decision"] == decision && said["decided_by"] == by, "{said}");
    }
    Ok(times)
}
