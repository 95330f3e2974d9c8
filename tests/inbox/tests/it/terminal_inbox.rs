//! `countersign inbox` on a real terminal, against a real engine: what it shows, what its keys do, and how it ends.

use countersign_core::channel::Channel;
use countersign_core::mode::Mode;
use countersign_core::request::State;
use countersign_host::{Passphrase, Surface};
use countersign_inbox_tests::{Agent, House, PASSPHRASE, Pty, in_time, until};
use serde_json::{Value, json};

const ENTER: &str = "\r";
const ESC: &str = "\x1b";
const DOWN: &str = "\x1b[B";
const SHIFT_TAB: &str = "\x1b[Z";
const CTRL_C: &str = "\x03";
const WIDE: (u16, u16) = (80, 24);
const HINT: &str = "Enter to send";

async fn house() -> House {
    House::with(|options| options.passphrase = Passphrase::Given(PASSPHRASE.into())).await
}

fn inbox(house: &House, size: (u16, u16)) -> Pty {
    inbox_in(house, size, &[])
}

fn inbox_in(house: &House, size: (u16, u16), environment: &[(&str, &str)]) -> Pty {
    Pty::start(&house.home, &["inbox"], size, environment)
}

/// Types the passphrase where it is asked for.
async fn prove(pty: &mut Pty) {
    pty.shows("Passphrase:").await;
    pty.press(PASSPHRASE);
    pty.press(ENTER);
}

async fn seed(agent: &Agent) -> Value {
    let ask = json!({"question": "How long should topic 3 take?", "options": ["One session", "Two sessions", "Two sessions and a lab"]});
    agent.call("ask_human", ask).await
}

#[tokio::test]
async fn the_seeds_panel_is_answered_with_keys_and_the_agent_has_it_in_the_same_call() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house, WIDE);
    pty.shows("Nothing is waiting for you.").await;
    let person = async {
        let screen = pty.shows(HINT).await;
        for line in [
            "╭─",
            "The agent asks",
            "How long should topic 3 take?",
            "❯ 1. One session",
            "Other (type your own",
            "guided mode",
        ] {
            assert!(screen.contains(line), "{line:?} is not on\n{screen}");
        }
        pty.press(DOWN);
        pty.shows("❯ 2. Two sessions").await;
        pty.press(ENTER);
        prove(&mut pty).await;
        pty.shows("Sent: How long").await;
    };
    let (said, ()) = in_time("the answer", async { tokio::join!(seed(&agent), person) }).await;
    assert_eq!(said["text"], "The person chose: Two sessions.", "{said}");
    // The proof was asked for once.
    let person = async {
        pty.shows(HINT).await;
        pty.press(ENTER);
        pty.shows("Nothing is waiting for you.").await;
    };
    let again = agent.call("ask_human", json!({"question": "And then?", "options": ["On", "Off"]}));
    let (said, ()) = in_time("the answer", async { tokio::join!(again, person) }).await;
    assert_eq!(said["text"], "The person chose: On.");
    pty.press("q");
    assert_eq!(pty.end().await, 0);
}

#[tokio::test]
async fn every_kind_of_question_is_answered_several_at_once_too() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house, WIDE);
    let many = json!({"question": "Which of them?", "options": ["Ñandú", "二つ目", "third"], "multiple": true});
    let person = async {
        pty.shows("Space marks").await;
        pty.press(" ");
        pty.shows("[x] 1. Ñandú").await;
        pty.press("3");
        pty.shows("[x] 3. third").await;
        pty.press(DOWN);
        pty.shows("❯ [ ] Other").await;
        pty.press(ENTER);
        pty.shows("Enter to send · Esc back").await;
        // A paste of several lines is a part of one answer.
        pty.press("\x1b[200~and más\r\nthings 👍\x1b[201~");
        pty.shows("things").await;
        pty.press(ENTER);
        prove(&mut pty).await;
        pty.shows("Sent:").await;
    };
    let (said, ()) = in_time("the answer", async { tokio::join!(agent.call("ask_human", many), person) }).await;
    let own = &said["structuredContent"];
    assert_eq!((&own["chosen"], &own["other"]), (&json!(["Ñandú", "third"]), &json!("and más\nthings 👍")), "{said}");
}

