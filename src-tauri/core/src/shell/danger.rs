//! Which commands destroy, and which reach the network: by their words, erring on the side of the stricter.

use super::Simple;

/// Programs that take something away for good, whatever their words.
const DESTROYERS: &[&str] = &[
    "rm",
    "rmdir",
    "unlink",
    "shred",
    "srm",
    "wipe",
    "wipefs",
    "dd",
    "fdisk",
    "sfdisk",
    "parted",
    "mkfs",
    "mke2fs",
    "mkswap",
    "blkdiscard",
    "truncate",
    "dropdb",
    "dropuser",
    "userdel",
    "groupdel",
    "deluser",
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "lvremove",
    "vgremove",
    "pvremove",
    "zpool",
    "del",
    "erase",
    "rd",
    "format",
    "trash",
    "rimraf",
    "fstrim",
    "cfdisk",
    "hdparm",
    "mkfs.ext4",
    "diskutil",
    "Remove-Item",
    "Clear-Content",
    "rclone",
    "bfg",
    "git-filter-repo",
];

/// Words after a program, in this order though not next to each other, that destroy.
const BY_WORDS: &[(&str, &[&str])] = &[
    ("git", &["clean"]),
    ("git", &["reset", "--hard"]),
    ("git", &["reset", "--merge"]),
    ("git", &["restore"]),
    ("git", &["rm"]),
    ("git", &["checkout", "--"]),
    ("git", &["checkout", "."]),
    ("git", &["checkout", "-f"]),
    ("git", &["checkout", "--force"]),
    ("git", &["switch", "-f"]),
    ("git", &["switch", "--force"]),
    ("git", &["switch", "--discard-changes"]),
    ("git", &["push", "--force"]),
    ("git", &["push", "-f"]),
    ("git", &["push", "--mirror"]),
    ("git", &["push", "--delete"]),
    ("git", &["push", "-d"]),
    ("git", &["push", "--prune"]),
    ("git", &["branch", "-D"]),
    ("git", &["branch", "-d"]),
    ("git", &["branch", "--delete"]),
    ("git", &["branch", "-f"]),
    ("git", &["tag", "-d"]),
    ("git", &["tag", "--delete"]),
    ("git", &["tag", "-f"]),
    ("git", &["stash", "drop"]),
    ("git", &["stash", "clear"]),
    ("git", &["reflog", "expire"]),
    ("git", &["reflog", "delete"]),
    ("git", &["gc"]),
    ("git", &["prune"]),
    ("git", &["update-ref"]),
    ("git", &["filter-branch"]),
    ("git", &["worktree", "remove"]),
    ("git", &["remote", "remove"]),
    ("git", &["remote", "rm"]),
    ("git", &["replace"]),
    ("find", &["-delete"]),
    ("fd", &["--exec", "rm"]),
    ("rsync", &["--remove-source-files"]),
    ("docker", &["rm"]),
    ("docker", &["rmi"]),
    ("docker", &["prune"]),
    ("docker", &["down"]),
    ("docker", &["kill"]),
    ("podman", &["rm"]),
    ("podman", &["rmi"]),
    ("podman", &["prune"]),
    ("docker-compose", &["down"]),
    ("docker-compose", &["rm"]),
    ("kubectl", &["delete"]),
    ("kubectl", &["drain"]),
    ("kubectl", &["replace", "--force"]),
    ("oc", &["delete"]),
    ("helm", &["uninstall"]),
    ("helm", &["delete"]),
    ("helm", &["rollback"]),
    ("terraform", &["destroy"]),
    ("terraform", &["apply"]),
    ("terraform", &["state"]),
    ("tofu", &["destroy"]),
    ("tofu", &["apply"]),
    ("pulumi", &["destroy"]),
    ("pulumi", &["up"]),
    ("cdk", &["destroy"]),
    ("serverless", &["remove"]),
    ("sls", &["remove"]),
    ("gsutil", &["rm"]),
    ("gsutil", &["rb"]),
    ("aws", &["rm"]),
    ("aws", &["rb"]),
    ("s3cmd", &["del"]),
    ("mc", &["rm"]),
    ("npm", &["unpublish"]),
    ("npm", &["deprecate"]),
    ("npm", &["publish"]),
    ("cargo", &["yank"]),
    ("cargo", &["publish"]),
    ("gem", &["yank"]),
    ("gem", &["push"]),
    ("twine", &["upload"]),
    ("redis-cli", &["flushall"]),
    ("redis-cli", &["flushdb"]),
    ("redis-cli", &["del"]),
    ("redis-cli", &["unlink"]),
    ("crontab", &["-r"]),
    ("launchctl", &["remove"]),
    ("apt", &["purge"]),
    ("apt-get", &["purge"]),
    ("heroku", &["apps:destroy"]),
    ("heroku", &["pg:reset"]),
    ("vercel", &["remove"]),
    ("flyctl", &["destroy"]),
    ("fly", &["destroy"]),
    ("rails", &["db:drop"]),
    ("rake", &["db:drop"]),
    ("rails", &["db:reset"]),
    ("rake", &["db:reset"]),
    ("mix", &["ecto.drop"]),
    ("prisma", &["reset"]),
    ("svn", &["delete"]),
    ("hg", &["strip"]),
    ("hg", &["purge"]),
    ("tmutil", &["delete"]),
];

