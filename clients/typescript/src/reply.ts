// What a person wrote in plain text, read as an answer: docs/asking.md has the table of cases, and a test reads it. The same rules
// as countersign_core::reply.

/** What can be asked. */
export interface Question {
  type: "choice" | "multiChoice" | "text" | "confirm";
  options?: readonly string[];
  allowOther?: boolean;
}

/** An answer as the app takes it, and what was said beside it. */
export type Value = string | boolean | string[] | { chosen: string[]; other: string };

export type Reply = { value: Value; comment?: string } | { blank: true } | { refused: string };

const YES = ["y", "yes", "true", "s", "si", "sí", "1", "done"];
const NO = ["n", "no", "false", "q", "2"];
const OWN = /^(?:other|otra|otro):/i;
const QUOTES = [["\"", "\""], ["'", "'"], ["“", "”"], ["«", "»"]] as const;

/** Without a byte order mark, with \n alone between lines, and without blanks around it. */
export function tidy(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").trim();
}

/** Reads what was written as the answer to one question. */
export function read(question: Question, written: string): Reply {
  const text = tidy(written);
  if (text === "") return { blank: true };
  switch (question.type) {
    case "text":
      return { value: text };
    case "confirm":
      return confirmed(text);
    case "choice":
      return chosenOne(question, text);
    case "multiChoice":
      return chosenSome(question, text);
  }
}

function withComment(value: Value, comment: string | undefined): Reply {
  return comment ? { value, comment } : { value };
}

function confirmed(text: string): Reply {
  const [first, rest] = firstLine(text);
  const word = first.trim().replace(/[.!]+$/, "").toLowerCase();
  if (YES.includes(word)) return withComment(true, rest);
  // A no may say why in the same line; a yes stands alone, for "yes, but …" is none.
  const start = word.split(/[,:;]/)[0]?.trim() ?? "";
  if (NO.includes(start)) {
    const cut = first.search(/[,:;]/);
    const why = cut < 0 ? "" : first.slice(cut + 1).trim();
    return withComment(false, [why, rest].filter(Boolean).join("\n"));
  }
  return { refused: `it takes yes or no alone in the first line; “${first.trim().slice(0, 200)}” is neither` };
}

function chosenOne(question: Question, text: string): Reply {
  const whole = optionOf(question, text);
  if (whole !== undefined) return { value: whole };
  const [first, rest] = firstLine(text);
  const labels = selected(question, first);
  if (labels?.length === 1 && labels[0] !== undefined) return withComment(labels[0], rest);
  const words = ownWords(text);
  if (!question.allowOther) return { refused: `“${words.slice(0, 200)}” is none of the options` };
  return { value: { chosen: [], other: words } };
}

function chosenSome(question: Question, text: string): Reply {
  const whole = optionOf(question, text);
  if (whole !== undefined) return { value: [whole] };
  const found: string[] = [];
  const lines = text.split("\n");
  while (lines.length > 0) {
    const line = lines[0] ?? "";
    const labels = line.trim() === "" ? [] : selected(question, line);
    if (labels === undefined) break;
    found.push(...labels);
    lines.shift();
  }
  const chosen = (question.options ?? []).filter((option) => found.includes(option));
  const words = ownWords(lines.join("\n").trim());
  if (words === "") return { value: chosen };
  if (question.allowOther) return { value: { chosen, other: words } };
  if (chosen.length === 0) return { refused: `“${words.slice(0, 200)}” is none of the options` };
  return withComment(chosen, words);
}

/** Options that this line is a selection of: numbers or options' texts, and nothing else. */
function selected(question: Question, line: string): string[] | undefined {
  const whole = optionOf(question, line);
  if (whole !== undefined) return [whole];
  const number = (piece: string): string | undefined => {
    const digits = piece.replace(/[.)]+$/, "");
    return /^[0-9]+$/.test(digits) ? question.options?.[Number(digits) - 1] : undefined;
  };
  const all = (pieces: string[], one: (piece: string) => string | undefined): string[] | undefined => {
    const labels = pieces.filter((piece) => piece.trim() !== "").map(one);
    const kept = labels.filter((label): label is string => label !== undefined);
    return labels.length > 0 && kept.length === labels.length ? [...new Set(kept)] : undefined;
  };
  return all(line.split(/[,;\s]+/), number) ?? all(line.split(/[,;]/), (piece) => optionOf(question, piece));
}

/** The option of exactly this text; else the only one that differs in nothing but case or quotes around it. */
function optionOf(question: Question, given: string): string | undefined {
  const text = given.trim();
  const options = question.options ?? [];
  const exact = (wanted: string) => options.find((option) => option.trim() === wanted);
  const quote = QUOTES.find(([open, close]) => text.length > 1 && text.startsWith(open) && text.endsWith(close));
  const bare = quote ? text.slice(1, -1) : text;
  const alike = options.filter((option) => option.toLowerCase() === bare.toLowerCase());
  return exact(text) ?? exact(bare) ?? (alike.length === 1 ? alike[0] : undefined);
}

/** What is said after `Other:`, which makes own words of what would else select; else the text itself. */
function ownWords(text: string): string {
  const after = text.replace(OWN, "").trim();
  return OWN.test(text) && after !== "" ? after : text;
}

function firstLine(text: string): [string, string | undefined] {
  const end = text.indexOf("\n");
  return end < 0 ? [text, undefined] : [text.slice(0, end), text.slice(end + 1).trim() || undefined];
}
