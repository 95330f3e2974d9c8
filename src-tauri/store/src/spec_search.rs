//! Finding specs by their words.
//!
//! Ranking all matches of a common word takes hundreds of milliseconds, so nothing is ranked: those with the words in their
//! title come first, the newest first among each.

use crate::db::{Db, Tx};
use crate::error::StoreError;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::spec::Criterion;
use countersign_core::title::fold;

/// Words of a search that are looked at.
const WORDS: usize = 16;

/// What of a body, and of all criteria together, is looked at, in bytes: a mebibyte of words that are all different would keep the
/// writer busy for a second.
const INDEXED: usize = 64 << 10;

/// A workspace's specs are a range of rows.
const fn row_of(workspace: WorkspaceId, id: u32) -> i64 {
    (workspace.0 << 32) | id as i64
}

/// In the index's own language: each word begins one of the text; a single letter is one of its words, for it begins too many.
fn query(folded: &str, title_only: bool) -> String {
    let one = |word: &str| if word.chars().nth(1).is_some() { format!("\"{word}\"*") } else { format!("\"{word}\"") };
    let words: Vec<String> = folded.split(' ').take(WORDS).map(one).collect();
    let words = words.join(" AND ");
    if title_only { format!("title : ({words})") } else { words }
}

impl Db<'_> {
    /// Specs whose title has words that begin with these, the newest first.
    pub fn specs_titled(&self, workspace: WorkspaceId, words: &str, limit: u32) -> Result<Vec<SpecId>, StoreError> {
        self.matching(workspace, &fold(words), true, limit)
    }

    /// Specs that have words which begin with these, those that have them in their title first.
    pub fn search_specs(&self, workspace: WorkspaceId, words: &str, limit: u32) -> Result<Vec<SpecId>, StoreError> {
        let folded = fold(words);
        let mut found = self.matching(workspace, &folded, true, limit)?;
        if found.len() < limit as usize {
            for id in self.matching(workspace, &folded, false, limit)? {
                if found.len() < limit as usize && !found.contains(&id) {
                    found.push(id);
                }
            }
        }
        Ok(found)
    }

    fn matching(
        &self,
        workspace: WorkspaceId,
        folded: &str,
        title_only: bool,
        limit: u32,
    ) -> Result<Vec<SpecId>, StoreError> {
        if folded.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "SELECT rowid & 4294967295 FROM spec_text
                   WHERE spec_text MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT ?4";
        let range = (row_of(workspace, 0), row_of(workspace, u32::MAX));
        self.all(sql, (query(folded, title_only), range.0, range.1, limit), |row| Ok(SpecId(row.get(0)?)))
    }
}

impl Tx<'_> {
    /// Puts a spec's words into the index, in place of those that were there.
    pub(crate) fn index_spec(
        &self,
        workspace: WorkspaceId,
        id: SpecId,
        title: &str,
        body: &str,
        criteria: &[Criterion],
    ) -> Result<(), StoreError> {
        self.unindex_spec(workspace, id)?;
        let mut words = String::new();
        for criterion in criteria {
            if words.len() >= INDEXED {
                break;
            }
            words.push_str(&fold(&criterion.text));
            words.push(' ');
        }
        self.execute(
            "INSERT INTO spec_text (rowid, title, body, criteria) VALUES (?1, ?2, ?3, ?4)",
            (row_of(workspace, id.0), fold(title), fold(beginning(body)), beginning(&words)),
        )?;
        Ok(())
    }

    /// Takes a spec's words out of the index.
    pub(crate) fn unindex_spec(&self, workspace: WorkspaceId, id: SpecId) -> Result<(), StoreError> {
        self.execute("DELETE FROM spec_text WHERE rowid = ?1", [row_of(workspace, id.0)])?;
        Ok(())
    }
}

/// As much of a text as is looked at.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(INDEXED)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use countersign_core::spec::{NewCriterion, NewSpec};
    use countersign_core::time::Timestamp;

    #[test]
    fn words_are_found_by_their_beginnings_in_titles_first_and_in_one_workspace_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let spec = |title: &str, body: &str, criterion: &str| NewSpec {
            title: title.into(),
            body: body.into(),
            criteria: vec![NewCriterion::plain(criterion)],
        };
        store
            .write(|tx| {
                let here = tx.insert_workspace("/here", Timestamp(0))?.id;
                let there = tx.insert_workspace("/there", Timestamp(0))?.id;
                for new in [
                    spec("Refund reasons", "why money goes back", "lists them"),
                    spec("Política de reembolsos", "refund policy", "muestra el motivo"),
                    spec("Other \"quoted\" AND NOT (x)", "ﬁle", "returns refunds"),
                ] {
                    tx.insert_spec(here, None, &new, None, Timestamp(1))?;
                }
                tx.insert_spec(there, None, &spec("Refunds elsewhere", "", "x"), None, Timestamp(1))?;
                let found = |words: &str| {
                    tx.search_specs(here, words, 20).map(|ids| ids.iter().map(|id| id.0).collect::<Vec<_>>())
                };
                assert_eq!(found("refund")?, [1, 3, 2], "the one in the title first, then the newest");
                assert_eq!(found("REF reas")?, [1]);
                assert_eq!(found("politica motivo")?, [2]);
                assert_eq!(found("file")?, [3]);
                assert_eq!(found("\" OR * NEAR( quoted")?, Vec::<u32>::new(), "signs are no language of ours");
                assert_eq!(found("quoted and not x")?, [3]);
                assert_eq!(found(" !! ")?, Vec::<u32>::new());
                assert_eq!(found("r")?, Vec::<u32>::new(), "a letter alone is a word");
                assert_eq!(found("x")?, [3], "and is found as one");
                let long = spec("Long", &format!("first {} last", "é ".repeat(INDEXED)), "y");
                tx.insert_spec(here, None, &long, None, Timestamp(1))?;
                assert_eq!((found("first")?, found("last")?), (vec![4], Vec::new()), "what is looked at has an end");
                assert_eq!(tx.specs_titled(here, "refund", 20)?, [SpecId(1)]);
                tx.delete_spec(here, SpecId(1))?;
                assert_eq!(tx.search_specs(here, "refund", 20)?, [SpecId(3), SpecId(2)]);
                assert_eq!(tx.search_specs(there, "refund", 20)?, [SpecId(1)]);
                Ok::<_, StoreError>(())
            })
            .expect("writes");
    }
}
