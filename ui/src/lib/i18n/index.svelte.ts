// The page's words. A key that ends in _one or _other is a plural: `t("rows", { count })` picks one.
import { en } from "./en";
import { es } from "./es";

export type Language = "en" | "es";
export type Key = keyof typeof en;
type Plural<K> = K extends `${infer Stem}_other` ? Stem : never;
export type Word = Exclude<Key, `${string}_one` | `${string}_other`> | Plural<Key>;

const catalogues: Record<Language, Record<Key, string>> = { en, es };
let preference = $state<"system" | Language>("system");

/** A language, or any other word for the system's. */
export function speak(wanted: string): void {
  preference = wanted === "en" || wanted === "es" ? wanted : "system";
}

export function language(): Language {
  if (preference !== "system") return preference;
  return navigator.language.toLowerCase().startsWith("es") ? "es" : "en";
}

export function t(word: Word, params: Record<string, string | number> = {}): string {
  const locale = language();
  const catalogue: Record<string, string> = catalogues[locale];
  const count = params.count;
  const plural = typeof count === "number" ? `${word}_${new Intl.PluralRules(locale).select(count)}` : word;
  // Spanish has a rule for millions ("many") that reads like the general one here.
  const text = catalogue[plural] ?? catalogue[word] ?? catalogue[`${word}_other`] ?? word;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === "number" ? value.toLocaleString(locale) : value;
  });
}
