//! Where running a plan leads: back to the mode before it, or to another that the person picks. Never into plan mode, and nowhere
//! once that was left.

use crate::mode::{Mode, Standing};

/// Why a plan is not run that way. Nothing was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LandingError {
    /// No mode to land in.
    #[error("a plan that is run leads to guided or interactive mode, not to {}", .0.word())]
    Nowhere(Mode),
    /// Plan mode was left meanwhile, so that nothing is to be left any more.
    #[error(
        "plan mode was left meanwhile (the session is in {} mode): running the plan switches nothing, so run it without a mode, or switch the session's mode by itself",
        .0.word()
    )]
    Left(Mode),
}

/// The modes that the person may pick from; none where running the plan switches nothing.
pub const fn modes(standing: Standing) -> &'static [Mode] {
    match standing.mode {
        Mode::Plan => &[Mode::Guided, Mode::Interactive],
        Mode::Autonomous | Mode::Guided | Mode::Interactive => &[],
    }
}

/// How the session stands once its plan is run; without a wish as it stood before plan mode.
pub fn land(standing: Standing, wanted: Option<Mode>) -> Result<Standing, LandingError> {
    match wanted {
        None => Ok(standing.after_plan()),
        Some(mode @ (Mode::Autonomous | Mode::Plan)) => Err(LandingError::Nowhere(mode)),
        Some(mode) if modes(standing).contains(&mode) => Ok(Standing::starting(mode)),
        Some(mode) if mode == standing.mode => Ok(standing),
        Some(_) => Err(LandingError::Left(standing.mode)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_plan_leads_back_or_where_the_person_wants_and_nowhere_once_plan_mode_was_left() {
        let stands = [
            Standing { mode: Mode::Plan, before_plan: None },
            Standing { mode: Mode::Plan, before_plan: Some(Mode::Guided) },
            Standing { mode: Mode::Plan, before_plan: Some(Mode::Interactive) },
            Standing::starting(Mode::Guided),
            Standing::starting(Mode::Interactive),
            Standing::starting(Mode::Autonomous),
        ];
        let wishes = [None, Some(Mode::Autonomous), Some(Mode::Guided), Some(Mode::Interactive), Some(Mode::Plan)];
        let mut table = String::new();
        for standing in stands {
            let before = standing.before_plan.map(|mode| format!(" after {}", mode.word())).unwrap_or_default();
            let cells = wishes.map(|wanted| match land(standing, wanted) {
                Ok(landed) => {
                    assert_eq!(landed.before_plan, None);
                    landed.mode.word()
                }
                Err(LandingError::Nowhere(_)) => "nowhere",
                Err(LandingError::Left(_)) => "left",
            });
            table += &format!("{}{before}: {}\n", standing.mode.word(), cells.join(", "));
        }
        expect![[r#"
            plan: guided, nowhere, guided, interactive, nowhere
            plan after guided: guided, nowhere, guided, interactive, nowhere
            plan after interactive: interactive, nowhere, guided, interactive, nowhere
            guided: guided, nowhere, guided, left, nowhere
            interactive: interactive, nowhere, left, interactive, nowhere
            autonomous: autonomous, nowhere, left, left, nowhere
        "#]]
        .assert_eq(&table);
    }
}
