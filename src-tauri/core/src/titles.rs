//! Near-duplicate titles of one workspace: which specs are called nearly as a new one would be.
//!
//! Held in memory and built at start. A title's words are cut into groups of three letters (trigrams); the rarest of a
//! new title's groups lead to few candidates, and only those are compared word by word (`alike.rs`). What is alike is
//! decided there, by rules with a table beside them; this file only finds the candidates fast.

mod alike;

use crate::id::SpecId;
pub use alike::ALIKE;
use alike::Shape;
pub(crate) use alike::{is_little, slip};
use std::collections::HashMap;

/// Of a title's trigrams the rarest are looked up.
const RAREST: usize = 12;
/// So many candidates are compared at most, those with the most trigrams in common first.
const COMPARED: usize = 2_000;

/// A title that is nearly the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near {
    /// Whose.
    pub id: SpecId,
    /// How alike, in percent: 100 is the same but for case, accents, signs and the order of words; at least [`ALIKE`].
    pub alike: u8,
}

/// The titles of one workspace.
#[derive(Debug, Clone, Default)]
pub struct TitleIndex {
    /// Titles by slot; a slot that is free is used again.
    slots: Vec<Option<(SpecId, Shape)>>,
    free: Vec<u32>,
    of: HashMap<SpecId, u32>,
    /// The slots of the titles in which a trigram occurs.
    grams: HashMap<u64, Vec<u32>>,
}

