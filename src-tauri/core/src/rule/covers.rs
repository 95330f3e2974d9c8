//! Whether a rule is about a step.

use super::{CommandMatch, Effect, Match, Rule, Who, is_about, is_of_tool, never};
use crate::shell::{self, Simple};
use crate::step::{Command, Step, StepKind, is_beneath, steers};

/// How surely a rule is about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sure {
    No,
    /// It could be: there is something in the step that can't be told.
    Maybe,
    Yes,
}

/// What a rule has to say to a step. Where it only may be about it, the person is asked.
pub fn matches(rule: &Rule, step: &Step, who: Who<'_>) -> Option<Match> {
    if !is_about(rule, who) || !is_of_tool(rule, step) {
        return None;
    }
    let found = |effect| Some(Match { effect, rule: rule.id });
    if rule.effect == Effect::Allow {
        return if never(step).is_none() && allows(rule, step) { found(Effect::Allow) } else { None };
    }
    match names(rule, step) {
        Sure::Yes => found(rule.effect),
        Sure::Maybe => found(Effect::Ask),
        Sure::No => None,
    }
}

/// The strictest of all that match; of equals the oldest.
pub fn strictest<'a>(rules: impl IntoIterator<Item = &'a Rule>, step: &Step, who: Who<'_>) -> Option<Match> {
    let mut strictest: Option<Match> = None;
    for rule in rules {
        if let Some(found) = matches(rule, step, who)
            && strictest.is_none_or(|before| found.effect > before.effect)
        {
            strictest = Some(found);
            if found.effect == Effect::Deny {
                break;
            }
        }
    }
    strictest
}

/// Whether an allowing rule covers a step whole.
fn allows(rule: &Rule, step: &Step) -> bool {
    let scope = &rule.scope;
    let by_command = match (&scope.command, &step.command) {
        (Some(wanted), Some(command)) => covers(wanted, command),
        (Some(_), None) => false,
        // Neither a tool's name nor a folder says which commands are meant.
        (None, Some(_)) => false,
        (None, None) => true,
    };
    let by_path = scope.path.as_ref().is_none_or(|folder| {
        // A folder's rule does not reach what steers the tools in it: such a place has to be named itself.
        let within =
            |path: &String| is_beneath(path, folder) && (step.kind == StepKind::Reads || !steers(path, folder));
        !step.paths.is_empty() && step.paths.iter().all(within)
    });
    by_command && by_path
}

fn covers(wanted: &CommandMatch, command: &Command) -> bool {
    let Ok(script) = &command.script else { return false };
    match wanted {
        CommandMatch::Exact(text) => *text == command.text,
        CommandMatch::Prefix(prefix) => script.plain(&command.text).is_some_and(|words| {
            words.len() >= prefix.len()
                && words.iter().zip(prefix).all(|(word, wanted)| word == wanted)
                && !shell::runs_another(&words)
        }),
    }
}

/// Whether an asking or denying rule is about a step, or may be.
fn names(rule: &Rule, step: &Step) -> Sure {
    let scope = &rule.scope;
    let by_command = match (&scope.command, &step.command) {
        (Some(wanted), Some(command)) => contains(wanted, command),
        (Some(_), None) => Sure::No,
        (None, _) => Sure::Yes,
    };
    let by_path = match &scope.path {
        Some(folder) if step.paths.iter().any(|path| is_beneath(path, folder)) => Sure::Yes,
        // Commands name paths in ways that nobody reads.
        Some(folder) => match &step.command {
            Some(command) if hides_paths(command, folder) => Sure::Maybe,
            Some(_) | None => Sure::No,
        },
        None => Sure::Yes,
    };
    by_command.min(by_path)
}

fn hides_paths(command: &Command, folder: &str) -> bool {
    let Ok(script) = &command.script else { return true };
    let last = folder.rsplit('/').find(|part| !part.is_empty()).unwrap_or(folder);
    script.opaque || command.text.contains(last)
}

fn contains(wanted: &CommandMatch, command: &Command) -> Sure {
    let prefix = match wanted {
        CommandMatch::Exact(text) => {
            let same = |one: &str| one.split_whitespace().collect::<Vec<_>>().join(" ");
            return if same(text) == same(&command.text) { Sure::Yes } else { Sure::No };
        }
        CommandMatch::Prefix(prefix) => prefix,
    };
    let Ok(script) = &command.script else { return Sure::Maybe };
    let surest = script.commands.iter().map(|one| begins(prefix, one)).max().unwrap_or(Sure::No);
    if script.opaque { surest.max(Sure::Maybe) } else { surest }
}

/// Whether one command begins with these words: surely, or with flags between, or with something that must be expanded first.
fn begins(prefix: &[String], command: &Simple) -> Sure {
    let Some((program, wanted)) = prefix.split_first() else { return Sure::No };
    let Some((first, words)) = command.words.split_first() else { return Sure::No };
    match first.literal.as_deref() {
        None => return Sure::Maybe,
        Some(name) if name == program || shell::base_name(name) == shell::base_name(program) => {}
        Some(_) => return Sure::No,
    }
    if words.len() >= wanted.len()
        && words.iter().zip(wanted).all(|(word, wanted)| word.literal.as_deref() == Some(wanted))
    {
        return Sure::Yes;
    }
    let mut rest = words.iter();
    let all =
        wanted.iter().all(|wanted| rest.any(|word| word.literal.as_deref().is_none_or(|literal| literal == wanted)));
    if all { Sure::Maybe } else { Sure::No }
}
