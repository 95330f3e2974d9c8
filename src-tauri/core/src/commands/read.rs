//! Reading the file. Each mistake names its place, the field, what is allowed and the way out.

use super::paths::is_absolute;
use super::{Command, Commands, CommandsError, Target};
use crate::limit;
use rapidfuzz::distance::osa;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Fields of a check; a target has `protected` as well.
const FIELDS: [&str; 5] = ["run", "dir", "env", "timeout_seconds", "protected"];
/// What people write for a field.
const ALIASES: [(&str, &str); 17] = [
    ("args", "run"),
    ("argv", "run"),
    ("cmd", "run"),
    ("command", "run"),
    ("exec", "run"),
    ("script", "run"),
    ("cwd", "dir"),
    ("directory", "dir"),
    ("folder", "dir"),
    ("workdir", "dir"),
    ("working_directory", "dir"),
    ("environment", "env"),
    ("timeout", "timeout_seconds"),
    ("protect", "protected"),
    ("check", "checks"),
    ("environments", "targets"),
    ("target", "targets"),
];
/// Targets that are protected unless the file says otherwise.
const PROTECTED: [&str; 3] = ["production", "prod", "live"];

/// Of a text that is wrong so many characters are shown.
const SHOWN: usize = 40;

/// A mistake and the byte that it is at.
struct Mistake(usize, String);

type Read<T> = Result<T, Mistake>;

pub(super) fn parse(text: &str) -> Result<Commands, CommandsError> {
    let whole = text;
    let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
    read(text).map_err(|Mistake(at, message)| {
        let before = &text[..text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        CommandsError { line: number(line), column: number(column), message }
    })
}

fn read(text: &str) -> Read<Commands> {
    let (found, limit) = (text.len(), limit::COMMANDS_BYTES);
    if found > limit {
        return Err(Mistake(0, format!("the file has {found} bytes; {limit} are allowed")));
    }
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Mistake(at, format!("it isn't TOML: {}; correct it there", error.message().replace('\n', ", ")))
    })?;
    let mut commands = Commands::default();
    for (key, value) in in_order(document.get_ref()) {
        match key.get_ref().as_ref() {
            "checks" => commands.checks = all("checks", value)?.into_iter().map(check).collect::<Read<_>>()?,
            "targets" => commands.targets = all("targets", value)?.into_iter().map(target).collect::<Read<_>>()?,
            name => {
                let known = suggestion(name, &["checks", "targets"]);
                return Err(Mistake(
                    key.span().start,
                    format!("`{}` isn't known here; there are [checks.NAME] and [targets.NAME]{known}", shown(name)),
                ));
            }
        }
    }
    Ok(commands)
}

/// A declared command: its name, where that stands, and its fields.
struct Declared<'a, 'i> {
    name: &'a str,
    /// As the file has it, for messages: `checks.unit`.
    path: String,
    at: usize,
    fields: &'a DeTable<'i>,
}

/// The tables of `checks` or `targets`, with their names checked.
fn all<'a, 'i>(kind: &str, value: &'a Spanned<DeValue<'i>>) -> Read<Vec<Declared<'a, 'i>>> {
    let tables =
        value.get_ref().as_table().ok_or_else(|| wrong(value, kind, &format!("tables, as in [{kind}.NAME]")))?;
    let mut all = Vec::new();
    for (key, value) in in_order(tables) {
        let (name, at) = (key.get_ref().as_ref(), key.span().start);
        if all.len() == limit::COMMANDS {
            return Err(Mistake(
                at,
                format!("`{kind}` has more than {} entries; that many are allowed", limit::COMMANDS),
            ));
        }
        let letters = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if name.is_empty() || name.chars().count() > limit::COMMAND_NAME_CHARS || !name.chars().all(letters) {
            let limit = limit::COMMAND_NAME_CHARS;
            let message = format!(
                "`{kind}` has the name “{}”; a name is 1 to {limit} letters of A to Z, digits, `_`, `.` and `-`",
                shown(name)
            );
            return Err(Mistake(at, message));
        }
        let path = format!("{kind}.{name}");
        let example = format!("a table, as in [{path}] with `run = [\"make\", \"{name}\"]`");
        let fields = value.get_ref().as_table().ok_or_else(|| wrong(value, &path, &example))?;
        all.push(Declared { name, path, at, fields });
    }
    Ok(all)
}

