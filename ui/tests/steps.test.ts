// The step card: what is read, what is done about it, and what the app is told.
import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, test, vi } from "vitest";
import type { StepView } from "../src/lib/bindings/StepView";
import { choice, open, settledTitle, title } from "./app";
import * as samples from "./samples";
import { manySteps, proposals, step, stepRequests } from "./steps";

const text = (words: string) => [{ kind: "text" as const, text: words }];
const one = (id: string, over: Partial<StepView> = {}, own: Record<string, unknown> = {}) => step(Date.now(), id, over, { title: `Step ${id}`, ...own });
// a step that just came up takes no Enter that may have been meant for what was there before
const settle = () => new Promise((done) => setTimeout(done, 550));
const panel = (name: string) => waitFor(() => screen.getByTestId(`${name}-panel`));

test("a command stands on as many lines as it has commands, with what joins, surrounds and redirects it, beside its text", async () => {
  await open([stepRequests(Date.now())[1]!]);
  const parts = screen.getAllByTestId("command-part").map((part) => part.textContent!.replace(/\s+/g, " ").trim());
  expect(parts).toEqual([
    "environment LOG=debug cargo test --workspace redirected 2>&1",
    "| fed with what that says tail -n 40",
    "&& then, if that worked git commit -m All green: $(date +%F) redirected > out.log",
    "inside the one above date +%F",
  ]);
  expect(screen.getByTestId("raw")).toHaveTextContent('LOG=debug cargo test --workspace 2>&1 | tail -n 40 && git commit -m "All green: $(date +%F)" > out.log');
  expect(screen.getByTestId("step-kind")).toHaveTextContent("Runs a command");
  expect(screen.getByTestId("step")).toHaveTextContent("/src/payments-api");
  expect(screen.getByTestId("fields")).toHaveTextContent(/descriptionRun the tests and keep the result.*timeout120000/);
});

test("an edit is a diff of its file, and what can't be read has its text alone", async () => {
  const app = await open([stepRequests(Date.now())[2]!, one("x", { parts: [{ kind: "command", lines: text("for f in"), commands: [] }], warnings: ["unreadable"] })]);
  expect(screen.getByRole("region", { name: "What changes in src/retry.rs" })).toHaveTextContent("30 << attempt.min(10)");
  await app.user.keyboard("j");
  await settledTitle("Step x");
  expect(screen.queryByTestId("parsed")).toBeNull();
  expect(screen.getByTestId("raw")).toHaveTextContent("for f in");
  expect(screen.getByTestId("warnings")).toHaveTextContent("can’t be read with certainty");
});

test("each warning has its words, and a secret is masked until it is asked for", async () => {
  const app = await open([one("x", { warnings: ["production", "own", "outside", "unreadable", "destroys"], parts: [{ kind: "field", name: text("token"), value: [{ kind: "secret", text: "ghp_0123456789" }] }] })]);
  expect(within(screen.getByTestId("warnings")).getAllByRole("listitem")).toHaveLength(5);
  expect(screen.getByTestId("fields")).not.toHaveTextContent("ghp_");
  await app.user.click(screen.getByTestId("reveal"));
  expect(screen.getByTestId("fields")).toHaveTextContent("ghp_0123456789");
});

test.each(["executes", "network", "destroys", "unknown"] as const)("Enter alone never allows what it is: %s, whatever the app says", async (kind) => {
  const app = await open([one("x", { kind, enter: true })]);
  await settle();
  await app.user.keyboard("{Enter}");
  expect(app.named("answer_step")).toEqual([]);
  expect(screen.getByTestId("allow")).toHaveTextContent("Ctrl ↵");
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("answer_step")).toEqual([{ id: "x", digest: "sha256:x9f2c71a0", allow: true, remember: null, edited: null, comment: null }]));
});

test("Enter allows what only reads or writes where the app says so, and not otherwise", async () => {
  const app = await open([one("x", { kind: "writes", enter: false }), one("y", { kind: "reads", enter: true })]);
  await settle();
  await app.user.keyboard("{Enter}");
  expect(app.named("answer_step")).toEqual([]);
  await app.user.keyboard("j");
  await settledTitle("Step y");
  await app.user.keyboard("{Enter}");
  expect(app.named("answer_step")).toEqual([]); // it just came up
  await settle();
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(app.named("answer_step")[0]).toMatchObject({ id: "y", allow: true }));
  expect(screen.getByRole("status")).toHaveTextContent("Allowed once");
});

