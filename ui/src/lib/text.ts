// Text from agents arrives as spans: the app has already turned every control, bidirectional and
// look-alike character into a visible escape. Here spans become plain strings for names and titles.
import type { SafeText } from "./bindings/SafeText";
import { MASK } from "./secrets.svelte";

export const mark = (escape: string) => `⟦${escape}⟧`;

export const plain = (spans: SafeText): string =>
  spans.map((span) => (span.kind === "escape" ? mark(span.text) : span.kind === "secret" ? MASK : span.text)).join("");

/** A text that comes raw because it is also a value: what it hides is marked as the app would. */
export const visible = (raw: string): string =>
  raw.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => mark(`U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`));
