import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { fromField, merge, toField } from "../src/lib/specs/content";
import { openSpecs } from "./app";
import { specSamples } from "./specs";

const field = (at: number) => within(screen.getAllByTestId("criterion-field")[at]!);
const texts = () => screen.getAllByTestId<HTMLTextAreaElement>("criterion-text").map((one) => one.value);

async function edit(id = "SPEC-021", data = specSamples(Date.now())) {
  const app = await openSpecs(`#specs/3/${id}/edit`, { data });
  await waitFor(() => screen.getByTestId("editor"));
  await waitFor(() => expect(app.named("spec_preview")).not.toEqual([]));
  return app;
}

test("a spec is made by keyboard alone, with its criteria, and is there then", async () => {
  const app = await openSpecs();
  await app.user.keyboard("n");
  await waitFor(() => expect(screen.getByTestId("editor-title")).toHaveFocus());
  await app.user.keyboard("Gift cards{Enter}");
  expect(screen.getByTestId("editor-body")).toHaveFocus();
  await app.user.keyboard("They are **cards**.");
  await app.user.click(screen.getByTestId("criterion-add"));
  await waitFor(() => expect(field(0).getByTestId("criterion-text")).toHaveFocus());
  await app.user.keyboard("`POST /cards` returns 201{Enter}");
  await waitFor(() => expect(field(1).getByTestId("criterion-text")).toHaveFocus());
  await app.user.keyboard("A card lasts 2 years{Shift>}{Enter}{/Shift}and a day{Enter}");
  await app.user.type(field(1).getByTestId("criterion-check"), "api");
  await app.user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(screen.getByTestId("spec")).toHaveAttribute("data-id", "SPEC-101"));
  // the empty one that Enter began is none
  expect(app.named("spec_create")).toEqual([{ workspace: 3, title: "Gift cards", body: "They are **cards**.", criteria: [{ id: null, text: "`POST /cards` returns 201", check: null }, { id: null, text: "A card lasts 2 years\nand a day", check: "api" }] }]);
  expect(screen.getByTestId("status")).toHaveTextContent("SPEC-101 is there");
});

test("as one types the text is rendered, each criterion judged, and a title that is nearly there already named", async () => {
  const app = await openSpecs("#specs/3/new");
  await app.user.type(await waitFor(() => screen.getByTestId("editor-title")), "Webhook");
  await waitFor(() => expect(screen.getByTestId("near")).toHaveTextContent(/Nearly the same is there already: SPEC-022 “Webhook signatures” 87 % alike; SPEC-021/));
  await app.user.type(screen.getByTestId("editor-body"), "# Why{Enter}{Enter}**So**");
  await waitFor(() => expect(within(screen.getByTestId("preview")).getByRole("heading", { name: "Why" })).toBeInTheDocument());
  await app.user.click(screen.getByTestId("criterion-add"));
  await app.user.keyboard("It is fast");
  await waitFor(() => expect(field(0).getByTestId("findings")).toHaveTextContent(/Vague words.*fast.*Nothing to measure/));
  await app.user.keyboard(": 95 % under 300 ms");
  await app.user.clear(field(0).getByTestId("criterion-text"));
  await app.user.type(field(0).getByTestId("criterion-text"), "95 % answer in 300 ms");
  await waitFor(() => expect(field(0).getByTestId("fit")).toBeInTheDocument());
  expect(app.named("spec_create")).toEqual([]);
  // not a command a key
  expect(app.named("spec_check").length).toBeLessThan(25);
});

test("without a title nothing is made, and that is said beside it", async () => {
  const app = await openSpecs("#specs/3/new");
  await waitFor(() => screen.getByTestId("editor"));
  await app.user.click(screen.getByTestId("editor-save"));
  expect(screen.getByTestId("editor-missing")).toHaveTextContent("A spec needs a title.");
  expect(screen.getByTestId("editor-title")).toBeInvalid();
  expect(app.named("spec_create")).toEqual([]);
});

