// Steps and rules, as looks.js looks at them.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import * as samples from "../tests/samples.js";
import { stepRequests } from "../tests/steps.js";
import { looks } from "./looks.js";
import { SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const requests = (now) => [...stepRequests(now), ...samples.requests(now)];
const past = (now) => Array.from({ length: 214 }, (_, at) => samples.row(now, `p${at}`, { title: at % 5 ? `Bash: git status src/${at}` : "Bash: cargo test", state: "answered", createdAt: now - at * 700_000 }));
const over = (now) => ({ list: { revision: 1, rows: requests(now).map((one) => one.row) } });
const choose = (id) => async (page) => {
  await page.locator(`[data-testid=row][data-id=${id}]`).click();
  await page.locator(`[data-testid=detail][data-id=${id}]`).waitFor();
  await page.mouse.move(0, 0);
};
const opened = (id, key, panel) => async (page) => { await choose(id)(page); await page.keyboard.press(key); await page.getByTestId(panel).waitFor(); };
const stopped = (page) => page.evaluate(() => { window.gate.answer("stop_session", { session: "s1" }); window.push("status", window.data.snapshot.status); });

const SCREENS = {
  "step-command": { prepare: choose("t2") },
  "step-edit": { prepare: choose("t3") },
  "step-grave": { prepare: choose("t4") },
  "step-remember": { prepare: async (page) => { await opened("t1", "a", "remember-panel")(page); await page.keyboard.press("2"); } },
  "step-deny": { prepare: opened("t1", "d", "deny-panel") },
  "step-edited": { prepare: async (page) => { await opened("t1", "e", "edit-panel")(page); await page.getByTestId("edit-text").fill('{\n  "command": "git status --short src",\n  "description": "What changed"\n}'); await page.getByTestId("diff").last().waitFor(); } },
  "step-stop": { prepare: opened("t1", "s", "stop-panel") },
  "step-stopped": { prepare: async (page) => { await choose("t1")(page); await stopped(page); await page.getByTestId("settled").waitFor(); } },
  "modes-stop": { prepare: async (page) => { await page.getByTestId("mode").click(); await page.getByTestId("session-stop").first().click(); await page.getByTestId("session-stop-keep").waitFor(); } },
  "agents-stopped": { hash: "#agents", prepare: async (page) => { await stopped(page); await page.getByTestId("session-release").first().waitFor(); await page.locator("[data-testid=agent-session][data-id=s2] [data-testid=session-stop]").click(); } },
  rules: { hash: "#settings", prepare: async (page) => { await page.getByTestId("rule").first().waitFor(); await page.getByTestId("rule-remove").nth(2).click(); await page.getByTestId("rules-section").evaluate((one) => one.scrollIntoView()); } },
  "rules-form": { hash: "#settings", prepare: async (page) => {
    await page.getByTestId("rule-new").click();
    await page.getByTestId("rule-command").fill("git status");
    await page.getByTestId("rule-workspace").selectOption({ index: 1 });
    await page.getByTestId("tried-row").first().waitFor();
    await page.getByTestId("rule-form").evaluate((one) => one.scrollIntoView());
  } },
  "rules-refused": { hash: "#settings", prepare: async (page) => {
    await page.getByTestId("rule-new").click();
    await page.getByTestId("rule-command").fill("rm -rf target");
    await page.locator(".tried.bad").waitFor();
    await page.getByTestId("rule-make").scrollIntoViewIfNeeded();
  } },
};

looks("state of steps", SCREENS, () => ({ open: (how) => browser.open({ requests, past, ...how, snapshot: (now) => ({ ...how.snapshot(now), ...over(now) }) }) }));

test("below 720 pixels a step and the rules are one column", async () => {
  for (const [name, hash, prepare] of [["step", "", choose("t2")], ["rules", "#settings", async (page) => { await page.getByTestId("rule-new").click(); await page.getByTestId("rule-form").evaluate((one) => one.scrollIntoView()); }]]) {
    const { page } = await browser.open({ hash, size: { width: 600, height: 700 }, requests, past, snapshot: (now) => ({ ...samples.snapshot(now), ...over(now) }) });
    await prepare(page);
    await page.screenshot({ path: join(SHOTS, `${name}-narrow-light-en.png`) });
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.locator(name === "step" ? ".detail" : ".wide").evaluate((pane) => pane.scrollWidth > pane.clientWidth), false);
    await page.close();
  }
});
