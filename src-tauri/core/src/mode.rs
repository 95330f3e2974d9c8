//! How strictly an agent's session is watched, and which switches there are between one way and another.

pub mod note;

use crate::time::{Millis, Timestamp};
use serde::{Deserialize, Serialize};

/// The mode of a session, from loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
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
    /// Asks the person for something that then changes in the workspace.
    Takes,
}

impl Deed {
    /// Whether a session in this mode may do it. The port lists by this, and the writer looks again.
    pub const fn fits(self, mode: Mode) -> bool {
        match self {
            Self::Asks => !matches!(mode, Mode::Autonomous),
            Self::Writes => !matches!(mode, Mode::Plan),
            Self::Takes => matches!(mode, Mode::Guided | Mode::Interactive),
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

/// How long a session that is gone has a say in how the agent's next one starts.
const REMEMBERED: Millis = Millis(24 * 60 * 60_000);

/// Another session of the same agent, in whatever folder, as far as a new one takes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kin {
    /// How strictly it is watched.
    pub standing: Standing,
    /// Whether it holds a line open in this moment.
    pub present: bool,
    /// When it was last seen.
    pub seen_at: Timestamp,
}

/// When the person last left a mode for a looser one, in any of an agent's sessions; running a plan is leaving plan mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Left {
    /// Plan mode.
    pub plan: Option<Timestamp>,
    /// Plan or interactive mode, for guided.
    pub interactive: Option<Timestamp>,
}

impl Left {
    /// After a switch at this moment.
    pub fn after(self, from: Mode, to: Mode, at: Timestamp) -> Self {
        let left = |mode| to < mode && mode <= from;
        Self {
            plan: if left(Mode::Plan) { Some(at) } else { self.plan },
            interactive: if left(Mode::Interactive) { Some(at) } else { self.interactive },
        }
    }

