//! Files as people and programs write them.

use super::*;
use expect_test::expect;
use proptest::prelude::*;

fn markdown(text: &str) -> Imported {
    from_markdown(text, "the-file").unwrap_or_else(|error| panic!("{error}"))
}

fn wrong(text: &str) -> String {
    from_markdown(text, "the-file").map_or_else(|error| error.to_string(), |read| format!("read: {read:?}"))
}

fn texts(read: &Imported) -> Vec<&str> {
    read.spec.criteria.iter().map(|criterion| criterion.text.as_str()).collect()
}

fn whole() -> SpecFile {
    SpecFile {
        id: Some(SpecId(7)),
        title: "Webhook \"retries\": 5".into(),
        status: Some(Status::Approved),
        locked: Some(true),
        revision: Some(3),
        body: "---\n# Why\r\n\n---\nno end".into(),
        criteria: vec![
            FileCriterion {
                id: Some("AC-1".into()),
                text: "two\nlines: yes".into(),
                check: Some("unit".into()),
                state: Some(CriterionState::Met),
                evidence: Some(FileEvidence {
                    text: "42 tests, {all} green".into(),
                    by: Some(FileBy { kind: "check".into(), name: Some("unit".into()) }),
                    at: Some(Timestamp(1_790_000_000_000)),
                }),
            },
            FileCriterion { text: "# not a comment".into(), ..FileCriterion::default() },
        ],
    }
}

#[test]
fn a_whole_spec_is_written_as_the_page_says_and_read_again() {
    let file = to_markdown(&whole());
    let front = r##"---
id: "SPEC-007"
title: "Webhook \"retries\": 5"
status: "approved"
locked: true
revision: 3
criteria:
  - id: "AC-1"
    text: "two\nlines: yes"
    check: "unit"
    state: "met"
    evidence: {text: "42 tests, {all} green", by: {kind: "check", name: "unit"}, at: 1790000000000}
  - text: "# not a comment"
---
"##;
    assert_eq!(file.strip_prefix(front), Some("---\n# Why\r\n\n---\nno end"));
    assert_eq!(markdown(&file), Imported { spec: whole(), notes: vec![] });
    assert_eq!(from_json(&to_json(&whole())), Ok(vec![Imported { spec: whole(), notes: vec![] }]));
    let list = list_to_json(&[whole(), SpecFile { title: "B".into(), ..SpecFile::default() }]);
    let read = from_json(&list).expect("it reads");
    assert_eq!((read.len(), read[0].spec == whole(), read[1].spec.title.as_str()), (2, true, "B"));
}

#[test]
fn people_write_it_with_fewer_quotes() {
    let read = markdown(
        "\u{feff}---\r\ntitle: yes  # a comment\r\nstatus: draft\r\ncriteria:\r\n  - GET /x returns 404\r\n  - text: >\r\n      folded\r\n      text\r\n    check: null\r\n---\r\nBody\r\n",
    );
    assert_eq!(read.spec.title, "yes");
    assert_eq!(texts(&read), ["GET /x returns 404", "folded text\n"]);
    assert_eq!((read.spec.body.as_str(), read.notes.len()), ("Body\r\n", 0));
}

#[test]
fn what_cant_be_kept_is_said() {
    let read =
        markdown("---\ntitle: T\nid: my-page\nstatus: published\nlocked: maybe\ntags: [a, b]\nrevision: 1.5\n---\n");
    assert_eq!(
        read.notes,
        [
            "`id` isn't like SPEC-001 and was left out",
            "`status` isn't one of draft, review, approved, implementing, done, archived and was left out",
            "`locked` isn't true or false and was left out",
            "`tags` was left out; a spec has title, body, criteria, id, status, locked and revision",
            "`revision` isn't a whole number and was left out",
        ]
    );
    assert_eq!(read.spec, SpecFile { title: "T".into(), ..SpecFile::default() });
}

#[test]
fn a_file_without_front_matter_says_it_in_headings_and_lists() {
    let text = "Intro\n\n## Before\n\n# The *title* of `it`\n\n```\n# not this\n## Acceptance criteria\n- nor this\n```\n\n## 3. Acceptance Criteria:\n\nThese:\n\n- [ ] first\n- [x] AC-7: second\n  goes on\n\n  - with a part\n1. third\nlazily\n\nSome words.\n* **AC-9**: fourth\n### More\n+ fifth\n## Notes\n- not a criterion\n";
    let read = markdown(text);
    assert_eq!(read.spec.title, "The title of it");
    assert_eq!(texts(&read), ["first", "second\ngoes on\n\n- with a part", "third\nlazily", "fourth", "fifth"]);
    let ids: Vec<_> = read.spec.criteria.iter().map(|criterion| criterion.id.as_deref()).collect();
    assert_eq!(ids, [None, Some("AC-7"), None, Some("AC-9"), None]);
    assert_eq!(read.spec.criteria[1].state, Some(CriterionState::Met));
    assert_eq!(read.spec.body, text, "the body stays whole");
    assert_eq!(read.notes, ["5 criteria were copied from the list at line 17; the body keeps the list"]);

    let spanish = markdown("## CRITERIOS DE ACEPTACIÓN\n1) uno\n2) dos");
    assert_eq!((spanish.spec.title.as_str(), texts(&spanish)), ("CRITERIOS DE ACEPTACIÓN", vec!["uno", "dos"]));
    let plain = markdown("no heading");
    assert_eq!((plain.spec.title.as_str(), plain.spec.criteria.len()), ("the-file", 0));
    let front = markdown("---\ntags: x\n---\n# T\n## Acceptance criteria\n- one");
    assert_eq!((front.spec.title.as_str(), texts(&front)), ("T", vec!["one"]));
    let empty = markdown("---\ntitle: T\ncriteria: []\n---\n## Acceptance criteria\n- one");
    assert!(empty.spec.criteria.is_empty(), "a file that says it has none has none");
}

