//! Pairing, tokens, terminals.

use crate::room::{Room, WINDOW};
use countersign_broker::{ArrivalKind, BrokerError, Change, PairingState, Program, TerminalState, Told};
use countersign_core::limit;
use countersign_core::request::State;
use countersign_core::scope::Scopes;
use countersign_core::time::Millis;
use std::time::Duration;

fn program(name: &str) -> Program {
    Program { name: name.into(), client: "test".into(), ..Program::default() }
}

#[tokio::test]
async fn a_token_is_given_once_and_only_its_digest_is_kept() {
    let room = Room::new();
    let pairing = room.broker.begin_pairing(program("a")).await.expect("begins");
    assert_eq!(room.broker.await_pairing(&pairing.id, Duration::ZERO).await.expect("waits"), PairingState::Waiting);
    room.broker.accept_arrival(None, &pairing.code, Scopes::ALL, WINDOW).expect("accepts");
    let PairingState::Accepted { token, .. } =
        room.broker.await_pairing(&pairing.id, Duration::ZERO).await.expect("paired")
    else {
        panic!("not paired")
    };
    assert_eq!(room.broker.await_pairing(&pairing.id, Duration::ZERO).await.expect("gone"), PairingState::Expired);
    assert!(room.broker.authenticate(&token).expect("reads").is_some());
    assert!(room.broker.authenticate(&token[1..]).expect("reads").is_none());
    let needle = token.as_bytes();
    for file in std::fs::read_dir(room.folder.path()).expect("lists") {
        let bytes = std::fs::read(file.expect("a file").path()).expect("reads");
        assert!(!bytes.windows(needle.len()).any(|window| window == needle));
    }
}

#[tokio::test]
async fn a_programs_folder_is_shown_and_kept_in_one_spelling_and_what_is_none_is_refused() {
    let room = Room::new();
    let wants = |folder: &str| Program { workspace: Some(folder.into()), ..program("a") };
    for wrong in ["work", "./work", "/w/../v"] {
        assert!(matches!(room.broker.begin_pairing(wants(wrong)).await, Err(BrokerError::Invalid(_))), "{wrong}");
    }
    for (folder, own) in [("/w//a/./", Some("/w/a")), ("", None)] {
        room.broker.begin_pairing(wants(folder)).await.expect("begins");
        let shown = room.broker.arrivals().waiting.pop().expect("shown").program.workspace;
        assert_eq!(shown.as_deref(), own, "{folder:?}");
    }
}

#[tokio::test]
async fn one_that_waits_hears_at_once_that_the_code_was_typed_or_refused() {
    let room = Room::new();
    for accept in [true, false] {
        let pairing = room.broker.begin_pairing(program("a")).await.expect("begins");
        let (broker, id) = (room.broker.clone(), pairing.id.clone());
        let waiting = tokio::spawn(async move { broker.await_pairing(&id, Duration::from_secs(60)).await });
        tokio::task::yield_now().await;
        if accept {
            room.broker.accept_arrival(None, &pairing.code, Scopes::ALL, WINDOW).expect("accepts");
        } else {
            room.broker.refuse_arrival(&pairing.code).expect("refuses");
        }
        let state = waiting.await.expect("joins").expect("told");
        assert_eq!(matches!(state, PairingState::Accepted { .. }), accept, "{state:?}");
    }
}

#[tokio::test]
async fn a_revoked_agent_is_unknown_at_once_and_what_it_had_pending_is_cancelled() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    let (broker, who, wanted) = (room.broker.clone(), caller.clone(), id.clone());
    let waiting = tokio::spawn(async move { broker.wait(&who, &wanted, Duration::from_secs(60)).await });
    while !room.broker.open_list(None, 10).expect("lists")[0].waiting {
        tokio::task::yield_now().await;
    }
    room.broker.revoke(&caller.agent, WINDOW).await.expect("revoked");
    assert_eq!(waiting.await.expect("joins").expect("woken").state, State::Cancelled);
    assert!(matches!(room.broker.ask(&caller, crate::room::question_of("More?")).await, Err(BrokerError::NotFound(_))));
    assert!(matches!(room.broker.revoke(&caller.agent, WINDOW).await, Err(BrokerError::NotFound(_))));
    room.log_holds();
}

