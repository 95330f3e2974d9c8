// The tools that ask a person for one thing each: what each is called here, and what a yes and a no are. Their own
// questions are English and always the same; these say them in the person's language.
import type { RequestView } from "../bindings/RequestView";
import type { Word } from "../i18n/index.svelte";

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
