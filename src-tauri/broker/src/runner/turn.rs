//! Whose turn it is: a few runs at once, of each workspace a share, and what the person wants first.

use super::RunOrder;
use countersign_core::id::{RunId, WorkspaceId};
use countersign_core::limit;
use countersign_core::output::Output;
use countersign_core::run::RunKind;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

/// What waits and what goes on.
#[derive(Default)]
pub(super) struct Turns {
    waiting: VecDeque<RunOrder>,
    going: HashMap<RunId, Going>,
    /// When a workspace had its last turn, counted in turns; of those in which something waits or goes on.
    had: HashMap<WorkspaceId, u64>,
    turns: u64,
}

struct Going {
    /// What no two runs may do at once: one environment of one workspace.
    place: (WorkspaceId, RunKind, String),
    by_person: bool,
    output: Arc<Mutex<Output>>,
}

fn place(order: &RunOrder) -> (WorkspaceId, RunKind, String) {
    (order.workspace, order.kind, order.name.clone())
}

impl Turns {
    /// It waits from now on.
    pub(super) fn wait(&mut self, order: RunOrder) {
        self.waiting.push_back(order);
    }

    /// The person wants it too.
    pub(super) fn prefer(&mut self, id: &RunId) {
        if let Some(order) = self.waiting.iter_mut().find(|order| order.id == *id) {
            order.by_person = true;
        }
    }

    /// It neither waits nor goes on any more.
    pub(super) fn over(&mut self, id: &RunId) {
        self.going.remove(id);
        self.waiting.retain(|order| order.id != *id);
        let (waiting, going) = (&self.waiting, &self.going);
        self.had.retain(|workspace, _| {
            waiting.iter().any(|order| order.workspace == *workspace)
                || going.values().any(|going| going.place.0 == *workspace)
        });
    }

    /// What a run that goes on prints into.
    pub(super) fn output(&self, id: &RunId) -> Option<Arc<Mutex<Output>>> {
        Some(self.going.get(id)?.output.clone())
    }

    /// What has its turn; it goes on from now on.
    pub(super) fn next(&mut self) -> Option<(RunOrder, Arc<Mutex<Output>>)> {
        let at = self.persons().or_else(|| self.agents())?;
        let order = self.waiting.remove(at)?;
        self.turns += 1;
        self.had.insert(order.workspace, self.turns);
        let output = Arc::<Mutex<Output>>::default();
        let going = Going { place: place(&order), by_person: order.by_person, output: output.clone() };
        self.going.insert(order.id.clone(), going);
        Some((order, output))
    }

    /// What the person wants: one of it goes on even when as many go on as may.
    fn persons(&self) -> Option<usize> {
        let going = self.going.len();
        let full = going > limit::RUNS_AT_ONCE
            || going == limit::RUNS_AT_ONCE && self.going.values().any(|going| going.by_person);
        self.waiting.iter().position(|order| !full && order.by_person && self.is_free(order))
    }

    /// What agents want: of the workspace whose turn is longest ago, among those that have not their share already.
    fn agents(&self) -> Option<usize> {
        if self.going.len() >= limit::RUNS_AT_ONCE {
            return None;
        }
        let of = |workspace| self.going.values().filter(|going| !going.by_person && going.place.0 == workspace).count();
        let may = |order: &RunOrder| {
            !order.by_person && of(order.workspace) < limit::RUNS_AT_ONCE_EACH && self.is_free(order)
        };
        let waiting = self.waiting.iter().enumerate().filter(|(_, order)| may(order));
        let at = waiting.min_by_key(|(at, order)| (self.had.get(&order.workspace).copied().unwrap_or(0), *at));
        at.map(|(at, _)| at)
    }

    fn is_free(&self, order: &RunOrder) -> bool {
        order.kind == RunKind::Check || !self.going.values().any(|going| going.place == place(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::digest::Digest;
    use countersign_core::id::SpecId;
    use countersign_core::run::RunCommand;

    fn order(workspace: i64, id: &str, kind: RunKind, by_person: bool) -> RunOrder {
        RunOrder {
            id: RunId(id.into()),
            workspace: WorkspaceId(workspace),
            folder: String::new(),
            kind,
            name: "t".into(),
            spec: SpecId(1),
            command: RunCommand { argv: Vec::new(), dir: ".".into(), env: Vec::new(), timeout_seconds: 1 },
            path_env: String::new(),
            trust: Digest::of_bytes(b""),
            by_person,
        }
    }

    fn check(turns: &mut Turns, workspace: i64, id: &str, by_person: bool) {
        turns.wait(order(workspace, id, RunKind::Check, by_person));
    }

    fn started(turns: &mut Turns) -> Vec<String> {
        std::iter::from_fn(|| turns.next()).map(|(order, _)| order.id.0).collect()
    }

    #[test]
    fn one_workspace_takes_its_share_and_no_more_and_the_others_take_turns() {
        let mut turns = Turns::default();
        for n in 0..20 {
            check(&mut turns, 1, &format!("a{n}"), false);
        }
        assert_eq!(started(&mut turns), ["a0", "a1"]);
        for id in ["b0", "b1"] {
            check(&mut turns, 2, id, false);
        }
        assert_eq!(started(&mut turns), ["b0", "b1"]);
        for id in ["c0", "c1"] {
            check(&mut turns, 3, id, false);
        }
        assert!(started(&mut turns).is_empty());
        // One that never had a turn goes first, then whoever had theirs longest ago.
        turns.over(&RunId("a0".into()));
        assert_eq!(started(&mut turns), ["c0"]);
        turns.over(&RunId("b0".into()));
        assert_eq!(started(&mut turns), ["a2"]);
        turns.over(&RunId("b1".into()));
        assert_eq!(started(&mut turns), ["c1"]);
    }

    #[test]
    fn the_person_has_a_place_when_all_are_taken_and_goes_first() {
        let mut turns = Turns::default();
        for workspace in 1..=2 {
            for n in 0..3 {
                check(&mut turns, workspace, &format!("{workspace}{n}"), false);
            }
        }
        assert_eq!(started(&mut turns).len(), limit::RUNS_AT_ONCE);
        check(&mut turns, 1, "mine", true);
        check(&mut turns, 1, "mine too", true);
        assert_eq!(started(&mut turns), ["mine"]);
        turns.over(&RunId("10".into()));
        assert!(started(&mut turns).is_empty(), "one more than may, still");
        turns.prefer(&RunId("22".into()));
        turns.over(&RunId("mine".into()));
        assert_eq!(
            started(&mut turns),
            ["22"],
            "what waits longest of the person's, and one place is left for it alone"
        );
        turns.over(&RunId("22".into()));
        assert_eq!(started(&mut turns), ["mine too"]);
    }

    #[test]
    fn two_deployments_to_one_environment_do_not_go_on_at_once_whoever_wants_them() {
        let mut turns = Turns::default();
        turns.wait(order(1, "first", RunKind::Deploy, false));
        turns.wait(order(1, "second", RunKind::Deploy, true));
        assert_eq!(started(&mut turns), ["second"]);
        turns.over(&RunId("second".into()));
        assert_eq!(started(&mut turns), ["first"]);
    }
}
