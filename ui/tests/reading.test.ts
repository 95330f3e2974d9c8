import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { choice, open, settledTitle, text, title } from "./app";
import * as samples from "./samples";

test("a draft is kept a moment after the last key, and at once when the person turns away", async () => {
  const app = await open([text("r1"), text("r2")]);
  await app.user.type(screen.getByTestId("text-input"), "half");
  await waitFor(() => expect(app.named("save_draft")).toHaveLength(1));
  expect(JSON.parse(String(app.named("save_draft")[0]!.draft)).entries.q.text).toBe("half");
  await app.user.type(screen.getByTestId("text-input"), " a");
  await app.user.click(screen.getAllByTestId("row")[1]!);
  expect(app.named("save_draft").at(-1)).toMatchObject({ id: "r1" });
  expect(String(app.named("save_draft").at(-1)!.draft)).toContain("half a");
  await settledTitle("Say for r2");
  await app.user.type(screen.getByTestId("text-input"), "b");
  await fireEvent.blur(window);
  expect(app.named("save_draft").at(-1)).toMatchObject({ id: "r2" });
});

test.each([["blur", () => fireEvent.blur(window)], ["pagehide", () => fireEvent(window, new Event("pagehide"))], ["visibilitychange", () => fireEvent(document, new Event("visibilitychange"))]])(
  "a draft is flushed on %s", async (_name, leave) => {
    const app = await open([text("r1")]);
    await app.user.type(screen.getByTestId("text-input"), "x");
    await leave();
    expect(app.named("save_draft")).toHaveLength(1);
  });

test("a draft comes back, and one that was emptied is deleted", async () => {
  const drafted = text("r1");
  drafted.draft = JSON.stringify({ entries: { q: { text: "kept" } }, comment: "" });
  const app = await open([drafted]);
  expect(screen.getByTestId("text-input")).toHaveValue("kept");
  await app.user.clear(screen.getByTestId("text-input"));
  await waitFor(() => expect(app.named("save_draft").at(-1)).toEqual({ id: "r1", draft: "" }));
});

test("no draft is saved after its answer", async () => {
  const app = await open([text("r1")]);
  await app.user.type(screen.getByTestId("text-input"), "done{Enter}");
  await waitFor(() => expect(screen.getByTestId("empty")).toBeVisible());
  await new Promise((later) => setTimeout(later, 300));
  expect(app.named("save_draft")).toEqual([]);
});

test("settled elsewhere: who, how, and what was typed stays readable", async () => {
  const app = await open([text("r1"), text("r2")]);
  await app.user.type(screen.getByTestId("text-input"), "my half answer");
  const settled = await app.settleElsewhere("r1", "answered", { by: "terminal", answers: [[{ kind: "text", text: "7 days" }]] });
  expect(settled).toHaveTextContent("Answered in a terminal");
  expect(settled).toHaveTextContent("7 days");
  expect(screen.getByTestId("typed")).toHaveValue("my half answer");
  expect(screen.getByTestId("typed")).toHaveAttribute("readonly");
  expect(screen.queryByTestId("send")).toBeNull();
  expect(title()).toBe("Say for r1");
  await app.user.click(screen.getByTestId("detail-title"));
  await app.user.keyboard("j");
  await settledTitle("Say for r2");
});

test("every ending has words of its own", async () => {
  const seen = new Set<string>();
  for (const [state, decision] of [["answered", {}], ["answered", { by: "default" }], ["declined", {}], ["cancelled", null], ["expired", null], ["superseded", null]] as const) {
    const app = await open([choice("r1")]);
    const settled = await app.settleElsewhere("r1", state, decision);
    seen.add(settled.textContent!.trim().split(/[ ,:]/)[0]! + ("by" in (decision ?? {}) ? " default" : ""));
    const { cleanup } = await import("@testing-library/svelte");
    cleanup();
  }
  expect(seen.size).toBe(6);
});

