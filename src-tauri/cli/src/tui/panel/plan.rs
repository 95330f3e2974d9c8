//! What is particular to a plan: three ways to look at it besides reading it, the mode to land in, remarks on its lines.

use super::{Panel, Say, Turn};
use countersign_core::class::Class;
use countersign_core::mode::Mode;
use countersign_core::plan::remark::GivenRemark;

/// What is read above the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum View {
    /// The text, as it is meant to look.
    #[default]
    Rendered,
    /// The text as it was written, with the numbers of its lines.
    Lines,
    /// What changed since the revision before.
    Changes,
    /// The plans before it.
    Previous,
}

impl View {
    /// Whether all of what is decided on is in it.
    pub const fn is_whole(self) -> bool {
        match self {
            Self::Rendered | Self::Lines => true,
            Self::Changes | Self::Previous => false,
        }
    }
}

/// Reads `4:TEXT`.
pub fn remark(typed: &str) -> Option<GivenRemark> {
    let (line, text) = typed.split_once(':')?;
    let line = line.trim().parse().ok().filter(|line| *line > 0)?;
    let text = text.trim();
    (!text.is_empty()).then(|| GivenRemark { line, text: text.to_owned() })
}

impl Panel {
    /// Letters that show a plan otherwise, or lead it elsewhere.
    pub(super) fn plan_letter(&mut self, c: char) -> Turn {
        if self.asked.class != Class::Plan {
            return Turn::Unused;
        }
        match c {
            'n' => self.look(View::Lines),
            'd' => self.look(View::Changes),
            'p' => self.look(View::Previous),
            'm' => {
                let modes = self.asked.plan.as_ref().map(|plan| plan.modes.as_slice()).unwrap_or_default();
                let Some(now) = self.leads_to() else { return Turn::Say(Say::SwitchesNothing) };
                let at = modes.iter().position(|mode| *mode == now).map_or(0, |at| at + 1);
                self.landing = modes.get(at % modes.len().max(1)).copied();
                Turn::Taken
            }
            _ => Turn::Unused,
        }
    }

    /// The same key again goes back to the text.
    fn look(&mut self, view: View) -> Turn {
        self.view = if self.view == view { View::Rendered } else { view };
        (self.top, self.follow) = (0, false);
        Turn::Taken
    }

    /// Where running it leads; none where that switches nothing.
    pub fn leads_to(&self) -> Option<Mode> {
        let plan = self.asked.plan.as_ref().filter(|plan| !plan.modes.is_empty())?;
        Some(self.landing.filter(|mode| plan.modes.contains(mode)).unwrap_or(plan.run_mode))
    }

    /// The mode that the person picked, if running it can still lead there.
    pub fn picked(&self) -> Option<Mode> {
        self.landing.filter(|mode| self.leads_to() == Some(*mode))
    }

    /// A remark on one line: in the place of an earlier one on the same.
    pub fn remark(&mut self, remark: GivenRemark) {
        self.remarks.retain(|had| had.line != remark.line);
        self.remarks.push(remark);
        self.remarks.sort_by_key(|remark| remark.line);
    }
}