fn check(declared: Declared<'_, '_>) -> Read<Command> {
    let (command, protected) = command(&declared)?;
    match protected {
        None => Ok(command),
        Some((at, _)) => Err(Mistake(at, format!("`{}.protected` is only for targets; leave it out", declared.path))),
    }
}

fn target(declared: Declared<'_, '_>) -> Read<Target> {
    let (command, protected) = command(&declared)?;
    let by_name = PROTECTED.iter().any(|name| name.eq_ignore_ascii_case(&command.name));
    Ok(Target { protected: protected.map_or(by_name, |(_, protected)| protected), command })
}

/// A command, and what it says of protection and where.
fn command(declared: &Declared<'_, '_>) -> Read<(Command, Option<(usize, bool)>)> {
    let mut run = None;
    let mut command = Command {
        name: declared.name.to_owned(),
        run: Vec::new(),
        dir: ".".to_owned(),
        env: Vec::new(),
        timeout_seconds: limit::TIMEOUT_SECONDS_DEFAULT,
    };
    let mut protected = None;
    for (key, value) in in_order(declared.fields) {
        let name = key.get_ref().as_ref();
        let field = format!("{}.{}", declared.path, shown(name));
        match name {
            "run" => run = Some(arguments(&field, value)?),
            "dir" => command.dir = folder(&field, value)?,
            "env" => command.env = variables(&field, value)?,
            "timeout_seconds" => command.timeout_seconds = seconds(&field, value)?,
            "protected" => {
                let told = value.get_ref().as_bool().ok_or_else(|| wrong(value, &field, "true or false"))?;
                protected = Some((key.span().start, told));
            }
            _ => {
                let message =
                    format!("`{field}` isn't known; the fields are {}{}", FIELDS.join(", "), suggestion(name, &FIELDS));
                return Err(Mistake(key.span().start, message));
            }
        }
    }
    command.run = run.ok_or_else(|| {
        let message = format!(
            "`{0}` has no `run`; say what to run, as in `run = [\"make\", \"{1}\"]`",
            declared.path, declared.name
        );
        Mistake(declared.at, message)
    })?;
    Ok((command, protected))
}

fn arguments(field: &str, value: &Spanned<DeValue<'_>>) -> Read<Vec<String>> {
    let takes = "a list of texts, as in [\"make\", \"test\"]; no shell reads it, so each argument is one text";
    let list = value.get_ref().as_array().ok_or_else(|| wrong(value, field, takes))?;
    let (found, range) = (list.iter().count(), limit::ARGUMENTS);
    if !range.contains(&found) {
        let message = format!("`{field}` has {found} entries; {} to {} are allowed", range.start(), range.end());
        return Err(Mistake(value.span().start, message));
    }
    let mut run = Vec::with_capacity(found);
    for (at, value) in list.iter().enumerate() {
        let field = format!("{field}[{}]", at + 1);
        let argument = text(&field, value, "a text, in quotes")?;
        if at == 0 && argument.trim().is_empty() {
            return Err(Mistake(value.span().start, format!("`{field}` is empty; it is the program to run")));
        }
        run.push(argument.to_owned());
    }
    Ok(run)
}

/// A text without NUL, of the length that an argument may have.
fn text<'a>(field: &str, value: &'a Spanned<DeValue<'_>>, takes: &str) -> Read<&'a str> {
    let text = value.get_ref().as_str().ok_or_else(|| wrong(value, field, takes))?;
    let at = value.span().start;
    let (found, limit) = (text.chars().count(), limit::ARGUMENT_CHARS);
    if found > limit {
        return Err(Mistake(at, format!("`{field}` has {found} characters; {limit} are allowed")));
    }
    if text.contains('\0') {
        return Err(Mistake(at, format!("`{field}` contains a NUL character (U+0000); remove it")));
    }
    Ok(text)
}

