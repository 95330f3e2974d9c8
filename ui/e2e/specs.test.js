// A person among ten thousand specs, and one who writes one, in the built page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { manySpecs, specSamples } from "../tests/specs.js";
import { policy, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const focused = (page) => page.evaluate(() => document.activeElement.dataset.id);
const many = (layout) => (now) => ({ ...manySpecs(now, 10_000), layout });

/** Scrolls a box through all of it; how long its frames took, and how much was drawn at the most. */
const scroll = (page, box, pixels) => page.locator(box).evaluate(async (pane, by) => {
  const frames = [];
  let [most, blank] = [0, 0];
  let last = performance.now();
  for (let at = 0; at < pane.scrollHeight; at += by) {
    pane.scrollTop = at;
    await new Promise((frame) => requestAnimationFrame(frame));
    const now = performance.now();
    frames.push(now - last);
    last = now;
    if (frames.length % 20) continue;
    most = Math.max(most, document.querySelectorAll("[data-testid=specs] *").length);
    const { left, top, width, height } = pane.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!seen.closest("[data-testid=card], [data-testid=line], .coming, h2, li, ul")) blank += 1;
  }
  frames.sort((a, b) => a - b);
  const part = (share) => Math.round(frames[Math.floor(frames.length * share)] * 10) / 10;
  return { frames: frames.length, median: part(0.5), p95: part(0.95), p99: part(0.99), worst: part(0.9999), most, blank };
}, pixels);

test("ten thousand specs scroll smoothly, as a board and as a list, and only what is near the view is drawn", async (t) => {
  for (const [layout, box] of [["board", "[data-testid=lane][data-value=done] .cards"], ["list", "[data-testid=grouped]"]]) {
    const { page, faults, calls } = await browser.open({ hash: "#specs", specs: many(layout) });
    await page.getByTestId(layout === "board" ? "card" : "line").first().waitFor();
    const found = await scroll(page, box, layout === "board" ? 240 : 600);
    t.diagnostic(`${layout}: ${JSON.stringify(found)}`);
    assert.ok(found.most < 2200, `${found.most} elements are drawn`);
    assert.equal(found.blank, 0, "the middle of the view is blank");
    // generous: the machine that tests may build besides
    assert.ok(found.p95 < 100, `${found.p95} ms`);
    assert.ok((await calls("spec_page")).length >= (layout === "board" ? 8 : 40));
    assert.deepEqual(await violations(page), []);
    assert.deepEqual([faults, await policy(page)], [[], []]);
    await page.close();
  }
});

test("End goes to the last of ten thousand, and a jump of the scroll bar is filled", async () => {
  const { page, faults } = await browser.open({ hash: "#specs", specs: many("list") });
  await page.getByTestId("line").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement.dataset.id === "SPEC-004");
  const box = page.getByTestId("grouped");
  await box.evaluate((pane) => { pane.scrollTop = pane.scrollHeight / 2; });
  await page.waitForFunction(() => { const pane = document.querySelector("[data-testid=grouped]"); const { left, top, height } = pane.getBoundingClientRect(); return document.elementFromPoint(left + 300, top + height / 2).closest("[data-testid=line]"); });
  const [size, nth] = await page.locator("li:has([data-testid=line])").first().evaluate((item) => [item.ariaSetSize, item.ariaPosInSet]);
  assert.ok(Number(size) > 900 && Number(nth) >= 1);
  assert.deepEqual(faults, []);
  await page.close();
});

test("where one was on the board one is again, after a spec was looked at", async () => {
  const { page, faults } = await browser.open({ hash: "#specs", specs: many("board") });
  await page.getByTestId("card").first().waitFor();
  const box = page.locator("[data-testid=lane][data-value=review] .cards");
  await box.evaluate((pane) => { pane.scrollTop = 20_000; });
  await page.waitForTimeout(200);
  const card = await box.evaluate((pane) => { const { left, top } = pane.getBoundingClientRect(); const found = document.elementFromPoint(left + 60, top + 250).closest("a"); found.click(); return found.dataset.id; });
  await page.locator(`[data-testid=spec][data-id=${card}]`).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction((id) => document.activeElement.dataset.id === id, card);
  assert.ok(Math.abs(await box.evaluate((pane) => pane.scrollTop) - 20_000) < 100);
  assert.deepEqual(faults, []);
  await page.close();
});

test("a change elsewhere doesn't move what is being looked at, in a long lane or far down the list", async () => {
  for (const [layout, pane] of [["board", "[data-testid=lane][data-value=review] .cards"], ["list", "[data-testid=grouped]"]]) {
    const { page } = await browser.open({ hash: "#specs", specs: many(layout) });
    await page.getByTestId(layout === "board" ? "card" : "line").first().waitFor();
    const box = page.locator(pane);
    await box.evaluate((pane) => { pane.scrollTop = 90_000; });
    await page.waitForTimeout(300);
    const look = () => box.evaluate((pane) => { const { left, top } = pane.getBoundingClientRect(); const found = document.elementFromPoint(left + 60, top + 250).closest("a"); return [found.dataset.id, Math.round(found.getBoundingClientRect().top)]; });
    const count = (status, wanted) => page.waitForFunction(([of, number]) => document.querySelector(`[data-testid=fold][data-value=${of}] .n`).textContent === number, [status, wanted]);
    const before = await look();
    await page.evaluate(() => { window.specs.answer("spec_create", { workspace: 3, title: "New", body: "", criteria: [] }); });
    await count("draft", "1,819");
    await page.waitForTimeout(100);
    assert.deepEqual(await look(), before);
    await page.evaluate(() => { const { specs } = window.specs.data.workspaces[0]; for (const one of specs.filter((own) => own.status === "draft").slice(0, 3)) one.status = "review"; window.push("specs", null); });
    await count("review", "1,821");
    await page.waitForTimeout(100);
    assert.deepEqual(await look(), before);
    await page.close();
  }
});

