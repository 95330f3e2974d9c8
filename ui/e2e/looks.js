// Screens at both sizes, light and dark, in both languages: nothing that axe finds, nothing that the policy blocks, nothing
// wider than the window. A picture of each is left in e2e/shots.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as samples from "../tests/samples.js";
import { policy, SHOTS, violations } from "./page.js";

const SIZES = { wide: { width: 1240, height: 800 }, small: { width: 800, height: 600 } };
const with_ = (over) => (now) => samples.snapshot(now, over);

export function looks(what, screens, browser) {
  for (const [size, viewport] of Object.entries(SIZES)) for (const theme of ["light", "dark"]) for (const language of ["en", "es"]) {
    test(`every ${what} is sound: ${size}, ${theme}, ${language}`, async () => {
      for (const [name, { hash, over, status, specs, requests, prepare }] of Object.entries(screens)) {
        const { page, faults } = await browser().open({ hash, size: viewport, specs, requests, snapshot: with_({ ...over, status: { theme, language, testHome: size === "small", ...status } }) });
        await prepare?.(page);
        await page.screenshot({ path: join(SHOTS, `${name}-${size}-${theme}-${language}.png`) });
        assert.deepEqual(await violations(page), [], name);
        assert.deepEqual(await policy(page), [], name);
        assert.deepEqual(faults, [], name);
        const wide = await page.evaluate(() => [...document.querySelectorAll(".list, .detail, .wide, dialog[open]")].filter((pane) => pane.scrollWidth > pane.clientWidth).map((pane) => pane.className));
        assert.deepEqual(wide, [], `${name} scrolls sideways`);
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        await page.close();
      }
    });
  }
}
