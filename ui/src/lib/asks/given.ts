// What became of a file that was given, in a sentence.
import type { DecisionView } from "../bindings/DecisionView";
import { t } from "../i18n/index.svelte";
import { plain } from "../text";

export function saidOf(decision: DecisionView | null): string {
  const given = decision?.given;
  if (!given) return t("said.answered");
  return t(given.alreadyThere ? "said.file.there" : "said.file.copied", { path: plain(given.path) });
}
