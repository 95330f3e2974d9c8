//! `countersign inbox` in a terminal: the panel of one request, the queue behind it, the session's mode and tasks. What it is
//! ([`state`]), how it looks ([`draw`]) and where it runs (here) are apart; the terminal is given back however it ends.

mod command;
mod draw;
pub mod event;
mod field;
mod input;
mod markdown;
mod panel;
mod state;
mod theme;
mod wrap;

pub use command::{Wish, read as read_command};
pub use panel::{Until, remark};

use crate::exit::Exit;
use crate::link::{self, Link};
use crate::words;
use countersign_host::Home;
use event::{Effect, Event};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use state::State;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::Duration;
use theme::Theme;
use tokio::sync::mpsc::unbounded_channel;

/// How long keys decide nothing after something came up by itself.
const CALM: Duration = Duration::from_millis(400);

/// Whether this terminal can show it.
pub fn fits() -> bool {
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs until the person ends it, or the terminal goes.
pub async fn run(home: &Home, passphrase_file: Option<&Path>) -> anyhow::Result<Exit> {
    // Before the screen is taken: whoever starts it without the app reads why on a screen of their own.
    let (hello, language) = link::hello(home).await?;
    let words = words::of(language.as_deref(), |name| std::env::var(name).ok());
    let (events, mut heard) = unbounded_channel();
    let link = Link::open(home, passphrase_file.map(Path::to_owned), events.clone());
    let mut state = State::new(words, hello);
    let mut ended = std::pin::pin!(ending());
    let mut screen = Taken::take()?;
    let typed = events.clone();
    std::thread::spawn(move || input::listen(&typed));
    let (theme, mut cache) = (Theme::of_environment(), draw::Cache::default());
    loop {
        screen.draw(&mut state, &mut cache, theme)?;
        let first = tokio::select! {
            () = &mut ended => return Ok(Exit::Done),
            event = heard.recv() => event,
        };
        // All that happened by now, before it is drawn again.
        let mut next = first;
        while let Some(event) = next {
            for effect in state.take(event) {
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
                    Effect::Quit => return Ok(Exit::Done),
                }
            }
            next = heard.try_recv().ok();
        }
    }
}

/// The terminal, while it is this program's.
struct Taken(DefaultTerminal);

impl Taken {
    fn take() -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        let taken = Self(terminal);
        execute!(io::stdout(), EnableBracketedPaste)?;
        Ok(taken)
    }

    fn draw(&mut self, state: &mut State, cache: &mut draw::Cache, theme: Theme) -> io::Result<()> {
        let mut measured = None;
        self.0.draw(|frame| {
            let area = frame.area();
            let screen = draw::screen(state, cache, theme, usize::from(area.width), usize::from(area.height));
            for (line, row) in screen.lines.iter().zip(area.top()..area.bottom()) {
                frame.buffer_mut().set_line(0, row, line, area.width);
            }
            if let Some((x, y)) = screen.cursor {
                frame.set_cursor_position((x, y));
            }
            measured = screen.measured;
        })?;
        if let Some(measured) = measured {
            state.measure(measured);
        }
        Ok(())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // Who can't be told any more has no screen left.
        let _ = execute!(io::stdout(), DisableBracketedPaste);
        ratatui::restore();
    }
}

/// The system's wish, or the terminal's end.
#[cfg(unix)]
fn ending() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal);
    async move {
        let mut waiting: Vec<_> = signals.into_iter().flatten().collect();
        let any = std::future::poll_fn(move |context| {
            match waiting.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
                true => std::task::Poll::Ready(()),
                false => std::task::Poll::Pending,
            }
        });
        any.await;
    }
}

#[cfg(not(unix))]
fn ending() -> impl Future<Output = ()> {
    std::future::pending()
}
