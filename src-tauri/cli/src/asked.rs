//! A request, a row and a session as the person's socket says them, for what a terminal draws.

mod plan;
mod step;

pub use plan::PlanSeen;
pub use step::{Look, StepSeen};

use countersign_core::answer::{Answer, Answers};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_core::plan::{Outcome, outcome};
use countersign_core::question::Question;
use countersign_core::request::State;
use countersign_core::who_may_decide::{May, is_no, may_decide};
use countersign_host::Surface;
use serde_json::Value;

/// One line of what is open.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Which.
    pub id: RequestId,
    /// What it is called.
    pub title: String,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// Who asks.
    pub agent: String,
    /// Where.
    pub workspace: String,
}

/// One session and its mode.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Which.
    pub id: SessionId,
    /// Whose.
    pub agent: String,
    /// Where.
    pub workspace: String,
    /// How strictly it is watched.
    pub mode: Mode,
    /// How strictly before plan mode.
    pub before_plan: Option<Mode>,
    /// Whether it is there in this moment.
    pub present: bool,
    /// Whether the person stopped it.
    pub stopped: bool,
    /// What it has to do.
    pub todos: Vec<Todo>,
}

/// Where one thing to do stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Not begun.
    Pending,
    /// Being done.
    Now,
    /// Done.
    Done,
}

/// One thing that a session has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo {
    /// What is shown: what is being done, or what is to be done.
    pub text: String,
    /// Where it stands.
    pub progress: Progress,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// Through what; none where nobody decided.
    pub by: Option<Channel>,
    /// Whether the proof came from a file.
    pub unattended: bool,
}

/// One request, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Which.
    pub id: RequestId,
    /// Where it stands.
    pub state: State,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// The tool that asks.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// Who asks.
    pub agent: String,
    /// Where.
    pub workspace: String,
    /// In which session, and how strictly that is watched.
    pub session: Session,
    /// What is asked.
    pub questions: Vec<Question>,
    /// More to read, as markdown.
    pub context: Option<String>,
    /// The word that a yes takes.
    pub typed_word: Option<String>,
    /// Options that take no word.
    pub safe_options: Vec<String>,
    /// What the agent says the person answered.
    pub claims: Vec<String>,
    /// The program that asked, as the system told.
    pub program: Value,
    /// How it ended.
    pub ended: Option<Ended>,
    /// What is to be known of it, where it is a plan.
    pub plan: Option<PlanSeen>,
    /// Where a file goes that it asks for, and what it replaces.
    pub file: Option<(Option<String>, Option<String>)>,
    /// The step, where it is one.
    pub step: Option<StepSeen>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn mode(value: &Value) -> Mode {
    value.as_str().and_then(Mode::from_word).unwrap_or_default()
}

/// What can't be read counts as what takes the most care.
fn class(value: &Value) -> Class {
    value.as_str().and_then(Class::from_word).unwrap_or(Class::Destructive)
}

impl Row {
    /// All rows of a line.
    pub fn all(said: &Value) -> Vec<Self> {
        let row = |row: &Value| Self {
            id: RequestId(text(&row["id"])),
            title: text(&row["title"]),
            class: class(&row["class"]),
            agent: text(&row["agent"]),
            workspace: text(&row["workspace"]),
        };
        said["open"].as_array().into_iter().flatten().map(row).collect()
    }
}

impl Session {
    /// As `countersign mode` shows it.
    pub fn read(said: &Value) -> Self {
        Self {
            id: SessionId(text(&said["session"])),
            agent: text(&said["agent"]),
            workspace: text(&said["workspace"]),
            mode: mode(&said["mode"]),
            before_plan: said["before_plan"].as_str().and_then(Mode::from_word),
            present: said["present"] == true,
            stopped: said["stopped"] == true,
            todos: Todo::all(&said["todos"]),
        }
    }

    /// All of a line that work in this moment.
    pub fn all(said: &Value) -> Vec<Self> {
        let all = said["sessions"].as_array().into_iter().flatten().map(Self::read);
        all.filter(|session| session.present).collect()
    }

