//! Notifications: a state of core says what is shown when; this shows it, and sees whether it arrives. It decides nothing.

mod bell;
mod chime;
mod letter;
mod text;

pub use bell::{Bell, Heard, Service};

use crate::desk::Desk;
use crate::settings::Announcing;
use crate::{bus, push, window, words};
use countersign_core::notices::{Act, New, Notice, Notices, Number, Opens};
use countersign_core::time::Millis;
use letter::Letter;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tauri::{AppHandle, Manager as _};
use tauri_plugin_notification::NotificationExt as _;
use tokio::sync::oneshot;

/// How the plugin names a click on the notification itself. There are no buttons, and any other word opens nothing.
const CLICK: &str = "tap";

/// Listens for clicks, and for whoever shows notifications; from the main thread, before anything is shown.
pub fn listen(app: &AppHandle, bell: &Arc<Bell>) {
    let clicks = bell.clone();
    let listening = app.notification().on_action(move |performed| {
        if let (CLICK, Some(notification)) = (performed.action_id(), performed.notification()) {
            clicks.tell(Heard::Clicked(Number(notification.id())));
        }
    });
    if let Err(error) = listening {
        tracing::warn!(%error, "clicks on notifications are not heard");
    }
    let service = bell.clone();
    bus::watch(bus::NOTIFICATIONS, move |there| service.tell(Heard::Service(there)));
    if !bus::is_there(bus::NOTIFICATIONS) {
        bell.tell(Heard::Service(false));
    }
}

/// Notifies for as long as the app lives.
pub async fn run(app: AppHandle, bell: Arc<Bell>) {
    let Some(mut heard) = bell.take_heard() else { return };
    let mut crier = Crier {
        app,
        bell,
        notices: Notices::default(),
        under_way: HashMap::new(),
        doomed: HashSet::new(),
        tests: Vec::new(),
        stuck: false,
    };
    loop {
        let wait = crier.notices.next().map(|at| Duration::from_millis(at.0.saturating_sub(crier.now().0)));
        tokio::select! {
            one = heard.recv() => match one {
                Some(one) => crier.hear(one),
                None => return,
            },
            () = tokio::time::sleep(wait.unwrap_or(Duration::MAX)), if wait.is_some() => {
                let acts = crier.notices.due(crier.now());
                crier.act(acts);
            }
        }
    }
}

struct Crier {
    app: AppHandle,
    bell: Arc<Bell>,
    notices: Notices,
    /// Sent, and not heard of yet; with who waits to hear.
    under_way: HashMap<Number, Option<oneshot::Sender<()>>>,
    /// To be taken away as soon as they are there.
    doomed: HashSet<Number>,
    /// Notifications that the person sent for a test.
    tests: Vec<Number>,
    /// Whoever shows notifications has not answered the last one: more would only pile up.
    stuck: bool,
}

