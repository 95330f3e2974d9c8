// The one door to the app: every command and event of the contract, by name, and nothing else.
// No retry and no cache here; a refused command rejects with the app's own ViewError.
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { AgentRow } from "./bindings/AgentRow";
import type { Answer } from "./bindings/Answer";
import type { ArrivalsView } from "./bindings/ArrivalsView";
import type { Block } from "./bindings/Block";
import type { CommandsView } from "./bindings/CommandsView";
import type { CriterionInput } from "./bindings/CriterionInput";
import type { DialogView } from "./bindings/DialogView";
import type { Existing } from "./bindings/Existing";
import type { FileInput } from "./bindings/FileInput";
import type { FileSizeView } from "./bindings/FileSizeView";
import type { HistoryView } from "./bindings/HistoryView";
import type { ImportView } from "./bindings/ImportView";
import type { OpenListView } from "./bindings/OpenListView";
import type { RequestView } from "./bindings/RequestView";
import type { RevisionView } from "./bindings/RevisionView";
import type { RuleDraft } from "./bindings/RuleDraft";
import type { RuleTryView } from "./bindings/RuleTryView";
import type { RuleView } from "./bindings/RuleView";
import type { RunRowView } from "./bindings/RunRowView";
import type { RunView } from "./bindings/RunView";
import type { Scope } from "./bindings/Scope";
import type { SnapshotView } from "./bindings/SnapshotView";
import type { SpecCheckView } from "./bindings/SpecCheckView";
import type { SpecRowView } from "./bindings/SpecRowView";
import type { SpecsView } from "./bindings/SpecsView";
import type { SpecView } from "./bindings/SpecView";
import type { Status } from "./bindings/Status";
import type { StatusView } from "./bindings/StatusView";
import type { TokenView } from "./bindings/TokenView";
import type { Until } from "./bindings/Until";
import type { ViewError } from "./bindings/ViewError";
import type { WorkspaceRules } from "./bindings/WorkspaceRules";

export type Answers = Record<string, Answer>;

export const snapshot = () => invoke<SnapshotView>("snapshot");
export const request = (id: string) => invoke<RequestView>("request", { id });
export const answer = (id: string, digest: string, answers: Answers, comment: string | null) =>
  invoke<RequestView>("answer", { id, digest, answers, comment });
export const decline = (id: string, digest: string, comment: string | null) =>
  invoke<RequestView>("decline", { id, digest, comment });
export const saveDraft = (id: string, draft: string) => invoke<null>("save_draft", { id, draft });
export const acceptArrival = (id: string, code: string, scopes: Scope[]) => invoke<null>("accept_arrival", { id, code, scopes });
export const refuseArrival = (id: string) => invoke<null>("refuse_arrival", { id });
export const revokeAgent = (id: string) => invoke<null>("revoke_agent", { id });
export const rotateAgent = (id: string) => invoke<TokenView>("rotate_agent", { id });
export const setScopes = (id: string, scopes: Scope[]) => invoke<AgentRow[]>("set_scopes", { id, scopes });
export const setMode = (session: string, mode: string) => invoke<StatusView>("set_mode", { session, mode });
export type Preference = "language" | "theme" | "notifications" | "quiet" | "quiet_hours" | "start_at_login" | "specs_layout" | "specs_folded" | "specs_workspace";
export const setPreference = (key: Preference, value: string) => invoke<StatusView>("set_preference", { key, value });
export const testNotification = () => invoke<StatusView>("test_notification");
/** how many runs hold it back */
export const quit = (sure: boolean, unsaved: boolean) => invoke<number | null>("quit", { sure, unsaved });
export const setPassphrase = (passphrase: string) => invoke<StatusView>("set_passphrase", { passphrase });
export const painted = (id: string) => invoke<null>("painted", { id });

