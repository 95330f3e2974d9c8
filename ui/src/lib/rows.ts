// Which rows the list shows, and in what order: one group a workspace, the longest waiting first. The steps of a session
// stand together, and of many all but the first are folded away, so that they bury nothing.
import type { Class } from "./bindings/Class";
import type { RowView } from "./bindings/RowView";
import type { SafeText } from "./bindings/SafeText";
import { plain } from "./text";

export type Filter = "all" | "questions" | "approvals" | "steps" | "plans";
export const FILTERS: Filter[] = ["all", "questions", "approvals", "steps", "plans"];

/** Of a session's steps so many are always shown, once there are more than `MANY`. */
const FEW = 2;
const MANY = 3;

/** What opens and closes the rest of a session's steps. */
export interface Fold {
  key: string;
  agent: SafeText;
  session: number;
  rest: number;
  open: boolean;
}

/** A line of the list. */
export type Item = { key: string; row: RowView; fold: null } | { key: string; row: null; fold: Fold };

export interface Group {
  path: string;
  /** all of them */
  rows: RowView[];
  /** those that aren't folded away */
  shown: RowView[];
  items: Item[];
}

/** Which sessions are unfolded, and the step that is shown wherever it is. */
export interface Folds {
  open: ReadonlySet<string>;
  held: string | null;
}

const FILTER_OF: Record<Class, Filter> = {
  ask: "questions",
  ambiguity: "questions",
  policy: "questions",
  step: "steps",
  approval: "approvals",
  destructive: "approvals",
  plan: "plans",
};

export const passes = (filter: Filter, row: RowView) => filter === "all" || FILTER_OF[row.class] === filter;

export function search(rows: RowView[], words: string): RowView[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const text = fold([row.plainTitle, plain(row.agent), plain(row.workspace), row.client, row.kind].join(" "));
    return wanted.every((word) => text.includes(word));
  });
}

/** Whose step it is; none for what isn't one. */
export const stepsOf = (row: RowView): string | null =>
  row.class === "step" ? [plain(row.workspacePath), plain(row.agent), row.client, row.session].join("\n") : null;

/** Without folds every row is shown. */
export function grouped(rows: RowView[], folds: Folds | null): Group[] {
  const groups = new Map<string, RowView[]>();
  const steps = new Map<string, RowView[]>();
  const into = (map: Map<string, RowView[]>, key: string, row: RowView) => map.get(key)?.push(row) ?? map.set(key, [row]);
  for (const row of rows) {
    into(groups, plain(row.workspacePath), row);
    const session = folds && stepsOf(row);
    if (session) into(steps, session, row);
  }
  return [...groups].map(([path, all]) => {
    const items = all.flatMap((row): Item[] => {
      const session = folds && stepsOf(row);
      const own = (session && steps.get(session)) || [];
      if (!folds || !session || own.length <= MANY) return [line(row)];
      return own[0] === row ? together(session, own, folds) : [];
    });
    return { path, rows: all, items, shown: items.flatMap((item) => item.row ?? []) };
  });
}

function together(key: string, rows: RowView[], folds: Folds): Item[] {
  const rest = rows.slice(FEW);
  const open = folds.open.has(key);
  const fold: Item = { key, row: null, fold: { key, agent: rows[0]!.agent, session: rows[0]!.session, rest: rest.length, open } };
  return [...rows.slice(0, FEW).map(line), fold, ...(open ? rest : rest.filter((row) => row.id === folds.held)).map(line)];
}

const line = (row: RowView): Item => ({ key: row.id, row, fold: null });

// Accents are typed by some and left out by others.
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
