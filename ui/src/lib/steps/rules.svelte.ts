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
  say(words: string): void;
  fail(thrown: unknown): void;
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
  /** one was made since the form was opened last */
  made = $state(false);
  /** what the look-up itself was refused with */
  failed = $state<string | null>(null);
  /** why it wasn't made */
  unmade = $state<string | null>(null);
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
    try {
      this.list = await ipc.rules();
    } catch (thrown) {
      this.#host.fail(thrown);
    }
  }

  async write(): Promise<void> {
    this.writing = true;
    this.made = false;
    // the folders to choose from are a help; without them a rule holds in any
    const specs = await ipc.specs(null, "").catch(() => null);
    this.workspaces = (specs?.workspaces ?? []).map((one) => one.path.map((span) => span.text).join(""));
  }

  /** Something of the draft is another now: what it would have done is looked up after a pause. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.failed = null;
    this.unmade = null;
    this.trying = this.complete;
    if (!this.complete) this.tried = null;
    else this.#timer = setTimeout(() => void this.#try(), PAUSE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    Object.assign(this, { writing: false, effect: "allow", tool: "", command: "", exact: false, path: "", workspace: "", expires: "", tried: null, trying: false, failed: null, unmade: null });
  }

  async make(): Promise<void> {
    if (!this.ready) return;
    this.making = true;
    this.unmade = null;
    try {
      this.list = await ipc.ruleMake(this.draft);
      this.#host.say(t("said.rule.made"));
      this.close();
      this.made = true;
    } catch (thrown) {
      this.unmade = ipc.refusal(thrown).message;
    }
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
