//! Keys and what they come to.

use super::*;
use crate::asked::sample;
use serde_json::json;

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::from(code)
}

/// A panel that was drawn whole.
fn panel_at(surface: Surface, more: Value) -> Panel {
    let mut panel = Panel::new(sample(more), surface);
    panel.measure(Measured { top: 0, page: 10, max_top: 0, end: true, chosen: true });
    panel
}

fn panel(more: Value) -> Panel {
    panel_at(Surface::Serve, more)
}

fn choice(kind: &str, other: bool) -> Value {
    json!({"questions": [{"id": "q", "question": "How long?", "type": kind, "options": ["One", "Two", "Three"], "allow_other": other}]})
}

/// Presses keys: `\n` Enter, `^` up, `v` down, `\x1b` Esc, `\x08` Backspace; what the last one came to.
fn press(panel: &mut Panel, keys: &str) -> Turn {
    let code = |c| match c {
        '\n' => KeyCode::Enter,
        '↑' => KeyCode::Up,
        '↓' => KeyCode::Down,
        '\x1b' => KeyCode::Esc,
        '\x08' => KeyCode::Backspace,
        c => KeyCode::Char(c),
    };
    keys.chars().fold(Turn::Unused, |_, c| panel.key(key(code(c))))
}

fn sent(turn: Turn) -> Value {
    match turn {
        Turn::Send { answers, comment, typed } => {
            json!({"answers": answers, "comment": comment, "typed": typed})
        }
        other => panic!("nothing was sent: {other:?}"),
    }
}

fn answer(turn: Turn) -> Value {
    sent(turn)["answers"]["q"].clone()
}

#[test]
fn a_choice_is_made_by_arrows_and_digits_and_sent_by_enter() {
    for (keys, want) in [
        ("\n", json!("One")),
        ("↓\n", json!("Two")),
        ("↓↓↓↓↓↓\n", json!("Three")),
        ("↓↑↑\n", json!("One")),
        ("3\n", json!("Three")),
        ("9\n", json!("One")),
    ] {
        assert_eq!(answer(press(&mut panel(choice("choice", false)), keys)), want, "{keys:?}");
    }
}

#[test]
fn several_are_marked_by_space_or_digit_and_nothing_marked_is_no_answer() {
    for (keys, want) in [
        (" \n", json!(["One"])),
        ("1↓↓ \n", json!(["One", "Three"])),
        ("31\n", json!(["One", "Three"])),
        ("113\n", json!(["Three"])),
    ] {
        assert_eq!(answer(press(&mut panel(choice("multiChoice", false)), keys)), want, "{keys:?}");
    }
    assert_eq!(press(&mut panel(choice("multiChoice", false)), "\n"), Turn::Say(Say::MarkOne));
}

#[test]
fn an_own_answer_is_typed_in_its_place_alone_or_beside_what_is_marked() {
    let own = |keys: &str, kind: &str| answer(press(&mut panel(choice(kind, true)), keys));
    assert_eq!(own("↓↓↓\nAll of 1\n", "choice"), json!({"chosen": [], "other": "All of 1"}));
    assert_eq!(own("1↓↓↓ more\n", "multiChoice"), json!({"chosen": ["One"], "other": "more"}));
    // Left again, an option is one.
    assert_eq!(own("↓↓↓\nnot\x1b1\n", "choice"), json!("One"));
    let mut blank = panel(choice("choice", true));
    assert_eq!(press(&mut blank, "↓↓↓\n \n"), Turn::Say(Say::NeedsAnswer));
    // A closed choice has no such row.
    assert_eq!(answer(press(&mut panel(choice("choice", false)), "↓↓↓↓\n")), json!("Three"));
}

#[test]
fn a_paste_of_several_lines_is_one_own_answer_that_is_not_sent_by_it() {
    let mut open = panel(choice("choice", true));
    assert_eq!(open.paste("1\n2\nand so on\n"), Turn::Taken);
    assert_eq!(answer(press(&mut open, "\n")), json!({"chosen": [], "other": "1\n2\nand so on"}));
    let mut closed = panel(choice("choice", false));
    assert_eq!(closed.paste("2\n"), Turn::Say(Say::Pasted));
    let mut text = panel(json!({"questions": [{"id": "q", "question": "?", "type": "text"}]}));
    assert_eq!(text.paste("a\r\nb"), Turn::Taken);
    assert_eq!(answer(press(&mut text, "\n")), json!("a\nb"));
}

