//! All that one run started, wherever it went: by descent from its first process, seen while it goes on.
//!
//! A process is kin when its parent is, or when it is in a group or session that kin made, and stays so when its parent ends. It is
//! known by its number and the time of its start, so that nobody is signalled who only got a number since.

#[cfg(target_os = "linux")]
pub(super) use linux::Kin;
#[cfg(not(target_os = "linux"))]
pub(super) use other::Kin;

#[cfg(target_os = "linux")]
mod linux {
    use super::super::remains::processes;
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use std::collections::{HashMap, HashSet};

    /// Looks at the most until no more of them is found: what is being stopped may just have started another.
    const LOOKS: usize = 20;

    /// What a run's first process started, and itself.
    pub(in super::super) struct Kin {
        leader: i32,
        /// When it started, so that nothing older is kin.
        since: u64,
        /// By their numbers; those that were there at the last look.
        known: HashMap<i32, Stat>,
        /// Groups and sessions that kin made and somebody is in, so that their numbers are nobody else's.
        made: HashSet<i32>,
    }

    /// What `/proc/PID/stat` tells (proc_pid_stat(5)).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Stat {
        parent: i32,
        group: i32,
        session: i32,
        start: u64,
        dead: bool,
    }

    impl Kin {
        /// Of a process that is not reaped before this is dropped.
        pub(in super::super) fn new(leader: Pid) -> Self {
            let leader = leader.as_raw_nonzero().get();
            let since = stat(leader).map_or(0, |stat| stat.start);
            Self { leader, since, known: HashMap::new(), made: HashSet::from([leader]) }
        }

        /// Looks who is there, and how many of them for the first time.
        pub(in super::super) fn look(&mut self) -> usize {
            let all: HashMap<i32, Stat> = processes().filter_map(|pid| Some((pid, stat(pid)?))).collect();
            self.follow(&all)
        }

        fn follow(&mut self, all: &HashMap<i32, Stat>) -> usize {
            let before = std::mem::take(&mut self.known);
            let mut known: HashMap<i32, Stat> = before.keys().filter_map(|pid| Some((*pid, *all.get(pid)?))).collect();
            known.retain(|pid, stat| before.get(pid).is_some_and(|then| then.start == stat.start));
            if let Some(leader) = all.get(&self.leader) {
                known.insert(self.leader, *leader);
            }
            loop {
                // Nobody's number is his own group's or session's unless he made it.
                self.made.extend(
                    known
                        .iter()
                        .filter(|(pid, stat)| stat.group == **pid || stat.session == **pid)
                        .map(|(pid, _)| *pid),
                );
                let kin = |stat: &Stat| {
                    known.contains_key(&stat.parent)
                        || self.made.contains(&stat.group)
                        || self.made.contains(&stat.session)
                };
                let more: Vec<_> = all
                    .iter()
                    .filter(|(pid, stat)| stat.start >= self.since && !known.contains_key(pid) && kin(stat))
                    .map(|(pid, stat)| (*pid, *stat))
                    .collect();
                if more.is_empty() {
                    break;
                }
                known.extend(more);
            }
            let leader = self.leader;
            self.made
                .retain(|made| *made == leader || known.values().any(|stat| [stat.group, stat.session].contains(made)));
            self.known = known;
            self.known.keys().filter(|pid| !before.contains_key(pid)).count()
        }

        /// Whether any of them lives, as of the last look.
        pub(in super::super) fn live(&self) -> bool {
            self.known.values().any(|stat| !stat.dead)
        }

        /// Asks those of them to end that are not in the run's own group, which is asked as one.
        pub(in super::super) fn ask(&self) {
            for (pid, then) in self.known.iter().filter(|(_, stat)| stat.group != self.leader) {
                send(*pid, then, Signal::TERM);
            }
        }

        /// Ends them all. They are stopped first, so that none starts another while it is looked for.
        pub(in super::super) fn end(&mut self) {
            for _ in 0..LOOKS {
                let more = self.look();
                for (pid, then) in &self.known {
                    send(*pid, then, Signal::STOP);
                }
                if more == 0 {
                    break;
                }
            }
            for (pid, then) in &self.known {
                send(*pid, then, Signal::KILL);
            }
        }
    }

    fn send(pid: i32, then: &Stat, signal: Signal) {
        if then.dead {
            return;
        }
        // Held before it is looked at: what is signalled is what was looked at.
        let Some(held) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else { return };
        if stat(pid).is_some_and(|now| now.start == then.start) {
            // One that ended meanwhile needs none.
            let _ = pidfd_send_signal(&held, signal);
        }
    }

    fn stat(pid: i32) -> Option<Stat> {
        parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The name may hold anything, so it is read from its last parenthesis on: fields 3 to 6, and 22.
    fn parse(stat: &str) -> Option<Stat> {
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let dead = matches!(fields.next()?, "Z" | "X");
        let [parent, group, session] = [fields.next()?, fields.next()?, fields.next()?];
        let start = fields.nth(15)?.parse().ok()?;
        Some(Stat {
            parent: parent.parse().ok()?,
            group: group.parse().ok()?,
            session: session.parse().ok()?,
            start,
            dead,
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn at(parent: i32, group: i32, session: i32, start: u64) -> Stat {
            Stat { parent, group, session, start, dead: false }
        }

        #[test]
        fn this_process_is_read_as_it_is_and_whatever_it_calls_itself() {
            let me = i32::try_from(std::process::id()).expect("a number");
            let stat = stat(me).expect("there");
            assert!(!stat.dead && stat.start > 0 && stat.parent > 0, "{stat:?}");
            let line = "7 (a) Z (b) S 1 2 3 0 -1 5 6 7 8 9 10 11 12 13 14 15 16 17 1234 9";
            assert_eq!(parse(line), Some(at(1, 2, 3, 1234)));
            assert_eq!(parse("7 (a"), None);
        }

        #[test]
        fn kin_is_by_descent_group_and_session_and_stays_so_when_its_parent_is_gone() {
            let mut kin = Kin { leader: 10, since: 100, known: HashMap::new(), made: HashSet::from([10]) };
            let mut all = HashMap::from([
                (1, at(0, 1, 1, 1)),
                (5, at(1, 5, 5, 50)),
                (10, at(5, 10, 5, 100)),
                (11, at(10, 11, 11, 101)),
                (12, at(11, 11, 11, 102)),
                // Of the same session as the app, and older or not of the run.
                (13, at(5, 13, 5, 103)),
                // In the group of the leader, whose parent was gone before anybody looked.
                (14, at(1, 10, 5, 104)),
            ]);
            assert_eq!(kin.follow(&all), 4);
            let mut pids: Vec<_> = kin.known.keys().copied().collect();
            pids.sort_unstable();
            assert_eq!(pids, [10, 11, 12, 14]);
            // The parent goes; what it started stays known, and so does what that starts in its session.
            all.remove(&11);
            all.insert(12, at(1, 11, 11, 102));
            all.insert(15, at(1, 11, 11, 105));
            assert_eq!(kin.follow(&all), 1);
            assert!(kin.known.contains_key(&12) && kin.known.contains_key(&15));
            // Another that got the number of one that is gone is none.
            all.insert(14, at(1, 14, 14, 999));
            kin.follow(&all);
            assert!(!kin.known.contains_key(&14));
        }
    }
}

/// Where processes can't be looked at, a run's group is all that is known of it.
#[cfg(not(target_os = "linux"))]
mod other {
    pub(in super::super) struct Kin;

    impl Kin {
        pub(in super::super) fn new(_: rustix::process::Pid) -> Self {
            Self
        }
        pub(in super::super) fn look(&mut self) -> usize {
            0
        }
        pub(in super::super) fn live(&self) -> bool {
            false
        }
        pub(in super::super) fn ask(&self) {}
        pub(in super::super) fn end(&mut self) {}
    }
}
