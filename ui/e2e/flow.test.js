// A person at the keyboard, in the built page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as samples from "../tests/samples.js";
import { policy, start } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const many = (count) => (now) => Array.from({ length: count }, (_, at) =>
  samples.view(samples.row(now, `m${at}`, { title: `Question ${at}`, workspace: `w${Math.floor(at / 50)}`, createdAt: now - (count - at) * 1000 }),
    [samples.question("q", "choice", `Question ${at}`, { options: ["A", "B"], allowOther: true })]));
const listed = (requests) => (now) => samples.snapshot(now, { list: { revision: 1, rows: requests(now).map((one) => one.row) } });
const title = (page, words) => page.getByTestId("detail-title").filter({ hasText: words }).waitFor();

test("an inbox is answered without a mouse", async () => {
  const requests = many(3);
  const { page, faults, calls } = await browser.open({ requests, snapshot: listed(requests) });
  await title(page, "Question 0");
  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await title(page, "Question 1");
  await page.keyboard.press("j");
  await title(page, "Question 2");
  await page.keyboard.press("3");
  await page.keyboard.type("my own");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("words");
  await page.keyboard.press("Enter");
  await title(page, "Question 1");
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.getByTestId("empty").waitFor();
  assert.deepEqual((await calls("answer")).map(({ id, answers }) => [id, answers.q]), [["m0", "B"], ["m2", { chosen: [], other: "my own\nwords" }], ["m1", "A"]]);
  assert.deepEqual([faults, await policy(page)], [[], []]);
  await page.close();
});

test("the inputs themselves take a click, wherever on their card", async () => {
  const { page, calls } = await browser.open();
  await page.locator("[data-testid=row][data-id=r5]").click();
  await title(page, "Four things");
  await page.getByTestId("option").nth(0).click();
  await page.getByTestId("option").nth(4).click({ position: { x: 200, y: 8 } });
  await page.getByTestId("other-toggle").click();
  await page.getByTestId("confirm-yes").click();
  await page.getByTestId("send").click();
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "answer"));
  assert.deepEqual((await calls("answer"))[0].answers, { format: "CSV", columns: ["Amount", "Currency"], nightly: true });
  await page.close();
});

test("the own answer's field grows with its text", async () => {
  const requests = many(1);
  const { page } = await browser.open({ requests, snapshot: listed(requests) });
  const field = page.getByTestId("other-input");
  const low = (await field.boundingBox()).height;
  await field.fill("a\nb\nc\nd");
  const high = (await field.boundingBox()).height;
  assert.ok(high > low * 3, `${low} to ${high}`);
  await field.fill("a");
  assert.equal((await field.boundingBox()).height, low);
  await page.close();
});

test("with a thousand rows the list stays quick, and a new one moves nothing that is being read", async () => {
  const requests = many(1000);
  const { page, faults, calls } = await browser.open({ requests, snapshot: listed(requests) });
  await title(page, "Question 0");
  assert.equal(await page.getByTestId("row").count(), 1000);
  const list = page.locator(".list");
  await list.evaluate((pane) => { pane.scrollTop = 20_000; });
  await page.waitForTimeout(200);
  const look = () => list.evaluate((pane) => {
    const row = document.elementFromPoint(pane.getBoundingClientRect().left + 80, 400).closest(".row");
    return [row.dataset.id, Math.round(row.getBoundingClientRect().top)];
  });
  const before = await look();
  const now = Date.now();
  // into the first group, above what is in view
  const added = samples.view(samples.row(now, "new", { title: "A new one", workspace: "w0" }), [samples.question("q", "confirm", "A new one")]);
  await page.evaluate((one) => window.arrive(one), added);
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "painted"));
  assert.deepEqual(await calls("painted"), [{ id: "new" }]);
  assert.deepEqual(await look(), before);
  assert.equal(await page.getByTestId("detail-title").textContent(), "Question 0");

  const slowest = await page.evaluate(async () => {
    let worst = 0;
    for (let at = 0; at < 10; at += 1) {
      const from = performance.now();
      window.data.snapshot.list = { ...window.data.snapshot.list, revision: window.data.snapshot.list.revision + 1 };
      await window.push("list", window.data.snapshot.list);
      await new Promise((frame) => requestAnimationFrame(frame));
      worst = Math.max(worst, performance.now() - from);
    }
    return worst;
  });
  assert.ok(slowest < 500, `a push of a thousand rows took ${slowest} ms`);
  assert.deepEqual(faults, []);
  await page.close();
});

test("a hostile text stays text", async () => {
  const words = "<img src=x onerror=alert(1)><script>alert(1)</script>";
  const requests = (now) => [samples.view(samples.row(now, "x", { title: words }), [samples.question("q", "choice", words, { options: [words, "B"] })])];
  const { page, faults } = await browser.open({ requests, snapshot: listed(requests) });
  await title(page, words);
  assert.equal(await page.locator("#app img, #app script").count(), 0);
  assert.deepEqual([faults, await policy(page)], [[], []]);
  await page.close();
});
