//! Specs from files and to files.

use super::call::Call;
use super::gated;
use super::outcome::{Failure, Outcome};
use countersign_broker::spec_folder::{self, NamedText, ReadFile};
use countersign_broker::{BrokerError, Gated, Import, Imported};
use countersign_core::import::{self, Existing, Incoming};
use countersign_core::limit;
use countersign_core::spec_file::{self, SpecFile};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the values")]
pub(super) enum ExistingForm {
    Copy,
    Replace,
    Skip,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum FormatForm {
    Markdown,
    Json,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct ImportSpecs {
    /// A markdown or JSON file of the workspace, or a folder with such files. Or give `files`.
    path: Option<String>,
    /// The files themselves, up to 1000.
    #[schemars(length(max = 1000))]
    files: Option<Vec<FileForm>>,
    /// What happens to a file whose id is that of a spec which is there: "copy" (when absent) under a new id, "replace" it by
    /// the next revision, or "skip".
    existing: Option<ExistingForm>,
    /// False when absent: only says what would be done. Call again with true to do it.
    apply: Option<bool>,
    /// The person's answers to `interactiveQuestions` of an earlier result, by question id. Never your own.
    answers: Option<Map<String, Value>>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct FileForm {
    /// Its name; one that ends in .json is read as JSON, any other as markdown.
    name: String,
    /// Its text.
    text: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct ExportSpecs {
    /// Ids such as SPEC-001. All of the workspace when absent.
    #[schemars(length(max = 1000))]
    specs: Option<Vec<String>>,
    /// "markdown" (when absent): a file each, with front matter. "json": one file.
    format: Option<FormatForm>,
    /// A folder of the workspace to write them into; made where it is missing. When absent, you get the texts.
    folder: Option<String>,
    /// Whether files that are there and say something else are written over. False when absent.
    overwrite: Option<bool>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// What an import did, would do, or must have answered first.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct ImportResult {
    /// planned, imported or refused.
    outcome: Option<String>,
    /// Each spec of the files: `file`, `title`, `action`, `id`, `notes`.
    specs: Option<Vec<Map<String, Value>>>,
    interactive_questions: Option<Vec<Map<String, Value>>>,
    request: Option<super::asking::RequestForm>,
    note: Option<String>,
}

/// Files.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct ExportResult {
    outcome: String,
    /// Each with its `name` and its `text`, or the `path` that it was written to.
    files: Vec<Map<String, Value>>,
    note: Option<String>,
}

#[derive(Deserialize)]
struct Given {
    name: String,
    text: String,
}

pub(super) async fn import_specs(call: Call) -> Result<Outcome, Failure> {
    let existing: Option<Existing> = call.arguments.parsed("existing", "copy, replace or skip")?;
    let apply: bool = call.arguments.parsed("apply", "true or false")?.unwrap_or_default();
    let answers = call.arguments.parsed("answers", "an object of answers by question id")?.unwrap_or_default();
    let files = files(&call).await?;
    // Parsing many files takes a while; the port has one thread.
    let read = move || files.iter().flat_map(|(name, text)| incoming(name, text)).collect();
    let incoming = off_thread(read).await?;
    let import = Import { incoming, existing: existing.unwrap_or_default() };
    if !apply {
        let (broker, workspace) = (call.broker.clone(), call.caller.workspace);
        let planned = off_thread(move || broker.plan_import(workspace, &import)).await??;
        let specs: Vec<Value> = planned.iter().map(|one| one.to_json(None)).collect();
        let said = "Nothing was done yet. This is what would be; call import_specs again with the same arguments and `apply`: true to do it.";
        return Ok(Outcome::said(said.to_owned(), json!({"outcome": "planned", "specs": specs})));
    }
    Ok(match call.broker.import_specs(&call.caller, import, answers).await? {
        Gated::Done { value, .. } => imported(&value),
        Gated::Asks { questions, request, note, relays } => {
            gated::outcome(call.tool.name, &questions, request.as_deref(), note, relays)
        }
    })
}

fn imported(value: &Imported) -> Outcome {
    let specs: Vec<Value> = value.specs.iter().map(|(one, id)| one.to_json(*id)).collect();
    if value.refused {
        let said = "The person said no: nothing was brought in. Don't try it another way; ask what they want instead.";
        return Outcome::said(said.to_owned(), json!({"outcome": "refused", "specs": specs}));
    }
    let said = "It is done; what came in is a draft.".to_owned();
    Outcome::said(said, json!({"outcome": "imported", "specs": specs}))
}

fn incoming(name: &str, text: &Result<String, String>) -> Vec<Incoming> {
    match text {
        Ok(text) => import::read(name, text),
        Err(why) => vec![Incoming::unreadable(name, why)],
    }
}

async fn files(call: &Call) -> Result<Vec<ReadFile>, Failure> {
    let path: Option<String> = call.arguments.parsed("path", "a path in the workspace")?;
    let given: Option<Vec<Given>> = call.arguments.parsed("files", "a list of objects {name, text}")?;
    match (path, given) {
        (Some(path), None) => {
            call.broker.check_folder(&call.caller)?;
            let workspace = call.caller.workspace_path.clone();
            off_thread(move || spec_folder::read(&workspace, &path)).await?.map_err(refused)
        }
        (None, Some(files)) => Ok(files.into_iter().map(|file| (file.name, Ok(file.text))).collect()),
        (Some(_), Some(_)) | (None, None) => {
            Err(Failure::Broker(BrokerError::Invalid("give either `path` or `files`".into())))
        }
    }
}

pub(super) async fn export_specs(call: Call) -> Result<Outcome, Failure> {
    let wanted: Option<Vec<String>> = call.arguments.parsed("specs", "a list of ids such as SPEC-001")?;
    let format: Option<String> = call.arguments.parsed("format", "markdown or json")?;
    let folder: Option<String> = call.arguments.parsed("folder", "a folder of the workspace")?;
    let overwrite: bool = call.arguments.parsed("overwrite", "true or false")?.unwrap_or_default();
    let as_json = match format.as_deref() {
        None | Some("markdown") => false,
        Some("json") => true,
        Some(_) => return Err(Failure::Broker(BrokerError::Invalid("`format` takes markdown or json".into()))),
    };
    let (broker, workspace) = (call.broker.clone(), call.caller.workspace);
    let read = move || Ok::<_, BrokerError>(written(&broker.export_specs(workspace, wanted.as_deref())?, as_json));
    let files = off_thread(read).await??;
    let Some(folder) = folder else {
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        if bytes > limit::EXPORT_BYTES {
            let said = format!(
                "these specs are {bytes} bytes, and {} are given back at once; give `folder` to have them written there, or fewer `specs`",
                limit::EXPORT_BYTES
            );
            return Err(Failure::Broker(BrokerError::Invalid(said)));
        }
        let files: Vec<Value> = files.iter().map(|(name, text)| json!({"name": name, "text": text})).collect();
        return Ok(Outcome::value(json!({"outcome": "exported", "files": files})));
    };
    call.broker.check_folder(&call.caller)?;
    let workspace = call.caller.workspace_path.clone();
    let write = move || spec_folder::write(&workspace, &folder, &files, overwrite);
    let paths = off_thread(write).await?.map_err(refused)?;
    let said = format!("Written: {}.", paths.len());
    let files: Vec<Value> = paths.iter().map(|path| json!({"path": path})).collect();
    Ok(Outcome::said(said, json!({"outcome": "written", "files": files})))
}

fn written(specs: &[SpecFile], as_json: bool) -> Vec<NamedText> {
    if as_json {
        return vec![("specs.json".to_owned(), spec_file::list_to_json(specs))];
    }
    let name = |spec: &SpecFile| spec.id.map_or_else(|| "spec.md".to_owned(), |id| format!("{id}.md"));
    specs.iter().map(|spec| (name(spec), spec_file::to_markdown(spec))).collect()
}

fn refused(error: spec_folder::SpecFolderError) -> Failure {
    let way = if matches!(error, spec_folder::SpecFolderError::Exists { .. }) { " (`overwrite`: true)" } else { "" };
    Failure::Broker(BrokerError::Invalid(format!("{error}{way}")))
}

async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    // It panicked, or the port stops: nothing was done.
    tokio::task::spawn_blocking(work).await.map_err(|_| Failure::Broker(BrokerError::Stopped))
}
