//! Specs as files: out, and in.

use super::WINDOW;
use crate::desk::Desk;
use crate::downloads;
use countersign_broker::{BrokerError, Import};
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::import::{self, Existing, Fate, Incoming, Planned};
use countersign_core::safe_text::SafeText;
use countersign_core::spec_file;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a spec is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// With front matter.
    Markdown,
    /// One spec, or a list.
    Json,
}

/// A file to import, as the page read it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct FileInput {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What an import does, or did, with one spec.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ImportItemView {
    /// From which file.
    pub file: SafeText,
    /// Its title; none when it can't be read.
    pub title: Option<SafeText>,
    /// `create`, `replace`, `unchanged`, `skip` or `broken`.
    pub fate: String,
    /// The id that it gets or got, where that is known.
    pub id: Option<String>,
    /// The id in the file, when it does not keep that.
    pub given: Option<String>,
    /// Its criteria.
    pub criteria: u32,
    /// A spec whose title is nearly the same.
    pub near: Option<String>,
    /// Whether it is the same.
    pub same: bool,
    /// Why it can't be imported.
    pub problem: Option<SafeText>,
    /// What of the file is not taken over; English.
    pub notes: Vec<SafeText>,
}

/// What an import does, or did.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ImportView {
    /// One a spec, or one a file that can't be read.
    pub items: Vec<ImportItemView>,
}

/// These specs as one text.
pub fn export(desk: &Desk, workspace: WorkspaceId, ids: &[String], format: FileFormat) -> Result<String, BrokerError> {
    let specs = desk.broker.export_specs(workspace, Some(ids))?;
    Ok(match (format, specs.as_slice()) {
        (FileFormat::Markdown, specs) => specs.iter().map(spec_file::to_markdown).collect::<Vec<_>>().join("\n"),
        (FileFormat::Json, [one]) => spec_file::to_json(one),
        (FileFormat::Json, specs) => {
            format!("[{}]\n", specs.iter().map(spec_file::to_json).collect::<Vec<_>>().join(",\n"))
        }
    })
}

/// Writes them into the downloads folder; the path.
pub fn save(desk: &Desk, workspace: WorkspaceId, ids: &[String], format: FileFormat) -> Result<String, BrokerError> {
    let text = export(desk, workspace, ids, format)?;
    let stem = match ids {
        [one] => super::named(one)?.to_string(),
        _ => "specs".to_owned(),
    };
    let ending = match format {
        FileFormat::Markdown => "md",
        FileFormat::Json => "json",
    };
    let path = downloads::save(&stem, ending, &text).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    Ok(SafeText::line(&path.to_string_lossy()).plain())
}

fn read(files: &[FileInput], existing: Existing) -> Import {
    Import { incoming: files.iter().flat_map(|file| import::read(&file.name, &file.text)).collect(), existing }
}

/// What an import would do.
pub fn look(
    desk: &Desk,
    workspace: WorkspaceId,
    files: &[FileInput],
    existing: Existing,
) -> Result<ImportView, BrokerError> {
    let import = read(files, existing);
    let planned = desk.broker.plan_import(workspace, &import)?;
    let items =
        import.incoming.iter().zip(&planned).map(|(incoming, planned)| item(desk, workspace, incoming, planned, None));
    Ok(ImportView { items: items.collect() })
}

/// Does it.
pub async fn bring_in(
    desk: &Desk,
    workspace: WorkspaceId,
    files: &[FileInput],
    existing: Existing,
) -> Result<ImportView, BrokerError> {
    let import = read(files, existing);
    let incoming = import.incoming.clone();
    let done = desk.broker.bring_in_specs(WINDOW, workspace, import).await?;
    let items =
        incoming.iter().zip(&done.specs).map(|(incoming, (planned, id))| item(desk, workspace, incoming, planned, *id));
    Ok(ImportView { items: items.collect() })
}

fn item(
    desk: &Desk,
    workspace: WorkspaceId,
    incoming: &Incoming,
    planned: &Planned,
    made: Option<SpecId>,
) -> ImportItemView {
    let spec = incoming.spec.as_ref().ok();
    let id = made.or(match planned.fate {
        Fate::Create(id) => id,
        Fate::Replace(id) | Fate::Unchanged(id) | Fate::Skipped(id) => Some(id),
        Fate::Broken(_) => None,
    });
    let given =
        spec.and_then(|spec| spec.id).filter(|given| matches!(planned.fate, Fate::Create(_)) && Some(*given) != id);
    let near = match (&planned.fate, &planned.title) {
        (Fate::Create(_), Some(title)) => desk.broker.near_titles(workspace, title).unwrap_or_default(),
        _ => Vec::new(),
    };
    let near = near.into_iter().find(|(near, _)| Some(near.id) != made);
    ImportItemView {
        file: SafeText::line(&planned.file),
        title: planned.title.as_deref().map(SafeText::line),
        fate: planned.fate.word().to_owned(),
        id: id.map(|id| id.to_string()),
        given: given.map(|id| id.to_string()),
        criteria: spec.map_or(0, |spec| u32::try_from(spec.content.criteria.len()).unwrap_or(u32::MAX)),
        same: near.as_ref().is_some_and(|(_, alike)| *alike == 100),
        near: near.map(|(row, _)| row.id.to_string()),
        problem: match &planned.fate {
            Fate::Broken(why) => Some(SafeText::line(why)),
            Fate::Create(_) | Fate::Replace(_) | Fate::Unchanged(_) | Fate::Skipped(_) => None,
        },
        notes: spec.map(|spec| spec.notes.iter().map(|note| SafeText::line(note)).collect()).unwrap_or_default(),
    }
}
