//! Which commands run another program than the one they name, or a text of theirs as a program: no prefix covers those.
//!
//! A table of what is known, and of flags that mean it in most programs. It errs on the side of asking.

use super::wrap;

/// Programs that are there to run another one, whatever their words.
const ALWAYS: &[&str] = &[
    "sudo",
    "doas",
    "su",
    "pkexec",
    "runuser",
    "gosu",
    "su-exec",
    "env",
    "xargs",
    "parallel",
    "eval",
    "exec",
    "command",
    "builtin",
    "source",
    ".",
    "trap",
    "alias",
    "nohup",
    "nice",
    "ionice",
    "timeout",
    "gtimeout",
    "time",
    "setsid",
    "stdbuf",
    "unbuffer",
    "watch",
    "entr",
    "script",
    "expect",
    "strace",
    "ltrace",
    "gdb",
    "lldb",
    "taskset",
    "chrt",
    "flock",
    "chroot",
    "unshare",
    "nsenter",
    "setpriv",
    "systemd-run",
    "busybox",
    "toybox",
    "ssh",
    "autossh",
    "mosh",
    "rsh",
    "telnet",
    "tmux",
    "screen",
    "at",
    "batch",
    "crontab",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
    "nix-shell",
    "osascript",
    "open",
    "xdg-open",
    "start",
    "cmd",
    "powershell",
    "pwsh",
    "wsl",
    "vim",
    "vi",
    "nvim",
    "emacs",
    "ed",
    "ex",
    "caffeinate",
    "noglob",
    "enable",
    "coproc",
    "firejail",
    "bwrap",
    "proot",
    "fakeroot",
    "qemu",
    "wine",
    "direnv",
    "dotenv",
    "chpst",
    "daemonize",
    "socat",
    "nc",
    "ncat",
    "netcat",
];

/// A program's own ways to run another: one of these words anywhere after it.
const BY_WORD: &[(&str, &[&str])] = &[
    (
        "git",
        &[
            "-c",
            "filter-branch",
            "difftool",
            "mergetool",
            "submodule",
            "bisect",
            "daemon",
            "instaweb",
            "hook",
            "config",
            "credential",
        ],
    ),
    ("npm", &["exec", "x", "explore", "config", "set", "edit"]),
    ("pnpm", &["exec", "dlx", "config"]),
    ("yarn", &["exec", "dlx", "config"]),
    ("bun", &["x", "-e", "--eval", "-p"]),
    ("deno", &["eval", "repl"]),
    ("uv", &["run", "tool"]),
    ("poetry", &["run", "shell", "config"]),
    ("pipenv", &["run", "shell"]),
    ("pdm", &["run"]),
    ("hatch", &["run", "shell"]),
    ("rye", &["run"]),
    ("conda", &["run"]),
    ("mamba", &["run"]),
    ("bundle", &["exec", "config"]),
    ("docker", &["run", "exec", "compose", "create", "buildx"]),
    ("podman", &["run", "exec", "compose", "create", "unshare"]),
    ("docker-compose", &["run", "exec", "up"]),
    ("kubectl", &["exec", "run", "debug", "attach", "cp", "proxy", "port-forward"]),
    ("nix", &["run", "shell", "develop", "eval", "repl"]),
    ("flatpak", &["run"]),
    ("snap", &["run"]),
    ("adb", &["shell", "exec-out"]),
    ("vagrant", &["ssh"]),
    ("gcloud", &["ssh", "config"]),
    ("gh", &["alias", "extension", "api", "config", "codespace"]),
    ("cargo", &["--config"]),
    ("go", &["-exec", "-toolexec", "-vettool", "env"]),
    ("pip", &["config"]),
    ("just", &["--command", "-c", "--shell"]),
    ("man", &["-P", "-H"]),
    ("tar", &["-I", "-F"]),
    ("rsync", &["-e"]),
    ("scp", &["-S", "-o"]),
    ("sftp", &["-S", "-o"]),
    ("fd", &["-x", "-X"]),
    ("fdfind", &["-x", "-X"]),
    ("zip", &["-TT"]),
    ("less", &["+!"]),
    ("pytest", &["-p", "-c"]),
    ("gradle", &["-I"]),
    ("gcc", &["-wrapper"]),
    ("make", &["-f", "--eval", "-E", "-C"]),
    ("mysql", &["-e"]),
    ("sqlite3", &["-cmd", "-init"]),
    ("tcpdump", &["-z"]),
    ("sort", &["-o"]),
    ("tree", &["-o"]),
    ("xxd", &["-r"]),
];