impl Crier {
    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Asked(new) => self.asked(new),
            Heard::Settled(request) => {
                let acts = self.notices.settled(&request);
                self.act(acts);
            }
            Heard::Settings => {
                if !Announcing::of(self.desk()).on {
                    let acts = self.notices.stop();
                    self.act(acts);
                }
            }
            Heard::Clicked(number) => self.clicked(number),
            Heard::Closed(number) => {
                self.notices.gone(number);
            }
            Heard::Failed(number) => {
                let there = bus::is_there(bus::NOTIFICATIONS);
                self.failed(number, if there { Service::Refused } else { Service::Missing });
            }
            Heard::Silent(number) => self.silent(number),
            Heard::Late => {
                self.stuck = false;
                if self.bell.service() == Service::Silent {
                    self.now_is(Service::Works);
                }
            }
            Heard::Taken(number) => self.taken(number),
            Heard::Service(there) => self.service(there),
            Heard::Test(waits) => self.test(waits),
        }
    }

    fn asked(&mut self, new: New) {
        let desk = self.desk();
        if Announcing::of(desk).may(desk.clock.now().wall) {
            let now = self.now();
            self.notices.asked(new, now);
        }
    }

    fn act(&mut self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::Withdraw(number) => {
                    letter::withdraw(&self.app, number);
                    // The plugin may not have begun to send it: once more when it has.
                    if self.under_way.contains_key(&number) {
                        self.doomed.insert(number);
                    }
                }
                Act::Show(number, notice) => {
                    let (title, body) = text::of(&notice, self.agent(&notice).as_deref(), words::of(self.desk()));
                    self.send(Letter { number, title, body }, None);
                }
            }
        }
    }

    fn send(&mut self, letter: Letter, waits: Option<oneshot::Sender<()>>) {
        let number = letter.number;
        self.under_way.insert(number, waits);
        if self.stuck {
            return self.failed(number, Service::Silent);
        }
        letter::send(&self.app, &self.bell, letter);
    }

    fn test(&mut self, waits: oneshot::Sender<()>) {
        let (number, language) = (self.notices.number(), words::of(self.desk()));
        self.tests.push(number);
        let (title, body) = words::test_notification(language);
        self.send(Letter { number, title: title.into(), body: body.into() }, Some(waits));
    }

    fn taken(&mut self, number: Number) {
        if self.doomed.remove(&number) {
            letter::withdraw(&self.app, number);
        }
        if let Some(waits) = self.under_way.remove(&number) {
            self.now_is(if cfg!(target_os = "linux") { Service::Works } else { Service::Unknown });
            tell(waits);
        }
    }

    /// It may come yet: it stays in the books, so that it can be withdrawn then.
    fn silent(&mut self, number: Number) {
        self.stuck = true;
        self.doomed.remove(&number);
        let way = self.under_way.remove(&number);
        if self.notices.is_up(number) {
            window::ask_for_attention(&self.app);
            self.ring(way.as_ref(), Service::Silent);
        }
        self.now_is(Service::Silent);
        way.into_iter().for_each(tell);
    }

    /// It will not come. One that isn't in the books any more went with whoever showed it, and is no news.
    fn failed(&mut self, number: Number, why: Service) {
        let settled = self.doomed.remove(&number);
        let way = self.under_way.remove(&number);
        let announced = self.notices.gone(number);
        if way.is_none() && !announced {
            return;
        }
        if announced {
            window::ask_for_attention(&self.app);
        }
        if !settled {
            self.ring(way.as_ref(), why);
        }
        self.now_is(why);
        way.into_iter().for_each(tell);
    }

    /// Once for each: one that was on its way has not rung yet. A test notification is shown by its outcome alone.
    fn ring(&self, way: Option<&Option<oneshot::Sender<()>>>, why: Service) {
        if let Some(None) = way {
            let desk = self.desk();
            chime::ring(&self.app, why, Announcing::of(desk), desk.clock.now().wall);
        }
    }

    fn clicked(&mut self, number: Number) {
        let opens = match self.notices.clicked(number) {
            Some(Opens::Request(request)) => window::Place::Request(request),
            Some(Opens::Inbox) => window::Place::Inbox,
            None if self.tests.contains(&number) => window::Place::Settings,
            None => return,
        };
        // Some services keep what was clicked.
        letter::withdraw(&self.app, number);
        window::open_at(&self.app, opens);
    }

    fn service(&mut self, there: bool) {
        if there {
            return self.now_is(Service::Unknown);
        }
        let numbers: Vec<Number> = self.under_way.keys().copied().collect();
        if self.notices.lost() {
            window::ask_for_attention(&self.app);
        }
        self.tests.clear();
        for number in numbers {
            self.failed(number, Service::Missing);
        }
        let comes = bus::would_start(bus::NOTIFICATIONS);
        self.now_is(if comes { Service::Unknown } else { Service::Missing });
    }

    fn now_is(&self, service: Service) {
        if self.bell.set_service(service) {
            tracing::info!(?service, "notifications");
            push::status(&self.app);
        }
    }

    fn agent(&self, notice: &Notice) -> Option<String> {
        let Notice::One(new) = notice else { return None };
        self.desk().broker.read(|db| Ok(db.agent(&new.agent)?)).ok().flatten().map(|agent| agent.name)
    }

    fn desk(&self) -> &Desk {
        self.app.state::<Desk>().inner()
    }

    fn now(&self) -> Millis {
        self.desk().clock.now().boot
    }
}

fn tell(waits: Option<oneshot::Sender<()>>) {
    if let Some(waits) = waits {
        // The page may be gone.
        let _ = waits.send(());
    }
}