#[test]
fn a_text_is_checked_against_its_pattern_and_may_have_lines() {
    let text = |pattern: &str| json!({"questions": [{"id": "q", "question": "?", "type": "text", "pattern": pattern}]});
    let mut number = panel(text("^\\d+$"));
    assert_eq!(press(&mut number, "x\n"), Turn::Say(Say::NotPattern("^\\d+$".into())));
    assert_eq!(answer(press(&mut number, "\x084\n")), json!("4"));
    let mut lines = panel(text("."));
    press(&mut lines, "a");
    lines.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::ALT));
    lines.key(KeyEvent::new(KeyCode::Char('b'), KeyModifiers::NONE));
    lines.key(KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL));
    assert_eq!(answer(press(&mut lines, "c\n")), json!("a\nb\nc"));
    assert_eq!(press(&mut panel(text(".")), "\n"), Turn::Say(Say::NeedsAnswer));
}

#[test]
fn defaults_are_preselected_and_what_is_not_required_can_be_left_out() {
    let one =
        json!({"questions": [{"id": "q", "question": "?", "type": "choice", "options": ["a", "b"], "default": "b"}]});
    assert_eq!(answer(press(&mut panel(one), "\n")), json!("b"));
    let some = json!({"questions": [{"id": "q", "question": "?", "type": "multiChoice", "options": ["a", "b"], "default": ["b"]}]});
    assert_eq!(answer(press(&mut panel(some), "\n")), json!(["b"]));
    let no = json!({"questions": [{"id": "q", "question": "?", "type": "confirm", "default": false}]});
    assert_eq!(answer(press(&mut panel(no), "\n")), json!(false));
    let optional = |kind: &str| json!({"questions": [{"id": "q", "question": "?", "type": kind, "options": if kind == "text" { json!([]) } else { json!(["a", "b"]) }, "required": false}]});
    assert_eq!(answer(press(&mut panel(optional("choice")), "x")), json!(null));
    assert_eq!(answer(press(&mut panel(optional("text")), "\n")), json!(null));
    assert_eq!(answer(press(&mut panel(optional("multiChoice")), "\n")), json!(null));
}

#[test]
fn a_batch_is_answered_one_by_one_looked_at_and_sent_whole() {
    let batch = json!({"questions": [
        {"id": "a", "question": "One?", "type": "confirm"},
        {"id": "b", "question": "Two?", "type": "choice", "options": ["x", "y"]},
        {"id": "c", "question": "Three?", "type": "text"},
    ]});
    let mut panel = panel(batch);
    press(&mut panel, "n\n2\nwords\n");
    assert_eq!(panel.stage, Stage::Review);
    // One is changed before all are sent.
    press(&mut panel, "1y\n");
    assert_eq!(panel.stage, Stage::Question(1));
    press(&mut panel, "\n\n");
    assert_eq!(panel.stage, Stage::Review);
    assert_eq!(sent(press(&mut panel, "\n"))["answers"], json!({"a": true, "b": "y", "c": "words"}));
}

#[test]
fn a_no_is_asked_why_and_words_travel_with_a_yes_as_well() {
    let approval = json!({"class": "approval", "questions": [{"id": "q", "question": "?", "type": "confirm"}]});
    let mut no = panel(approval.clone());
    assert_eq!(no.drafts[0].cursor, 1, "a no is where the cursor stands");
    press(&mut no, "\n");
    assert_eq!(no.stage, Stage::Comment);
    let said = sent(press(&mut no, "too early\n"));
    assert_eq!(said, json!({"answers": {"q": false}, "comment": "too early", "typed": null}));
    let mut silent = panel(approval.clone());
    assert_eq!(sent(press(&mut silent, "n\n\n"))["comment"], json!(null));
    let mut yes = panel(approval);
    press(&mut yes, "+with care\n");
    assert_eq!(sent(press(&mut yes, "y\n"))["comment"], "with care");
}

