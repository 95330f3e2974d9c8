//! The table of `docs/asking.md`, row by row, and what the table can't say.

use super::*;
use crate::answer::{Answer, check_one};
use proptest::prelude::*;

const PAGE: &str = include_str!("../../../../docs/asking.md");

fn question(kind: &str) -> Question {
    let (kind, own) = match kind {
        "one" => ("choice", true),
        "several" => ("multiChoice", true),
        "closed one" => ("choice", false),
        "closed several" => ("multiChoice", false),
        other => (other, false),
    };
    let mut question = json!({"id": "q", "question": "?", "type": kind});
    if kind.ends_with("hoice") {
        question["options"] = json!(["Alpha", "Beta", "Gamma, with cheese"]);
        question["allow_other"] = json!(own);
    }
    serde_json::from_value(question).expect("a question")
}

/// As the table writes it.
fn outcome(question: &Question, text: &str) -> String {
    let reply = match read(question, text) {
        Ok(reply) => reply,
        Err(ReplyError::Blank) => return "nothing yet".into(),
        Err(ReplyError::Unclear { .. } | ReplyError::Answer(_) | ReplyError::WhichQuestion { .. }) => {
            return "refused".into();
        }
    };
    let answer = check_one(question, &reply.value).expect("what is read is taken");
    let (chosen, own) = answer.parts();
    let mut said = match &answer {
        Answer::Text(text) => vec![format!("“{text}”")],
        Answer::One(_) | Answer::Some { .. } | Answer::Confirm(_) => chosen,
    };
    if !matches!(answer, Answer::Text(_)) {
        said.extend(own.map(|own| format!("own words “{own}”")));
    }
    said.extend(reply.comment.map(|comment| format!("comment “{comment}”")));
    said.join("; ").replace('\n', "⏎")
}

#[test]
fn every_row_of_the_table_is_what_happens() {
    let rows = PAGE.lines().filter(|line| line.starts_with("| `"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [written, kind, original, here, why] = cells.as_slice() else { panic!("five cells: {row}") };
        let written = written.trim_matches('`').replace('⏎', "\n").replace('␍', "\r").replace('␣', " ");
        let written = written.replace('⌑', "\u{feff}");
        assert_eq!(&outcome(&question(kind), &written), here, "{row}");
        assert!(original == here || original == &"–" || !why.is_empty(), "a difference has a reason: {row}");
        count += 1;
    }
    assert!(count >= 60, "the table has {count} rows");
}

#[test]
fn an_option_that_looks_like_the_number_of_another_is_itself() {
    let mut question = question("one");
    question.options = ["2", "4", "8"].map(crate::question::Choice::plain).into();
    assert_eq!(read(&question, "2").map(|reply| reply.value), Ok(json!("2")));
    assert_eq!(read(&question, "3").map(|reply| reply.value), Ok(json!("8")));
}

#[test]
fn options_that_differ_in_case_alone_are_told_apart() {
    let mut question = question("one");
    question.options = ["a", "A"].map(crate::question::Choice::plain).into();
    assert_eq!(read(&question, "A").map(|reply| reply.value), Ok(json!("A")));
    question.options = ["ab", "aB"].map(crate::question::Choice::plain).into();
    assert_eq!(outcome(&question, "AB"), "own words “AB”");
}

#[test]
fn a_thousand_lines_of_own_words_are_kept_whole() {
    let words: Vec<String> = (0..1_000).map(|n| format!("line {n}")).collect();
    for kind in ["one", "several"] {
        assert_eq!(outcome(&question(kind), &words.join("\r\n")), format!("own words “{}”", words.join("⏎")));
    }
    assert_eq!(read(&question("text"), &words.join("\r\n")).map(|r| r.value), Ok(json!(words.join("\n"))));
}

#[test]
fn several_questions_are_answered_by_their_ids() {
    let mut questions = vec![question("one"), question("text"), question("confirm")];
    for (question, id) in questions.iter_mut().zip(["format", "why", "sure"]) {
        question.id = id.into();
    }
    let read = |text: &str| read_all(&questions, text);
    let all = read("format: 2\nwhy: because\nwhy: twice\n\nsure:\nyes\nand quickly").expect("it is taken");
    assert_eq!(Value::Object(all.answers), json!({"format": "Beta", "why": "because\nwhy: twice", "sure": true}));
    assert_eq!(all.comment.as_deref(), Some("and quickly"));
    let all = read(r#"{"format": "Alpha", "why": "x", "sure": false}"#).expect("JSON is taken");
    assert_eq!(all.answers["sure"], json!(false));
    assert!(matches!(read("Alpha"), Err(ReplyError::WhichQuestion { .. })));
    assert!(matches!(read("format: 1"), Err(ReplyError::Answer(AnswerError::Missing { .. }))));
    assert!(matches!(read("format: 1\nwhy: x\nsure: perhaps"), Err(ReplyError::Unclear { .. })));
    assert_eq!(read(" \n"), Err(ReplyError::Blank));
}

proptest! {
    #[test]
    fn what_is_read_is_always_taken_by_its_question_and_never_invents_an_option(text in "\\PC{0,40}|[0-9 ,;.\n]{0,12}") {
        for kind in ["one", "several", "closed one", "closed several", "text", "confirm"] {
            let question = question(kind);
            if let Ok(reply) = read(&question, &text) {
                prop_assert!(check_one(&question, &reply.value).is_ok());
            }
            let _ = read_all(&[question.clone(), Question { id: "b".into(), ..question }], &text);
        }
    }
}
