//! Whole revisions.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

fn content(title: &str, body: &str, criteria: &[(&str, &str)]) -> Content {
    let criterion = |(id, text): &(&str, &str)| {
        let (text, check) = text.split_once(" @").map_or((*text, None), |(text, check)| (text, Some(check.to_owned())));
        ContentCriterion { id: (*id).into(), text: text.into(), check }
    };
    Content { title: title.into(), body: body.into(), criteria: criteria.iter().map(criterion).collect() }
}

fn check(old: &Content, new: &Content, expect: Expect) {
    expect.assert_eq(&diff(old, new).to_text());
}

fn bodies(old: &str, new: &str, expect: Expect) {
    check(&content("T", old, &[]), &content("T", new, &[]), expect);
}

#[test]
fn nothing_changed() {
    let same = content("T", "a\nb", &[("AC-1", "x")]);
    let none = diff(&same, &same.clone());
    assert!(none.is_empty());
    assert_eq!(none.to_text(), "");
}

#[test]
fn title_body_and_criteria_are_told() {
    check(
        &content(
            "Webhook retry",
            "# Why\n\none\ntwo\nthree\nfour\nfive\n",
            &[("AC-1", "returns 404"), ("AC-2", "is stored")],
        ),
        &content(
            "Webhook retries",
            "# Why\n\none\ntwo\nthree\nfour!\nfive\nsix\n",
            &[("AC-1", "returns 403 @unit"), ("AC-3", "p99 under 5 ms\nunder load")],
        ),
        expect![[r#"
            --- title
            -Webhook retry
            +Webhook retries
            --- body
            @@ -3,5 +3,6 @@
             one
             two
             three
            -four
            +four!
             five
            +six
            --- criteria
            -AC-1: returns 404
            +AC-1: returns 403 [check: unit]
            -AC-2: is stored
            +AC-3: p99 under 5 ms
            +    under load
        "#]],
    );
}

#[test]
fn a_criterion_that_moved_is_the_one_that_moved() {
    let old = content("T", "", &[("AC-1", "a"), ("AC-2", "b"), ("AC-3", "c"), ("AC-4", "d")]);
    let new = content("T", "", &[("AC-4", "d"), ("AC-1", "a"), ("AC-2", "b"), ("AC-3", "c!")]);
    check(
        &old,
        &new,
        expect![[r#"
        --- criteria
        ~AC-4 moved from place 4 to 1
        -AC-3: c
        +AC-3: c!
    "#]],
    );
    let removed = content("T", "", &[("AC-1", "a"), ("AC-3", "c"), ("AC-4", "d")]);
    check(
        &old,
        &removed,
        expect![[r#"
        --- criteria
        -AC-2: b
    "#]],
    );
    let twice = content("T", "", &[("AC-1", "a"), ("AC-1", "z"), ("AC-2", "b"), ("AC-3", "c"), ("AC-4", "d")]);
    check(
        &old,
        &twice,
        expect![[r#"
        --- criteria
        +AC-1: z
    "#]],
    );
}

#[test]
fn line_ends_that_changed_are_seen() {
    bodies(
        "a\r\nb\n",
        "a\nb\n",
        expect![[r#"
        --- body
        @@ -1,2 +1,2 @@
        -a⟨CRLF⟩
        +a⟨LF⟩
         b
    "#]],
    );
    bodies(
        "a\nb",
        "a\nb\n",
        expect![[r#"
        --- body
        @@ -1,2 +1,2 @@
         a
        -b
        \ No newline at end of file
        +b⟨LF⟩
    "#]],
    );
    bodies(
        "",
        "a\n",
        expect![[r#"
        --- body
        @@ -0,0 +1,1 @@
        +a
    "#]],
    );
    bodies(
        "a",
        "",
        expect![[r#"
        --- body
        @@ -1,1 +0,0 @@
        -a
        \ No newline at end of file
    "#]],
    );
}

#[test]
fn words_within_changed_lines_are_marked() {
    let diff = diff(&content("T", "keep\nreturns 404 here\n", &[]), &content("T", "keep\nreturns 403 here\n", &[]));
    let line = serde_json::to_value(&diff.body[0].lines[1]).expect("JSON");
    assert_eq!(
        line,
        json!({"kind": "removed", "old": 2, "new": null, "end": "lf", "end_changed": false, "spans": [
            {"text": "returns ", "changed": false}, {"text": "404", "changed": true}, {"text": " here", "changed": false}
        ]})
    );
}

#[test]
fn the_stored_form_is_read_and_what_it_has_besides_is_passed_over() {
    let stored =
        json!({"title": "T", "body": "b", "later": 1, "criteria": [{"id": "AC-1", "text": "x", "state": "met"}]});
    let read: Content = serde_json::from_value(stored).expect("it parses");
    assert_eq!(read, content("T", "b", &[("AC-1", "x")]));
    let written = serde_json::to_value(&read).expect("JSON");
    assert_eq!(written, json!({"title": "T", "body": "b", "criteria": [{"id": "AC-1", "text": "x"}]}));
}

/// The old body with the hunks of a difference done to it.
fn apply(old: &str, hunks: &[Hunk]) -> String {
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    let mut out = String::new();
    let mut done = 0;
    for hunk in hunks {
        let start = if hunk.old_lines == 0 { hunk.old_start } else { hunk.old_start - 1 } as usize;
        out.push_str(&lines[done..start].concat());
        done = start + hunk.old_lines as usize;
        let side = |not: LineKind| -> String {
            let text =
                |line: &Line| line.spans.iter().map(|span| span.text.as_str()).collect::<String>() + line.end.as_str();
            hunk.lines.iter().filter(|line| line.kind != not).map(text).collect()
        };
        assert_eq!(side(LineKind::Added), lines[start..done].concat(), "kept and removed are the old lines");
        out.push_str(&side(LineKind::Removed));
    }
    out + &lines[done..].concat()
}

#[test]
fn large_bodies_are_compared_in_bounded_time() {
    let many: String = (0..100_000).map(|n| format!("{n}\n")).collect();
    let others: String = (0..100_000).map(|n| format!("{}\n", n * 7 % 100_000)).collect();
    let few = many.replace("50000\n", "changed\n").replace("\n99\n", "\n");
    let empty_lines = "\n".repeat(1 << 20);
    let one_line = "word ".repeat(200_000);
    for (old, new, most) in [
        (&many, &few, Some(2)),
        (&many, &others, None),
        (&empty_lines, &many, None),
        (&one_line, &one_line.replacen("word", "other", 3), Some(1)),
        (&one_line, &many, None),
    ] {
        let found = diff(&content("T", old, &[]), &content("T", new, &[]));
        assert!(most.is_none_or(|most| found.body.len() == most));
        assert_eq!(apply(old, &found.body), **new);
    }
}

proptest! {
    #[test]
    fn the_hunks_make_the_new_body_of_the_old(old in "([ab]{0,2}(\n|\r\n|\r| ))*\\PC{0,3}", new in "([ab]{0,2}(\n|\r\n|\r| ))*\\PC{0,3}") {
        let found = diff(&content("T", &old, &[]), &content("T", &new, &[]));
        prop_assert_eq!(found.is_empty(), old == new);
        prop_assert_eq!(apply(&old, &found.body), new);
    }

    #[test]
    fn the_words_of_a_changed_text_are_all_there(old in any::<String>(), new in any::<String>()) {
        let (a, b) = spans::compare(&old, &new);
        let text = |spans: Vec<Span>| spans.into_iter().map(|span| span.text).collect::<String>();
        prop_assert_eq!((text(a), text(b)), (old, new));
    }

    #[test]
    fn each_criterion_that_changed_is_told_once(old in prop::collection::vec(0_u8..9, 0..9), new in prop::collection::vec(0_u8..9, 0..9)) {
        let of = |ids: &[u8]| {
            let mut ids = ids.to_vec();
            let mut seen = std::collections::BTreeSet::new();
            ids.retain(|id| seen.insert(*id));
            Content { criteria: ids.iter().map(|id| ContentCriterion { id: id.to_string(), text: "x".into(), check: None }).collect(), ..Content::default() }
        };
        let (old, new) = (of(&old), of(&new));
        let found = diff(&old, &new).criteria;
        let ids = |content: &Content| content.criteria.iter().map(|c| c.id.clone()).collect::<Vec<_>>();
        // Without what was added and with what moved put in its place, the rest stands as it stood.
        let told = |id: &String| found.iter().any(|diff| diff.id == *id);
        let rest = |content| ids(content).into_iter().filter(|id| !told(id)).collect::<Vec<_>>();
        prop_assert_eq!(rest(&old), rest(&new));
        let mut names: Vec<_> = found.iter().map(|diff| &diff.id).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), found.len());
    }
}