    const fn of(self, mode: Mode) -> Option<Timestamp> {
        match mode {
            Mode::Plan => self.plan,
            Mode::Interactive => self.interactive,
            Mode::Guided | Mode::Autonomous => None,
        }
    }
}

impl Kin {
    fn has_a_say(&self, left: Left, now: Timestamp) -> bool {
        let left_since = left.of(self.standing.mode).is_some_and(|at| self.seen_at <= at);
        self.present || (!left_since && (now < self.seen_at || now.since(self.seen_at) < REMEMBERED))
    }
}

/// How a new session starts where sessions start in `own`: no looser than the strictest of the agent's other sessions that is
/// there, or was within a day and was not followed by the person's leaving of its mode. So an agent that goes away and comes
/// back, or calls itself something else, or from elsewhere, is watched as before. Running its plan leads where it led before.
/// Only what was made stricter counts: guided mode, where sessions start, keeps no folder from being autonomous, and nobody
/// takes after autonomous mode.
pub fn starting(own: Mode, kin: &[Kin], left: Left, now: Timestamp) -> Standing {
    let counts = || kin.iter().filter(|kin| kin.standing.mode > Mode::Guided && kin.has_a_say(left, now));
    let mode = counts().map(|kin| kin.standing.mode).fold(own, Mode::max);
    if mode != Mode::Plan || own == Mode::Plan {
        return Standing::starting(mode);
    }
    let behind = counts().filter_map(|kin| match kin.standing.mode {
        Mode::Plan => kin.standing.before_plan,
        other => Some(other),
    });
    Standing { mode, before_plan: Some(behind.fold(own.max(Mode::Guided), Mode::max)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn cell(standing: Standing) -> String {
        match standing.before_plan {
            Some(before) => format!("{} (before: {})", standing.mode.word(), before.word()),
            None => standing.mode.word().to_owned(),
        }
    }

    fn table(
        rule: impl Fn(Standing, Mode) -> Result<Standing, ModeError>,
        columns: impl IntoIterator<Item = Mode> + Clone,
    ) -> String {
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
    fn a_new_session_is_no_looser_than_the_strictest_that_has_a_say() {
        let now = Timestamp(1_000_000_000);
        let hours = |n: i64| Timestamp(now.0 - n * 3_600_000);
        let kin =
            |mode, before_plan, present, seen_at| Kin { standing: Standing { mode, before_plan }, present, seen_at };
        let here = |mode| kin(mode, None, true, hours(50));
        let gone = |mode, ago| kin(mode, None, false, hours(ago));
        let never = Left::default();
        let plan_left = |ago| Left { plan: Some(hours(ago)), ..never };
        let cases: [(&str, Mode, Vec<Kin>, Left); 21] = [
            ("the first one", Mode::Guided, vec![], never),
            ("the first one in an autonomous folder", Mode::Autonomous, vec![], never),
            ("one is there in plan mode", Mode::Guided, vec![here(Mode::Guided), here(Mode::Plan)], never),
            ("one is there in interactive mode", Mode::Guided, vec![here(Mode::Interactive)], never),
            ("one is there in guided mode", Mode::Interactive, vec![here(Mode::Guided)], never),
            ("an autonomous one is there", Mode::Guided, vec![here(Mode::Autonomous)], never),
            ("the folder is autonomous, a guided one is there", Mode::Autonomous, vec![here(Mode::Guided)], never),
            ("the folder is autonomous, one plans", Mode::Autonomous, vec![here(Mode::Plan)], never),
            ("an autonomous one in an autonomous folder", Mode::Autonomous, vec![here(Mode::Autonomous)], never),
            ("one planned 23 h ago", Mode::Guided, vec![gone(Mode::Plan, 23)], never),
            ("one planned 24 h ago", Mode::Guided, vec![gone(Mode::Plan, 24)], never),
            ("one will have planned, by a clock set back", Mode::Guided, vec![gone(Mode::Plan, -30)], never),
            ("it planned, and plan mode was left since", Mode::Guided, vec![gone(Mode::Plan, 2)], plan_left(1)),
            ("it planned, and plan mode was left before", Mode::Guided, vec![gone(Mode::Plan, 2)], plan_left(3)),
            ("it is there and plans, whatever was left elsewhere", Mode::Guided, vec![here(Mode::Plan)], plan_left(1)),
            (
                "plan mode was left, and interactive was not",
                Mode::Guided,
                vec![gone(Mode::Plan, 2), gone(Mode::Interactive, 2)],
                plan_left(1),
            ),
            (
                "interactive mode was left, and plan was not",
                Mode::Guided,
                vec![gone(Mode::Plan, 2), gone(Mode::Interactive, 2)],
                Left { interactive: Some(hours(1)), ..never },
            ),
            (
                "it was interactive before it planned",
                Mode::Guided,
                vec![kin(Mode::Plan, Some(Mode::Interactive), true, now)],
                never,
            ),
            ("one plans, another is interactive", Mode::Guided, vec![here(Mode::Plan), here(Mode::Interactive)], never),
            ("the folder starts in plan mode", Mode::Plan, vec![here(Mode::Interactive)], never),
            ("the folder is interactive, one plans", Mode::Interactive, vec![here(Mode::Plan)], never),
        ];
        let mut table = String::new();
        for (what, own, kin, left) in cases {
            table += &format!("{what}: {}\n", cell(starting(own, &kin, left, now)));
        }
        expect![[r#"
            the first one: guided
            the first one in an autonomous folder: autonomous
            one is there in plan mode: plan (before: guided)
            one is there in interactive mode: interactive
            one is there in guided mode: interactive
            an autonomous one is there: guided
            the folder is autonomous, a guided one is there: autonomous
            the folder is autonomous, one plans: plan (before: guided)
            an autonomous one in an autonomous folder: autonomous
            one planned 23 h ago: plan (before: guided)
            one planned 24 h ago: guided
            one will have planned, by a clock set back: plan (before: guided)
            it planned, and plan mode was left since: guided
            it planned, and plan mode was left before: plan (before: guided)
            it is there and plans, whatever was left elsewhere: plan (before: guided)
            plan mode was left, and interactive was not: interactive
            interactive mode was left, and plan was not: plan (before: guided)
            it was interactive before it planned: plan (before: interactive)
            one plans, another is interactive: plan (before: interactive)
            the folder starts in plan mode: plan
            the folder is interactive, one plans: plan (before: interactive)
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn a_mode_is_left_for_a_looser_one_only() {
        let at = Timestamp(5);
        let after = |from, to| Left::default().after(from, to, at);
        assert_eq!(after(Mode::Plan, Mode::Guided), Left { plan: Some(at), interactive: Some(at) });
        assert_eq!(after(Mode::Plan, Mode::Interactive), Left { plan: Some(at), interactive: None });
        assert_eq!(after(Mode::Interactive, Mode::Guided), Left { plan: None, interactive: Some(at) });
        for (from, to) in [(Mode::Guided, Mode::Plan), (Mode::Interactive, Mode::Plan), (Mode::Plan, Mode::Plan)] {
            assert_eq!(after(from, to), Left::default());
        }
    }

    #[test]
    fn nobody_is_asked_in_autonomous_mode_and_nothing_is_written_in_plan_mode() {
        let mut table = String::new();
        for deed in [Deed::Asks, Deed::Writes, Deed::Takes] {
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
            Takes in autonomous: `a_tool` is not available in autonomous mode: nobody is asked in it, and it is fixed for this session; go on without it
            Takes in guided: yes
            Takes in interactive: yes
            Takes in plan: `a_tool` is not available in plan mode: only what reads is allowed in it; go on reading, and when the plan is ready, call present_plan with it
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
