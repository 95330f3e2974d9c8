//! Events and what they come to.

use super::*;
use crate::asked::{Session, sample};
use crate::words;
use countersign_core::class::Class;
use countersign_core::mode::Mode;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::json;

fn row(id: &str) -> Row {
    Row { id: RequestId(id.into()), title: id.into(), class: Class::Ask, agent: "a".into(), workspace: "/w".into() }
}

fn asked(id: &str, more: Value) -> Box<Asked> {
    let mut said = json!({"id": id, "title": format!("Title {id}"), "questions": [
        {"id": "q", "question": "?", "type": "choice", "options": ["One", "Two"], "allow_other": true}]});
    said.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    Box::new(sample(said))
}

struct Screen(State);

impl Screen {
    fn new(surface: Surface) -> Self {
        Self(State::new(words::BOTH[0], Hello { surface, test_home: false }))
    }

    /// One with these open, the first on the screen and calm.
    fn with(ids: &[&str]) -> Self {
        let mut screen = Self::new(Surface::Serve);
        screen.news(ids);
        screen.show(ids[0]);
        screen.calm();
        screen
    }

    fn news(&mut self, ids: &[&str]) -> Vec<Effect> {
        let rows = ids.iter().map(|id| row(id)).collect();
        self.0.take(Event::News { rows, more: false, sessions: Vec::new() })
    }

    fn show(&mut self, id: &str) -> Vec<Effect> {
        let effects = self.0.take(Event::Shown(asked(id, json!({}))));
        self.0.measure(Measured { top: 0, page: 10, max_top: 0, end: true, chosen: true });
        effects
    }

    fn calm(&mut self) {
        self.0.take(Event::Calm(self.0.inert_turn));
        assert!(!self.0.inert);
    }

    fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        self.0.take(Event::Key(KeyEvent::from(code)))
    }

    fn typed(&mut self, text: &str) {
        text.chars().for_each(|c| drop(self.press(KeyCode::Char(c))));
    }

    fn open(&self) -> Option<&str> {
        self.0.panel.as_ref().map(|panel| panel.asked.id.as_str())
    }

    fn note(&self) -> &str {
        self.0.note.as_deref().unwrap_or_default()
    }
}

fn command(effects: &[Effect]) -> Command {
    match effects {
        [Effect::Do(command)] => (**command).clone(),
        other => panic!("no command: {other:?}"),
    }
}

#[test]
fn the_first_that_comes_is_opened_and_no_key_meant_for_elsewhere_answers_it() {
    let mut screen = Screen::new(Surface::Serve);
    assert_eq!(screen.news(&["a"]), [Effect::Look(RequestId("a".into()))]);
    assert_eq!(screen.show("a"), [Effect::Calm(1)]);
    assert_eq!(screen.press(KeyCode::Enter), [Effect::Calm(2)], "and the moment begins again");
    screen.0.take(Event::Calm(1));
    assert!(screen.0.inert, "the moment of before is over, not this one");
    screen.calm();
    assert!(matches!(command(&screen.press(KeyCode::Enter)), Command::Answer { .. }));
}

#[test]
fn it_is_sent_once_and_the_next_in_the_queue_comes_up() {
    let mut screen = Screen::with(&["a", "b", "c"]);
    assert_eq!(screen.0.place_in_queue(), Some((1, 3)));
    screen.press(KeyCode::Right);
    screen.show("b");
    assert_eq!(screen.open(), Some("b"));
    let sent = command(&screen.press(KeyCode::Enter));
    assert_eq!(screen.press(KeyCode::Enter), [], "a second Enter sends nothing");
    // Its own end is no news.
    screen.news(&["a", "c"]);
    let ended = asked("b", json!({"state": "answered", "decision": {"channel": "serve"}}));
    assert_eq!(screen.0.take(Event::Shown(ended)), []);
    assert_eq!(screen.0.overlay, None);
    let next = screen.0.take(Event::Done(Box::new(sent), json!({})));
    assert_eq!(next, [Effect::Look(RequestId("c".into()))]);
    assert!(screen.note().contains("Title b"));
}

#[test]
fn what_was_left_is_found_again_as_it_was() {
    let mut screen = Screen::with(&["a", "b"]);
    screen.press(KeyCode::Down);
    screen.press(KeyCode::Down);
    screen.press(KeyCode::Enter);
    screen.typed("half a sent");
    screen.press(KeyCode::Tab);
    screen.show("b");
    assert_eq!(screen.open(), Some("b"));
    screen.press(KeyCode::Tab);
    screen.show("a");
    screen.typed("ence");
    let said = command(&screen.press(KeyCode::Enter));
    let Command::Answer { answers, .. } = said else { panic!("{said:?}") };
    assert_eq!(answers["q"], json!({"chosen": [], "other": "half a sentence"}));
}

