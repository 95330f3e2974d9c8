//! What a session's mode says to a step, what the person's rules add to that, and what comes of both.

use super::{Step, StepKind};
use crate::mode::Mode;
use crate::rule::{Effect, Match};

/// What the mode says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByMode {
    /// It passes.
    Passes,
    /// The person is asked.
    Asks,
    /// It does not pass, whoever would be asked.
    Denies,
}

/// What comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It passes by the mode alone; nothing is kept.
    Passes,
    /// It passes by this rule.
    Allowed(i64),
    /// The person is asked; because of this rule, where there is one.
    Asked(Option<i64>),
    /// It is denied by this rule.
    Denied(i64),
    /// It is denied by the mode.
    DeniedByMode,
}

/// The table of modes.
pub fn by_mode(mode: Mode, step: &Step) -> ByMode {
    use ByMode::{Asks, Denies, Passes};
    match (mode, step.kind) {
        (_, StepKind::Asks | StepKind::Todos | StepKind::Own) => Passes,
        (Mode::Autonomous, _) => Passes,
        (Mode::Guided, StepKind::Reads | StepKind::Writes) => {
            if step.inside {
                Passes
            } else {
                Asks
            }
        }
        (Mode::Guided, StepKind::Executes | StepKind::Network | StepKind::Destroys | StepKind::Unknown) => Asks,
        (Mode::Interactive, _) => Asks,
        // A stricter mode is in nothing looser than the one below it: what is outside is asked about here too.
        (Mode::Plan, StepKind::Reads) => {
            if step.inside {
                Passes
            } else {
                Asks
            }
        }
        (Mode::Plan, StepKind::Network) if step.looks_up => Passes,
        (
            Mode::Plan,
            StepKind::Writes | StepKind::Executes | StepKind::Network | StepKind::Destroys | StepKind::Unknown,
        ) => Denies,
    }
}

/// What comes of the mode and of the strictest rule that matches.
pub fn verdict(mode: Mode, step: &Step, rule: Option<Match>) -> Verdict {
    if matches!(step.kind, StepKind::Own) {
        return Verdict::Passes;
    }
    match (by_mode(mode, step), rule) {
        (ByMode::Denies, _) => Verdict::DeniedByMode,
        (_, Some(Match { effect: Effect::Deny, rule })) => Verdict::Denied(rule),
        (_, Some(Match { effect: Effect::Ask, rule })) => Verdict::Asked(Some(rule)),
        (ByMode::Passes, _) => Verdict::Passes,
        (ByMode::Asks, Some(Match { effect: Effect::Allow, rule })) => Verdict::Allowed(rule),
        (ByMode::Asks, None) => Verdict::Asked(None),
    }
}
