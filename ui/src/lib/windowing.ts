// A long list draws only the rows near what is in view. Its rows are then all of one height, so that where a row
// lies is arithmetic and nothing is measured, however many there are.
import type { RowView } from "./bindings/RowView";
import type { Group, Item } from "./rows";

/** Up to here every row is drawn, as high as its text. */
export const WHOLE = 60;
// in pixels, as list.css has them
export const ROW = 78;
export const HEADING = 34;
/** What is drawn beyond the view on either side, and how far it scrolls before that is drawn anew. */
const MARGIN = 600;
const STEP = 300;

export const step = (scrolled: number) => Math.floor(scrolled / STEP) * STEP;

export interface Place {
  item: Item;
  top: number;
  /** counted from 1, in its group */
  nth: number;
}

/** A group as far as it is drawn: `whole` is how many lines it has, `count` how many rows, the folded ones too. */
export interface Part {
  path: string;
  first: RowView;
  whole: number;
  count: number;
  top: number;
  headed: boolean;
  places: Place[];
}

export class Layout {
  readonly height: number;
  readonly #tops = new Map<string, number>();
  readonly #starts: number[] = [];

  constructor(readonly groups: Group[]) {
    let top = 0;
    for (const group of groups) {
      this.#starts.push(top);
      top += HEADING;
      for (const item of group.items) {
        this.#tops.set(item.key, top);
        top += ROW;
      }
    }
    this.height = top;
  }

  top(id: string): number | undefined {
    return this.#tops.get(id);
  }

  /** What to draw of it at this step: what is in view with a margin, and the row that the keyboard reaches, wherever it is. */
  parts(at: number, tall: number, reachable: string | null | undefined): Part[] {
    const from = at - MARGIN;
    const to = at + STEP + tall + MARGIN;
    const kept = this.#tops.get(reachable ?? "") ?? -1;
    return this.groups.flatMap((group, index) => {
      const top = this.#starts[index]!;
      const rows = top + HEADING;
      const end = rows + group.items.length * ROW;
      const holds = kept >= rows && kept < end;
      if ((end <= from || top >= to) && !holds) return [];
      const place = (nth: number): Place => ({ item: group.items[nth]!, top: rows + nth * ROW, nth: nth + 1 });
      const first = Math.max(0, Math.floor((from - rows) / ROW));
      const last = Math.min(group.items.length, Math.ceil((to - rows) / ROW));
      const places = Array.from({ length: Math.max(0, last - first) }, (_, nth) => place(first + nth));
      const own = (kept - rows) / ROW;
      if (holds && own < first) places.unshift(place(own));
      else if (holds && own >= last) places.push(place(own));
      return [{ path: group.path, first: group.rows[0]!, whole: group.items.length, count: group.rows.length, top, headed: rows > from && top < to, places }];
    });
  }
}

/** The first of these, which lie in order, that `reaches`; found without looking at them all. */
export function firstThat<T>(all: ArrayLike<T>, reaches: (one: T) => boolean): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reaches(all[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
