//! A program's own port, in the test's hand.

use countersign_client::{Answering, CancellationToken, CannotAsk, ChoicePrompt, InteractionPort, Prompt};
use countersign_inbox_tests::{in_time, until};
use std::sync::Mutex;
use tokio::sync::oneshot;

/// A port of the test's: it notes what it is asked, and answers when it is told to.
#[derive(Default)]
pub(super) struct Hand {
    pub(super) asked: Mutex<Vec<Asked>>,
    pub(super) heard: Mutex<Vec<String>>,
    /// Whether it has ways of its own for choices and texts.
    pub(super) whole: bool,
    pub(super) fails: bool,
}

pub(super) struct Asked {
    method: &'static str,
    prompt: Prompt,
    answer: Option<oneshot::Sender<String>>,
    withdrawn: CancellationToken,
}

impl Hand {
    fn ask(&self, method: &'static str, prompt: &Prompt, withdrawn: CancellationToken) -> Answering<'_> {
        let (answer, answered) = oneshot::channel();
        let asked = Asked { method, prompt: prompt.clone(), answer: Some(answer), withdrawn };
        self.asked.lock().expect("not poisoned").push(asked);
        let fails = self.fails;
        Box::pin(async move {
            if fails {
                return Err(CannotAsk("it is closed".into()));
            }
            answered.await.map_err(|_| CannotAsk("nobody answers".into()))
        })
    }

    pub(super) async fn answer(&self, raw: &str) {
        let sender = until("it is asked", || {
            self.asked.lock().expect("not poisoned").last_mut().and_then(|asked| asked.answer.take())
        });
        sender.await.send(raw.to_owned()).expect("it is awaited");
    }

    pub(super) async fn withdrawn(&self) {
        let told = || self.asked.lock().expect("not poisoned").last().map(|asked| asked.withdrawn.clone());
        in_time("it is told", until("it was asked", told).await.cancelled()).await;
    }

    pub(super) fn was_asked(&self) -> bool {
        !self.asked.lock().expect("not poisoned").is_empty()
    }

    pub(super) fn notes(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.heard.lock().expect("not poisoned")
    }

    pub(super) fn last(&self) -> (&'static str, Prompt) {
        let asked = self.asked.lock().expect("not poisoned");
        let last = asked.last().expect("it was asked");
        (last.method, last.prompt.clone())
    }
}

impl InteractionPort for Hand {
    fn ask_decision<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Answering<'a> {
        self.ask("decision", prompt, withdrawn)
    }

    fn ask_manual_intervention<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Answering<'a> {
        self.ask("manual", prompt, withdrawn)
    }

    fn ask_text<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Option<Answering<'a>> {
        self.whole.then(|| self.ask("text", prompt, withdrawn))
    }

    fn ask_choice<'a>(&'a self, choice: ChoicePrompt<'a>, withdrawn: CancellationToken) -> Option<Answering<'a>> {
        self.whole.then(|| self.ask("choice", choice.prompt, withdrawn))
    }

    fn notify(&self, message: &str) {
        self.heard.lock().expect("not poisoned").push(message.to_owned());
    }
}