    /// Where Shift+Tab leads: guided, interactive, plan, and round again; none where the mode is fixed.
    pub const fn next_mode(&self) -> Option<Mode> {
        match self.mode {
            Mode::Guided => Some(Mode::Interactive),
            Mode::Interactive => Some(Mode::Plan),
            Mode::Plan => Some(Mode::Guided),
            Mode::Autonomous => None,
        }
    }

    /// Where `/plan` leads: into plan mode, or out of it to where it was before.
    pub fn toggled_plan(&self) -> Option<Mode> {
        match self.mode {
            Mode::Guided | Mode::Interactive => Some(Mode::Plan),
            Mode::Plan => Some(self.before_plan.unwrap_or_default()),
            Mode::Autonomous => None,
        }
    }
}

impl Todo {
    fn all(said: &Value) -> Vec<Self> {
        let todo = |todo: &Value| {
            let progress = match todo["status"].as_str() {
                Some("completed") => Progress::Done,
                Some("in_progress") => Progress::Now,
                Some(_) | None => Progress::Pending,
            };
            let active = todo["activeForm"].as_str().filter(|text| !text.trim().is_empty());
            let active = active.filter(|_| progress == Progress::Now).map(str::to_owned);
            Self { text: active.unwrap_or_else(|| text(&todo["content"])), progress }
        };
        said.as_array().into_iter().flatten().map(todo).collect()
    }
}

impl Asked {
    /// Reads what `show` says. An error says what is wrong with it.
    pub fn read(said: &Value) -> Result<Self, String> {
        if let Some(error) = said["error"].as_str() {
            return Err(error.to_owned());
        }
        let state = said["state"].as_str().and_then(State::from_word).ok_or("a request without a state")?;
        let questions = serde_json::from_value(said["questions"].clone()).map_err(|error| error.to_string())?;
        let decision = &said["decision"];
        let channel = decision["channel"].as_str().and_then(Channel::from_word);
        let safe = said["safe_options"].as_array().into_iter().flatten().map(text).collect();
        let claims = said["claims"].as_array().into_iter().flatten().map(|claim| claim["value"].to_string());
        Ok(Self {
            id: RequestId(text(&said["id"])),
            state,
            class: class(&said["class"]),
            kind: text(&said["kind"]),
            title: text(&said["title"]),
            agent: text(&said["agent"]),
            workspace: text(&said["workspace"]),
            session: Session { present: true, ..Session::read(said) },
            questions,
            context: said["context"].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned),
            typed_word: said["typed_word"].as_str().map(str::to_owned),
            safe_options: safe,
            claims: claims.collect(),
            program: said["program"].clone(),
            ended: (state != State::Pending).then(|| Ended { by: channel, unattended: decision["unattended"] == true }),
            plan: PlanSeen::read(&said["plan"]),
            file: said["file"].is_object().then(|| {
                let path = |key: &str| said["file"][key].as_str().map(str::to_owned);
                (path("destination"), path("replaces"))
            }),
            step: StepSeen::read(&said["step"]),
        })
    }

    /// What the table says of a terminal here.
    pub const fn may(&self, surface: Surface) -> May {
        let channel = match surface {
            Surface::Desktop => Channel::Terminal,
            Surface::Serve => Channel::Serve,
        };
        may_decide(self.class, channel)
    }

    /// Whether a terminal here decides it.
    pub const fn decided_here(&self, surface: Surface) -> bool {
        matches!(self.may(surface), May::Yes | May::TypedWord)
    }

    /// Whether a wrong yes costs little.
    pub const fn harmless(&self) -> bool {
        matches!(self.class, Class::Ask | Class::Ambiguity)
    }

    /// Whether it is asked why: what was refused, or what should change.
    pub fn wants_comment(&self, answers: &Answers) -> bool {
        match self.class {
            Class::Plan => outcome(answers) == Some(Outcome::Keep),
            Class::Step | Class::Approval => is_no(self.class, answers),
            Class::Ask => self.kind == "request_manual_intervention" && is_no(self.class, answers),
            Class::Ambiguity | Class::Policy | Class::Destructive => false,
        }
    }

    /// The word that these answers take.
    pub fn word_for(&self, answers: &Answers) -> Option<String> {
        if self.class != Class::Destructive || is_no(self.class, answers) {
            return None;
        }
        if self.typed_word.is_some() {
            return self.typed_word.clone();
        }
        let unsafe_one = |answer: &Answer| {
            let (chosen, _) = answer.parts();
            chosen.into_iter().find(|label| !self.safe_options.contains(label))
        };
        answers.0.values().filter(|answer| answer.to_json().is_string()).find_map(unsafe_one)
    }

    /// The program on the other end of the socket, as the system told: its file, process and folder.
    pub fn program(&self) -> Option<(String, u64, Option<String>)> {
        let pid = self.program["pid"].as_u64()?;
        Some((text(&self.program["path"]), pid, self.program["folder"].as_str().map(str::to_owned)))
    }
}