#[test]
fn esc_leaves_it_pending_and_it_does_not_come_back_by_itself() {
    let mut screen = Screen::with(&["a", "b"]);
    screen.press(KeyCode::Esc);
    assert_eq!((screen.0.place, screen.open()), (Place::List, None));
    assert_eq!(screen.news(&["a", "b", "c"]), []);
    assert_eq!(screen.0.place, Place::List);
    screen.press(KeyCode::Down);
    assert_eq!(screen.press(KeyCode::Enter), [Effect::Look(RequestId("b".into()))]);
    screen.show("b");
    assert!(!screen.0.inert, "the person opened it");
    let sent = command(&screen.press(KeyCode::Enter));
    let next = screen.0.take(Event::Done(Box::new(sent), json!({})));
    assert_eq!(next, [Effect::Look(RequestId("c".into()))], "not the one that was left");
}

#[test]
fn settled_elsewhere_it_goes_says_by_whom_and_keeps_what_was_typed() {
    let mut screen = Screen::with(&["a"]);
    screen.0.take(Event::Paste("two\nlines".into()));
    assert_eq!(screen.news(&[]), [Effect::Look(RequestId("a".into()))]);
    screen.0.take(Event::Shown(asked("a", json!({"state": "answered", "decision": {"channel": "window"}}))));
    let Some(Overlay::Ended { text, typed }) = &screen.0.overlay else { panic!("{:?}", screen.0.overlay) };
    assert_eq!(text, "Title a: answered in the window");
    assert_eq!(typed, &["two\nlines"]);
    screen.typed("x");
    screen.press(KeyCode::Enter);
    assert!(screen.0.overlay.is_some(), "a key that was on its way does not put it away");
    screen.calm();
    screen.press(KeyCode::Enter);
    assert_eq!((screen.0.overlay.as_ref(), screen.0.place), (None, Place::Empty));
}

#[test]
fn a_proof_is_asked_for_once_and_what_waited_for_it_is_done_then() {
    let mut screen = Screen::with(&["a"]);
    let sent = command(&screen.press(KeyCode::Enter));
    let refused = |screen: &mut Screen, code: &str| {
        let command = Box::new(sent.clone());
        screen.0.take(Event::Refused { command, code: code.into(), message: "m".into() })
    };
    assert_eq!(refused(&mut screen, "proof_needed"), []);
    screen.typed("correct horsf");
    assert_eq!(screen.press(KeyCode::Enter), [Effect::Prove("correct horsf".into())]);
    screen.0.take(Event::NotProven { code: "wrong_passphrase".into(), message: String::new() });
    let Some(Overlay::Proof(proof)) = &screen.0.overlay else { panic!("no proof") };
    assert_eq!((proof.field.text(), proof.wrong.as_deref()), ("", Some("That is not the passphrase.")));
    screen.typed("correct horse");
    screen.press(KeyCode::Enter);
    assert_eq!(command(&screen.0.take(Event::Proven)), sent);
    // Thought better of: nothing is sent, and the answer is still there.
    assert_eq!(refused(&mut screen, "proof_needed"), []);
    assert_eq!(screen.press(KeyCode::Esc), [Effect::StopProving]);
    assert_eq!(screen.0.take(Event::Proven), []);
    assert_eq!(screen.open(), Some("a"));
}

#[test]
fn beside_the_window_the_proof_is_a_code() {
    let mut screen = Screen::new(Surface::Desktop);
    screen.news(&["a"]);
    screen.show("a");
    screen.calm();
    let sent = command(&screen.press(KeyCode::Enter));
    let refused = Event::Refused { command: Box::new(sent), code: "proof_needed".into(), message: String::new() };
    assert_eq!(screen.0.take(refused), [Effect::ProveInWindow]);
    screen.0.take(Event::Code("123456".into()));
    let Some(Overlay::Proof(proof)) = &screen.0.overlay else { panic!("no proof") };
    assert_eq!((proof.code.as_deref(), proof.in_window), (Some("123456"), true));
    screen.0.take(Event::NotProven { code: "not_proven".into(), message: String::new() });
    assert!(screen.0.overlay.is_none() && screen.note().contains("Nothing was decided"));
}

