//! Many agents at once: how far one flush carries.

use crate::asker::{Asker, Way, question, structured};
use crate::clock;
use crate::house::House;
use crate::spread::{median, micros};
use crate::table::{Budget, row};
use std::path::Path;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

const ROUNDS: usize = 5;
const ASKERS: usize = 64;
const AGENTS: usize = 4;
const EACH: usize = 15;
const ALONE: usize = 300;

/// Measures and tells.
pub fn run(client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    let house = House::start(&folder.join("together"))?;
    for way in [Way::Http, Way::Newest] {
        let (mut ratios, mut alone, mut together, mut groups) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        client.block_on(async {
            let mut tokens = Vec::new();
            for n in 0..AGENTS {
                tokens.push(house.pair(&format!("agent {n}")).await?);
            }
            burst(&house, way, &tokens, 1, 50).await?;
            for _ in 0..ROUNDS {
                let (one, _) = burst(&house, way, &tokens, 1, ALONE).await?;
                let (many, group) = burst(&house, way, &tokens, ASKERS, EACH).await?;
                ratios.push(many / one);
                alone.push(one);
                together.push(many);
                groups.push(group);
            }
            anyhow::Ok(())
        })?;
        let what = format!("{}: {ASKERS} askers together ÷ one", way.name());
        let ours = format!("{:.0} asks/s, {} each", median(&together), micros(1e6 / median(&together)));
        let peer = format!("one: {:.0} asks/s", median(&alone));
        row(&what, &ours, &peer, median(&ratios), Budget::AtLeast(5.0, "×"));
        let what = format!("{}: asks in one commit, {ASKERS} askers", way.name());
        row(&what, "–", "one asker: 1", median(&groups), Budget::None(""));
    }
    Ok(())
}

/// Asks a second, and asks a commit.
async fn burst(house: &House, way: Way, tokens: &[String], askers: usize, each: usize) -> anyhow::Result<(f64, f64)> {
    let mut ready = Vec::new();
    for n in 0..askers {
        let mut asker = Asker::connect(way, house.port, &tokens[n % tokens.len()]).await?;
        asker.call("list_specs", &serde_json::json!({})).await?;
        let asks: Vec<Vec<u8>> = (0..each).map(|_| asker.bytes("ask_human", &question(false))).collect();
        ready.push((asker, asks));
    }
    let before = house.watch.lists();
    let start = clock::now();
    let mut work = JoinSet::new();
    for (mut asker, asks) in ready {
        work.spawn(async move {
            for bytes in asks {
                asker.send_bytes(&bytes).await?;
                structured(&asker.reply().await?)?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(done) = work.join_next().await {
        done??;
    }
    let took = start.elapsed().as_secs_f64();
    let count = (askers * each) as f64;
    let commits = (house.watch.lists() - before).max(1) as f64;
    house.answer_all().await?;
    Ok((count / took, count / commits))
}
