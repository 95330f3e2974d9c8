//! What the dialog window shows: destructive requests and plans, one at a time, in order; and when its dangerous button
//! works. Nothing here draws or decides: the nonce proves that the decision comes from the dialog that showed exactly this.

use countersign_broker::{Detail, Listed, Shown as Seen};
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_core::time::Millis;
use countersign_core::who_may_decide::has_dialog;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long a yes is inert after the dialog appears, moves, gets the focus, or ignored something.
pub const INERT: Millis = Millis(1_000);

/// The dialog, whether its window is open or not.
#[derive(Debug, Default)]
pub struct Dialog(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    shown: Option<Shown>,
    put_off: HashSet<RequestId>,
    /// Sessions whose plan was put off: a newer one in its place does not open by itself either.
    quiet: HashSet<Planner>,
    wanted: Option<RequestId>,
}

/// Whose plans: the agent, the folder, the session.
type Planner = (AgentId, String, u32);

#[derive(Debug)]
struct Shown {
    request: RequestId,
    digest: Digest,
    beside: Beside,
    nonce: Option<String>,
    works_at: Millis,
}

/// What the dialog shows beside the request's content; when it changes, the page looks again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beside {
    /// How many claims the agent made.
    pub claims: u32,
    /// Whose request it is; another session of the same agent may take it over.
    pub session: Option<SessionId>,
    /// The mode that the session is in; for plans.
    pub mode: Option<Mode>,
    /// The mode to which a plan that is run leads.
    pub run_mode: Option<Mode>,
}

impl Beside {
    /// What goes with this request now.
    pub fn of(detail: &Detail) -> Self {
        let is_plan = detail.request.ask.class == Class::Plan;
        Self {
            session: Some(detail.request.session.clone()),
            claims: u32::try_from(detail.request.claims.len()).unwrap_or(u32::MAX),
            mode: is_plan.then_some(detail.standing.mode),
            run_mode: is_plan.then(|| detail.standing.after_plan().mode),
        }
    }

    /// What a yes is over besides the content; none when the session is not known, for then there is nothing to say yes to.
    pub fn seen(self) -> Option<Seen> {
        self.session.map(|session| Seen { session, mode: self.mode, run_mode: self.run_mode })
    }
}

/// Why the dialog's word does not count. Nothing was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Another nonce, one that was used, or other content than what is shown.
    Stale,
    /// Too soon after the dialog appeared, moved, got the focus, or ignored something; it starts anew.
    TooSoon,
}

impl Dialog {
    /// Which request belongs on screen: the one that is there while it is open, then the one the person asked for, then
    /// the oldest that was not put off. None: the window goes.
    pub fn choose(&self, open: &[Listed]) -> Option<RequestId> {
        let mut state = self.lock();
        let pending = |id: &RequestId| open.iter().any(|listed| &listed.row.id == id);
        let plans = || open.iter().filter(|listed| listed.row.class == Class::Plan);
        let newly_quiet: Vec<_> =
            plans().filter(|listed| state.put_off.contains(&listed.row.id)).map(planner).collect();
        state.quiet.extend(newly_quiet);
        state.quiet.retain(|quiet| plans().any(|listed| planner(listed) == *quiet));
        state.put_off.retain(|id| pending(id));
        if let Some(shown) = state.shown.as_ref().filter(|shown| pending(&shown.request)) {
            return Some(shown.request.clone());
        }
        state.shown = None;
        let wanted = state.wanted.clone().filter(pending);
        let waits = |listed: &Listed| {
            state.put_off.contains(&listed.row.id)
                || (listed.row.class == Class::Plan && state.quiet.contains(&planner(listed)))
        };
        let belongs = |listed: &&Listed| has_dialog(listed.row.class) && !waits(listed);
        wanted.or_else(|| open.iter().find(belongs).map(|listed| listed.row.id.clone()))
    }

