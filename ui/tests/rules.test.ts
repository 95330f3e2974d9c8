// Rules in Settings: what each did, and a new one, tried over the past while it is written.
import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { open } from "./app";
import * as samples from "./samples";
import { specSamples } from "./specs";
import { ruleSamples, type StepsData } from "./steps";

const NOW = Date.now();
const past = (count: number) => Array.from({ length: count }, (_, at) => samples.row(NOW, `p${at}`, { title: at % 2 ? "Bash: git status" : "Bash: cargo test", createdAt: NOW - at * 60_000 }));

async function settings(data: Partial<StepsData> = {}, over: Record<string, unknown> = {}) {
  location.hash = "#settings";
  const app = await open([], over, specSamples(NOW), { rules: ruleSamples(NOW), ...data });
  await waitFor(() => expect(screen.queryByText("Reading them…")).toBeNull());
  return app;
}
const rules = () => screen.getAllByTestId("rule").map((rule) => rule.textContent!.replace(/\s+/g, " ").trim());
const write = async (app: Awaited<ReturnType<typeof settings>>) => {
  await app.user.click(screen.getByTestId("rule-new"));
  return within(await waitFor(() => screen.getByTestId("rule-form")));
};
const saying = (words: string) => waitFor(() => expect(screen.getByTestId("tried-said")).toHaveTextContent(words));

test("each rule says what it does, over what, for whom, until when, and what it settled", async () => {
  await settings();
  const [first, second, third, fourth] = rules();
  expect(first).toMatch(/^Allow git status … in payments-api for good · made 3 days ago Settled 1,284 steps · last 2 minutes ago/);
  expect(second).toMatch(/^Allow every use of Edit beneath \/src\/payments-api\/src in payments-api only for Codex, session 3 · until .* Settled 1 step · last/);
  expect(third).toMatch(/^Never git push --force … in any workspace for good .* Has settled nothing yet/);
  expect(fourth).toMatch(/^Ask every use of WebFetch in any workspace only for research-bot · ended /);
});

test("a rule is removed after a second press, by the name of what it covers", async () => {
  const app = await settings();
  await app.user.click(screen.getByRole("button", { name: "Remove Never: git push --force … in any workspace" }));
  expect(screen.getByTestId("rule-keep")).toHaveFocus();
  expect(app.named("rule_remove")).toEqual([]);
  await app.user.click(screen.getByTestId("rule-keep"));
  expect(screen.queryByTestId("rule-remove-yes")).toBeNull();
  await app.user.click(screen.getAllByTestId("rule-remove")[2]!);
  await app.user.click(screen.getByTestId("rule-remove-yes"));
  await waitFor(() => expect(app.named("rule_remove")).toEqual([{ id: 3 }]));
  await waitFor(() => expect(rules()).toHaveLength(3));
  expect(screen.getByRole("heading", { name: "Rules for steps" })).toHaveFocus();
  expect(screen.getAllByRole("status")[0]).toBeInTheDocument();
});

test("what would have matched is looked up once the typing pauses, with the steps", async () => {
  const app = await settings({ past: past(120) });
  const form = await write(app);
  expect(form.getAllByTestId("rule-effect")[0]).toHaveFocus();
  await saying("Name a tool, a command or a folder");
  expect(form.getByTestId("rule-make")).toBeDisabled();
  await app.user.type(form.getByTestId("rule-command"), "git status");
  await saying("Would have matched 60 of 120 past steps.");
  expect(app.named("rule_try")).toHaveLength(1);
  expect(app.named("rule_try")[0]).toEqual({ draft: { effect: "allow", tool: null, command: "git status", exact: false, path: null, workspace: null, expiresInSeconds: null } });
  expect(form.getAllByTestId("tried-row")).toHaveLength(50);
  expect(form.getByTestId("tried")).toHaveTextContent("The newest 50 are shown.");
  expect(form.getByTestId("rule-sentence")).toHaveTextContent("Allow: git status … in any workspace, for good.");
});

