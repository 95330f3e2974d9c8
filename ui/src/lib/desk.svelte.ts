// What the window knows: the last pushed lists, and which request lies open. It decides nothing.
import type { AgentRow } from "./bindings/AgentRow";
import type { ArrivalsView } from "./bindings/ArrivalsView";
import type { OpenListView } from "./bindings/OpenListView";
import type { RequestView } from "./bindings/RequestView";
import type { RowView } from "./bindings/RowView";
import type { SessionView } from "./bindings/SessionView";
import type { StatusView } from "./bindings/StatusView";
import { Files } from "./asks/files.svelte";
import { Drafts } from "./drafts";
import { speak, t } from "./i18n/index.svelte";
import * as ipc from "./ipc";
import { modeName } from "./modes";
import { Reading } from "./reading.svelte";
import { grouped, passes, search, type Filter } from "./rows";
import { Specs } from "./specs/specs.svelte";
import { Steps } from "./steps/steps.svelte";
import { plain } from "./text";

/** Who asked for a request to be opened: it settles where the focus goes. */
type Opener = "row" | "keys" | "answer" | "page";

const SAID_MS = 8000;

export class Desk {
  status = $state.raw<StatusView | null>(null);
  list = $state.raw<OpenListView>({ revision: -1, rows: [] });
  agents = $state.raw<AgentRow[]>([]);
  arrivals = $state.raw<ArrivalsView>({ arrivals: [], closedUntil: null });
  ready = $state(false);
  filter = $state<Filter>("all");
  words = $state("");
  selected = $state<string | null>(null);
  reading = $state.raw<Reading | null>(null);
  /** in a narrow window: whether the request is in front of the list */
  forward = $state(false);
  sending = $state(false);
  alert = $state<string | null>(null);
  said = $state("");
  /** ids of the last push that weren't there before, until their rows are drawn */
  fresh = $state.raw<string[]>([]);
  /** the open request should take the focus: the person asked for it by keyboard, or answered the one before */
  focusWanted = $state(false);

  found = $derived(search(this.list.rows, this.words));
  readonly steps = new Steps(this);
  groups = $derived(grouped(this.found.filter((row) => passes(this.filter, row)), this.words === "" ? this.steps.folds : null));
  order = $derived(this.groups.flatMap((group) => group.shown));

  /** what was typed for specs and isn't saved would go with the app, and so would what runs: the person says so first */
  leaving = $state(false);
  running = $state(0);

  readonly specs = new Specs({
    run: (command, said) => this.run(command, said),
    say: (words) => this.say(words),
    fail: (thrown) => this.fail(thrown),
    go: (place) => (location.hash = place),
  });

  readonly files = new Files(this);

  /** somewhere outside the window the person chose a place in it: the page goes there */
  onopen: (place: string) => void = () => undefined;

  #drafts = new Drafts((id, json) => this.#saveDraft(id, json));
  /** settled here, and perhaps still in a list that was pushed a moment before */
  #done = new Set<string>();
  #place = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;

  async start(): Promise<void> {
    try {
      await ipc.subscribe({
        list: (list) => this.#takeList(list),
        status: (status) => this.takeStatus(status),
        agents: (agents) => this.#takeAgents(agents),
        arrivals: (arrivals) => this.#takeArrivals(arrivals),
        specs: () => this.specs.changed(),
        runs: () => this.specs.runsWentOn(),
        open: (place) => this.onopen(place),
        quit: () => void this.quit(),
      });
      await this.files.listen();
      const all = await ipc.snapshot();
      this.takeStatus(all.status);
      this.agents = all.agents;
      this.arrivals = all.arrivals;
      this.#takeList(all.list);
      if (all.opens) this.onopen(all.opens);
    } catch (thrown) {
      this.fail(thrown);
    }
    this.ready = true;
  }

  /** The open request's row as last pushed: whether somebody waits changes under the reader's eyes. */
  get row(): RowView | null {
    const view = this.reading?.view.row ?? null;
    return this.list.rows.find((row) => row.id === view?.id) ?? view;
  }

  get hasOthers(): boolean {
    return this.order.some((row) => row.id !== this.selected);
  }

