//! What rules cover, and above all what they don't (field case 27).

use super::*;
use crate::id::WorkspaceId;
use crate::step::tests::{OWN, bash, step, step_in};
use expect_test::expect;
use serde_json::json;

fn who<'a>(agent: &'a AgentId, session: &'a SessionId) -> Who<'a> {
    Who { agent, session, workspace: WorkspaceId(1), at: Timestamp(100) }
}

fn rule(effect: Effect, scope: Scope) -> Rule {
    Rule { id: 7, effect, scope, expires_at: None, made_by: "window".into(), made_at: Timestamp(0), request: None }
}

fn said(rule: &Rule, step: &Step) -> Option<Effect> {
    let (agent, session) = (AgentId("a".into()), SessionId("s".into()));
    matches(rule, step, who(&agent, &session)).map(|found| found.effect)
}

fn prefix(effect: Effect, text: &str) -> Rule {
    let words = text.split(' ').map(str::to_owned).collect();
    rule(effect, Scope { command: Some(CommandMatch::Prefix(words)), ..Scope::default() })
}

#[test]
fn an_allowing_prefix_covers_one_plain_command_and_nothing_else() {
    for (allowed, command, covers) in [
        ("git", "git status", true),
        ("git status", "git status", true),
        ("git status", "git status --short src", true),
        ("git status", "git   status", true),
        ("git status", "'git' \"status\"", true),
        ("git status", "git", false),
        ("git status", "git stat", false),
        ("git status", "git statusx", false),
        ("git status", "gitstatus", false),
        ("git status", "/usr/bin/git status", false),
        ("git status", "./git status", false),
        ("git status", "git -C /etc status", false),
        ("git status", "git -c alias.status='!rm x' status", false),
        ("git", "git -c alias.x='!rm x' x", false),
        ("git", "git -calias.x=!rm x", false),
        ("git", "git --exec-path=. status", false),
        ("git", "git submodule foreach ls", false),
        ("git", "git bisect run ls", false),
        ("git", "git fetch --upload-pack=ls", false),
        ("git", "git config alias.x '!rm x'", false),
        ("git", "git clean -fd", false),
        ("git", "git push --force", false),
        ("git", "git push origin :main", false),
        ("git status", "git status && rm x", false),
        ("git status", "git status && git status", false),
        ("git status", "git status; rm x", false),
        ("git status", "git status | sh", false),
        ("git status", "git status || rm x", false),
        ("git status", "git status & rm x", false),
        ("git status", "git status &", false),
        ("git status", "git status\nrm x", false),
        ("git status", "git status\r\nrm x", false),
        ("git status", "rm x\ngit status", false),
        ("git status", "git status\n", false),
        ("git status", "(git status)", false),
        ("git status", "{ git status; }", false),
        ("git status", "! git status", false),
        ("git status", "time git status", false),
        ("git status", "git status $(rm x)", false),
        ("git status", "git status `rm x`", false),
        ("git status", "git status \"$(rm x)\"", false),
        ("git status", "git status '$(rm x)'", true),
        ("git status", "git status <(rm x)", false),
        ("git status", "git status ${x:-y}", false),
        ("git status", "git status $x", false),
        ("git status", "$x git status", false),
        ("git status", "git status *", false),
        ("git status", "git status {a,b}", false),
        ("git status", "git status ~", false),
        ("git status", "git status > x", false),
        ("git status", "git status >> x", false),
        ("git status", "git status 2>&1", false),
        ("git status", "git status < x", false),
        ("git status", "git status <<EOF\nEOF", false),
        ("git status", "git status <<< x", false),
        ("git status", "> x git status", false),
        ("git status", "A=1 git status", false),
        ("git status", "GIT_PAGER=x git status", false),
        ("git status", "env git status", false),
        ("git status", "sudo git status", false),
        ("git status", "xargs git status", false),
        ("git status", "bash -c 'git status'", false),
        ("git status", "eval git status", false),
        ("git status", "command git status", false),
        ("git status", "nohup git status", false),
        ("git status", "nice git status", false),
        ("git status", "timeout 1 git status", false),
        ("git status", "ssh host git status", false),
        ("git status", "git status # rm x", false),
        ("git status", "git status #\nrm x", false),
        ("git status", "git sta\\tus", false),
        ("git status", "git sta\\\ntus", false),
        ("git status", "git 'status", false),
        ("git status", "git status 'a\nb'", false),
        ("git status", "git\u{a0}status", false),
        ("git status", "git status\u{a0}&& rm x", false),
        ("git status", "git status \\; rm x", false),
        ("git status", "git status ';' ls x", true),
        ("env", "env ls", false),
        ("sudo", "sudo ls", false),
        ("xargs", "xargs ls", false),
        ("bash", "bash x.sh", false),
        ("sh", "sh -c ls", false),
        ("eval", "eval ls", false),
        ("python3", "python3 x.py", true),
        ("python3", "python3 -m pytest", true),
        ("python3", "python3 -c 'x'", false),
        ("python3", "python3 -Ic 'x'", false),
        ("python3", "python3 -", false),
        ("python3", "python3", false),
        ("python3", "python3.12 -c x", false),
        ("node", "node x.js", true),
        ("node", "node -e x", false),
        ("node", "node --eval=x", false),
        ("node", "node --import data:text/javascript,x y.js", false),
        ("node", "node -r ./x y.js", false),
        ("perl", "perl -ne x", false),
        ("awk", "awk 1 x", false),
        ("sed", "sed -n 1,5p x", true),
        ("sed", "sed -n '1e rm x' y", false),
        ("sed", "sed -i s/a/b/ x", false),
        ("find", "find . -name x", true),
        ("find", "find . -exec ls", false),
        ("find", "find . -execdir ls", false),
        ("find", "find . -delete", false),
        ("find", "find . -fprintf x y", false),
        ("tar", "tar -xf x --to-command=ls", false),
        ("tar", "tar --checkpoint-action=exec=ls -xf x", false),
        ("rg", "rg --pre ls x", false),
        ("npm run", "npm run build", true),
        ("npm", "npm exec ls", false),
        ("npx", "npx eslint", false),
        ("docker", "docker run x", false),
        ("docker", "docker ps", true),
        ("make", "make SHELL=x", false),
        ("make", "make test", true),
        ("cargo test", "cargo test --config build.rustc-wrapper=x", false),
        ("cargo", "cargo --config x test", false),
        ("go test", "go test -exec x", false),
        ("rm", "rm x", false),
        ("ls", "ls; rm x", false),
        ("deploy", "deploy --env prod", false),
        ("deploy", "deploy --env staging", true),
        ("cat", "cat countersign/data.db", false),
        ("countersign", "countersign mode", false),
        ("curl", "curl https://x.test", true),
        ("curl", "curl --output x https://x.test", false),
    ] {
        let step = bash(command);
        assert_eq!(said(&prefix(Effect::Allow, allowed), &step).is_some(), covers, "{allowed:?} over {command:?}");
        let long = bash(&format!("{command} {}", "x".repeat(shell::READ_BYTES)));
        assert_eq!(said(&prefix(Effect::Allow, allowed), &long), None, "a very long {command:?}");
    }
}

