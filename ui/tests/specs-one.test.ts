import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { choice, open, openSpecs } from "./app";
import { specSamples } from "./specs";

const WEBHOOK = "#specs/3/SPEC-021";
const there = (id: string) => waitFor(() => expect(screen.getByTestId("spec")).toHaveAttribute("data-id", id));
const criterion = (id: string) => within(screen.getAllByTestId("criterion").find((one) => one.dataset.id === id)!);
const status = () => screen.getByTestId("spec-status").dataset.value;

async function openOne(id = "SPEC-021", part = "", data = specSamples(Date.now()), over: Record<string, unknown> = {}) {
  const app = await openSpecs(`#specs/3/${id}${part}`, { data, over });
  await there(id);
  return app;
}

test("a spec shows its text, its criteria, whose word each evidence is, and what keeps one from building", async () => {
  await openOne();
  expect(screen.getByTestId("spec-title")).toHaveFocus();
  expect(screen.getByTestId("spec-body")).toHaveTextContent("Partners poll us every minute");
  expect(screen.getAllByTestId("criterion").map((one) => [one.dataset.id, one.dataset.value])).toEqual([["AC-1", "met"], ["AC-2", "met"], ["AC-3", "waived"], ["AC-4", "unmet"], ["AC-5", "unmet"]]);
  expect(criterion("AC-1").getByTestId("evidence")).toHaveTextContent(/It is met · Claude Code’s word/);
  expect(criterion("AC-2").getByTestId("evidence")).toHaveTextContent(/check api/);
  expect(criterion("AC-2").getByText(/passed 5 minutes ago, over revision 3|passed 4 minutes ago, over revision 3/)).toBeInTheDocument();
  expect(criterion("AC-3").getByTestId("evidence")).toHaveTextContent(/It need not be met · your word/);
  expect(criterion("AC-5").getByTestId("evidence")).toHaveTextContent(/It is not met · Codex’s word/);
  expect(criterion("AC-4").getByTestId("findings")).toHaveTextContent(/Vague words.*fast.*easy.*Nothing to measure/);
  expect(criterion("AC-1").queryByTestId("findings")).toBeNull();
});

test("Enter on a card opens, Esc goes back to that card, and J and K go along the lane", async () => {
  const app = await openSpecs();
  await app.user.keyboard("{ArrowDown}");
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset.id).toBe("SPEC-024"));
  location.hash = (document.activeElement as HTMLAnchorElement).getAttribute("href")!;
  await there("SPEC-024");
  await app.user.keyboard("j");
  await there("SPEC-023");
  await app.user.keyboard("j");
  await app.user.keyboard("k");
  await there("SPEC-024");
  await app.user.keyboard("j");
  await there("SPEC-023");
  await app.user.keyboard("{Escape}");
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset.id).toBe("SPEC-023"));
  expect(screen.getByTestId("board")).toBeInTheDocument();
});

test("only the legal moves are offered, the way on first, and one press moves", async () => {
  const app = await openOne();
  expect(screen.getAllByTestId("move").map((one) => one.dataset.value)).toEqual(["done", "approved", "archived"]);
  await app.user.click(screen.getAllByTestId("move")[0]!);
  await waitFor(() => expect(status()).toBe("done"));
  expect(app.named("spec_status")).toEqual([{ workspace: 3, id: "SPEC-021", status: "done" }]);
  expect(screen.queryByRole("dialog")).toBeNull(); // its person's own act: nothing asks
  await app.user.keyboard("{Shift>}{ArrowLeft}{/Shift}");
  await waitFor(() => expect(status()).toBe("implementing"));
});

