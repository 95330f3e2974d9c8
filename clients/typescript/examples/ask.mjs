// Asks four things: in the Countersign inbox if it runs, in this terminal, and by the answer file of a run folder.
// npm run build && node examples/ask.mjs [RUN_FOLDER]

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { askForChoice, askForDecision, askForManualIntervention, askForText, setInteractionPort } from "../dist/index.js";

const run = process.argv[2] ?? join(tmpdir(), "countersign-ask");
mkdirSync(run, { recursive: true });
console.log(`Answer in Countersign, here, or by writing ${run}/approval-response.txt`);

/** A terminal that has nothing but lines: choices and texts come as decisions, the options numbered. */
async function inTerminal(prompt, hint, signal) {
  console.log(`\n=== ${prompt.title} ===\n${(prompt.lines ?? []).join("\n")}`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(`${prompt.question ?? hint} `, { signal });
  } finally {
    lines.close();
  }
}

if (process.stdin.isTTY) {
  setInteractionPort({
    askDecision: (prompt, signal) => inTerminal(prompt, "y or n?", signal),
    askManualIntervention: (prompt, signal) => inTerminal(prompt, "Enter when it is done, n if it can't be.", signal),
    notify: (message) => console.log(`(${message})`),
  });
}

console.log(await askForChoice(run, { title: "Export", lines: ["Which format?"] }, ["PDF", "Word", "Markdown"]));
console.log(await askForText(run, { title: "Name", lines: ["What shall it be called?"] }));
console.log(await askForDecision(run, { title: "Upload", lines: ["1 file goes to the shared folder."], question: "Upload it?" }));
console.log(await askForManualIntervention(run, { title: "Log in", lines: ["1. Open the page", "2. Log in"], question: "Done?" }));