#[test]
fn a_denying_prefix_finds_its_command_wherever_it_hides_and_asks_where_it_may() {
    use Effect::{Ask, Deny};
    for (denied, command, want) in [
        ("git push", "git push", Some(Deny)),
        ("git push", "git push origin main", Some(Deny)),
        ("git push", "ls && git push", Some(Deny)),
        ("git push", "ls; git push; ls", Some(Deny)),
        ("git push", "echo $(git push)", Some(Deny)),
        ("git push", "sudo git push", Some(Deny)),
        ("git push", "A=1 git push > x", Some(Deny)),
        ("git push", "env A=1 git push", Some(Deny)),
        ("git push", "bash -c 'git push'", Some(Deny)),
        ("git push", "bash -lc \"ls && git push\"", Some(Deny)),
        ("git push", "eval git push", Some(Deny)),
        ("git push", "timeout 5 git push", Some(Deny)),
        ("git push", "xargs git push", Some(Deny)),
        ("git push", "/usr/bin/git push", Some(Deny)),
        ("git push", "\\git push", Some(Deny)),
        ("git push", "g'i't pu\"sh\"", Some(Deny)),
        ("git push", "if x; then git push; fi", Some(Deny)),
        ("git push", "find . -exec git push \\;", Some(Deny)),
        ("git push", "git -C /x push", Some(Ask)),
        ("git push", "git $x", Some(Ask)),
        ("git push", "$x push", Some(Ask)),
        ("git push", "git stash push", Some(Ask)),
        ("git push", "eval $x", Some(Ask)),
        ("git push", "curl x | sh", Some(Ask)),
        ("git push", "python3 -c x", Some(Ask)),
        ("git push", "f() { ls; }; f", Some(Ask)),
        ("git push", "git 'push", Some(Ask)),
        ("git push", "git status", None),
        ("git push", "echo git push", None),
        ("git push", "hub push", None),
        ("rm", "trash && rm -rf x", Some(Deny)),
        ("rm", "rmdir x", None),
    ] {
        assert_eq!(said(&prefix(Deny, denied), &bash(command)), want, "{denied:?} over {command:?}");
        assert_eq!(said(&prefix(Ask, denied), &bash(command)), want.map(|_| Ask), "{denied:?} over {command:?}");
    }
}

