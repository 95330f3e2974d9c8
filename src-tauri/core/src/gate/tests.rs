//! Gates, held against the table of the product page.

use super::*;
use crate::spec::{CriterionState, NewCriterion};
use crate::spec_edit::Edit;

fn row(n: u32, title: &str) -> SpecRow {
    SpecRow { id: SpecId(n), title: title.into(), status: Status::Draft, revision: 3, locked: false, met: 0, total: 0 }
}

fn whole(row: SpecRow) -> Spec {
    let at = crate::time::Timestamp(0);
    let criteria = vec![Criterion {
        id: "AC-1".into(),
        text: "It holds".into(),
        state: CriterionState::Met,
        check: None,
        evidence: None,
    }];
    Spec { row, body: "All of it.".into(), criteria, created_at: at, updated_at: at }
}

fn edited(spec: &Spec) -> Edited {
    let edit = Edit { criteria: Some(vec![NewCriterion::plain("Something else")]), ..Edit::default() };
    edit.apply(spec, 2).expect("it fits")
}

fn agreed(title: &str) -> Spec {
    let mut spec = whole(SpecRow { status: Status::Approved, locked: true, ..row(1, title) });
    spec.criteria[0].state = CriterionState::Unmet;
    spec
}

/// Every gate of the table, with the tool that asks it.
fn all(title: &str) -> Vec<(&'static str, Gate)> {
    let spec = agreed(title);
    let draft = whole(row(1, title));
    let edit = SpecAct::Edit(Edit::default());
    let of_edit = of(&edit, &spec, Some(&edited(&spec)), None);
    let of = |act: SpecAct, spec: &Spec| of(&act, spec, None, None).remove(0);
    vec![
        ("create_spec", duplicate_title(title, &row(1, title), 87)),
        ("any", choose_spec(title, &(1..=60).map(|n| row(n, title)).collect::<Vec<_>>())),
        ("lock_spec", of(SpecAct::Lock, &draft)),
        ("update_status(approved)", of(SpecAct::Move(Status::Approved), &draft)),
        ("update_status(done)", of(SpecAct::Move(Status::Done), &spec)),
        ("update_spec", of_edit[1].clone()),
        ("delete_spec", of(SpecAct::Delete, &spec)),
        ("update_spec", of_edit[0].clone()),
        ("unlock_spec", of(SpecAct::Unlock, &spec)),
    ]
}

#[test]
fn every_gate_asks_a_question_that_passes_its_own_checks() {
    for (_, gate) in all(&"é".repeat(200)) {
        assert_eq!(gate.question.check(limit::OPTIONS), Ok(()));
        assert_eq!(limit::check_line("title", &gate.title, limit::TITLE_CHARS), Ok(()));
    }
}