test("a proposal and a time are picked by keyboard and said as the rule that they become", async () => {
  const app = await open([one("x")]);
  await app.user.keyboard("a");
  const dialog = within(await panel("remember"));
  expect(dialog.getAllByTestId("proposal").map((row) => row.textContent!.trim().replace(/\s+/g, " "))).toEqual(["1 exactly git status -s in payments-api", "2 git status … in payments-api"]);
  expect(dialog.getByTestId("sentence")).toHaveTextContent("Allowed from now on: exactly git status -s in payments-api, for this session.");
  await app.user.keyboard("2");
  expect(dialog.getByTestId("sentence")).toHaveTextContent("Allowed from now on: git status … in payments-api, for this session.");
  await app.user.click(dialog.getAllByTestId("until")[1]!);
  expect(dialog.getByTestId("sentence")).toHaveTextContent("in payments-api, for an hour.");
  await app.user.keyboard("{Enter}");
  expect(app.named("answer_step")).toEqual([]);
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("answer_step")[0]).toMatchObject({ allow: true, remember: { proposal: 2, until: "hour" } }));
});

test("what a decision settled besides is counted, then and later", async () => {
  const app = await open([...manySteps(Date.now(), 4), choice("r1")]);
  await app.user.keyboard("a");
  await panel("remember");
  await app.user.click(screen.getByTestId("remember-send"));
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("Allowed and remembered 3 more steps like it were settled with it."));
  await settledTitle("Pick for r1");
  await app.desk.select("n0", "row");
  await waitFor(() => expect(screen.getByTestId("also")).toHaveTextContent("3 more steps"));
  expect(screen.getByTestId("settled")).toHaveTextContent("Allowed in the window");
});

test("nothing is remembered where nothing is proposed", async () => {
  const app = await open([one("x", { proposals: [] })]);
  expect(screen.queryByTestId("remember")).toBeNull();
  await app.user.keyboard("a");
  expect(screen.queryByTestId("remember-panel")).toBeNull();
});

test("a step is denied with a reason, by Enter; Esc denies nothing and keeps what was typed", async () => {
  const app = await open([one("x")]);
  await app.user.keyboard("d");
  await panel("deny");
  expect(screen.getByTestId("deny-reason")).toHaveFocus();
  await app.user.keyboard("use pnpm");
  (screen.getByTestId("deny-panel") as HTMLDialogElement).close();
  await waitFor(() => expect(screen.queryByTestId("deny-panel")).toBeNull());
  expect(app.named("answer_step")).toEqual([]);
  await app.user.click(screen.getByTestId("deny"));
  await panel("deny");
  expect(screen.getByTestId("deny-reason")).toHaveValue("use pnpm");
  await app.user.click(screen.getByTestId("deny-reason"));
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(app.named("answer_step")[0]).toMatchObject({ allow: false, remember: null, edited: null, comment: "use pnpm" }));
  expect(screen.getByRole("status")).toHaveTextContent("Denied");
});

test("arguments are edited as JSON: checked as one types, shown as what changed, and sent as typed", async () => {
  const app = await open([one("x")]);
  await app.user.keyboard("e");
  const dialog = within(await panel("edit"));
  const field = dialog.getByTestId("edit-text");
  const put = async (words: string) => { await app.user.clear(field); await app.user.click(field); await app.user.paste(words); };
  expect(dialog.getByTestId("edit-send")).toBeDisabled();
  expect(dialog.getByTestId("edit-problem")).toHaveTextContent("Nothing is changed yet.");
  await put("{ nope");
  expect(dialog.getByTestId("edit-problem")).toHaveTextContent("This isn’t JSON:");
  await put("[1]");
  expect(dialog.getByTestId("edit-problem")).toHaveTextContent("Arguments are a JSON object");
  await app.user.clear(field);
  expect(dialog.getByTestId("edit-problem")).toHaveTextContent("There is nothing here");
  const edited = '{\n  "command": "git status",\n  "description": "What changed"\n}';
  await put(edited);
  expect(dialog.getByTestId("diff").textContent!.replace(/\s+/g, " ")).toContain('removed: "command": "git status -s",');
  expect(dialog.getByTestId("diff").textContent!.replace(/\s+/g, " ")).toContain('added: "command": "git status",');
  await app.user.click(field);
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("answer_step")[0]).toMatchObject({ allow: true, remember: null, edited }));
});

test("edited arguments are kept as a draft, and put back", async () => {
  const app = await open([one("x")]);
  await app.user.keyboard("e");
  await panel("edit");
  await app.user.click(screen.getByTestId("edit-text"));
  await app.user.paste(" ");
  app.desk.flush();
  await waitFor(() => expect(app.named("save_draft").at(-1)!.draft).toContain("edited"));
  await app.user.click(screen.getByTestId("edit-reset"));
  app.desk.flush();
  await waitFor(() => expect(app.named("save_draft").at(-1)!.draft).toBe(""));
});