test("evidence is recorded as the person's word, by keyboard too, and Esc leaves the form without a word", async () => {
  const app = await openOne();
  await app.user.click(criterion("AC-4").getByTestId("evidence-open"));
  expect(criterion("AC-4").getByTestId("evidence-text")).toHaveFocus();
  await app.user.keyboard("{Escape}");
  expect(criterion("AC-4").queryByTestId("evidence-form")).toBeNull();
  expect(criterion("AC-4").getByTestId("evidence-open")).toHaveFocus();
  await app.user.keyboard("{Enter}");
  expect(criterion("AC-4").getByTestId("evidence-send")).toBeDisabled();
  await app.user.keyboard("Seen in staging, 210 ms{Control>}{Enter}{/Control}");
  await waitFor(() => expect(criterion("AC-4").getByTestId("evidence")).toHaveTextContent(/Seen in staging, 210 ms.*It is met · your word/));
  await app.user.click(criterion("AC-1").getByTestId("evidence-open"));
  expect(criterion("AC-1").getByTestId("evidence-unmet")).toBeChecked();
  await app.user.type(criterion("AC-1").getByTestId("evidence-text"), "It gave up after 3");
  await app.user.click(criterion("AC-1").getByTestId("evidence-send"));
  expect(app.named("spec_evidence")).toEqual([
    { workspace: 3, id: "SPEC-021", criterion: "AC-4", met: true, text: "Seen in staging, 210 ms" }, { workspace: 3, id: "SPEC-021", criterion: "AC-1", met: false, text: "It gave up after 3" },
  ]);
  expect(screen.getByTestId("status")).toHaveTextContent("Recorded for AC-1");
});

test("a criterion is waived with a reason, and the waiver is taken back", async () => {
  const app = await openOne();
  expect(criterion("AC-1").queryByTestId("waive-open")).toBeNull();
  await app.user.click(criterion("AC-4").getByTestId("waive-open"));
  expect(criterion("AC-4").getByTestId("waive-send")).toBeDisabled();
  await app.user.keyboard("Not in this release{Control>}{Enter}{/Control}");
  await waitFor(() => expect(criterion("AC-4").getByTestId("evidence")).toHaveTextContent(/Not in this release.*It need not be met · your word/));
  await app.user.click(criterion("AC-4").getByTestId("unwaive"));
  await waitFor(() => expect(criterion("AC-4").queryByTestId("evidence")).toBeNull());
  expect(app.named("spec_waive").map((one) => one.reason)).toEqual(["Not in this release", null]);
});

