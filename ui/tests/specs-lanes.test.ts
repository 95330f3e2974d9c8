import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, test } from "vitest";
import { openSpecs } from "./app";
import { manySpecs, specSamples } from "./specs";

const lane = (status: string) => within(screen.getAllByTestId("lane").find((one) => one.dataset.value === status)!);
const cards = (status: string) => lane(status).queryAllByTestId("card").map((one) => one.dataset.id);
const focused = () => (document.activeElement as HTMLElement).dataset.id;

test("the board has a lane for each status, with its count, and what is archived is folded away", async () => {
  await openSpecs();
  expect(screen.getAllByTestId("fold").map((one) => one.textContent)).toEqual(["Draft 2", "Review 1", "Approved 2", "Implementing 1", "Done 12", "Archived 2"]);
  expect(cards("draft")).toEqual(["SPEC-024", "SPEC-023"]);
  expect(cards("archived")).toEqual([]);
  expect(lane("archived").getByTestId("fold")).toHaveAttribute("aria-expanded", "false");
  expect(screen.getByRole("link", { name: /Webhook signatures SPEC-022 0 of 4 ready/ })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: /Idempotency keys SPEC-019 Locked 3 of 5/ })).toBeInTheDocument();
});

test("a lane is folded and unfolded, the layout is chosen, and the app remembers both", async () => {
  const app = await openSpecs();
  await app.user.click(lane("archived").getByTestId("fold"));
  expect(cards("archived")).toEqual(["SPEC-014", "SPEC-012"]);
  await app.user.click(lane("draft").getByTestId("fold"));
  expect(cards("draft")).toEqual([]);
  await app.user.click(screen.getByTestId("layout-list"));
  expect(screen.getByTestId("grouped")).toBeInTheDocument();
  expect(screen.queryByTestId("board")).toBeNull();
  await app.user.keyboard("b");
  expect(screen.getByTestId("board")).toBeInTheDocument();
  expect(app.named("set_preference")).toEqual([
    { key: "specs_folded", value: "" }, { key: "specs_folded", value: "draft" }, { key: "specs_layout", value: "list" }, { key: "specs_layout", value: "board" },
  ]);
});

test("it opens as it was left", async () => {
  const data = specSamples(Date.now());
  await openSpecs("#specs", { data: { ...data, layout: "list", folded: ["done", "archived"] } });
  expect(screen.getByTestId("grouped")).toBeInTheDocument();
  expect(lane("done").getByTestId("fold")).toHaveAttribute("aria-expanded", "false");
  expect(screen.getAllByTestId("line").map((one) => one.dataset.id)).toEqual(["SPEC-024", "SPEC-023", "SPEC-022", "SPEC-019", "SPEC-017", "SPEC-021"]);
});

test("arrows go from card to card and from lane to lane, and Enter's link opens", async () => {
  const app = await openSpecs();
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-024"));
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-023"));
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-023"));
  await app.user.keyboard("{ArrowRight}");
  await waitFor(() => expect(focused()).toBe("SPEC-022"));
  await app.user.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
  await waitFor(() => expect(app.desk.specs.lane).toBe("done"));
  await app.user.keyboard("{End}");
  await waitFor(() => expect(focused()).toBe("SPEC-001"));
  expect(document.activeElement).toHaveAttribute("href", "#specs/3/SPEC-001");
});

test("each lane has one card in the order of Tab", async () => {
  await openSpecs();
  for (const status of ["draft", "review", "approved", "implementing", "done"]) {
    expect(lane(status).getAllByTestId("card").filter((one) => one.tabIndex === 0)).toHaveLength(1);
  }
});

test("in the list arrows go over the groups", async () => {
  const app = await openSpecs();
  await app.user.keyboard("b{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-024"));
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-023"));
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-022"));
  await app.user.keyboard("{ArrowUp}");
  await waitFor(() => expect(focused()).toBe("SPEC-023"));
  await app.user.keyboard("{End}");
  await waitFor(() => expect(focused()).toBe("SPEC-001"));
  await app.user.keyboard("{Home}");
  await waitFor(() => expect(focused()).toBe("SPEC-024"));
});

