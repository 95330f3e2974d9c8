// What became of a file that was given, in a sentence.
import type { RequestView } from "../bindings/RequestView";
import { t } from "../i18n/index.svelte";
import { plain } from "../text";

export function saidOf(file: RequestView["file"]): string {
  const given = file?.given;
  if (!given) return t("said.answered");
  return t(given.alreadyThere ? "said.file.there" : "said.file.copied", { path: plain(given.path) });
}