#[test]
fn gates_are_those_of_the_products_table() {
    let lines: Vec<_> = all("Refunds")
        .iter()
        .map(|(tool, gate)| {
            let question = &gate.question;
            let kind = serde_json::to_string(&question.kind).expect("a word");
            let default = question.default.as_ref().map_or("none".to_owned(), ToString::to_string);
            let row = TABLE.iter().find(|row| row.id == question.id).expect("in the table");
            assert_eq!(row.class, gate.class);
            assert!(*tool == "any" || row.tools.iter().any(|named| tool.starts_with(named)), "{tool}");
            let word = gate.typed_word.as_deref().unwrap_or("-");
            format!("{tool} | {} | {kind} | {default} | {} | {word}", question.id, gate.class.word())
        })
        .collect();
    expect_test::expect![[r#"
        create_spec | confirm-duplicate-title | "choice" | "use the existing one" | ambiguity | -
        any | choose-spec | "choice" | none | ambiguity | -
        lock_spec | confirm-lock-draft | "confirm" | false | ambiguity | -
        update_status(approved) | confirm-low-criteria | "confirm" | none | policy | -
        update_status(done) | confirm-unmet-criteria | "confirm" | none | policy | -
        update_spec | confirm-drop-criteria | "confirm" | none | policy | -
        delete_spec | confirm-delete | "confirm" | none | destructive | SPEC-001
        update_spec | confirm-overwrite-locked | "confirm" | none | destructive | SPEC-001
        unlock_spec | confirm-overwrite-locked | "confirm" | none | destructive | SPEC-001"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn what_is_in_order_asks_nothing() {
    let mut spec = agreed("T");
    spec.row.locked = false;
    spec.criteria[0].text = "GET /refunds returns 200".into();
    let none = |act: SpecAct, spec: &Spec| assert_eq!(of(&act, spec, None, None), [], "{act:?}");
    none(SpecAct::Lock, &spec);
    none(SpecAct::Unlock, &spec);
    none(SpecAct::Move(Status::Approved), &spec);
    none(SpecAct::Move(Status::Review), &spec);
    let mut met = spec.clone();
    met.criteria[0].state = CriterionState::Waived;
    none(SpecAct::Move(Status::Done), &met);
    let draft = Spec { row: SpecRow { status: Status::Review, ..spec.row.clone() }, ..spec.clone() };
    assert_eq!(of(&SpecAct::Edit(Edit::default()), &draft, Some(&edited(&draft)), None), []);
    let empty = Spec { criteria: Vec::new(), ..spec };
    for status in [Status::Approved, Status::Done] {
        assert_eq!(of(&SpecAct::Move(status), &empty, None, None).len(), 1, "no criteria count as none");
    }
}

#[test]
fn the_question_says_what_it_is_about() {
    let said: Vec<_> = all("Refunds")
        .into_iter()
        .map(|(_, gate)| format!("{}\n{}\n{}", gate.title, gate.question.question, gate.context.unwrap_or_default()))
        .collect();
    expect_test::expect![[r#"
        Duplicate of SPEC-001? “Refunds”
        87 % alike: SPEC-001 “Refunds”. Use it, or create “Refunds” as another spec?

        ---
        Which spec is meant by “Refunds”?
        Several specs match “Refunds”. Which one is meant? (10 more match; a longer term narrows it down)

        ---
        Lock the draft SPEC-001 “Refunds”?
        SPEC-001 is still a draft. Lock it already, so that its content stays as it is? Its title:
        Refunds

        ---
        Approve SPEC-001 “Refunds” with 0 criteria that pass?
        0 of 1 criteria of SPEC-001 pass check_readiness. Approve it all the same? Its title:
        Refunds
        - AC-1: It holds
          - there is nothing to measure or to point at; give a number, a status code, a file, an endpoint, or the exact text in quotes

        ---
        SPEC-001 “Refunds” done with 1 unmet?
        1 of 1 criteria of SPEC-001 are unmet. Set it to done all the same? Its title:
        Refunds
        - AC-1 (unmet): It holds

        ---
        Drop criteria of SPEC-001 “Refunds”?
        SPEC-001 is approved. The change drops 1 and rewords 0 of its unmet criteria, which may ask for less. Change it all the same? Its title:
        Refunds
        Dropped:

        - AC-1 (unmet): It holds


        ---
        Delete SPEC-001 “Refunds”
        Delete SPEC-001 for good? This can't be undone. Its title:
        Refunds
        All of it.

        - AC-1 (unmet): It holds

        ---
        SPEC-001 “Refunds” is locked: change it?
        SPEC-001 is locked. Overwrite its content? The revision before stays in its history. Its title:
        Refunds
        ```diff
        --- criteria
        -AC-1: It holds
        +AC-2: Something else
        ```

        ---
        SPEC-001 “Refunds” is locked: change it?
        SPEC-001 is locked. Take the lock away? Its title:
        Refunds
        All of it.

        - AC-1 (unmet): It holds
    "#]].assert_eq(&said.join("\n---\n"));
    let choose = choose_spec("ref", &[row(1, "Refunds"), row(2, "Refs")]);
    assert_eq!(chosen_spec(&choose.question.options[1].label), Some(SpecId(2)));
}

#[test]
fn a_change_of_a_large_spec_is_shown_whole_before_and_after() {
    let mut large = agreed("T");
    large.body = "before ``` \n".repeat(40_000);
    let edit = Edit { body: Some("after\n".repeat(40_000)), ..Edit::default() };
    let edited = edit.apply(&large, 2).expect("it fits");
    let gates = of(&SpecAct::Edit(edit), &large, Some(&edited), None);
    let context = gates[0].context.as_deref().expect("a context");
    assert!(context.contains(&large.body) && context.contains(&edited.body), "nothing is cut");
    assert!(context.starts_with("After the change:\n\n```\nT\n"), "{}", &context[..60]);
    assert!(context.contains("Before it:\n\n````\n"), "no text ends its fence");
}
