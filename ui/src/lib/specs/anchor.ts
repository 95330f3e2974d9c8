// What is being read in a lane stays where it is when others come or go above it.

interface Held {
  id: string;
  top: number;
}

/** So many in view are remembered, for the first may be the one that goes. */
const MOST = 12;

export class Anchor {
  #held: Held[] = [];

  /** These are in view, from the top. */
  hold(ids: (string | undefined)[], top: number, height: number): void {
    this.#held = ids.slice(0, MOST).flatMap((id, nth) => (id === undefined ? [] : [{ id, top: top + nth * height }]));
  }

  /** How far the first of them that is still there has moved. */
  moved(topOf: (id: string) => number | null): number {
    for (const { id, top } of this.#held) {
      const now = topOf(id);
      if (now !== null) return now - top;
    }
    return 0;
  }
}
