//! Which spec a name means: an id, or words of its title.

use crate::error::BrokerError;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::limit;
use countersign_core::spec::SpecRow;
use countersign_core::title::Term;
use countersign_store::Db;

/// Specs that are looked at for one term: more than a question can offer.
const FOUND: u32 = 200;

/// Which specs a name means.
pub(crate) enum Named {
    /// This one.
    One(SpecRow),
    /// Any of these.
    Several(Vec<SpecRow>),
}

/// The specs that a name means: one by its id, or those whose titles answer to a term.
pub(crate) fn named(db: Db<'_>, workspace: WorkspaceId, term: &str) -> Result<Named, BrokerError> {
    // Before anything that takes time or repeats it: one agent's term is read while all others wait.
    limit::check_line("spec", term, limit::TITLE_CHARS).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let none = |what: String| {
        Err(BrokerError::NotFound(format!("{what}; list_specs shows what there is, and search_specs looks inside")))
    };
    if let Some(id) = SpecId::parse(term) {
        return match db.spec_row(workspace, id)? {
            Some(spec) => Ok(Named::One(spec)),
            None => none(format!("there is no {id} in this workspace")),
        };
    }
    let wanted = Term::new(term);
    let mut found = Vec::new();
    for id in db.specs_titled(workspace, term, FOUND)? {
        found.extend(db.spec_row(workspace, id)?.filter(|row| wanted.finds(&row.title)));
    }
    found.sort_by_key(|row| row.id);
    match found.len() {
        0 => none(format!("no spec of this workspace answers to “{term}”")),
        1 => Ok(Named::One(found.remove(0))),
        _ => Ok(Named::Several(found)),
    }
}
