// docs/asking.md, row by row.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readReply } from "../dist/index.js";

const options = ["Alpha", "Beta", "Gamma, with cheese"];
const QUESTIONS = {
  one: { type: "choice", options, allowOther: true },
  several: { type: "multiChoice", options, allowOther: true },
  "closed one": { type: "choice", options },
  "closed several": { type: "multiChoice", options },
  text: { type: "text" },
  confirm: { type: "confirm" },
};

/** As the table writes it. */
function outcome(question, text) {
  const reply = readReply(question, text);
  if ("blank" in reply) return "nothing yet";
  if ("refused" in reply) return "refused";
  const { value, comment } = reply;
  const said = [];
  if (question.type === "text") said.push(`“${value}”`);
  else if (typeof value === "boolean") said.push(value ? "yes" : "no");
  else if (typeof value === "string") said.push(value);
  else if (Array.isArray(value)) said.push(...value);
  else said.push(...value.chosen, `own words “${value.other}”`);
  if (comment) said.push(`comment “${comment}”`);
  return said.join("; ").replaceAll("\n", "⏎");
}

test("every row of the table is what happens here too", () => {
  const page = readFileSync(new URL("../../../docs/asking.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  assert.ok(rows.length >= 60);
  for (const row of rows) {
    const [written, kind, , here] = row.replace(/^\||\|$/g, "").split(" | ").map((cell) => cell.trim());
    const signs = { "⏎": "\n", "␍": "\r", "␣": " ", "⌑": "\uFEFF" };
    const text = written.replace(/^`|`$/g, "").replace(/[⏎␍␣⌑]/g, (sign) => signs[sign]);
    assert.equal(outcome(QUESTIONS[kind], text), here, row);
  }
});

test("an option that looks like the number of another is itself", () => {
  const question = { type: "choice", options: ["2", "4", "8"], allowOther: true };
  assert.deepEqual(readReply(question, "2"), { value: "2" });
  assert.deepEqual(readReply(question, "3"), { value: "8" });
});
