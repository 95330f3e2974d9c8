//! From the tree of a shell's grammar to the list of commands in it.

use super::word::{self, Read};
use super::{COMMANDS, Script, Simple, Unreadable, Word, read_into, wrap};
use brush_parser::ast::{
    self, AndOr, Command, CommandPrefixOrSuffixItem as Item, CompoundCommand, CompoundList, IoFileRedirectTarget,
    IoRedirect, Pipeline, SeparatorOperator,
};

type Done = Result<(), Unreadable>;

/// Where the walk is.
#[derive(Clone, Copy)]
struct At {
    within: usize,
    inside: bool,
}

pub(super) fn program(program: &ast::Program, script: &mut Script, within: usize) -> Done {
    let at = At { within, inside: within > 0 };
    let mut before = None;
    for list in &program.complete_commands {
        before = compound_list(list, script, at, before)?;
    }
    if script.commands.iter().filter(|command| !command.inside).count() > 1 {
        script.compound = true;
    }
    Ok(())
}

/// Walks a list. `before` is the operator that stands before its first command; that after its last one comes back.
fn compound_list(
    list: &CompoundList,
    script: &mut Script,
    at: At,
    before: Option<&'static str>,
) -> Result<Option<&'static str>, Unreadable> {
    let mut before = before;
    for ast::CompoundListItem(and_or, after) in &list.0 {
        pipeline(&and_or.first, script, at, before)?;
        for more in &and_or.additional {
            match more {
                AndOr::And(next) => pipeline(next, script, at, Some("&&"))?,
                AndOr::Or(next) => pipeline(next, script, at, Some("||"))?,
            }
        }
        before = Some(match after {
            SeparatorOperator::Sequence => ";",
            SeparatorOperator::Async => {
                // In the background it outlives the step, whatever it is.
                script.compound = true;
                "&"
            }
        });
    }
    Ok(before)
}

fn pipeline(pipeline: &Pipeline, script: &mut Script, at: At, before: Option<&'static str>) -> Done {
    script.compound |= pipeline.timed.is_some() || pipeline.bang || pipeline.seq.len() > 1;
    for (n, one) in pipeline.seq.iter().enumerate() {
        command(one, script, at, if n == 0 { before } else { Some("|") })?;
    }
    Ok(())
}

fn command(command: &Command, script: &mut Script, at: At, before: Option<&'static str>) -> Done {
    match command {
        Command::Simple(simple) => self::simple(simple, script, at, before),
        Command::Compound(compound, redirects) => {
            script.compound = true;
            self::compound(compound, script, at, before)?;
            redirects.iter().flat_map(|list| &list.0).try_for_each(|one| redirection(one, script, at).map(drop))
        }
        Command::Function(_) => {
            // From here on any name may mean anything.
            script.compound = true;
            script.opaque = true;
            Ok(())
        }
        Command::ExtendedTest(test, redirects) => {
            script.compound = true;
            // Its words may substitute commands, and its arithmetic may too.
            script.opaque |= ["$(", "`", "[", "<(", ">("].iter().any(|sign| test.expr.to_string().contains(sign));
            redirects.iter().flat_map(|list| &list.0).try_for_each(|one| redirection(one, script, at).map(drop))
        }
    }
}

fn compound(compound: &CompoundCommand, script: &mut Script, at: At, before: Option<&'static str>) -> Done {
    let arithmetic = |text: &str, script: &mut Script| script.opaque |= text.contains(['$', '`', '[']);
    match compound {
        CompoundCommand::Arithmetic(it) => arithmetic(&it.expr.value, script),
        CompoundCommand::ArithmeticForClause(it) => {
            for part in [&it.initializer, &it.condition, &it.updater].into_iter().flatten() {
                arithmetic(&part.value, script);
            }
            compound_list(&it.body.list, script, at, before)?;
        }
        CompoundCommand::BraceGroup(it) => drop(compound_list(&it.list, script, at, before)?),
        CompoundCommand::Subshell(it) => drop(compound_list(&it.list, script, at, before)?),
        CompoundCommand::ForClause(it) => {
            for value in it.values.iter().flatten() {
                substitutions(&word::read(&value.value), script, at)?;
            }
            compound_list(&it.body.list, script, at, before)?;
        }
        CompoundCommand::CaseClause(it) => {
            substitutions(&word::read(&it.value.value), script, at)?;
            for case in &it.cases {
                for pattern in &case.patterns {
                    substitutions(&word::read(&pattern.value), script, at)?;
                }
                if let Some(list) = &case.cmd {
                    compound_list(list, script, at, Some(";"))?;
                }
            }
        }
        CompoundCommand::IfClause(it) => {
            compound_list(&it.condition, script, at, before)?;
            compound_list(&it.then, script, at, Some(";"))?;
            for part in it.elses.iter().flatten() {
                if let Some(condition) = &part.condition {
                    compound_list(condition, script, at, Some(";"))?;
                }
                compound_list(&part.body, script, at, Some(";"))?;
            }
        }
        CompoundCommand::WhileClause(it) | CompoundCommand::UntilClause(it) => {
            compound_list(&it.0, script, at, before)?;
            compound_list(&it.1.list, script, at, Some(";"))?;
        }
        CompoundCommand::Coprocess(it) => command(&it.body, script, at, before)?,
    }
    Ok(())
}

