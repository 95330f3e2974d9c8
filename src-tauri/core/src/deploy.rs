//! Deploying: which environments a workspace has, which of them take the person's word, and the gate before those.

use crate::class::Class;
use crate::commands::{Commands, Target};
use crate::digest::Digest;
use crate::gate::Gate;
use crate::limit;
use crate::question::{Choice, Question};
use crate::request::{Subject, title_from};
use crate::spec::SpecRow;
use crate::trust::{code, described};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The gate's question.
pub const QUESTION: &str = "confirm-target-env";
/// The environment that the question proposes where there is one of that name.
const PROPOSED: &str = "staging";

/// Why nothing can be deployed there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no environment “{asked}” in this workspace; {}", known(environments))]
pub struct NoSuchEnvironment {
    /// What was asked for.
    pub asked: String,
    /// Those that there are.
    pub environments: Vec<String>,
}

fn known(environments: &[String]) -> String {
    if environments.is_empty() {
        return "its countersign.toml has no [targets]".to_owned();
    }
    let names: Vec<String> = environments.iter().map(|name| format!("“{name}”")).collect();
    format!("it has {}", names.join(", "))
}

/// The target of that name, or those that there are.
pub fn target<'c>(commands: &'c Commands, asked: &str) -> Result<&'c Target, NoSuchEnvironment> {
    commands.target(asked).ok_or_else(|| NoSuchEnvironment {
        asked: asked.chars().take(100).collect(),
        environments: commands.targets.iter().map(|target| target.command.name.clone()).collect(),
    })
}

/// `deploy_spec` to a protected target: the person chooses the environment, and sees what would run in each.
pub fn confirm_target_env(spec: &SpecRow, commands: &Commands, asked: &str, trust: Digest) -> Gate {
    let offered = offered(commands, asked);
    let mut context = String::new();
    for (name, target) in &offered {
        let protected = if target.protected { " (protected)" } else { "" };
        // Writing to a `String` can't fail.
        let _ = writeln!(context, "**{}**{protected}\n\n{}", code(name), described(&target.command));
    }
    // The title stands alone on the last line, where it can't pass for the sentence around it.
    let question = format!(
        "Deploy {} (revision {}, {}) to which environment? The agent asks for “{asked}”, which is protected. The spec's title:\n{}",
        spec.id,
        spec.revision,
        spec.status.word(),
        spec.title
    );
    let proposed = offered.iter().map(|(name, _)| *name).find(|name| *name == PROPOSED);
    // Plain texts, as agents know them; what is protected shows in the context, and by the word that it takes.
    let options = offered.iter().map(|(name, _)| Choice::plain(*name)).collect();
    Gate {
        class: Class::Destructive,
        title: title_from(&format!("Deploy {} “{}” to {asked}", spec.id, spec.title)),
        context: Some(context),
        question: Question::choice(QUESTION, question, options, proposed),
        subject: Some(Subject { trust: Some(trust), ..spec.subject() }),
        typed_word: None,
        safe_options: offered
            .iter()
            .filter(|(_, target)| !target.protected)
            .map(|(name, _)| (*name).to_owned())
            .collect(),
    }
}

