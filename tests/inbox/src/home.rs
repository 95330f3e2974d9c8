//! A data folder with a workspace beside it, and the real program working on it.

use crate::agent::Agent;
use crate::program::{Program, countersign};
use rustix::process::Signal;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The passphrase of test homes.
pub const PASSPHRASE: &str = "correct horse battery";

/// A folder with the data folder `home`, the workspace `work` and the file `passphrase`.
pub struct Home {
    folder: TempDir,
}

/// `countersign serve`, listening.
pub struct Serve {
    /// The process.
    pub program: Program,
    /// What it said of itself.
    pub said: Value,
    /// Where it listens.
    pub url: String,
}

/// A run of the program that has ended.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Its lines on stdout.
    pub lines: Vec<String>,
    /// Its stderr.
    pub stderr: String,
}

impl Ran {
    /// Its stdout as it must be with `--json`: one object a line, and nothing else.
    pub fn objects(&self) -> Vec<Value> {
        let object = |line: &String| match serde_json::from_str(line) {
            Ok(value @ Value::Object(_)) => value,
            _ => panic!("not a JSON object: {line:?}"),
        };
        self.lines.iter().map(object).collect()
    }

    /// The one object of a run that went well.
    pub fn object(&self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        let mut objects = self.objects();
        assert_eq!(objects.len(), 1, "{self:?}");
        objects.remove(0)
    }

    /// A refusal with this code, these words on stderr, and nothing on stdout.
    pub fn refused(&self, code: i32, words: &str) {
        assert_eq!((self.code, self.lines.len()), (code, 0), "{self:?}");
        assert!(self.stderr.contains(words), "{words:?} is not in {self:?}");
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// A new one: the data folder is not there yet.
    pub fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().expect("a folder") };
        std::fs::create_dir(home.work()).expect("made");
        std::fs::write(home.passphrase(), format!("{PASSPHRASE}\n")).expect("written");
        home
    }

    /// The data folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The workspace.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The passphrase file.
    pub fn passphrase(&self) -> PathBuf {
        self.folder.path().join("passphrase")
    }

    /// Another file beside it, with this text.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    }

    /// The discovery file, while there is one.
    pub fn endpoint(&self) -> Option<Value> {
        let text = std::fs::read_to_string(self.path().join("endpoint.json")).ok()?;
        Some(serde_json::from_str(&text).expect("JSON"))
    }

    /// The program on this data folder, in this workspace, with nothing of our own environment that it heeds.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(countersign());
        command.args(arguments).env("COUNTERSIGN_HOME", self.path()).current_dir(self.work());
        command.env_remove("COUNTERSIGN_TOKEN").env_remove("COUNTERSIGN_LOG").env_remove("COUNTERSIGN_RUN_FOLDER");
        command
    }

    /// Runs the program to its end, without a terminal and with nothing on stdin.
    pub async fn run(&self, arguments: &[&str]) -> Ran {
        let mut program = Program::start(&mut self.command(arguments));
        program.close_stdin();
        let mut lines = Vec::new();
        while let Some(line) = program.line().await {
            lines.push(line);
        }
        let code = program.end().await.code().expect("it ended by itself");
        Ran { code, lines, stderr: program.stderr() }
    }

    /// Runs a verb of `countersign inbox`, with the passphrase file and `--json`.
    pub async fn inbox(&self, arguments: &[&str]) -> Ran {
        let file = self.passphrase();
        let proof = ["--json", "--passphrase-file", utf8(&file)];
        self.run(&[&["inbox"], arguments, &proof].concat()).await
    }

    /// Starts `countersign serve` with the passphrase file, on a free port where none is kept.
    pub async fn serve(&self, more: &[&str]) -> Serve {
        let file = self.passphrase();
        let arguments = ["serve", "--json", "--port", "0", "--passphrase-file", utf8(&file)];
        self.serve_as(&[&arguments[..], more].concat()).await
    }

    /// Starts `countersign` as told, and waits until it listens.
    pub async fn serve_as(&self, arguments: &[&str]) -> Serve {
        let mut program = Program::start(&mut self.command(arguments));
        let Some(line) = program.line().await else { panic!("it did not start: {}", program.stderr()) };
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let url = said["listening"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned();
        Serve { program, said, url }
    }

    /// Pairs a program as a person at two terminals would.
    pub async fn pair(&self, name: &str) -> Agent {
        let mut pairing = Program::start(&mut self.command(&["pair", "--name", name, "--json"]));
        let line = pairing.line().await.unwrap_or_else(|| panic!("no code: {}", pairing.stderr()));
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let code = said["code"].as_str().expect("a code").to_owned();
        let accepted = self.inbox(&["pairings", "accept", &code]).await;
        assert_eq!(accepted.code, 0, "{accepted:?}");
        let line = pairing.line().await.unwrap_or_else(|| panic!("no token: {}", pairing.stderr()));
        let said: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(pairing.end().await.code(), Some(0));
        let endpoint = self.endpoint().expect("it runs");
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{said}")).to_owned();
        Agent::new(&text(&endpoint["url"]), &text(&said["agent"]), &text(&said["token"]))
    }
}

impl Serve {
    /// Ends it as a system does, and waits until it is gone.
    pub async fn stop(&mut self) {
        self.program.signal(Signal::TERM);
        let ended = self.program.end().await;
        assert_eq!(ended.code(), Some(0), "{}", self.program.stderr());
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port")
    }
}

fn utf8(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