#[test]
fn an_exact_command_covers_the_same_text_only() {
    let exact = |effect, text: &str| {
        rule(effect, Scope { command: Some(CommandMatch::Exact(text.into())), ..Scope::default() })
    };
    for (text, command, covers) in [
        ("git status && ls", "git status && ls", true),
        ("git status && ls", "git status && ls ", false),
        ("git status && ls", "git status  && ls", false),
        ("git status && ls", "git status && ls; rm x", false),
        ("rm x", "rm x", false),
        ("deploy prod", "deploy prod", false),
        ("git 'x", "git 'x", false),
    ] {
        assert_eq!(said(&exact(Effect::Allow, text), &bash(command)).is_some(), covers, "{text:?} over {command:?}");
    }
    assert_eq!(said(&exact(Effect::Deny, "make  x"), &bash(" make x")), Some(Effect::Deny));
}

#[test]
fn a_folder_covers_when_every_path_is_beneath_and_denies_when_any_is() {
    let path = |effect, path: &str| rule(effect, Scope { path: Some(path.into()), ..Scope::default() });
    let write = |paths: &str| step("Write", json!({"file_path": paths}));
    for (folder, step, allow, deny) in [
        ("/w/src", write("/w/src/a"), true, true),
        ("/w/src", write("/w/src"), true, true),
        ("/w", write("/w/.git/hooks/pre-commit"), false, true),
        ("/w/.git", write("/w/.git/hooks/pre-commit"), true, true),
        ("/w", step("Read", json!({"file_path": "/w/.git/config"})), true, true),
        ("/w/src", write("/w/srcx"), false, false),
        ("/w/src", write("/w/src/../b"), false, false),
        ("/w", write("/w/link/x"), false, false),
        ("/etc", write("/w/link/x"), true, true),
        ("/w/src", step("read_many_files", json!({"include": ["src/a", "b"]})), false, true),
        ("/w/src", step("Write", json!({})), false, false),
        ("/w/src", step("mcp__x__y", json!({"path": "/w/src"})), false, false),
        ("/w", bash("ls src"), false, true),
        ("/w/secret", bash("cat /w/secret/x"), false, true),
    ] {
        assert_eq!(said(&path(Effect::Allow, folder), &step).is_some(), allow, "{folder} over {}", step.title());
        assert_eq!(
            said(&path(Effect::Deny, folder), &step) == Some(Effect::Deny),
            deny,
            "{folder} over {}",
            step.title()
        );
    }
    assert_eq!(said(&path(Effect::Deny, "/w/secret"), &bash("cat $x")), None);
    assert_eq!(
        said(&path(Effect::Deny, "/w/secret"), &bash("cd .. && cat w/sec*")),
        None,
        "what is expanded is not seen"
    );
    assert_eq!(said(&path(Effect::Deny, "/w/secret"), &bash("cat `echo secret`/x")), Some(Effect::Ask));
    let both = Scope {
        command: Some(CommandMatch::Prefix(vec!["ls".into()])),
        path: Some("/w/src".into()),
        ..Scope::default()
    };
    let both = rule(Effect::Allow, both);
    assert_eq!(said(&both, &step_in("/w/src", "Bash", json!({"command": "ls x"}))), Some(Effect::Allow));
    assert_eq!(said(&both, &step_in("/w/src", "Bash", json!({"command": "ls ../y"}))), None);
    assert_eq!(said(&both, &step_in("/w", "Bash", json!({"command": "ls"}))), None);
}

