// What a person changed in a step's arguments, line by line, to be looked at before it counts.
import type { DiffLine } from "../bindings/DiffLine";
import type { SafeText } from "../bindings/SafeText";
import { visible } from "../text";

/** Beyond so many pairs of lines all of what differs is shown as gone and come. */
const MOST = 1_000_000;
const AROUND = 2;

export type Checked = { problem: "empty" | "json" | "object" | "same"; detail: string } | { problem: null };

/** Whether what was typed may go to the host: a JSON object that says something else. */
export function check(before: string, edited: string): Checked {
  if (edited.trim() === "") return { problem: "empty", detail: "" };
  let value: unknown;
  try {
    value = JSON.parse(edited);
  } catch (thrown) {
    return { problem: "json", detail: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "object", detail: "" };
  return before.trim() === edited.trim() ? { problem: "same", detail: "" } : { problem: null };
}

/** Raw text as it may be drawn. */
export function safe(raw: string): SafeText {
  return visible(raw).split(/(⟦U\+[0-9A-F]+⟧)/).filter((part) => part !== "")
    .map((part) => (/^⟦U\+[0-9A-F]+⟧$/.test(part) ? { kind: "escape", text: part.slice(1, -1) } : { kind: "text", text: part }));
}

export function changed(before: string, after: string): DiffLine[] {
  const [old, now] = [before.trimEnd().split("\n"), after.trimEnd().split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const end = old.slice(old.length - tail);
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return folded([...old.slice(0, head).map(same), ...middle, ...end.map(same)]);
}

function between(old: string[], now: string[]): DiffLine[] {
  if (old.length * now.length > MOST) return [...old.map((one) => line("removed", one)), ...now.map((one) => line("added", one))];
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = old[i] === now[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(same(old[i]!));
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      lines.push(line("removed", old[i++]!));
    } else {
      lines.push(line("added", now[j++]!));
    }
  }
  return lines;
}

/** Lines that stay are shown near those that don't. */
function folded(lines: DiffLine[]): DiffLine[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((one) => one.kind !== "same"));
  const shown: DiffLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const last = shown.at(-1);
    if (near[at]) shown.push(lines[at]!);
    else if (last?.kind === "gap") last.lines += 1;
    else shown.push({ kind: "gap", spans: [], lines: 1, end: null });
  }
  return shown;
}

const same = (text: string) => line("same", text);
const line = (kind: DiffLine["kind"], text: string): DiffLine => ({ kind, spans: [{ changed: false, text: safe(text) }], lines: 0, end: null });
