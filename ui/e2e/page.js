// The built page in a real browser, under the policy that the app's window sets, over a mocked app.
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import * as samples from "../tests/samples.js";
import { asksApp, pastBlocks } from "../tests/asks.js";
import { specSamples, specsApp } from "../tests/specs.js";
import { ruleSamples, stepsApp } from "../tests/steps.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const SHOTS = join(ROOT, "e2e", "shots");
const CSP = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
  "connect-src ipc: http://ipc.localhost", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "object-src 'none'",
].join("; ");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const mocks = readFileSync(join(ROOT, "node_modules/@tauri-apps/api/mocks.js"), "utf8").replace(/^export \{.*$/m, "");
const axe = readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");

export async function start() {
  mkdirSync(SHOTS, { recursive: true });
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html");
    try {
      const body = readFileSync(join(ROOT, "dist", path));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Content-Security-Policy": CSP });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  const origin = `http://127.0.0.1:${server.address().port}`;

  /** Opens the page over this snapshot; `faults` gathers what must stay empty. */
  async function open({ path = "", hash = "", size = { width: 1240, height: 800 }, snapshot, requests, dialog, specs, past, refuse = {} } = {}) {
    const now = Date.now();
    const data = { snapshot: snapshot?.(now) ?? samples.snapshot(now), requests: requests?.(now) ?? samples.requests(now), dialog: dialog?.(now) ?? null, specs: (specs ?? specSamples)(now), steps: { rules: ruleSamples(now), past: past?.(now) ?? [] }, refuse };
    const page = await browser.newPage({ viewport: size, reducedMotion: "reduce" });
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.addInitScript(`{ ${mocks}\n(${app})(${JSON.stringify(data)}, mockIPC, ${samples.preferred}, ${specsApp}, ${stepsApp}, ${asksApp}, ${JSON.stringify(pastBlocks())}); }`);
    await page.goto(`${origin}/${path}${hash}`);
    await page.locator("[data-testid=status] span, [data-testid=dialog]").first().waitFor();
    return { page, faults, calls: (name) => page.evaluate((wanted) => window.calls.filter(([cmd]) => cmd === wanted).map(([, args]) => args), name) };
  }

  return { open, stop: async () => { await browser.close(); server.close(); } };
}

/** Runs in the page: an app that keeps what it is told and pushes whole lists. */
function app(data, mockIPC, preferred, specsApp, stepsApp, asksApp, past) {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  window.calls = [];
  const push = (event, payload) => window.__TAURI_INTERNALS__.invoke("plugin:event|emit", { event, payload: structuredClone(payload) });
  window.push = (event, payload) => push(event, payload);
  window.data = data;
  const find = (id) => {
    const found = data.requests.find((one) => one.row.id === id);
    if (!found) throw { code: "unknown", message: "There is no such request." };
    return found;
  };
  window.settle = (id, state, decision) => {
    const one = find(id);
    Object.assign(one, { row: { ...one.row, state }, decision });
    data.snapshot.list = { revision: data.snapshot.list.revision + 1, rows: data.snapshot.list.rows.filter((row) => row.id !== id) };
    push("list", data.snapshot.list);
    return one;
  };
  window.arrive = (request) => {
    data.requests.push(request);
    data.snapshot.list = { revision: data.snapshot.list.revision + 1, rows: [...data.snapshot.list.rows, request.row] };
    push("list", data.snapshot.list);
  };
  window.specs = specsApp(data.specs, (event) => push(event, null), () => data.snapshot.status.language);
  window.asks = asksApp(() => data.requests, (id, state, comment) => window.settle(id, state, { by: "window", unattended: false, at: Date.now(), answers: [], comment }));
  window.gate = stepsApp(data.steps, {
    requests: () => data.requests,
    settle: (id, state, comment) => window.settle(id, state, { by: "window", unattended: false, at: Date.now(), answers: [], comment: comment ? [{ kind: "text", text: comment }] : null }),
    status: (over) => (data.snapshot.status = { ...data.snapshot.status, ...over }),
  });
  const answer = (cmd, args) => {
    window.calls.push([cmd, args]);
    if (data.refuse[cmd]) throw data.refuse[cmd];
    if (window.gate.answers(cmd)) return window.gate.answer(cmd, args);
    if (window.specs.answers(cmd)) return window.specs.answer(cmd, args);
    if (cmd === "set_preference" && args.key.startsWith("specs_")) return window.specs.prefer(args.key, args.value, data.snapshot.status);
    if (window.asks.answers(cmd)) return window.asks.answer(cmd, args);
    if (cmd === "dialog_plan") return past;
    if (cmd === "snapshot") return data.snapshot;
    if (cmd === "dialog_view") return data.dialog;
    if (cmd === "request") return find(args.id);
    if (cmd === "answer") return window.settle(args.id, "answered", { by: "window", unattended: false, at: Date.now(), answers: [], comment: args.comment });
    if (cmd === "decline") return window.settle(args.id, "declined", { by: "window", unattended: false, at: Date.now(), answers: [], comment: args.comment });
    if (cmd === "set_preference") return (data.snapshot.status = preferred(data.snapshot.status, args.key, args.value));
    if (cmd === "test_notification") return data.snapshot.status;
    if (cmd === "rotate_agent") return { token: "cs_fresh0123456789abcdefghijklmnopqrstuvwxyz", kept: true };
    if (cmd === "set_scopes") return (data.snapshot.agents = data.snapshot.agents.map((one) => (one.id === args.id ? { ...one, scopes: args.scopes } : one)));
    if (cmd === "set_passphrase") return (data.snapshot.status = { ...data.snapshot.status, passphraseSet: true });
    return null;
  };
  // what crosses the real bridge is always a copy
  mockIPC(async (cmd, args) => structuredClone(await answer(cmd, args)), { shouldMockEvents: true });
}

export async function violations(page) {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document);
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`));
  });
}

export const policy = (page) => page.evaluate("window.violations");
