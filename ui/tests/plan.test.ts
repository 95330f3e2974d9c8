// The plan's dialog: its changes, its lines with remarks, the mode to land in, and the plans before it.
import { mockIPC } from "@tauri-apps/api/mocks";
import { emit } from "@tauri-apps/api/event";
import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { expect, test } from "vitest";
import Dialog from "../src/Dialog.svelte";
import type { DialogView } from "../src/lib/bindings/DialogView";
import type { PlanView } from "../src/lib/bindings/PlanView";
import { Consent } from "../src/lib/consent.svelte";
import { follow, readRemarks, writePlanDraft } from "../src/lib/plan/remarks.svelte";
import * as asks from "./asks";
import * as samples from "./samples";

async function open(plan: Partial<PlanView> = {}, over: Partial<DialogView> = {}, draft: string | null = null) {
  const calls: [string, Record<string, unknown>][] = [];
  const now = Date.now();
  const state = { view: samples.dialog(now, asks.planRequest(now, { draft }), { inertMillis: 10, plan: asks.planOf(now, plan), ...over }) };
  mockIPC((cmd, args) => {
    calls.push([cmd, (args ?? {}) as Record<string, unknown>]);
    if (cmd === "dialog_plan") return asks.pastBlocks();
    return cmd === "dialog_view" ? structuredClone(state.view) : null;
  }, { shouldMockEvents: true });
  const consent = new Consent();
  render(Dialog, { consent });
  await consent.start();
  await awake();
  return {
    consent, state, user: userEvent.setup(), now,
    named: (cmd: string) => calls.filter(([name]) => name === cmd).map(([, given]) => given),
    again: async () => { await emit("dialog-changed"); await tick(); await awake(); },
  };
}

const awake = () => waitFor(() => expect(screen.getByTestId("dialog")).toHaveAttribute("data-awake", "true"));
const calm = (consent: Consent) => waitFor(() => expect(consent.calm && consent.awake).toBe(true));
const tab = (name: string) => screen.getByTestId(`tab-${name}`);
const remark = (line: number) => screen.getAllByTestId("remark-open").find((one) => one.dataset.value === String(line))!;

async function write(app: Awaited<ReturnType<typeof open>>, line: number, words: string) {
  await app.user.click(tab("lines"));
  await app.user.click(remark(line));
  await app.user.type(await screen.findByTestId("remark-text"), words);
}

test("a first plan without anything before it has no changes and no previous ones to look at", async () => {
  await open({ revision: 1, changes: null, previous: [] });
  expect(screen.getAllByRole("tab").map((one) => one.textContent)).toEqual(["Plan", "Lines"]);
  expect(screen.queryByTestId("plan-revision")).toBeNull();
});

test("the tabs are gone through by the arrow keys, and what changed is marked word by word", async () => {
  const { user } = await open();
  expect(screen.getByTestId("plan-revision")).toHaveTextContent("Revision 2");
  tab("whole").focus();
  await user.keyboard("{ArrowRight}");
  expect(tab("changes")).toHaveFocus();
  expect(screen.getByRole("tabpanel", { name: "Changes since revision 1" })).toBeVisible();
  const diff = screen.getByTestId("diff");
  expect(diff.querySelector("del")).toHaveTextContent("two");
  expect(diff.querySelector("ins")).toHaveTextContent("three");
  expect(screen.getByTestId("plan")).not.toBeVisible();
  await user.keyboard("{End}");
  expect(tab("past")).toHaveFocus();
  await user.keyboard("{ArrowRight}");
  expect(tab("whole")).toHaveFocus();
  expect(screen.getByTestId("plan")).toBeVisible();
});

