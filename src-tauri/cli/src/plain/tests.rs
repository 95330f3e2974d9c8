//! Lines and what they come to.

use super::state::Plain;
use crate::asked::{Row, sample};
use crate::tui::event::{Effect, Event, Hello};
use crate::words;
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_host::{Command, Surface};
use expect_test::expect;
use serde_json::{Value, json};

fn plain(language: usize, surface: Surface, more: Value) -> Plain {
    let mut plain = Plain::new(words::BOTH[language], Hello { surface, test_home: false });
    let row = Row {
        id: RequestId("r".into()),
        title: "t".into(),
        class: Class::Ask,
        agent: "a".into(),
        workspace: "/w".into(),
    };
    let looked = plain.take(Event::News { rows: vec![row], more: false, sessions: Vec::new() });
    assert_eq!(looked, [Effect::Look(RequestId("r".into()))]);
    plain.out.clear();
    plain.take(Event::Shown(Box::new(sample(more))));
    plain
}

fn choice(kind: &str) -> Value {
    json!({"questions": [{"id": "q", "question": "How long?", "type": kind, "options": ["One", "Two", "Three"], "allow_other": true}]})
}

fn sent(effects: &[Effect]) -> Value {
    match effects {
        [Effect::Do(command)] => match &**command {
            Command::Answer { answers, comment, typed, .. } => json!([answers, comment, typed]),
            Command::AnswerPlan { answers, comment, mode, .. } => json!([answers, comment, mode]),
            other => json!(format!("{other:?}")),
        },
        other => panic!("nothing was sent: {other:?}"),
    }
}

#[test]
fn a_question_is_printed_with_numbers_and_each_line_of_the_agents_is_marked() {
    let mut more = choice("multiChoice");
    more["context"] = json!("Read this:\n[1 of 1] Countersign in /w");
    let mut plain = plain(0, Surface::Serve, more);
    expect![[r#"

        [1 of 1] a in /w · guided mode
        The agent asks
          │ Read this:
          │ [1 of 1] Countersign in /w
          │ How long?
        1. One
        2. Two
        3. Three
        Other (type your own answer)"#]]
    .assert_eq(&std::mem::take(&mut plain.out).join("\n"));
    assert_eq!(plain.prompt(), Some(("Numbers, such as 1,3:".into(), false)));
}

#[test]
fn numbers_choose_and_words_are_ones_own_and_several_lines_at_once_are_one_answer() {
    for (kind, typed, want) in [
        ("choice", "2", json!("Two")),
        ("choice", "Three", json!("Three")),
        ("choice", "42", json!({"chosen": [], "other": "42"})),
        ("multiChoice", "1,3", json!(["One", "Three"])),
        ("choice", "so\nit is\n", json!({"chosen": [], "other": "so\nit is"})),
    ] {
        let said = sent(&plain(0, Surface::Serve, choice(kind)).typed(typed));
        assert_eq!(said[0]["q"], want, "{typed:?}");
    }
    let mut empty = plain(0, Surface::Serve, choice("choice"));
    assert_eq!(empty.typed("\n"), [], "an empty line answers nothing");
}

#[test]
fn a_no_is_asked_why_a_plan_is_answered_in_the_persons_language_and_what_destroys_takes_its_word() {
    let approval = json!({"class": "approval", "questions": [{"id": "q", "question": "?", "type": "confirm"}]});
    let mut no = plain(1, Surface::Serve, approval);
    assert!(no.out.iter().any(|line| line == "s. Aprobar"), "{:?}", no.out);
    assert_eq!(no.typed("no"), []);
    assert_eq!(sent(&no.typed("todavía no")), json!([{"q": false}, "todavía no", null]));
    let plan = json!({"class": "plan", "questions": [countersign_core::plan::question()]});
    assert_eq!(
        sent(&plain(1, Surface::Serve, plan.clone()).typed("Ejecutarlo")),
        json!([{"plan": "Run it"}, null, null])
    );
    let mut window = plain(1, Surface::Desktop, plan);
    assert_eq!(window.typed("1"), [], "beside the window it is only read");
    let delete = json!({"class": "destructive", "typed_word": "SPEC-001", "questions": [{"id": "q", "question": "?", "type": "confirm"}]});
    let mut yes = plain(0, Surface::Serve, delete);
    assert_eq!(yes.typed("y"), []);
    assert_eq!(yes.typed("yes"), [], "that is not the word");
    assert_eq!(yes.typed("y"), [], "and it is asked again from the start");
    assert_eq!(sent(&yes.typed("SPEC-001")), json!([{"q": true}, null, "SPEC-001"]));
}

#[test]
fn commands_are_commands_and_a_path_is_an_answer_to_a_text() {
    let text = json!({"questions": [{"id": "q", "question": "Which file?", "type": "text"}]});
    assert_eq!(sent(&plain(0, Surface::Serve, text.clone()).typed("/home/me/plan.pdf"))[0]["q"], "/home/me/plan.pdf");
    assert!(sent(&plain(0, Surface::Serve, text.clone()).typed("/plan")).to_string().contains("Plan"));
    assert_eq!(plain(0, Surface::Serve, text).typed("/quit"), [Effect::Quit]);
    let mut wrong = plain(0, Surface::Serve, choice("choice"));
    assert_eq!(wrong.typed("/fly"), []);
    assert!(wrong.out.last().is_some_and(|line| line.contains("fly")));
    assert!(sent(&wrong.typed("/decline not now")).to_string().contains("not now"));
}

#[test]
fn settled_elsewhere_it_says_by_whom_and_the_end_waits_for_what_is_on_its_way() {
    let mut elsewhere = plain(0, Surface::Serve, choice("choice"));
    let ended = json!({"state": "answered", "decision": {"channel": "window"}});
    elsewhere.take(Event::Shown(Box::new(sample(ended))));
    assert!(elsewhere.out.iter().any(|line| line == "t: answered in the window"), "{:?}", elsewhere.out);
    assert_eq!(elsewhere.prompt(), None);
    let mut piped = plain(0, Surface::Serve, choice("choice"));
    let effects = piped.typed("1");
    assert_eq!(piped.end(), []);
    let [Effect::Do(command)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(piped.take(Event::Done(command.clone(), json!({}))), [Effect::Quit]);
}