#[tokio::test]
async fn settled_elsewhere_the_panel_goes_within_a_second_says_by_whom_and_keeps_what_was_typed() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house, WIDE);
    let id = agent.ask("Which colour?").await;
    pty.shows(HINT).await;
    pty.press("\x1b[200~A long thought of mine\x1b[201~");
    pty.shows("A long thought").await;
    let id = countersign_core::id::RequestId(id);
    house.answer(&id, json!({"answer": "Red"})).await;
    let screen = pty.shows("answered in the window").await;
    assert!(screen.contains("Which colour?") && screen.contains("A long thought of mine"), "{screen}");
    pty.shows("Enter goes on").await;
    pty.press(ENTER);
    pty.shows("Nothing is waiting for you.").await;
}

#[tokio::test]
async fn esc_leaves_it_pending_and_the_queue_is_walked_through() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    for question in ["First?", "Second?", "Third?"] {
        agent.ask(question).await;
    }
    let mut pty = inbox(&house, WIDE);
    pty.shows("1 of 3").await;
    pty.press("\t");
    pty.becomes("the second", |screen| screen.contains("2 of 3") && screen.contains("│ Second?")).await;
    pty.press("\x1b[D");
    pty.shows("│ First?").await;
    pty.press(ESC);
    pty.becomes("the list", |screen| screen.contains("3 waiting") && screen.contains("❯ 1. First?")).await;
    pty.press(DOWN);
    pty.shows("❯ 2. Second?").await;
    // What comes meanwhile comes to the list and takes no key.
    agent.ask("Fourth?").await;
    pty.shows("4. Fourth?").await;
    pty.press("\x1b[C");
    pty.shows("│ Second?").await;
    pty.press("/");
    pty.shows("/mode guided").await;
    pty.press("quit\r");
    assert_eq!(pty.end().await, 0);
    assert_eq!(house.open("all wait", |open| open.len() == 4).await.len(), 4);
}

#[tokio::test]
async fn shift_tab_and_plan_switch_the_sessions_mode_after_the_proof() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    agent.ask("Really?").await;
    let session = || house.broker().read(|db| Ok(db.latest_sessions(1)?)).expect("read").remove(0).session.standing;
    let mut pty = inbox(&house, WIDE);
    pty.shows(HINT).await;
    pty.press(SHIFT_TAB);
    prove(&mut pty).await;
    pty.shows("interactive mode ·").await;
    assert_eq!(session().mode, Mode::Interactive);
    pty.press("/plan\r");
    pty.shows("plan mode ·").await;
    assert_eq!((session().mode, session().before_plan), (Mode::Plan, Some(Mode::Interactive)));
    pty.press("/plan\r");
    pty.shows("interactive mode ·").await;
    // Switched elsewhere, it is said here.
    let id = house.broker().read(|db| Ok(db.latest_sessions(1)?)).expect("read").remove(0).session.id;
    let person = countersign_broker::Person::at(Channel::Window);
    house.broker().set_mode(&id, Mode::Guided, person).await.expect("switched");
    pty.shows("guided mode ·").await;
}

#[tokio::test]
async fn a_wrong_passphrase_decides_nothing_and_esc_thinks_better_of_it() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let id = agent.ask("Really?").await;
    let mut pty = inbox(&house, WIDE);
    pty.shows(HINT).await;
    pty.press(ENTER);
    pty.shows("Passphrase:").await;
    pty.press("not the passphrase\r");
    let screen = pty.shows("That is not the passphrase.").await;
    assert!(!pty.written().contains("not the passphrase\r") && screen.contains("Esc back"), "{screen}");
    pty.press(ESC);
    pty.shows(HINT).await;
    let request = house.broker().detail(&countersign_core::id::RequestId(id)).expect("there").request;
    assert_eq!(request.state, State::Pending);
}

