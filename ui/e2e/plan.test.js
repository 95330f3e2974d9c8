// The plan's dialog with revisions: how it looks, and that it stays quick however long a plan is.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as asks from "../tests/asks.js";
import * as samples from "../tests/samples.js";
import { policy, SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const open = (over = {}, size = { width: 700, height: 620 }) => browser.open({ path: "dialog.html", size, dialog: (now) => samples.dialog(now, asks.planRequest(now), { plan: asks.planOf(now), ...over }) });
const long = (count) => browser.open({ path: "dialog.html", size: { width: 700, height: 620 }, dialog: (now) => { const { request, plan } = asks.longPlan(now, count); return samples.dialog(now, request, { plan }); } });
const awake = (page) => page.locator("[data-testid=dialog][data-awake=true]").waitFor();

const SHOWN = {
  whole: async () => undefined,
  changes: async (page) => page.getByTestId("tab-changes").click(),
  lines: async (page) => {
    await page.getByTestId("tab-lines").click();
    await page.locator("[data-testid=remark-open][data-value='5']").click();
    await page.keyboard.type("No lab in session 3");
    await page.keyboard.press("Enter");
    await page.locator("[data-testid=remark-open][data-value='4']").click();
    await page.keyboard.type("40 minutes");
  },
  past: async (page) => { await page.getByTestId("tab-past").click(); await page.getByTestId("past").first().waitFor(); },
  "past-one": async (page) => { await page.getByTestId("tab-past").click(); await page.getByTestId("past-open").first().click(); await page.getByTestId("past-whole").waitFor(); },
};
for (const theme of ["light", "dark"]) for (const language of ["en", "es"]) {
  test(`a plan with others before it is sound: ${theme}, ${language}`, async () => {
    for (const [name, prepare] of Object.entries(SHOWN)) for (const [size, box] of [["", { width: 700, height: 620 }], ["-small", { width: 520, height: 460 }]]) {
      const { page, faults } = await open({ theme, language }, box);
      await awake(page);
      await prepare(page);
      await awake(page);
      await page.screenshot({ path: join(SHOTS, `plan-${name}${size}-${theme}-${language}.png`) });
      assert.deepEqual([await violations(page), await policy(page), faults], [[], [], []], name);
      assert.equal(await page.evaluate(() => document.body.scrollWidth > innerWidth || document.querySelector(".in").scrollWidth > document.querySelector(".in").clientWidth), false, `${name} scrolls sideways`);
      await page.close();
    }
  });
}

test("what is decided on is the whole: its end has to have been on screen, whatever else was looked at", async () => {
  const { page, calls } = await long(400);
  await awake(page);
  await page.getByTestId("tab-changes").click();
  await page.locator(".in").focus();
  await page.keyboard.press("End");
  await awake(page);
  await page.getByTestId("dialog-yes").click({ force: true });
  await awake(page);
  assert.equal(await page.getByTestId("dialog").getAttribute("data-read"), "false");
  assert.deepEqual(await calls("dialog_yes"), []);
  await page.getByTestId("tab-whole").click();
  await page.locator(".in").focus();
  await page.keyboard.press("End");
  await page.locator("[data-testid=dialog][data-read=true]").waitFor();
  await page.getByTestId("plan-landing").selectOption("guided");
  await awake(page);
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "dialog_yes"));
  assert.deepEqual((await calls("dialog_yes")).map(({ mode }) => mode), ["guided"]);
  await page.close();
});

test("a remark is made without a mouse, and goes with Keep planning", async () => {
  const { page, calls } = await open();
  await awake(page);
  await page.getByTestId("tab-whole").focus();
  for (const key of ["ArrowRight", "ArrowRight", "Tab", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.getByTestId("remark-text").waitFor();
  await page.keyboard.type("40 minutes");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.value), "4");
  await page.keyboard.press("k");
  await page.keyboard.type("Shorter");
  await awake(page);
  await page.getByTestId("dialog-no").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "dialog_no"));
  assert.deepEqual((await calls("dialog_no")).map(({ comment, remarks }) => [comment, remarks]), [["Shorter", [{ line: 4, text: "40 minutes" }]]]);
  await page.close();
});

test("a plan of 20,000 lines opens, shows its lines and its changes, and scrolls, quickly", async () => {
  const { page, faults } = await long(20_000);
  await awake(page);
  console.log("awake after, ms:", Math.round(await page.evaluate(() => performance.now())));
  const took = {};
  for (const [tab, hook] of [["lines", "[data-testid=plan-line]"], ["changes", ".diff p"], ["whole", "[data-testid=plan]"], ["lines", "[data-testid=plan-line]"]]) {
    took[tab] = await page.evaluate(async ([tab, hook]) => {
      const from = performance.now();
      document.getElementById(`tab-${tab}`).click();
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
      return document.querySelector(hook) ? Math.round(performance.now() - from) : -1;
    }, [tab, hook]);
    if (tab !== "whole") assert.ok(await page.locator(hook).count() < 600, `${tab} draws only what is near`);
  }
  console.log("20,000 lines, ms:", took);
  for (const [tab, ms] of Object.entries(took)) assert.ok(ms >= 0 && ms < (tab === "whole" ? 1500 : 400), `${tab} took ${ms} ms`);
  const scrolled = await page.evaluate(async () => {
    const pane = document.querySelector(".in");
    let worst = 0;
    for (let at = 1; at <= 20; at += 1) {
      const from = performance.now();
      pane.scrollTop = (pane.scrollHeight * at) / 21;
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
      worst = Math.max(worst, performance.now() - from);
    }
    return Math.round(worst);
  });
  console.log("worst jump, ms:", scrolled);
  assert.ok(scrolled < 300, `a jump took ${scrolled} ms`);
  await page.locator("[data-testid=remark-open][tabindex='0']").waitFor({ state: "attached", timeout: 2000 });
  const place = page.locator("[data-testid=plan-line]").nth(40);
  await place.scrollIntoViewIfNeeded();
  const before = await place.evaluate((one) => [one.dataset.place, Math.round(one.getBoundingClientRect().top)]);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, -3000);
  await page.waitForTimeout(200);
  await page.mouse.wheel(0, 3000);
  await page.waitForTimeout(200);
  const after = await page.locator(`[data-place='${before[0]}']`).evaluate((one) => Math.round(one.getBoundingClientRect().top));
  assert.ok(Math.abs(after - before[1]) < 4, `it came back to ${after} from ${before[1]}`);
  assert.deepEqual(faults, []);
  await page.close();
});
