//! How commands are read: big tables, because everything else rests on it.

mod tricks;

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn shown(text: &str) -> String {
    let script = match read(text) {
        Ok(script) => script,
        Err(_) => return "unreadable\n".into(),
    };
    let mut out = String::new();
    for command in &script.commands {
        let words: Vec<String> = command
            .words
            .iter()
            .map(|word| {
                word.literal.as_ref().map_or_else(|| format!("«{}»", word.raw), |literal| literal.replace('\n', "⏎"))
            })
            .collect();
        let mut line = format!("{}{} ", if command.inside { "in" } else { "" }, command.operator.unwrap_or_default());
        line += &words.join(" · ");
        for (what, parts) in [("set", &command.assignments), ("to", &command.redirections)] {
            if !parts.is_empty() {
                line += &format!(" [{what} {}]", parts.join(", "));
            }
        }
        out += if out.is_empty() { "" } else { " ‖ " };
        out += line.trim();
    }
    let plain = script.plain(text).is_some();
    for (is, word) in [(plain, "plain"), (script.compound, "compound"), (script.opaque, "opaque")] {
        if is {
            out += &format!(" ={word}");
        }
    }
    out.replace('\n', "⏎") + "\n"
}

fn table(cases: &[&str], expect: Expect) {
    let table: String = cases
        .iter()
        .map(|text| format!("{}\n    {}", text.replace('\n', "⏎").replace('\r', "␍"), shown(text)))
        .collect();
    expect.assert_eq(&table);
}