test("a spec goes from a word to a deployment without a mouse", async () => {
  const { page, faults, calls } = await browser.open({ hash: "#specs" });
  const key = (...keys) => keys.reduce((done, one) => done.then(() => page.keyboard.press(one)), Promise.resolve());
  await page.getByTestId("card").first().waitFor();
  await key("n");
  await page.waitForFunction(() => document.activeElement.dataset.testid === "editor-title");
  await page.keyboard.type("Gift cards");
  await key("Enter");
  await page.keyboard.type("They are cards.");
  await key("Tab", "Tab");
  await page.waitForFunction(() => document.activeElement.dataset.testid === "criterion-add");
  await key("Enter");
  await page.keyboard.type("`POST /cards` returns 201");
  await key("Enter");
  await page.keyboard.type("A card lasts 2 years");
  await key("Alt+ArrowUp", "Control+s");
  await page.locator("[data-testid=spec][data-id=SPEC-101]").waitFor();
  assert.deepEqual((await calls("spec_create"))[0].criteria.map((one) => one.text), ["A card lasts 2 years", "`POST /cards` returns 201"]);
  for (const status of ["review", "approved", "implementing"]) {
    await key("Shift+ArrowRight");
    await page.locator(`[data-testid=spec-status][data-value=${status}]`).waitFor();
  }
  await page.locator("[data-testid=evidence-open]").first().focus();
  await key("Enter");
  await page.keyboard.type("Seen");
  await key("Control+Enter");
  await page.locator("[data-testid=criterion][data-value=met]").waitFor();
  await key("d");
  await page.locator("[data-testid=deploy] [data-testid=target]").first().waitFor();
  await key("ArrowDown", "Tab");
  await page.keyboard.type("production");
  await key("Control+Enter");
  await page.locator("[data-testid=run][data-value=passed]").waitFor();
  assert.deepEqual(await calls("spec_deploy"), [{ workspace: 3, id: "SPEC-101", target: "production", typed: "production" }]);
  await key("Delete");
  await page.getByTestId("delete-typed").waitFor();
  await page.keyboard.type("SPEC-101");
  await key("Enter", "Control+Enter");
  await page.getByTestId("board").waitFor();
  assert.deepEqual(await calls("spec_delete"), [{ workspace: 3, id: "SPEC-101", typed: "SPEC-101" }]);
  assert.deepEqual([faults, await policy(page)], [[], []]);
  await page.close();
});

test("Tab goes from lane to lane, and what has the focus is in view", async () => {
  const { page } = await browser.open({ hash: "#specs", size: { width: 800, height: 600 } });
  await page.getByTestId("card").first().waitFor();
  await page.keyboard.press("ArrowDown");
  for (const lane of ["review", "approved", "implementing", "done"]) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((wanted) => document.activeElement.closest("[data-testid=lane]")?.dataset.value === wanted, lane);
    const { left, right } = await page.evaluate(() => document.activeElement.getBoundingClientRect().toJSON());
    assert.ok(left >= 55 && right <= 800, `${lane} from ${left} to ${right}`);
  }
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest("[data-testid=lane]").dataset.value), "implementing");
  await page.close();
});

test("long output follows its end, unless somebody scrolled up", async () => {
  const specs = (now) => ({ ...specSamples(now), lines: 3000, every: 2 });
  const { page } = await browser.open({ hash: "#specs/3/SPEC-021", specs });
  await page.getByTestId("spec-body").waitFor();
  await page.keyboard.press("d");
  await page.getByTestId("deploy-send").click();
  const output = page.getByTestId("run-output");
  await page.waitForFunction(() => document.querySelector("[data-testid=run-output]")?.scrollHeight > 1500);
  const gap = () => output.evaluate((pane) => pane.scrollHeight - pane.clientHeight - pane.scrollTop);
  assert.ok(await gap() < 30);
  await output.evaluate((pane) => { pane.scrollTop = 100; });
  await page.waitForTimeout(1000);
  assert.equal(await output.evaluate((pane) => pane.scrollTop), 100);
  await page.getByTestId("run-cancel").click();
  await page.locator("[data-testid=run][data-value=cancelled]").waitFor();
  await page.close();
});

test("a hostile spec stays text", async () => {
  const words = "<img src=x onerror=alert(1)><script>alert(1)</script>";
  const specs = (now) => { const data = specSamples(now); Object.assign(data.workspaces[0].specs.find((one) => one.number === 21), { title: words, body: words, criteria: [{ id: "AC-1", text: words, state: "met", check: null, evidence: { text: words, met: true, by: { kind: "agent", name: words }, at: now } }] }); return data; };
  for (const place of ["", "/history", "/runs", "/edit"]) {
    const { page, faults } = await browser.open({ hash: `#specs/3/SPEC-021${place}`, specs });
    await page.getByTestId(place === "/edit" ? "preview" : "spec-title").waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#app img, #app script").count(), 0);
    assert.deepEqual([faults, await policy(page)], [[], []]);
    await page.close();
  }
  const { page, faults } = await browser.open({ hash: "#specs", specs });
  await page.locator("[data-testid=card][data-id=SPEC-021]").waitFor();
  assert.equal(await page.locator("#app img, #app script").count(), 0);
  assert.deepEqual([faults, await policy(page)], [[], []]);
  await page.close();
});
