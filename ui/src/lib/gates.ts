// What a gate asks, in the person's words. Its own words are English, for models read them, and they are what is decided on:
// these stand beside them, never in their place.
import type { QuestionView } from "./bindings/QuestionView";
import type { RequestView } from "./bindings/RequestView";
import type { SafeText } from "./bindings/SafeText";
import { language, t, type Word } from "./i18n/index.svelte";
import { plain } from "./text";

const ASKS: Record<string, Word> = {
  "confirm-duplicate-title": "gate.duplicate",
  "choose-spec": "gate.choose",
  "confirm-lock-draft": "gate.lock",
  "confirm-low-criteria": "gate.low",
  "confirm-unmet-criteria": "gate.unmet",
  "confirm-drop-criteria": "gate.drop",
  "confirm-delete": "dialog.ask.delete",
  "confirm-trust": "dialog.ask.trust",
  "confirm-target-env": "dialog.ask.deploy",
  "confirm-overwrite-locked": "dialog.ask.overwrite",
};
const OPTIONS: Record<string, Word> = { "use the existing one": "gate.use", "create anyway": "gate.create" };

/** A heading, where the person's language isn't that of the gate. */
export function gateAsks(view: RequestView): string | null {
  const word = view.gate && language() !== "en" ? ASKS[view.questions[0]?.id ?? ""] : undefined;
  if (!word) return null;
  const id = view.spec?.id ?? t("gate.it");
  return t(word === "dialog.ask.overwrite" && view.row.kind === "unlock_spec" ? "dialog.ask.unlock" : word, { id, word: id });
}

/** An option of a gate: in the person's words, with its own behind. */
export function gateOption(view: RequestView, question: QuestionView, label: SafeText): SafeText {
  const word = view.gate && language() !== "en" && question.id === "confirm-duplicate-title" ? OPTIONS[plain(label)] : undefined;
  return word ? [{ kind: "text", text: `${t(word)} · ` }, ...label] : label;
}
