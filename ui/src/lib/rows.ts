// Which rows the list shows, and in what order: one group a workspace, the longest waiting first.
import type { Class } from "./bindings/Class";
import type { RowView } from "./bindings/RowView";
import { plain } from "./text";

export type Filter = "all" | "questions" | "approvals" | "plans";
export const FILTERS: Filter[] = ["all", "questions", "approvals", "plans"];

export interface Group {
  path: string;
  rows: RowView[];
}

const FILTER_OF: Record<Class, Filter> = {
  ask: "questions",
  ambiguity: "questions",
  policy: "questions",
  step: "approvals",
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

export function grouped(rows: RowView[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const path = plain(row.workspacePath);
    const group = groups.get(path) ?? { path, rows: [] };
    group.rows.push(row);
    groups.set(path, group);
  }
  return [...groups.values()];
}

// Accents are typed by some and left out by others.
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