test("only what was changed is sent, over the revision that was read", async () => {
  const app = await edit();
  await app.user.type(screen.getByTestId("editor-title"), " 2");
  await app.user.click(screen.getByTestId("editor-save"));
  await waitFor(() => expect(screen.getByTestId("spec")).toHaveAttribute("data-revision", "4"));
  expect(app.named("spec_edit")).toEqual([{ workspace: 3, id: "SPEC-021", base: 3, title: "Webhook delivery 2", body: null, criteria: null }]);
  expect(screen.getByTestId("status")).toHaveTextContent("SPEC-021 is saved");
});

test("criteria are reordered, removed and reworded, and keep their ids", async () => {
  const app = await edit();
  await app.user.click(field(0).getByTestId("criterion-down"));
  await waitFor(() => expect(field(1).getByTestId("criterion-text")).toHaveFocus());
  await app.user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await app.user.click(field(0).getByRole("button", { name: "Remove AC-2" }));
  await app.user.click(screen.getByTestId("criterion-add"));
  await app.user.keyboard("x{Backspace}{Backspace}");
  await waitFor(() => expect(screen.getAllByTestId("criterion-field")).toHaveLength(4));
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("spec_edit")).toHaveLength(1));
  expect((app.named("spec_edit")[0]!.criteria as { id: string }[]).map((one) => one.id)).toEqual(["AC-3", "AC-1", "AC-4", "AC-5"]);
});

test("Esc leaves the field, then asks what becomes of changes; kept, they come back with the form", async () => {
  const app = await edit();
  await app.user.type(screen.getByTestId("editor-title"), "!");
  expect(screen.getByTestId("editor-changed")).toBeInTheDocument();
  await app.user.keyboard("{Escape}");
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
  await app.user.keyboard("{Escape}");
  expect(screen.getByRole("dialog", { name: "Your changes aren’t saved" })).toBeInTheDocument();
  expect(screen.getByTestId("leave-keep")).toHaveFocus();
  await app.user.click(screen.getByTestId("leave-keep"));
  await waitFor(() => expect(screen.getByTestId("spec-unsaved")).toBeInTheDocument());
  await app.user.keyboard("{Control>}1{/Control}");
  await app.user.keyboard("{Control>}2{/Control}");
  await waitFor(() => expect(screen.getByRole("link", { name: /Webhook delivery SPEC-021 Unsaved/ })).toBeInTheDocument());
  location.hash = "#specs/3/SPEC-021/edit";
  await waitFor(() => expect(screen.getByTestId("editor-title")).toHaveValue("Webhook delivery!"));
  await app.user.click(screen.getByTestId("editor-cancel"));
  await app.user.click(screen.getByTestId("leave-discard"));
  await waitFor(() => expect(screen.getByTestId("spec")).toBeInTheDocument());
  expect(screen.queryByTestId("spec-unsaved")).toBeNull();
  expect(app.named("spec_edit")).toEqual([]);
});

test("without a change Esc just leaves, and a save sends nothing", async () => {
  const app = await edit();
  await app.user.keyboard("{Escape}{Escape}");
  await waitFor(() => expect(screen.getByTestId("spec")).toBeInTheDocument());
  await app.user.keyboard("e");
  await waitFor(() => screen.getByTestId("editor"));
  await app.user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(screen.getByTestId("spec")).toBeInTheDocument());
  expect(app.named("spec_edit")).toEqual([]);
});

test("changes that aren't saved hold the app back from quitting, until the person says so", async () => {
  const app = await edit();
  await app.user.type(screen.getByTestId("editor-title"), "!");
  await app.user.keyboard("{Control>}q{/Control}");
  await waitFor(() => expect(screen.getByTestId("quit")).toHaveTextContent("1 spec has changes that aren’t saved"));
  await app.user.click(screen.getByTestId("quit-stay"));
  expect(app.named("quit")).toEqual([{ sure: false, unsaved: true }]);
  await app.user.keyboard("{Control>}q{/Control}");
  await app.user.click(await waitFor(() => screen.getByTestId("quit-yes")));
  await waitFor(() => expect(app.named("quit").at(-1)).toEqual({ sure: true, unsaved: true }));
});

