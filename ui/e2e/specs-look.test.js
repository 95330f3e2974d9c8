// The Specs screen in all its states, as looks.js looks at them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { manySpecs, specSamples } from "../tests/specs.js";
import { looks } from "./looks.js";
import { SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const ONE = "#specs/3/SPEC-021";
const there = (hook) => (page) => page.getByTestId(hook).first().waitFor();
const press = (hook, key) => async (page) => { await there(hook)(page); await page.keyboard.press(key); };
const given = (change) => (now) => { const data = specSamples(now); change(data, data.workspaces[0]); return data; };

const SCREENS = {
  specs: { hash: "#specs", prepare: there("card") },
  "specs-list": { hash: "#specs", specs: given((data) => { data.layout = "list"; data.folded = []; }), prepare: there("line") },
  "specs-many": { hash: "#specs", specs: (now) => manySpecs(now, 10_000), prepare: there("card") },
  "specs-found": { hash: "#specs", prepare: async (page) => { await press("card", "/")(page); await page.keyboard.type("refund"); await there("found")(page); } },
  "specs-empty": { hash: "#specs", specs: given((data, home) => { data.workspaces = [home]; home.specs = []; }), prepare: there("specs-empty") },
  "specs-nowhere": { hash: "#specs", specs: given((data) => { data.workspaces = []; }), prepare: there("specs-empty") },
  "specs-rules": { hash: "#specs", prepare: async (page) => { await there("card")(page); await page.getByTestId("rules-open").click(); await there("rules")(page); } },
  "specs-import": { hash: "#specs", prepare: async (page) => {
    await there("card")(page);
    await page.getByTestId("import-open").click();
    await page.getByTestId("import-files").setInputFiles([{ name: "refunds.md", mimeType: "text/markdown", buffer: Buffer.from("---\nid: SPEC-014\ntitle: Refund reasons\ncriteria:\n  - lists 5\n---\nWhy\n") }, { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("no head") }]);
    await there("import-item")(page);
  } },
  "specs-keys": { hash: "#specs", prepare: press("card", "?") },
  spec: { hash: ONE, prepare: there("spec-body") },
  "spec-evidence": { hash: ONE, prepare: async (page) => { await there("spec-body")(page); await page.locator("[data-testid=criterion][data-id=AC-4] [data-testid=evidence-open]").click(); await page.keyboard.type("Seen in staging, 210 ms"); } },
  "spec-untrusted": { hash: ONE, specs: given((data, home) => { home.commands.state = "changed"; home.commands.problem = "ops/deploy.sh"; }), prepare: there("trust") },
  "spec-history": { hash: `${ONE}/history`, prepare: there("changes") },
  "spec-run": { hash: ONE, specs: given((data) => { data.lines = 10_000; data.every = 5; }), prepare: async (page) => {
    await press("spec-body", "d")(page);
    await page.getByTestId("deploy-send").click();
    await page.locator("[data-testid=run][data-value=running]").waitFor();
    await page.waitForFunction(() => document.querySelector("[data-testid=run-output]").textContent.includes("step 40 "));
  } },
  "spec-deploy": { hash: ONE, prepare: async (page) => { await press("spec-body", "d")(page); await page.getByTestId("target").nth(1).click(); await there("deploy-typed")(page); } },
  "spec-export": { hash: ONE, prepare: async (page) => { await press("spec-body", "x")(page); await page.waitForFunction(() => document.querySelector("[data-testid=export-text]").value !== ""); } },
  "spec-delete": { hash: ONE, prepare: async (page) => { await press("spec-body", "Delete")(page); await there("delete-typed")(page); } },
  "spec-edit": { hash: `${ONE}/edit`, prepare: there("fit") },
  "spec-new": { hash: "#specs/3/new", prepare: async (page) => {
    await page.getByTestId("editor-title").fill("Webhook");
    await page.getByTestId("editor-body").fill("# Why\n\nPartners ask.");
    await page.getByTestId("criterion-add").click();
    await page.keyboard.type("It is fast and easy");
    await there("findings")(page);
    await there("near")(page);
  } },
  "spec-clash": { hash: `${ONE}/edit`, prepare: async (page) => {
    await there("fit")(page);
    await page.getByTestId("editor-title").fill("Webhooks for partners");
    await page.evaluate(() => window.specs.elsewhere({ workspace: 3, id: "SPEC-021", body: "Shorter." }));
    await there("clash")(page);
    await page.locator("summary").click();
  } },
  "spec-leave": { hash: `${ONE}/edit`, prepare: async (page) => { await there("fit")(page); await page.getByTestId("editor-title").fill("Webhooks"); await page.getByTestId("editor-cancel").click(); await there("leave")(page); } },
};

looks("state of the specs", SCREENS, () => browser);

test("below 720 pixels a spec is one column, and its lanes are scrolled", async () => {
  const { page } = await browser.open({ hash: "#specs", size: { width: 600, height: 700 } });
  await page.getByTestId("card").first().waitFor();
  await page.screenshot({ path: join(SHOTS, "specs-narrow-light-en.png") });
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.locator(".wide").evaluate((pane) => pane.scrollWidth > pane.clientWidth), false);
  await page.getByTestId("card").first().click();
  await page.getByTestId("spec").waitFor();
  await page.screenshot({ path: join(SHOTS, "spec-narrow-light-en.png") });
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.locator(".wide").evaluate((pane) => pane.scrollWidth > pane.clientWidth), false);
  await page.close();
});