    /// The person opened this one from the inbox: next, or at once when nothing is shown.
    pub fn want(&self, request: RequestId) {
        let mut state = self.lock();
        state.put_off.remove(&request);
        state.wanted = Some(request);
    }

    /// The window shows this from now on; a nonce of its own goes to it alone, and the one before is void.
    pub fn show(&self, request: RequestId, digest: Digest, beside: Beside, now: Millis) -> String {
        let nonce = nonce();
        let works_at = Millis(now.0 + INERT.0);
        let mut state = self.lock();
        state.wanted.take_if(|wanted| *wanted == request);
        state.shown = Some(Shown { request, digest, beside, nonce: Some(nonce.clone()), works_at });
        nonce
    }

    /// What is shown, with what is beside it.
    pub fn shown(&self) -> Option<(RequestId, Beside)> {
        self.lock().shown.as_ref().map(|shown| (shown.request.clone(), shown.beside.clone()))
    }

    /// It appeared, moved, got the focus, or ignored a key or a click: a yes is inert for a second from now.
    pub fn disturbed(&self, now: Millis) {
        if let Some(shown) = &mut self.lock().shown {
            shown.works_at = Millis(now.0 + INERT.0);
        }
    }

    /// A yes from the dialog. Its nonce is used up, unless it is refused for being too soon.
    pub fn yes(&self, nonce: &str, digest: &Digest, now: Millis) -> Result<RequestId, Refused> {
        let mut state = self.lock();
        let shown = state.fitting(nonce, digest)?;
        if now < shown.works_at {
            shown.works_at = Millis(now.0 + INERT.0);
            return Err(Refused::TooSoon);
        }
        shown.nonce = None;
        Ok(shown.request.clone())
    }

    /// A no, or no answer, from the dialog: safe at any moment.
    pub fn no(&self, nonce: &str, digest: &Digest) -> Result<RequestId, Refused> {
        let mut state = self.lock();
        let shown = state.fitting(nonce, digest)?;
        shown.nonce = None;
        Ok(shown.request.clone())
    }

    /// What it showed is settled.
    pub fn close(&self) {
        self.lock().shown = None;
    }