/// A folder inside the workspace, with one `/` between its names.
fn folder(field: &str, value: &Spanned<DeValue<'_>>) -> Read<String> {
    let dir = text(field, value, "a folder's path from the workspace's folder, in quotes")?;
    let wrong = |why: &str| Err(Mistake(value.span().start, format!("`{field}` is “{}”; {why}", shown(dir))));
    if dir.is_empty() {
        return wrong("give a folder, or leave it out for the workspace's own");
    }
    if is_absolute(dir) {
        return wrong("give it from the workspace's folder, without the beginning");
    }
    if dir.contains('\\') {
        return wrong("write `/` between folders, on every system");
    }
    if dir.chars().any(char::is_control) {
        return wrong("take the control character out");
    }
    let parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return wrong("a command runs inside the workspace; name the folder without `..`");
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

fn variables(field: &str, value: &Spanned<DeValue<'_>>) -> Read<Vec<String>> {
    let takes = "a list of variables' names, as in [\"CI\"]; their values come from where the app was started";
    let list = value.get_ref().as_array().ok_or_else(|| wrong(value, field, takes))?;
    let mut names: Vec<String> = Vec::new();
    for (at, value) in list.iter().enumerate() {
        let field = format!("{field}[{}]", at + 1);
        let name = text(&field, value, "a variable's name, in quotes")?;
        let mistake = |message: String| Err(Mistake(value.span().start, format!("`{field}` {message}")));
        if at == limit::VARIABLES {
            return mistake(format!("is one too many; {} are allowed", limit::VARIABLES));
        }
        if let Some((name, _)) = name.split_once('=') {
            return mistake(format!("gives a value; give the name alone, as in \"{}\"", shown(name)));
        }
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(letters) || name.len() > limit::VARIABLE_CHARS {
            let limit = limit::VARIABLE_CHARS;
            return mistake(format!(
                "is “{}”; a name is 1 to {limit} letters of A to Z, digits and `_`, and begins with no digit",
                shown(name)
            ));
        }
        if let Some(why) = refused(name) {
            return mistake(format!("is {name}, {why}; leave it out"));
        }
        if names.iter().any(|other| other == name) {
            return mistake(format!("is {name} again; leave it out"));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Why a variable is never passed on.
fn refused(name: &str) -> Option<&'static str> {
    let upper = name.to_ascii_uppercase();
    match upper.as_str() {
        "PATH" => Some("which is fixed when the commands are trusted"),
        _ if upper.starts_with("LD_") || upper.starts_with("DYLD_") => {
            Some("which would load other code into every program that was trusted")
        }
        _ if upper.starts_with("COUNTERSIGN_") => Some("which Countersign sets itself"),
        _ => None,
    }
}

fn seconds(field: &str, value: &Spanned<DeValue<'_>>) -> Read<u32> {
    let range = limit::TIMEOUT_SECONDS;
    let takes = format!("a whole number of seconds from {} to {}", range.start(), range.end());
    let number = value.get_ref().as_integer().ok_or_else(|| wrong(value, field, &takes))?;
    let seconds = u32::from_str_radix(number.as_str(), number.radix()).ok().filter(|n| range.contains(n));
    seconds.ok_or_else(|| Mistake(value.span().start, format!("`{field}` is {}; give {takes}", shown(number.as_str()))))
}

/// Another kind of value than it takes.
fn wrong(value: &Spanned<DeValue<'_>>, field: &str, takes: &str) -> Mistake {
    let found = match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Mistake(value.span().start, format!("`{field}` is {found}; give {takes}"))
}

/// A text from the file in a message: the beginning of a long one, control characters escaped.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(SHOWN) {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// What was meant, as far as one can tell.
fn suggestion(name: &str, known: &[&str]) -> String {
    let folded = name.to_lowercase().replace('-', "_");
    let alias = ALIASES.iter().find(|(alias, _)| *alias == folded).map(|(_, meant)| *meant);
    let close = || {
        let distance =
            |word: &&&str| (folded.chars().count() < 64).then(|| osa::distance(folded.chars(), word.chars()));
        known.iter().filter(|word| distance(word).is_some_and(|n| n <= 2)).min_by_key(distance).copied()
    };
    match alias.filter(|meant| known.contains(meant)).or_else(close) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => String::new(),
    }
}

/// The entries of a table as they stand in the file.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
