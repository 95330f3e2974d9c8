//! The handle's part for specs: what agents and the person read and do.

use crate::agents::Caller;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::message::Message;
use crate::person::Person;
use crate::specs::{self, Acted, Created, Gated, Import, Imported, Named, Readied, Seen, Stored};
use countersign_core::gate;
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::import::{self, Planned};
use countersign_core::limit;
use countersign_core::spec::{NewSpec, Spec, SpecRow, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_file::SpecFile;
use countersign_core::workspace::WorkspaceRules;
use countersign_store::{Db, SpecPage, Workspace};
use serde_json::{Map, Value};

impl Broker {
    /// An agent makes a spec.
    pub async fn create_spec(
        &self,
        caller: &Caller,
        spec: NewSpec,
        answers: Map<String, Value>,
    ) -> Result<Gated<Created>, BrokerError> {
        self.titles(caller.workspace).await?;
        self.send(|reply| Message::CreateSpec { caller: caller.clone(), spec, answers, reply }).await
    }

    /// An agent does something to a spec, which it names by its id or by words of its title.
    pub async fn act_on_spec(
        &self,
        caller: &Caller,
        term: &str,
        act: SpecAct,
        answers: Map<String, Value>,
    ) -> Result<Gated<Acted>, BrokerError> {
        // Only a validation starts something, and only of a spec that names checks.
        let folder = match act {
            SpecAct::Validate if self.names_checks(caller.workspace, term)? => {
                Some(Box::new(self.folder(caller.workspace, &caller.workspace_path).await?))
            }
            _ => None,
        };
        let readied = match act {
            SpecAct::Move(Status::Approved) => self.readiness(caller.workspace, term).await?,
            _ => None,
        };
        let (caller, term, seen) = (caller.clone(), term.to_owned(), Box::new(Seen { folder, readied }));
        self.send(|reply| Message::ActOnSpec { caller, term, act, answers, seen, reply }).await
    }

    /// Has a workspace's titles read, where waiting harms nobody.
    async fn titles(&self, workspace: WorkspaceId) -> Result<(), BrokerError> {
        if self.inner.titles.is_ready(workspace) {
            return Ok(());
        }
        let broker = self.clone();
        let read = move || broker.read(|db| Ok(broker.inner.titles.read(db, workspace)?));
        tokio::task::spawn_blocking(read).await.map_err(|_| BrokerError::Stopped)?
    }

    /// How fit a spec's criteria are, looked at where waiting harms nobody: a thousand long ones take a while.
    async fn readiness(&self, workspace: WorkspaceId, term: &str) -> Result<Option<Readied>, BrokerError> {
        let (broker, term) = (self.clone(), term.to_owned());
        let look = move || {
            broker.read(|db| {
                let Named::One(row) = specs::named(db, workspace, &term)? else { return Ok(None) };
                let spec = db.spec(workspace, row.id)?;
                Ok(spec.map(|spec| Readied { spec: row.id, revision: spec.row.revision, verdicts: spec.readiness() }))
            })
        };
        tokio::task::spawn_blocking(look).await.map_err(|_| BrokerError::Stopped)?
    }

    fn names_checks(&self, workspace: WorkspaceId, term: &str) -> Result<bool, BrokerError> {
        self.read(|db| {
            let found = match specs::named(db, workspace, term)? {
                Named::One(row) => vec![row],
                Named::Several(rows) => rows,
            };
            for row in found {
                let spec = db.spec(workspace, row.id)?;
                if spec.is_some_and(|spec| spec.criteria.iter().any(|criterion| criterion.check.is_some())) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// A whole spec. When several answer to the term, asks which; the answer comes back with the next call.
    pub async fn get_spec(
        &self,
        caller: &Caller,
        term: &str,
        answers: Map<String, Value>,
    ) -> Result<Gated<Spec>, BrokerError> {
        self.read(|db| {
            let row = match specs::named(db, caller.workspace, term)? {
                Named::One(row) => row,
                Named::Several(found) => {
                    let chosen = answers.get("choose-spec").and_then(Value::as_str).and_then(gate::chosen_spec);
                    match found.iter().find(|row| Some(row.id) == chosen) {
                        Some(row) => row.clone(),
                        None => {
                            let questions = vec![gate::choose_spec(term, &found).question];
                            return Ok(Gated::Asks { questions, request: None, note: None, relays: false });
                        }
                    }
                }
            };
            let spec = db.spec(caller.workspace, row.id)?;
            let gone = || BrokerError::NotFound(format!("{} is gone", row.id));
            Ok(Gated::Done { value: spec.ok_or_else(gone)?, took: Map::new() })
        })
    }

    /// A page of a workspace's specs.
    pub fn list_specs(&self, workspace: WorkspaceId, page: SpecPage) -> Result<Vec<SpecRow>, BrokerError> {
        self.read(|db| Ok(db.specs(workspace, page)?))
    }

    /// Specs that have these words, those in whose title they are first.
    pub fn search_specs(&self, workspace: WorkspaceId, words: &str, limit: u32) -> Result<Vec<SpecRow>, BrokerError> {
        limit::check_line("query", words, limit::TITLE_CHARS)
            .map_err(|error| BrokerError::Invalid(error.to_string()))?;
        self.read(|db| rows(db, workspace, db.search_specs(workspace, words, limit)?))
    }

    /// Specs whose titles are nearly this one, with how much in percent. The first look at a large workspace takes a while.
    pub fn near_titles(&self, workspace: WorkspaceId, title: &str) -> Result<Vec<(SpecRow, u8)>, BrokerError> {
        limit::check_line("title", title, limit::TITLE_CHARS)
            .map_err(|error| BrokerError::Invalid(error.to_string()))?;
        self.read(|db| {
            self.inner.titles.read(db, workspace)?;
            let mut found = Vec::new();
            for near in self.inner.titles.nearest(workspace, title, 5) {
                found.extend(db.spec_row(workspace, near.id)?.map(|row| (row, near.alike)));
            }
            Ok(found)
        })
    }

    /// The person makes a spec.
    pub async fn make_spec(
        &self,
        person: Person,
        workspace: WorkspaceId,
        spec: NewSpec,
    ) -> Result<SpecRow, BrokerError> {
        self.send(|reply| Message::MakeSpec { person, workspace, spec, reply }).await
    }

    /// The person does something to a spec: their own act, which no gate asks about.
    pub async fn do_to_spec(
        &self,
        person: Person,
        workspace: WorkspaceId,
        id: SpecId,
        act: SpecAct,
    ) -> Result<Acted, BrokerError> {
        self.send(|reply| Message::DoToSpec { person, workspace, id, act, reply }).await
    }

    /// What an import would do.
    pub fn plan_import(&self, workspace: WorkspaceId, import: &Import) -> Result<Vec<Planned>, BrokerError> {
        import.check()?;
        self.read(|db| Ok(import::plan(&import.incoming, import.existing, &Stored(db, workspace))?))
    }

    /// Specs as files have them: these, or all of the workspace. One that isn't there is an error.
    pub fn export_specs(
        &self,
        workspace: WorkspaceId,
        wanted: Option<&[String]>,
    ) -> Result<Vec<SpecFile>, BrokerError> {
        self.read(|db| {
            let ids = match wanted {
                None => {
                    let page = SpecPage { limit: u32::MAX, ..SpecPage::default() };
                    db.specs(workspace, page)?.into_iter().map(|row| row.id).collect()
                }
                Some(wanted) => wanted.iter().map(|text| id_of(text)).collect::<Result<Vec<_>, _>>()?,
            };
            let missing = |id: SpecId| BrokerError::NotFound(format!("there is no {id} in this workspace"));
            ids.into_iter()
                .map(|id| Ok(import::file_of(&db.spec(workspace, id)?.ok_or_else(|| missing(id))?)))
                .collect()
        })
    }

    /// An agent brings specs in: all that can come in, or nothing where a gate is shut.
    pub async fn import_specs(
        &self,
        caller: &Caller,
        import: Import,
        answers: Map<String, Value>,
    ) -> Result<Gated<Imported>, BrokerError> {
        self.send(|reply| Message::ImportSpecs { caller: caller.clone(), import, answers, reply }).await
    }

    /// The person brings specs in.
    pub async fn bring_in_specs(
        &self,
        person: Person,
        workspace: WorkspaceId,
        import: Import,
    ) -> Result<Imported, BrokerError> {
        self.send(|reply| Message::BringInSpecs { person, workspace, import, reply }).await
    }

    /// The workspace of a folder, made if nobody has worked there yet.
    pub async fn open_workspace(&self, person: Person, path: &str) -> Result<Workspace, BrokerError> {
        self.send(|reply| Message::OpenWorkspace { person, path: path.to_owned(), reply }).await
    }

    /// The person rules for a workspace.
    pub async fn set_rules(
        &self,
        person: Person,
        workspace: WorkspaceId,
        rules: WorkspaceRules,
    ) -> Result<(), BrokerError> {
        self.send(|reply| Message::SetRules { person, workspace, rules, reply }).await
    }
}

fn rows(db: Db<'_>, workspace: WorkspaceId, ids: Vec<SpecId>) -> Result<Vec<SpecRow>, BrokerError> {
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        rows.extend(db.spec_row(workspace, id)?);
    }
    Ok(rows)
}

fn id_of(text: &str) -> Result<SpecId, BrokerError> {
    let said: String = text.chars().take(60).collect();
    SpecId::parse(text).ok_or_else(|| BrokerError::Invalid(format!("`{said}` is no id; give ids such as SPEC-001")))
}