#[test]
fn mistakes_name_the_line_the_field_and_the_way_out() {
    let long = "x".repeat(201);
    let front = |lines: &str| format!("---\n{lines}\n---\n");
    let files = [
        "---\ntitle: T\n".to_owned(),
        "a\0b".to_owned(),
        format!("text\n\n# {long}\n"),
        front(&format!("\ntitle: {long}")),
        front("title: \"\""),
        front("title:"),
        front("title: \"a\\nb\""),
        front("title: T\ntitle: U"),
        front("title: a: b"),
        front("title: @b"),
        front("title: ["),
        front("title: T\n\tx: y"),
        front("just words"),
        front("title: T\ncriteria: none"),
        front("title: T\ncriteria:"),
        front("title: T\ncriteria:\n  - one\n  - text: \"\""),
        front("title: T\ncriteria:\n  - one\n  - \"\""),
        front("title: T\ncriteria:\n  - GET /x returns: 404"),
        front("title: T\ncriteria:\n  - 404"),
        front("title: T\ncriteria:\n  - id: A\n    text: x\n  - id: A\n    text: y"),
    ];
    let said: String = files.iter().map(|file| wrong(file) + "\n").collect();
    expect![[r#"
        line 1: the front matter doesn't end; put a line `---` after it, or an empty line before the first one
        line 1: `body` contains a NUL character (U+0000); remove it
        line 3: `title` has 201 characters; 200 are allowed
        line 3: `title` has 201 characters; 200 are allowed
        line 2: `title` is empty; give 1 to 200 characters
        line 2: `title`: cannot deserialize null into string; give one line of text, in quotes
        line 2: `title` contains the control character U+000A; remove it
        line 3: `title` is there twice; keep one of them
        line 2: mapping values are not allowed in this context; a file has fields like `title: "…"`, with the text in quotes
        line 2: `title`: unexpected character: `@'; give one line of text, in quotes
        line 2: `title`: expected string scalar; give one line of text, in quotes
        line 2: `title`: while scanning a plain scalar, found a tab; give one line of text, in quotes
        line 2: invalid type: string "just words", expected a spec with title, body, criteria, id, status, locked and revision; a file has fields like `title: "…"`, with the text in quotes
        line 3: `criteria`: expected sequence start; give a list of criteria, or [] for none
        line 3: `criteria`: expected sequence start; give a list of criteria, or [] for none
        line 5: `criteria[2].text` is empty; give 1 to 5000 characters
        line 5: `criteria[2]` has no text; give one, in quotes if there is a `: ` in it
        line 4: `criteria[1]` has no text; give one, in quotes if there is a `: ` in it
        line 4: `criteria[1]`: invalid type: integer `404`, expected a criterion with text, check, id, state and evidence; give a text in quotes, or text, check, id, state and evidence
        line 7: two criteria have the id “A”; give each its own, or leave the ids out
    "#]].assert_eq(&said);
    let json = |text: &str| from_json(text).map_or_else(|error| error.to_string(), |read| format!("read: {read:?}"));
    let files = [
        "[{\"title\": \"T\"},\n {\"body\": \"x\"}]",
        "{\"title\": \"T\",\n\"criteria\": [\"\"]}",
        "{\"title\": \"T\",\n\"title\": \"U\"}",
        "{\"title\": 3}",
        "[{\"title\": \"T\",\n\"criteria\": {}}]",
        "{\"title\": \"T\"} x",
        "3",
        "",
    ];
    let said: String = files.iter().map(|file| json(file) + "\n").collect();
    expect![[r#"
        line 2: `title` is missing; give 1 to 200 characters
        line 2: `criteria[1]` has no text; give one, in quotes if there is a `: ` in it
        line 2: `title` is there twice; keep one of them
        line 1: `title`: invalid type: integer `3`, expected a string; give one line of text, in quotes
        line 2: `[1].criteria`: invalid type: map, expected a list, each a criterion with text, check, id, state and evidence; give a list of criteria, or [] for none
        line 1: trailing characters; give an object with title, body and criteria, or a list of those
        line 1: invalid type: integer `3`, expected a spec or a list of specs; give an object with title, body and criteria, or a list of those
        line 1: EOF while parsing a value; give an object with title, body and criteria, or a list of those
    "#]].assert_eq(&said);
}

#[test]
fn bombs_and_depths_do_not_explode() {
    let mut bomb = String::from("---\ntitle: T\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..20 {
        let before = format!("*a{}", n - 1);
        bomb.push_str(&format!("a{n}: &a{n} [{}]\n", [before.as_str(); 10].join(", ")));
    }
    assert!(wrong(&(bomb + "---\n")).starts_with("line "));
    assert!(wrong(&format!("---\ntitle: T\nx: {}\n---\n", "[".repeat(100_000))).starts_with("line "));
    assert!(from_json(&"[".repeat(1_000_000)).is_err());
    assert!(from_json(&format!("{{\"title\":\"T\",\"x\":{}", "[".repeat(1_000_000))).is_err());
    let many = "- x\n".repeat(limit_of_criteria() + 1);
    assert!(wrong(&format!("---\ntitle: T\ncriteria:\n{many}---\n")).contains("more than 1000 entries"));
    assert!(
        wrong(&format!("# T\n## Acceptance criteria\n{many}")).contains("1001 criteria are listed; 1000 are allowed")
    );
}

fn limit_of_criteria() -> usize {
    crate::limit::CRITERIA
}

/// One line without NUL or other control characters, with what YAML is fond of.
fn lines() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        "yes",
        "null",
        "~",
        "1e3",
        "0x1F",
        "- x",
        "# y",
        ": z",
        "a: b",
        "a #b",
        "'",
        "\"",
        "\\",
        "\\n",
        "|",
        ">",
        "&a",
        "*a",
        "!t",
        "%x",
        "@",
        "`",
        "{a}",
        "[b]",
        "---",
        "...",
        "?",
        "<<",
        "=",
        "2024-01-01",
        "é😀",
        "\u{feff}x",
        "\u{2028}y",
        "\u{85}",
        "\u{a0}",
        "\u{1f468}\u{200d}\u{1f469}",
        "true",
        ".nan",
        "-",
        "x:",
    ]);
    prop::collection::vec(prop_oneof![special.prop_map(str::to_owned), "[ -~]{0,12}", "\\PC{0,8}"], 1..4)
        .prop_map(|parts| parts.concat().chars().filter(|c| !c.is_control()).collect::<String>())
        .prop_filter("something is there", |line| !line.trim().is_empty())
}