test("every part of a rule is in its sentence and in what the app is told; Ctrl+Enter makes it, Enter doesn't", async () => {
  const app = await settings({ past: past(4) });
  const form = await write(app);
  await app.user.click(form.getAllByTestId("rule-effect")[2]!);
  await app.user.selectOptions(form.getByTestId("rule-how"), "exact");
  await app.user.type(form.getByTestId("rule-tool"), "Bash");
  await app.user.type(form.getByTestId("rule-path"), "/src/payments-api/db");
  await waitFor(() => expect(within(form.getByTestId("rule-workspace")).getAllByRole("option").length).toBeGreaterThan(1));
  await app.user.selectOptions(form.getByTestId("rule-workspace"), "payments-api");
  await app.user.selectOptions(form.getByTestId("rule-until"), "for a week");
  await app.user.type(form.getByTestId("rule-command"), "make migrate{Enter}");
  expect(form.getByTestId("rule-sentence")).toHaveTextContent("Never: exactly make migrate beneath /src/payments-api/db in payments-api, for a week.");
  await saying("Would have matched 0 of 4");
  expect(app.named("rule_make")).toEqual([]);
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("rule_make")).toHaveLength(1));
  expect(app.named("rule_make")[0]).toMatchObject({ draft: { effect: "deny", tool: "Bash", command: "make migrate", exact: true, path: "/src/payments-api/db", expiresInSeconds: 604_800 } });
  await waitFor(() => expect(screen.queryByTestId("rule-form")).toBeNull());
  expect(app.desk.said).toBe("The rule is made");
  await waitFor(() => expect(screen.getByTestId("rule-new")).toHaveFocus());
  expect(rules()[0]).toContain("Never exactly make migrate");
});

test.each([["rm -rf target", "deletions"], ["./deploy production", "production"], ["countersign rules add", "Countersign itself"]])("a rule that can't be says why: %s", async (command, why) => {
  const app = await settings({ past: past(4) });
  const form = await write(app);
  await app.user.type(form.getByTestId("rule-command"), command);
  await saying(`This can’t be a rule.`);
  expect(form.getByTestId("tried-said")).toHaveTextContent(why);
  expect(form.getByTestId("rule-make")).toBeDisabled();
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  expect(app.named("rule_make")).toEqual([]);
});

test("an answer to an older draft counts no more, and a refused look-up is said", async () => {
  const app = await settings({ past: past(4) });
  const form = await write(app);
  app.refuse.rule_try = { code: "invalid", message: "“git \"” can’t be read as a command." };
  await app.user.type(form.getByTestId("rule-command"), "git");
  await saying("can’t be read as a command");
  expect(form.getByTestId("rule-make")).toBeDisabled();
  app.refuse.rule_try = undefined;
  await app.user.type(form.getByTestId("rule-command"), " status");
  await saying("Would have matched 2 of 4");
  expect(form.getByTestId("rule-make")).toBeEnabled();
});

test("a rule that the app refuses to make is said in the form, which stays", async () => {
  const app = await settings({ past: past(4) });
  const form = await write(app);
  await app.user.type(form.getByTestId("rule-command"), "git status");
  await saying("Would have matched");
  app.refuse.rule_make = { code: "invalid", message: "There are too many rules." };
  await app.user.click(form.getByTestId("rule-make"));
  await waitFor(() => expect(form.getByRole("alert")).toHaveTextContent("There are too many rules."));
  expect(form.getByTestId("rule-command")).toHaveValue("git status");
});

test("Esc puts the form away with what is in it, and the focus goes back", async () => {
  const app = await settings();
  const form = await write(app);
  await app.user.type(form.getByTestId("rule-command"), "git");
  await app.user.keyboard("{Escape}");
  expect(screen.queryByTestId("rule-form")).toBeNull();
  await waitFor(() => expect(screen.getByTestId("rule-new")).toHaveFocus());
  const again = await write(app);
  expect(again.getByTestId("rule-command")).toHaveValue("");
});

test("what no rule can switch off is said beside them, with or without rules", async () => {
  await settings({ rules: [] });
  expect(screen.getByTestId("rules-none")).toHaveTextContent("There are no rules");
  expect(within(screen.getByTestId("always")).getAllByRole("listitem")).toHaveLength(5);
  expect(screen.getByTestId("always")).toHaveTextContent("No rule can switch these off");
});
