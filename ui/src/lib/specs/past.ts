// A spec's past in one list: its revisions, and what else happened to it.
import type { EventView } from "../bindings/EventView";
import type { HistoryView } from "../bindings/HistoryView";
import type { RevisionRowView } from "../bindings/RevisionRowView";
import type { ThroughView } from "../bindings/ThroughView";
import { t, type Word } from "../i18n/index.svelte";
import { statusName } from "./words";

export type Past = { key: string } & ({ revision: RevisionRowView; through: ThroughView[] } | { event: EventView });

const SAID: Record<string, Word> = { locked: "event.locked", unlocked: "event.unlocked", deleted: "event.deleted" };
const BY: Record<string, Word> = {
  window: "by.window", dialog: "by.dialog", notification: "by.notification", terminal: "by.terminal", serve: "by.serve", file: "by.file",
  relayed: "by.relayed", rule: "by.rule", default: "by.default", program: "by.program",
};

/** The newest first. What is older than the revisions that are there waits for theirs. */
export function past(history: HistoryView): Past[] {
  const oldest = history.more ? (history.rows.at(-1)?.at ?? 0) : 0;
  // a change is its revision, which says more of it
  const changes = new Map(history.events.filter((one) => one.kind === "changed" && one.revision !== null).map((one) => [one.revision, one.through]));
  // by their place from the oldest on: what comes doesn't change it
  const events = history.events.map((event, at) => ({ event, key: `e${history.events.length - at}` })).filter(({ event }) => event.kind !== "changed" && event.kind !== "created" && event.at >= oldest);
  const all: (Past & { at: number })[] = [
    ...events.map((one) => ({ ...one, at: one.event.at })),
    ...history.rows.map((revision) => ({ revision, key: `r${revision.revision}`, through: changes.get(revision.revision) ?? [], at: revision.at })),
  ];
  return all.sort((a, b) => b.at - a.at);
}

/** What happened. */
export function happened(event: EventView): string {
  const criterion = event.criterion ?? "";
  if (event.kind === "moved" && event.from !== null && event.to !== null) return t("event.moved", { from: statusName(event.from), to: statusName(event.to) });
  if (event.kind === "evidence") return t(event.met ? "event.met" : "event.unmet", { criterion });
  if (event.kind === "waived") return t(event.text === null ? "event.unwaived" : "event.waived", { criterion });
  return SAID[event.kind] ? t(SAID[event.kind]!) : event.kind;
}

/** Whose word let it through: where it was decided. */
export const decided = (through: ThroughView): string => t("event.through", { by: BY[through.by] ? t(BY[through.by]!) : through.by });