#[test]
fn plain_commands_are_one_list_of_words() {
    table(
        &[
            "git status",
            "  cargo test -p core -- --nocapture",
            "grep -n 'a b' src/x.rs",
            "git commit -m \"it's done\"",
            "ls",
        ],
        expect![[r#"
        git status
            git · status =plain
          cargo test -p core -- --nocapture
            cargo · test · -p · core · -- · --nocapture =plain
        grep -n 'a b' src/x.rs
            grep · -n · a b · src/x.rs =plain
        git commit -m "it's done"
            git · commit · -m · it's done =plain
        ls
            ls =plain
    "#]],
    );
}

#[test]
fn what_is_more_than_one_command_shows_each_of_them() {
    table(
        &[
            "git status && rm -rf x",
            "git status; rm -rf x",
            "git status & rm -rf x",
            "git status &",
            "git status || rm x",
            "cat a | sh",
            "git status\nrm -rf x",
            "git status\r\nrm x",
            "(cd x && rm y)",
            "{ rm y; }",
            "if true; then rm x; else rm y; fi",
            "for f in *; do rm $f; done",
            "while read x; do rm $x; done < list",
            "case $x in a) rm x;; esac",
            "f() { rm x; }; f",
            "! git status",
            "time git status",
            "coproc rm x",
            "[[ -f x ]] && rm x",
            "(( x = 1 )) && rm x",
        ],
        expect![[r#"
            git status && rm -rf x
                git · status ‖ && rm · -rf · x =compound
            git status; rm -rf x
                git · status ‖ ; rm · -rf · x =compound
            git status & rm -rf x
                git · status ‖ & rm · -rf · x =compound
            git status &
                git · status =compound
            git status || rm x
                git · status ‖ || rm · x =compound
            cat a | sh
                cat · a ‖ | sh =compound =opaque
            git status⏎rm -rf x
                git · status ‖ ; rm · -rf · x =compound
            git status␍⏎rm x
                git · status ‖ ; rm · x =compound
            (cd x && rm y)
                cd · x ‖ && rm · y =compound
            { rm y; }
                rm · y =compound
            if true; then rm x; else rm y; fi
                true ‖ ; rm · x ‖ ; rm · y =compound
            for f in *; do rm $f; done
                rm · «$f» =compound
            while read x; do rm $x; done < list
                read · x ‖ ; rm · «$x» =compound
            case $x in a) rm x;; esac
                ; rm · x =compound
            f() { rm x; }; f
                ; f =compound =opaque
            ! git status
                git · status =compound
            time git status
                git · status =compound
            coproc rm x
                rm · x =compound
            [[ -f x ]] && rm x
                && rm · x =compound
            (( x = 1 )) && rm x
                && rm · x =compound
        "#]],
    );
}

#[test]
fn substitutions_variables_patterns_and_redirections_are_seen() {
    table(
        &[
            "git log $(rm x)",
            "git log `rm x`",
            "git log \"$(rm x)\"",
            "git log '$(rm x)'",
            "git log ${x:-$(rm x)}",
            "git log $x",
            "git log <(rm x)",
            "diff <(rm x) >(rm y)",
            "git log *.rs",
            "git log {a,b}",
            "cat ~/x",
            "cat ~",
            "git log > x",
            "git log 2>&1",
            "git log &> x",
            "git log < x",
            "cat <<EOF\n$(rm x)\nEOF",
            "cat <<'EOF'\n$(rm x)\nEOF",
            "bash <<EOF\nrm x\nEOF",
            "cat <<< $(rm x)",
            "echo $((1 + $(rm x)))",
            "a[$(rm x)]=1 git log",
            "echo $(echo $(rm x))",
        ],
        expect![[r#"
            git log $(rm x)
                git · log · «$(rm x)» ‖ in rm · x =compound
            git log `rm x`
                git · log · «`rm x`» ‖ in rm · x =compound
            git log "$(rm x)"
                git · log · «"$(rm x)"» ‖ in rm · x =compound
            git log '$(rm x)'
                git · log · $(rm x) =plain
            git log ${x:-$(rm x)}
                git · log · «${x:-$(rm x)}» =opaque
            git log $x
                git · log · «$x»
            git log <(rm x)
                git · log · «<(…)» ‖ in rm · x =compound
            diff <(rm x) >(rm y)
                diff · «<(…)» · «<(…)» ‖ in rm · x ‖ in rm · y =compound
            git log *.rs
                git · log · «*.rs»
            git log {a,b}
                git · log · «{a,b}»
            cat ~/x
                cat · «~/x»
            cat ~
                cat · «~»
            git log > x
                git · log [to > x]
            git log 2>&1
                git · log [to 2>& 1]
            git log &> x
                git · log [to &> x]
            git log < x
                git · log [to < x]
            cat <<EOF⏎$(rm x)⏎EOF
                in rm · x ‖ cat [to <<EOF⏎$(rm x)⏎EOF⏎] =compound
            cat <<'EOF'⏎$(rm x)⏎EOF
                cat [to <<'EOF'⏎$(rm x)⏎'EOF'⏎]
            bash <<EOF⏎rm x⏎EOF
                bash [to <<EOF⏎rm x⏎EOF⏎] =opaque
            cat <<< $(rm x)
                in rm · x ‖ cat [to <<< $(rm x)] =compound
            echo $((1 + $(rm x)))
                echo · «$((1 + $(rm x)))» =opaque
            a[$(rm x)]=1 git log
                git · log [set a[$(rm x)]=1] ‖ in rm · x =compound
            echo $(echo $(rm x))
                echo · «$(echo $(rm x))» ‖ in echo · «$(rm x)» ‖ in rm · x =compound
        "#]],
    );
}

#[test]
fn what_is_broken_too_deep_or_too_long_can_t_be_read() {
    for text in [
        "git 'status".to_owned(),
        "git \"status".into(),
        "git $(status".into(),
        "if true; then".into(),
        "git status )".into(),
        "git status &&".into(),
        "a\0b".into(),
        "x ".repeat(READ_BYTES),
        "(".repeat(2_000) + &")".repeat(2_000),
        "$(".repeat(200) + &")".repeat(200),
        "{".repeat(2_000),
        "((".repeat(40),
        "`".repeat(100),
        "if ".repeat(500),
        "eval ".repeat(100) + "rm",
        "sudo ".repeat(100) + "rm",
        "a;".repeat(1_000),
    ] {
        assert!(read(&text).is_err(), "{:.60}", text);
    }
}

#[test]
fn nothing_takes_long_to_read() {
    let started = std::time::Instant::now();
    for text in [
        "(".repeat(20) + "x" + &")".repeat(20),
        "((".repeat(10) + "1" + &"))".repeat(10),
        "$((".repeat(8) + "1" + &"))".repeat(8),
        "{ ".repeat(20) + "x;" + &" }".repeat(20),
        "[[ ( ".repeat(8) + " x " + &") ]]".repeat(8),
        "${x:-".repeat(20) + &"}".repeat(20),
        "\"$(".repeat(8) + "x" + &")\"".repeat(8),
        "if x; then ".repeat(10) + "y; " + &"fi; ".repeat(10),
        "x ".repeat(READ_BYTES / 2 - 1),
        "'".to_owned() + &"x".repeat(READ_BYTES - 2) + "'",
        "a|".repeat(400) + "b",
    ] {
        let one = std::time::Instant::now();
        let _ = read(&text);
        assert!(one.elapsed().as_millis() < 3_000, "{:.40}: {:?}", text, one.elapsed());
    }
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn whatever_comes_is_read_or_refused_and_what_is_plain_is_one_simple_command(text in "[a-z '\"$`\\\\;&|<>(){}*?~!#=\n-]{0,40}") {
        if let Ok(script) = read(&text)
            && let Some(words) = script.plain(&text)
        {
            prop_assert!(!text.contains(['$', '`', '\\', '\n']) || text.contains('\''));
            prop_assert_eq!(script.commands.len(), 1);
            prop_assert!(!words.is_empty());
        }
    }
}
