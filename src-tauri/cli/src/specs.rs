//! `countersign specs`: look at a workspace's specs, bring some in, write them out.

use crate::exit::{Exit, Refusal};
use crate::line::Line;
use crate::out::out;
use crate::workspace;
use clap::{Args, Subcommand, ValueEnum};
use countersign_core::import::Existing;
use countersign_core::safe_text::SafeText;
use countersign_core::spec::Status;
use countersign_host::spec_folder;
use countersign_host::{Command, Home, SpecCommand, SpecWish};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Bytes of files in one command; the line takes somewhat more.
const COMMAND_BYTES: usize = 4 << 20;

/// Look at a workspace's specs, bring some in from files, write them out to files.
#[derive(Args)]
pub struct Specs {
    /// The workspace's folder; the current one when absent
    #[arg(long, value_name = "DIR", global = true)]
    workspace: Option<PathBuf>,
    /// A file whose first line is the passphrase
    #[arg(long, value_name = "FILE", global = true)]
    passphrase_file: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// The specs, oldest first
    List {
        /// Only in this status
        #[arg(long, value_parser = status)]
        status: Option<Status>,
        /// Only those with these words; those that have them in their title first
        #[arg(long, value_name = "WORDS")]
        search: Option<String>,
    },
    /// One spec, whole
    Show {
        /// Its id, such as SPEC-001
        id: String,
    },
    /// Bring in markdown or JSON files; without --apply it only says what would become of each
    Import {
        /// Files, or folders with such files
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// What happens to a file whose id is that of a spec which is there
        #[arg(long, value_enum, default_value_t = Wanted::Copy)]
        existing: Wanted,
        /// Do it
        #[arg(long)]
        apply: bool,
    },
    /// Write specs out as files
    Export {
        /// Their ids; all of them when absent
        ids: Vec<String>,
        /// markdown: a file each, with front matter; json: one file
        #[arg(long, value_enum, default_value_t = Format::Markdown)]
        format: Format,
        /// The folder to write them into; printed when absent
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Write over files that are there and say something else
        #[arg(long)]
        overwrite: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// It comes in under a new id
    Copy,
    /// It becomes that spec's next revision, and a draft
    Replace,
    /// It is left out
    Skip,
}

impl From<Wanted> for Existing {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Copy => Self::Copy,
            Wanted::Replace => Self::Replace,
            Wanted::Skip => Self::Skip,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Json,
}

fn status(word: &str) -> Result<Status, String> {
    let words = || Status::ALL.map(Status::word).join(", ");
    Status::from_word(word).ok_or_else(|| format!("no such status; there are {}", words()))
}

impl Specs {
    /// Does what it was told.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let workspace = workspace::of(self.workspace.as_deref())?;
        let mut line = Line::open(&Home::locate(None)?).await?;
        let wish = |wish| Command::Specs(SpecCommand { workspace: workspace.clone(), wish });
        match self.verb {
            Verb::List { status, search } => {
                let rows = line.say(&wish(SpecWish::List { status, words: search })).await?;
                rows.as_array().into_iter().flatten().for_each(|row| print_row(row, self.json));
            }
            Verb::Show { id } => {
                let spec = line.say(&wish(SpecWish::Show { spec: id })).await?;
                if self.json { out!("{spec}") } else { print_spec(&spec) }
            }
            Verb::Import { paths, existing, apply } => {
                let (files, unreadable) = read(&paths)?;
                let parts = parts(files);
                if apply {
                    line.prove(self.passphrase_file.as_deref()).await?;
                }
                let mut broken = !unreadable.is_empty();
                for (file, why) in unreadable {
                    print_import(&json!({"file": file, "action": "broken", "notes": [], "why": why}), self.json);
                }
                for files in parts {
                    let import = SpecWish::Import { files, existing: existing.into(), apply };
                    let lines = line.say(&wish(import)).await?;
                    for one in lines.as_array().into_iter().flatten() {
                        broken |= one["action"] == "broken";
                        print_import(one, self.json);
                    }
                }
                if !apply {
                    eprintln!("Nothing was done yet; --apply does it.");
                }
                if broken {
                    return Ok(Exit::Refused);
                }
            }
            Verb::Export { ids, format, out, overwrite } => {
                let specs = (!ids.is_empty()).then_some(ids);
                let files = line.say(&wish(SpecWish::Export { specs, json: format == Format::Json })).await?;
                let files = files.as_array().cloned().unwrap_or_default();
                write(&files, out.as_deref(), overwrite, self.json)?;
            }
        }
        Ok(Exit::Done)
    }
}

