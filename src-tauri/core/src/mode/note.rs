//! What an agent is told of a mode that it did not hear of: once, with the first result after the change. Read by models, so English.

use super::Mode;

impl Mode {
    /// What it means for the one who works in it.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Autonomous => "nobody is asked",
            Self::Guided => "the person is asked before what others see or what is hard to undo",
            Self::Interactive => "the person is asked before every step",
            Self::Plan => "you only read and plan; when the plan is ready, call present_plan with it",
        }
    }
}

/// The mode that the agent of a session that starts in this one takes for granted; none where it has to be told.
pub const fn taken_for_granted(start: Mode) -> Option<Mode> {
    match start {
        Mode::Plan => None,
        Mode::Autonomous | Mode::Guided | Mode::Interactive => Some(start),
    }
}

/// What is to be said, given the mode that the agent was told of last, if any, and the one that it is.
pub fn due(told: Option<Mode>, now: Mode) -> Option<String> {
    let means = now.meaning();
    match (told, now) {
        (Some(told), now) if told == now => None,
        // It started in plan mode and never heard of that.
        (None, Mode::Guided) => None,
        (None, Mode::Plan) => Some(format!("this session is in plan mode: {means}")),
        (_, Mode::Plan) => Some(format!("the person switched this session to plan mode: change nothing more; {means}")),
        (Some(Mode::Plan), now) => Some(format!(
            "the person switched this session from plan mode to {} mode: {means}. No plan was approved by that; what they asked of you goes on without one",
            now.word()
        )),
        (_, now) => Some(format!("the person switched this session to {} mode: {means}", now.word())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_mode_is_told_when_it_is_another_than_the_one_that_was_told() {
        let mut table = String::new();
        for told in [None, Some(Mode::Guided), Some(Mode::Interactive), Some(Mode::Plan)] {
            for now in [Mode::Guided, Mode::Interactive, Mode::Plan] {
                let was = told.map_or("nothing", Mode::word);
                table += &format!("{was} → {}: {}\n", now.word(), due(told, now).unwrap_or_else(|| "–".into()));
            }
        }
        expect![[r#"
            nothing → guided: –
            nothing → interactive: the person switched this session to interactive mode: the person is asked before every step
            nothing → plan: this session is in plan mode: you only read and plan; when the plan is ready, call present_plan with it
            guided → guided: –
            guided → interactive: the person switched this session to interactive mode: the person is asked before every step
            guided → plan: the person switched this session to plan mode: change nothing more; you only read and plan; when the plan is ready, call present_plan with it
            interactive → guided: the person switched this session to guided mode: the person is asked before what others see or what is hard to undo
            interactive → interactive: –
            interactive → plan: the person switched this session to plan mode: change nothing more; you only read and plan; when the plan is ready, call present_plan with it
            plan → guided: the person switched this session from plan mode to guided mode: the person is asked before what others see or what is hard to undo. No plan was approved by that; what they asked of you goes on without one
            plan → interactive: the person switched this session from plan mode to interactive mode: the person is asked before every step. No plan was approved by that; what they asked of you goes on without one
            plan → plan: –
        "#]].assert_eq(&table);
        assert_eq!(due(Some(Mode::Autonomous), Mode::Autonomous), None);
    }

    #[test]
    fn a_session_that_starts_in_plan_mode_is_told_so_and_no_other() {
        for mode in Mode::ALL {
            assert_eq!(due(taken_for_granted(mode), mode).is_some(), mode == Mode::Plan, "{mode:?}");
        }
    }
}
