//! One run folder while something waits there.

use countersign_broker::{Broker, BrokerError, Person, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::reply;
use countersign_core::request::Request;
use countersign_core::time::{Millis, Timestamp};
use countersign_core::who_may_decide::{May, may_decide};
use countersign_run_folder::{ANSWERS, Look, Name, Opened, Quiet, Reason, Sight, Waiting, document};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is known of one folder.
pub(super) struct Watched {
    path: PathBuf,
    requests: HashMap<RequestId, Arc<Request>>,
    quiet: Quiet,
    /// What a file looked like when it was refused: as long as it does, nothing more is said.
    refused: HashMap<Name, Sight>,
    noted: BTreeSet<Name>,
    /// The document as it was written last.
    written: String,
    heard: Vec<PathBuf>,
}

/// A file that was judged.
enum Judged {
    /// It is the answer to this request.
    Answers(Arc<Request>, reply::Replies),
    /// It is not obeyed; moved out of the way if that is so.
    Refused(Reason, bool),
    /// There is nothing to say about it yet.
    NotYet,
}

impl Watched {
    pub(super) fn new(folder: &str) -> Self {
        Self {
            path: PathBuf::from(folder),
            requests: HashMap::new(),
            quiet: Quiet::default(),
            refused: HashMap::new(),
            noted: BTreeSet::new(),
            written: String::new(),
            heard: Vec::new(),
        }
    }

    /// A request that waits here, as it was read before: what is asked does not change.
    pub(super) fn request(&self, id: &RequestId) -> Option<Arc<Request>> {
        self.requests.get(id).cloned()
    }

    /// Takes what answers, and says what waits. When to look again at the latest, if sooner than usual.
    pub(super) async fn look(&mut self, broker: &Broker, pending: &[Arc<Request>], now: Millis) -> Option<Duration> {
        let opened = match Opened::at(&self.path) {
            Ok(opened) => opened,
            Err(error) => {
                tracing::debug!(%error, "a run folder can't be used");
                self.written.clear();
                return None;
            }
        };
        let known = std::mem::take(&mut self.requests);
        self.requests = pending.iter().map(|request| (request.id.clone(), request.clone())).collect();
        if known.len() != self.requests.len() || known.keys().any(|id| !self.requests.contains_key(id)) {
            // What was refused may be judged otherwise now.
            self.refused.clear();
        }
        let (names, mut next) = (opened.names(), None::<Millis>);
        self.forget_notes(&opened, &names);
        for name in names {
            let Some(sight) = opened.sight(&name) else { continue };
            // What was there before the question needs no patience: it is out of the way before anybody hears of the question.
            let left = self.quiet.left(&name, &sight, now);
            if self.refused.get(&name) == Some(&sight) {
                continue;
            }
            if left > Millis(0) && !matches!(opened.read(&name, self.asked(&name)), Look::Old) {
                next = next.into_iter().chain([left]).min();
                continue;
            }
            match self.judge(&opened, &name) {
                Judged::NotYet => {}
                // It changed in this moment: what was read may be half of it.
                _ if opened.sight(&name).as_ref() != Some(&sight) => next = Some(Millis(0)),
                Judged::Refused(reason, aside) => self.refuse(&opened, name, sight, &reason, aside),
                Judged::Answers(request, replies) => {
                    self.decide(broker, &opened, name, sight, &request, replies).await;
                }
            }
        }
        self.write(&opened);
        next.map(|left| Duration::from_millis(left.0))
    }

    /// Since when a file of that name may be an answer.
    fn asked(&self, name: &Name) -> Timestamp {
        let of = |request: &Arc<Request>| request.created_at;
        let asked = match name {
            Name::Legacy => self.by_file().iter().map(of).min().or_else(|| self.requests.values().map(of).min()),
            Name::Answer(id) => self.requests.get(&RequestId(id.clone())).map(of),
        };
        asked.unwrap_or(Timestamp(i64::MIN / 2))
    }

    /// The requests that a file may answer.
    fn by_file(&self) -> Vec<Arc<Request>> {
        self.requests.values().filter(|request| takes_file(request)).cloned().collect()
    }

    fn judge(&self, opened: &Opened, name: &Name) -> Judged {
        let (text, old) = match opened.read(name, self.asked(name)) {
            Look::Nothing | Look::Changing => return Judged::NotYet,
            Look::Unfit(unfit) => return Judged::Refused(Reason::Unfit(unfit), false),
            Look::Old => (String::new(), true),
            Look::Text(text) => (text, false),
        };
        if old {
            return Judged::Refused(Reason::Old, true);
        }
        let request = match name {
            Name::Legacy => match self.by_file().as_slice() {
                [request] => request.clone(),
                [] => match self.requests.values().next() {
                    Some(other) => return Judged::Refused(Reason::NotByFile(other.ask.class), true),
                    None => return Judged::NotYet,
                },
                [_, _, ..] => return Judged::Refused(Reason::Several, true),
            },
            Name::Answer(id) => match self.requests.get(&RequestId(id.clone())) {
                Some(request) if takes_file(request) => request.clone(),
                Some(request) => return Judged::Refused(Reason::NotByFile(request.ask.class), false),
                None => return Judged::Refused(Reason::NotWaiting, false),
            },
        };
        match reply::read_all(&request.ask.questions, &text) {
            Ok(replies) => Judged::Answers(request, replies),
            Err(reply::ReplyError::Blank) => Judged::NotYet,
            Err(error) => {
                let questions = request.ask.questions.clone();
                Judged::Refused(Reason::Refused { why: error.to_string(), questions }, false)
            }
        }
    }

    async fn decide(
        &mut self,
        broker: &Broker,
        opened: &Opened,
        name: Name,
        sight: Sight,
        request: &Request,
        replies: reply::Replies,
    ) {
        let verdict = Verdict::Answer { answers: replies.answers, comment: replies.comment, typed: None };
        match broker.decide(Person::at(Channel::File), &request.id, Some(request.digest), verdict).await {
            Ok(_) => {
                opened.remove(&name, &sight);
                self.requests.remove(&request.id);
                if self.noted.remove(&name) {
                    opened.forget_note(&name);
                }
            }
            // Somebody was faster. The next look finds it under what waits no more.
            Err(BrokerError::Settled { .. }) => {}
            Err(error @ (BrokerError::Store(_) | BrokerError::Stopped)) => {
                tracing::warn!(%error, "an answer file is taken later");
            }
            Err(error) => {
                let questions = request.ask.questions.clone();
                self.refuse(opened, name, sight, &Reason::Refused { why: error.to_string(), questions }, false);
            }
        }
    }

    /// Says what is wrong with a file, once.
    fn refuse(&mut self, opened: &Opened, name: Name, sight: Sight, reason: &Reason, aside: bool) {
        let moved = aside.then(|| opened.set_aside(&name)).and_then(|moved| {
            moved.inspect_err(|error| tracing::warn!(%error, "an answer file could not be set aside")).ok()
        });
        match opened.note(&name, &reason.text(moved.as_deref())) {
            Ok(()) => {
                self.noted.insert(name.clone());
            }
            Err(error) => tracing::warn!(%error, "a note could not be written beside an answer file"),
        }
        if moved.is_none() {
            self.refused.insert(name, sight);
        }
    }

    /// Notes about files that are not there any more, but for those that say where one went.
    fn forget_notes(&mut self, opened: &Opened, names: &[Name]) {
        let gone: Vec<Name> = self.refused.keys().filter(|name| !names.contains(name)).cloned().collect();
        for name in gone {
            self.refused.remove(&name);
            self.quiet.forget(&name);
            if self.noted.remove(&name) {
                opened.forget_note(&name);
            }
        }
    }

    /// Says what waits, for programs.
    fn write(&mut self, opened: &Opened) {
        let alone = self.by_file().len() == 1;
        let mut requests: Vec<&Arc<Request>> = self.requests.values().collect();
        requests.sort_by_key(|request| (request.created_at, request.id.clone()));
        let waiting: Vec<_> =
            requests.into_iter().map(|request| Waiting { request, by_file: takes_file(request), alone }).collect();
        if waiting.is_empty() {
            opened.remove_pending();
            self.written.clear();
            return;
        }
        let document = document(&waiting);
        if document == self.written && opened.has_pending() {
            return;
        }
        let written = opened.make_answers().and_then(|()| opened.write_pending(&document));
        match written {
            Ok(true) => {}
            Ok(false) => tracing::warn!("a pending.json in a run folder is somebody else's, and is left alone"),
            Err(error) => tracing::warn!(%error, "what waits could not be written to a run folder"),
        }
        self.written = document;
    }

    /// Nothing waits here any more.
    pub(super) fn leave(self) {
        let Ok(opened) = Opened::at(&self.path) else { return };
        opened.remove_pending();
        for name in &self.noted {
            // One that says where a file went stays: its reader may come later.
            if self.refused.contains_key(name) {
                opened.forget_note(name);
            }
        }
        opened.remove_answers();
    }

    /// Folders of which the system does not tell yet.
    pub(super) fn unheard(&self) -> Vec<PathBuf> {
        let both = [self.path.clone(), self.path.join(ANSWERS)];
        both.into_iter().filter(|path| !self.heard.contains(path) && path.is_dir()).collect()
    }

    /// The system tells of this one.
    pub(super) fn heard(&mut self, path: PathBuf) {
        self.heard.push(path);
    }

    /// The folders of which it need not tell any more.
    pub(super) fn unhear(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.heard)
    }
}

/// By the table of who may decide.
fn takes_file(request: &Request) -> bool {
    matches!(may_decide(request.ask.class, Channel::File), May::Yes)
}
