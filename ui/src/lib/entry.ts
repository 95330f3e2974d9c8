// What a person has put in for one question so far, and what of it becomes an answer.
// The draft kept by the app is this, as JSON that only this file reads and writes.
import type { Answer } from "./bindings/Answer";
import type { QuestionView } from "./bindings/QuestionView";
import { mayFit } from "./pattern";

export interface Entry {
  chosen: string[];
  /** whether "Other" is marked; its text stays when it isn't */
  own: boolean;
  other: string;
  text: string;
  yes: boolean | null;
}

export interface Draft {
  entries: Record<string, Entry>;
  comment: string;
}

export type Problem = "missing" | "pattern";

export const emptyEntry = (): Entry => ({ chosen: [], own: false, other: "", text: "", yes: null });

export function emptyDraft(questions: QuestionView[]): Draft {
  return { entries: Object.fromEntries(questions.map((q) => [q.id, emptyEntry()])), comment: "" };
}

/** A draft from an older version or a damaged one counts for what can be read of it. */
export function readDraft(questions: QuestionView[], json: string | null): Draft {
  const draft = emptyDraft(questions);
  let kept: unknown = null;
  try {
    kept = json ? JSON.parse(json) : null;
  } catch {
    return draft;
  }
  if (!isObject(kept)) return draft;
  if (typeof kept.comment === "string") draft.comment = kept.comment;
  const entries = isObject(kept.entries) ? kept.entries : {};
  for (const question of questions) {
    const entry = draft.entries[question.id];
    const from = entries[question.id];
    if (!entry || !isObject(from)) continue;
    const values = new Set(question.options.map((option) => option.value));
    if (Array.isArray(from.chosen)) entry.chosen = from.chosen.filter((value) => values.has(value));
    if (typeof from.own === "boolean") entry.own = from.own && question.allowOther;
    if (typeof from.other === "string") entry.other = from.other;
    if (typeof from.text === "string") entry.text = from.text;
    if (typeof from.yes === "boolean") entry.yes = from.yes;
  }
  return draft;
}

/** The empty string says that there is nothing to keep. */
export function writeDraft(draft: Draft): string {
  const blank = JSON.stringify(emptyEntry());
  const started = draft.comment !== "" || Object.values(draft.entries).some((entry) => JSON.stringify(entry) !== blank);
  return started ? JSON.stringify(draft) : "";
}

/** What a person typed rather than picked: worth showing when the request was settled elsewhere. */
export function typedTexts(draft: Draft): string[] {
  const texts = Object.values(draft.entries).flatMap((entry) => [entry.text, entry.other]);
  return [...texts, draft.comment].filter((text) => text.trim() !== "");
}

/** `null` for a question left out. */
export function toAnswer(question: QuestionView, entry: Entry): Answer | null {
  switch (question.type) {
    case "confirm":
      return entry.yes;
    case "text":
      return entry.text.trim() === "" ? null : entry.text;
    case "choice":
      if (entry.own) return entry.other.trim() === "" ? null : { chosen: [], other: entry.other };
      return entry.chosen[0] ?? null;
    case "multiChoice":
      if (entry.own && entry.other.trim() !== "") return { chosen: entry.chosen, other: entry.other };
      return entry.chosen.length === 0 ? null : entry.chosen;
  }
}

export function problem(question: QuestionView, entry: Entry): Problem | null {
  // "Other" marked without a word is unfinished, whether or not the question must be answered.
  if (entry.own && entry.other.trim() === "" && question.type !== "text") return "missing";
  const answer = toAnswer(question, entry);
  if (answer === null) return question.required ? "missing" : null;
  if (question.type === "text" && question.pattern !== null && !mayFit(question.pattern, entry.text)) return "pattern";
  return null;
}

export function toAnswers(questions: QuestionView[], draft: Draft): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const question of questions) {
    const answer = toAnswer(question, draft.entries[question.id] ?? emptyEntry());
    if (answer !== null) answers[question.id] = answer;
  }
  return answers;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
