//! How strictly an agent's session is watched, and which switches there are between one way and another.

use serde::{Deserialize, Serialize};

/// The mode of a session, from loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nobody is asked; questions take their defaults.
    Autonomous,
    /// Asked before what others see or what is hard to undo; where sessions start.
    #[default]
    Guided,
    /// Asked before every step.
    Interactive,
    /// Reads and plans only.
    Plan,
}

impl Mode {
    /// All modes, from loose to strict.
    pub const ALL: [Self; 4] = [Self::Autonomous, Self::Guided, Self::Interactive, Self::Plan];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Autonomous => "autonomous",
            Self::Guided => "guided",
            Self::Interactive => "interactive",
            Self::Plan => "plan",
        }
    }

    /// The mode of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

/// What a tool does that a mode can stand in the way of. Reading, waiting and taking back are none of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Asks the person, or for a closer watch.
    Asks,
    /// Changes something that stays.
    Writes,
}

impl Deed {
    /// Whether a session in this mode may do it. The port lists by this, and the writer looks again.
    pub const fn fits(self, mode: Mode) -> bool {
        match self {
            Self::Asks => !matches!(mode, Mode::Autonomous),
            Self::Writes => !matches!(mode, Mode::Plan),
        }
    }

    /// Refuses a tool that does this in a mode that it does not fit.
    pub fn check(self, tool: &str, mode: Mode) -> Result<(), Unfit> {
        if self.fits(mode) { Ok(()) } else { Err(Unfit { tool: tool.to_owned(), mode }) }
    }
}

/// A tool that the session's mode does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{tool}` is not available in {} mode: {}", .mode.word(), why_unfit(*.mode))]
pub struct Unfit {
    /// The tool.
    pub tool: String,
    /// The mode that the session is in.
    pub mode: Mode,
}

/// The reason, and the way on.
const fn why_unfit(mode: Mode) -> &'static str {
    match mode {
        Mode::Autonomous => "nobody is asked in it, and it is fixed for this session; go on without it",
        Mode::Plan => {
            "only what reads is allowed in it; go on reading, and when the plan is ready, call present_plan with it"
        }
        Mode::Guided | Mode::Interactive => "go on without it",
    }
}

/// Why a session stays in its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModeError {
    /// Autonomous mode is a matter of a session's start, both ways.
    #[error(
        "this session is in {} mode and can't change to {}: autonomous mode is fixed when a session starts",
        now.word(),
        wanted.word()
    )]
    Fixed {
        /// The mode it is in.
        now: Mode,
        /// The one that was wanted.
        wanted: Mode,
    },
    /// An agent wants less of a watch, or none more.
    #[error(
        "this session is in {} mode, and {} is not stricter: you may only ask for a stricter mode (guided, interactive, plan); only the person makes it less strict",
        now.word(),
        wanted.word()
    )]
    NotStricter {
        /// The mode it is in.
        now: Mode,
        /// The one that was wanted.
        wanted: Mode,
    },
}

/// The mode of a session and, while that is plan mode, the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The mode it is in.
    pub mode: Mode,
    /// The one before plan mode, however that was entered; none outside of it, and where the session started in it.
    pub before_plan: Option<Mode>,
}

impl Standing {
    /// A session that starts in this mode.
    pub const fn starting(mode: Mode) -> Self {
        Self { mode, before_plan: None }
    }

    /// The person switches.
    pub fn switched(self, to: Mode) -> Result<Self, ModeError> {
        if self.mode == to {
            return Ok(self);
        }
        if self.mode == Mode::Autonomous || to == Mode::Autonomous {
            return Err(ModeError::Fixed { now: self.mode, wanted: to });
        }
        Ok(Self { mode: to, before_plan: (to == Mode::Plan).then_some(self.mode) })
    }

    /// The agent asks to be watched more closely.
    pub fn asked(self, to: Mode) -> Result<Self, ModeError> {
        if self.mode != Mode::Autonomous && to <= self.mode {
            return Err(ModeError::NotStricter { now: self.mode, wanted: to });
        }
        self.switched(to)
    }