/// Every environment, as the file has them; where there are more than a question may have, the one asked for and the proposed are
/// among them.
fn offered<'c>(commands: &'c Commands, asked: &str) -> Vec<(&'c str, &'c Target)> {
    let all = || commands.targets.iter().map(|target| (target.command.name.as_str(), target));
    let first = all().filter(|(name, _)| *name == asked || *name == PROPOSED);
    let rest = all().filter(|(name, _)| *name != asked && *name != PROPOSED);
    let wanted: HashSet<&str> = first.chain(rest).take(*limit::OPTIONS.end()).map(|(name, _)| name).collect();
    all().filter(|(name, _)| wanted.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer;
    use crate::id::{AgentId, SpecId};
    use crate::request::{Ask, OnExpiry};
    use crate::spec::Status;
    use crate::trust::tests::{command, commands};
    use serde_json::{Value, json};

    fn row(title: &str) -> SpecRow {
        let (id, status) = (SpecId(7), Status::Approved);
        SpecRow { id, title: title.into(), status, revision: 3, locked: false, met: 0, total: 0 }
    }

    fn ask_of(gate: &Gate) -> Ask {
        Ask {
            tool: "deploy_spec".into(),
            class: gate.class,
            title: gate.title.clone(),
            context: gate.context.clone(),
            questions: vec![gate.question.clone()],
            arguments: Value::Null,
            expires_in: None,
            on_expiry: OnExpiry::Expire,
            subject: gate.subject.clone(),
            typed_word: gate.typed_word.clone(),
            safe_options: gate.safe_options.clone(),
            gate: true,
        }
    }

    #[test]
    fn the_gate_is_that_of_the_products_table_and_shows_what_would_run() {
        let gate = confirm_target_env(&row("Refunds"), &commands(), "production", Digest([1; 32]));
        assert_eq!((gate.question.id.as_str(), gate.class), ("confirm-target-env", Class::Destructive));
        assert_eq!(gate.question.default, Some("staging".into()));
        let labels: Vec<_> = gate.question.options.iter().map(|option| option.label.as_str()).collect();
        assert_eq!(labels, ["production", "staging"]);
        assert_eq!(gate.safe_options, ["staging"]);
        assert_eq!(gate.title, "Deploy SPEC-007 “Refunds” to production");
        let context = gate.context.as_deref().expect("a context");
        assert!(context.contains("**`production`** (protected)\n\n```\n./deploy.sh\n--fast\n```"), "{context}");
        assert!(context.contains("In `.`, for 600 s at the most."), "{context}");
        let subject = gate.subject.as_ref().expect("a subject");
        assert_eq!((subject.revision, subject.trust), (3, Some(Digest([1; 32]))));
        assert_eq!(ask_of(&gate).check(limit::OPTIONS), Ok(()));
    }

    #[test]
    fn a_protected_choice_takes_its_own_name_and_a_safe_one_takes_none() {
        let ask = ask_of(&confirm_target_env(&row("Refunds"), &commands(), "production", Digest([1; 32])));
        let word = |answer: &str| {
            let given = json!({QUESTION: answer});
            let answers = answer::check(&ask.questions, given.as_object().expect("an object")).expect("an answer");
            ask.word_for(&answers).map(str::to_owned)
        };
        assert_eq!([word("production"), word("staging")], [Some("production".into()), None]);
        let shut = Ask { safe_options: Vec::new(), ..ask.clone() };
        let given = json!({QUESTION: "staging"});
        let answers = answer::check(&ask.questions, given.as_object().expect("an object")).expect("an answer");
        assert_eq!(shut.word_for(&answers), Some("staging"), "none is safe unless it is said");
        let digest = |ask: &Ask| ask.digest(&AgentId("a".into()), "/w");
        assert_ne!(digest(&ask), digest(&shut));
    }

    #[test]
    fn where_no_staging_is_nothing_is_proposed_and_of_many_the_wanted_ones_are_offered() {
        let mut many = commands();
        many.targets.retain(|target| target.command.name != "staging");
        let gate = confirm_target_env(&row("R"), &many, "production", Digest([1; 32]));
        assert_eq!(gate.question.default, None);
        for n in 0..80 {
            many.targets.push(Target { command: command(&format!("env-{n:02}"), &["true"]), protected: false });
        }
        let gate = confirm_target_env(&row(&"é".repeat(200)), &many, "production", Digest([1; 32]));
        assert_eq!(gate.question.options.len(), 50);
        assert!(gate.question.options.iter().any(|option| option.label == "production"));
        assert_eq!(ask_of(&gate).check(limit::OPTIONS), Ok(()));
    }

    #[test]
    fn an_unknown_environment_is_refused_with_those_that_there_are() {
        let said = |commands: &Commands, asked| target(commands, asked).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(said(&commands(), "staging"), Ok(()));
        assert_eq!(
            said(&commands(), "prod"),
            Err("there is no environment “prod” in this workspace; it has “production”, “staging”".into())
        );
        assert_eq!(
            said(&Commands::default(), "prod"),
            Err("there is no environment “prod” in this workspace; its countersign.toml has no [targets]".into())
        );
    }
}
