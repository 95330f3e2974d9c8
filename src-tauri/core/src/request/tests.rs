//! Requests: their digests, their joins, their texts.

use super::*;

pub(crate) fn sample() -> Request {
    let ask = Ask {
        tool: "ask_human".into(),
        class: Class::Ask,
        title: "Which?".into(),
        context: None,
        questions: vec![Question {
            allow_other: true,
            ..Question::choice(
                "answer",
                "Which?".into(),
                vec![question::Choice::plain("A"), question::Choice::plain("B")],
                None,
            )
        }],
        arguments: json!({"question": "Which?", "options": ["A", "B"]}),
        expires_in: None,
        on_expiry: OnExpiry::Expire,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    let agent = AgentId("agent".into());
    Request {
        id: RequestId("request".into()),
        digest: ask.digest(&agent, "/w"),
        agent,
        session: SessionId("session".into()),
        workspace: WorkspaceId(1),
        ask,
        asker: None,
        state: State::Pending,
        created_at: Timestamp(0),
        expires_at: None,
        decision: None,
        claims: Vec::new(),
        settled_at: None,
        collected_at: None,
        plan: None,
    }
}

#[test]
fn the_same_ask_joins_what_is_pending_then_gets_its_ending_once_as_new_and_for_two_minutes_as_repeated() {
    let mut request = sample();
    assert_eq!(join(&request, Timestamp(9)), Join::Pending);
    for (state, want) in [
        (State::Answered, Join::Uncollected),
        (State::Declined, Join::Uncollected),
        (State::Expired, Join::Uncollected),
        (State::Cancelled, Join::New),
        (State::Superseded, Join::New),
    ] {
        request.state = state;
        assert_eq!(join(&request, Timestamp(9)), want, "{state:?}");
    }
    request.state = State::Answered;
    request.collected_at = Some(Timestamp(1_000));
    assert_eq!(join(&request, Timestamp(121_000)), Join::Repeated);
    assert_eq!(join(&request, Timestamp(121_001)), Join::New);
}

#[test]
fn an_approval_a_plan_and_a_step_are_delivered_once() {
    for class in Class::ALL {
        let mut request = sample();
        request.ask.class = class;
        request.state = State::Answered;
        request.collected_at = Some(Timestamp(0));
        let once = matches!(class, Class::Approval | Class::Plan | Class::Step);
        assert_eq!(join(&request, Timestamp(1)), if once { Join::New } else { Join::Repeated }, "{class:?}");
    }
}

#[test]
fn the_digest_covers_every_field_that_the_person_is_shown() {
    let base = sample().ask;
    let agent = AgentId("agent".into());
    let digest = |ask: &Ask| ask.digest(&agent, "/w");
    let changes: [fn(&mut Ask); 12] = [
        |a| a.tool.push('x'),
        |a| a.class = Class::Policy,
        |a| a.title.push('x'),
        |a| a.context = Some(String::new()),
        |a| a.questions[0].question.push('x'),
        |a| a.questions[0].options[1].description = Some("x".into()),
        |a| a.arguments["x"] = json!(1),
        |a| {
            a.subject =
                Some(Subject { spec: SpecId(1), revision: 1, status: "draft".into(), trust: None, criteria: None })
        },
        |a| {
            let trust = Some(Digest([1; 32]));
            a.subject = Some(Subject { spec: SpecId(1), revision: 1, status: "draft".into(), trust, criteria: None });
        },
        |a| a.typed_word = Some("x".into()),
        |a| a.safe_options.push("B".into()),
        |a| a.gate = true,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut ask = base.clone();
        change(&mut ask);
        assert_ne!(digest(&ask), digest(&base), "change {i}");
    }
    assert_ne!(base.digest(&AgentId("other".into()), "/w"), digest(&base));
    assert_ne!(base.digest(&agent, "/v"), digest(&base));
}

#[test]
fn a_default_on_expiry_is_refused_where_the_table_or_the_question_has_none() {
    let mut ask = sample().ask;
    ask.on_expiry = OnExpiry::Default;
    let said = ask.check(limit::OPTIONS).map_err(|e| e.to_string());
    assert_eq!(
        said,
        Err("`on_expiry` can't be \"default\" here: question `answer` is required and has no default; leave it out, or use \"expire\"".into())
    );
    ask.questions[0].default = Some(json!("A"));
    assert_eq!(ask.check(limit::OPTIONS), Ok(()));
    for class in [Class::Policy, Class::Step, Class::Approval, Class::Plan, Class::Destructive] {
        ask.class = class;
        assert!(ask.check(limit::OPTIONS).is_err(), "{class:?}");
    }
}

#[test]
fn titles_come_from_the_first_line_with_words() {
    assert_eq!(title_from("\n  Which\tone?  \nmore"), "Whichone?");
    assert_eq!(title_from(&"x".repeat(300)).chars().count(), 200);
}
