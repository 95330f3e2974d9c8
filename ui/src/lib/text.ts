// Text from agents arrives as spans: the app has already turned every control, bidirectional and
// look-alike character into a visible escape. Here spans become plain strings for names and titles.
import type { SafeText } from "./bindings/SafeText";

export const mark = (escape: string) => `⟦${escape}⟧`;

export const plain = (spans: SafeText): string =>
  spans.map((span) => (span.kind === "escape" ? mark(span.text) : span.text)).join("");