test("masked arguments are shown before they are edited, and where the host takes none they can't be", async () => {
  const app = await open([one("x", { parts: [{ kind: "field", name: text("token"), value: [{ kind: "secret", text: "ghp_0123456789" }] }], input: '{ "token": "ghp_0123456789" }' }), one("y", { edits: false })]);
  await app.user.click(screen.getByTestId("edit"));
  const dialog = within(await panel("edit"));
  expect(dialog.queryByTestId("edit-text")).toBeNull();
  await app.user.click(dialog.getByTestId("edit-reveal"));
  expect(dialog.getByTestId("edit-text")).toHaveValue('{ "token": "ghp_0123456789" }');
  (screen.getByTestId("edit-panel") as HTMLDialogElement).close();
  await waitFor(() => expect(screen.queryByTestId("edit-panel")).toBeNull());
  await app.user.keyboard("j");
  await settledTitle("Step y");
  expect(screen.queryByTestId("edit")).toBeNull();
  await app.user.keyboard("e");
  expect(screen.queryByTestId("edit-panel")).toBeNull();
});

test("a refusal is said where the person is, and the panel stays", async () => {
  const app = await open([one("x")]);
  app.refuse.answer_step = { code: "invalid", message: "That rule would allow deletions." };
  await app.user.keyboard("a");
  const dialog = within(await panel("remember"));
  await app.user.click(dialog.getByTestId("remember-send"));
  await waitFor(() => expect(dialog.getByRole("alert")).toHaveTextContent("That rule would allow deletions."));
});

test("what lies open over a step goes when the step is settled elsewhere", async () => {
  const app = await open([one("x")]);
  await app.user.keyboard("a");
  await panel("remember");
  await app.settleElsewhere("x", "answered", { by: "rule" });
  await waitFor(() => expect(screen.queryByTestId("remember-panel")).toBeNull());
  expect(app.desk.steps.panel).toBeNull();
});

test("to stop the agent is asked for first; then its steps are denied, the status line says so, and it is released", async () => {
  const app = await open([one("x"), one("y"), choice("r1")]);
  await app.user.keyboard("s");
  const dialog = within(await panel("stop"));
  expect(dialog.getByTestId("panel-close")).toHaveFocus();
  expect(dialog.getByRole("heading")).toHaveTextContent("Stop Claude Code, session 3?");
  expect(app.named("stop_session")).toEqual([]);
  await app.user.click(dialog.getByTestId("stop-send"));
  await waitFor(() => expect(app.named("stop_session")).toEqual([{ session: "s1" }]));
  expect(await waitFor(() => screen.getByTestId("stopped"))).toHaveTextContent("Stopped: Claude Code, session 3");
  await waitFor(() => expect(screen.getByTestId("settled")).toHaveTextContent("Denied"));
  expect(app.desk.list.rows.map((row) => row.id)).toEqual(["r1"]);
  expect(screen.queryByTestId("allow")).toBeNull();
  await app.user.click(screen.getByTestId("release"));
  await waitFor(() => expect(app.named("release_session")).toEqual([{ session: "s1" }]));
  expect(screen.queryByTestId("stopped")).toBeNull();
});

test("a step of a stopped session is allowed by nothing", async () => {
  const app = await open([one("x", { stopped: true, kind: "reads", enter: true })]);
  expect(screen.queryByTestId("allow")).toBeNull();
  expect(screen.getByTestId("step-stopped")).toHaveTextContent("Claude Code, session 3 is stopped.");
  await settle();
  await app.user.keyboard("{Enter}{Control>}{Enter}{/Control}aes");
  expect(app.named("answer_step")).toEqual([]);
  expect(app.desk.steps.panel).toBeNull();
});