    /// The person runs a plan: back to the mode before it. Where plan mode was left meanwhile, nothing changes.
    pub fn after_plan(self) -> Self {
        match self.mode {
            Mode::Plan => Self::starting(self.before_plan.unwrap_or_default()),
            Mode::Autonomous | Mode::Guided | Mode::Interactive => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn table(
        rule: impl Fn(Standing, Mode) -> Result<Standing, ModeError>,
        columns: impl IntoIterator<Item = Mode> + Clone,
    ) -> String {
        let cell = |standing: Standing| match standing.before_plan {
            Some(before) => format!("{} (before: {})", standing.mode.word(), before.word()),
            None => standing.mode.word().to_owned(),
        };
        let mut table = String::new();
        for from in Mode::ALL {
            for to in columns.clone() {
                let said = match rule(Standing::starting(from), to) {
                    Ok(standing) => cell(standing),
                    Err(ModeError::Fixed { .. }) => "fixed".into(),
                    Err(ModeError::NotStricter { .. }) => "not stricter".into(),
                };
                table += &format!("{} → {}: {said}\n", from.word(), to.word());
            }
        }
        table
    }

    #[test]
    fn the_person_switches_between_all_but_autonomous_and_plan_remembers_what_was_before() {
        expect![[r#"
            autonomous → autonomous: autonomous
            autonomous → guided: fixed
            autonomous → interactive: fixed
            autonomous → plan: fixed
            guided → autonomous: fixed
            guided → guided: guided
            guided → interactive: interactive
            guided → plan: plan (before: guided)
            interactive → autonomous: fixed
            interactive → guided: guided
            interactive → interactive: interactive
            interactive → plan: plan (before: interactive)
            plan → autonomous: fixed
            plan → guided: guided
            plan → interactive: interactive
            plan → plan: plan
        "#]]
        .assert_eq(&table(Standing::switched, Mode::ALL));
    }

    #[test]
    fn an_agent_gets_a_stricter_mode_only() {
        expect![[r#"
            autonomous → guided: fixed
            autonomous → interactive: fixed
            autonomous → plan: fixed
            guided → guided: not stricter
            guided → interactive: interactive
            guided → plan: plan (before: guided)
            interactive → guided: not stricter
            interactive → interactive: not stricter
            interactive → plan: plan (before: interactive)
            plan → guided: not stricter
            plan → interactive: not stricter
            plan → plan: not stricter
        "#]]
        .assert_eq(&table(Standing::asked, [Mode::Guided, Mode::Interactive, Mode::Plan]));
        assert!(Standing::starting(Mode::Guided).asked(Mode::Autonomous).is_err());
    }

    #[test]
    fn nobody_is_asked_in_autonomous_mode_and_nothing_is_written_in_plan_mode() {
        let mut table = String::new();
        for deed in [Deed::Asks, Deed::Writes] {
            for mode in Mode::ALL {
                let said = deed.check("a_tool", mode).map_or_else(|unfit| unfit.to_string(), |()| "yes".into());
                table += &format!("{deed:?} in {}: {said}\n", mode.word());
            }
        }
        expect![[r#"
            Asks in autonomous: `a_tool` is not available in autonomous mode: nobody is asked in it, and it is fixed for this session; go on without it
            Asks in guided: yes
            Asks in interactive: yes
            Asks in plan: yes
            Writes in autonomous: yes
            Writes in guided: yes
            Writes in interactive: yes
            Writes in plan: `a_tool` is not available in plan mode: only what reads is allowed in it; go on reading, and when the plan is ready, call present_plan with it
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn a_plan_that_is_run_goes_back_to_the_mode_before_it_and_never_into_plan_mode() {
        let run = |mode, before_plan| Standing { mode, before_plan }.after_plan();
        assert_eq!(run(Mode::Plan, Some(Mode::Interactive)), Standing::starting(Mode::Interactive));
        assert_eq!(run(Mode::Plan, Some(Mode::Guided)), Standing::starting(Mode::Guided));
        assert_eq!(run(Mode::Plan, None), Standing::starting(Mode::Guided), "it started in plan mode");
        for left in [Mode::Guided, Mode::Interactive] {
            assert_eq!(run(left, None), Standing::starting(left), "left while the plan was open");
        }
    }
}
