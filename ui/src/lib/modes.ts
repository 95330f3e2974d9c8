// The words for a session's modes. A mode that this page doesn't know yet is called by its own word.
import { t, type Word } from "./i18n/index.svelte";

const NAMES: Record<string, Word> = { autonomous: "mode.autonomous", guided: "mode.guided", interactive: "mode.interactive", plan: "mode.plan" };

/** Those that a person can switch between, with what each means. */
export const SWITCHABLE: { mode: string; why: Word }[] = [
  { mode: "guided", why: "modes.guided" },
  { mode: "interactive", why: "modes.interactive" },
  { mode: "plan", why: "modes.plan" },
];

export const modeName = (mode: string): string => (NAMES[mode] ? t(NAMES[mode]) : mode);
