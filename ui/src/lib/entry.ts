// What a person has put in for one question so far, and what of it becomes an answer.
// The draft kept by the app is this, as JSON that only this file reads and writes.
import type { Answer } from "./bindings/Answer";
import type { QuestionView } from "./bindings/QuestionView";
import { mayFit } from "./pattern";
import { visible } from "./text";

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
  /** a step's arguments, once the person edited them */
  edited?: string;
}

export type Problem = "missing" | "pattern";

export const emptyEntry = (): Entry => ({ chosen: [], own: false, other: "", text: "", yes: null });

/** What a question starts with: its default, chosen, if it has one that fits it. */
export function startEntry(question: QuestionView): Entry {
  const entry = emptyEntry();
  const preset: unknown = question.default;
  if (question.type === "confirm") {
    if (typeof preset === "boolean") entry.yes = preset;
  } else if (question.type === "text") {
    // a field can't mark what a text hides, so such a text isn't put into the person's mouth
    if (typeof preset === "string" && visible(preset) === preset) entry.text = preset;
  } else {
    const own = isObject(preset) ? preset : { chosen: Array.isArray(preset) ? preset : [preset] };
    const named = Array.isArray(own.chosen) ? own.chosen : [];
    entry.chosen = question.options.map((option) => option.value).filter((value) => named.includes(value));
    if (question.allowOther && typeof own.other === "string" && own.other !== "") {
      entry.own = true;
      entry.other = own.other;
    }
  }
  return entry;
}

export function startDraft(questions: QuestionView[]): Draft {
  return { entries: Object.fromEntries(questions.map((q) => [q.id, startEntry(q)])), comment: "" };
}

/** A draft from an older version or a damaged one counts for what can be read of it. */
export function readDraft(questions: QuestionView[], json: string | null): Draft {
  const draft = startDraft(questions);
  let kept: unknown = null;
  try {
    kept = json ? JSON.parse(json) : null;
  } catch {
    return draft;
  }
  if (!isObject(kept)) return draft;
  if (typeof kept.comment === "string") draft.comment = kept.comment;
  if (typeof kept.edited === "string") draft.edited = kept.edited;
  const entries = isObject(kept.entries) ? kept.entries : {};
  for (const question of questions) {
    const from = entries[question.id];
    if (!isObject(from)) continue;
    const entry = (draft.entries[question.id] = emptyEntry());
    const values = new Set(question.options.map((option) => option.value));
    if (Array.isArray(from.chosen)) entry.chosen = from.chosen.filter((value) => values.has(value));
    if (typeof from.own === "boolean") entry.own = from.own && question.allowOther;
    if (typeof from.other === "string") entry.other = from.other;
    if (typeof from.text === "string") entry.text = from.text;
    if (typeof from.yes === "boolean") entry.yes = from.yes;
  }
  return draft;
}

/** The empty string says that there is nothing to keep: all is as the request came. */
export function writeDraft(questions: QuestionView[], draft: Draft): string {
  const json = JSON.stringify(draft);
  return json === JSON.stringify(startDraft(questions)) ? "" : json;
}

/** What a person typed rather than picked: worth showing when the request was settled elsewhere. */
export function typedTexts(questions: QuestionView[], draft: Draft): string[] {
  const texts = questions.flatMap((question) => {
    const [start, entry] = [startEntry(question), draft.entries[question.id] ?? emptyEntry()];
    return [entry.text === start.text ? "" : entry.text, entry.other === start.other ? "" : entry.other];
  });
  return [...texts, draft.comment, draft.edited ?? ""].filter((text) => text.trim() !== "");
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
