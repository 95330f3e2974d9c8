//! One agent, one question at a time: until it is on disk and shown, until the answer is back. Beside a raw flush and a bare echo.

use crate::asker::{Asker, Way, question, structured};
use crate::clock;
use crate::disk;
use crate::echo::Echo;
use crate::house::House;
use crate::line::{Line, request};
use crate::spread::Rounds;
use crate::table::{Budget, row};
use anyhow::Context as _;
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;

const ROUNDS: usize = 5;
const ASKS: usize = 300;
const DECISIONS: usize = 120;
/// What is at rest before a decision: the bench looks every so often whether somebody waits already.
const REST: Duration = Duration::from_millis(1);

#[derive(Default)]
struct Figures {
    back: Rounds,
    shown: Rounds,
    decided: Rounds,
}

/// Measures and tells.
pub fn run(client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    let house = House::start(&folder.join("asking"))?;
    let echo = Echo::start()?;
    let (mut disk, mut pages, mut rested, mut bare) =
        (Rounds::default(), Rounds::default(), Rounds::default(), Rounds::default());
    let mut figures: [Figures; 3] = Default::default();
    client.block_on(async {
        let token = house.pair("asker").await?;
        let mut askers = Vec::new();
        for way in Way::ALL {
            askers.push(Asker::connect(way, house.port, &token).await?);
        }
        // The first of everything is slower, and is not what an agent waits for all day.
        for asker in &mut askers {
            asks(&house, asker, 30).await?;
            decisions(&house, asker, 10).await?;
        }
        for _ in 0..ROUNDS {
            disk.add(disk::overwrites(folder, 1, ASKS, Duration::ZERO)?);
            pages.add(disk::overwrites(folder, disk::OF_AN_ASK, ASKS, Duration::ZERO)?);
            rested.add(disk::overwrites(folder, 1, DECISIONS, REST)?);
            bare.add(echoes(echo.port).await?);
            for (asker, figures) in askers.iter_mut().zip(&mut figures) {
                let (back, shown) = asks(&house, asker, ASKS).await?;
                figures.back.add(back);
                figures.shown.add(shown);
                figures.decided.add(decisions(&house, asker, DECISIONS).await?);
            }
        }
        anyhow::Ok(())
    })?;
    tell(&disk, &pages, &rested, &bare, &figures);
    Ok(())
}

fn tell(disk: &Rounds, pages: &Rounds, rested: &Rounds, bare: &Rounds, figures: &[Figures; 3]) {
    let flush = format!("flush {}", disk.shown());
    row("the limit: 4 KiB overwrite + fdatasync", &disk.shown(), "–", 1.0, Budget::None("×"));
    let what = format!("the same with {} pages, as an ask's commit writes", disk::OF_AN_ASK);
    row(&what, &pages.shown(), &flush, pages.over(disk), Budget::None("×"));
    let after = format!("flush after {} ms of rest {}", REST.as_millis(), rested.shown());
    row("the limit after a rest, as before a decision", &rested.shown(), &flush, rested.over(disk), Budget::None("×"));
    row("the peer: bare hyper, JSON echo", &bare.shown(), &flush, bare.over(disk), Budget::None("×"));
    for (way, figures) in Way::ALL.iter().zip(figures) {
        let name = way.name();
        let shown = &figures.shown;
        row(&format!("{name}: ask → shown"), &shown.shown(), &flush, shown.over(disk), Budget::AtMost(5.0, "×"));
        let back = &figures.back;
        row(&format!("{name}: ask → durable, client told"), &back.shown(), &flush, back.over(disk), Budget::None("×"));
        let echo = format!("echo {}", bare.shown());
        row(&format!("{name}: the same ÷ bare echo"), &back.shown(), &echo, back.over(bare), Budget::None("×"));
        let decided = &figures.decided;
        let what = format!("{name}: decision → waiting call returned");
        row(&what, &decided.shown(), &after, decided.over(rested), Budget::AtMost(6.0, "×"));
        let what = format!("{name}: the same ÷ a flush without rest");
        row(&what, &decided.shown(), &flush, decided.over(disk), Budget::None("×"));
    }
}

async fn echoes(port: u16) -> anyhow::Result<Vec<Duration>> {
    let mut line = Line::open(port).await?;
    let mut samples = Vec::with_capacity(ASKS);
    for _ in 0..ASKS {
        let bytes = request(port, "POST", "/", &[], &question(false).to_string());
        let start = clock::now();
        line.send(&bytes).await?;
        line.reply().await?;
        samples.push(start.elapsed());
    }
    Ok(samples)
}

/// Asks and doesn't wait for a person: as the client sees it, and as the desktop does.
async fn asks(house: &House, asker: &mut Asker, count: usize) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut back, mut shown) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        let bytes = asker.bytes("ask_human", &question(false));
        let start = clock::now();
        asker.send_bytes(&bytes).await?;
        let reply = asker.reply().await?;
        back.push(start.elapsed());
        structured(&reply)?;
        let told = house.watch.last().context("nothing was shown")?;
        shown.push(told.duration_since(start));
    }
    house.answer_all().await?;
    Ok((back, shown))
}

/// A person decides while the call waits: from the press to the result at the agent.
async fn decisions(house: &House, asker: &mut Asker, count: usize) -> anyhow::Result<Vec<Duration>> {
    let mut samples = Vec::with_capacity(count);
    for _ in 0..count {
        asker.send("ask_human", &question(true)).await?;
        let id = house.waiting().await?;
        let start = clock::now();
        let back = async {
            let reply = asker.reply().await;
            (start.elapsed(), reply)
        };
        let (decided, (took, reply)) = tokio::join!(house.answer(&id), back);
        decided?;
        anyhow::ensure!(structured(&reply?)?["state"] == "answered");
        samples.push(took);
    }
    Ok(samples)
}