// Specs: what the person does to them here is their own act.
/** the workspace's lanes with their first rows; of a search what it found */
export const specs = (workspace: number | null, query: string) => invoke<SpecsView>("specs", { workspace, query });
export const specPage = (workspace: number, status: Status, after: string) => invoke<SpecRowView[]>("spec_page", { workspace, status, after });
export const spec = (workspace: number, id: string) => invoke<SpecView>("spec", { workspace, id });
export const specCommands = (workspace: number) => invoke<CommandsView>("spec_commands", { workspace });
export const specCheck = (workspace: number, id: string | null, title: string, criteria: string[]) =>
  invoke<SpecCheckView>("spec_check", { workspace, id, title, criteria });
export const specPreview = (body: string) => invoke<Block[]>("spec_preview", { body });
export const specCreate = (workspace: number, title: string, body: string, criteria: CriterionInput[]) =>
  invoke<SpecView>("spec_create", { workspace, title, body, criteria });
/** what is null stays as it is; refused with `conflict` over another revision */
export const specEdit = (workspace: number, id: string, base: number, edit: { title: string | null; body: string | null; criteria: CriterionInput[] | null }) =>
  invoke<SpecView>("spec_edit", { workspace, id, base, ...edit });
export const specStatus = (workspace: number, id: string, status: Status) => invoke<SpecView>("spec_status", { workspace, id, status });
export const specLock = (workspace: number, id: string, locked: boolean) => invoke<SpecView>("spec_lock", { workspace, id, locked });
export const specEvidence = (workspace: number, id: string, criterion: string, met: boolean, text: string) =>
  invoke<SpecView>("spec_evidence", { workspace, id, criterion, met, text });
/** without a reason the waiver is taken back */
export const specWaive = (workspace: number, id: string, criterion: string, reason: string | null) =>
  invoke<SpecView>("spec_waive", { workspace, id, criterion, reason });
export const specDelete = (workspace: number, id: string, typed: string) => invoke<null>("spec_delete", { workspace, id, typed });
export const specHistory = (workspace: number, id: string, before: number | null) => invoke<HistoryView>("spec_history", { workspace, id, before });
/** what changed up to a revision: since the one before it, or since another */
export const specRevision = (workspace: number, id: string, revision: number, since: number | null) =>
  invoke<RevisionView>("spec_revision", { workspace, id, revision, since });
export type FileFormat = "markdown" | "json";
export const specExport = (workspace: number, ids: string[], format: FileFormat) => invoke<string>("spec_export", { workspace, ids, format });
/** writes it into the downloads folder; the path */
export const specSave = (workspace: number, ids: string[], format: FileFormat) => invoke<string>("spec_save", { workspace, ids, format });
/** what an import would do */
export const specImportLook = (workspace: number, files: FileInput[], existing: Existing) => invoke<ImportView>("spec_import_look", { workspace, files, existing });
export const specImport = (workspace: number, files: FileInput[], existing: Existing) => invoke<ImportView>("spec_import", { workspace, files, existing });
/** says what is met, and starts the spec's checks */
export const specValidate = (workspace: number, id: string) => invoke<SpecView>("spec_validate", { workspace, id });
export const specDeploy = (workspace: number, id: string, target: string, typed: string | null) =>
  invoke<RunRowView>("spec_deploy", { workspace, id, target, typed });
export const specRun = (id: string, whole: boolean) => invoke<RunView>("spec_run", { id, whole });
export const specCancel = (id: string) => invoke<null>("spec_cancel", { id });
/** opens the dialog in which the commands of a workspace are trusted */
export const trustReview = (workspace: number) => invoke<null>("trust_review", { workspace });
export const setRules = (workspace: number, rules: WorkspaceRules) => invoke<null>("set_rules", { workspace, rules });

// A file that an agent asks for: what is said of it first, then it is copied into the workspace.
/** the system's own picker; none was chosen */
export const pickFile = () => invoke<string | null>("pick_file");
export const fileSize = (path: string) => invoke<FileSizeView>("file_size", { path });
export const giveFile = (id: string, digest: string, path: string, comment: string | null) => invoke<RequestView>("give_file", { id, digest, path, comment });