test("sessions are stopped and released under Modes and on the Agents screen, after a second press", async () => {
  const app = await open([choice("r1")]);
  await app.user.click(screen.getByTestId("mode"));
  const modes = within(screen.getByTestId("modes"));
  await app.user.click(modes.getAllByTestId("session-stop")[1]!);
  expect(modes.getByTestId("session-stop-keep")).toHaveFocus();
  expect(app.named("stop_session")).toEqual([]);
  await app.user.click(modes.getByTestId("session-stop-yes"));
  await waitFor(() => expect(app.named("stop_session")).toEqual([{ session: "s2" }]));
  await waitFor(() => expect(modes.getByTestId("session-release")).toHaveFocus());
  await app.user.click(screen.getByTestId("modes-close"));
  location.hash = "#agents";
  const row = within((await waitFor(() => screen.getAllByTestId("agent-session")))[1]!);
  expect(row.getByText("Stopped")).toBeInTheDocument();
  await app.user.click(row.getByTestId("session-release"));
  await waitFor(() => expect(app.named("release_session")).toEqual([{ session: "s2" }]));
  await waitFor(() => expect(row.getByTestId("session-stop")).toHaveFocus());
  await app.user.click(within(screen.getAllByTestId("agent-session")[0]!).getByTestId("session-stop"));
  const main = within(screen.getByTestId("agents"));
  await app.user.click(main.getByTestId("session-stop-keep"));
  expect(app.named("stop_session")).toHaveLength(1);
});

test("thirty steps of one session are two and a count, so that a plan stays in sight", async () => {
  const plan = samples.view(samples.row(Date.now(), "p", { title: "The plan", class: "plan", kind: "present_plan" }), [], { surface: "dialog" });
  const app = await open([...manySteps(Date.now(), 30), plan]);
  const ids = () => screen.getAllByTestId("row").map((row) => row.dataset.id);
  expect(ids()).toEqual(["n0", "n1", "p"]);
  expect(screen.getByTestId("fold")).toHaveTextContent("28 more steps of Claude Code, session 3");
  expect(screen.getByTestId("fold")).toHaveAttribute("aria-expanded", "false");
  await app.user.keyboard("jj");
  await settledTitle("The plan");
  await app.user.click(screen.getByTestId("fold"));
  expect(ids()).toHaveLength(31);
  expect(screen.getByTestId("fold")).toHaveAttribute("aria-expanded", "true");
  screen.getAllByTestId("row")[0]!.focus();
  await app.user.keyboard("{ArrowLeft}");
  expect(ids()).toEqual(["n0", "n1", "p"]);
  await app.user.keyboard("{ArrowRight}");
  expect(ids()).toHaveLength(31);
});

test("a folded step that is opened from outside is shown, and a search unfolds", async () => {
  const app = await open(manySteps(Date.now(), 10));
  const ids = () => screen.getAllByTestId("row").map((row) => row.dataset.id);
  await app.desk.select("n7", "keys");
  await tick();
  expect(ids()).toEqual(["n0", "n1", "n7"]);
  await app.user.keyboard("/");
  await app.user.type(screen.getByTestId("search"), "HEAD~8");
  await waitFor(() => expect(ids()).toEqual(["n8"]));
});

test("after a step the next one of its session comes up", async () => {
  const app = await open(manySteps(Date.now(), 5));
  await app.user.click(screen.getByTestId("allow"));
  await settledTitle("Bash: git show HEAD~1");
  expect(screen.getAllByTestId("row").map((row) => row.dataset.id)).toEqual(["n1", "n2"]);
});

test("steps have a chip of their own while there are some", async () => {
  const app = await open([choice("r1")]);
  expect(screen.queryByRole("button", { name: /^Steps/ })).toBeNull();
  await app.arrive(one("x", {}, { createdAt: Date.now() }));
  await app.user.click(screen.getByRole("button", { name: "Steps 1" }));
  expect(screen.getAllByTestId("row").map((row) => row.dataset.id)).toEqual(["x"]);
  expect(screen.getByRole("button", { name: "Approvals 0" })).toBeInTheDocument();
});

test("letters do nothing over what is no step, nor while one types", async () => {
  const app = await open([choice("r1"), one("x", { proposals: proposals(["ls"]) })]);
  await app.user.keyboard("ades");
  expect(app.desk.steps.panel).toBeNull();
  await app.user.keyboard("j");
  await settledTitle("Step x");
  await app.user.click(screen.getByText("Add a note"));
  await app.user.type(screen.getByTestId("comment"), "ades");
  expect(app.desk.steps.panel).toBeNull();
  await app.user.click(screen.getByTestId("allow"));
  await waitFor(() => expect(app.named("answer_step")[0]).toMatchObject({ allow: true, comment: "ades" }));
  expect(title()).toBe("Pick for r1");
});

test("all of it is said in Spanish", async () => {
  vi.spyOn(navigator, "language", "get").mockReturnValue("es-ES");
  const app = await open([one("x")], { status: { language: "es" } });
  await app.user.keyboard("a");
  const dialog = within(await panel("remember"));
  await app.user.keyboard("2");
  expect(dialog.getByTestId("sentence")).toHaveTextContent("Permitido desde ahora: git status … en payments-api, durante esta sesión.");
  vi.restoreAllMocks();
});
