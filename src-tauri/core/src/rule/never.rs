//! What no rule may let pass: what destroys, what names production, what is about this program itself.

use super::{CommandMatch, Scope};
use crate::shell::{self, Simple, Word};
use crate::step::{Step, StepKind, Warning, is_beneath, names_production};

/// Why a step is never let pass by a rule; none where one may.
pub fn never(step: &Step) -> Option<&'static str> {
    if step.kind == StepKind::Destroys {
        return Some("it takes away what can't be had again");
    }
    if step.warns(Warning::Production) {
        return Some("it names production");
    }
    if step.warns(Warning::Own) {
        return Some("it is about Countersign itself");
    }
    let unreadable = step.command.as_ref().is_some_and(|command| command.script.is_err());
    unreadable.then_some("it can't be told what it runs")
}

/// The same for a rule that is about to be made: it could cover nothing but such steps, or could cover one.
pub(super) fn never_made(scope: &Scope, own: &[String]) -> Option<&'static str> {
    let text = match &scope.command {
        Some(CommandMatch::Exact(text)) => text.clone(),
        Some(CommandMatch::Prefix(words)) => words.join(" "),
        None => String::new(),
    };
    let commands = match &scope.command {
        Some(CommandMatch::Exact(text)) => match shell::read(text) {
            Ok(script) => script.commands,
            Err(_) => return Some("it can't be told what it runs"),
        },
        Some(CommandMatch::Prefix(words)) => {
            let word = |word: &String| Word { raw: word.clone(), literal: Some(word.clone()) };
            vec![Simple { words: words.iter().map(word).collect(), ..Simple::default() }]
        }
        None => Vec::new(),
    };
    if commands.iter().any(shell::destroys) {
        return Some("it takes away what can't be had again");
    }
    let tool = scope.tool.as_deref().unwrap_or_default();
    if [text.as_str(), tool, scope.path.as_deref().unwrap_or_default()].into_iter().any(names_production) {
        return Some("it names production");
    }
    let ours = |part: &str| matches!(part, "countersign" | "countersign-desktop");
    let names_us = text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).any(ours);
    let in_ours = scope.path.as_deref().is_some_and(|path| own.iter().any(|folder| is_beneath(path, folder)));
    (names_us || in_ours).then_some("it is about Countersign itself")
}
