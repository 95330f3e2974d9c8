// A person at the keyboard, in the built page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as samples from "../tests/samples.js";
import { policy, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const many = (count, inOne = 50) => (now) => Array.from({ length: count }, (_, at) =>
  samples.view(samples.row(now, `m${at}`, { title: `Question ${at}`, workspace: `w${Math.floor(at / inOne)}`, createdAt: now - (count - at) * 1000 }),
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

for (const inOne of [1, 50, 1000]) test(`to send costs the same however many rows there are: ${inOne} a group`, async () => {
  // what the page does while one answer goes out, from the middle of a list of this many
  async function work(count) {
    const requests = many(count, inOne);
    const { page, faults } = await browser.open({ requests, snapshot: listed(requests) });
    await title(page, "Question 0");
    await page.locator(".list").evaluate((pane) => { pane.scrollTop = pane.scrollHeight / 2; });
    await page.waitForTimeout(100);
    const id = await page.locator(".list").evaluate((pane) => {
      const row = document.elementFromPoint(pane.getBoundingClientRect().left + 80, 400).closest(".row");
      row.click();
      return row.dataset.id;
    });
    await page.locator(`[data-testid=detail][data-id=${id}]`).waitFor();
    await page.keyboard.press("1");
    await page.evaluate(() => {
      window.work = { reads: 0, changes: 0 };
      const counted = (of, name) => {
        const was = Object.getOwnPropertyDescriptor(of, name);
        const count = (does) => function (...given) { window.work.reads += 1; return does.apply(this, given); };
        Object.defineProperty(of, name, was.value ? { ...was, value: count(was.value) } : { ...was, get: count(was.get) });
      };
      for (const name of ["getBoundingClientRect", "getClientRects", "scrollIntoView", "clientHeight", "scrollHeight", "scrollTop"]) counted(Element.prototype, name);
      for (const name of ["offsetTop", "offsetHeight", "innerText"]) counted(HTMLElement.prototype, name);
      new MutationObserver((seen) => { window.work.changes += seen.length; })
        .observe(document.querySelector(".list"), { subtree: true, childList: true, attributes: true, characterData: true });
    });
    await page.getByTestId("send").click();
    const next = `m${Number(id.slice(1)) + 1}`;
    await page.locator(`[data-testid=detail][data-id=${next}]`).waitFor();
    await page.waitForFunction((gone) => !document.querySelector(`[data-testid=row][data-id=${gone}]`), id);
    await page.waitForTimeout(100);
    const done = await page.evaluate(() => ({ ...window.work, rows: document.querySelectorAll("[data-testid=row]").length }));
    // what comes next is in view, below the heading that stays
    const [top, bottom] = await page.locator(`[data-testid=row][data-id=${next}]`).evaluate((row) => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom]);
    assert.ok(top > 100 && bottom < 780, `${next} from ${top} to ${bottom}`);
    assert.deepEqual([faults, await policy(page)], [[], []]);
    await page.close();
    return done;
  }
  const thousand = await work(1000);
  assert.ok(thousand.rows < 60, `${thousand.rows} rows are drawn`);
  assert.ok(thousand.reads < 60, `${thousand.reads} reads of the layout`);
  assert.ok(thousand.changes < 400, `${thousand.changes} changes to the list`);
  const more = await work(2000);
  assert.ok(more.reads <= thousand.reads + 10 && more.changes <= thousand.changes + 100, JSON.stringify([thousand, more]));
});

test("a long list is drawn near what is in view, and the keyboard still reaches the open request", async () => {
  const requests = many(1000);
  const { page, faults } = await browser.open({ requests, snapshot: listed(requests) });
  await title(page, "Question 0");
  const list = page.locator(".list");
  const seen = () => list.evaluate((pane) => [200, 400, 600].map((y) => document.elementFromPoint(pane.getBoundingClientRect().left + 80, y).closest(".row, .group") !== null));
  for (const part of [0.25, 0.5, 0.9, 1, 0.1]) {
    await list.evaluate((pane, at) => { pane.scrollTop = pane.scrollHeight * at; }, part);
    await page.waitForTimeout(50);
    assert.deepEqual(await seen(), [true, true, true], `at ${part}`);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await page.locator("[data-testid=row][tabindex='0']").evaluateAll((rows) => rows.map((row) => row.dataset.id)), ["m0"]);
  assert.deepEqual(await page.locator("li:has([data-id=m0])").evaluate((item) => [item.ariaSetSize, item.ariaPosInSet]), ["50", "1"]);
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  for (let at = 0; at < 60; at += 1) await page.keyboard.press("ArrowDown");
  await title(page, "Question 60");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.id), "m60");
  const { top, bottom } = await page.locator("[data-id=m60].row").evaluate((row) => row.getBoundingClientRect().toJSON());
  assert.ok(top > 100 && bottom < 780, `it is in view, from ${top} to ${bottom}`);
  await page.keyboard.press("/");
  await page.keyboard.type("question 99");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=row]").length === 19);
  assert.deepEqual([faults, await policy(page)], [[], []]);
  await page.close();
});

test("sixty rows are all drawn, of one more only those near the view, and what is read stays where it was", async () => {
  const requests = many(60, 1000);
  const { page, faults } = await browser.open({ requests, snapshot: listed(requests) });
  await title(page, "Question 0");
  assert.equal(await page.getByTestId("row").count(), 60);
  const list = page.locator(".list");
  await list.evaluate((pane) => { pane.scrollTop = 1500; });
  await page.waitForTimeout(100);
  const look = () => list.evaluate((pane) => {
    const row = [...pane.querySelectorAll(".row")].find((one) => one.getBoundingClientRect().bottom > pane.getBoundingClientRect().top + 90);
    return [row.dataset.id, Math.round(row.getBoundingClientRect().top)];
  });
  const before = await look();
  const now = Date.now();
  await page.evaluate((one) => window.arrive(one), samples.view(samples.row(now, "new", { title: "A new one", workspace: "w0" }), [samples.question("q", "confirm", "A new one")]));
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "painted"));
  assert.ok(await page.getByTestId("row").count() < 45);
  assert.deepEqual(await look(), before);
  await page.evaluate(() => window.settle("m1", "answered", null));
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=row]").length === 60);
  assert.deepEqual(await look(), before);
  assert.deepEqual(faults, []);
  await page.close();
});

test("the dialog keeps the lines of its question", async () => {
  const view = (now) => samples.requests(now).find((one) => one.row.id === "r2");
  const dialog = (now) => samples.dialog(now, { ...view(now), questions: [samples.question("c", "confirm", "Delete it?\nIt is gone for good.")] });
  const { page, faults } = await browser.open({ path: "dialog.html", dialog });
  assert.deepEqual((await page.locator("#title").innerText()).split("\n"), ["Delete it?", "It is gone for good."]);
  assert.deepEqual([faults, await policy(page)], [[], []]);
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
