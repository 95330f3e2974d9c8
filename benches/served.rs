//! The roles in which this program starts itself, so that a server's memory is its own: `engine FOLDER AGENTS`, and `echo`.

use crate::echo::Echo;
use crate::house::House;
use anyhow::Context as _;
use serde_json::json;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::Path;

/// The engine: says its port and tokens, then does what each line of stdin says, until there are no more.
pub fn engine(folder: &str, agents: &str) -> anyhow::Result<()> {
    let house = House::start(Path::new(folder))?;
    let mut tokens = Vec::new();
    for n in 0..agents.parse::<usize>()? {
        tokens.push(house.block_on(house.pair(&format!("agent {n}")))?);
    }
    say(&json!({"port": house.port, "tokens": tokens}).to_string())?;
    for line in stdin().lock().lines() {
        match line?.as_str() {
            "waiting" => say(&house.open()?.1.to_string())?,
            "answer" => say(&house.block_on(house.answer_all())?.to_string())?,
            other => anyhow::bail!("{other:?} is no order"),
        }
    }
    Ok(())
}

/// The bare peer: says its port, and ends with stdin.
pub fn echo() -> anyhow::Result<()> {
    let echo = Echo::start()?;
    say(&json!({"port": echo.port}).to_string())?;
    stdin().lock().lines().last();
    Ok(())
}

fn say(line: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}").context("nobody listens")?;
    Ok(out.flush()?)
}