test("a remark on a line goes with Keep planning, beside the comment", async () => {
  const app = await open();
  await write(app, 4, "40 minutes{Enter}");
  expect(screen.queryByTestId("remark-text")).toBeNull();
  expect(remark(4)).toHaveFocus();
  expect(screen.getByTestId("plan-said")).toHaveTextContent("Remark on line 4 kept");
  await app.user.type(screen.getByTestId("dialog-comment"), "Shorter");
  await calm(app.consent);
  expect(screen.getByTestId("dialog-no")).toHaveAccessibleName("Keep planning 1 remark");
  await app.user.click(screen.getByTestId("dialog-no"));
  expect(app.named("dialog_no")).toMatchObject([{ answers: { plan: "Keep planning" }, comment: "Shorter", remarks: [{ line: 4, text: "40 minutes" }] }]);
});

test("remarks are listed, opened from there, and taken back", async () => {
  const app = await open();
  await write(app, 5, "No lab{Enter}");
  await write(app, 3, "Which one?{Enter}");
  expect(screen.getAllByTestId("remark").map((one) => one.dataset.value)).toEqual(["3", "5"]);
  await app.user.click(tab("whole"));
  await app.user.click(within(screen.getAllByTestId("remark")[1]!).getByTestId("remark-change"));
  expect(await screen.findByTestId("remark-text")).toHaveValue("No lab");
  await waitFor(() => expect(screen.getByTestId("remark-text")).toHaveFocus());
  await app.user.click(screen.getByRole("button", { name: "Remove the remark on line 3" }));
  expect(screen.getAllByTestId("remark").map((one) => one.dataset.value)).toEqual(["5"]);
});

test("Esc in a remark leaves the field and not the dialog; an empty one is none", async () => {
  const app = await open();
  await app.user.click(tab("lines"));
  await app.user.click(remark(2));
  await screen.findByTestId("remark-text");
  await app.user.keyboard("{Escape}");
  expect(screen.queryByTestId("remark-text")).toBeNull();
  expect(app.named("dialog_later")).toEqual([]);
  expect(app.consent.remarks.all).toEqual([]);
});

test("lines are gone through by the arrow keys, one stop for Tab", async () => {
  const { user } = await open();
  await user.click(tab("lines"));
  expect(screen.getAllByTestId("remark-open").filter((one) => one.tabIndex === 0)).toEqual([remark(1)]);
  remark(1).focus();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  await waitFor(() => expect(remark(3)).toHaveFocus());
  await user.keyboard("{End}");
  await waitFor(() => expect(remark(asks.SOURCE.length)).toHaveFocus());
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Remark on line 6" })).toHaveFocus());
});

test.each([["a comment", async (app: Awaited<ReturnType<typeof open>>) => { await app.user.type(screen.getByTestId("dialog-comment"), "no"); screen.getByTestId("dialog-later").focus(); }],
  ["a remark", (app: Awaited<ReturnType<typeof open>>) => write(app, 2, "no{Enter}")],
  ["an empty remark that is open", async (app: Awaited<ReturnType<typeof open>>) => { await app.user.click(tab("lines")); await app.user.click(remark(2)); }]])("with %s Ctrl+Enter runs nothing", async (_name, prepare) => {
  const app = await open();
  await prepare(app);
  await awake();
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  expect(app.named("dialog_yes")).toEqual([]);
  expect(screen.getByTestId("dialog-alert")).toBeVisible();
});

test("what was remarked is never lost by another button", async () => {
  const app = await open();
  await write(app, 2, "no{Enter}");
  for (const button of ["dialog-yes", "dialog-cancel"]) {
    await calm(app.consent);
    await app.user.click(screen.getByTestId(button));
    expect(screen.getByTestId("dialog-alert")).toHaveTextContent("Your remarks go with “Keep planning”");
  }
  expect([...app.named("dialog_yes"), ...app.named("dialog_no")]).toEqual([]);
});

test("a plan runs in the mode that was chosen; without a choice in the one before", async () => {
  const app = await open();
  expect(screen.getByTestId("plan-landing")).toHaveValue("interactive");
  expect(screen.getByTestId("plan-mode")).toHaveTextContent("returns the session to interactive mode");
  await app.user.selectOptions(screen.getByTestId("plan-landing"), "guided");
  expect(screen.getByTestId("plan-mode")).toHaveTextContent("guided mode");
  await awake();
  await app.user.click(screen.getByTestId("dialog-yes"));
  expect(app.named("dialog_yes")).toMatchObject([{ answers: { plan: "Run it" }, mode: "guided" }]);
});

