// The words for what specs are made of. What this page doesn't know yet is called by its own word.
import type { ByView } from "../bindings/ByView";
import type { CriterionState } from "../bindings/CriterionState";
import type { RunState } from "../bindings/RunState";
import type { Status } from "../bindings/Status";
import { language, t, type Word } from "../i18n/index.svelte";
import { plain } from "../text";

export const STATUSES: Status[] = ["draft", "review", "approved", "implementing", "done", "archived"];

const NAMES: Record<Status, Word> = {
  draft: "status.draft", review: "status.review", approved: "status.approved", implementing: "status.implementing", done: "status.done", archived: "status.archived",
};
const STATES: Record<CriterionState, Word> = { met: "criterion.met", unmet: "criterion.unmet", waived: "criterion.waived" };
const RUNS: Record<RunState, Word> = {
  queued: "run.queued", running: "run.running", passed: "run.passed", failed: "run.failed", timed_out: "run.timedout", cancelled: "run.cancelled", interrupted: "run.interrupted",
};

export const statusName = (status: Status): string => (NAMES[status] ? t(NAMES[status]) : status);
export const stateName = (state: CriterionState): string => t(STATES[state]);
export const runName = (state: RunState): string => (RUNS[state] ? t(RUNS[state]) : state);
export const isOver = (state: RunState): boolean => state !== "queued" && state !== "running";

export const number = (count: number): string => count.toLocaleString(language());

/** Whose word it is, as a part of a line. */
export function byName(by: ByView): string {
  if (by.kind === "person") return t("by.you");
  if (by.kind === "check") return t("by.check", { name: by.name ? plain(by.name) : "" });
  return by.name ? t("by.agent", { name: plain(by.name) }) : t("by.someone");
}

/** Who did something. */
export function authorName(by: ByView): string {
  if (by.kind === "person") return t("author.you");
  return by.name ? plain(by.name) : t("author.someone");
}

/** Once a spec is agreed, what counts is what is met; before, what is fit to build against. */
export const isAgreed = (status: Status): boolean => status === "approved" || status === "implementing" || status === "done";