#[tokio::test]
async fn beside_the_window_six_digits_are_shown_and_a_plan_is_only_read() {
    let house = House::with(|options| options.surface = Surface::Desktop).await;
    let agent = house.pair("Ink").await;
    agent.ask("Really?").await;
    let mut pty = inbox(&house, WIDE);
    pty.shows(HINT).await;
    pty.press(ENTER);
    pty.shows("under Agents").await;
    let arrival = until("a code waits", || house.broker().arrivals().waiting.into_iter().next()).await;
    let digits = |screen: &str| {
        screen
            .lines()
            .map(str::trim)
            .find(|line| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit()))
            .map(str::to_owned)
    };
    let screen = pty.becomes("six digits", |screen| digits(screen).is_some()).await;
    let code = digits(&screen).expect("a code");
    let person = countersign_broker::Person::at(Channel::Window);
    house
        .broker()
        .accept_arrival(Some(&arrival.id), &code, countersign_core::scope::Scopes::ALL, person)
        .expect("accepted");
    pty.shows("Sent: Really?").await;
    pty.press(SHIFT_TAB);
    pty.press("q");
    assert_eq!(pty.end().await, 0);

    agent.call("request_mode", json!({"mode": "plan"})).await;
    agent.call("present_plan", json!({"plan": "# The plan\n\n1. Read", "hold_seconds": 0})).await;
    let mut pty = inbox(&house, WIDE);
    let screen = pty.shows("Decided in the window").await;
    assert!(screen.contains("# The plan") && screen.contains("1. Read"), "{screen}");
    pty.press("r");
    pty.shows("This is decided in Countersign's window").await;
}

#[tokio::test]
async fn under_serve_a_plan_is_read_to_its_end_and_run_by_its_key() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let plan: String = (1..=80).map(|n| format!("{n}. Step {n}\n")).collect();
    let mut pty = inbox(&house, WIDE);
    let person = async {
        pty.shows("r run it").await;
        pty.press("m");
        pty.shows("Running it leads to interactive mode").await;
        pty.press("r");
        pty.shows("Read it to its end first").await;
        pty.press("\x1b[F");
        pty.shows("80. Step 80").await;
        pty.press(ENTER);
        pty.shows("Enter never does this; press r.").await;
        pty.press("r");
        prove(&mut pty).await;
        pty.shows("Sent:").await;
    };
    let call = agent.call("present_plan", json!({"plan": format!("# Long\n\n{plan}")}));
    let (said, ()) = in_time("the plan", async { tokio::join!(call, person) }).await;
    assert!(said["text"].as_str().is_some_and(|text| text.contains("now interactive mode")), "{said}");
    // Another one goes back with what should be otherwise on one of its lines.
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let person = async {
        pty.shows("k keep planning").await;
        pty.press("n");
        pty.shows("3 │ 1. Read").await;
        pty.press("/remark 3:Skim\r");
        pty.shows("Line 3: Skim").await;
        pty.press("k");
        pty.shows("What should change?").await;
        pty.press(ENTER);
        pty.shows("Sent:").await;
    };
    let call = agent.call("present_plan", json!({"plan": "# Short\n\n1. Read"}));
    let (said, ()) = in_time("the plan", async { tokio::join!(call, person) }).await;
    assert!(said["text"].as_str().is_some_and(|text| text.contains("On line 3 (“1. Read”): Skim")), "{said}");
}

#[tokio::test]
async fn what_destroys_takes_its_word_under_serve() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    agent.call("create_spec", json!({"title": "Login"})).await;
    agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    let mut pty = inbox(&house, WIDE);
    let screen = pty.shows(HINT).await;
    assert!(screen.contains("This can't be undone") && screen.contains("❯ No"), "{screen}");
    pty.press("y");
    pty.shows("❯ Yes").await;
    pty.press(ENTER);
    pty.shows("Type SPEC-001 to do it:").await;
    pty.press(ENTER);
    pty.shows("That is not SPEC-001.").await;
    pty.press("SPEC-001\r");
    prove(&mut pty).await;
    pty.shows("Sent:").await;
    let deleted = agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    assert_eq!(deleted["structuredContent"]["outcome"], "deleted", "{deleted}");
}

