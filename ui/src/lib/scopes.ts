// What an agent may do, in plain words, in the order in which it is shown.
import type { Scope } from "./bindings/Scope";
import { t } from "./i18n/index.svelte";

export const SCOPES: Scope[] = ["ask", "specs", "folders"];

/** `own` is the name of the agent's own folder; without one it may work anywhere. */
export function scopeName(scope: Scope, own: string | null): string {
  if (scope === "folders") return own === null ? t("scope.folders.any") : t("scope.folders", { folder: own });
  return t(scope === "ask" ? "scope.ask" : "scope.specs");
}

/** The list with this scope in or out, in its usual order. */
export function withScope(scopes: readonly Scope[], scope: Scope, on: boolean): Scope[] {
  return SCOPES.filter((one) => (one === scope ? on : scopes.includes(one)));
}