test("what is typed after / is looked for by the app, once the typing pauses, and Esc ends the search", async () => {
  const app = await openSpecs();
  await app.user.keyboard("/");
  expect(screen.getByTestId("spec-search")).toHaveFocus();
  await app.user.keyboard("refund");
  await waitFor(() => expect(screen.getByTestId("found")).toHaveTextContent("3 specs have these words"));
  expect(app.named("specs").map((one) => one.query)).toEqual(["", "refund"]);
  expect([cards("draft"), cards("approved"), cards("archived"), cards("done")]).toEqual([["SPEC-024"], ["SPEC-017"], ["SPEC-014"], []]);
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-024"));
  await app.user.keyboard("/zzz");
  await waitFor(() => expect(screen.getByTestId("found")).toHaveTextContent("No spec has the words “zzz”."));
  await app.user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("found")).toBeNull());
  expect(screen.getByTestId("spec-search")).toHaveValue("");
});

test("Shift and an arrow moves a spec on, and the keyboard goes with it; an illegal move is said", async () => {
  const app = await openSpecs();
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("SPEC-024"));
  await app.user.keyboard("{Shift>}{ArrowRight}{/Shift}");
  await waitFor(() => expect(cards("review")).toEqual(["SPEC-024", "SPEC-022"]));
  await waitFor(() => expect(focused()).toBe("SPEC-024"));
  expect(app.named("spec_status")).toEqual([{ workspace: 3, id: "SPEC-024", status: "review" }]);
  expect(screen.getByTestId("status")).toHaveTextContent("SPEC-024 is in Review");
  app.refuse.spec_status = { code: "invalid", message: "It can’t go there." };
  await app.user.keyboard("{Shift>}{ArrowLeft}{/Shift}");
  await waitFor(() => expect(screen.getByTestId("alert")).toHaveTextContent("It can’t go there."));
});

test("L locks the card that the keyboard is on, and E edits it", async () => {
  const app = await openSpecs();
  await app.user.keyboard("{ArrowDown}l");
  await waitFor(() => expect(app.named("spec_lock")).toEqual([{ workspace: 3, id: "SPEC-024", locked: true }]));
  await app.user.keyboard("e");
  await waitFor(() => expect(screen.getByTestId("editor")).toHaveAttribute("data-id", "SPEC-024"));
});

test("while the dialog stands over the window no key changes a spec", async () => {
  const app = await openSpecs();
  await app.user.keyboard("{ArrowDown}");
  await app.emit("status", { ...app.desk.status!, dialogOpen: true });
  (document.activeElement as HTMLElement).blur();
  await app.user.keyboard("ln{Shift>}{ArrowRight}{/Shift}production{Delete}");
  expect([app.named("spec_lock"), app.named("spec_status"), app.named("spec_validate"), app.named("spec_delete")]).toEqual([[], [], [], []]);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByTestId("editor")).toBeNull();
});

test("another workspace is shown when it is chosen, and remembered", async () => {
  const app = await openSpecs();
  expect(within(screen.getByTestId("workspace")).getAllByRole("option").map((one) => one.textContent)).toEqual(["payments-api (18)", "course-builder (1)"]);
  await app.user.selectOptions(screen.getByTestId("workspace"), "4");
  await waitFor(() => expect(cards("draft")).toEqual(["SPEC-001"]));
  expect(app.named("set_preference")).toEqual([{ key: "specs_workspace", value: "4" }]);
  expect(app.named("specs").at(-1)).toEqual({ workspace: 4, query: "" });
});

test("one workspace needs no choice", async () => {
  const data = specSamples(Date.now());
  await openSpecs("#specs", { data: { ...data, workspaces: [data.workspaces[0]!] } });
  expect(screen.queryByTestId("workspace")).toBeNull();
  expect(screen.getByTestId("specs")).toHaveTextContent("payments-api");
});

test("without specs the screen says what one is, and N begins one", async () => {
  const data = specSamples(Date.now());
  data.workspaces[0]!.specs = [];
  const app = await openSpecs("#specs", { data });
  expect(screen.getByTestId("specs-empty")).toHaveTextContent(/what is to be built.*create_spec/);
  await app.user.keyboard("n");
  await waitFor(() => expect(screen.getByTestId("editor-title")).toHaveFocus());
});

