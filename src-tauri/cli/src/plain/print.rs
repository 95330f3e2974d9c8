//! What the plain inbox prints of a request.

use super::state::{Plain, plain};
use crate::asked::Progress;
use crate::words::fill;
use countersign_core::class::Class;
use countersign_core::question::QuestionType;
use countersign_core::safe_text::SafeText;

/// Tasks that are printed at the most.
const TASKS: usize = 8;

impl Plain {
    pub(super) fn say(&mut self, line: &str) {
        self.out.push(line.to_owned());
    }

    /// Lines of an agent's, each marked, so that none passes for one of this program's own.
    fn quote(&mut self, text: &str) {
        let safe = SafeText::lines(text);
        let shown = if self.secrets { safe.revealed() } else { safe.plain() };
        shown.lines().for_each(|line| self.say(&format!("  │ {line}")));
    }

    /// The same with the numbers of the lines, for remarks.
    fn quote_numbered(&mut self, text: &str) {
        let safe = SafeText::lines(text);
        let shown = if self.secrets { safe.revealed() } else { safe.plain() };
        shown.lines().enumerate().for_each(|(at, line)| self.say(&format!("{:>3} │ {line}", at + 1)));
    }

    pub(super) fn print_list(&mut self) {
        if self.rows.is_empty() {
            self.say(self.words.waiting_none);
        }
        for (at, row) in self.rows.clone().iter().enumerate() {
            let who = fill(self.words.in_folder, &[&plain(&row.agent), &plain(&row.workspace)]);
            self.say(&format!("{}. {} · {who}", at + 1, plain(&row.title)));
        }
    }

    /// The request that is asked now.
    pub(super) fn print(&mut self) {
        let Some(asked) = self.current.as_ref().map(|current| current.asked.clone()) else { return };
        let words = self.words;
        let at = self.rows.iter().position(|row| row.id == asked.id).unwrap_or_default() + 1;
        let place = fill(words.place_of, &[&at.to_string(), &self.rows.len().max(at).to_string()]);
        let who = fill(words.in_folder, &[&plain(&asked.agent), &plain(&asked.workspace)]);
        let mode = fill(words.mode_word, &[words.mode(asked.session.mode)]);
        self.say("");
        self.say(&format!("[{place}] {who} · {mode}"));
        self.say(words.heading(asked.class, &asked.kind));
        if matches!(asked.class, Class::Plan | Class::Destructive) {
            let text = match asked.program() {
                Some((path, pid, folder)) => {
                    let through = folder.map(|folder| fill(words.through, &[&plain(&folder)])).unwrap_or_default();
                    fill(words.program, &[&plain(&path), &pid.to_string()]) + &through
                }
                None => words.program_unknown.to_owned(),
            };
            self.say(&text);
        }
        if let Some(step) = &asked.step {
            let lines: Vec<_> = step.lines(words).into_iter().map(|(_, line)| line).collect();
            self.quote(&lines.join("\n"));
        }
        if let Some(context) = &asked.context {
            if asked.plan.is_some() { self.quote_numbered(context) } else { self.quote(context) }
        }
        if let Some(plan) = &asked.plan {
            if plan.revision > 1 {
                self.say(&fill(words.revision, &[&plan.revision.to_string()]));
            }
            match plan.changes.as_deref() {
                None => {}
                Some("") => self.say(words.unchanged),
                Some(changes) => self.quote(changes),
            }
            if !plan.modes.is_empty() && asked.decided_here(self.hello.surface) {
                self.say(&fill(words.leads_to, &[words.mode(plan.run_mode)]));
            }
        }
        let todos = &asked.session.todos;
        if todos.iter().any(|todo| todo.progress != Progress::Done) {
            for todo in todos.iter().take(TASKS) {
                let sign = match todo.progress {
                    Progress::Pending => "☐",
                    Progress::Now => "◼",
                    Progress::Done => "☑",
                };
                self.say(&format!("{sign} {}", plain(&todo.text)));
            }
            if todos.len() > TASKS {
                self.say(&fill(words.more_tasks, &[&(todos.len() - TASKS).to_string()]));
            }
        }
        if let Some((destination, replaces)) = &asked.file {
            for (text, path) in [(words.file_goes, destination), (words.file_replaces, replaces)] {
                if let Some(path) = path {
                    self.say(&fill(text, &[&plain(path)]));
                }
            }
            self.say(words.file_limit);
        }
        for claim in &asked.claims {
            self.say(&fill(words.claims, &[&plain(claim)]));
        }
        if asked.decided_here(self.hello.surface) {
            self.print_question(0);
        } else {
            for at in 0..asked.questions.len() {
                self.print_question(at);
            }
            self.say(words.hint_window);
        }
    }

    pub(super) fn print_question(&mut self, at: usize) {
        let Some(asked) = self.current.as_ref().map(|current| current.asked.clone()) else { return };
        let (words, count) = (self.words, asked.questions.len());
        let Some(question) = asked.questions.get(at) else { return };
        if count > 1 {
            self.say(&fill(words.question_of, &[&(at + 1).to_string(), &count.to_string()]));
        }
        self.quote(&question.question);
        for (n, option) in question.options.iter().enumerate() {
            let label = SafeText::line(words.option(asked.class, &option.label));
            let label = if self.secrets { label.revealed() } else { label.plain() };
            self.say(&format!("{}. {label}", n + 1));
            for text in [&option.description, &option.preview].into_iter().flatten() {
                self.quote(text);
            }
        }
        if question.allow_other {
            self.say(words.other);
        }
        if question.kind == QuestionType::Confirm {
            let [yes, no] = words.yes_no(asked.class, &asked.kind);
            let key: String = words.plain_prompt_confirm.chars().take(1).collect();
            self.say(&format!("{key}. {yes}"));
            self.say(&format!("n. {no}"));
        }
        if let Some(pattern) = &question.pattern {
            self.say(&fill(words.takes_pattern, &[&plain(pattern)]));
        }
        if let Some(default) = &question.default {
            let shown = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
            self.say(&fill(words.plain_default, &[&plain(&shown)]));
        }
        if !question.required {
            self.say(words.plain_optional);
        }
    }
}