/// A request for tests, with what is changed in it.
#[cfg(test)]
pub fn sample(more: Value) -> Asked {
    let mut said = serde_json::json!({
        "id": "r", "state": "pending", "class": "ask", "kind": "ask_human", "title": "t", "agent": "a",
        "workspace": "/w", "session": "s", "mode": "guided", "questions": [], "decision": null,
    });
    let more = more.as_object().expect("an object").clone();
    said.as_object_mut().expect("an object").extend(more);
    Asked::read(&said).expect("read")
}

#[cfg(test)]
mod tests {
    use super::sample as asked;
    use super::*;
    use countersign_core::answer;
    use serde_json::json;

    #[test]
    fn the_modes_go_round_and_plan_is_left_to_where_it_was_entered_from() {
        let session = |mode: &str, before: Value| Session::read(&json!({"mode": mode, "before_plan": before}));
        for (mode, before, next, plan) in [
            ("guided", json!(null), Some(Mode::Interactive), Some(Mode::Plan)),
            ("interactive", json!(null), Some(Mode::Plan), Some(Mode::Plan)),
            ("plan", json!("interactive"), Some(Mode::Guided), Some(Mode::Interactive)),
            ("plan", json!(null), Some(Mode::Guided), Some(Mode::Guided)),
            ("autonomous", json!(null), None, None),
        ] {
            let session = session(mode, before);
            assert_eq!((session.next_mode(), session.toggled_plan()), (next, plan), "{mode}");
        }
    }

    #[test]
    fn what_a_yes_takes_is_the_word_or_the_option_itself_and_a_no_takes_none() {
        let word = |asked: &Asked, value: Value| {
            let given = json!({"q": value}).as_object().cloned().expect("an object");
            asked.word_for(&answer::check(&asked.questions, &given).expect("an answer"))
        };
        let delete = asked(json!({"class": "destructive", "typed_word": "SPEC-001",
            "questions": [{"id": "q", "question": "?", "type": "confirm"}]}));
        assert_eq!(word(&delete, json!(true)).as_deref(), Some("SPEC-001"));
        assert_eq!(word(&delete, json!(false)), None);
        let deploy = asked(json!({"class": "destructive", "safe_options": ["staging"],
            "questions": [{"id": "q", "question": "?", "type": "choice", "options": ["staging", "production"]}]}));
        assert_eq!(word(&deploy, json!("production")).as_deref(), Some("production"));
        assert_eq!(word(&deploy, json!("staging")), None);
        let ask = asked(json!({"questions": [{"id": "q", "question": "?", "type": "confirm"}]}));
        assert_eq!(word(&ask, json!(true)), None);
    }

    #[test]
    fn a_task_that_is_being_done_is_called_by_what_is_being_done() {
        let session = Session::read(&json!({"todos": [
            {"content": "Read it", "status": "completed", "activeForm": "Reading it"},
            {"content": "Write it", "status": "in_progress", "activeForm": "Writing it"},
            {"content": "Send it", "status": "soon", "activeForm": null},
        ]}));
        let of = |text: &str, progress| Todo { text: text.into(), progress };
        let want = [of("Read it", Progress::Done), of("Writing it", Progress::Now), of("Send it", Progress::Pending)];
        assert_eq!(session.todos, want);
    }

    #[test]
    fn plans_and_what_destroys_are_decided_here_only_without_a_window() {
        for (class, desktop) in [("ask", true), ("step", true), ("plan", false), ("destructive", false), ("?", false)] {
            let asked = asked(json!({"class": class}));
            assert!(asked.decided_here(Surface::Serve), "{class}");
            assert_eq!(asked.decided_here(Surface::Desktop), desktop, "{class}");
        }
    }
}
