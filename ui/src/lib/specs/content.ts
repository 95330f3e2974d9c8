// A spec's content as it is written, and what becomes of two changes to it that were made at once.
import type { CriterionInput } from "../bindings/CriterionInput";
import type { SpecView } from "../bindings/SpecView";

export interface Content {
  title: string;
  body: string;
  criteria: CriterionInput[];
}

export const contentOf = (view: SpecView): Content => ({
  title: view.title,
  body: view.body,
  criteria: view.criteria.map(({ id, source, checkSource }) => ({ id, text: source, check: checkSource })),
});

export const sameCriteria = (one: CriterionInput[], other: CriterionInput[]): boolean =>
  one.length === other.length && one.every((a, at) => same(a, other[at]!) && a.id === other[at]!.id);

const same = (one: CriterionInput, other: CriterionInput) => one.text === other.text && one.check === other.check;

/** As a text field has it: a field knows one kind of line's end. */
export const toField = (body: string): string => body.replace(/\r\n?/g, "\n");

/** A field's text as the body that it was made of would have it: what wasn't touched comes back byte for byte. */
export function fromField(text: string, before: string): string {
  if (text === toField(before)) return before;
  const windows = /\r\n/.test(before) && !/(^|[^\r])\n/.test(before);
  return windows ? text.replace(/\n/g, "\r\n") : text;
}

export interface Merged {
  content: Content;
  /** what both changed: `title`, `body` or a criterion's id. Mine stays there. */
  clashes: string[];
}

/** Both changes over the same text, brought together. */
export function merge(base: Content, mine: Content, theirs: Content): Merged {
  const clashes: string[] = [];
  const line = (name: "title" | "body") => {
    if (mine[name] === base[name]) return theirs[name];
    if (theirs[name] !== base[name] && theirs[name] !== mine[name]) clashes.push(name);
    return mine[name];
  };
  const [title, body] = [line("title"), line("body")];
  const find = (side: Content, id: string | null) => side.criteria.find((one) => id !== null && one.id === id);
  const criteria: CriterionInput[] = [];
  for (const own of mine.criteria) {
    const [old, other] = [find(base, own.id), find(theirs, own.id)];
    if (!old) criteria.push({ ...own, id: null });
    else if (!other) {
      // they dropped it; what I changed of it is another one now
      if (same(own, old)) continue;
      clashes.push(old.id!);
      criteria.push({ ...own, id: null });
    } else if (same(own, old)) criteria.push(other);
    else {
      if (!same(other, old) && !same(other, own)) clashes.push(old.id!);
      criteria.push(own);
    }
  }
  for (const other of theirs.criteria) {
    const [old, own] = [find(base, other.id), find(mine, other.id)];
    if (own) continue;
    if (!old) criteria.push(other);
    else if (!same(other, old)) {
      // I dropped it, and they changed it: nothing is lost
      clashes.push(other.id!);
      criteria.push(other);
    }
  }
  return { content: { title, body, criteria }, clashes };
}
