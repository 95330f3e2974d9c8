//! Plans at the terminal: what goes with an answer to one, and what is shown of one besides its text.

use crate::answer::Plan;
use crate::exit::Refusal;
use crate::out::out;
use clap::{Args, ValueEnum};
use countersign_core::id::RequestId;
use countersign_core::mode::Mode;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::safe_text::SafeText;
use countersign_host::Command;
use serde_json::{Map, Value};

/// What goes with an answer to a plan.
#[derive(Args, Default)]
#[group(id = "besides-plan")]
pub struct Besides {
    /// With --plan run: the mode to go on in; the one before plan mode when it is left out
    #[arg(long, requires = "plan")]
    mode: Option<Landing>,
    /// What should be otherwise on one line of the plan, by its number; several times for several
    #[arg(long = "remark", value_name = "LINE:TEXT", requires = "plan", value_parser = remark)]
    remarks: Vec<GivenRemark>,
}

/// The modes that a plan can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Landing {
    /// Asked before what others see or what is hard to undo
    Guided,
    /// Asked before every step
    Interactive,
}

impl From<Landing> for Mode {
    fn from(landing: Landing) -> Self {
        match landing {
            Landing::Guided => Self::Guided,
            Landing::Interactive => Self::Interactive,
        }
    }
}

fn remark(text: &str) -> Result<GivenRemark, String> {
    let form = || "a remark is a line's number, a colon and what should be otherwise, such as 4:TEXT".to_owned();
    let (line, text) = text.split_once(':').ok_or_else(form)?;
    let line = line.trim().parse().map_err(|_| form())?;
    if line == 0 || text.trim().is_empty() {
        return Err(form());
    }
    Ok(GivenRemark { line, text: text.trim().to_owned() })
}

impl Besides {
    /// Refuses a mode with what does not run the plan. Looked at before a proof is asked for.
    pub fn check(&self, plan: Option<Plan>) -> Result<(), Refusal> {
        match (self.mode, plan) {
            (Some(_), Some(Plan::Keep | Plan::Cancel)) => {
                Err(Refusal::usage("--mode goes with --plan run; the other answers leave the mode alone"))
            }
            _ => Ok(()),
        }
    }

    /// The answer, with all of it.
    pub fn command(self, id: RequestId, answers: Map<String, Value>, comment: Option<String>) -> Command {
        Command::AnswerPlan { id, answers, comment, remarks: self.remarks, mode: self.mode.map(Into::into) }
    }
}

/// What is to be known of a plan besides its text, as `show` has it.
pub fn whole(plan: &Value, shown: impl Fn(SafeText) -> String + Copy) {
    if !plan.is_object() {
        return;
    }
    out!("Revision: {}", plan["revision"]);
    match plan["changes"].as_str() {
        None => {}
        Some("") => out!("Nothing changed since the revision before."),
        Some(changes) => {
            out!("Changed since the revision before:");
            shown(SafeText::lines(changes)).lines().for_each(|line| out!("  │ {line}"));
        }
    }
    for past in plan["previous"].as_array().into_iter().flatten() {
        let text = |key: &str| shown(SafeText::line(past[key].as_str().unwrap_or_default()));
        out!("Before it: revision {} ({}), {}  {}", past["revision"], text("outcome"), text("id"), text("title"));
        said(past, "    ", shown);
    }
}

/// What the person said with an answer.
pub fn said(decision: &Value, indent: &str, shown: impl Fn(SafeText) -> String) {
    let line = |value: &Value| shown(SafeText::line(value.as_str().unwrap_or_default()));
    if decision["comment"].is_string() {
        out!("{indent}Comment: {}", line(&decision["comment"]));
    }
    for remark in decision["remarks"].as_array().into_iter().flatten() {
        out!("{indent}Line {} (“{}”): {}", remark["line"], line(&remark["quote"]), line(&remark["text"]));
    }
}

/// How a plan that is open is answered.
pub fn how(plan: &Value) {
    out!(
        "Answer with --plan run, --plan keep or --plan cancel; --comment says what should change, --remark 4:TEXT what on line 4"
    );
    let modes: Vec<&str> = plan["modes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !modes.is_empty() {
        let before = plan["run_mode"].as_str().unwrap_or_default();
        out!("Running it leads to {before} mode; --mode {} picks another", modes.join("|"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_a_line_and_what_should_be_otherwise() {
        let of = |text: &str| remark(text).ok().map(|remark| (remark.line, remark.text));
        assert_eq!(of("4:No lab"), Some((4, "No lab".into())));
        assert_eq!(of(" 12 : at 10:30 "), Some((12, "at 10:30".into())));
        for wrong in ["", "4", "No lab", ":x", "0:x", "-1:x", "4:", "4: ", "99999999999:x"] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
    }
}
