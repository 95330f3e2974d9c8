// The dialog's page: how it looks, and which key or click says what.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as samples from "../tests/samples.js";
import { policy, SHOTS, start, violations } from "./page.js";

let browser;
before(async () => { browser = await start(); });
after(() => browser.stop());

const request = (now, id) => samples.requests(now).find((one) => one.row.id === id);
const paragraphs = (count) => Array.from({ length: count }, (_, n) => ({ kind: "paragraph", children: [{ kind: "text", spans: [{ kind: "text", text: `Step ${n + 1} of many.` }] }] }));
const long = (now) => ({ ...request(now, "r3"), context: [...request(now, "r3").context, ...paragraphs(60)] });
const open = (of, over = {}) => browser.open({ path: "dialog.html", size: { width: 700, height: 620 }, dialog: (now) => samples.dialog(now, of(now), over) });
const plan = (over) => open((now) => request(now, "r3"), over);
const awake = (page) => page.locator("[data-testid=dialog][data-awake=true]").waitFor();
const read = (page) => page.locator("[data-testid=dialog][data-read=true]").waitFor();

for (const theme of ["light", "dark"]) for (const language of ["en", "es"]) {
  test(`the dialog is sound: ${theme}, ${language}`, async () => {
    const shown = { plan: (now) => request(now, "r3"), long, danger: (now) => request(now, "r2"), deploy: samples.deployment, trust: samples.trust };
    const over = { danger: { typedWord: "SPEC-014" }, deploy: { safeOptions: ["preview", "staging"] }, trust: { typedWord: "trust", pairedAt: null } };
    for (const [name, of] of Object.entries(shown)) {
      const { page, faults } = await open(of, { theme, language, behind: 1, ...over[name] });
      if (name === "deploy") await page.getByTestId("dialog-option").first().check({ force: true });
      await awake(page);
      await page.screenshot({ path: join(SHOTS, `dialog-${name}-${theme}-${language}.png`) });
      assert.deepEqual([await violations(page), await policy(page), faults], [[], [], []], name);
      assert.equal(await page.evaluate(() => document.body.scrollWidth > innerWidth), false, `${name} scrolls sideways`);
      await page.close();
    }
  });
}

test("a plan runs by Ctrl+Enter once it was read to its end, and never by Enter", async () => {
  const { page, calls } = await open(long);
  await awake(page);
  await page.keyboard.press("Control+Enter");
  await page.getByTestId("dialog-yes").click({ force: true });
  await awake(page);
  await page.keyboard.press("Enter");
  assert.deepEqual(await calls("dialog_yes"), [], "its end was not on screen");
  await page.locator(".in").focus();
  await page.keyboard.press("End");
  await read(page);
  await awake(page);
  for (const where of [".in", "[data-testid=dialog-yes]", "[data-testid=dialog-comment]"]) {
    await page.locator(where).focus();
    await page.keyboard.press("Enter");
  }
  assert.deepEqual(await calls("dialog_yes"), [], "Enter never runs it");
  await page.getByTestId("dialog-comment").fill("");
  await awake(page);
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "dialog_yes"));
  assert.deepEqual((await calls("dialog_yes")).map(({ answers, comment }) => [answers, comment]), [[{ plan: "Run it" }, null]]);
  await page.close();
});

test("what should change goes with Keep planning, and Ctrl+Enter in it runs nothing", async () => {
  const { page, calls } = await plan();
  await read(page);
  await awake(page);
  await page.keyboard.press("k");
  await page.keyboard.type("keep session 1");
  await page.keyboard.press("Control+Enter");
  assert.equal(await page.getByTestId("dialog-alert").isVisible(), true);
  assert.deepEqual(await calls("dialog_yes"), []);
  await awake(page);
  await page.getByTestId("dialog-no").click();
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "dialog_no"));
  assert.deepEqual((await calls("dialog_no")).map(({ answers, comment }) => [answers, comment]), [[{ plan: "Keep planning" }, "keep session 1"]]);
  await page.close();
});

