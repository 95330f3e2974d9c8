// Rules of this folder that no compiler checks.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "../src/lib/i18n/en";
import { es } from "../src/lib/i18n/es";
import { mayFit } from "../src/lib/pattern";

const SRC = join(import.meta.dirname, "../src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|svelte|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(SRC, name), "utf8") }));
const code = files.filter(({ name }) => !name.includes("i18n/e") && !name.endsWith(".css"));

test("English and Spanish have the same keys, with the same blanks", () => {
  expect(Object.keys(es).sort()).toEqual(Object.keys(en).sort());
  const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort();
  for (const [key, text] of Object.entries(en)) expect([key, blanks(es[key as keyof typeof en])]).toEqual([key, blanks(text)]);
});

test("every key is used, and a plural has both forms", () => {
  const text = code.map((file) => file.text).join("\n");
  const built = [...text.matchAll(/`(\w+)\.\$\{/g)].map(([, stem]) => `${stem}.`);
  expect(built).toEqual(["said."]); // `said.${arrival.kind}`: its two keys are named below
  const unused = Object.keys(en).filter((key) => {
    const stem = key.replace(/_(one|other)$/, "");
    return !text.includes(`"${stem}"`) && !text.includes(`'${stem}'`) && !["said.pairing", "said.terminal"].includes(key);
  });
  expect(unused).toEqual([]);
  for (const key of Object.keys(en)) if (key.endsWith("_one")) expect(en).toHaveProperty([key.replace(/_one$/, "_other")]);
});

const markup = files.filter(({ name }) => name.endsWith(".svelte"));
test.each(["{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", " style=", " style:", "setAttribute(\"style"])("no file says %s", (banned) => {
  const searched = banned.startsWith(" style") ? markup : code;
  expect(searched.filter(({ text }) => text.includes(banned)).map(({ name }) => name)).toEqual([]);
});

test("only ipc.ts speaks to Tauri, and nothing is fetched or stored by the page", () => {
  expect(code.filter(({ text }) => text.includes("@tauri-apps/")).map(({ name }) => name)).toEqual([join("lib", "ipc.ts")]);
  const remote = /\bfetch\(|XMLHttpRequest|WebSocket|localStorage|sessionStorage|indexedDB/;
  expect(code.filter(({ text }) => remote.test(text)).map(({ name }) => name)).toEqual([]);
});

test("files stay near 300 lines", () => {
  expect(files.filter(({ text }) => text.split("\n").length > 330).map(({ name }) => name)).toEqual([]);
});

test.each([
  ["^[0-9]+$", "12", true], ["^[0-9]+$", "x", false], ["^\\d{4}-\\d{2}$", "2024-01", true], ["^\\d{4}-\\d{2}$", "24-01", false],
  ["^SPEC-\\d+$", "spec-1", false], ["[0-9]+", "x", true], ["(?i)^a$", "A", true], ["^(a+)+$", "aaaa!", true], ["^\\d+$", "٣", true], ["^a*a*a*a*$", "b", true], ["^[", "x", true],
  ["^[0-9]+ (days|weeks)$", "3 weeks", true], ["^[0-9]+ (days|weeks)$", "soon", false], ["^(a|a)(a|a)(a|a)(a|a)b$", "c", true], ["^((a))$", "b", true], ["^a|b$", "c", true],
])("a pattern the page can judge is judged, any other is left to the app: %s over %s", (pattern, text, fits) => {
  expect(mayFit(pattern, text)).toBe(fits);
});
