// How high a line of a plan may be before it is drawn, and how many lines a change touches.
import type { DiffLine } from "../bindings/DiffLine";
import type { SafeText } from "../bindings/SafeText";

/** In pixels, as diff.css has a line, and about what fits on one. */
const LINE = 20;
const COLUMNS = 84;

export function lineHeight(texts: SafeText[]): number {
  let characters = 0;
  for (const text of texts) for (const span of text) characters += span.text.length;
  return LINE * Math.max(1, Math.ceil(characters / COLUMNS));
}

export const countOf = (lines: DiffLine[], kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
