// Sizes of files in the person's language. Whether one fits is the app's to say, over bytes.
import { language } from "../i18n/index.svelte";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount.toLocaleString(language(), { maximumFractionDigits: unit === 0 || amount >= 100 ? 0 : 1 })}\u00a0${UNITS[unit]}`;
}