test("a refused act says why, and what was typed stays", async () => {
  const app = await openOne();
  app.refuse.spec_evidence = { code: "invalid", message: "It is too long." };
  await app.user.click(criterion("AC-4").getByTestId("evidence-open"));
  await app.user.keyboard("x{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.getByTestId("alert")).toHaveTextContent("It is too long."));
  expect(criterion("AC-4").getByTestId("evidence-text")).toHaveValue("x");
});

test("where a check or a person is asked for, an agent's word says that it decides nothing", async () => {
  const data = specSamples(Date.now());
  data.workspaces[0]!.rules.evidence = "checked";
  Object.assign(data.workspaces[0]!.specs.find((one) => one.number === 21)!.criteria[0]!, { state: "unmet" });
  await openOne("SPEC-021", "", data);
  expect(criterion("AC-1").getByTestId("evidence")).toHaveTextContent(/Kept beside/);
});

test("L locks and unlocks, and the page says so", async () => {
  const app = await openOne("SPEC-019");
  expect(screen.getByTestId("spec-lock")).toHaveTextContent("Unlock");
  await app.user.keyboard("l");
  await waitFor(() => expect(screen.getByTestId("spec-lock")).toHaveTextContent(/^Lock/));
  await app.user.click(screen.getByTestId("spec-lock"));
  await waitFor(() => expect(app.named("spec_lock")).toEqual([{ workspace: 3, id: "SPEC-019", locked: false }, { workspace: 3, id: "SPEC-019", locked: true }]));
});

test("the history has every revision with its author, and opens with the latest change, word by word", async () => {
  const app = await openOne();
  await app.user.keyboard("h");
  await waitFor(() => expect(screen.getByTestId("changes")).toBeInTheDocument());
  expect(screen.getAllByTestId("revision").map((one) => one.dataset.value)).toEqual(["3", "2", "1"]);
  expect(screen.getAllByTestId("revision")[0]).toHaveTextContent(/Revision 3\s*Claude Code/);
  const changes = screen.getByTestId("changes");
  expect([...changes.querySelectorAll("del")].map((one) => one.textContent)).toContain("5");
  expect([...changes.querySelectorAll("ins")].map((one) => one.textContent)).toContain("8");
  expect(within(changes).getAllByText("removed:").length).toBeGreaterThan(0);
  await app.user.click(screen.getAllByTestId("revision-open")[2]!);
  await waitFor(() => expect(screen.getAllByTestId("changes")[1]).toHaveTextContent("The first revision."));
  expect(app.named("spec_revision")).toEqual([{ workspace: 3, id: "SPEC-021", revision: 3, since: null }, { workspace: 3, id: "SPEC-021", revision: 1, since: null }]);
  await app.user.keyboard("h");
  await waitFor(() => expect(screen.getByTestId("spec-body")).toBeInTheDocument());
});

for (const [language, lines] of [
  ["en", [/^Moved: Approved → Implementing\s*Claude Code.*decided in the window$/, /^Revision 3\s*Claude Code.*decided through the agent, unverified/, /^Unlocked\s*you/, /^Evidence: AC-2 is met\s*Claude Code.*the load test/, /^AC-4 is waived\s*you.*next year/]],
  ["es", [/^Pasó de Aprobada a .*Claude Code.*decidido en la ventana$/, /^Revisión 3\s*Claude Code.*decidido .*sin verificar/, /^Desbloqueada\s*tú/, /^Prueba: AC-2 se cumple/, /^AC-4: dispensado\s*tú/]],
] as const) {
  test(`the history says what else happened, who did it, and where it was decided: ${language}`, async () => {
    const app = await openOne("SPEC-021", "", specSamples(Date.now()), { status: { language } });
    await app.user.keyboard("h");
    await waitFor(() => expect(screen.getByTestId("changes")).toBeInTheDocument());
    const said = [...screen.getByTestId("history").querySelectorAll("ol > li")].map((one) => one.textContent!.replace(/\s+/g, " ").trim());
    for (const line of lines) expect(said.filter((one) => line.test(one.replace(/removed:.*$/s, ""))), `${line} in ${said.join(" | ")}`).toHaveLength(1);
    expect(screen.getAllByTestId("event").map((one) => one.dataset.value)).toEqual(["moved", "unlocked", "evidence", "waived", "locked"]);
    expect(screen.getAllByTestId("through").filter((one) => one.classList.contains("unverified")).map((one) => one.dataset.value)).toEqual(["relayed"]);
  });
}

test("validate says how far it is, and where there are checks shows them run", async () => {
  const app = await openOne("SPEC-019");
  await app.user.keyboard("v");
  await waitFor(() => expect(screen.getByTestId("status")).toHaveTextContent("3 of 5 criteria are met or waived"));
  location.hash = WEBHOOK;
  await there("SPEC-021");
  await app.user.click(screen.getByTestId("validate"));
  await waitFor(() => expect(screen.getByTestId("run")).toHaveAttribute("data-value", "passed"), { timeout: 4000 });
  expect(screen.getByTestId("run-output")).toHaveTextContent("step 6 of 6");
});

test("a deployment shows what will run, then its output as it comes, and how it ended", async () => {
  const app = await openOne();
  await app.user.keyboard("d");
  const dialog = within(screen.getByRole("dialog", { name: "Deploy SPEC-021" }));
  expect(dialog.getAllByRole("radio")[0]).toBeChecked();
  expect(dialog.getByText(/\.\/ops\/deploy\.sh staging/)).toBeInTheDocument();
  expect(dialog.getByText("3 of 5 criteria are met or waived.")).toBeInTheDocument();
  await app.user.click(screen.getByTestId("deploy-send"));
  await waitFor(() => expect(screen.getByTestId("run-output")).toHaveTextContent("step 1 of 6"));
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(screen.getByTestId("run-end")).toHaveTextContent("passed · exit code 0 · you · Revision 3"), { timeout: 4000 });
  expect(app.named("spec_deploy")).toEqual([{ workspace: 3, id: "SPEC-021", target: "staging", typed: null }]);
});

test("a protected target is never chosen for the person, and takes its name, typed", async () => {
  const app = await openOne();
  await app.user.keyboard("d");
  await app.user.click(screen.getAllByTestId("target")[1]!);
  expect(screen.getByText("Protected")).toBeInTheDocument();
  expect(screen.getByTestId("deploy-send")).toBeDisabled();
  await app.user.type(screen.getByTestId("deploy-typed"), "productio{Enter}");
  expect(app.named("spec_deploy")).toEqual([]);
  await app.user.type(screen.getByTestId("deploy-typed"), "n");
  await app.user.click(screen.getAllByTestId("target")[0]!);
  await app.user.click(screen.getAllByTestId("target")[1]!);
  expect(screen.getByTestId("deploy-typed")).toHaveValue(""); // typed for one choice only
  await app.user.type(screen.getByTestId("deploy-typed"), "production{Enter}");
  expect(app.named("spec_deploy"), "Enter alone deploys nothing that is protected").toEqual([]);
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("spec_deploy")).toEqual([{ workspace: 3, id: "SPEC-021", target: "production", typed: "production" }]));
});