// Steps, and the rules that settle them.
export type Remember = { proposal: number; until: Until };
export const answerStep = (id: string, digest: string, allow: boolean, remember: Remember | null, edited: string | null, comment: string | null) =>
  invoke<RequestView>("answer_step", { id, digest, allow, remember, edited, comment });
/** everything of a session is refused until it is released */
export const stopSession = (session: string) => invoke<StatusView>("stop_session", { session });
export const releaseSession = (session: string) => invoke<StatusView>("release_session", { session });
export const rules = () => invoke<RuleView[]>("rules");
/** what a rule would have done to the steps that are kept */
export const ruleTry = (draft: RuleDraft) => invoke<RuleTryView>("rule_try", { draft });
export const ruleMake = (draft: RuleDraft) => invoke<RuleView[]>("rule_make", { draft });
export const ruleRemove = (id: number) => invoke<RuleView[]>("rule_remove", { id });

export const openDialog = (id: string) => invoke<null>("open_dialog", { id });

// The dialog's own; any other window is refused them.
export const dialogView = () => invoke<DialogView | null>("dialog_view");
export const dialogYes = (nonce: string, digest: string, answers: Answers, comment: string | null, typed: string | null, mode: string | null) =>
  invoke<null>("dialog_yes", { nonce, digest, answers, comment, typed, mode });
export const dialogNo = (nonce: string, digest: string, answers: Answers, comment: string | null, remarks: { line: number; text: string }[]) =>
  invoke<null>("dialog_no", { nonce, digest, answers, comment, remarks });
/** a plan that came before, whole */
export const dialogPlan = (id: string) => invoke<Block[]>("dialog_plan", { id });
export const dialogLater = () => invoke<null>("dialog_later");
export const dialogIgnored = () => invoke<null>("dialog_ignored");

export async function listenToDialog(heard: { changed(): void; disturbed(): void }): Promise<void> {
  await Promise.all([listen("dialog-changed", () => heard.changed()), listen("dialog-disturbed", () => heard.disturbed())]);
}

/** Files that are dragged over the window, no longer are, or are let go over it. */
export async function listenToDrops(heard: { dragged(over: boolean): void; dropped(paths: string[]): void }): Promise<void> {
  await Promise.all([
    listen("tauri://drag-enter", () => heard.dragged(true)),
    listen("tauri://drag-leave", () => heard.dragged(false)),
    listen<{ paths: string[] }>("tauri://drag-drop", (event) => { heard.dragged(false); heard.dropped(event.payload.paths); }),
  ]);
}

export interface Pushes {
  list(list: OpenListView): void;
  status(status: StatusView): void;
  agents(agents: AgentRow[]): void;
  arrivals(arrivals: ArrivalsView): void;
  /** specs, or the rules of a workspace, are others now */
  specs(): void;
  /** runs went on */
  runs(): void;
  /** a place such as `#inbox/<id>` */
  open(place: string): void;
  /** the person chose to quit, outside the window */
  quit(): void;
}

/** Resolves once all are heard, so that nothing can fall between them and the snapshot. */
export async function subscribe(pushes: Pushes): Promise<void> {
  await Promise.all([
    listen<OpenListView>("list", (event) => pushes.list(event.payload)),
    listen<StatusView>("status", (event) => pushes.status(event.payload)),
    listen<AgentRow[]>("agents", (event) => pushes.agents(event.payload)),
    listen<ArrivalsView>("arrivals", (event) => pushes.arrivals(event.payload)),
    listen("specs", () => pushes.specs()),
    listen("runs", () => pushes.runs()),
    listen<string>("open", (event) => pushes.open(event.payload)),
    listen("quit", () => pushes.quit()),
  ]);
}

/** What a rejected command says to the person; anything that isn't a ViewError is shown as it is. */
export function refusal(thrown: unknown): ViewError {
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
    const { code, message } = thrown as { code?: unknown; message: unknown };
    return { code: typeof code === "string" ? code : "unknown", message: String(message) };
  }
  return { code: "unknown", message: String(thrown) };
}
