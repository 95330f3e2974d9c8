// Ages and countdowns in the person's language.
import { language } from "./i18n/index.svelte";

type Step = [limit: number, seconds: number, unit: "second" | "minute" | "hour" | "day"];
const STEPS: Step[] = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [Infinity, 86400, "day"],
];

// Building a formatter costs far more than using one, and a long list uses them each second.
const made = new Map<string, Intl.NumberFormat | Intl.RelativeTimeFormat | Intl.DateTimeFormat>();
function kept<T extends Intl.NumberFormat | Intl.RelativeTimeFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const found = (made.get(key) as T | undefined) ?? make();
  made.set(key, found);
  return found;
}

function step(ms: number): [amount: number, unit: Step[2]] {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [, size, unit] = STEPS.find(([limit]) => seconds < limit) ?? STEPS[3]!;
  return [Math.floor(seconds / size), unit];
}

/** "now", "2 min": as short as a list wants it. */
export function age(ms: number): string {
  return ms < 60_000 ? ago(0) : span(ms);
}

/** A length of time. */
export function span(ms: number): string {
  const [amount, unit] = step(ms);
  const locale = language();
  return kept(`${locale}:${unit}`, () => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" })).format(amount);
}

/** "40 seconds ago", "now". */
export function ago(ms: number): string {
  const [amount, unit] = step(ms);
  const locale = language();
  const format = kept(`${locale}:ago`, () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  return format.format(amount === 0 ? 0 : -amount, unit);
}

/** "3:20" below an hour, a length of time above. */
export function left(ms: number): string {
  if (ms >= 3_600_000) return span(ms);
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function moment(at: number): string {
  const locale = language();
  return kept(`${locale}:moment`, () => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })).format(at);
}

/** Whether a moment is within quiet hours such as `22:00-08:00`, by the clock on the wall. The app itself decides; this is what it shows. */
export function isQuiet(hours: string, at: number): boolean {
  const [from, to] = hours.split("-").map((part) => part.split(":").reduce((minutes, number) => minutes * 60 + Number(number), 0));
  if (from === undefined || to === undefined) return false;
  const date = new Date(at);
  const minute = date.getHours() * 60 + date.getMinutes();
  return from <= to ? from <= minute && minute < to : minute >= from || minute < to;
}