test("a run is cancelled", async () => {
  const app = await openOne("SPEC-021", "", { ...specSamples(Date.now()), lines: 1000 });
  await app.user.keyboard("d");
  await app.user.click(screen.getByTestId("deploy-send"));
  await waitFor(() => expect(screen.getByTestId("run")).toHaveAttribute("data-value", "running"));
  await app.user.click(screen.getByTestId("run-cancel"));
  await waitFor(() => expect(screen.getByTestId("run-end")).toHaveTextContent("cancelled · ended by the person"));
  expect(screen.queryByTestId("run-cancel")).toBeNull();
});

test.each([["untrusted", "Nothing runs here yet"], ["changed", "changed since you said yes"]])("commands that are %s run nowhere, and are looked through in their dialog", async (state, words) => {
  const data = specSamples(Date.now());
  data.workspaces[0]!.commands.state = state;
  const app = await openOne("SPEC-021", "", data);
  await waitFor(() => expect(screen.getByTestId("trust")).toHaveTextContent(words));
  await app.user.click(screen.getByTestId("trust-review"));
  expect(app.named("trust_review")).toEqual([{ workspace: 3 }]);
  await app.user.keyboard("d");
  expect(screen.getByTestId("deploy-send")).toBeDisabled();
});

test("a mistake in the file is named with its place", async () => {
  const data = specSamples(Date.now());
  Object.assign(data.workspaces[0]!.commands, { state: "mistake", problem: "line 3, column 1: unknown key `rum`", checks: [], targets: [] });
  const app = await openOne("SPEC-021", "", data);
  await waitFor(() => expect(screen.getByTestId("trust")).toHaveTextContent("line 3, column 1: unknown key `rum`"));
  data.workspaces[0]!.commands.state = "trusted";
  app.home.data.workspaces[0]!.commands.state = "trusted";
  await app.user.click(screen.getByTestId("trust-again"));
  await waitFor(() => expect(screen.queryByTestId("trust")).toBeNull());
});

test("a workspace without targets says how to declare one", async () => {
  const app = await openSpecs("#specs/4/SPEC-001");
  await there("SPEC-001");
  await app.user.keyboard("d");
  expect(screen.getByRole("dialog")).toHaveTextContent(/no deploy targets.*\[targets\.staging\]/);
  expect(screen.queryByTestId("deploy-send")).toBeNull();
});

test("a spec is deleted once its id is typed, and never by its key alone", async () => {
  const app = await openOne();
  await app.user.keyboard("{Delete}");
  const send = screen.getByTestId("delete-send");
  expect(send).toBeDisabled();
  await app.user.type(screen.getByTestId("delete-typed"), "SPEC-02{Enter}");
  expect(app.named("spec_delete")).toEqual([]);
  expect(screen.queryByTestId("delete-locked")).toBeNull();
  await app.user.type(screen.getByTestId("delete-typed"), "1{Enter}");
  expect(app.named("spec_delete"), "Enter alone deletes nothing").toEqual([]);
  await app.user.click(send);
  await waitFor(() => expect(screen.getByTestId("board")).toBeInTheDocument());
  expect(app.named("spec_delete")).toEqual([{ workspace: 3, id: "SPEC-021", typed: "SPEC-021" }]);
  expect(screen.getByTestId("status")).toHaveTextContent("SPEC-021 is deleted");
  await waitFor(() => expect(screen.queryByText("Webhook delivery")).toBeNull());
});

