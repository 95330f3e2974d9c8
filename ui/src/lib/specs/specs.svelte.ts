// The Specs screen: which workspace's specs are shown and how, which one lies open, and what is being written. The app
// tells when something changed; what is shown is then read anew.
import type { SpecRowView } from "../bindings/SpecRowView";
import type { SpecsView } from "../bindings/SpecsView";
import type { SpecView } from "../bindings/SpecView";
import type { Status } from "../bindings/Status";
import type { WorkspaceRules } from "../bindings/WorkspaceRules";
import type { WorkspaceView } from "../bindings/WorkspaceView";
import { t } from "../i18n/index.svelte";
import * as ipc from "../ipc";
import { Editor, type Kept } from "./editor.svelte";
import { Lane } from "./lane.svelte";
import { Opened } from "./opened.svelte";
import { statusName, STATUSES } from "./words";

/** What the window does for this screen. */
export interface Host {
  run(command: () => Promise<unknown>, said?: string): Promise<boolean>;
  say(words: string): void;
  fail(thrown: unknown): void;
  go(place: string): void;
}

export type Tab = "spec" | "history" | "runs";
export type Layout = "board" | "list";
export type Dialog = "rules" | "import" | "export" | "delete" | "deploy" | "leave";

const TYPED_MS = 120;
/** Many changes at once are read once. */
const CHANGED_MS = 150;

export class Specs {
  ready = $state(false);
  layout = $state<Layout>("board");
  folded = $state.raw<Status[]>([]);
  workspaces = $state.raw<WorkspaceView[]>([]);
  workspace = $state<number | null>(null);
  rules = $state.raw<WorkspaceRules | null>(null);
  words = $state("");
  /** the words that what is shown was found by */
  found = $state("");
  more = $state(false);
  lanes = STATUSES.map((status) => new Lane(status, (of, after) => ipc.specPage(this.workspace ?? 0, of, after)));
  /** the lane in which the keyboard is */
  lane = $state<Status>("draft");
  opened = $state.raw<Opened | null>(null);
  editor = $state.raw<Editor | null>(null);
  tab = $state<Tab>("spec");
  dialog = $state<Dialog | null>(null);
  /** the card of this spec should take the focus once it is drawn */
  wanted = $state<string | null>(null);
  /** how far the list is scrolled, for when it is drawn again */
  scrolled = 0;
  /** what is being written and isn't saved, by workspace and spec */
  #kept = $state<Record<string, Kept>>({});
  #seen = false;
  #stale = true;
  #turn = 0;
  #typed: ReturnType<typeof setTimeout> | undefined;
  #changed: ReturnType<typeof setTimeout> | undefined;