    /// The person leaves it for later: it stays pending, and is not shown again until they open it.
    pub fn put_off(&self) {
        let mut state = self.lock();
        if let Some(shown) = state.shown.take() {
            state.put_off.insert(shown.request);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn fitting(&mut self, nonce: &str, digest: &Digest) -> Result<&mut Shown, Refused> {
        self.shown
            .as_mut()
            .filter(|shown| shown.nonce.as_deref() == Some(nonce) && &shown.digest == digest)
            .ok_or(Refused::Stale)
    }
}

/// Requests that the main window may not decide have the dialog.
pub fn belongs_in_dialog(listed: &Listed) -> bool {
    has_dialog(listed.row.class)
}

fn planner(listed: &Listed) -> Planner {
    (listed.row.agent_id.clone(), listed.row.workspace.clone(), listed.row.session)
}

fn nonce() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_broker::OpenRow;
    use countersign_core::request::OnExpiry;
    use countersign_core::time::Timestamp;

    fn listed(id: &str, class: Class) -> Listed {
        Listed {
            row: OpenRow {
                id: RequestId(id.into()),
                title: String::new(),
                class,
                tool: String::new(),
                agent_id: AgentId("a".into()),
                agent: String::new(),
                client: String::new(),
                session: 1,
                workspace: String::new(),
                created_at: Timestamp(0),
                expires_at: None,
                on_expiry: OnExpiry::Expire,
                has_draft: false,
                claims: 0,
                todos: 0,
            },
            waiting: false,
        }
    }

    const DIGEST: Digest = Digest([1; 32]);

    fn id(text: &str) -> RequestId {
        RequestId(text.into())
    }

    #[test]
    fn one_at_a_time_in_order_and_only_what_the_main_window_may_not_decide() {
        let dialog = Dialog::default();
        let open = [
            listed("ask", Class::Ask),
            listed("approval", Class::Approval),
            listed("one", Class::Destructive),
            listed("two", Class::Plan),
        ];
        assert_eq!(dialog.choose(&open), Some(id("one")));
        dialog.show(id("one"), DIGEST, Beside::default(), Millis(0));
        assert_eq!(dialog.choose(&open), Some(id("one")), "it stays while it is open");
        assert_eq!(dialog.choose(&open[..2]), None, "settled elsewhere");
        assert_eq!(dialog.choose(&open), Some(id("one")));
        dialog.show(id("one"), DIGEST, Beside::default(), Millis(0));
        dialog.put_off();
        assert_eq!(dialog.choose(&open), Some(id("two")));
        dialog.want(id("one"));
        assert_eq!(dialog.choose(&open), Some(id("one")), "the person opened it");
    }

    #[test]
    fn a_plan_that_took_the_place_of_one_that_was_put_off_waits_till_the_person_opens_it() {
        let dialog = Dialog::default();
        let first = [listed("one", Class::Plan)];
        assert_eq!(dialog.choose(&first), Some(id("one")));
        dialog.show(id("one"), DIGEST, Beside::default(), Millis(0));
        dialog.put_off();
        assert_eq!(dialog.choose(&first), None);
        let newer = [listed("two", Class::Plan)];
        assert_eq!(dialog.choose(&newer), None, "the same session's");
        assert_eq!(dialog.choose(&[listed("three", Class::Plan)]), None);
        dialog.want(id("two"));
        assert_eq!(dialog.choose(&newer), Some(id("two")));
        assert_eq!(dialog.choose(&[]), None);
        assert_eq!(dialog.choose(&[listed("four", Class::Plan)]), Some(id("four")), "nothing of it was left to wait");
    }

    #[test]
    fn a_yes_is_inert_for_a_second_and_again_after_each_disturbance() {
        let dialog = Dialog::default();
        let nonce = dialog.show(id("one"), DIGEST, Beside::default(), Millis(10_000));
        for at in [10_000, 10_500, 11_499] {
            assert_eq!(dialog.yes(&nonce, &DIGEST, Millis(at)), Err(Refused::TooSoon), "{at}");
        }
        assert_eq!(
            dialog.yes(&nonce, &DIGEST, Millis(12_498)),
            Err(Refused::TooSoon),
            "each early one starts the second anew"
        );
        dialog.disturbed(Millis(13_400));
        assert_eq!(dialog.yes(&nonce, &DIGEST, Millis(14_399)), Err(Refused::TooSoon), "it moved");
        assert_eq!(dialog.yes(&nonce, &DIGEST, Millis(15_399)), Ok(id("one")));
        assert_eq!(dialog.yes(&nonce, &DIGEST, Millis(20_000)), Err(Refused::Stale), "once");
    }

    #[test]
    fn only_the_newest_nonce_over_what_is_shown_counts() {
        let dialog = Dialog::default();
        let old = dialog.show(id("one"), DIGEST, Beside::default(), Millis(0));
        let new = dialog.show(id("one"), DIGEST, Beside::default(), Millis(0));
        let late = Millis(9_000);
        assert_eq!(dialog.yes(&old, &DIGEST, late), Err(Refused::Stale));
        assert_eq!(dialog.yes(&new, &Digest([2; 32]), late), Err(Refused::Stale));
        assert_eq!(dialog.yes("", &DIGEST, late), Err(Refused::Stale));
        assert_eq!(dialog.no(&old, &DIGEST), Err(Refused::Stale));
        assert_eq!(dialog.no(&new, &DIGEST), Ok(id("one")), "a no needs no second");
        dialog.show(id("one"), DIGEST, Beside::default(), Millis(0));
        dialog.put_off();
        assert_eq!(dialog.yes(&new, &DIGEST, late), Err(Refused::Stale));
    }
}