test("the deletion of a locked spec says that it is locked, and Ctrl+Enter deletes it once its id is typed", async () => {
  const app = await openOne();
  if (screen.getByTestId("spec").querySelector("[data-testid=spec-locked]") === null) await app.user.keyboard("l");
  await app.user.keyboard("{Delete}");
  await waitFor(() => expect(screen.getByTestId("delete-locked")).toHaveTextContent("It is locked"));
  await app.user.type(screen.getByTestId("delete-typed"), "SPEC-021{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("spec_delete")).toHaveLength(1));
});

test("a spec that an agent deletes meanwhile is left, and that is said", async () => {
  const app = await openOne();
  app.home.answer("spec_delete", { workspace: 3, id: "SPEC-021", typed: "SPEC-021" });
  await waitFor(() => expect(screen.getByTestId("board")).toBeInTheDocument());
  expect(screen.getByTestId("status")).toHaveTextContent("SPEC-021 was deleted");
});

test("a spec is exported as Markdown or JSON: copied, or saved where it says", async () => {
  const app = await openOne();
  await app.user.keyboard("x");
  await waitFor(() => expect(screen.getByTestId<HTMLTextAreaElement>("export-text").value).toMatch(/^---\nid: SPEC-021/));
  document.execCommand = () => true;
  await app.user.click(screen.getByTestId("export-copy"));
  expect(screen.getByTestId("export-said")).toHaveTextContent("Copied");
  await app.user.click(screen.getByTestId("format-json"));
  await waitFor(() => expect(JSON.parse(screen.getByTestId<HTMLTextAreaElement>("export-text").value)).toMatchObject({ title: "Webhook delivery" }));
  await app.user.click(screen.getByTestId("export-save"));
  await waitFor(() => expect(screen.getByTestId("export-said")).toHaveTextContent("Saved: /home/ana/Downloads/SPEC-021.json"));
});

test("an import shows what it would do first, then brings drafts", async () => {
  const app = await openSpecs();
  await app.user.click(screen.getByTestId("import-open"));
  const good = new File(["---\nid: SPEC-014\ntitle: Refund reasons\ncriteria:\n  - lists 5\n---\nWhy\n"], "refunds.md");
  await app.user.upload(screen.getByTestId("import-files"), [good, new File(["no head"], "notes.md")]);
  await waitFor(() => expect(screen.getAllByTestId("import-item")).toHaveLength(2));
  expect(screen.getAllByTestId("import-item")[0]).toHaveTextContent(/Refund reasons.*gets the next id.*SPEC-014 isn’t free here.*1 criterion.*the title of SPEC-024/);
  expect(screen.getAllByTestId("import-item")[1]).toHaveTextContent(/notes\.md.*Not imported:.*line 1/);
  expect(app.named("spec_import")).toEqual([]);
  await app.user.selectOptions(screen.getByTestId("import-existing"), "skip");
  await app.user.selectOptions(screen.getByTestId("import-existing"), "copy");
  await waitFor(() => expect(app.named("spec_import_look").map((one) => one.existing)).toEqual(["copy", "skip", "copy"]));
  await waitFor(() => screen.getByTestId("import-send"));
  await app.user.click(screen.getByTestId("import-send"));
  await waitFor(() => expect(screen.getAllByTestId("import-item")[0]).toHaveTextContent("is SPEC-101"));
  await app.user.click(screen.getByTestId("import-close"));
  await waitFor(() => expect(screen.getAllByTestId("card").some((one) => one.dataset.id === "SPEC-101")).toBe(true));
});

test("a pasted text is imported like a file", async () => {
  const app = await openSpecs();
  await app.user.click(screen.getByTestId("import-open"));
  await app.user.click(screen.getByTestId("import-text"));
  await app.user.paste("---\nid: SPEC-200\ntitle: Pasted\n---\n");
  await app.user.click(screen.getByTestId("import-look"));
  await waitFor(() => expect(screen.getByTestId("import-item")).toHaveTextContent("keeps SPEC-200"));
});

test("a request about a spec leads to it", async () => {
  const request = { ...choice("r1", {}, { title: "Deploy SPEC-021?" }), spec: { workspace: 3, id: "SPEC-021" } };
  const app = await open([request]);
  await app.user.click(screen.getByRole("link", { name: "SPEC-021" }));
  await there("SPEC-021");
  expect([...app.named("answer"), ...app.named("decline")]).toEqual([]);
});

test("the rules of an autonomous folder say what still waits for the person", async () => {
  const data = specSamples(Date.now());
  data.workspaces.find((one) => one.id === 3)!.rules.mode = "autonomous";
  await openSpecs("#specs", { data });
  screen.getByTestId("rules-open").click();
  await waitFor(() => expect(screen.getByTestId("rules")).toHaveTextContent("Questions without one, and what can’t be undone, still wait for you."));
});
