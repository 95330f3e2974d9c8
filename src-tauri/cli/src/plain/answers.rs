//! What a line comes to that answers: read, checked, asked about once more where that is wanted, and sent.

use super::state::{Plain, Wants, plain};
use crate::answer::elsewhere;
use crate::tui::event::Effect;
use crate::words::{Words, fill};
use countersign_core::answer;
use countersign_core::class::Class;
use countersign_core::plan::{Outcome, QUESTION};
use countersign_core::question::Question;
use countersign_core::reply;
use countersign_host::{Command, StepCommand};
use serde_json::{Value, json};

impl Plain {
    pub(super) fn ask_again(&mut self) -> Vec<Effect> {
        if let Some(current) = &mut self.current {
            current.answers.clear();
            (current.word, current.commented) = (None, false);
            current.wants = Wants::Question(0);
        }
        Vec::new()
    }

    pub(super) fn answer(&mut self, at: usize, text: &str) -> Vec<Effect> {
        let Some(current) = &mut self.current else { return Vec::new() };
        let question = &current.asked.questions[at];
        let read = reply::read(&in_words(question, current.asked.class, self.words), text);
        let id = question.id.clone();
        match read {
            Ok(reply) => {
                let value = back(&reply.value, question, current.asked.class, self.words);
                current.comment.extend(reply.comment);
                current.answers.insert(id, value);
            }
            Err(reply::ReplyError::Blank) if !question.required => {}
            // An empty line answers nothing.
            Err(reply::ReplyError::Blank) => return Vec::new(),
            Err(error) => {
                let message = fill(self.words.plain_not_understood, &[&plain(&error.to_string())]);
                self.say(&message);
                return Vec::new();
            }
        }
        if at + 1 < current.asked.questions.len() {
            current.wants = Wants::Question(at + 1);
            self.print_question(at + 1);
            return Vec::new();
        }
        self.finish()
    }

    pub(super) fn finish(&mut self) -> Vec<Effect> {
        let Some(current) = &mut self.current else { return Vec::new() };
        let checked = match answer::check(&current.asked.questions, &current.answers) {
            Ok(checked) => checked,
            Err(error) => {
                self.say(&fill(self.words.plain_not_understood, &[&plain(&error.to_string())]));
                return self.ask_again();
            }
        };
        if current.asked.wants_comment(&checked) && !current.commented && current.comment.is_empty() {
            (current.commented, current.wants) = (true, Wants::Comment);
            let ask = if current.asked.class == Class::Plan { self.words.ask_change } else { self.words.ask_reason };
            self.say(ask);
            return Vec::new();
        }
        if let Some(word) = current.asked.word_for(&checked) {
            (current.word, current.wants) = (Some(word), Wants::Word);
            return Vec::new();
        }
        self.send(None)
    }

    pub(super) fn send(&mut self, typed: Option<String>) -> Vec<Effect> {
        let Some(current) = &self.current else { return Vec::new() };
        if !self.here {
            self.say(self.words.away);
            return Vec::new();
        }
        let id = current.asked.id.clone();
        let comment = (!current.comment.is_empty()).then(|| current.comment.join("\n"));
        self.sending = Some(id.clone());
        let answers = current.answers.clone();
        let command = if current.asked.class == Class::Plan {
            let run = answers.get(QUESTION).is_some_and(|answer| answer == Outcome::Run.label());
            let mode = current.landing.filter(|_| run);
            Command::AnswerPlan { id, answers, comment, remarks: current.remarks.clone(), mode }
        } else if let Some((place, until)) = current.remember {
            let allow = answers.values().any(|answer| answer == true);
            let remember = Some((place, until.word().to_owned()));
            Command::Steps(StepCommand::Decide { id, allow, edited: None, remember, comment })
        } else {
            let answers = elsewhere(&current.asked.kind, answers);
            Command::Answer { id, answers, comment, typed }
        };
        vec![Effect::Do(Box::new(command))]
    }
}

/// A question with its options as the person reads them.
fn in_words(question: &Question, class: Class, words: &'static Words) -> Question {
    let mut question = question.clone();
    for option in &mut question.options {
        option.label = words.option(class, &option.label).to_owned();
    }
    question
}

/// The answer in the labels that the question has.
fn back(value: &Value, question: &Question, class: Class, words: &'static Words) -> Value {
    let own = |said: &str| question.options.iter().find(|option| words.option(class, &option.label) == said);
    match value.as_str().and_then(own) {
        Some(option) => json!(option.label),
        None => value.clone(),
    }
}