/// Flags that name a program, or are one, in whatever program they stand; with `=` and a value too.
const FLAGS: &[&str] = &[
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-fprintf",
    "-fprint",
    "-fprint0",
    "-fls",
    "--exec",
    "--execdir",
    "--exec-batch",
    "--exec-path",
    "--eval",
    "--command",
    "--pre",
    "--pre-glob",
    "--rsh",
    "--shell",
    "--script-shell",
    "--to-command",
    "--use-compress-program",
    "--compress-program",
    "--checkpoint-action",
    "--toolexec",
    "-toolexec",
    "--upload-pack",
    "--receive-pack",
    "--extcmd",
    "--ext-diff",
    "--open-files-in-pager",
    "--pager",
    "--editor",
    "--config-env",
    "--init-script",
    "--rsync-path",
    "--preload",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "--use-askpass",
    "--execute",
    "--info-script",
    "--new-volume-script",
    "--unzip-command",
    "--post-file",
    "--output",
    "--output-document",
    "--hook",
    "--prepare",
    "--run",
    "--plugin",
];

/// Interpreters: the letters in a cluster of short flags that make the next word a program.
const INTERPRETERS: &[(&str, &str)] = &[
    ("python", "c"),
    ("pypy", "c"),
    ("perl", "eEMmIx"),
    ("ruby", "erI"),
    ("node", "epr"),
    ("nodejs", "epr"),
    ("php", "rBRE"),
    ("lua", "el"),
    ("luajit", "el"),
    ("tclsh", "c"),
    ("julia", "eEL"),
    ("Rscript", "e"),
    ("R", "e"),
    ("ghc", "e"),
    ("runghc", "e"),
    ("elixir", "er"),
    ("erl", "e"),
    ("swift", "e"),
    ("scala", "e"),
    ("groovy", "e"),
    ("clojure", "e"),
    ("bb", "e"),
    ("guile", "cel"),
    ("racket", "e"),
    ("sbcl", "e"),
    ("psql", "c"),
    ("jshell", "R"),
];

/// Whether a command of these words runs another program than its first word, or one of its words as a program.
pub fn runs_another(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return true };
    let program = super::base_name(first);
    if ALWAYS.contains(&program) || wrap::is_shell(program) {
        return true;
    }
    if rest.iter().any(|word| FLAGS.iter().any(|flag| is_flag(word, flag))) {
        return true;
    }
    if BY_WORD
        .iter()
        .any(|(name, own)| *name == program && rest.iter().any(|word| own.contains(word) || glued(program, word)))
    {
        return true;
    }
    if let Some((_, letters)) = INTERPRETERS.iter().find(|(name, _)| interpreter(program, name)) {
        let cluster = |word: &&str| {
            word.starts_with('-') && !word.starts_with("--") && word[1..].contains(|c| letters.contains(c))
        };
        // What it fetches it runs; a lone `-` is what it is fed, and nothing at all too.
        let fed = rest.is_empty() || rest.contains(&"-");
        return fed
            || rest.iter().any(cluster)
            || rest.iter().any(|word| word.contains("://") || word.starts_with("data:"));
    }
    program == "sed" && !sed_prints(rest)
}

fn is_flag(word: &str, flag: &str) -> bool {
    word.strip_prefix(flag).is_some_and(|after| after.is_empty() || after.starts_with('='))
}

/// `-calias.x=…`, `-ecommand`: git's and rsync's short flags with their value in the same word.
fn glued(program: &str, word: &str) -> bool {
    match program {
        "git" => word.starts_with("-c") || (word.starts_with("-O") && word.len() > 2),
        "rsync" => word.starts_with("-e") || (!word.starts_with("--") && word.starts_with('-') && word.ends_with('e')),
        "tar" => word.starts_with("-I") || word.starts_with("-F"),
        "make" => word.contains('='),
        _ => false,
    }
}

/// `python`, `python3`, `python3.12`.
fn interpreter(program: &str, name: &str) -> bool {
    program.strip_prefix(name).is_some_and(|after| after.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// `sed -n 1,20p file` and the like: its other scripts can run and write.
fn sed_prints(rest: &[&str]) -> bool {
    let [flag, script, files @ ..] = rest else { return false };
    let print = script
        .strip_suffix('p')
        .is_some_and(|lines| !lines.is_empty() && lines.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '$'));
    *flag == "-n" && print && files.iter().all(|file| !file.starts_with('-'))
}