impl TitleIndex {
    /// An index without titles.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many titles there are.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Adds a spec's title, in place of the one it had.
    pub fn insert(&mut self, id: SpecId, title: &str) {
        self.remove(id);
        let shape = Shape::of(title);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("BUG: more titles than spec numbers")
        });
        for gram in shape.grams() {
            self.grams.entry(gram).or_default().push(slot);
        }
        self.of.insert(id, slot);
        self.slots[slot as usize] = Some((id, shape));
    }

    /// Takes a spec's title out; whether there was one.
    pub fn remove(&mut self, id: SpecId) -> bool {
        let Some(slot) = self.of.remove(&id) else { return false };
        let Some((_, shape)) = self.slots[slot as usize].take() else { return false };
        for gram in shape.grams() {
            if let Some(slots) = self.grams.get_mut(&gram) {
                if let Some(at) = slots.iter().position(|other| *other == slot) {
                    slots.swap_remove(at);
                }
                if slots.is_empty() {
                    self.grams.remove(&gram);
                }
            }
        }
        self.free.push(slot);
        true
    }

    /// The titles that are alike, the most alike first and the older spec first among equals; at most so many.
    pub fn nearest(&self, title: &str, at_most: usize) -> Vec<Near> {
        let shape = Shape::of(title);
        let near = |slot: u32| {
            let (id, other) = self.slots[slot as usize].as_ref()?;
            Some(Near { id: *id, alike: shape.alike(other)? })
        };
        let mut found: Vec<Near> = self.candidates(&shape).into_iter().filter_map(near).collect();
        found.sort_unstable_by_key(|near| (std::cmp::Reverse(near.alike), near.id));
        found.truncate(at_most);
        found
    }

    /// Slots that share enough of the title's rarest trigrams, and could be alike by their length and numbers.
    fn candidates(&self, shape: &Shape) -> Vec<u32> {
        let mut lists: Vec<&Vec<u32>> = shape.grams().into_iter().filter_map(|gram| self.grams.get(&gram)).collect();
        lists.sort_by_key(|slots| slots.len());
        lists.truncate(RAREST);
        // A typo spoils three or four trigrams, so that of a short title few are left.
        let enough = match lists.len() {
            0..=5 => 1,
            6..=8 => 2,
            _ => 3,
        };
        let mut hits = vec![0_u8; self.slots.len()];
        let mut by_hits: Vec<Vec<u32>> = vec![Vec::new(); RAREST + 1];
        for slot in lists.iter().copied().flatten() {
            hits[*slot as usize] += 1;
            if hits[*slot as usize] == enough {
                by_hits[0].push(*slot);
            }
        }
        let could = |slot: &u32| self.slots[*slot as usize].as_ref().is_some_and(|(_, other)| shape.could_be(other));
        let mut reached = std::mem::take(&mut by_hits[0]);
        reached.retain(could);
        reached.sort_unstable();
        for slot in reached {
            by_hits[usize::from(hits[slot as usize])].push(slot);
        }
        by_hits.into_iter().rev().flatten().take(COMPARED).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn index(titles: &[&str]) -> TitleIndex {
        let mut index = TitleIndex::new();
        for (n, title) in titles.iter().enumerate() {
            index.insert(SpecId(n as u32 + 1), title);
        }
        index
    }

    fn found(index: &TitleIndex, title: &str) -> Vec<(u32, u8)> {
        index.nearest(title, 5).into_iter().map(|near| (near.id.0, near.alike)).collect()
    }

    #[test]
    fn the_most_alike_comes_first_and_no_more_than_wanted() {
        let index = index(&["Webhook retries", "Login page", "Webhook retires", "Retry webhooks", "webhook RETRIES"]);
        assert_eq!(index.len(), 5);
        assert_eq!(found(&index, "Webhook retries").iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 5, 4, 3]);
        assert_eq!(found(&index, "Webhook retries")[..2], [(1, 100), (5, 100)]);
        assert_eq!(index.nearest("Webhook retries", 1).len(), 1);
        assert_eq!(found(&index, "Logout page"), []);
        assert_eq!(index.nearest("Webhook retries", 0), []);
    }

    #[test]
    fn a_title_is_replaced_and_removed() {
        let mut index = index(&["Webhook retries", "Login page"]);
        index.insert(SpecId(1), "Refund policy");
        assert_eq!(index.len(), 2);
        assert_eq!(found(&index, "Webhook retries"), []);
        assert_eq!(found(&index, "refund policy"), [(1, 100)]);
        assert!(index.remove(SpecId(1)));
        assert!(!index.remove(SpecId(1)));
        index.insert(SpecId(9), "Webhook retries");
        assert_eq!(found(&index, "Webhook retries"), [(9, 100)], "a slot that is used again");
        assert!(index.remove(SpecId(9)) && index.remove(SpecId(2)));
        assert!(index.is_empty() && index.grams.is_empty(), "nothing stays behind");
    }

    #[test]
    fn a_title_of_signs_alone_is_itself() {
        let index = index(&["!!!", "???", "¿?", "🚀🚀"]);
        for (title, id) in [("!!!", 1), ("???", 2), ("¿?", 3), (" 🚀🚀 ", 4)] {
            assert_eq!(found(&index, title), [(id, 100)], "{title}");
        }
        assert_eq!(found(&index, "!!"), []);
        assert_eq!(found(&index, "🚀"), []);
    }

    #[test]
    fn among_many_titles_the_near_one_is_found_by_one_or_two_edits() {
        let subjects = ["billing", "webhook", "refund", "session", "invoice", "search", "export", "profile"];
        let things = ["retries", "policy", "signature", "limits", "history", "filters", "approval", "migration"];
        let places = ["dashboard", "gateway", "warehouse", "mobile client", "admin console", "partner portal"];
        let mut titles = Vec::new();
        for a in subjects {
            for b in things {
                for c in places {
                    titles.push(format!("{a} {b} of the {c}"));
                }
            }
        }
        let all: Vec<&str> = titles.iter().map(String::as_str).collect();
        let index = index(&all);
        for (n, title) in titles.iter().enumerate() {
            let mut chars: Vec<char> = title.chars().collect();
            let at = 1 + n % 5;
            chars.swap(at, at + 1);
            let last = chars.len() - 2;
            chars.remove(last);
            let edited: String = chars.into_iter().collect();
            assert!(found(&index, &edited).iter().any(|(id, _)| *id == n as u32 + 1), "{edited:?} for {title:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_a_title_is_it_is_found_again(titles in prop::collection::vec("\\PC{1,40}|[a-d ]{1,9}", 1..20)) {
            let titles: Vec<&str> = titles.iter().map(String::as_str).filter(|title| !title.trim().is_empty()).collect();
            let mut index = index(&titles);
            for (n, title) in titles.iter().enumerate() {
                let near = index.nearest(title, titles.len());
                let it = near.iter().find(|near| near.id == SpecId(n as u32 + 1));
                prop_assert_eq!(it.map(|near| near.alike), Some(100), "{:?}", title);
                let same = |near: &Near| crate::title::fingerprint(titles[near.id.0 as usize - 1]) == crate::title::fingerprint(title);
                prop_assert!(near.iter().all(|near| (near.alike == 100) == same(near) && near.alike >= ALIKE));
            }
            for n in 0..titles.len() {
                index.remove(SpecId(n as u32 + 1));
            }
            prop_assert!(index.grams.is_empty());
        }
    }
}