test("where no mode is left to choose, none is asked for", async () => {
  const app = await open({ mode: "guided", runMode: "guided", modes: [] });
  expect(screen.queryByTestId("plan-landing")).toBeNull();
  await app.user.click(screen.getByTestId("dialog-yes"));
  expect(app.named("dialog_yes")).toMatchObject([{ mode: null }]);
});

test("a previous plan opens whole and only to be read", async () => {
  const app = await open();
  await app.user.click(tab("past"));
  const all = screen.getAllByTestId("past");
  expect(all[0]).toHaveTextContent("You kept planning");
  expect(all[0]).toHaveTextContent("Three sessions, not two.");
  expect(all[0]).toHaveTextContent("line 3");
  await app.user.click(within(all[0]!).getByTestId("past-open"));
  expect(await screen.findByTestId("past-whole")).toHaveTextContent("Draft two sessions");
  expect(app.named("dialog_plan")).toEqual([{ id: "p1" }]);
  expect(screen.getByTestId("past-back")).toHaveFocus();
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getAllByTestId("past-open")[0]).toHaveFocus());
});

test("remarks are kept as a draft, and come back", async () => {
  const app = await open();
  await write(app, 4, "40 minutes{Enter}");
  await waitFor(() => expect(app.named("save_draft")).toHaveLength(1));
  const draft = String(app.named("save_draft")[0]!.draft);
  expect(JSON.parse(draft)).toEqual({ entries: {}, comment: "", remarks: [{ line: 4, quote: asks.SOURCE[3], text: "40 minutes" }] });
  await app.again();
  expect(app.consent.remarks.said).toHaveLength(1);
  await app.user.click(screen.getByTestId("remark-remove"));
  await waitFor(() => expect(app.named("save_draft").at(-1)).toEqual({ id: "r3", draft: "" }));
});

test("a draft with remarks is there when the dialog opens", async () => {
  const app = await open({}, {}, writePlanDraft("Shorter", [{ line: 4, quote: "x", text: "40" }]));
  expect(app.consent.comment).toBe("Shorter");
  expect(screen.getByTestId("remark")).toHaveTextContent("40");
});

test("when a newer revision takes the plan's place, remarks go on with their lines, and those of lost lines become words", async () => {
  const app = await open();
  await write(app, 5, "No lab{Enter}");
  await write(app, 6, "Which links?{Enter}");
  const request = asks.planRequest(app.now);
  app.state.view = { ...app.state.view, request: { ...request, digest: "sha256:new", row: { ...request.row, id: "r33" } }, plan: asks.planOf(app.now, { revision: 3, lines: ["# Plan", asks.SOURCE[4]!].map((words) => [{ kind: "text" as const, text: words }]) }) };
  await app.again();
  expect(app.consent.remarks.said).toMatchObject([{ line: 2, text: "No lab" }]);
  expect(app.consent.comment).toBe(`“${asks.SOURCE[5]}”: Which links?`);
  await waitFor(() => expect(app.named("save_draft").at(-1)).toMatchObject({ id: "r33" }));
});

test("the nearest of the lines that say the same takes a remark, each line one", () => {
  const lines = ["a", "b", "a", "a"].map((words) => [{ kind: "text" as const, text: words }]);
  expect(follow([{ line: 4, quote: "a", text: "1" }, { line: 4, quote: "a", text: "2" }, { line: 1, quote: "z", text: "3" }], lines)).toEqual({
    kept: [{ line: 4, quote: "a", text: "1" }, { line: 3, quote: "a", text: "2" }], words: "“z”: 3",
  });
});

test.each([null, "", "{", "[]", "{\"remarks\":3}", "{\"remarks\":[{\"line\":0,\"quote\":\"a\",\"text\":\"b\"},{}]}"])("a damaged draft has no remarks: %s", (json) => expect(readRemarks(json)).toEqual([]));
