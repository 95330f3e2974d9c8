// What the person says to single lines of a plan, and the draft that keeps it with the comment.
import type { SafeText } from "../bindings/SafeText";
import { plain } from "../text";

export interface Remark {
  /** from 1 */
  line: number;
  quote: string;
  text: string;
}

export class Remarks {
  all = $state<Remark[]>([]);
  /** the line whose remark is being written */
  open = $state<number | null>(null);

  /** Those with words in them, in the order of their lines. */
  readonly said = $derived(this.all.filter((one) => one.text.trim() !== "").sort((a, b) => a.line - b.line));

  on(line: number): Remark | undefined {
    return this.all.find((one) => one.line === line);
  }

  /** The remark of a line, to be written; what stood open elsewhere and is empty goes. */
  write(line: number, quote: string): void {
    this.close();
    if (!this.on(line)) this.all.push({ line, quote, text: "" });
    this.open = line;
  }

  close(): void {
    this.open = null;
    this.all = this.all.filter((one) => one.text.trim() !== "");
  }

  remove(line: number): void {
    if (this.open === line) this.open = null;
    this.all = this.all.filter((one) => one.line !== line);
  }

  set(all: Remark[]): void {
    this.all = all;
    this.open = null;
  }
}

/** The draft of a plan: the comment as for any request, and the remarks. */
export function writePlanDraft(comment: string, remarks: Remark[]): string {
  if (comment.trim() === "" && remarks.length === 0) return "";
  return JSON.stringify({ entries: {}, comment, ...(remarks.length > 0 ? { remarks } : {}) });
}

/** The remarks of a draft, as far as they can be read. */
export function readRemarks(json: string | null): Remark[] {
  try {
    const kept: unknown = json ? (JSON.parse(json) as { remarks?: unknown } | null)?.remarks : null;
    return Array.isArray(kept) ? kept.filter(isRemark).map(({ line, quote, text }) => ({ line, quote, text })) : [];
  } catch {
    return [];
  }
}

/**
 * The remarks on one plan, for the next: each goes to the line that says the same, the nearest of several. What was said of a line
 * that is gone becomes words, so that nothing is lost.
 */
export function follow(remarks: Remark[], lines: SafeText[]): { kept: Remark[]; words: string } {
  const places = new Map<string, number[]>();
  lines.forEach((line, at) => {
    const words = plain(line);
    const all = places.get(words);
    if (all) all.push(at + 1);
    else places.set(words, [at + 1]);
  });
  const kept: Remark[] = [];
  const gone: string[] = [];
  for (const remark of remarks) {
    const near = (places.get(remark.quote) ?? [])
      .filter((line) => !kept.some((one) => one.line === line))
      .sort((a, b) => Math.abs(a - remark.line) - Math.abs(b - remark.line))[0];
    if (near === undefined) gone.push(`“${remark.quote}”: ${remark.text}`);
    else kept.push({ ...remark, line: near });
  }
  return { kept, words: gone.join("\n") };
}

const isRemark = (value: unknown): value is Remark => {
  const one = value as Partial<Remark> | null;
  return typeof one === "object" && one !== null && Number.isInteger(one.line) && one.line! > 0 && typeof one.quote === "string" && typeof one.text === "string";
};
