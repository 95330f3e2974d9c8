//! What a person may have remembered when they decide on a step, from narrow to wide. Only what is offered here is accepted.

use super::{Step, StepKind, paths, tools};
use crate::rule::{CommandMatch, never};
use crate::shell;

/// One thing to remember.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Steps of this tool.
    pub tool: Option<String>,
    /// Whose command is so.
    pub command: Option<CommandMatch>,
    /// Whose paths are all here.
    pub path: Option<String>,
}

/// Programs of which the first word says little: what they do is in the next.
const BROAD: &[&str] = &[
    "git",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "cargo",
    "go",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "gh",
    "glab",
    "make",
    "just",
    "uv",
    "pip",
    "pip3",
    "poetry",
    "python",
    "python3",
    "node",
    "ruby",
    "perl",
    "php",
    "mvn",
    "gradle",
    "dotnet",
    "mix",
    "rake",
    "bundle",
    "apt",
    "apt-get",
    "brew",
    "systemctl",
    "aws",
    "gcloud",
    "az",
    "terraform",
    "tofu",
    "nix",
    "rustup",
    "composer",
    "gem",
    "swift",
    "flutter",
];

/// What to offer for a step; nothing for what is never under a rule.
pub fn proposals(step: &Step, workspace: &str) -> Vec<Proposal> {
    if never(step).is_some() {
        return Vec::new();
    }
    let tool = || Some(step.call.tool.clone());
    if let Some(command) = &step.command {
        let Ok(script) = &command.script else { return Vec::new() };
        let mut offered =
            vec![Proposal { tool: tool(), command: Some(CommandMatch::Exact(command.text.clone())), path: None }];
        if let Some(words) = script.plain(&command.text).filter(|words| !shell::runs_another(words)) {
            for prefix in prefixes(&words) {
                offered.push(Proposal { tool: tool(), command: Some(CommandMatch::Prefix(prefix)), path: None });
            }
        }
        return offered;
    }
    match step.kind {
        StepKind::Reads | StepKind::Writes if !step.paths.is_empty() => {
            let folder =
                step.paths.iter().map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)).reduce(common);
            let mut folders: Vec<String> = Vec::new();
            if let [only] = step.paths.as_slice() {
                folders.push(only.clone());
            }
            folders.extend(folder.filter(|folder| folder.len() > 1).map(str::to_owned));
            folders.extend(Some(workspace).filter(|_| step.inside && workspace.len() > 1).map(str::to_owned));
            folders.dedup();
            folders.retain(|folder| folder.starts_with('/'));
            folders.into_iter().map(|folder| Proposal { tool: tool(), command: None, path: Some(folder) }).collect()
        }
        // A tool that is known, and of this call not what it is about.
        StepKind::Unknown if tools::find(&step.call.tool).kind != StepKind::Unknown => Vec::new(),
        StepKind::Reads | StepKind::Network | StepKind::Unknown => {
            vec![Proposal { tool: tool(), command: None, path: None }]
        }
        // Without its path it can't be told what a rule would cover.
        StepKind::Writes
        | StepKind::Executes
        | StepKind::Destroys
        | StepKind::Asks
        | StepKind::Todos
        | StepKind::Own => Vec::new(),
    }
}

/// The beginnings of a command that say what it does: three words, two, or one where one is enough.
fn prefixes(words: &[&str]) -> Vec<Vec<String>> {
    let bare = |word: &&str| !word.starts_with('-') && !word.is_empty();
    let leading = words.iter().take(3).take_while(|word| bare(word)).count();
    let broad = BROAD.iter().any(|name| shell::base_name(words[0]) == *name);
    let least = if broad { 2 } else { 1 };
    // All of its words are the exact command, but for what comes after.
    (least..=leading).rev().map(|count| words[..count].iter().map(|word| (*word).to_owned()).collect()).collect()
}

fn common<'a>(a: &'a str, b: &'a str) -> &'a str {
    let mut folder = a;
    while !paths::is_beneath(b, folder) {
        match folder.rsplit_once('/') {
            Some((above, _)) => folder = above,
            None => return "",
        }
    }
    folder
}