#[tokio::test]
async fn a_terminal_is_proven_by_the_digits_typed_for_it_and_those_pair_nobody() {
    let room = Room::new();
    let proof = room.broker.begin_terminal(program("countersign inbox")).expect("begins");
    assert!(
        room.broker.accept_arrival(None, &proof.code, Scopes::ALL, WINDOW).is_err(),
        "pairing takes no terminal's code"
    );
    let arrivals = room.broker.arrivals();
    assert_eq!(arrivals.waiting[0].kind, ArrivalKind::Terminal);
    assert_eq!(room.broker.await_terminal(&proof.id, Duration::ZERO).await, TerminalState::Waiting);
    room.broker.accept_arrival(Some(&arrivals.waiting[0].id), &proof.code, Scopes::ALL, WINDOW).expect("typed");
    assert_eq!(room.broker.await_terminal(&proof.id, Duration::ZERO).await, TerminalState::Proven);
    assert_eq!(room.broker.await_terminal(&proof.id, Duration::ZERO).await, TerminalState::Refused, "once");
}

#[tokio::test]
async fn five_wrong_codes_tell_everyone_who_waits_that_they_closed_pairing_and_that_nobody_refused() {
    let room = Room::new();
    let first = room.broker.begin_pairing(program("a")).await.expect("begins");
    let second = room.broker.begin_pairing(program("b")).await.expect("begins");
    let terminal = room.broker.begin_terminal(program("countersign inbox")).expect("begins");
    let long = Duration::from_secs(60);
    let type_wrong_ones = async {
        let wrong = (0..).map(|n| format!("{n:06}")).filter(|code| *code != first.code && *code != second.code);
        for code in wrong.take(limit::CODE_TRIES as usize) {
            tokio::task::yield_now().await;
            assert!(room.broker.accept_arrival(None, &code, Scopes::ALL, WINDOW).is_err());
        }
    };
    let (a, b, c, ()) = tokio::join!(
        room.broker.await_pairing(&first.id, long),
        room.broker.await_pairing(&second.id, long),
        room.broker.await_terminal(&terminal.id, long),
        type_wrong_ones
    );
    let closed = (PairingState::Closed, PairingState::Closed, TerminalState::Closed);
    assert_eq!((a.expect("told"), b.expect("told"), c), closed);
    assert!(room.broker.arrivals().waiting.is_empty());
}

#[tokio::test]
async fn one_whose_time_runs_out_hears_it_and_the_shell_is_told_with_nobody_asking() {
    let room = Room::new();
    let pairing = room.broker.begin_pairing(program("a")).await.expect("begins");
    room.shell.take();
    let waiting = room.broker.await_pairing(&pairing.id, Duration::from_secs(60));
    let pass = async { room.clock.pass(Millis(limit::CODE_MILLIS)) };
    let (state, ()) = tokio::join!(waiting, pass);
    assert_eq!(state.expect("told"), PairingState::Expired);
    assert_eq!(room.shell.take(), [Told::Changed(Change::Arrivals)]);
}

#[tokio::test]
async fn one_whose_program_hung_up_goes_and_the_shell_is_told() {
    let room = Room::new();
    let pairing = room.broker.begin_pairing(program("a")).await.expect("begins");
    let (broker, id) = (room.broker.clone(), pairing.id.clone());
    let waiting = tokio::spawn(async move { broker.await_pairing(&id, Duration::from_secs(60)).await });
    tokio::task::yield_now().await;
    room.shell.take();
    waiting.abort();
    assert!(waiting.await.is_err());
    assert_eq!(room.broker.arrivals().waiting.len(), 1, "it may come back");
    room.clock.pass(Millis(3_000));
    while room.shell.take().is_empty() {
        tokio::task::yield_now().await;
    }
    assert!(room.broker.arrivals().waiting.is_empty());
}