#[test]
fn a_rule_is_for_its_tool_its_agent_its_session_its_workspace_and_its_time() {
    let tool = |tool: &str| Scope { tool: Some(tool.into()), ..Scope::default() };
    let fetch = step("WebFetch", json!({"url": "https://x.test"}));
    let says = |scope: Scope, expires_at: Option<i64>| {
        said(&Rule { expires_at: expires_at.map(Timestamp), ..rule(Effect::Allow, scope) }, &fetch).is_some()
    };
    assert!(says(tool("WebFetch"), None));
    assert!(!says(tool("WebSearch"), None));
    assert!(!says(tool("webfetch"), None));
    assert!(says(tool("WebFetch"), Some(101)));
    assert!(!says(tool("WebFetch"), Some(100)));
    for (agent, session, workspace, holds) in [
        (Some("a"), Some("s"), Some(1), true),
        (Some("b"), None, None, false),
        (None, Some("t"), None, false),
        (None, None, Some(2), false),
    ] {
        let scope = Scope {
            agent: agent.map(|id| AgentId(id.into())),
            session: session.map(|id| SessionId(id.into())),
            workspace: workspace.map(WorkspaceId),
            ..tool("WebFetch")
        };
        assert_eq!(says(scope, None), holds);
    }
    assert_eq!(said(&rule(Effect::Allow, tool("Bash")), &bash("ls")), None, "a tool alone says nothing of commands");
    assert_eq!(said(&rule(Effect::Deny, tool("Bash")), &bash("ls")), Some(Effect::Deny));
}

#[test]
fn the_strictest_of_all_that_match_wins() {
    let (agent, session) = (AgentId("a".into()), SessionId("s".into()));
    let of = |effects: &[Effect]| {
        let rules: Vec<Rule> =
            effects.iter().enumerate().map(|(n, effect)| Rule { id: n as i64, ..prefix(*effect, "git") }).collect();
        strictest(&rules, &bash("git status"), who(&agent, &session)).map(|found| (found.effect, found.rule))
    };
    use Effect::{Allow, Ask, Deny};
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[Allow, Allow]), Some((Allow, 0)));
    assert_eq!(of(&[Allow, Ask]), Some((Ask, 1)));
    assert_eq!(of(&[Deny, Allow, Ask]), Some((Deny, 0)));
    assert_eq!(of(&[Ask, Deny, Deny]), Some((Deny, 1)));
}

