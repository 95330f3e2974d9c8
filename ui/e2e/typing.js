// How smoothly the built page goes on in Chromium while a person types with many requests open; figures for benches/README.md.
//     node e2e/typing.js [OPEN]        200 unless told otherwise
import * as samples from "../tests/samples.js";
import { start } from "./page.js";

const open = Number(process.argv[2] ?? 200);
const TEXT = "how long should the sender keep trying before it gives up ".repeat(4);

const requests = (now) => Array.from({ length: open }, (_, n) => {
  const row = samples.row(now, `r${n}`, { title: `Question ${n}: which policy for account ${n}?`, workspace: `w${n % 5}` });
  return samples.view(row, [{ ...samples.question("answer", "choice", `Question ${n}`), allowOther: true }]);
});
const snapshot = (now) => ({ ...samples.snapshot(now), list: { revision: 1, rows: requests(now).map((one) => one.row) } });

function record() {
  const box = (window.frames = []);
  let last = performance.now();
  const step = (now) => { box.push(now - last); last = now; window.recording = requestAnimationFrame(step); };
  cancelAnimationFrame(window.recording);
  window.recording = requestAnimationFrame(step);
}

function told(name, frames) {
  const sorted = frames.slice(5).sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1);
  const late = sorted.filter((frame) => frame > 17.7).length;
  console.log(`${name.padEnd(34)} ${String(sorted.length).padStart(5)} frames   median ${at(0.5)} ms   p95 ${at(0.95)}   p99 ${at(0.99)}   worst ${at(1)}   over a frame ${late}`);
}

const browser = await start();
const { page } = await browser.open({ requests, snapshot });
await page.locator("[data-testid=detail]").waitFor();
console.log(`${open} open requests; ${await page.locator("[data-testid=row]").count()} rows drawn`);

async function typed(name, field) {
  await field.click();
  await page.evaluate(record);
  await page.keyboard.type(TEXT, { delay: 33 });
  told(name, await page.evaluate(() => window.frames));
}

await typed("an own answer, drafts kept", page.getByTestId("other-input").first());
await typed("the search of the list", page.getByTestId("search"));
await page.evaluate(() => {
  for (const kind of ["keydown", "keyup", "input"]) addEventListener(kind, (event) => event.stopImmediatePropagation(), true);
  document.querySelector(".page").append(Object.assign(document.createElement("textarea"), { id: "peer" }));
});
await typed("the peer: a bare field in it", page.locator("#peer"));
await browser.stop();
