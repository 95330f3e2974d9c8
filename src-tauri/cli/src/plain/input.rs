//! The lines that are typed. Lines that come at once are one answer: nobody types two within a moment, so they were pasted.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use std::io::{self, BufRead as _, IsTerminal as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Within this many nanoseconds after a line another one was pasted with it.
const AT_ONCE: i64 = 40_000_000;

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// A line, or several that came at once.
    Lines(String),
    /// There will be no more.
    End,
}

/// Where the lines come from.
pub struct Input {
    /// As the terminal was before; none for a pipe or a file.
    before: Option<Termios>,
}

impl Input {
    /// Listens, on a thread of its own.
    pub fn open() -> (Self, UnboundedReceiver<Typed>) {
        let (sender, typed) = unbounded_channel();
        let before = io::stdin().is_terminal().then(|| tcgetattr(io::stdin()).ok()).flatten();
        let terminal = before.is_some();
        std::thread::spawn(move || {
            if terminal {
                listen_to_terminal(&sender)
            } else {
                listen_to_lines(&sender)
            }
            let _ = sender.send(Typed::End);
        });
        (Self { before }, typed)
    }

    /// Whether a person types.
    pub const fn is_terminal(&self) -> bool {
        self.before.is_some()
    }

    /// What is typed from now on is shown, or not.
    pub fn hide(&self, hidden: bool) {
        let Some(before) = &self.before else { return };
        let mut now = before.clone();
        if hidden {
            now.local_modes &= !LocalModes::ECHO;
            now.local_modes |= LocalModes::ECHONL;
        }
        // What can't be hidden is a terminal that shows nothing of its own.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &now);
    }

    /// The terminal as it was.
    pub fn restore(&self) {
        self.hide(false);
    }
}

fn listen_to_lines(sender: &UnboundedSender<Typed>) {
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        if sender.send(Typed::Lines(String::from_utf8_lossy(&line).into_owned())).is_err() {
            return;
        }
    }
}

fn listen_to_terminal(sender: &UnboundedSender<Typed>) {
    let mut text = Vec::new();
    loop {
        let Some(line) = read() else { return };
        text.extend(line);
        if ready(AT_ONCE) {
            continue;
        }
        // The start of a line that was pasted without its end: the rest of it, and the Enter, are still to come.
        let begun = begun();
        let whole = begun.is_empty() && text.ends_with(b"\n");
        text.extend(begun);
        if whole {
            let lines = String::from_utf8_lossy(&std::mem::take(&mut text)).into_owned();
            if sender.send(Typed::Lines(lines)).is_err() {
                return;
            }
        }
    }
}

/// A line, or what there is of one; none at the end.
fn read() -> Option<Vec<u8>> {
    let mut part = [0; 4_096];
    loop {
        match rustix::io::read(io::stdin(), &mut part) {
            Ok(0) => return None,
            Ok(count) => return Some(part[..count].to_vec()),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

fn ready(nanoseconds: i64) -> bool {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec { tv_sec: 0, tv_nsec: nanoseconds };
    poll(&mut fds, Some(&timeout)).is_ok_and(|count| count > 0)
}

/// What stands on the line that is being edited: a terminal gives it away only while it does not wait for whole lines.
fn begun() -> Vec<u8> {
    let Ok(lines) = tcgetattr(io::stdin()) else { return Vec::new() };
    let mut letters = lines.clone();
    letters.local_modes &= !LocalModes::ICANON;
    letters.special_codes[SpecialCodeIndex::VMIN] = 0;
    letters.special_codes[SpecialCodeIndex::VTIME] = 0;
    if tcsetattr(io::stdin(), OptionalActions::Now, &letters).is_err() {
        return Vec::new();
    }
    let begun = if ready(0) { read().unwrap_or_default() } else { Vec::new() };
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, &lines);
    begun
}