#[test]
fn a_plan_is_run_by_its_own_key_and_by_no_enter() {
    let plan = json!({"class": "plan", "questions": [countersign_core::plan::question()]});
    for keys in ["\n", "1\n", "k\x1b1\n", "↓↑\n"] {
        assert_eq!(press(&mut panel(plan.clone()), keys), Turn::Say(Say::EnterNever('r')), "{keys:?}");
    }
    assert_eq!(sent(press(&mut panel(plan.clone()), "r"))["answers"]["plan"], "Run it");
    assert_eq!(sent(press(&mut panel(plan.clone()), "c"))["answers"]["plan"], "Cancel");
    let kept = sent(press(&mut panel(plan.clone()), "kNo lab.\n"));
    assert_eq!((&kept["answers"]["plan"], &kept["comment"]), (&json!("Keep planning"), &json!("No lab.")));
    for keys in ["r", "k", "c", "\n"] {
        let turn = press(&mut panel_at(Surface::Desktop, plan.clone()), keys);
        assert_eq!(turn, Turn::Say(Say::InWindow), "beside the window: {keys:?}");
    }
}

#[test]
fn what_destroys_takes_its_word_and_a_safe_choice_none() {
    let delete = json!({"class": "destructive", "typed_word": "SPEC-001", "questions": [{"id": "q", "question": "?", "type": "confirm"}]});
    let mut yes = panel(delete.clone());
    assert_eq!(press(&mut yes, "y\n"), Turn::Taken);
    assert_eq!(press(&mut yes, "SPEC-01\n"), Turn::Say(Say::WrongWord("SPEC-001".into())));
    press(&mut yes, "\x08\x08\x08");
    assert_eq!(sent(press(&mut yes, "-001\n"))["typed"], "SPEC-001");
    assert_eq!(sent(press(&mut panel(delete), "\n")), json!({"answers": {"q": false}, "comment": null, "typed": null}));
    let deploy = json!({"class": "destructive", "safe_options": ["staging"],
        "questions": [{"id": "q", "question": "?", "type": "choice", "options": ["staging", "live"]}]});
    assert_eq!(sent(press(&mut panel(deploy.clone()), "1\n"))["typed"], json!(null));
    assert_eq!(sent(press(&mut panel(deploy), "2\nlive\n"))["typed"], "live");
}

#[test]
fn a_step_that_is_not_harmless_is_allowed_by_its_own_key_only() {
    let step = |enter: bool| json!({"class": "step", "step": {"enter": enter}, "questions": [{"id": "q", "question": "?", "type": "confirm"}]});
    assert_eq!(press(&mut panel(step(false)), "y\n"), Turn::Say(Say::EnterNever('a')));
    assert_eq!(answer(press(&mut panel(step(true)), "y\n")), json!(true));
    assert_eq!(answer(press(&mut panel(step(false)), "a")), json!(true));
    let denied = sent(press(&mut panel(step(false)), "dnot there\n"));
    assert_eq!((&denied["answers"]["q"], &denied["comment"]), (&json!(false), &json!("not there")));
    let offered = json!({"class": "step", "step": {"proposals": [{"tool": "Bash", "prefix": ["git", "status"]}]},
        "questions": [{"id": "q", "question": "?", "type": "confirm"}]});
    let mut session = panel(offered);
    assert_eq!(answer(press(&mut session, "s")), json!(true));
    assert_eq!(session.remember, Some((0, Until::Session)));
    assert_eq!(press(&mut panel(step(false)), "s"), Turn::Say(Say::NeverRemembered));
    // No Enter uses what another key began.
    assert_eq!(press(&mut panel(step(false)), "d\x1by\n"), Turn::Say(Say::EnterNever('a')));
}

#[test]
fn what_takes_care_is_read_to_its_end_before_a_yes_and_never_before_a_no() {
    let plan = json!({"class": "plan", "questions": [countersign_core::plan::question()]});
    let mut long = Panel::new(sample(plan), Surface::Serve);
    long.measure(Measured { top: 0, page: 5, max_top: 20, end: false, chosen: true });
    assert_eq!(press(&mut long, "r"), Turn::Say(Say::ReadToEnd));
    assert_eq!(long.top, 4, "a page on");
    assert!(matches!(press(&mut long.clone(), "c"), Turn::Send { .. }));
    long.measure(Measured { top: 20, page: 5, max_top: 20, end: true, chosen: true });
    assert!(matches!(press(&mut long, "r"), Turn::Send { .. }));
    // Where the choice is off the screen, Enter brings it there and sends nothing.
    let mut off = Panel::new(sample(choice("choice", false)), Surface::Serve);
    off.measure(Measured { top: 0, page: 5, max_top: 20, end: false, chosen: false });
    assert_eq!(press(&mut off, "\n"), Turn::Taken);
}
