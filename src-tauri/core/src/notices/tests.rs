//! Cases of what is announced when.

use super::*;
use std::fmt::Write as _;

/// One line of a case: what happens, at which millisecond.
enum Happens {
    /// Requests `a0`, `a1`, … : the letter is the agent.
    Asked(&'static [&'static str]),
    Settled(&'static [&'static str]),
    Clicked(i32),
    Gone(i32),
    Lost,
    Stop,
    /// Time passes, and whatever is due is done.
    Nothing,
}
use Happens::{Asked, Clicked, Gone, Lost, Nothing, Settled, Stop};

/// What it is about, what happens at which millisecond, and what is done.
type Case<'a> = (&'a str, &'a [(u64, Happens)], &'a str);

fn new(name: &str) -> New {
    New { request: RequestId(name.into()), agent: AgentId(name[..1].into()), class: Class::Ask, title: name.into() }
}

fn written(acts: &[Act]) -> String {
    let mut line = String::new();
    for act in acts {
        let _ = match act {
            Act::Show(number, Notice::One(new)) => write!(line, " +{}:{}", number.0, new.request),
            Act::Show(number, Notice::Many { requests, agents }) => write!(line, " +{}:{requests}of{agents}", number.0),
            Act::Withdraw(number) => write!(line, " -{}", number.0),
        };
    }
    line
}

/// Runs a case: between two lines everything that becomes due is done at its time.
fn run(case: &[(u64, Happens)]) -> String {
    let (mut notices, mut said) = (Notices::default(), String::new());
    for (at, happens) in case {
        while let Some(due) = notices.next().filter(|due| due.0 <= *at) {
            let acts = notices.due(due);
            if !acts.is_empty() {
                let _ = write!(said, "{}:{}; ", due.0, written(&acts));
            }
        }
        let acts = match happens {
            Asked(names) => {
                names.iter().for_each(|name| notices.asked(new(name), Millis(*at)));
                continue;
            }
            Settled(names) => names.iter().flat_map(|name| notices.settled(&RequestId((*name).into()))).collect(),
            Clicked(number) => {
                let _ = write!(said, "{at}: click {number} {:?}; ", notices.clicked(Number(*number)));
                continue;
            }
            Gone(number) => {
                let _ = write!(said, "{at}: gone {number} {}; ", notices.gone(Number(*number)));
                continue;
            }
            Lost => {
                let _ = write!(said, "{at}: lost {}; ", notices.lost());
                continue;
            }
            Stop => notices.stop(),
            Nothing => continue,
        };
        let _ = write!(said, "{at}:{}; ", written(&acts));
    }
    said.trim_end().to_owned()
}

