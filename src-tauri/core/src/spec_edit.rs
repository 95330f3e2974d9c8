//! Changing a spec's content: what comes of an edit, and what it takes away from what was agreed.

use crate::limit;
use crate::spec::{self, By, Criterion, CriterionState, NewCriterion, Spec, SpecError};
use crate::title::fold;
use serde::Serialize;
use std::collections::HashSet;

/// What is to change of a spec; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Edit {
    /// One line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// All criteria, in order. One with an `id`, or with the text of one that is there, is that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Vec<NewCriterion>>,
    /// The revision that the edit was made over; another one is a conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_revision: Option<u32>,
}

/// A spec's content after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// One line.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// All criteria. What was reworded is unmet again: its evidence was for other words.
    pub criteria: Vec<Criterion>,
    /// The number of the next new criterion; none is used twice.
    pub next_criterion: u32,
    /// Whether anything changed.
    pub changed: bool,
    /// Unmet criteria that are gone.
    pub dropped: Vec<Criterion>,
    /// Unmet criteria that were reworded or lost their check, each with its new text. Whether new words ask for less can't be
    /// told by rule, so all of them count.
    pub weakened: Vec<(Criterion, String)>,
}

impl Edit {
    /// Checks its texts.
    pub fn check(&self) -> Result<(), SpecError> {
        if let Some(title) = &self.title {
            limit::check_line("title", title, limit::TITLE_CHARS)?;
        }
        if let Some(body) = &self.body {
            limit::check_body("body", body)?;
        }
        spec::check_criteria(self.criteria.as_deref().unwrap_or_default())
    }

    /// What comes of it over this spec.
    pub fn apply(&self, spec: &Spec, next_criterion: u32) -> Result<Edited, SpecError> {
        self.check()?;
        if let Some(base) = self.base_revision.filter(|base| *base != spec.row.revision) {
            return Err(SpecError::Conflict { base, now: spec.row.revision });
        }
        let title = self.title.clone().unwrap_or_else(|| spec.row.title.clone());
        let body = self.body.clone().unwrap_or_else(|| spec.body.clone());
        let mut edited = Edited {
            changed: title != spec.row.title || body != spec.body,
            title,
            body,
            criteria: spec.criteria.clone(),
            next_criterion,
            dropped: Vec::new(),
            weakened: Vec::new(),
        };
        if let Some(wanted) = &self.criteria {
            edited.take_criteria(spec, wanted)?;
        }
        if edited.changed {
            edited.forget_checks();
        }
        Ok(edited)
    }
}

impl Edited {
    fn take_criteria(&mut self, spec: &Spec, wanted: &[NewCriterion]) -> Result<(), SpecError> {
        let mut used: HashSet<&str> = HashSet::new();
        for id in wanted.iter().filter_map(|criterion| criterion.id.as_deref()) {
            let there = spec.criterion(id)?;
            if !used.insert(&there.id) {
                return Err(SpecError::Twice { id: there.id.clone() });
            }
        }
        let mut criteria = Vec::with_capacity(wanted.len());
        for new in wanted {
            let before = match &new.id {
                Some(id) => Some(spec.criterion(id)?),
                None => spec.criteria.iter().find(|c| c.text == new.text && !used.contains(c.id.as_str())),
            };
            match before {
                Some(before) => {
                    used.insert(&before.id);
                    criteria.push(self.kept(before, new));
                }
                None => criteria.push(self.added(new)),
            }
        }
        self.dropped = spec.unmet().into_iter().filter(|c| !used.contains(c.id.as_str())).cloned().collect();
        self.changed |= criteria != spec.criteria;
        self.criteria = criteria;
        Ok(())
    }

    /// A check's word is over one revision: over the next it has none yet.
    fn forget_checks(&mut self) {
        for criterion in self.criteria.iter_mut().filter(|c| c.check.is_some() && c.state == CriterionState::Met) {
            criterion.state = CriterionState::Unmet;
            criterion.evidence.take_if(|evidence| matches!(evidence.by, By::Check { .. }));
        }
    }

    fn kept(&mut self, before: &Criterion, new: &NewCriterion) -> Criterion {
        // Without an id it was found by its text alone, and keeps its check unless another one is named.
        let check = if new.id.is_none() && new.check.is_none() { before.check.clone() } else { new.check.clone() };
        let reworded = fold(&before.text) != fold(&new.text);
        if reworded || (before.check.is_some() && before.check != check) {
            if !before.state.counts() {
                self.weakened.push((before.clone(), new.text.clone()));
            }
            return Criterion {
                id: before.id.clone(),
                text: new.text.clone(),
                state: CriterionState::Unmet,
                check,
                evidence: None,
            };
        }
        Criterion { text: new.text.clone(), check, ..before.clone() }
    }

