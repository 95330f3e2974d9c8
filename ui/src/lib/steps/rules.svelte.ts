// The person's rules, and the one that they are writing: what it would have done is looked up while they do.
import type { Effect } from "../bindings/Effect";
import type { RuleDraft } from "../bindings/RuleDraft";
import type { RuleTryView } from "../bindings/RuleTryView";
import type { RuleView } from "../bindings/RuleView";
import { t } from "../i18n/index.svelte";
import * as ipc from "../ipc";

const PAUSE_MS = 250;

interface Host {
  run(command: () => Promise<unknown>, said?: string): Promise<boolean>;
}

export class Rules {
  list = $state.raw<RuleView[] | null>(null);
  workspaces = $state.raw<string[]>([]);
  writing = $state(false);
  effect = $state<Effect>("allow");
  tool = $state("");
  command = $state("");
  exact = $state(false);
  path = $state("");
  workspace = $state("");
  /** in seconds; none: for good */
  expires = $state("");
  tried = $state.raw<RuleTryView | null>(null);
  trying = $state(false);
  making = $state(false);
  /** what the look-up itself was refused with */
  failed = $state<string | null>(null);
  readonly #host: Host;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  draft: RuleDraft = $derived({
    effect: this.effect, tool: this.tool.trim() || null, command: this.command.trim() || null, exact: this.exact && this.command.trim() !== "",
    path: this.path.trim() || null, workspace: this.workspace || null, expiresInSeconds: this.expires === "" ? null : Number(this.expires),
  });

  /** What may go on unasked has to be named. */
  complete = $derived(this.effect !== "allow" || this.draft.tool !== null || this.draft.command !== null || this.draft.path !== null);

  get ready(): boolean {
    return this.complete && !this.trying && !this.making && this.failed === null && this.tried !== null && this.tried.refused === null;
  }

  async load(): Promise<void> {
    await this.#host.run(async () => (this.list = await ipc.rules()));
  }

  async write(): Promise<void> {
    this.writing = true;
    // the folders to choose from are a help; without them a rule holds in any
    const specs = await ipc.specs(null, "").catch(() => null);
    this.workspaces = (specs?.workspaces ?? []).map((one) => one.path.map((span) => span.text).join(""));
  }

  /** Something of the draft is another now: what it would have done is looked up after a pause. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.failed = null;
    this.trying = this.complete;
    if (!this.complete) this.tried = null;
    else this.#timer = setTimeout(() => void this.#try(), PAUSE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    Object.assign(this, { writing: false, effect: "allow", tool: "", command: "", exact: false, path: "", workspace: "", expires: "", tried: null, trying: false, failed: null });
  }

  async make(): Promise<void> {
    if (!this.ready) return;
    this.making = true;
    const draft = this.draft;
    if (await this.#host.run(async () => (this.list = await ipc.ruleMake(draft)), t("said.rule.made"))) this.close();
    this.making = false;
  }

  async remove(id: number): Promise<boolean> {
    return this.#host.run(async () => (this.list = await ipc.ruleRemove(id)), t("said.rule.removed"));
  }

  async #try(): Promise<void> {
    const asked = this.#asked;
    try {
      const tried = await ipc.ruleTry(this.draft);
      if (asked !== this.#asked) return;
      this.tried = tried;
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.tried = null;
      this.failed = ipc.refusal(thrown).message;
    }
    this.trying = false;
  }
}
