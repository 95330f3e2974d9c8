// What a step does, and what a rule or a remembered decision covers, in the person's words.
import type { Effect } from "../bindings/Effect";
import type { ProposalView } from "../bindings/ProposalView";
import type { RuleDraft } from "../bindings/RuleDraft";
import type { RuleView } from "../bindings/RuleView";
import type { SafeText } from "../bindings/SafeText";
import type { StepKind } from "../bindings/StepKind";
import type { StepWarning } from "../bindings/StepWarning";
import type { Until } from "../bindings/Until";
import { t, type Word } from "../i18n/index.svelte";
import { plain } from "../text";
import { safe } from "./changed";

export const KINDS: Record<StepKind, Word> = {
  reads: "step.reads", writes: "step.writes", executes: "step.executes", network: "step.network", destroys: "step.destroys", unknown: "step.unknown",
};
export const WARNINGS: Record<StepWarning, Word> = {
  production: "warning.production", own: "warning.own", outside: "warning.outside", unreadable: "warning.unreadable", destroys: "warning.destroys",
};
export const EFFECTS: Record<Effect, Word> = { allow: "effect.allow", ask: "effect.ask", deny: "effect.deny" };
export const UNTIL: Record<Until, Word> = { session: "until.session", hour: "until.hour", good: "until.good" };
export const OPERATORS: Record<string, Word> = { "&&": "operator.and", "||": "operator.or", "|": "operator.pipe", "|&": "operator.pipe", ";": "operator.then", "&": "operator.beside" };

/** A sentence's piece with blanks that are texts of an agent's. */
export interface Phrase {
  word: Word;
  slots: Record<string, SafeText>;
}

/** Words as they stand in a line. */
export const spaced = (words: SafeText[]): SafeText => words.flatMap((word, at): SafeText => (at === 0 ? word : [{ kind: "text", text: " " }, ...word]));

interface Covered {
  tool: SafeText | null;
  prefix: SafeText[] | null;
  exact: SafeText | null;
  path: SafeText | null;
  workspace: SafeText | null;
}

function covers({ tool, prefix, exact, path, workspace }: Covered): Phrase[] {
  const phrases: Phrase[] = [];
  if (exact) phrases.push({ word: "covers.exact", slots: { what: exact } });
  else if (prefix) phrases.push({ word: "covers.prefix", slots: { what: [...spaced(prefix), { kind: "text", text: " …" }] } });
  else phrases.push(tool ? { word: "covers.tool", slots: { tool } } : { word: "covers.any", slots: {} });
  if (path) phrases.push({ word: "covers.beneath", slots: { path } });
  phrases.push(workspace ? { word: "covers.in", slots: { where: workspace } } : { word: "covers.everywhere", slots: {} });
  return phrases;
}

export const proposalCovers = (proposal: ProposalView, workspace: SafeText): Phrase[] =>
  covers({ ...proposal, exact: proposal.exact && proposal.prefix ? spaced(proposal.prefix) : null, workspace });

export const ruleCovers = (rule: RuleView): Phrase[] => covers(rule);

export function draftCovers(draft: RuleDraft): Phrase[] {
  const command = draft.command === null ? null : safe(draft.command);
  const maybe = (text: string | null) => (text === null ? null : safe(text));
  return covers({
    tool: maybe(draft.tool), prefix: command && !draft.exact ? [command] : null, exact: draft.exact ? command : null, path: maybe(draft.path), workspace: maybe(draft.workspace && folderName(draft.workspace)),
  });
}

export const folderName = (path: string): string => path.replace(/[\\/]+$/, "").split(/[\\/]/).at(-1) || path;

/** For names that a screen reader says. */
export const said = (phrases: Phrase[]): string =>
  phrases.map(({ word, slots }) => t(word, Object.fromEntries(Object.entries(slots).map(([name, text]) => [name, plain(text)])))).join(" ");