/// Texts of several lines, with every control character but NUL.
fn bodies() -> impl Strategy<Value = String> {
    let end = prop::sample::select(vec![
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\u{1b}",
        "\u{7f}",
        "\u{1}",
        "---\n",
        "---\r\n",
        "## Acceptance criteria\n- x\n",
        "",
    ]);
    prop::collection::vec((lines(), end), 0..5)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect::<String>())
}

fn specs() -> impl Strategy<Value = SpecFile> {
    let text = bodies().prop_filter("something is there", |text| !text.trim().is_empty());
    let state = prop::sample::select(vec![None, Some(CriterionState::Met), Some(CriterionState::Waived)]);
    let evidence = prop::option::of((
        bodies(),
        prop::option::of((lines(), prop::option::of(lines()))),
        prop::option::of(0_i64..i64::MAX),
    ));
    let criterion = (text, prop::option::of(lines()), state, evidence).prop_map(|(text, check, state, evidence)| {
        let by = |(kind, name)| FileBy { kind, name };
        let evidence = evidence.map(|(text, who, at)| FileEvidence { text, by: who.map(by), at: at.map(Timestamp) });
        FileCriterion { id: None, text, check, state, evidence }
    });
    (lines(), bodies(), prop::collection::vec(criterion, 0..4), any::<bool>()).prop_map(
        |(title, body, mut criteria, numbered)| {
            for (n, criterion) in criteria.iter_mut().enumerate().filter(|_| numbered) {
                criterion.id = Some(format!("AC-{}", n + 1));
            }
            let (status, id) = (numbered.then_some(Status::Review), numbered.then_some(SpecId(12)));
            SpecFile {
                id,
                title,
                status,
                locked: numbered.then_some(false),
                revision: numbered.then_some(9),
                body,
                criteria,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_the_same_in_both_forms(spec in specs()) {
        let kept = Imported { spec, notes: vec![] };
        prop_assert_eq!(from_markdown(&to_markdown(&kept.spec), "x"), Ok(kept.clone()));
        prop_assert_eq!(from_json(&to_json(&kept.spec)), Ok(vec![kept.clone()]));
    }

    #[test]
    fn no_text_is_more_than_it_can_take(text in "(---\n)?([a-z]{0,3}[:\\-\\[{&*!|>\"' #]{0,3}[\n ]?){0,40}(---\n)?\\PC{0,20}") {
        let _ = (from_markdown(&text, "x"), from_json(&text));
    }
}