fn simple(from: &ast::SimpleCommand, script: &mut Script, at: At, before: Option<&'static str>) -> Done {
    let mut simple = Simple { operator: before.filter(|_| !at.inside), inside: at.inside, ..Simple::default() };
    let mut inner: Vec<Read> = Vec::new();
    let mut processes = Vec::new();
    let mut take = |item: &Item, simple: &mut Simple, script: &mut Script| -> Done {
        match item {
            Item::Word(word) => inner.push(keep_word(&word.value, simple)),
            Item::AssignmentWord(_, word) if simple.words.is_empty() => {
                let read = word::read(&word.value);
                simple.assignments.push(word.value.clone());
                script.opaque |= word.value.contains("$(") && read.substitutions.is_empty();
                inner.push(read);
            }
            Item::AssignmentWord(_, word) => inner.push(keep_word(&word.value, simple)),
            Item::IoRedirect(redirect) => simple.redirections.push(redirection(redirect, script, at)?),
            Item::ProcessSubstitution(_, shell) => {
                simple.words.push(Word { raw: "<(…)".into(), literal: None });
                processes.push(shell.list.clone());
            }
        }
        Ok(())
    };
    for item in from.prefix.iter().flat_map(|prefix| &prefix.0) {
        take(item, &mut simple, script)?;
    }
    if let Some(name) = &from.word_or_name {
        take(&Item::Word(name.clone()), &mut simple, script)?;
    }
    for item in from.suffix.iter().flat_map(|suffix| &suffix.0) {
        take(item, &mut simple, script)?;
    }
    keep(simple, script, at.within)?;
    inner.iter().try_for_each(|read| substitutions(read, script, at))?;
    for list in &processes {
        script.compound = true;
        compound_list(list, script, At { inside: true, ..at }, None)?;
    }
    Ok(())
}

fn keep_word(raw: &str, simple: &mut Simple) -> Read {
    let mut read = word::read(raw);
    simple.words.push(Word { raw: raw.to_owned(), literal: read.literal.take() });
    read
}

/// Keeps a command, and after it what it runs in turn.
pub(super) fn keep(simple: Simple, script: &mut Script, within: usize) -> Done {
    if script.commands.len() >= COMMANDS {
        return Err(Unreadable(format!("it has more than {COMMANDS} commands")));
    }
    let behind = wrap::behind(&simple);
    // A program that has to be expanded first may be any.
    script.opaque |= simple.words.first().is_some_and(|word| word.literal.is_none());
    script.commands.push(simple);
    match behind {
        wrap::Behind::Nothing => Ok(()),
        wrap::Behind::Opaque => {
            script.opaque = true;
            Ok(())
        }
        wrap::Behind::Words(words) => {
            if within >= super::WITHIN * 4 {
                return Err(Unreadable("it is nested too deep".into()));
            }
            keep(Simple { words, inside: true, ..Simple::default() }, script, within + 1)
        }
        wrap::Behind::Text(text) => read_into(&text, script, within + 1),
    }
}

fn substitutions(read: &Read, script: &mut Script, at: At) -> Done {
    script.opaque |= read.opaque;
    for text in &read.substitutions {
        script.compound = true;
        read_into(text, script, at.within + 1)?;
    }
    Ok(())
}

/// As it is written; what it substitutes is walked too.
fn redirection(redirect: &IoRedirect, script: &mut Script, at: At) -> Result<String, Unreadable> {
    match redirect {
        IoRedirect::File(_, _, target) => match target {
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                substitutions(&word::read(&word.value), script, at)?;
            }
            IoFileRedirectTarget::Fd(_) => {}
            IoFileRedirectTarget::ProcessSubstitution(_, shell) => {
                script.compound = true;
                compound_list(&shell.list, script, At { inside: true, ..at }, None)?;
            }
        },
        IoRedirect::HereDocument(_, document) => {
            if document.requires_expansion {
                substitutions(&word::read_document(&document.doc.value), script, at)?;
            }
        }
        IoRedirect::HereString(_, word) | IoRedirect::OutputAndError(word, _) => {
            substitutions(&word::read(&word.value), script, at)?;
        }
    }
    Ok(redirect.to_string())
}
