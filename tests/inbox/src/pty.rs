//! A real terminal: the program on a pty, and the screen that a terminal would show of what it writes.

use crate::home::Home;
use crate::program::countersign;
use crate::until::until;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use vt100::Parser;

/// The program on a terminal of its own. Killed when this is dropped.
pub struct Pty {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    screen: Parser,
    raw: Vec<u8>,
}

const fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a size")
}

impl Pty {
    /// Starts `countersign` with these arguments on this home's folder, in a terminal of this size. The environment is a modern
    /// terminal's in English, but for what is named.
    pub fn start(home: &Home, arguments: &[&str], (columns, rows): (u16, u16), environment: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a pty");
        let mut command = CommandBuilder::new(countersign());
        command.args(arguments);
        command.cwd(home.work());
        for name in ["COUNTERSIGN_TOKEN", "COUNTERSIGN_LOG", "NO_COLOR", "LC_ALL", "LC_MESSAGES"] {
            command.env_remove(name);
        }
        command.env("COUNTERSIGN_HOME", home.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "en_US.UTF-8");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("started");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let seen =
            Arc::new(Mutex::new(Seen { screen: Parser::new(cells(rows), cells(columns), 2_000), raw: Vec::new() }));
        let kept = seen.clone();
        std::thread::spawn(move || {
            let mut part = [0; 8_192];
            while let Ok(count @ 1..) = reader.read(&mut part) {
                let mut seen = kept.lock().unwrap_or_else(PoisonError::into_inner);
                seen.screen.process(&part[..count]);
                seen.raw.extend(&part[..count]);
            }
        });
        Self { child, master: pair.master, keys, seen }
    }

    fn look<T>(&self, at: impl FnOnce(&Seen) -> T) -> T {
        at(&self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the screen shows.
    pub fn screen(&self) -> String {
        self.look(|seen| seen.screen.screen().contents())
    }

    /// All that was written, as it was written.
    pub fn written(&self) -> String {
        self.look(|seen| String::from_utf8_lossy(&seen.raw).into_owned())
    }

    /// Whether the screen is one that is given back at the end.
    pub fn has_own_screen(&self) -> bool {
        self.look(|seen| seen.screen.screen().alternate_screen())
    }

    /// Waits until the screen shows this.
    pub async fn shows(&mut self, text: &str) -> String {
        self.becomes(text, |screen| screen.contains(text)).await
    }

    /// Waits until the screen is as wanted; says what it showed when it never is.
    pub async fn becomes(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let look = || Some(self.screen()).filter(|screen| wanted(screen));
        let found = tokio::time::timeout(crate::until::PATIENCE / 2, until(what, look)).await;
        found.unwrap_or_else(|_| panic!("the screen never became {what:?}:\n{}", self.screen()))
    }

    /// Presses keys, as their bytes.
    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("pressed");
    }

    /// Makes the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .screen
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        self.master.resize(size(columns, rows)).expect("resized");
    }

    /// Waits for its end: its exit code.
    pub async fn end(&mut self) -> u32 {
        until("its end", || self.child.try_wait().expect("our own child")).await.exit_code()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // One that ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