#[tokio::test]
async fn the_app_goes_and_comes_back_and_so_does_the_inbox() {
    let mut house = house().await;
    let agent = house.pair("Ink").await;
    agent.ask("Still there?").await;
    let mut pty = inbox(&house, WIDE);
    pty.shows(HINT).await;
    pty.press("\x1b[200~kept words\x1b[201~");
    pty.shows("kept words").await;
    house.stop().await;
    let screen = pty.shows("Countersign went away").await;
    assert!(screen.contains("kept words"), "{screen}");
    pty.press(ENTER);
    house.start().await;
    pty.shows("Countersign is back").await;
    pty.press(ENTER);
    prove(&mut pty).await;
    pty.shows("Nothing is waiting for you.").await;
}

#[tokio::test]
async fn thirty_columns_in_spanish_without_colours_with_wide_characters_and_another_size_in_between() {
    let house = house().await;
    let agent = house.pair("墨").await;
    let ask = json!({"question": "¿Cuánto debería durar el tema 3? 第三課は？", "options": ["Una sesión", "二回 👩‍🚒"], "hold_seconds": 0});
    agent.call("ask_human", ask).await;
    let mut pty = inbox_in(&house, (30, 16), &[("LANG", "es_ES.UTF-8"), ("NO_COLOR", "1")]);
    let screen = pty.shows("El agente pregunta").await;
    let screen = if screen.contains("❯") { screen } else { pty.shows("❯ 1. Una sesión").await };
    for line in ["墨 en", "第三課は？", "2. 二回", "modo guiado"] {
        assert!(screen.contains(line), "{line:?} is not on\n{screen}");
    }
    let colours = ["\x1b[3", "\x1b[4"].into_iter().flat_map(|start| (0..8).map(move |n| format!("{start}{n}")));
    let colours: Vec<String> =
        colours.flat_map(|code| [format!("{code}m"), format!("{code};")]).chain(["\x1b[38;".into()]).collect();
    let written = pty.written();
    assert!(colours.iter().all(|code| !written.contains(code.as_str())), "{written:?}");
    pty.resize(60, 12);
    pty.becomes("a wide frame", |screen| {
        screen.lines().any(|line| line.starts_with("╭") && line.chars().count() == 60)
    })
    .await;
    pty.resize(20, 5);
    pty.shows("❯").await;
    pty.resize(3, 1);
    pty.resize(30, 16);
    pty.shows("El agente pregunta").await;
    pty.press(CTRL_C);
    assert_eq!(pty.end().await, 0);
}

#[tokio::test]
async fn however_it_ends_the_terminal_is_given_back() {
    let house = house().await;
    house.pair("Ink").await.ask("Really?").await;
    for language in ["C", "en_US.UTF-8"] {
        let mut pty = inbox_in(&house, WIDE, &[("LANG", language)]);
        let screen = pty.shows(HINT).await;
        assert!(screen.contains("❯ 1. Red") && screen.contains("╰─"), "{language}: {screen}");
        assert!(pty.has_own_screen());
        pty.press(CTRL_C);
        assert_eq!(pty.end().await, 0);
        until("the screen is given back", || (!pty.has_own_screen()).then_some(())).await;
        let written = pty.written();
        // Pastes are no longer marked, and the cursor is shown.
        assert!(written.rfind("\x1b[?2004l") > written.rfind("\x1b[?2004h"), "{written:?}");
        assert!(written.rfind("\x1b[?25h") > written.rfind("\x1b[?25l"), "{written:?}");
    }
}

#[tokio::test]
async fn a_terminal_that_can_not_move_its_cursor_gets_plain_lines_and_none_without_the_app() {
    let mut house = house().await;
    house.pair("Ink").await.ask("Really?").await;
    let mut pty = inbox_in(&house, WIDE, &[("TERM", "dumb")]);
    pty.shows("A number, or your own words:").await;
    assert!(!pty.written().contains("\x1b["), "{:?}", pty.written());
    pty.press("/quit\r");
    assert_eq!(pty.end().await, 0);
    house.stop().await;
    let mut pty = inbox(&house, WIDE);
    pty.shows("isn't running").await;
    assert_eq!(pty.end().await, 3);
    assert!(!pty.has_own_screen());
}
