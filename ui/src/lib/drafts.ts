// Keeps what is being typed on disk: a quarter of a second after the last change, and at once when
// the person turns to something else or the window may be going away.

const PAUSE_MS = 250;

export class Drafts {
  #waiting = new Map<string, { json: string; timer: ReturnType<typeof setTimeout> }>();
  #save: (id: string, json: string) => Promise<void>;

  constructor(save: (id: string, json: string) => Promise<void>) {
    this.#save = save;
  }

  keep(id: string, json: string): void {
    this.drop(id);
    this.#waiting.set(id, { json, timer: setTimeout(() => void this.#send(id), PAUSE_MS) });
  }

  /** Resolves once all of it is kept. */
  async flush(): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((id) => this.#send(id)));
  }

  /** For a request that is settled: its draft is no longer the app's to keep. */
  drop(id: string): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
  }

  async #send(id: string): Promise<void> {
    const kept = this.#waiting.get(id);
    if (!kept) return;
    this.drop(id);
    await this.#save(id, kept.json);
  }
}