/// Programs whose words name what is done to things elsewhere; `delete-stack`, `terminate-instances`.
const CLOUDS: &[&str] = &[
    "aws",
    "gcloud",
    "az",
    "gh",
    "glab",
    "doctl",
    "heroku",
    "flyctl",
    "fly",
    "oci",
    "ibmcloud",
    "linode-cli",
    "hcloud",
    "scw",
    "eksctl",
];
const CLOUD_WORDS: &[&str] = &["delete", "terminate", "destroy", "remove", "purge", "deregister", "drop", "wipe", "rm"];

/// Programs that talk to databases: what destroys is in a text.
const DATABASES: &[&str] = &[
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "sqlcmd",
    "mongosh",
    "mongo",
    "clickhouse-client",
    "cqlsh",
    "duckdb",
    "bq",
    "sqlplus",
    "usql",
    "pgcli",
    "mycli",
];
const STATEMENTS: &[&str] = &[
    "drop ",
    "truncate",
    "delete from",
    "dropdatabase",
    ".drop(",
    "deletemany",
    "delete_many",
    "alter table",
    ".remove(",
];

/// Programs that reach the network, whatever their words.
const REACHERS: &[&str] = &[
    "curl",
    "wget",
    "http",
    "https",
    "xh",
    "aria2c",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "ftp",
    "lftp",
    "telnet",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "ping",
    "traceroute",
    "dig",
    "nslookup",
    "host",
    "whois",
    "nmap",
    "mosh",
    "autossh",
    "aws",
    "gcloud",
    "az",
    "gsutil",
    "bq",
    "gh",
    "glab",
    "hub",
    "kubectl",
    "helm",
    "oc",
    "terraform",
    "tofu",
    "pulumi",
    "ansible",
    "ansible-playbook",
    "heroku",
    "vercel",
    "netlify",
    "flyctl",
    "fly",
    "wrangler",
    "firebase",
    "doctl",
    "rclone",
    "s3cmd",
    "mc",
    "psql",
    "mysql",
    "mongosh",
    "redis-cli",
    "twine",
    "sendmail",
    "mail",
    "mutt",
    "websocat",
    "grpcurl",
    "lynx",
    "w3m",
    "links",
    "yt-dlp",
    "youtube-dl",
    "apt",
    "apt-get",
    "dnf",
    "yum",
    "pacman",
    "apk",
    "brew",
    "port",
    "snap",
    "flatpak",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
    "conda",
    "mamba",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
    "iwr",
];

