//! What is announced when: each new request by itself, a storm of them as one, and nothing any longer than it is true.
//!
//! A state that is told what happened and says what to do. Absent on purpose: clocks (times are arguments), texts, and
//! whoever draws a notification.

use crate::class::Class;
use crate::id::{AgentId, RequestId};
use crate::time::Millis;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How long a first request waits for others that come with it.
pub const HOLD: Millis = Millis(250);
/// Over this time a storm is told from single requests.
pub const WINDOW: Millis = Millis(5_000);
/// So many within [`WINDOW`] are announced one by one; more are a storm.
pub const ALONE: usize = 3;
/// While a storm lasts its one notification is made anew at most this often, and each time half as often as before.
pub const RENEW: Millis = Millis(2_000);
/// The longest time between two of those.
pub const RENEW_LONGEST: Millis = Millis(32_000);

/// A request that newly needs a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct New {
    /// Which.
    pub request: RequestId,
    /// Whose.
    pub agent: AgentId,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// Its title, as the agent wrote it.
    pub title: String,
}

/// The number of a notification of ours; never used twice while the app runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(pub i32);

/// What a notification says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// One request waits.
    One(New),
    /// So many requests came, of so many agents.
    Many {
        /// Requests.
        requests: usize,
        /// Agents that ask them.
        agents: usize,
    },
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Show it.
    Show(Number, Notice),
    /// Take it away.
    Withdraw(Number),
}

/// What a click opens. It never decides: any program of the same session can forge one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opens {
    /// This request.
    Request(RequestId),
    /// The inbox.
    Inbox,
}

/// All that is announced, and what waits to be.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    numbers: i32,
    fresh: Vec<New>,
    look_at: Option<Millis>,
    /// When how many were announced.
    announced: VecDeque<(Millis, usize)>,
    up: BTreeMap<Number, Up>,
    storm: Option<Storm>,
}

#[derive(Debug, Clone)]
struct Up {
    at: Millis,
    members: Vec<New>,
}

#[derive(Debug, Clone, Copy)]
struct Storm {
    number: Number,
    at: Millis,
    pause: Millis,
}

impl Notices {
    /// A number for a notification that isn't about requests.
    pub fn number(&mut self) -> Number {
        self.numbers = self.numbers.wrapping_add(1);
        Number(self.numbers)
    }

    /// A request came.
    pub fn asked(&mut self, new: New, now: Millis) {
        self.fresh.push(new);
        self.look_at.get_or_insert(Millis(now.0 + HOLD.0));
    }

    /// A request ended, by whatever: what announced nothing else goes.
    pub fn settled(&mut self, request: &RequestId) -> Vec<Act> {
        self.fresh.retain(|new| &new.request != request);
        for up in self.up.values_mut() {
            up.members.retain(|new| &new.request != request);
        }
        let empty: Vec<_> = self.up.iter().filter(|(_, up)| up.members.is_empty()).map(|(number, _)| *number).collect();
        empty.into_iter().filter_map(|number| self.take(number).map(|_| Act::Withdraw(number))).collect()
    }

    /// When [`Self::due`] has something to say; none: nothing waits.
    pub fn next(&self) -> Option<Millis> {
        self.look_at.filter(|_| !self.fresh.is_empty())
    }

    /// What is to be shown by now.
    pub fn due(&mut self, now: Millis) -> Vec<Act> {
        if self.fresh.is_empty() {
            self.look_at = None;
        }
        if self.look_at.is_none_or(|at| now < at) {
            return Vec::new();
        }
        let since = |at: Millis| now.0.saturating_sub(at.0);
        self.announced.retain(|(at, _)| since(*at) < WINDOW.0);
        let lately: usize = self.announced.iter().map(|(_, count)| count).sum();
        if lately + self.fresh.len() <= ALONE {
            self.storm = None;
            return self.show_each(now);
        }
        // The one that is up says already that many came.
        if let Some(storm) =
            self.storm.filter(|storm| since(storm.at) < storm.pause.0 && self.up.contains_key(&storm.number))
        {
            self.look_at = Some(Millis(storm.at.0 + storm.pause.0));
            return Vec::new();
        }
        self.show_as_one(now)
    }

    fn show_each(&mut self, now: Millis) -> Vec<Act> {
        self.look_at = None;
        let fresh = std::mem::take(&mut self.fresh);
        self.announced.push_back((now, fresh.len()));
        let one = |new: New| {
            let number = self.number();
            self.up.insert(number, Up { at: now, members: vec![new.clone()] });
            Act::Show(number, Notice::One(new))
        };
        fresh.into_iter().map(one).collect()
    }

    fn show_as_one(&mut self, now: Millis) -> Vec<Act> {
        self.look_at = None;
        let before = self.storm.filter(|storm| self.up.contains_key(&storm.number));
        let part = |number: &Number, up: &Up| {
            now.0.saturating_sub(up.at.0) < WINDOW.0 || before.is_some_and(|storm| storm.number == *number)
        };
        let gone: Vec<_> = self.up.iter().filter(|(number, up)| part(number, up)).map(|(number, _)| *number).collect();
        let mut members: Vec<New> =
            gone.iter().filter_map(|number| self.up.remove(number)).flat_map(|up| up.members).collect();
        self.announced.push_back((now, self.fresh.len()));
        members.append(&mut self.fresh);
        let agents = members.iter().map(|new| &new.agent).collect::<BTreeSet<_>>().len();
        let notice = match &members[..] {
            [only] => Notice::One(only.clone()),
            several => Notice::Many { requests: several.len(), agents },
        };
        let number = self.number();
        let pause = before.map_or(RENEW, |storm| Millis((storm.pause.0 * 2).min(RENEW_LONGEST.0)));
        self.storm = Some(Storm { number, at: now, pause });
        self.up.insert(number, Up { at: now, members });
        gone.into_iter().map(Act::Withdraw).chain([Act::Show(number, notice)]).collect()
    }

    /// The person clicked it: what opens. A click on what isn't ours, or is gone, opens nothing.
    pub fn clicked(&mut self, number: Number) -> Option<Opens> {
        match &self.take(number)?.members[..] {
            [only] => Some(Opens::Request(only.request.clone())),
            _ => Some(Opens::Inbox),
        }
    }

    /// Whether it is announced, as far as anybody knows.
    pub fn is_up(&self, number: Number) -> bool {
        self.up.contains_key(&number)
    }

    /// It isn't there any more: it was put away, or never came. Whether it was one of these.
    pub fn gone(&mut self, number: Number) -> bool {
        self.take(number).is_some()
    }

    /// Whatever showed them is gone, and they with it. Whether there were any.
    pub fn lost(&mut self) -> bool {
        !std::mem::take(&mut self.up).is_empty()
    }

    /// Nothing is to be announced any more.
    pub fn stop(&mut self) -> Vec<Act> {
        self.fresh.clear();
        std::mem::take(&mut self.up).into_keys().map(Act::Withdraw).collect()
    }

    fn take(&mut self, number: Number) -> Option<Up> {
        self.up.remove(&number)
    }
}

#[cfg(test)]
mod tests;
