// Lanes and the list draw only what is near the view. All cards are of one height and all lines of another, so that where
// one lies is arithmetic and nothing is measured, however many there are.

/** From one card to the next, in pixels, as specs.css has it. */
export const CARD = 88;
/** From one line of the list to the next, and a group's heading. */
export const LINE = 44;
export const HEAD = 38;
/** What is drawn beyond the view on either side, and how far it scrolls before that is drawn anew. */
const MARGIN = 480;
const STEP = 240;

export const step = (scrolled: number) => Math.floor(Math.max(0, scrolled) / STEP) * STEP;

/** The first and the one after the last place to draw, of `count` places of this height that begin at `top`. */
export function stretch(at: number, tall: number, top: number, height: number, count: number): [first: number, end: number] {
  const first = Math.max(0, Math.min(count, Math.floor((at - MARGIN - top) / height)));
  const end = Math.max(first, Math.min(count, Math.ceil((at + STEP + tall + MARGIN - top) / height)));
  return [first, end];
}

/** The places of a stretch, with the one that the keyboard reaches, wherever it is. */
export function places([first, end]: [number, number], kept: number): number[] {
  const all = Array.from({ length: end - first }, (_, nth) => first + nth);
  if (kept < 0 || (kept >= first && kept < end)) return all;
  return kept < first ? [kept, ...all] : [...all, kept];
}

/** How far a box must be scrolled so that what lies from `top` to `bottom` in it is in view. */
export function reveal(scrolled: number, tall: number, top: number, bottom: number): number {
  if (top < scrolled) return Math.max(0, top);
  return bottom > scrolled + tall ? bottom - tall : scrolled;
}
