//! Child processes, ended by their own id, and what Linux tells of a process.

use crate::clock;
use anyhow::Context as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than anything here takes; what takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a process gets to end by itself.
const END: Duration = Duration::from_secs(5);

/// A process and the lines that it says, each with its time of arrival.
pub struct Process {
    child: Child,
    lines: Receiver<(Instant, String)>,
    stdin: Option<ChildStdin>,
}

/// Where it talks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ear {
    /// To stdout.
    Out,
    /// To stderr; what it says to stdout is dropped.
    Err,
}

impl Process {
    /// Starts it.
    pub fn start(command: &mut Command, ear: Ear) -> anyhow::Result<Self> {
        let (out, err) = match ear {
            Ear::Out => (Stdio::piped(), Stdio::inherit()),
            Ear::Err => (Stdio::null(), Stdio::piped()),
        };
        let mut child =
            command.stdin(Stdio::piped()).stdout(out).stderr(err).spawn().with_context(|| format!("{command:?}"))?;
        let stdin = child.stdin.take();
        let stream: Option<Box<dyn Read + Send>> = match ear {
            Ear::Out => child.stdout.take().map(|out| Box::new(out) as _),
            Ear::Err => child.stderr.take().map(|err| Box::new(err) as _),
        };
        let (send, lines) = channel();
        let reader = BufReader::new(stream.context("no pipe")?);
        std::thread::spawn(move || {
            for line in reader.lines().map_while(Result::ok) {
                if send.send((clock::now(), line)).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, lines, stdin })
    }

    /// This very program, in another role.
    pub fn ourselves(arguments: &[&str]) -> anyhow::Result<Self> {
        Self::start(Command::new(std::env::current_exe()?).args(arguments), Ear::Out)
    }

    /// Its id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Says a line to it.
    pub fn say(&mut self, line: &str) -> anyhow::Result<()> {
        Ok(writeln!(self.stdin.as_mut().context("no stdin")?, "{line}")?)
    }

    /// Its next line like that.
    pub fn line(&self, wanted: impl Fn(&str) -> bool) -> anyhow::Result<(Instant, String)> {
        loop {
            let (at, line) = self.lines.recv_timeout(PATIENCE).context("a process says nothing")?;
            if wanted(&line) {
                return Ok((at, line));
            }
        }
    }

    /// Its next line like that, if it says one so soon.
    pub fn line_within(&self, wanted: impl Fn(&str) -> bool, soon: Duration) -> anyhow::Result<Option<Instant>> {
        match self.lines.recv_timeout(soon) {
            Ok((at, line)) if wanted(&line) => Ok(Some(at)),
            Ok(_) | Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(gone @ RecvTimeoutError::Disconnected) => Err(gone.into()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.stdin.take());
        if let Some(pid) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            // It may have ended by itself.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let start = clock::now();
        while start.elapsed() < END {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = (self.child.kill(), self.child.wait());
    }
}

/// A program that was built beside this one.
pub fn beside(name: &str) -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(name);
    anyhow::ensure!(path.exists(), "{} isn't built; `make bench` builds it", path.display());
    Ok(path)
}

/// Memory that is its own or shared, in kB: `VmRSS`.
pub fn rss(pid: u32) -> anyhow::Result<f64> {
    kilobytes(&fs::read_to_string(format!("/proc/{pid}/status"))?, "VmRSS:")
}

/// Memory with shared pages counted once over all who share them, in kB, of a process and those that it started.
pub fn pss_of_tree(pid: u32) -> anyhow::Result<f64> {
    let own = kilobytes(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?, "Pss:")?;
    let mut sum = own;
    for child in children(pid)? {
        sum += pss_of_tree(child)?;
    }
    Ok(sum)
}

/// Processor time that it used, of all its threads.
pub fn cpu(pid: u32) -> anyhow::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).context("a stat without times");
    // `proc(5)`: utime and stime, fields 14 and 15, in ticks of which Linux tells a hundred a second on every machine.
    Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}

fn children(pid: u32) -> anyhow::Result<Vec<u32>> {
    let mut found = Vec::new();
    for task in fs::read_dir(format!("/proc/{pid}/task"))? {
        let list = fs::read_to_string(task?.path().join("children")).unwrap_or_default();
        found.extend(list.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
    }
    Ok(found)
}

fn kilobytes(text: &str, key: &str) -> anyhow::Result<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)).with_context(|| format!("no {key}"))?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
