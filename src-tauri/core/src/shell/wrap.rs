//! Programs that run another one which is named in their own words: what that is, as far as it can be told.

use super::{Simple, Word, base_name, runners};

/// What stands behind a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Nothing that its words name.
    Nothing,
    /// Something, and it can't be told what.
    Opaque,
    /// The words of another command.
    Words(Vec<Word>),
    /// A text that a shell reads.
    Text(String),
}

/// A program that runs the rest of its words.
struct Wrapper {
    names: &'static [&'static str],
    /// Flags that take the next word.
    values: &'static [&'static str],
    /// Flags that take none.
    bare: &'static [&'static str],
    /// Words of its own before the program's.
    own: usize,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas"],
        values: &[
            "-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t", "--user", "--group", "--chdir",
            "--prompt",
        ],
        bare: &["-n", "-E", "-H", "-k", "-K", "-S", "-A", "-b", "-P", "--non-interactive", "--preserve-env", "--stdin"],
        own: 0,
    },
    Wrapper {
        names: &["env"],
        values: &["-u", "-C", "--unset", "--chdir"],
        bare: &["-i", "-", "-0", "--ignore-environment", "--null"],
        own: 0,
    },
    Wrapper {
        names: &["xargs"],
        values: &[
            "-I",
            "-n",
            "-L",
            "-P",
            "-s",
            "-d",
            "-E",
            "-a",
            "--max-args",
            "--max-procs",
            "--delimiter",
            "--arg-file",
        ],
        bare: &["-0", "-r", "-t", "-p", "-x", "--null", "--no-run-if-empty", "--verbose"],
        own: 0,
    },
    Wrapper {
        names: &[
            "nohup",
            "setsid",
            "exec",
            "builtin",
            "command",
            "busybox",
            "toybox",
            "caffeinate",
            "unbuffer",
            "noglob",
        ],
        values: &["-a"],
        bare: &["-p", "-c", "-l", "-f", "-w", "-i", "-d", "-s"],
        own: 0,
    },
    Wrapper { names: &["nice"], values: &["-n", "--adjustment"], bare: &[], own: 0 },
    Wrapper { names: &["ionice"], values: &["-c", "-n", "--class", "--classdata"], bare: &["-t"], own: 0 },
    Wrapper {
        names: &["timeout", "gtimeout"],
        values: &["-s", "-k", "--signal", "--kill-after"],
        bare: &["-v", "-p", "-f", "--foreground", "--preserve-status", "--verbose"],
        own: 1,
    },
    Wrapper { names: &["time"], values: &["-f", "-o", "--format", "--output"], bare: &["-p", "-v", "-a"], own: 0 },
    Wrapper { names: &["stdbuf"], values: &["-i", "-o", "-e"], bare: &[], own: 0 },
    Wrapper { names: &["taskset", "chroot"], values: &[], bare: &["-a"], own: 1 },
    Wrapper { names: &["flock"], values: &["-w", "-E"], bare: &["-n", "-x", "-s", "-u", "-o", "-F"], own: 1 },
];

const SHELLS: [&str; 10] = ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh"];
const SSH_VALUES: &str = "BbcDEeFIiJLlmOopQRSWw";

/// What a command runs besides itself.
pub(super) fn behind(simple: &Simple) -> Behind {
    let Some(program) = simple.program() else { return Behind::Nothing };
    let rest = &simple.words[1..];
    if SHELLS.contains(&program) {
        return shell(rest);
    }
    match program {
        "eval" => joined(rest),
        "trap" if rest.len() > 1 => joined(&rest[..1]),
        "watch" => text_after_flags(rest, "nd"),
        "su" | "runuser" | "script" => after_flag(rest, &["-c", "--command"]),
        "ssh" => ssh(rest),
        "find" | "gfind" => find(rest),
        "command" if rest.first().is_some_and(|word| is(word, "-v") || is(word, "-V")) => Behind::Nothing,
        "env" if rest.iter().any(|word| word.raw.starts_with("-S") || word.raw.starts_with("--split")) => {
            Behind::Opaque
        }
        "flock" if rest.iter().any(|word| is(word, "-c")) => after_flag(rest, &["-c"]),
        program => match WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&program)) {
            Some(wrapper) => wrapped(wrapper, rest),
            None => other(simple),
        },
    }
}

fn other(simple: &Simple) -> Behind {
    let Some(words) = simple.literals() else { return Behind::Nothing };
    if runners::runs_another(&words) { Behind::Opaque } else { Behind::Nothing }
}

