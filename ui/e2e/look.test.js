// Every screen, light and dark, at both sizes, in both languages: nothing that axe finds, nothing
// that the policy blocks, nothing wider than the window. A picture of each is left in e2e/shots.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as samples from "../tests/samples.js";
import { policy, SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const SIZES = { wide: { width: 1240, height: 800 }, small: { width: 800, height: 600 } };
const with_ = (over) => (now) => samples.snapshot(now, over);
const choose = (id) => async (page) => {
  await page.locator(`[data-testid=row][data-id=${id}]`).click();
  await page.locator(`[data-testid=detail][data-id=${id}]`).waitFor();
};
const SCREENS = {
  inbox: { prepare: async (page) => { await choose("r1")(page); await page.keyboard.press("1"); } },
  text: { prepare: async (page) => { await choose("r4")(page); await page.getByTestId("text-input").fill("soon"); } },
  batch: { prepare: choose("r5") },
  plan: { prepare: choose("r3") },
  destructive: { prepare: choose("r2") },
  approval: { prepare: choose("r6") },
  settled: { prepare: async (page) => {
    await choose("r1")(page);
    await page.getByTestId("other-input").fill("Linear, but only on Sundays");
    await page.evaluate(() => window.settle("r1", "answered", { by: "terminal", unattended: false, at: Date.now(), answers: [[{ kind: "text", text: "Exponential, 7 days" }]], comment: null }));
    await page.getByTestId("settled").waitFor();
  } },
  keys: { prepare: async (page) => { await choose("r1")(page); await page.keyboard.press("?"); } },
  modes: { prepare: async (page) => { await page.getByTestId("mode").click(); await page.getByTestId("modes").waitFor(); } },
  agents: { hash: "#agents", prepare: async (page) => { await page.getByTestId("unpair").first().click(); } },
  scopes: { hash: "#agents", prepare: async (page) => { await page.getByTestId("scopes-open").nth(1).click(); await page.getByTestId("scopes-close").waitFor(); } },
  token: { hash: "#agents", prepare: async (page) => { await page.getByTestId("rotate").first().click(); await page.getByTestId("rotate-yes").click(); await page.getByTestId("token").waitFor(); } },
  settings: { hash: "#settings" },
  unheard: { hash: "#settings", status: { service: "missing", quiet: true, tray: false, wayland: true, startAtLogin: true }, prepare: async (page) => {
    await page.getByTestId("notify-test").click();
    await page.getByTestId("notify-outcome").getByText(/\./).waitFor();
  } },
  empty: { over: { list: { revision: 1, rows: [] }, arrivals: { arrivals: [], closedUntil: null } } },
};

for (const [size, viewport] of Object.entries(SIZES)) for (const theme of ["light", "dark"]) for (const language of ["en", "es"]) {
  test(`every screen is sound: ${size}, ${theme}, ${language}`, async () => {
    for (const [name, { hash, over, status, prepare }] of Object.entries(SCREENS)) {
      const { page, faults } = await browser.open({ hash, size: viewport, snapshot: with_({ ...over, status: { theme, language, testHome: size === "small", ...status } }) });
      await prepare?.(page);
      await page.screenshot({ path: join(SHOTS, `${name}-${size}-${theme}-${language}.png`) });
      assert.deepEqual(await violations(page), [], name);
      assert.deepEqual(await policy(page), [], name);
      assert.deepEqual(faults, [], name);
      const wide = await page.evaluate(() => [...document.querySelectorAll(".list, .detail, .wide")].filter((pane) => pane.scrollWidth > pane.clientWidth).map((pane) => pane.className));
      assert.deepEqual(wide, [], `${name} scrolls sideways`);
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      await page.close();
    }
  });
}

test("below 720 pixels there is one pane at a time", async () => {
  const { page } = await browser.open({ size: { width: 600, height: 700 } });
  await page.getByTestId("row").first().waitFor();
  assert.equal(await page.getByTestId("detail").isVisible(), false);
  await choose("r1")(page);
  assert.equal(await page.getByTestId("search").isVisible(), false);
  await page.screenshot({ path: join(SHOTS, "narrow-light-en.png") });
  assert.deepEqual(await violations(page), []);
  await page.locator(".back button").click();
  assert.equal(await page.getByTestId("detail").isVisible(), false);
  assert.equal(await page.getByTestId("search").isVisible(), true);
  await page.close();
});
