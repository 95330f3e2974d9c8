// The tools that ask a person for one thing each: what each is called here, and what a yes and a no are. Their own
// questions are English and always the same; these say them in the person's language.
import type { RequestView } from "../bindings/RequestView";
import { language, t, type Word } from "../i18n/index.svelte";
import { plain } from "../text";

export interface AskWords {
  asks: Word;
  yes: Word;
  no: Word;
  /** what the comment is for, after a no */
  reason: Word;
}

const WORDS: Record<string, AskWords> = {
  request_human_approval: { asks: "approval.asks", yes: "approval.yes", no: "approval.no", reason: "approval.reason" },
  request_manual_intervention: { asks: "manual.asks", yes: "manual.yes", no: "manual.no", reason: "manual.reason" },
  retire_source: { asks: "retire.asks", yes: "retire.yes", no: "retire.no", reason: "retire.keep.reason" },
};

/** For those whose one question is a yes or a no. */
export function askWords(view: RequestView): AskWords | null {
  const words = WORDS[view.row.kind];
  return words && view.questions.length === 1 && view.questions[0]!.type === "confirm" ? words : null;
}

/** What its list row calls it. */
const KINDS: Record<string, Word> = { request_file: "file.kind", request_manual_intervention: "manual.kind", retire_source: "retire.kind" };
export const kindWord = (kind: string): Word => KINDS[kind] ?? "row.question";

/** A heading for a file to set aside, where the person's language isn't that of its title. */
export const retireAsks = (view: RequestView): string | null =>
  view.retire && language() !== "en" ? t("retire.title", { source: plain(view.retire.source) }) : null;

/** What a file is wanted for is its title, unless it is longer than one. */
export function repeats(view: RequestView): boolean {
  const [only, more] = view.context;
  if (!view.file || more || only?.kind !== "paragraph") return false;
  return only.children.every((one) => one.kind === "text") && only.children.map((one) => (one.kind === "text" ? plain(one.spans) : "")).join("") === plain(view.row.title);
}