test("without a workspace there is nothing to begin, and it says how there will be", async () => {
  const app = await openSpecs("#specs", { data: { ...specSamples(Date.now()), workspaces: [] } });
  expect(screen.getByTestId("specs-empty")).toHaveTextContent(/folder of a paired agent.*pair --name my-agent/);
  expect(screen.queryByTestId("spec-new")).toBeNull();
  await app.user.keyboard("n");
  expect(screen.queryByTestId("editor")).toBeNull();
});

test("of ten thousand specs only those near the view are drawn and read, in both layouts", async () => {
  const app = await openSpecs("#specs", { data: manySpecs(Date.now(), 10_000) });
  const drawn = () => document.querySelectorAll("[data-testid=specs] *").length;
  expect(screen.getAllByTestId("fold").map((one) => one.textContent)).toEqual(["Draft 1,818", "Review 1,818", "Approved 1,818", "Implementing 1,818", "Done 1,819", "Archived 909"]);
  expect(screen.getAllByTestId("card").length).toBeLessThan(120);
  const board = drawn();
  expect(board).toBeLessThan(1600);
  expect(app.named("spec_page")).toEqual([]);
  await app.user.keyboard("b");
  expect(screen.getAllByTestId("line").length).toBeLessThan(60);
  expect(drawn()).toBeLessThan(board);
  await app.user.keyboard("b{ArrowDown}");
  await waitFor(() => expect(focused()).toBeDefined());
  await app.user.keyboard("{End}");
  await waitFor(() => expect(focused()).toBe(app.desk.specs.of("draft").rows[1817]!.id));
  expect(app.named("spec_page")).toHaveLength(9); // 200 came with the first look
  expect(screen.getAllByTestId("card").length).toBeLessThan(120);
});

test("a change elsewhere is drawn anew where the person is, and many at once are read once", async () => {
  const app = await openSpecs();
  const before = app.named("specs").length;
  for (let at = 0; at < 20; at += 1) app.home.answer("spec_create", { workspace: 3, title: `Made ${at}`, body: "", criteria: [] });
  await waitFor(() => expect(lane("draft").getByTestId("fold")).toHaveTextContent("Draft 22"));
  expect(app.named("specs").length - before).toBeLessThan(3);
  await app.user.keyboard("{Control>}1{/Control}");
  await waitFor(() => expect(screen.queryByTestId("specs")).toBeNull());
  const left = app.named("specs").length;
  app.home.answer("spec_create", { workspace: 3, title: "While away", body: "", criteria: [] });
  await new Promise((later) => setTimeout(later, 300));
  expect(app.named("specs")).toHaveLength(left);
  await app.user.keyboard("{Control>}2{/Control}");
  await waitFor(() => expect(lane("draft").getByTestId("fold")).toHaveTextContent("Draft 23"));
});

test("what can't be read is said, and the screen stays as it was", async () => {
  const app = await openSpecs();
  app.refuse.specs = { code: "store", message: "The disk is gone." };
  await app.emit("specs", null);
  await waitFor(() => expect(screen.getByTestId("alert")).toHaveTextContent("The disk is gone."));
  await tick();
  expect(cards("draft")).toEqual(["SPEC-024", "SPEC-023"]);
});

test("the rules of a workspace are switches, and each counts at once", async () => {
  const app = await openSpecs();
  await app.user.click(screen.getByTestId("rules-open"));
  expect(screen.getByRole("dialog", { name: "Rules of payments-api" })).toBeInTheDocument();
  await app.user.click(screen.getByRole("switch", { name: "Move specs on by themselves" }));
  await app.user.click(screen.getByRole("switch", { name: "Evidence needs a check or a person" }));
  await app.user.click(screen.getByRole("switch", { name: "Answer policy questions here only" }));
  await app.user.selectOptions(screen.getByLabelText("Sessions start"), "plan");
  await waitFor(() => expect(app.named("set_rules").at(-1)).toEqual({ workspace: 3, rules: { mode: "plan", auto_transitions: true, evidence: "checked", policy_in_app: true } }));
  expect(app.named("set_rules")).toHaveLength(4);
  app.refuse.set_rules = { code: "store", message: "The disk is full." };
  await app.user.click(screen.getByTestId("rule-auto"));
  await waitFor(() => expect(screen.getByTestId("rule-auto")).toBeChecked());
  await app.user.click(screen.getByTestId("rules-close"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByTestId("rules-open")).toHaveFocus();
});