test("a refused answer to a request that is gone shows how it was settled", async () => {
  const app = await open([choice("r1")]);
  app.refuse.answer = { code: "settled", message: "Already answered in a terminal." };
  await app.user.keyboard("1");
  const pending = app.user.keyboard("{Enter}");
  const settled = await app.settleElsewhere("r1", "answered", { by: "terminal" });
  await pending;
  expect(settled).toHaveTextContent("in a terminal");
});

test("a new request is announced and drawn, and takes neither the focus nor the place of what is read", async () => {
  const app = await open([text("r1")]);
  const field = screen.getByTestId("text-input");
  await app.user.type(field, "still typing");
  await app.arrive(choice("r2"));
  expect(screen.getByRole("status")).toHaveTextContent("Claude Code asks: Pick for r2");
  expect(field).toHaveFocus();
  expect(field).toHaveValue("still typing");
  expect(title()).toBe("Say for r1");
  await waitFor(() => expect(app.named("painted")).toEqual([{ id: "r2" }]));
});

test("an older list is dropped", async () => {
  const app = await open([choice("r1"), choice("r2")]);
  await app.emit("list", { revision: 0, rows: [] });
  expect(screen.getAllByTestId("row")).toHaveLength(2);
});

test("the first request after an empty inbox opens, without taking the focus", async () => {
  const app = await open([]);
  expect(screen.getByTestId("empty")).toHaveTextContent("countersign pair --name my-agent");
  await app.arrive(choice("r1"));
  await settledTitle("Pick for r1");
  expect(document.body).toHaveFocus();
});

test("escapes are drawn as marks, links show their address and open nothing", async () => {
  const request = choice("r1");
  request.row.title = [{ kind: "text", text: "Rotate " }, { kind: "escape", text: "U+202E" }];
  request.context = [{ kind: "paragraph", children: [{ kind: "link", href: [{ kind: "text", text: "https://evil.example" }], children: [{ kind: "text", spans: [{ kind: "text", text: "docs" }] }] }] }];
  await open([request]);
  expect(screen.getByTestId("detail-title").querySelector(".escape")).toHaveTextContent("⟦U+202E⟧");
  expect(screen.getByTestId("detail")).toHaveTextContent("https://evil.example");
  expect(screen.getByTestId("detail").querySelector("a")).toBeNull();
});

test("search and filters narrow the list, and the counts follow", async () => {
  const app = await open([choice("r1", {}, { title: "Canción de cuna" }), choice("r2", {}, { class: "approval" }), choice("r3", {}, { class: "plan" })]);
  expect(screen.getByRole("button", { name: "All 3" })).toHaveAttribute("aria-pressed", "true");
  await app.user.click(screen.getByRole("button", { name: "Approvals 1" }));
  expect(screen.getAllByTestId("row").map((row) => row.dataset.id)).toEqual(["r2"]);
  await app.user.click(screen.getByRole("button", { name: "All 3" }));
  screen.getByTestId("detail-title").focus();
  await app.user.keyboard("/cancion");
  expect(screen.getAllByTestId("row").map((row) => row.dataset.id)).toEqual(["r1"]);
  await app.user.keyboard("{Escape}");
  expect(screen.getAllByTestId("row")).toHaveLength(3);
});

test("a countdown ticks", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const request = choice("r1", {}, { expiresAt: Date.now() + 200_000, onExpiry: "default" });
  const app = await open([request]);
  expect(screen.getByTestId("row")).toHaveTextContent(/answers itself in 3:(20|19)/);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.getByTestId("row")).toHaveTextContent(/answers itself in 2:(20|19)/);
  expect(app.named("request")).toHaveLength(1);
  vi.useRealTimers();
});

test("rows are grouped by workspace, oldest first", async () => {
  await open([choice("r1", {}, { workspace: "b" }), choice("r2", {}, { workspace: "a" }), choice("r3", {}, { workspace: "b" })]);
  expect(screen.getAllByTestId("row").map((row) => row.dataset.id)).toEqual(["r1", "r3", "r2"]);
  expect(samples.requests(0).length).toBeGreaterThan(0);
});