fn is(word: &Word, text: &str) -> bool {
    word.literal.as_deref() == Some(text)
}

fn wrapped(wrapper: &Wrapper, rest: &[Word]) -> Behind {
    let mut at = 0;
    let mut own = wrapper.own;
    while let Some(word) = rest.get(at) {
        let Some(text) = word.literal.as_deref() else { return Behind::Opaque };
        if text == "--" {
            at += 1;
            break;
        } else if wrapper.values.contains(&text) {
            at += 2;
        } else if wrapper.bare.contains(&text) || wrapper.values.iter().any(|flag| glued(flag, text)) {
            at += 1;
        } else if text.starts_with('-') {
            // Whether it takes the next word is not known here.
            return Behind::Opaque;
        } else if is_assignment(text) {
            at += 1;
        } else if own > 0 {
            own -= 1;
            at += 1;
        } else {
            break;
        }
    }
    match rest.get(at..) {
        Some(words) if !words.is_empty() => Behind::Words(words.to_vec()),
        Some(_) | None => Behind::Nothing,
    }
}

/// `-n5`, `--user=x`.
fn glued(flag: &str, text: &str) -> bool {
    match flag.strip_prefix("--") {
        Some(_) => text.strip_prefix(flag).is_some_and(|rest| rest.starts_with('=')),
        None => text.len() > flag.len() && text.starts_with(flag),
    }
}

fn is_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn shell(rest: &[Word]) -> Behind {
    let mut command = false;
    for (n, word) in rest.iter().enumerate() {
        let Some(text) = word.literal.as_deref() else { return Behind::Opaque };
        let flag = text.starts_with('-') || text.starts_with('+');
        if !flag && command {
            return joined(&rest[n..=n]);
        }
        if !flag {
            // A script, as any program is one.
            return Behind::Nothing;
        }
        command |= text == "--command" || (!text.starts_with("--") && text.contains('c'));
        if matches!(text, "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file") {
            return Behind::Opaque;
        }
    }
    // It reads what it is fed.
    Behind::Opaque
}

/// Words that become one text for a shell.
fn joined(words: &[Word]) -> Behind {
    let literals: Option<Vec<&str>> = words.iter().map(|word| word.literal.as_deref()).collect();
    match literals {
        Some(literals) if !literals.is_empty() => Behind::Text(literals.join(" ")),
        Some(_) => Behind::Nothing,
        None => Behind::Opaque,
    }
}

fn text_after_flags(rest: &[Word], values: &str) -> Behind {
    let mut at = 0;
    while let Some(text) = rest.get(at).and_then(|word| word.literal.as_deref()).filter(|text| text.starts_with('-')) {
        let takes = text.len() == 2 && text.ends_with(|c| values.contains(c));
        at += if takes { 2 } else { 1 };
    }
    joined(rest.get(at..).unwrap_or_default())
}

fn after_flag(rest: &[Word], flags: &[&str]) -> Behind {
    match rest.iter().position(|word| flags.iter().any(|flag| is(word, flag))) {
        Some(at) => joined(rest.get(at + 1..=at + 1).unwrap_or_default()),
        None => Behind::Opaque,
    }
}

fn ssh(rest: &[Word]) -> Behind {
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        let Some(text) = word.literal.as_deref() else { return Behind::Opaque };
        if !text.starts_with('-') {
            return match rest.get(at + 1..) {
                Some(command) if !command.is_empty() => joined(command),
                Some(_) | None => Behind::Opaque,
            };
        }
        let takes = text.len() == 2 && text.ends_with(|c| SSH_VALUES.contains(c));
        at += if takes { 2 } else { 1 };
    }
    Behind::Opaque
}

fn find(rest: &[Word]) -> Behind {
    const RUNS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
    let starts: Vec<usize> = (0..rest.len()).filter(|n| RUNS.iter().any(|flag| is(&rest[*n], flag))).collect();
    match starts.as_slice() {
        [] => Behind::Nothing,
        [only] => {
            let words = &rest[only + 1..];
            let end = words.iter().position(|word| is(word, ";") || is(word, "+")).unwrap_or(words.len());
            Behind::Words(words[..end].to_vec())
        }
        _ => Behind::Opaque,
    }
}

/// Whether a program is a shell.
pub(super) fn is_shell(program: &str) -> bool {
    SHELLS.contains(&base_name(program))
}