#[test]
fn the_mode_of_the_open_requests_session_is_switched_by_key_and_by_command() {
    let mut screen = Screen::with(&["a"]);
    let mode = |effects: &[Effect]| match command(effects) {
        Command::Mode { mode: Some(mode), session } => (mode, session.0),
        other => panic!("{other:?}"),
    };
    assert_eq!(mode(&screen.press(KeyCode::BackTab)), (Mode::Interactive, "s".into()));
    screen.typed("/plan");
    let asked = screen.press(KeyCode::Enter);
    assert_eq!(mode(&asked), (Mode::Plan, "s".into()));
    screen.0.take(Event::Done(Box::new(command(&asked)), json!({})));
    assert_eq!(screen.0.session().map(|session| session.mode), Some(Mode::Plan));
    screen.typed("/plan");
    assert_eq!(mode(&screen.press(KeyCode::Enter)), (Mode::Guided, "s".into()));
    screen.typed("/fly");
    screen.press(KeyCode::Enter);
    assert!(screen.note().contains("fly"));
    let mut idle = Screen::new(Surface::Serve);
    idle.press(KeyCode::BackTab);
    assert_eq!(idle.note(), words::BOTH[0].no_session);
    let working = Session::read(&json!({"session": "t", "mode": "guided", "present": true}));
    idle.0.take(Event::News { rows: Vec::new(), more: false, sessions: vec![working] });
    assert_eq!(mode(&idle.press(KeyCode::BackTab)), (Mode::Interactive, "t".into()));
}

#[test]
fn a_plan_goes_with_its_remarks_and_the_mode_that_was_picked_where_it_is_run() {
    let plan = json!({"class": "plan", "questions": [countersign_core::plan::question()],
        "plan": {"revision": 1, "modes": ["guided", "interactive"], "run_mode": "guided", "previous": []}});
    let answer = |keys: &[&str], last: char| {
        let mut screen = Screen::new(Surface::Serve);
        screen.news(&["a"]);
        screen.0.take(Event::Shown(asked("a", plan.clone())));
        screen.0.measure(Measured { top: 0, page: 10, max_top: 0, end: true, chosen: true });
        screen.calm();
        for keys in keys {
            screen.typed(keys);
            screen.press(KeyCode::Enter);
        }
        let mut effects = screen.press(KeyCode::Char(last));
        if effects.is_empty() {
            effects = screen.press(KeyCode::Enter);
        }
        match command(&effects) {
            Command::AnswerPlan { answers, remarks, mode, .. } => (answers["plan"].clone(), remarks.len(), mode),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(answer(&[], 'r'), (json!("Run it"), 0, None), "where it was before");
    assert_eq!(answer(&["/into interactive"], 'r'), (json!("Run it"), 0, Some(Mode::Interactive)));
    assert_eq!(answer(&["/into plan"], 'r').2, None, "there it can't lead");
    let kept = answer(&["/into interactive", "/remark 4: no lab", "/remark 4: a lab", "/remark none"], 'k');
    assert_eq!(kept, (json!("Keep planning"), 1, None));
}

#[test]
fn away_nothing_is_sent_and_back_it_goes_on() {
    let mut screen = Screen::with(&["a"]);
    screen.0.take(Event::Gone);
    assert_eq!(screen.press(KeyCode::Enter), []);
    assert_eq!(screen.note(), words::BOTH[0].away);
    screen.0.take(Event::Here(Hello { surface: Surface::Serve, test_home: false }));
    assert_eq!(screen.note(), words::BOTH[0].back_again);
    assert!(matches!(command(&screen.press(KeyCode::Enter)), Command::Answer { .. }));
}

#[test]
fn keys_that_come_at_once_decide_nothing_where_nothing_is_typed() {
    let mut screen = Screen::with(&["a"]);
    let burst = |screen: &mut Screen, text: &str, enter| screen.0.take(Event::Burst { text: text.into(), enter });
    assert_eq!(burst(&mut screen, "222", true), [], "it is put where it can be read");
    let sent = command(&screen.press(KeyCode::Enter));
    let Command::Answer { answers, .. } = sent else { panic!("{sent:?}") };
    assert_eq!(answers["q"], json!({"chosen": [], "other": "222"}));
    let mut typing = Screen::with(&["a"]);
    typing.0.take(Event::Paste("so".into()));
    assert!(matches!(command(&burst(&mut typing, " it is", true)), Command::Answer { .. }));
    let mut commands = Screen::with(&["a"]);
    assert!(matches!(command(&burst(&mut commands, "/plan", true)), Command::Mode { .. }));
}

#[test]
fn ctrl_c_ends_it_wherever_one_is() {
    let mut screen = Screen::with(&["a"]);
    let ctrl_c = || Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    screen.0.take(Event::Paste("text".into()));
    assert_eq!(screen.0.take(ctrl_c()), [Effect::Quit]);
    assert_eq!(Screen::new(Surface::Serve).0.take(ctrl_c()), [Effect::Quit]);
}
