// Every screen but the specs', as looks.js looks at them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { looks } from "./looks.js";
import { SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

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

looks("screen", SCREENS, () => browser);

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
