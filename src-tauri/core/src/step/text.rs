//! A step as markdown, whole, for surfaces that know nothing more of steps.

use super::{Step, Warning};
use crate::trust::fenced;
use serde_json::Value;

/// What a step would do: its tool and folder, what to beware of, its command or every field of its input.
pub fn text(step: &Step) -> String {
    let mut text = format!(
        "Tool ({}):\n\n{}\nFolder:\n\n{}",
        step.kind.word(),
        fenced("", &step.call.tool),
        fenced("", &step.call.folder)
    );
    for warning in &step.warnings {
        text += &format!("\nBeware: {}.\n", beware(*warning));
    }
    let command = step.command.as_ref().map(|command| command.text.as_str());
    if let Some(command) = command {
        text += &format!("\nCommand:\n\n{}", fenced("", command));
    }
    for (name, value) in &step.call.input {
        let shown = match value {
            Value::String(text) if Some(text.as_str()) == command => continue,
            Value::String(text) => text.clone(),
            other => serde_json::to_string_pretty(other).expect("BUG: a JSON value has a text"),
        };
        text += &format!("\nField and value:\n\n{}{}", fenced("", name), fenced("", &shown));
    }
    text
}

/// A warning in words.
pub const fn beware(warning: Warning) -> &'static str {
    match warning {
        Warning::Production => "it names production",
        Warning::Own => "it is about Countersign itself",
        Warning::Outside => "it is about something outside of the workspace",
        Warning::Unreadable => "it can't be told what all of it runs",
        Warning::Destroys => "it takes away what can't be had again",
    }
}

#[cfg(test)]
mod tests {
    use crate::step::tests::step;
    use serde_json::json;

    #[test]
    fn nothing_of_a_step_is_left_out_and_none_of_it_gets_out_of_its_block() {
        let text =
            super::text(&step("Bash", json!({"command": "rm x\n```\n# Allowed\n```", "timeout": 5, "``` b": "c"})));
        for part in
            ["Tool (destroys)", "Beware: it takes away", "````\nrm x\n```\n# Allowed\n```\n````", "5", "``` b", "c"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches("rm x").count(), 1);
    }
}