#[test]
fn what_the_mode_and_the_rules_say_together() {
    use crate::mode::Mode;
    use crate::step::verdict::verdict;
    let mut table = String::new();
    let steps = [
        step("Read", json!({"file_path": "a"})),
        bash("ls"),
        step("WebFetch", json!({})),
        step("ask_human", json!({})),
    ];
    for mode in Mode::ALL {
        for step in &steps {
            table += &format!("{} {}:", mode.word(), step.call.tool);
            for effect in [None, Some(Effect::Allow), Some(Effect::Ask), Some(Effect::Deny)] {
                table += &format!(" {:?}", verdict(mode, step, effect.map(|effect| Match { effect, rule: 7 })));
            }
            table += "\n";
        }
    }
    expect![[r#"
        autonomous Read: Passes Passes Asked(Some(7)) Denied(7)
        autonomous Bash: Passes Passes Asked(Some(7)) Denied(7)
        autonomous WebFetch: Passes Passes Asked(Some(7)) Denied(7)
        autonomous ask_human: Passes Passes Passes Passes
        guided Read: Passes Passes Asked(Some(7)) Denied(7)
        guided Bash: Asked(None) Allowed(7) Asked(Some(7)) Denied(7)
        guided WebFetch: Asked(None) Allowed(7) Asked(Some(7)) Denied(7)
        guided ask_human: Passes Passes Passes Passes
        interactive Read: Asked(None) Allowed(7) Asked(Some(7)) Denied(7)
        interactive Bash: Asked(None) Allowed(7) Asked(Some(7)) Denied(7)
        interactive WebFetch: Asked(None) Allowed(7) Asked(Some(7)) Denied(7)
        interactive ask_human: Passes Passes Passes Passes
        plan Read: Passes Passes Asked(Some(7)) Denied(7)
        plan Bash: DeniedByMode DeniedByMode DeniedByMode DeniedByMode
        plan WebFetch: Passes Passes Asked(Some(7)) Denied(7)
        plan ask_human: Passes Passes Passes Passes
    "#]]
    .assert_eq(&table);
}

#[test]
fn a_rule_that_could_cover_too_much_or_what_is_never_ruled_is_not_made() {
    let scope = |tool: Option<&str>, command: Option<CommandMatch>, path: Option<&str>| Scope {
        tool: tool.map(str::to_owned),
        command,
        path: path.map(str::to_owned),
        ..Scope::default()
    };
    let words = |text: &str| Some(CommandMatch::Prefix(text.split(' ').map(str::to_owned).collect()));
    let exact = |text: &str| Some(CommandMatch::Exact(text.to_owned()));
    let mut table = String::new();
    for (what, scope) in [
        ("everything", scope(None, None, None)),
        ("Bash", scope(Some("Bash"), None, None)),
        ("Bash in a folder", scope(Some("Bash"), None, Some("/w"))),
        ("PowerShell", scope(Some("PowerShell"), None, None)),
        ("WebFetch", scope(Some("WebFetch"), None, None)),
        ("a folder", scope(None, None, Some("/w"))),
        ("a folder that is none", scope(None, None, Some("w"))),
        ("a folder with ..", scope(None, None, Some("/w/../x"))),
        ("our folder", scope(Some("Write"), None, Some("/home/me/.local/share/countersign/x"))),
        ("production's folder", scope(Some("Write"), None, Some("/w/prod"))),
        ("git push", scope(Some("Bash"), words("git push"), None)),
        ("no words", scope(None, Some(CommandMatch::Prefix(vec![])), None)),
        ("an empty word", scope(None, words("git "), None)),
        ("rm", scope(None, words("rm"), None)),
        ("git push --force", scope(None, words("git push --force"), None)),
        ("sudo", scope(None, words("sudo"), None)),
        ("bash -c", scope(None, words("bash -c"), None)),
        ("deploy prod", scope(None, words("deploy prod"), None)),
        ("countersign", scope(None, words("countersign inbox"), None)),
        ("exactly rm", scope(None, exact("ls && rm x"), None)),
        ("exactly what can't be read", scope(None, exact("ls '"), None)),
        ("exactly two", scope(None, exact("ls && make"), None)),
    ] {
        let says =
            |effect| scope.check(effect, &[OWN.to_owned()]).map_or_else(|error| error.to_string(), |()| "made".into());
        table += &format!("{what}: {}\n", says(Effect::Allow));
        let deny = says(Effect::Deny);
        if deny != "made" {
            table += &format!("    deny: {deny}\n");
        }
    }
    expect![[r#"
        everything: a rule names a tool, a command or a folder; this one would be about everything
            deny: a rule names a tool, a command or a folder; this one would be about everything
        Bash: a rule that allows what runs commands names the command: by its first words, or exactly
        Bash in a folder: a rule that allows what runs commands names the command: by its first words, or exactly
        PowerShell: a rule that allows what runs commands names the command: by its first words, or exactly
        WebFetch: made
        a folder: made
        a folder that is none: a rule's folder is an absolute path without `..`
            deny: a rule's folder is an absolute path without `..`
        a folder with ..: a rule's folder is an absolute path without `..`
            deny: a rule's folder is an absolute path without `..`
        our folder: no rule can allow this: it is about Countersign itself
        production's folder: no rule can allow this: it names production
        git push: made
        no words: a command's beginning is plain words, such as `git push`: each word has at least one character, and no control characters
            deny: a command's beginning is plain words, such as `git push`: each word has at least one character, and no control characters
        an empty word: a command's beginning is plain words, such as `git push`: each word has at least one character, and no control characters
            deny: a command's beginning is plain words, such as `git push`: each word has at least one character, and no control characters
        rm: no rule can allow this: it takes away what can't be had again
        git push --force: no rule can allow this: it takes away what can't be had again
        sudo: no rule can allow this: `sudo` runs other programs
        bash -c: no rule can allow this: `bash -c` runs other programs
        deploy prod: no rule can allow this: it names production
        countersign: no rule can allow this: it is about Countersign itself
        exactly rm: no rule can allow this: it takes away what can't be had again
        exactly what can't be read: no rule can allow this: it can't be told what it runs
        exactly two: made
    "#]].assert_eq(&table);
}
