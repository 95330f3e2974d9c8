//! The program's own way to ask: a terminal, a dialog, a page. Optional as a whole, and in two of its methods.

use countersign_core::program_ask::{Kind, Prompt};
use std::pin::Pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// It can't ask, or can't any more: then it never wins, and the other ways go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it can't be asked here: {0}")]
pub struct CannotAsk(pub String);

/// An answer that is awaited: what the person wrote, as it was written.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<String, CannotAsk>> + Send + 'a>>;

/// What goes with a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoicePrompt<'a> {
    /// What the person reads.
    pub prompt: &'a Prompt,
    /// What can be chosen.
    pub options: &'a [String],
    /// Whether several may be.
    pub multiple: bool,
}

/// A program's own way to ask a person.
///
/// Answers are plain text, read as `docs/asking.md` says: numbers, options' texts, own words; `y` or `n`. An empty answer is no
/// answer: nothing is chosen, nothing is approved; to manual steps it means done, as Enter does in a terminal. `withdrawn` is
/// cancelled when the question was answered elsewhere: close the dialog then; what is returned after that counts for nothing.
pub trait InteractionPort: Send + Sync {
    /// Asks for a yes or a no. With [`InteractionPort::ask_choice`] and [`InteractionPort::ask_text`] left out, those come here
    /// too, the options as numbered lines.
    fn ask_decision<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Answering<'a>;

    /// Asks for something to be done by hand.
    fn ask_manual_intervention<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Answering<'a>;

    /// Asks for a text; none where it has no way of its own for that.
    fn ask_text<'a>(&'a self, _prompt: &'a Prompt, _withdrawn: CancellationToken) -> Option<Answering<'a>> {
        None
    }

    /// Asks for a choice; none where it has no way of its own for that.
    fn ask_choice<'a>(&'a self, _choice: ChoicePrompt<'a>, _withdrawn: CancellationToken) -> Option<Answering<'a>> {
        None
    }

    /// Says something that needs no answer, such as that the question was answered elsewhere.
    fn notify(&self, _message: &str) {}
}

/// Asks through a port, with the fallback of the original where a method is missing.
pub(crate) async fn ask(
    port: Arc<dyn InteractionPort>,
    kind: Kind,
    prompt: Prompt,
    options: Vec<String>,
    multiple: bool,
    withdrawn: CancellationToken,
) -> Result<String, CannotAsk> {
    let fallback = match kind {
        Kind::Choice => with_numbers(&prompt, &options, multiple),
        Kind::Text | Kind::Decision | Kind::Manual => prompt.clone(),
    };
    let own = match kind {
        Kind::Choice => {
            port.ask_choice(ChoicePrompt { prompt: &prompt, options: &options, multiple }, withdrawn.clone())
        }
        Kind::Text => port.ask_text(&prompt, withdrawn.clone()),
        Kind::Decision => None,
        Kind::Manual => Some(port.ask_manual_intervention(&prompt, withdrawn.clone())),
    };
    match own {
        Some(answer) => answer.await,
        None => port.ask_decision(&fallback, withdrawn).await,
    }
}

/// A choice for a port that has no way of its own: the options as numbered lines.
fn with_numbers(prompt: &Prompt, options: &[String], multiple: bool) -> Prompt {
    let numbered = options.iter().enumerate().map(|(n, option)| format!("{}. {option}", n + 1));
    let question =
        if multiple { "Numbers separated by commas, or your own answer: " } else { "Number, or your own answer: " };
    let lines = prompt.lines.iter().cloned().chain(prompt.question.clone()).chain(numbered).collect();
    Prompt { lines, question: Some(question.to_owned()), ..prompt.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_without_choices_gets_numbered_lines() {
        let prompt = Prompt::new("Export", ["Which format?"]);
        let options = ["PDF".to_owned(), "Word".to_owned()];
        let one = with_numbers(&prompt, &options, false);
        assert_eq!(one.lines, ["Which format?", "1. PDF", "2. Word"]);
        assert_eq!(one.question.as_deref(), Some("Number, or your own answer: "));
        let several = with_numbers(&prompt.with_question("And now?"), &options, true);
        assert_eq!(several.lines, ["Which format?", "And now?", "1. PDF", "2. Word"]);
        assert!(several.question.is_some_and(|question| question.starts_with("Numbers")));
    }
}