test("a change made meanwhile is said while one writes, shown, and brought together with mine", async () => {
  const app = await edit();
  await app.user.type(screen.getByTestId("editor-title"), " for partners");
  app.home.elsewhere({ workspace: 3, id: "SPEC-021", body: "Shorter." });
  await waitFor(() => expect(screen.getByTestId("clash")).toHaveTextContent(/it is at revision 4\. Nothing of either is lost\./));
  expect(within(screen.getByTestId("clash")).getByTestId("changes")).toHaveTextContent("Shorter.");
  expect(screen.queryByTestId("clash-held")).toBeNull();
  for (const keys of ["{Control>}s{/Control}", "{Control>}{Enter}{/Control}"]) await app.user.keyboard(keys);
  expect(screen.getByTestId("clash-held")).toHaveTextContent("Nothing was saved: say first what is to become of the two.");
  expect(app.named("spec_edit")).toEqual([]);
  await app.user.click(screen.getByTestId("clash-bring"));
  expect(screen.queryByTestId("clash")).toBeNull();
  expect(screen.queryByTestId("clashes")).toBeNull();
  expect(screen.getByTestId("editor-title")).toHaveValue("Webhook delivery for partners");
  expect(screen.getByTestId("editor-body")).toHaveValue("Shorter.");
  await app.user.click(screen.getByTestId("editor-save"));
  await waitFor(() => expect(app.named("spec_edit")).toEqual([{ workspace: 3, id: "SPEC-021", base: 4, title: "Webhook delivery for partners", body: null, criteria: null }]));
});

test("a save over another revision is refused and loses nothing: mine over theirs, or theirs", async () => {
  const app = await edit();
  await app.user.type(screen.getByTestId("editor-title"), "!");
  app.refuse.spec_edit = { code: "conflict", message: "It is at revision 4." };
  app.refuse.spec = { code: "store", message: "not now" }; // the page hears of the change by its own save only
  app.home.elsewhere({ workspace: 3, id: "SPEC-021", title: "Hooks" });
  await waitFor(() => expect(screen.getByTestId("alert")).toHaveTextContent("not now"));
  app.refuse.spec = undefined;
  await app.user.click(screen.getByTestId("editor-save"));
  await waitFor(() => expect(screen.getByTestId("clash")).toBeInTheDocument());
  expect(screen.getByTestId("editor-title")).toHaveValue("Webhook delivery!");
  app.refuse.spec_edit = undefined;
  await app.user.click(screen.getByTestId("clash-bring"));
  expect(screen.getByTestId("clashes")).toHaveTextContent("Both of you changed: Title.");
  expect(screen.getByTestId("editor-title")).toHaveValue("Webhook delivery!");
  app.home.elsewhere({ workspace: 3, id: "SPEC-021", title: "Hooks again" });
  await waitFor(() => expect(screen.getByTestId("clash")).toBeInTheDocument());
  await app.user.click(screen.getByTestId("clash-give"));
  expect(screen.getByTestId("editor-title")).toHaveValue("Hooks again");
  await app.user.type(screen.getByTestId("editor-title"), "?");
  app.home.elsewhere({ workspace: 3, id: "SPEC-021", criteria: [] });
  await waitFor(() => expect(screen.getByTestId("clash")).toBeInTheDocument());
  await app.user.click(screen.getByTestId("clash-over"));
  expect(texts()).toHaveLength(5);
  await app.user.click(screen.getByTestId("editor-save"));
  await waitFor(() => expect(app.named("spec_edit").at(-1)).toMatchObject({ base: 6, title: "Hooks again?" }));
  // what they dropped comes back as new
  expect((app.named("spec_edit").at(-1)!.criteria as { id: string | null }[]).map((one) => one.id)).toEqual([null, null, null, null, null]);
});

test("a form in which nothing was typed just follows the change", async () => {
  const app = await edit();
  app.home.elsewhere({ workspace: 3, id: "SPEC-021", title: "Hooks" });
  await waitFor(() => expect(screen.getByTestId("editor-title")).toHaveValue("Hooks"));
  expect(screen.queryByTestId("clash")).toBeNull();
});

test("what a save means is said first: approved goes back to review, a lock holds agents only", async () => {
  await edit("SPEC-019");
  expect(screen.getByTestId("editor-back")).toHaveTextContent("takes it back to Review");
  expect(screen.getByTestId("editor-locked")).toHaveTextContent("your own change is saved all the same");
  expect(screen.queryByTestId("editor-hides")).toBeNull();
});