/// The same by a word of theirs.
const REACH_BY_WORD: &[(&str, &[&str])] = &[
    ("git", &["push", "pull", "fetch", "clone", "ls-remote", "remote", "submodule", "send-email"]),
    (
        "npm",
        &[
            "install",
            "i",
            "ci",
            "add",
            "update",
            "publish",
            "view",
            "login",
            "audit",
            "exec",
            "x",
            "outdated",
            "unpublish",
        ],
    ),
    ("pnpm", &["install", "i", "add", "update", "publish", "dlx"]),
    ("yarn", &["install", "add", "upgrade", "publish", "dlx"]),
    ("bun", &["install", "i", "add", "update", "publish", "x"]),
    ("pip", &["install", "download", "index", "search"]),
    ("pip3", &["install", "download", "index", "search"]),
    ("uv", &["add", "sync", "pip", "tool", "publish", "lock"]),
    ("poetry", &["install", "add", "update", "publish"]),
    ("cargo", &["install", "publish", "update", "add", "login", "search", "fetch", "yank"]),
    ("go", &["get", "install"]),
    ("gem", &["install", "push", "update"]),
    ("docker", &["pull", "push", "login", "search"]),
    ("podman", &["pull", "push", "login", "search"]),
];

/// Whether a command takes something away that can't be had again.
pub fn destroys(command: &Simple) -> bool {
    let Some(program) = command.program() else { return false };
    let words: Vec<&str> =
        command.words.iter().skip(1).map(|word| word.literal.as_deref().unwrap_or(&word.raw)).collect();
    if DESTROYERS.contains(&program) || program.starts_with("mkfs.") {
        return true;
    }
    if BY_WORDS.iter().any(|(name, wanted)| *name == program && in_order(&words, wanted)) {
        return true;
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let has = |wanted: &[&str]| lower.iter().any(|word| wanted.iter().any(|one| word.contains(one)));
    match program {
        // `:branch` deletes, `+branch` forces, and flags come in clusters and with values.
        "git" => {
            let push = words.contains(&"push")
                && words.iter().any(|word| word.starts_with([':', '+']) || word.starts_with("--force"));
            push || (words.contains(&"branch") && cluster(&words, "dD"))
                || (words.contains(&"push") && cluster(&words, "fd"))
        }
        "rsync" => words.iter().any(|word| word.starts_with("--del")),
        "tar" => words.contains(&"--remove-files") || words.contains(&"--delete"),
        "redis-cli" => has(&["flush", "del", "unlink"]),
        "systemctl" | "service" => has(&["poweroff", "reboot", "halt", "disable", "mask"]),
        "sh" | "bash" => false,
        _ if CLOUDS.contains(&program) => {
            lower.iter().any(|word| word.split(|c: char| !c.is_alphanumeric()).any(|part| CLOUD_WORDS.contains(&part)))
        }
        _ if DATABASES.contains(&program) => has(STATEMENTS),
        _ => false,
    }
}

/// Whether a command reaches the network.
pub fn reaches_network(command: &Simple) -> bool {
    let Some(program) = command.program() else { return false };
    let words = || command.words.iter().skip(1).filter_map(|word| word.literal.as_deref());
    REACHERS.contains(&program)
        || REACH_BY_WORD.iter().any(|(name, own)| *name == program && words().any(|word| own.contains(&word)))
        || command.redirections.iter().any(|one| one.contains("/dev/tcp/") || one.contains("/dev/udp/"))
}

fn in_order(words: &[&str], wanted: &[&str]) -> bool {
    let mut rest = words.iter();
    wanted.iter().all(|one| rest.any(|word| word == one))
}

fn cluster(words: &[&str], letters: &str) -> bool {
    let short = |word: &&str| word.starts_with('-') && !word.starts_with("--");
    words.iter().filter(|word| short(word)).any(|word| word.contains(|c| letters.contains(c)))
}