  readonly here = $derived(this.workspaces.find((one) => one.id === this.workspace) ?? null);
  readonly total = $derived(this.lanes.reduce((sum, lane) => sum + lane.count, 0));
  readonly unsaved = $derived(Object.keys(this.#kept).length);

  constructor(readonly host: Host) {}

  of(status: Status): Lane {
    return this.lanes[STATUSES.indexOf(status)]!;
  }

  isFolded(status: Status): boolean {
    // a search shows all that it found
    return this.found === "" && this.folded.includes(status);
  }

  /** The screen is shown, or left. */
  show(): () => void {
    this.#seen = true;
    if (this.#stale) this.#again();
    return () => {
      this.#seen = false;
    };
  }

  /** The app says that specs changed. */
  changed(): void {
    this.#stale = true;
    if (!this.#seen || this.#changed !== undefined) return;
    this.#changed = setTimeout(() => {
      this.#changed = undefined;
      if (this.#seen) this.#again();
    }, CHANGED_MS);
  }

  /** Reads what is shown anew. */
  #again(): void {
    void this.read();
    void this.opened?.refresh();
    void this.editor?.lookAgain();
  }

  runsWentOn(): void {
    if (this.#seen) void this.opened?.runsWentOn();
    else this.#stale = true;
  }

  async read(workspace: number | null = this.workspace): Promise<void> {
    const turn = (this.#turn += 1);
    const query = this.words.trim();
    this.#stale = false;
    try {
      const view = await ipc.specs(workspace, query);
      if (turn !== this.#turn) return;
      this.#take(view, query);
      await Promise.all(view.lanes.map((lane) => this.of(lane.status).take(lane)));
    } catch (thrown) {
      if (turn === this.#turn) this.host.fail(thrown);
    }
    this.ready = true;
  }

  #take(view: SpecsView, query: string): void {
    const other = view.workspace !== this.workspace;
    this.workspaces = view.workspaces;
    this.workspace = view.workspace;
    this.rules = view.rules;
    this.more = view.more;
    this.found = query;
    if (!this.ready || other) this.layout = view.layout === "list" ? "list" : "board";
    if (!this.ready || other) this.folded = view.folded;
  }

  need(lane: Lane, end: number): Promise<void> {
    return lane.need(end).catch((thrown) => this.host.fail(thrown));
  }

  inView(lane: Lane, end: number): void {
    void lane.inView(end).catch((thrown) => this.host.fail(thrown));
  }

  search(words: string): void {
    this.words = words;
    clearTimeout(this.#typed);
    this.#typed = setTimeout(() => void this.read(), TYPED_MS);
  }

  // What is remembered is the app's to keep.

  choose(workspace: number): void {
    this.words = "";
    this.opened = null;
    void this.host.run(() => ipc.setPreference("specs_workspace", String(workspace)));
    this.host.go("#specs");
    void this.read(workspace);
  }

  arrange(layout: Layout): void {
    this.layout = layout;
    void this.host.run(() => ipc.setPreference("specs_layout", layout));
  }

  fold(status: Status): void {
    this.folded = this.folded.includes(status) ? this.folded.filter((one) => one !== status) : [...this.folded, status];
    void this.host.run(() => ipc.setPreference("specs_folded", STATUSES.filter((one) => this.folded.includes(one)).join(" ")));
  }

  /** The screen goes to a place such as `3/SPEC-014/history`, `3/SPEC-014/edit` or `3/new`. */
  async at(path: string[]): Promise<void> {
    const [home, id, part] = path;
    const workspace = Number(home);
    if (!home || !Number.isInteger(workspace)) return this.#leave();
    if (workspace !== this.workspace || !this.ready) await this.read(workspace);
    if (id === undefined) return this.#leave();
    if (id === "new") {
      this.opened = null;
      this.#edit(Editor.of(this, workspace, null));
      return;
    }
    const same = this.opened?.workspace === workspace && this.opened.id === id;
    if (!same || this.editor) this.host.run(async () => undefined);
    if (!same) await this.#open(workspace, id);
    if (this.opened === null) return;
    if (part === "edit") this.#edit(this.editor ?? Editor.of(this, workspace, this.opened.view));
    else this.editor = null;
    this.tab = part === "history" || part === "runs" ? part : "spec";
  }

  #leave(): void {
    this.wanted = this.opened?.id ?? null;
    this.opened = null;
    this.editor = null;
  }

  async #open(workspace: number, id: string): Promise<void> {
    this.opened = null;
    this.editor = null;
    try {
      this.opened = new Opened(this, await ipc.spec(workspace, id));
      this.#point(this.opened.view.row);
    } catch (thrown) {
      this.host.fail(thrown);
    }
  }

  /** The keyboard goes on from this one. */
  #point(row: SpecRowView): void {
    this.lane = row.status;
    this.of(row.status).current = row.id;
  }

  // What lies open.

  link(id: string, part?: Tab | "edit"): string {
    return `#specs/${this.workspace}/${id}${part && part !== "spec" ? `/${part}` : ""}`;
  }

  /** The one after or before what lies open, in its lane. */
  step(by: 1 | -1): void {
    const row = this.opened?.view.row;
    if (!row) return;
    const lane = this.of(row.status);
    const to = lane.place(row.id) + by;
    void this.need(lane, to + 1).then(() => {
      const next = lane.rows[to];
      if (next) this.host.go(this.link(next.id));
    });
  }

  close(): void {
    this.host.go("#specs");
  }

  /** Moves a spec one status on or back; the keyboard goes with it. */
  async shift(row: SpecRowView, by: 1 | -1): Promise<void> {
    const to = STATUSES[STATUSES.indexOf(row.status) + by];
    if (!to || to === "archived" || this.workspace === null) return;
    const { workspace } = this;
    if (!(await this.host.run(() => ipc.specStatus(workspace, row.id, to), t("said.moved", { id: row.id, status: statusName(to) })))) return;
    await this.read();
    this.lane = to;
    this.of(to).current = row.id;
    this.wanted = row.id;
  }

  async lock(row: SpecRowView): Promise<void> {
    const { workspace } = this;
    if (workspace === null) return;
    await this.host.run(() => ipc.specLock(workspace, row.id, !row.locked), t(row.locked ? "said.unlocked" : "said.locked", { id: row.id }));
    if (!this.opened) await this.read();
  }

  // What is being written.

  #edit(editor: Editor): void {
    this.editor = editor;
  }

  key(workspace: number, id: string | null): string {
    return `${workspace}/${id ?? "new"}`;
  }

  keep(key: string, kept: Kept | null): void {
    if (kept) this.#kept[key] = kept;
    else delete this.#kept[key];
  }

  kept(key: string): Kept | null {
    return this.#kept[key] ?? null;
  }

  isUnsaved(id: string | null): boolean {
    return this.workspace !== null && this.key(this.workspace, id) in this.#kept;
  }

  /** It was saved, or made. */
  saved(view: SpecView): void {
    this.editor = null;
    this.opened = new Opened(this, view);
    this.#point(view.row);
    this.host.go(this.link(view.row.id));
  }

  make(): void {
    if (this.workspace !== null) this.host.go(`#specs/${this.workspace}/new`);
  }

  /** Out of the editor, to where it was opened from. */
  leaveEditor(): void {
    const { editor } = this;
    this.dialog = null;
    if (!editor) return;
    this.editor = null;
    this.host.go(editor.id === null ? "#specs" : this.link(editor.id));
  }
}
