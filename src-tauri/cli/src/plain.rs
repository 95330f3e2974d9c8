//! `countersign inbox --plain`: the inbox as lines, for terminals that can't move the cursor, for screen readers and for pipes.
//! What it is ([`state`]) and what it prints are apart from where its lines come from ([`input`]).

mod answers;
mod input;
mod print;
mod state;
#[cfg(test)]
mod tests;
mod wishes;

use crate::exit::Exit;
use crate::link::{self, Link};
use crate::out::out;
use crate::tui::event::{Effect, Event};
use crate::words;
use countersign_host::Home;
use input::{Input, Typed};
use state::Plain;
use std::collections::VecDeque;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;

/// How long what came up by itself is not answered by a line.
const CALM: Duration = Duration::from_millis(300);

/// Runs until the person ends it, or there are no more lines.
pub async fn run(home: &Home, passphrase_file: Option<&Path>) -> anyhow::Result<Exit> {
    let (hello, language) = link::hello(home).await?;
    let words = words::of(language.as_deref(), |name| std::env::var(name).ok());
    let (events, mut heard) = unbounded_channel();
    let link = Link::open(home, passphrase_file.map(Path::to_owned), events.clone());
    let mut plain = Plain::new(words, hello);
    let (input, mut typed) = Input::open();
    // Lines of a pipe that nothing asked for yet.
    let mut early: VecDeque<String> = VecDeque::new();
    let mut over = false;
    let mut prompted = None;
    let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        show(&mut plain, &mut prompted, &input);
        if let Some(line) = early.pop_front_if(|_| plain.prompt().is_some()) {
            prompted = None;
            let effects = plain.typed(&line);
            if perform(effects, &link, &events) {
                break;
            }
            continue;
        }
        // No more lines, and none of those there were is still to be taken.
        if over && (plain.has_nothing() || (early.is_empty() && plain.prompt().is_some())) {
            let effects = plain.end();
            if perform(effects, &link, &events) {
                break;
            }
        }
        let effects = tokio::select! {
            ended = &mut interrupted => {
                ended?;
                break;
            }
            Some(event) = heard.recv() => plain.take(event),
            typed = typed.recv(), if !over => match typed {
                // A line for what is only just being printed was not meant for it.
                Some(Typed::Lines(_)) if input.is_terminal() && plain.inert => Vec::new(),
                Some(Typed::Lines(text)) if input.is_terminal() => {
                    prompted = None;
                    plain.typed(&text)
                }
                Some(Typed::Lines(text)) => {
                    early.push_back(text);
                    Vec::new()
                }
                Some(Typed::End) | None => {
                    over = true;
                    Vec::new()
                }
            },
        };
        if perform(effects, &link, &events) {
            break;
        }
    }
    show(&mut plain, &mut prompted, &input);
    input.restore();
    out!("{}", words.plain_end);
    Ok(Exit::Done)
}

/// Does what is to be done. True: the end.
fn perform(effects: Vec<Effect>, link: &Link, events: &tokio::sync::mpsc::UnboundedSender<Event>) -> bool {
    for effect in effects {
        match effect {
            Effect::Look(id) => link.look(id),
            Effect::Do(command) => link.act(command),
            Effect::Prove(passphrase) => link.prove(passphrase),
            Effect::ProveInWindow => link.prove_in_window(),
            Effect::StopProving => link.stop_proving(),
            Effect::Calm(turn) => {
                let events = events.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(CALM).await;
                    let _ = events.send(Event::Calm(turn));
                });
            }
            Effect::Quit => return true,
        }
    }
    false
}

/// Prints what there is to say, and what the next line is.
fn show(plain: &mut Plain, prompted: &mut Option<(String, bool)>, input: &Input) {
    let lines = std::mem::take(&mut plain.out);
    if !lines.is_empty() && prompted.take().is_some() {
        // Below what is being typed.
        out!("");
    }
    lines.iter().for_each(|line| out!("{line}"));
    // What came up by itself takes no line yet.
    let prompt = if input.is_terminal() && plain.inert { None } else { plain.prompt() };
    if prompt != *prompted {
        if let Some((text, hidden)) = &prompt {
            input.hide(*hidden);
            let mut stdout = std::io::stdout();
            // A reader that has gone has seen enough.
            let _ = write!(stdout, "{text}{}> ", if text.is_empty() { "" } else { " " }).and_then(|()| stdout.flush());
        }
        *prompted = prompt;
    }
}