test("characters that a field can't show are pointed out", async () => {
  const data = specSamples(Date.now());
  data.workspaces[0]!.specs.find((one) => one.number === 22)!.body = "pay \u202Eeno";
  await edit("SPEC-022", data);
  expect(screen.getByTestId("editor-hides")).toBeInTheDocument();
});

test("line ends and the end of a text that nobody touched stay as they are, byte for byte", () => {
  for (const body of ["a\r\nb\r\n", "a\nb", "a\r\nb\nc\r", "", "\r\n"]) expect(fromField(toField(body), body)).toBe(body);
  expect(fromField("a\nc\n", "a\r\nb\r\n")).toBe("a\r\nc\r\n");
  expect(fromField("a\nc", "a\r\nb\nc")).toBe("a\nc");
  expect(fromField("x\ny", "")).toBe("x\ny");
});

const one = (id: string | null, text: string, check: string | null = null) => ({ id, text, check });
const base = { title: "T", body: "B", criteria: [one("AC-1", "one"), one("AC-2", "two"), one("AC-3", "three")] };

test.each([
  ["nothing changed", base, base, base.criteria, []],
  ["theirs alone", base, { ...base, criteria: [one("AC-1", "uno"), base.criteria[2]!, one("AC-4", "four")] }, [one("AC-1", "uno"), one("AC-3", "three"), one("AC-4", "four")], []],
  ["mine alone", { ...base, criteria: [base.criteria[2]!, base.criteria[0]!, one(null, "new")] }, base, [one("AC-3", "three"), one("AC-1", "one"), one(null, "new")], []],
  ["each another one", { ...base, criteria: [one("AC-1", "uno"), base.criteria[1]!, base.criteria[2]!] }, { ...base, criteria: [base.criteria[0]!, one("AC-2", "dos"), base.criteria[2]!] }, [one("AC-1", "uno"), one("AC-2", "dos"), one("AC-3", "three")], []],
  ["both the same one", { ...base, criteria: [one("AC-1", "uno"), ...base.criteria.slice(1)] }, { ...base, criteria: [one("AC-1", "un"), ...base.criteria.slice(1)] }, [one("AC-1", "uno"), ...base.criteria.slice(1)], ["AC-1"]],
  ["both alike", { ...base, criteria: [one("AC-1", "uno"), ...base.criteria.slice(1)] }, { ...base, criteria: [one("AC-1", "uno"), ...base.criteria.slice(1)] }, [one("AC-1", "uno"), ...base.criteria.slice(1)], []],
  ["I dropped what they changed", { ...base, criteria: base.criteria.slice(1) }, { ...base, criteria: [one("AC-1", "un"), ...base.criteria.slice(1)] }, [...base.criteria.slice(1), one("AC-1", "un")], ["AC-1"]],
  ["they dropped what I changed", { ...base, criteria: [one("AC-1", "uno"), ...base.criteria.slice(1)] }, { ...base, criteria: base.criteria.slice(1) }, [one(null, "uno"), ...base.criteria.slice(1)], ["AC-1"]],
])("two changes at once are brought together: %s", (_name, mine, theirs, criteria, clashes) => {
  expect(merge(base, mine, theirs)).toEqual({ content: { ...base, criteria }, clashes });
});

test("of title and text, what only one changed is that one's", () => {
  expect(merge(base, { ...base, title: "M" }, { ...base, body: "theirs" })).toEqual({ content: { ...base, title: "M", body: "theirs" }, clashes: [] });
  expect(merge(base, { ...base, title: "M", body: "M" }, { ...base, title: "X", body: "M" })).toEqual({ content: { ...base, title: "M", body: "M" }, clashes: ["title"] });
});

test("E puts the cursor into the title", async () => {
  const app = await openSpecs("#specs/3/SPEC-021");
  await waitFor(() => screen.getByTestId("spec"));
  await app.user.keyboard("e");
  await waitFor(() => expect(screen.getByTestId("editor-title")).toHaveFocus());
  expect(screen.getByTestId("editor-title")).toHaveValue("Webhook delivery");
});