  async select(id: string, opener: Opener): Promise<void> {
    this.flush();
    this.alert = null;
    this.selected = id;
    this.#place = Math.max(0, this.order.findIndex((row) => row.id === id));
    if (opener !== "page") this.forward = true;
    try {
      const view = await ipc.request(id);
      if (this.selected !== id) return;
      if (this.reading?.id !== id) this.reading = new Reading(view, opener === "answer");
      void this.#catchUp();
      this.focusWanted = opener === "keys" || opener === "answer";
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  step(by: 1 | -1, opener: Opener = "keys"): void {
    const at = this.order.findIndex((row) => row.id === this.selected);
    const target = at < 0 ? this.order[Math.min(this.#place, this.order.length - 1)] : this.order[at + by];
    if (target) void this.select(target.id, opener);
  }

  /** Puts a settled request away: the next one, or none. */
  dismiss(opener: Opener): void {
    const gone = this.selected;
    const at = this.order.findIndex((row) => row.id === gone);
    const rest = this.order.filter((row) => row.id !== gone && !this.#done.has(row.id));
    const target = rest[Math.min(at < 0 ? this.#place : at, rest.length - 1)];
    if (target) {
      void this.select(target.id, opener);
    } else {
      this.selected = null;
      this.reading = null;
      this.forward = false;
    }
  }

  changed(): void {
    const reading = this.reading;
    if (!reading?.pending) return;
    reading.touch();
    this.#drafts.keep(reading.id, reading.json);
  }

  flush(): void {
    void this.#drafts.flush();
  }

  /** What waits goes on waiting, and what is being typed is kept. */
  async quit(sure = false): Promise<void> {
    await this.#drafts.flush();
    const unsaved = this.specs.unsaved > 0;
    await this.run(async () => {
      this.running = (await ipc.quit(sure, unsaved)) ?? 0;
      this.leaving = !sure && (unsaved || this.running > 0);
    });
  }

  async send(by: "button" | "enter" = "button"): Promise<void> {
    const reading = this.reading;
    if (!reading?.answerable || this.sending || reading.ignores("send")) return;
    if (!reading.valid) {
      reading.tried = true;
      return;
    }
    // a row opened by a doubled Enter, or a request that came up under one, isn't answered by it
    if (by === "enter" && reading.unread) return;
    if (reading.offer) return this.files.give(reading, reading.offer);
    const waiting = this.row?.waiting ?? false;
    await this.settle(reading, () => ipc.answer(reading.id, reading.view.digest, reading.answers, reading.comment),
      () => t(waiting ? "said.answered" : "said.kept"));
  }

  async decline(): Promise<void> {
    const reading = this.reading;
    if (!reading?.pending || this.sending || reading.ignores("decline")) return;
    await this.settle(reading, () => ipc.decline(reading.id, reading.view.digest, reading.comment), () => t("said.declined"));
  }

  /** What this window may not decide has a dialog, which comes to the front. */
  async openDialog(): Promise<void> {
    const reading = this.reading;
    if (reading?.pending) await this.run(() => ipc.openDialog(reading.id));
  }

  /** Runs a command that isn't about the open request; true if it went through. */
  async run(command: () => Promise<unknown>, said?: string): Promise<boolean> {
    this.alert = null;
    try {
      await command();
      if (said) this.say(said);
      return true;
    } catch (thrown) {
      this.fail(thrown);
      return false;
    }
  }

  async prefer(key: ipc.Preference, value: string): Promise<void> {
    await this.run(async () => this.takeStatus(await ipc.setPreference(key, value)));
  }

  async setMode(session: SessionView, mode: string): Promise<void> {
    const said = t("said.mode", { agent: plain(session.agent), mode: modeName(mode) });
    await this.run(async () => this.takeStatus(await ipc.setMode(session.id, mode)), said);
  }

  /** Shows one notification; the status then says how that went. */
  async testNotification(): Promise<boolean> {
    return this.run(async () => this.takeStatus(await ipc.testNotification()));
  }

  async setPassphrase(passphrase: string): Promise<boolean> {
    return this.run(async () => this.takeStatus(await ipc.setPassphrase(passphrase)), t("said.passphrase"));
  }

  drawn(ids: string[]): void {
    for (const id of ids) void ipc.painted(id).catch(() => undefined); // a measurement: nothing rests on it
  }

  say(words: string): void {
    this.said = words;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => (this.said = ""), SAID_MS);
  }

  fail(thrown: unknown): void {
    this.alert = ipc.refusal(thrown).message;
  }

  async settle(reading: Reading, command: () => Promise<RequestView>, said: () => string): Promise<void> {
    this.sending = true;
    this.alert = null;
    this.#drafts.drop(reading.id);
    try {
      await command();
      this.#done.add(reading.id);
      this.say(said());
      if (this.selected === reading.id) this.dismiss("answer");
    } catch (thrown) {
      this.fail(thrown);
      if (this.#isOpen(reading.id)) this.#drafts.keep(reading.id, reading.json);
    } finally {
      this.sending = false;
    }
    if (!this.#done.has(reading.id) && !this.#isOpen(reading.id)) await this.#settledElsewhere(reading);
  }

  async #settledElsewhere(reading: Reading): Promise<void> {
    this.#drafts.drop(reading.id);
    try {
      const view = await ipc.request(reading.id);
      if (view.row.state === "pending") return;
      reading.view = view;
      if (this.reading === reading) this.say(t(view.step?.stopped ? "said.step.stopped" : view.decision?.by === "dialog" ? "said.decided" : view.row.state === "cancelled" ? "said.cancelled" : "said.elsewhere"));
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  async #saveDraft(id: string, json: string): Promise<void> {
    // a draft that arrives just after its request was settled is refused, and that is no news
    await ipc.saveDraft(id, json).catch((thrown: unknown) => (this.#isOpen(id) ? this.fail(thrown) : undefined));
  }

  #isOpen(id: string): boolean {
    return this.list.rows.some((row) => row.id === id);
  }

  #takeList(list: OpenListView): void {
    if (list.revision < this.list.revision) return;
    const first = this.list.revision < 0;
    const before = new Set(this.list.rows.map((row) => row.id));
    this.list = list;
    if (!first) this.#announce(list.rows.filter((row) => !before.has(row.id)));
    const reading = this.reading;
    if (reading?.pending && !this.sending && !this.#isOpen(reading.id)) void this.#settledElsewhere(reading);
    void this.#catchUp();
    if (this.selected === null) {
      const opens = this.order.find((row) => !this.#done.has(row.id));
      if (opens) void this.select(opens.id, "page");
    }
  }

  /** The agent claimed something, or went on with its tasks, meanwhile, perhaps while the request was on its way here; what the person typed stays. */
  async #catchUp(): Promise<void> {
    const reading = this.reading;
    const row = this.list.rows.find((one) => one.id === reading?.id);
    if (!reading || !row || (row.claims === reading.view.row.claims && row.todos === reading.view.row.todos)) return;
    await ipc.request(reading.id).then((view) => (reading.view = view), (thrown: unknown) => this.fail(thrown));
  }

  #announce(rows: RowView[]): void {
    if (rows.length === 0) return;
    this.fresh = rows.map((row) => row.id);
    const [only] = rows;
    this.say(rows.length === 1 && only
      ? t("said.new.one", { agent: plain(only.agent), title: only.plainTitle })
      : t("said.new.many", { count: rows.length }));
  }

  #takeAgents(agents: AgentRow[]): void {
    this.agents = agents;
    // the first agent brings the first folder for specs
    if (this.specs.ready && this.specs.workspace === null) this.specs.changed();
  }

  #takeArrivals(arrivals: ArrivalsView): void {
    const before = new Set(this.arrivals.arrivals.map((one) => one.id));
    this.arrivals = arrivals;
    const added = arrivals.arrivals.find((one) => !before.has(one.id));
    if (added) this.say(t(`said.${added.kind}`, { name: plain(added.name) }));
  }

  takeStatus(status: StatusView): void {
    this.status = status;
    speak(status.language);
  }
}
