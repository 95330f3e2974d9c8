// The whole page over a mocked app that records every command.
import { emit } from "@tauri-apps/api/event";
import { mockIPC } from "@tauri-apps/api/mocks";
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import App from "../src/App.svelte";
import type { DecisionView } from "../src/lib/bindings/DecisionView";
import type { RequestView } from "../src/lib/bindings/RequestView";
import type { Scope } from "../src/lib/bindings/Scope";
import type { State } from "../src/lib/bindings/State";
import type { StatusView } from "../src/lib/bindings/StatusView";
import { Desk } from "../src/lib/desk.svelte";
import { asksApp } from "./asks";
import * as samples from "./samples";
import { specSamples, specsApp, type SpecsData } from "./specs";
import { ruleSamples, stepsApp, type StepsData } from "./steps";

export async function open(requests: RequestView[], over: Record<string, unknown> = {}, specs: SpecsData = specSamples(Date.now()), steps: StepsData = { rules: ruleSamples(Date.now()) }) {
  const now = Date.now();
  const calls: [string, Record<string, unknown>][] = [];
  const refuse: Record<string, { code: string; message: string } | undefined> = {};
  const base = samples.snapshot(now, over);
  let list = { revision: 1, rows: requests.map((one) => one.row) };
  const tried: { service: StatusView["service"]; runs: number } = { service: "works", runs: 0 };
  const find = (id: unknown) => requests.find((one) => one.row.id === id)!;
  const push = () => emit("list", structuredClone(list));

  const home = specsApp(specs, (event) => void emit(event, null), () => String(base.status.language));

  function settle(id: string, state: State, decision: Partial<DecisionView> | null = {}) {
    const one = find(id);
    one.row = { ...one.row, state };
    one.decision = decision && { by: "window", unattended: false, at: Date.now(), answers: [], comment: null, ...decision };
    list = { revision: list.revision + 1, rows: list.rows.filter((row) => row.id !== id) };
    return one;
  }

  const asks = asksApp(() => requests, (id, state, comment) => {
    const settled = settle(id, state, { comment: comment ? [{ kind: "text", text: String(comment) }] : null });
    void push();
    return settled;
  });

  const gate = stepsApp(steps, {
    requests: () => requests,
    settle(id, state, comment) {
      const settled = settle(id, state, { comment: comment ? [{ kind: "text", text: String(comment) }] : null });
      void push();
      return settled;
    },
    status: (over) => (base.status = { ...base.status, ...over }),
  });

  mockIPC((cmd, args) => {
    const given = (args ?? {}) as Record<string, unknown>;
    calls.push([cmd, given]);
    const refusal = refuse[cmd];
    if (refusal) throw refusal;
    if (gate.answers(cmd)) return structuredClone(gate.answer(cmd, structuredClone(given)));
    if (home.answers(cmd)) return structuredClone(home.answer(cmd, structuredClone(given)));
    if (asks.answers(cmd)) return structuredClone(asks.answer(cmd, structuredClone(given)));
    if (cmd === "set_preference" && String(given.key).startsWith("specs_")) return home.prefer(String(given.key), String(given.value), base.status);
    if (cmd === "snapshot") return structuredClone({ ...base, list });
    if (cmd === "request") return structuredClone(find(given.id));
    if (cmd === "answer" || cmd === "decline") {
      const settled = settle(String(given.id), cmd === "answer" ? "answered" : "declined");
      void push();
      return structuredClone(settled);
    }
    if (cmd === "set_preference") return (base.status = samples.preferred(base.status, String(given.key), String(given.value)));
    if (cmd === "test_notification") return (base.status = { ...base.status, service: tried.service });
    if (cmd === "set_mode") return { ...base.status, sessions: base.status.sessions.map((one) => (one.id === given.session ? { ...one, mode: given.mode } : one)) };
    if (cmd === "rotate_agent") return { token: "cs_fresh", kept: given.id === "a1" };
    if (cmd === "set_scopes") return (base.agents = base.agents.map((one) => (one.id === given.id ? { ...one, scopes: given.scopes as Scope[] } : one)));
    if (cmd === "quit") return given.sure ? 0 : tried.runs;
    if (cmd === "set_passphrase") return { ...base.status, passphraseSet: true };
    return null;
  }, { shouldMockEvents: true });

  const desk = new Desk();
  render(App, { desk });
  await desk.start();
  await tick();
  if (requests.length > 0) await waitFor(() => screen.getByTestId("detail"));

  return {
    desk,
    home,
    asks,
    gate,
    refuse,
    tried,
    user: userEvent.setup(),
    named: (name: string) => calls.filter(([cmd]) => cmd === name).map(([, args]) => args),
    async arrive(request: RequestView) {
      requests.push(request);
      list = { revision: list.revision + 1, rows: [...list.rows, request.row] };
      await push();
      await tick();
    },
    async settleElsewhere(id: string, state: State, decision: Partial<DecisionView> | null = {}) {
      settle(id, state, decision);
      await push();
      return waitFor(() => screen.getByTestId("settled"));
    },
    async change(id: string, over: Partial<RequestView["row"]>) {
      list = { revision: list.revision + 1, rows: list.rows.map((row) => (row.id === id ? { ...row, ...over } : row)) };
      await push();
      await tick();
    },
    emit: async (event: string, payload: unknown) => { await emit(event, payload); await tick(); },
  };
}

export const choice = (id: string, over: Parameters<typeof samples.question>[3] = {}, row: Record<string, unknown> = {}) =>
  samples.view(samples.row(Date.now(), id, { title: `Pick for ${id}`, ...row }), [samples.question("q", "choice", `Pick for ${id}`, { options: ["A", "B", "C"], allowOther: true, ...over })]);

export const text = (id: string, over: Parameters<typeof samples.question>[3] = {}) =>
  samples.view(samples.row(Date.now(), id, { title: `Say for ${id}` }), [samples.question("q", "text", `Say for ${id}`, over)]);

/** The Specs screen, at a place of it. */
export async function openSpecs(place = "#specs", { data, over }: { data?: SpecsData; over?: Record<string, unknown> } = {}) {
  location.hash = place;
  const app = await open([], over, data);
  await waitFor(() => { if (!app.desk.specs.ready) throw new Error("not read yet"); });
  await tick();
  return app;
}

export const title = () => screen.getByTestId("detail-title").textContent;
export const settledTitle = (words: string) => waitFor(() => { if (title() !== words) throw new Error(`still ${title()}`); });