#[test]
fn what_is_announced_and_withdrawn_case_by_case() {
    const TEN: &[&str] = &["a0", "a1", "a2", "a3", "a4", "b5", "b6", "b7", "b8", "b9"];
    let cases: &[Case<'_>] = &[
        ("nothing", &[(0, Nothing), (9_000, Nothing)], ""),
        ("one", &[(0, Asked(&["a0"])), (9_000, Nothing)], "250: +1:a0;"),
        ("three at once are three", &[(0, Asked(&["a0", "a1", "b0"])), (999, Nothing)], "250: +1:a0 +2:a1 +3:b0;"),
        ("four at once are one", &[(0, Asked(&["a0", "a1", "b0", "b1"])), (999, Nothing)], "250: +1:4of2;"),
        (
            "the fourth within five seconds gathers those before it",
            &[(0, Asked(&["a0", "a1"])), (1_000, Asked(&["a2"])), (2_000, Asked(&["a3"])), (9_000, Nothing)],
            "250: +1:a0 +2:a1; 1250: +3:a2; 2250: -1 -2 -3 +4:4of1;",
        ),
        (
            "one every two seconds is no storm",
            &[
                (0, Asked(&["a0"])),
                (2_000, Asked(&["a1"])),
                (4_000, Asked(&["a2"])),
                (6_000, Asked(&["a3"])),
                (9_000, Nothing),
            ],
            "250: +1:a0; 2250: +2:a1; 4250: +3:a2; 6250: +4:a3;",
        ),
        (
            "a storm that goes on is made anew, more and more rarely",
            &[
                (0, Asked(TEN)),
                (1_000, Asked(&["c0"])),
                (3_000, Asked(&["c1"])),
                (4_000, Asked(&["c2"])),
                (9_000, Nothing),
            ],
            "250: +1:10of2; 2250: -1 +2:11of3; 6250: +3:c1 +4:c2;",
        ),
        (
            "after a storm a single one is single again",
            &[(0, Asked(TEN)), (6_000, Asked(&["a0"])), (9_000, Nothing)],
            "250: +1:10of2; 6250: +2:a0;",
        ),
        (
            "settled before it was announced: never announced",
            &[(0, Asked(&["a0", "a1"])), (100, Settled(&["a0"])), (999, Nothing)],
            "100:; 250: +1:a1;",
        ),
        (
            "settled elsewhere: withdrawn, once",
            &[(0, Asked(&["a0"])), (999, Settled(&["a0", "a0"]))],
            "250: +1:a0; 999: -1;",
        ),
        (
            "a gathered one goes with its last request",
            &[
                (0, Asked(&["a0", "a1", "a2", "a3"])),
                (500, Settled(&["a0", "a1", "a2"])),
                (600, Clicked(9)),
                (700, Settled(&["a3"])),
            ],
            "250: +1:4of1; 500:; 600: click 9 None; 700: -1;",
        ),
        (
            "a click opens that request, once; nothing is left to withdraw",
            &[(0, Asked(&["a0"])), (500, Clicked(1)), (600, Clicked(1)), (700, Settled(&["a0"]))],
            r#"250: +1:a0; 500: click 1 Some(Request(RequestId("a0"))); 600: click 1 None; 700:;"#,
        ),
        (
            "a click on a gathered one opens the inbox, or the one that is left of it",
            &[
                (0, Asked(&["a0", "a1", "a2", "a3"])),
                (500, Clicked(1)),
                (6_000, Asked(TEN)),
                (6_300, Settled(&TEN[1..])),
                (6_400, Clicked(2)),
            ],
            r#"250: +1:4of1; 500: click 1 Some(Inbox); 6250: +2:10of2; 6300:; 6400: click 2 Some(Request(RequestId("a0")));"#,
        ),
        (
            "a storm whose one was put away is announced again at once",
            &[(0, Asked(TEN)), (500, Gone(1)), (600, Asked(&["c0"])), (900, Nothing)],
            "250: +1:10of2; 500: gone 1 true; 850: +2:c0;",
        ),
        (
            "asking and taking back over and over is a storm too",
            &[
                (0, Asked(&["a0"])),
                (500, Settled(&["a0"])),
                (1_000, Asked(&["a1"])),
                (1_500, Settled(&["a1"])),
                (2_000, Asked(&["a2"])),
                (2_500, Settled(&["a2"])),
                (3_000, Asked(&["a3"])),
                (3_500, Asked(&["a4"])),
                (4_000, Asked(&["a5"])),
                (9_000, Nothing),
            ],
            "250: +1:a0; 500: -1; 1250: +2:a1; 1500: -2; 2250: +3:a2; 2500: -3; 3250: +4:a3; 5250: -4 +5:3of1;",
        ),
        (
            "the service died: nothing of it is withdrawn or clicked any more",
            &[(0, Asked(&["a0"])), (500, Lost), (550, Lost), (600, Clicked(1)), (700, Settled(&["a0"]))],
            "250: +1:a0; 500: lost true; 550: lost false; 600: click 1 None; 700:;",
        ),
        (
            "switched off: what is up goes, what was held is dropped",
            &[(0, Asked(&["a0"])), (500, Asked(&["a1"])), (600, Stop), (9_000, Nothing)],
            "250: +1:a0; 600: -1;",
        ),
    ];
    for (name, case, want) in cases {
        assert_eq!(&run(case), want, "{name}");
    }
}

#[test]
fn however_many_come_however_long_there_is_one_notification_and_few_of_them() {
    let (mut notices, mut up, mut shown) = (Notices::default(), BTreeSet::new(), 0);
    for at in 0..120_000_u64 {
        if at % 20 == 0 {
            notices.asked(new(&format!("a{at}")), Millis(at));
        }
        for act in notices.due(Millis(at)) {
            match act {
                Act::Show(number, _) => {
                    shown += 1;
                    up.insert(number);
                }
                Act::Withdraw(number) => assert!(up.remove(&number)),
            }
        }
        assert!(up.len() <= 1, "{up:?} at {at}");
    }
    assert!(shown <= 10, "{shown}");
}
