// The spec that lies open: what it is, its history and its runs as far as they were looked at, and what is done to it.
import type { CommandsView } from "../bindings/CommandsView";
import type { HistoryView } from "../bindings/HistoryView";
import type { RevisionView } from "../bindings/RevisionView";
import type { RunView } from "../bindings/RunView";
import type { SpecView } from "../bindings/SpecView";
import type { Status } from "../bindings/Status";
import { t } from "../i18n/index.svelte";
import * as ipc from "../ipc";
import type { Specs } from "./specs.svelte";
import { isOver, statusName } from "./words";

/** How often a run that goes on is looked at. */
const LOOK_MS = 400;

export class Opened {
  view = $state.raw() as SpecView;
  /** what the workspace's file declares; null until it was read */
  commands = $state.raw<CommandsView | null>(null);
  history = $state.raw<HistoryView | null>(null);
  /** what changed, by revision */
  diffs = $state.raw<Record<number, RevisionView>>({});
  run = $state.raw<RunView | null>(null);
  /** all of a long output is shown, not only its end */
  whole = $state(false);
  busy = $state(false);

  /** as it stood when its history was read */
  #told = "";

  constructor(readonly specs: Specs, view: SpecView) {
    this.view = view;
    void this.readCommands();
  }

  get id(): string {
    return this.view.row.id;
  }

  get workspace(): number {
    return this.view.workspace;
  }

  async refresh(): Promise<void> {
    // its runs are no part of its history, and go on all the time
    try {
      this.view = await ipc.spec(this.workspace, this.id);
      if (this.history && this.#stands() !== this.#told) await this.readHistory();
    } catch (thrown) {
      if (ipc.refusal(thrown).code !== "not_found") return this.specs.host.fail(thrown);
      // somebody deleted it
      if (this.specs.opened !== this) return;
      this.specs.host.say(t("said.gone", { id: this.id }));
      this.specs.close();
    }
  }

  /** Something ran, or was trusted. What is trusted already isn't looked through again for each line of an output. */
  async runsWentOn(): Promise<void> {
    if (this.commands?.state !== "trusted") void this.readCommands();
    await this.refresh();
  }

  async readCommands(): Promise<void> {
    try {
      this.commands = await ipc.specCommands(this.workspace);
    } catch (thrown) {
      this.specs.host.fail(thrown);
    }
  }

  #stands(): string {
    return JSON.stringify([this.view.row, this.view.criteria]);
  }

  async #act(command: () => Promise<SpecView>, said: string): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const done = await this.specs.host.run(async () => (this.view = await command()), said);
    this.busy = false;
    return done;
  }

  move(to: Status): Promise<boolean> {
    return this.#act(() => ipc.specStatus(this.workspace, this.id, to), t("said.moved", { id: this.id, status: statusName(to) }));
  }

  lock(): Promise<boolean> {
    const { locked } = this.view.row;
    return this.#act(() => ipc.specLock(this.workspace, this.id, !locked), t(locked ? "said.unlocked" : "said.locked", { id: this.id }));
  }

  record(criterion: string, met: boolean, text: string): Promise<boolean> {
    return this.#act(() => ipc.specEvidence(this.workspace, this.id, criterion, met, text), t("said.recorded", { criterion }));
  }

  waive(criterion: string, reason: string | null): Promise<boolean> {
    return this.#act(() => ipc.specWaive(this.workspace, this.id, criterion, reason), t(reason === null ? "said.unwaived" : "said.waived", { criterion }));
  }

  /** Says how far it is; where it has checks, they run now. */
  async validate(): Promise<void> {
    const before = this.view.runs[0]?.id;
    const done = await this.#act(() => ipc.specValidate(this.workspace, this.id), "");
    if (this.view.criteria.some((one) => one.check !== null)) void this.readCommands();
    if (!done) return;
    const { met, total } = this.view.row;
    const started = this.view.runs[0]?.id !== before;
    this.specs.host.say(started ? t("said.checks") : t("said.validated", { met, total }));
    if (started) this.specs.host.go(this.specs.link(this.id, "runs"));
  }

  async deploy(target: string, typed: string | null): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const done = await this.specs.host.run(async () => {
      const row = await ipc.specDeploy(this.workspace, this.id, target, typed);
      await this.refresh();
      await this.look(row.id);
    }, t("said.deploying", { id: this.id, target }));
    this.busy = false;
    if (done) this.specs.host.go(this.specs.link(this.id, "runs"));
    else void this.readCommands();
    return done;
  }

  async remove(typed: string): Promise<boolean> {
    const done = await this.specs.host.run(() => ipc.specDelete(this.workspace, this.id, typed), t("said.deleted", { id: this.id }));
    if (!done) return false;
    this.specs.keep(this.specs.key(this.workspace, this.id), null);
    this.specs.close();
    return true;
  }

  async review(): Promise<void> {
    await this.specs.host.run(() => ipc.trustReview(this.workspace));
  }

  // Its history.

  async readHistory(older = false): Promise<void> {
    this.#told = this.#stands();
    const kept = older ? (this.history?.rows ?? []) : [];
    try {
      const page = await ipc.specHistory(this.workspace, this.id, kept.at(-1)?.revision ?? null);
      this.history = { rows: [...kept, ...page.rows], events: older ? (this.history?.events ?? []) : page.events, more: page.more };
    } catch (thrown) {
      this.specs.host.fail(thrown);
    }
  }

  async readDiff(revision: number): Promise<void> {
    if (this.diffs[revision]) return;
    try {
      const view = await ipc.specRevision(this.workspace, this.id, revision, null);
      this.diffs = { ...this.diffs, [revision]: view };
    } catch (thrown) {
      this.specs.host.fail(thrown);
    }
  }

  // Its runs.

  async look(id: string): Promise<void> {
    if (this.run?.row.id !== id) this.whole = false;
    try {
      const run = await ipc.specRun(id, this.whole);
      const went = this.run?.row.id === id && this.run.row.state !== run.row.state;
      this.run = run;
      if (went) await this.refresh();
    } catch (thrown) {
      this.specs.host.fail(thrown);
    }
  }

  /** Looks at a run now, and for as long as it goes on. */
  watch(id: string): () => void {
    let over = false;
    const again = async () => {
      await this.look(id);
      if (!over && this.run?.row.id === id && !isOver(this.run.row.state)) setTimeout(() => void (over || again()), LOOK_MS);
    };
    void again();
    return () => {
      over = true;
    };
  }

  async cancel(): Promise<void> {
    const { run } = this;
    if (!run) return;
    await this.specs.host.run(async () => {
      await ipc.specCancel(run.row.id);
      await this.look(run.row.id);
    }, t("said.ended", { name: run.row.kind }));
  }
}