test("a click in the list leaves the focus there, also after the keys were used", async () => {
  const app = await open([choice("r1"), choice("r2")]);
  await app.user.keyboard("j");
  await settledTitle("Pick for r2");
  expect(screen.getByTestId("detail-title")).toHaveFocus();
  await app.user.click(screen.getAllByTestId("row")[0]!);
  await settledTitle("Pick for r1");
  expect(screen.getAllByTestId("row")[0]).toHaveFocus();
});

test("#inbox/<id> opens that request once, and later lists don't go back to it", async () => {
  const app = await open([choice("r1"), choice("r2"), choice("r3")]);
  location.hash = "#inbox/r2";
  await settledTitle("Pick for r2");
  await app.user.keyboard("j");
  await settledTitle("Pick for r3");
  await app.arrive(choice("r4"));
  await new Promise((later) => setTimeout(later, 50));
  expect(title()).toBe("Pick for r3");
});

test("what looks like a secret is masked until the person asks, in lists always, and anew in the next request", async () => {
  const secret = { kind: "secret" as const, text: "ghp_a1b2" };
  const masked = text("r1");
  masked.context = [{ kind: "code", language: null, spans: [{ kind: "text", text: "TOKEN=" }, secret] }];
  masked.row.title = [{ kind: "text", text: "Use " }, secret];
  const app = await open([masked, text("r2")]);
  expect(document.body.textContent).not.toContain("ghp_a1b2");
  expect(screen.getByTestId("detail")).toHaveTextContent("TOKEN=•••••••• 8masked secret of 8 characters");
  await app.user.click(screen.getByTestId("reveal"));
  expect(screen.getByTestId("reveal")).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByTestId("detail")).toHaveTextContent("TOKEN=ghp_a1b2");
  expect(screen.getAllByTestId("row")[0]).not.toHaveTextContent("ghp_a1b2");
  await app.user.click(screen.getAllByTestId("row")[1]!);
  await settledTitle("Say for r2");
  expect(screen.queryByTestId("reveal")).toBeNull();
});

test("a gate is asked in the person's language beside its own words, and its answer is the one that the agent knows", async () => {
  const gate = samples.duplicate(Date.now());
  const es = await open([gate], { status: { language: "es" } });
  const pane = await waitFor(() => screen.getByTestId("detail"));
  await waitFor(() => expect(screen.getByTestId("detail-title")).toHaveTextContent("¿Crear una especificación, aunque SPEC-014 tiene el mismo título o casi?"));
  expect(screen.getByTestId("original")).toHaveTextContent("Duplicate of SPEC-014? “Refunds”");
  expect(screen.getByTestId("original")).toHaveAttribute("lang", "en");
  expect(pane.querySelector("legend [lang=en]")).toHaveTextContent("There is already SPEC-014");
  expect(screen.getAllByTestId<HTMLInputElement>("option").map((one) => [one.dataset.value, one.closest("label")!.querySelector(".l")!.textContent])).toEqual([
    ["use the existing one", "Usar la que ya existe · use the existing one"], ["create anyway", "Crearla de todos modos · create anyway"],
  ]);
  await es.user.click(screen.getAllByTestId("option")[1]!);
  await es.user.click(screen.getByTestId("send"));
  expect(es.named("answer")).toMatchObject([{ answers: { "confirm-duplicate-title": "create anyway" } }]);
});

test("in English a gate is asked in its own words alone, and an agent's own question of that name is nobody's gate", async () => {
  await open([{ ...samples.duplicate(Date.now()), gate: false }], { status: { language: "es" } });
  await waitFor(() => expect(screen.getByTestId("detail-title")).toHaveTextContent("Duplicate of SPEC-014?"));
  expect(screen.queryByTestId("original")).toBeNull();
});
