// The one door to the app: every command and event of the contract, by name, and nothing else.
// No retry and no cache here; a refused command rejects with the app's own ViewError.
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { AgentRow } from "./bindings/AgentRow";
import type { Answer } from "./bindings/Answer";
import type { ArrivalsView } from "./bindings/ArrivalsView";
import type { DialogView } from "./bindings/DialogView";
import type { OpenListView } from "./bindings/OpenListView";
import type { RequestView } from "./bindings/RequestView";
import type { Scope } from "./bindings/Scope";
import type { SnapshotView } from "./bindings/SnapshotView";
import type { StatusView } from "./bindings/StatusView";
import type { TokenView } from "./bindings/TokenView";
import type { ViewError } from "./bindings/ViewError";

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
export type Preference = "language" | "theme" | "notifications" | "quiet" | "quiet_hours" | "start_at_login";
export const setPreference = (key: Preference, value: string) => invoke<StatusView>("set_preference", { key, value });
export const testNotification = () => invoke<StatusView>("test_notification");
export const quit = () => invoke<null>("quit");
export const setPassphrase = (passphrase: string) => invoke<StatusView>("set_passphrase", { passphrase });
export const painted = (id: string) => invoke<null>("painted", { id });

export const openDialog = (id: string) => invoke<null>("open_dialog", { id });

// The dialog's own; any other window is refused them.
export const dialogView = () => invoke<DialogView | null>("dialog_view");
export const dialogYes = (nonce: string, digest: string, answers: Answers, comment: string | null, typed: string | null) =>
  invoke<null>("dialog_yes", { nonce, digest, answers, comment, typed });
export const dialogNo = (nonce: string, digest: string, answers: Answers, comment: string | null) =>
  invoke<null>("dialog_no", { nonce, digest, answers, comment });
export const dialogLater = () => invoke<null>("dialog_later");
export const dialogIgnored = () => invoke<null>("dialog_ignored");

export async function listenToDialog(heard: { changed(): void; disturbed(): void }): Promise<void> {
  await Promise.all([listen("dialog-changed", () => heard.changed()), listen("dialog-disturbed", () => heard.disturbed())]);
}

export interface Pushes {
  list(list: OpenListView): void;
  status(status: StatusView): void;
  agents(agents: AgentRow[]): void;
  arrivals(arrivals: ArrivalsView): void;
  /** a place such as `#inbox/<id>` */
  open(place: string): void;
}

/** Resolves once all five are heard, so that nothing can fall between them and the snapshot. */
export async function subscribe(pushes: Pushes): Promise<void> {
  await Promise.all([
    listen<OpenListView>("list", (event) => pushes.list(event.payload)),
    listen<StatusView>("status", (event) => pushes.status(event.payload)),
    listen<AgentRow[]>("agents", (event) => pushes.agents(event.payload)),
    listen<ArrivalsView>("arrivals", (event) => pushes.arrivals(event.payload)),
    listen<string>("open", (event) => pushes.open(event.payload)),
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
