//! The note to an agent about a mode that it did not hear of: once, and not lost.

use crate::room::{DIALOG, Room, WINDOW, plan_of};
use countersign_broker::{Caller, Note};
use countersign_core::mode::Mode;
use serde_json::json;

fn note(room: &Room, caller: &Caller) -> Option<Note> {
    room.broker.note(caller).expect("reads")
}

async fn arrives(room: &Room, note: Note) -> String {
    room.broker.told(note.telling);
    room.broker.tick().await.expect("ticks");
    note.text
}

async fn set(room: &Room, caller: &Caller, mode: Mode) {
    room.broker.set_mode(&caller.session, mode, WINDOW).await.expect("switched");
}

#[tokio::test]
async fn a_change_of_mode_is_noted_once() {
    let room = Room::new();
    let caller = room.caller("a").await;
    assert!(note(&room, &caller).is_none(), "guided mode is where sessions start");
    for (mode, says) in [
        (Mode::Interactive, "to interactive mode"),
        (Mode::Plan, "to plan mode"),
        (Mode::Guided, "from plan mode to guided mode"),
    ] {
        set(&room, &caller, mode).await;
        let text = arrives(&room, note(&room, &caller).expect("a note")).await;
        assert!(text.contains(says), "{text}");
        assert!(note(&room, &caller).is_none(), "once");
    }
}

#[tokio::test]
async fn a_mode_that_was_left_again_before_the_agent_heard_of_it_is_not_noted() {
    let room = Room::new();
    let caller = room.caller("a").await;
    set(&room, &caller, Mode::Plan).await;
    set(&room, &caller, Mode::Guided).await;
    assert!(note(&room, &caller).is_none());
}

#[tokio::test]
async fn a_note_whose_result_was_lost_goes_with_the_next_and_one_that_is_under_way_with_no_other() {
    let room = Room::new();
    let caller = room.caller("a").await;
    set(&room, &caller, Mode::Plan).await;
    let first = note(&room, &caller).expect("a note");
    assert!(note(&room, &caller).is_none(), "it is under way");
    drop(first);
    let second = note(&room, &caller).expect("the first was lost");
    // The mode changes while it is under way: what is so now is told next.
    set(&room, &caller, Mode::Interactive).await;
    assert!(note(&room, &caller).is_none(), "one after the other");
    arrives(&room, second).await;
    let third = note(&room, &caller).expect("another mode");
    assert!(arrives(&room, third).await.contains("from plan mode to interactive"));
    assert!(note(&room, &caller).is_none());
}

#[tokio::test]
async fn a_note_that_arrives_after_the_plan_was_run_does_not_bring_plan_mode_back() {
    let room = Room::new();
    let caller = room.caller("a").await;
    set(&room, &caller, Mode::Plan).await;
    let plan = room.broker.ask(&caller, plan_of("# One")).await.expect("plans").request;
    let under_way = note(&room, &caller).expect("goes with the plan's own result");
    room.answer(DIALOG, &plan.id, json!({"plan": "Run it"})).await.expect("run");
    arrives(&room, under_way).await;
    assert!(note(&room, &caller).is_none(), "the plan's ending said that plan mode is off");
    // Without a decision between, what the person did since is told.
    set(&room, &caller, Mode::Plan).await;
    let under_way = note(&room, &caller).expect("a note");
    set(&room, &caller, Mode::Guided).await;
    arrives(&room, under_way).await;
    assert!(note(&room, &caller).is_some_and(|note| note.text.contains("from plan mode to guided")));
}

#[tokio::test]
async fn what_was_told_and_what_was_not_is_kept_over_a_restart() {
    let room = Room::new();
    let (told, untold) = (room.caller("a").await, room.caller("b").await);
    for caller in [&told, &untold] {
        set(&room, caller, Mode::Plan).await;
    }
    arrives(&room, note(&room, &told).expect("a note")).await;
    drop(note(&room, &untold));
    let room = room.restart();
    assert!(note(&room, &told).is_none());
    assert!(note(&room, &untold).is_some());
}

#[tokio::test]
async fn a_session_that_starts_in_plan_mode_is_told_so() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let first = room.broker.enter(&agent, Some("first"), None).await.expect("enters");
    room.broker.request_mode(&first, Mode::Plan).await.expect("stricter");
    assert!(note(&room, &first).is_none(), "it asked for it, and heard what it came to");
    let second = room.broker.enter(&agent, Some("second"), None).await.expect("enters");
    assert_eq!(second.mode, Mode::Plan);
    let text = arrives(&room, note(&room, &second).expect("it never heard of it")).await;
    assert!(text.starts_with("this session is in plan mode"), "{text}");
}

#[tokio::test]
async fn a_plans_ending_says_the_mode_and_needs_no_note_beside_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    for (label, noted) in [("Run it", false), ("Keep planning", false), ("Cancel", true)] {
        for left in [false, true] {
            set(&room, &caller, Mode::Plan).await;
            if let Some(note) = note(&room, &caller) {
                arrives(&room, note).await;
            }
            let plan = room.broker.ask(&caller, plan_of(&format!("{label} {left}"))).await.expect("plans").request;
            if left {
                set(&room, &caller, Mode::Interactive).await;
            }
            room.answer(DIALOG, &plan.id, json!({"plan": label})).await.expect("decided");
            assert_eq!(note(&room, &caller).is_some(), noted && left, "{label}, left: {left}");
        }
    }
}
