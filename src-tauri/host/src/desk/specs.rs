//! Specs and workspaces at the terminals' desk.

use crate::command::Reply;
use crate::spec_command::{RulesChange, SpecCommand, SpecWish};
use countersign_broker::{Broker, BrokerError, Import, Person, SpecPage, Workspace};
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::import::{self, Existing};
use countersign_core::limit;
use countersign_core::spec::Status;
use countersign_core::spec_file;
use serde_json::{Value, json};

/// Specs that one list shows at the most.
const LISTED: u32 = 100_000;

/// Serves one command. One that changes something comes with the person who proved to be there.
pub(super) async fn serve(broker: &Broker, command: SpecCommand, person: Option<Person>) -> Result<Reply, BrokerError> {
    let SpecCommand { workspace: path, wish } = command;
    let there = broker.read(|db| Ok(db.workspace_at(&path)?))?;
    let value = match (wish, person) {
        (SpecWish::Import { files, existing, apply: true }, Some(person)) => {
            let workspace = broker.open_workspace(person, &path).await?;
            import_now(broker, workspace.id, person, files, existing).await?
        }
        (SpecWish::Rules(change), Some(person)) if change.is_change() => {
            let workspace = broker.open_workspace(person, &path).await?;
            broker.set_rules(person, workspace.id, change.over(workspace.rules)).await?;
            rules(&broker.read(|db| Ok(db.workspace(workspace.id)?))?)
        }
        (SpecWish::Rules(RulesChange { .. }), _) => match there {
            Some(workspace) => rules(&workspace),
            None => json!({"workspace": path, "rules": countersign_core::workspace::WorkspaceRules::default()}),
        },
        (SpecWish::List { status, words }, _) => match there {
            Some(workspace) => list(broker, workspace.id, status, words)?,
            None => json!([]),
        },
        (SpecWish::Show { spec }, _) => show(broker, known(there, &path)?, &spec)?,
        (SpecWish::Export { specs, json }, _) => export(broker, known(there, &path)?, specs.as_deref(), json)?,
        (SpecWish::Import { files, existing, .. }, _) => {
            // Nothing is there yet, so nothing can be in its way.
            let workspace = there.map_or(WorkspaceId(0), |workspace| workspace.id);
            plan(broker, workspace, files, existing)?
        }
    };
    Ok(Reply::Ok(value))
}

fn known(there: Option<Workspace>, path: &str) -> Result<WorkspaceId, BrokerError> {
    let missing = || BrokerError::NotFound(format!("nobody has worked in {path} yet, so there are no specs"));
    there.map(|workspace| workspace.id).ok_or_else(missing)
}

fn rules(workspace: &Workspace) -> Value {
    json!({"workspace": workspace.path, "rules": workspace.rules})
}

fn list(
    broker: &Broker,
    workspace: WorkspaceId,
    status: Option<Status>,
    words: Option<String>,
) -> Result<Value, BrokerError> {
    let rows = match words {
        Some(words) => {
            let found = broker.search_specs(workspace, &words, limit::SPEC_PAGE)?;
            found.into_iter().filter(|row| status.is_none_or(|status| row.status == status)).collect()
        }
        None => broker.list_specs(workspace, SpecPage { status, limit: LISTED, ..SpecPage::default() })?,
    };
    Ok(json!(rows))
}

fn show(broker: &Broker, workspace: WorkspaceId, spec: &str) -> Result<Value, BrokerError> {
    let missing =
        || BrokerError::NotFound(format!("there is no spec {spec} here; `countersign specs list` shows them"));
    let id = SpecId::parse(spec).ok_or_else(missing)?;
    let spec = broker.read(|db| Ok(db.spec(workspace, id)?))?.ok_or_else(missing)?;
    Ok(json!(spec))
}

fn export(broker: &Broker, workspace: WorkspaceId, specs: Option<&[String]>, json: bool) -> Result<Value, BrokerError> {
    let specs = broker.export_specs(workspace, specs)?;
    if json {
        return Ok(json!([{"name": "specs.json", "text": spec_file::list_to_json(&specs)}]));
    }
    let name = |id: Option<SpecId>| id.map_or_else(|| "spec.md".to_owned(), |id| format!("{id}.md"));
    let files = specs.iter().map(|spec| json!({"name": name(spec.id), "text": spec_file::to_markdown(spec)}));
    Ok(Value::Array(files.collect()))
}

fn import_of(files: Vec<(String, String)>, existing: Existing) -> Import {
    let incoming = files.iter().flat_map(|(name, text)| import::read(name, text)).collect();
    Import { incoming, existing }
}

fn plan(
    broker: &Broker,
    workspace: WorkspaceId,
    files: Vec<(String, String)>,
    existing: Existing,
) -> Result<Value, BrokerError> {
    let planned = broker.plan_import(workspace, &import_of(files, existing))?;
    Ok(Value::Array(planned.iter().map(|one| one.to_json(None)).collect()))
}

async fn import_now(
    broker: &Broker,
    workspace: WorkspaceId,
    person: Person,
    files: Vec<(String, String)>,
    existing: Existing,
) -> Result<Value, BrokerError> {
    let imported = broker.bring_in_specs(person, workspace, import_of(files, existing)).await?;
    Ok(Value::Array(imported.specs.iter().map(|(one, id)| one.to_json(*id)).collect()))
}