    fn added(&mut self, new: &NewCriterion) -> Criterion {
        let id = format!("AC-{}", self.next_criterion);
        self.next_criterion += 1;
        Criterion { id, text: new.text.clone(), state: CriterionState::Unmet, check: new.check.clone(), evidence: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::SpecId;
    use crate::spec::{Evidence, SpecRow, Status};
    use crate::time::Timestamp;
    use expect_test::{Expect, expect};

    fn spec() -> Spec {
        let criterion = |id: &str, text: &str, state, check: Option<&str>| Criterion {
            id: id.into(),
            text: text.into(),
            state,
            check: check.map(Into::into),
            evidence: None,
        };
        Spec {
            row: SpecRow {
                id: SpecId(1),
                title: "T".into(),
                status: Status::Approved,
                revision: 3,
                locked: false,
                met: 2,
                total: 4,
            },
            body: "B".into(),
            criteria: vec![
                criterion("AC-1", "returns 200", CriterionState::Met, None),
                criterion("AC-2", "p99 under 5 ms", CriterionState::Unmet, Some("bench")),
                criterion("AC-3", "shows a toast", CriterionState::Unmet, None),
                criterion("AC-4", "logs it", CriterionState::Waived, None),
            ],
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
        }
    }

    fn check(criteria: &str, want: Expect) {
        let criteria = serde_json::from_str(criteria).expect("criteria");
        let edit = Edit { criteria: Some(criteria), ..Edit::default() };
        let said = match edit.apply(&spec(), 7) {
            Ok(edited) => {
                let one = |c: &Criterion| {
                    format!("{} {} {:?} {}", c.id, c.state.word(), c.text, c.check.as_deref().unwrap_or("-"))
                };
                let mut lines: Vec<String> = edited.criteria.iter().map(one).collect();
                lines.push(format!("changed: {}, next: {}", edited.changed, edited.next_criterion));
                lines.extend(edited.dropped.iter().map(|c| format!("dropped {}", c.id)));
                lines.extend(edited.weakened.iter().map(|(c, now)| format!("weakened {}: {now}", c.id)));
                lines.join("\n")
            }
            Err(error) => error.to_string(),
        };
        want.assert_eq(&said);
    }

    #[test]
    fn criteria_are_found_again_by_id_or_by_their_text() {
        check(
            r#"["returns 200", "p99 under 5 ms", "shows a toast", "logs it"]"#,
            expect![[r#"
                AC-1 met "returns 200" -
                AC-2 unmet "p99 under 5 ms" bench
                AC-3 unmet "shows a toast" -
                AC-4 waived "logs it" -
                changed: false, next: 7"#]],
        );
        check(
            r#"["new one", {"id": "ac-1", "text": "returns 204"}, "p99 under 5 ms"]"#,
            expect![[r#"
                AC-7 unmet "new one" -
                AC-1 unmet "returns 204" -
                AC-2 unmet "p99 under 5 ms" bench
                changed: true, next: 8
                dropped AC-3"#]],
        );
    }

    #[test]
    fn what_asks_for_less_is_named() {
        check(
            r#"[{"id": "AC-2", "text": "p99 under 50 ms", "check": "bench"}, {"id": "AC-3", "text": "Shows a toast."}]"#,
            expect![[r#"
                AC-2 unmet "p99 under 50 ms" bench
                AC-3 unmet "Shows a toast." -
                changed: true, next: 7
                weakened AC-2: p99 under 50 ms"#]],
        );
        check(
            r#"["returns 200", {"id": "AC-2", "text": "p99 under 5 ms"}, {"id": "AC-3", "text": "shows a toast", "check": "ui"}]"#,
            expect![[r#"
                AC-1 met "returns 200" -
                AC-2 unmet "p99 under 5 ms" -
                AC-3 unmet "shows a toast" ui
                changed: true, next: 7
                weakened AC-2: p99 under 5 ms"#]],
        );
        check(
            "[]",
            expect![[r#"
                changed: true, next: 7
                dropped AC-2
                dropped AC-3"#]],
        );
    }

    #[test]
    fn mistakes_say_what_there_is() {
        check(
            r#"[{"id": "AC-9", "text": "x"}]"#,
            expect!["there is no criterion `AC-9` in this spec; it has AC-1, AC-2, AC-3, AC-4"],
        );
        check(
            r#"[{"id": "AC-1", "text": "x"}, {"id": "ac-1", "text": "y"}]"#,
            expect!["`criteria` names AC-1 twice; each id once"],
        );
        check(r#"[" "]"#, expect!["`criteria[0].text` is empty; give 1 to 5000 characters"]);
        let stale = Edit { base_revision: Some(2), ..Edit::default() };
        assert_eq!(stale.apply(&spec(), 7), Err(SpecError::Conflict { base: 2, now: 3 }));
        let none = Edit { title: Some("T".into()), base_revision: Some(3), ..Edit::default() };
        assert_eq!(none.apply(&spec(), 7).map(|edited| edited.changed), Ok(false));
    }

    #[test]
    fn what_a_check_found_holds_for_one_revision() {
        let mut checked = spec();
        checked.criteria[1].state = CriterionState::Met;
        let by = By::Check { name: "bench".into() };
        checked.criteria[1].evidence = Some(Evidence { text: "passed".into(), met: true, by, at: Timestamp(1) });
        let edit = Edit { body: Some("other".into()), ..Edit::default() };
        let edited = edit.apply(&checked, 5).expect("it fits");
        assert_eq!((edited.criteria[1].state, edited.criteria[1].evidence.clone()), (CriterionState::Unmet, None));
        assert_eq!(edited.criteria[0].state, CriterionState::Met);
        // And a criterion that is given a check goes by that from then on.
        let with_check =
            NewCriterion { id: Some("AC-1".into()), text: "returns 200".into(), check: Some("unit".into()) };
        let edited = Edit { criteria: Some(vec![with_check]), ..Edit::default() }.apply(&spec(), 5).expect("it fits");
        assert_eq!(edited.criteria[0].state, CriterionState::Unmet);
    }

    #[test]
    fn two_criteria_of_one_text_stay_two() {
        let mut twins = spec();
        twins.criteria[2].text = "returns 200".into();
        let edit = Edit {
            criteria: Some(vec![NewCriterion::plain("returns 200"), NewCriterion::plain("returns 200")]),
            ..Edit::default()
        };
        let edited = edit.apply(&twins, 5).expect("it fits");
        let ids: Vec<_> = edited.criteria.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["AC-1", "AC-3"]);
    }
}