fn text(value: &Value) -> String {
    SafeText::line(value.as_str().unwrap_or_default()).plain()
}

fn print_row(row: &Value, as_json: bool) {
    if as_json {
        out!("{row}");
        return;
    }
    let lock = if row["locked"] == true { "locked" } else { "" };
    let met = format!("{}/{}", row["met"], row["total"]);
    out!("{}  {:<12} {met:>7}  {lock:<6}  {}", text(&row["id"]), text(&row["status"]), text(&row["title"]));
}

fn print_spec(spec: &Value) {
    out!("{}  {}", text(&spec["id"]), text(&spec["title"]));
    let lock = if spec["locked"] == true { ", locked" } else { "" };
    out!("{}, revision {}{lock}", text(&spec["status"]), spec["revision"]);
    for criterion in spec["criteria"].as_array().into_iter().flatten() {
        out!("  {} [{}] {}", text(&criterion["id"]), text(&criterion["state"]), text(&criterion["text"]));
        if let Some(evidence) = criterion["evidence"]["text"].as_str() {
            let by = text(&criterion["evidence"]["by"]["kind"]);
            out!("      {by}: {}", SafeText::line(evidence).plain());
        }
    }
    let body = spec["body"].as_str().unwrap_or_default();
    if !body.is_empty() {
        out!("\n{}", SafeText::lines(body).plain());
    }
}

fn print_import(one: &Value, as_json: bool) {
    if as_json {
        out!("{one}");
        return;
    }
    let notes = one["notes"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join("; ");
    let said = one["why"].as_str().map_or(notes, |why| SafeText::line(why).plain());
    out!("{:<9} {:<9} {}  {}  {said}", text(&one["action"]), text(&one["id"]), text(&one["file"]), text(&one["title"]));
}

/// A file's name, and its text or why it can't be read.
type Named = (String, String);

/// The files that could be read, and those that could not.
fn read(paths: &[PathBuf]) -> anyhow::Result<(Vec<Named>, Vec<Named>)> {
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for path in paths {
        let real = path.canonicalize().map_err(|error| Refusal::usage(format!("{}: {error}", path.display())))?;
        // The person's own files, wherever they are: the folder itself is the bound.
        let (root, name) = match (real.is_dir(), real.parent(), real.file_name()) {
            (false, Some(parent), Some(name)) => (parent, Path::new(name)),
            _ => (real.as_path(), Path::new(".")),
        };
        let (root, name) = (root.to_string_lossy(), name.to_string_lossy());
        for (name, text) in spec_folder::read(&root, &name).map_err(|error| Refusal::usage(error.to_string()))? {
            match text {
                Ok(text) => files.push((name, text)),
                Err(why) => unreadable.push((name, why)),
            }
        }
    }
    Ok((files, unreadable))
}

/// As much together as one command takes.
fn parts(files: Vec<Named>) -> Vec<Vec<Named>> {
    let mut parts: Vec<Vec<Named>> = Vec::new();
    let mut bytes = COMMAND_BYTES;
    for file in files {
        bytes += file.1.len();
        if bytes > COMMAND_BYTES {
            bytes = file.1.len();
            parts.push(Vec::new());
        }
        parts.last_mut().expect("BUG: the first file begins a part").push(file);
    }
    parts
}

fn write(files: &[Value], folder: Option<&Path>, overwrite: bool, as_json: bool) -> anyhow::Result<()> {
    let named: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            let word = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
            (word("name"), word("text"))
        })
        .collect();
    let Some(folder) = folder else {
        for (file, (_, text)) in files.iter().zip(&named) {
            if as_json { out!("{file}") } else { out!("{text}") }
        }
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|error| Refusal::usage(format!("{}: {error}", folder.display())))?;
    let written =
        spec_folder::write(&folder.to_string_lossy(), ".", &named, overwrite).map_err(|error| match error {
            spec_folder::SpecFolderError::Exists { .. } => Refusal::refused(format!("{error} (--overwrite)")),
            other => Refusal::refused(other.to_string()),
        })?;
    written.iter().for_each(|path| if as_json { out!("{}", json!({"path": path})) } else { out!("{path}") });
    Ok(())
}