test("an environment is chosen by the arrow keys, and the one that is protected takes its name and its button", async () => {
  const { page, calls } = await open(samples.deployment, { safeOptions: ["preview", "staging"] });
  await awake(page);
  assert.equal(await page.evaluate(() => document.activeElement?.value), "staging");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.getByTestId("dialog-typed").fill("production");
  await page.keyboard.press("Enter");
  assert.deepEqual(await calls("dialog_yes"), [], "Enter never deploys");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  await awake(page);
  await page.getByTestId("dialog-yes").click();
  await page.waitForFunction(() => window.calls.some(([cmd]) => cmd === "dialog_yes"));
  assert.deepEqual((await calls("dialog_yes")).map(({ answers, typed }) => [answers, typed]), [[{ "confirm-target-env": "production" }, "production"]]);
  await page.close();
});

test("what is decided on is read from its top; the choice and the field for the word stay on screen, and no line runs off it", async () => {
  const far = (now) => ({ ...samples.deployment(now), context: [...samples.deployment(now).context, ...paragraphs(60)] });
  const many = (now) => {
    const one = far(now);
    return { ...one, questions: [{ ...one.questions[0], options: [...one.questions[0].options, ...Array.from({ length: 7 }, (_, n) => ({ label: [{ kind: "text", text: `region-${n}` }], value: `region-${n}`, description: null, preview: null }))] }] };
  };
  for (const language of ["en", "es"]) for (const of of [far, many]) {
    const { page } = await open(of, { safeOptions: ["preview", "staging"], language });
    await awake(page);
    assert.equal(await page.evaluate(() => document.activeElement?.value), "staging");
    assert.equal(await page.locator(".in").evaluate((text) => text.scrollTop), 0);
    assert.match(await page.locator("h1").innerText(), /SPEC-014.*production/);
    const inside = (locator) => locator.evaluate((one) => { const { top, bottom } = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight && one.getBoundingClientRect().height > 0; });
    assert.ok(await inside(page.locator("h1")));
    for (const option of ["production", "staging"]) assert.ok(await inside(page.locator(`[data-value=${option}]`)), option);
    await page.locator("[data-value=production]").check({ force: true });
    const typed = page.getByTestId("dialog-typed");
    assert.ok(await inside(typed));
    assert.equal(await typed.getAttribute("placeholder"), null);
    for (const button of ["dialog-no", "dialog-yes"]) assert.ok(await inside(page.getByTestId(button)), button);
    assert.equal(await page.locator(".in").evaluate((text) => text.scrollTop), 0);
    assert.deepEqual(await page.locator(".dlg pre").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length), 0);
    await typed.fill("production");
    await awake(page);
    assert.equal(await page.getByTestId("dialog-yes").getAttribute("aria-disabled"), "true", "its end was not on screen");
    for (let n = 0; n < 12; n += 1) await page.keyboard.press("PageDown");
    await page.locator("[data-testid=dialog-yes][aria-disabled=false]").waitFor();
    await page.setViewportSize({ width: 480, height: 460 });
    for (const part of ["dialog-typed", "dialog-no", "dialog-yes"]) assert.ok(await inside(page.getByTestId(part)), `${part} in a small window`);
    assert.ok((await page.locator(".in").boundingBox()).height >= 60);
    await page.close();
  }
});

test("Cancel says so, Esc says nothing, and nothing counts in the first second", async () => {
  const { page, calls } = await plan({ inertMillis: 60_000 });
  for (const button of ["dialog-yes", "dialog-no", "dialog-cancel"]) await page.getByTestId(button).click({ force: true });
  await page.keyboard.press("Control+Enter");
  assert.deepEqual([...(await calls("dialog_yes")), ...(await calls("dialog_no"))], []);
  await page.keyboard.press("Escape");
  assert.equal((await calls("dialog_later")).length, 1);
  await page.close();
  const { page: awakened, calls: heard } = await plan();
  await awake(awakened);
  await awakened.getByTestId("dialog-cancel").click();
  await awakened.waitForFunction(() => window.calls.some(([cmd]) => cmd === "dialog_no"));
  assert.deepEqual((await heard("dialog_no")).map(({ answers }) => answers), [{ plan: "Cancel" }]);
  await awakened.close();
});
