// What a person does about steps: allows or denies one, remembers it, stops the agent. And which of them the list shows.
import type { RequestView } from "../bindings/RequestView";
import type { SessionView } from "../bindings/SessionView";
import type { StatusView } from "../bindings/StatusView";
import { t, type Word } from "../i18n/index.svelte";
import * as ipc from "../ipc";
import type { Reading } from "../reading.svelte";
import type { Folds } from "../rows";
import { plain } from "../text";

/** What lies open over a step. */
export type Panel = "remember" | "deny" | "edit" | "stop";

export interface Host {
  readonly reading: Reading | null;
  readonly list: { rows: { id: string; class: string }[] };
  readonly selected: string | null;
  readonly sending: boolean;
  settle(reading: Reading, command: () => Promise<RequestView>, said: () => string): Promise<void>;
  run(command: () => Promise<unknown>, said?: string): Promise<boolean>;
  takeStatus(status: StatusView): void;
}

export class Steps {
  panel = $state<Panel | null>(null);
  #unfolded = $state.raw<ReadonlySet<string>>(new Set());
  readonly #host: Host;
  #held: string | null = $derived.by(() => this.#host.list.rows.find((row) => row.id === this.#host.selected && row.class === "step")?.id ?? null);
  folds: Folds = $derived({ open: this.#unfolded, held: this.#held });

  constructor(host: Host) {
    this.#host = host;
  }

  fold(key: string, away: boolean): void {
    const next = new Set(this.#unfolded);
    if (away) next.delete(key);
    else next.add(key);
    this.#unfolded = next;
  }

  /** Opens a panel over the step that is read, if it has one. */
  open(panel: Panel): boolean {
    const step = this.#host.reading?.answerable ? this.#host.reading.view.step : null;
    if (!step || this.#host.sending || this.#host.reading?.ignores("decline")) return false;
    if (panel === "remember" && step.proposals.length === 0) return false;
    if (panel === "edit" && !step.edits) return false;
    if (step.stopped && panel !== "deny") return false;
    this.panel = panel;
    return true;
  }

  async allow(by: "button" | "enter"): Promise<void> {
    const reading = this.#host.reading;
    if (!reading?.view.step || reading.ignores("send") || (by === "enter" && reading.unread)) return;
    await this.#answer(reading, true, null, null, reading.comment);
  }

  async remember(remember: ipc.Remember): Promise<void> {
    if (this.#host.reading) await this.#answer(this.#host.reading, true, remember, null, this.#host.reading.comment);
  }

  async allowEdited(edited: string): Promise<void> {
    if (this.#host.reading) await this.#answer(this.#host.reading, true, null, edited, this.#host.reading.comment);
  }

  async deny(): Promise<void> {
    if (this.#host.reading) await this.#answer(this.#host.reading, false, null, null, this.#host.reading.comment);
  }

  async stop(session: { id: string; name: string }): Promise<boolean> {
    return this.#host.run(async () => this.#host.takeStatus(await ipc.stopSession(session.id)), t("said.stopped", { name: session.name }));
  }

  async release(session: { id: string; name: string }): Promise<boolean> {
    return this.#host.run(async () => this.#host.takeStatus(await ipc.releaseSession(session.id)), t("said.released", { name: session.name }));
  }

  async #answer(reading: Reading, allow: boolean, remember: ipc.Remember | null, edited: string | null, comment: string | null): Promise<void> {
    if (!reading.answerable || this.#host.sending || (allow && reading.view.step?.stopped)) return;
    let after: RequestView | null = null;
    const words: Word = !allow ? "said.step.denied" : remember ? "said.step.remembered" : edited !== null ? "said.step.edited" : "said.step.allowed";
    await this.#host.settle(reading, async () => {
      after = await ipc.answerStep(reading.id, reading.view.digest, allow, remember, edited, comment);
      // first, so that what comes next can take the focus
      this.panel = null;
      return after;
    }, () => {
      const also = (after as RequestView | null)?.step?.alsoSettled ?? 0;
      return also > 0 ? `${t(words)} ${t("said.step.also", { count: also })}` : t(words);
    });
  }
}

/** As the person calls a session. */
export const sessionName = (session: SessionView): { id: string; name: string } =>
  ({ id: session.id, name: t("session.name", { agent: plain(session.agent), session: session.ordinal }) });
