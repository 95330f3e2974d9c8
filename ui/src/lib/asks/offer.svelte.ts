// The file that a person is about to give: its path as picked, dropped or typed, and what is known of it before it goes.
import type { FileSizeView } from "../bindings/FileSizeView";
import { t } from "../i18n/index.svelte";
import * as ipc from "../ipc";

const PAUSE_MS = 300;

/** A path as a person pastes it: without what a file manager or a shell put around it. */
export function clean(path: string): string {
  const bare = path.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(bare) ?? /^(“)(.*)”$/s.exec(bare) ?? /^(«)(.*)»$/s.exec(bare);
  return (quoted ? quoted[2]! : bare).trim();
}

export class Offer {
  path = $state("");
  /** what was found under that path; none before it was looked at */
  found = $state.raw<FileSizeView | null>(null);
  problem = $state<string | null>(null);
  looking = $state(false);
  #looked = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #changed: (path: string) => void;

  constructor(kept: string, changed: (path: string) => void) {
    this.path = kept;
    this.#changed = changed;
    if (clean(kept) !== "") void this.look();
  }

  /** It was looked at, and is small enough. */
  readonly ready = $derived(this.found !== null && this.found.fits && !this.looking);

  /** As it is typed: looked at once the hand rests. */
  typed(): void {
    this.#forget();
    this.#changed(this.path);
    this.#timer = setTimeout(() => void this.look(), PAUSE_MS);
  }

  take(path: string): void {
    this.path = path;
    this.#forget();
    this.#changed(path);
    void this.look();
  }

  /** Several at once are none: the agent asked for one. */
  drop(paths: string[]): void {
    if (paths.length === 1) return this.take(paths[0]!);
    this.#forget();
    this.path = "";
    this.#changed("");
    this.problem = t("file.several");
  }

  async pick(): Promise<void> {
    try {
      const path = await ipc.pickFile();
      if (path !== null) this.take(path);
    } catch (thrown) {
      this.problem = ipc.refusal(thrown).message;
    }
  }

  async look(): Promise<void> {
    clearTimeout(this.#timer);
    const path = clean(this.path);
    if (path === "" || (path === this.#looked && this.found)) return;
    this.#looked = path;
    this.looking = true;
    try {
      const found = await ipc.fileSize(path);
      if (path === clean(this.path)) this.found = found;
    } catch (thrown) {
      if (path === clean(this.path)) this.problem = ipc.refusal(thrown).message;
    }
    if (path === this.#looked) this.looking = false;
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.found = null;
    this.problem = null;
    this.looking = false;
    this.#looked = "";
  }
}
