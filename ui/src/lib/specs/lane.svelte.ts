// The specs of one status: how many there are, and those that were needed so far. They are read in pages, in order, as far
// as somebody scrolls.
import type { LaneView } from "../bindings/LaneView";
import type { SpecRowView } from "../bindings/SpecRowView";
import type { Status } from "../bindings/Status";

export type Source = (status: Status, after: string) => Promise<SpecRowView[]>;

export class Lane {
  count = $state(0);
  rows = $state.raw<SpecRowView[]>([]);
  /** the one that the keyboard reaches */
  current = $state<string | null>(null);
  /** how far it is scrolled, for when it is drawn again */
  scrolled = 0;
  #places = $derived(new Map(this.rows.map((row, place) => [row.id, place])));
  /** how far it is to be read, and how far it is in view */
  #wanted = 0;
  #view = 0;
  #turn = 0;
  #loading: Promise<void> | null = null;

  constructor(readonly status: Status, readonly source: Source) {}

  /** Where this one is; -1 when it isn't here, as far as that is known. */
  place(id: string | null): number {
    return this.#places.get(id ?? "") ?? -1;
  }

  get reachable(): number {
    return Math.max(0, this.place(this.current));
  }

  /** All before this place are to be there; resolves when they are, or when something went wrong. */
  need(end: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, Math.min(end, this.count));
    if (this.rows.length >= this.#wanted) return Promise.resolve();
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  /** It is in view as far as this place. */
  inView(end: number): Promise<void> {
    this.#view = end;
    return this.need(end);
  }

  /** Takes what there is now. What is in view is there before anything is drawn anew, so that nothing flickers. */
  async take(view: LaneView): Promise<void> {
    const turn = (this.#turn += 1);
    const rows = [...view.rows];
    let count = view.count;
    while (rows.length < Math.min(this.#view, count)) {
      const page = await this.source(this.status, rows.at(-1)?.id ?? "");
      if (turn !== this.#turn) return;
      if (page.length === 0) count = rows.length;
      rows.push(...page);
    }
    this.count = count;
    this.rows = rows;
    if (this.#loading === null) this.#wanted = rows.length;
  }

  async #load(): Promise<void> {
    while (this.rows.length < Math.min(this.#wanted, this.count)) {
      const turn = this.#turn;
      const page = await this.source(this.status, this.rows.at(-1)?.id ?? "");
      // what there is was read anew meanwhile: on from there
      if (turn !== this.#turn) continue;
      // fewer than were counted: some went meanwhile
      if (page.length === 0) this.count = this.rows.length;
      this.rows = [...this.rows, ...page];
    }
  }
}
