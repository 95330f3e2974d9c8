// What agents ask beyond a question, and plans in the inbox, as looks.js looks at them; then by hand.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as asks from "../tests/asks.js";
import * as samples from "../tests/samples.js";
import { looks } from "./looks.js";
import { SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const now = Date.now();
const requests = (at) => [...asks.requests(at), samples.requests(at).find((one) => one.row.id === "r5"), samples.view(samples.row(at, "p1", { state: "answered" }), [], { context: asks.pastBlocks() })];
const rows = asks.requests(now).concat(samples.requests(now).find((one) => one.row.id === "r5")).map((one) => one.row);
const over = { list: { revision: 1, rows } };
const choose = (id) => async (page) => {
  await page.locator(`[data-testid=row][data-id=${id}]`).click();
  await page.locator(`[data-testid=detail][data-id=${id}]`).waitFor();
};
const picked = async (page) => { await choose("a3")(page); await page.getByTestId("pick-file").click(); await page.getByTestId("found").waitFor(); };

const SCREENS = {
  "ask-approval": { prepare: async (page) => { await choose("a1")(page); await page.keyboard.press("1"); } },
  "ask-manual": { prepare: async (page) => { await choose("a2")(page); await page.getByTestId("confirm-no").check({ force: true }); } },
  "ask-file": { prepare: choose("a3") },
  "ask-file-over": { prepare: async (page) => { await choose("a3")(page); await page.evaluate(() => window.push("tauri://drag-enter", { paths: ["/a"], position: { x: 1, y: 1 } })); await page.locator(".drop.over").waitFor(); } },
  "ask-file-found": { prepare: picked },
  "ask-file-large": { prepare: async (page) => { await choose("a3")(page); await page.getByTestId("file-path").fill("~/Videos/film.mp4"); await page.getByTestId("found").waitFor(); } },
  "ask-retire": { prepare: choose("a4") },
  "ask-many": { prepare: choose("r5") },
  "ask-plan": { prepare: async (page) => { await choose("r3")(page); await page.locator("[data-testid=plan-changes] summary").click(); await page.locator("[data-testid=plan-past] summary").click(); await page.getByTestId("past").first().waitFor(); } },
};
looks("asking tool", Object.fromEntries(Object.entries(SCREENS).map(([name, one]) => [name, { over, requests, ...one }])), () => browser);

test("with room for both the tasks stand beside the request, also when they are many", async () => {
  for (const theme of ["light", "dark"]) {
    const { page } = await browser.open({ size: { width: 1480, height: 900 }, requests: (at) => [asks.file(at), asks.approval(at, { todos: asks.manyTodos(20, 10) })], snapshot: (at) => samples.snapshot(at, { ...over, status: { theme } }) });
    await choose("a1")(page);
    const [todos, title] = await Promise.all([page.getByTestId("todos").boundingBox(), page.getByTestId("detail-title").boundingBox()]);
    assert.ok(todos.x > title.x + title.width, "beside");
    await page.screenshot({ path: join(SHOTS, `ask-beside-${theme}.png`) });
    assert.deepEqual(await violations(page), []);
    await page.getByTestId("todos-after").click();
    assert.equal(await page.getByTestId("todo").count(), 20);
    await page.close();
  }
});

test("a file is given by hand, without a mouse", async () => {
  const { page, calls, faults } = await browser.open({ requests: (at) => [asks.file(at)], snapshot: (at) => samples.snapshot(at, { list: { revision: 1, rows: [asks.file(at).row] } }) });
  await page.getByTestId("file-path").waitFor();
  await page.getByTestId("detail-title").focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "pick-file");
  await page.keyboard.press("Tab");
  await page.keyboard.type("\"~/My files/a.pdf\"");
  await page.getByTestId("found").waitFor();
  await page.keyboard.press("Enter");
  await page.getByTestId("empty").waitFor();
  assert.deepEqual((await calls("give_file")).map(({ path }) => path), ["~/My files/a.pdf"]);
  assert.deepEqual(faults, []);
  await page.close();
});
