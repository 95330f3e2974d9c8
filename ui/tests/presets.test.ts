// A default is chosen in the form from the start: the person sees it, changes it or sends it.
import { screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";
import type { QuestionType } from "../src/lib/bindings/QuestionType";
import { choice, open, settledTitle, text } from "./app";
import * as samples from "./samples";

/** the time in which a press may be meant for what was there before */
const settle = () => new Promise((later) => setTimeout(later, 550));
const checked = () => [...document.querySelectorAll<HTMLInputElement>("input:checked")].map((one) => one.value);
const ask = (question: ReturnType<typeof samples.question>, row = {}) => samples.view(samples.row(Date.now(), "r1", row), [question]);
const q = (type: QuestionType, over: Parameters<typeof samples.question>[3]) => samples.question("q", type, "Which?", over);
const OPTIONS = { options: ["A", "B", "C"], allowOther: true };

test.each([
  ["choice", q("choice", { ...OPTIONS, default: "B" }), ["B"], "B"],
  ["multiChoice", q("multiChoice", { ...OPTIONS, default: ["C", "A"] }), ["A", "C"], ["A", "C"]],
  ["confirm, yes", q("confirm", { default: true }), ["yes"], true],
  ["confirm, no", q("confirm", { default: false }), ["no"], false],
  ["text", q("text", { default: "2 weeks" }), [], "2 weeks"],
  ["own words", q("choice", { ...OPTIONS, default: { chosen: [], other: "mine" } }), [""], { chosen: [], other: "mine" }],
])("a default is preselected, and Enter sends it: %s", async (_name, question, shown, sent) => {
  const app = await open([ask(question)]);
  expect(checked()).toEqual(shown);
  if (question.type === "text") expect(screen.getByTestId("text-input")).toHaveValue(String(sent));
  expect(screen.getByTestId("send")).toBeEnabled();
  await settle();
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(app.named("answer")).toMatchObject([{ answers: { q: sent } }]));
});

test("its badge stays where it is when another is chosen, which is what is sent", async () => {
  const app = await open([choice("r1", { default: "A" })]);
  await app.user.keyboard("2{Enter}");
  expect(app.named("answer")).toMatchObject([{ answers: { q: "B" } }]);
});

test("Enter as a default comes up sends nothing, and neither does the one after an answer", async () => {
  const app = await open([choice("r1", { default: "A" }), choice("r2", { default: "A" })]);
  await app.user.keyboard("{Enter}");
  expect(app.named("answer")).toEqual([]);
  await app.user.keyboard("1{Enter}");
  await settledTitle("Pick for r2");
  await app.user.keyboard("{Enter}{Enter}");
  expect(app.named("answer")).toHaveLength(1);
  await settle();
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(app.named("answer")).toHaveLength(2));
});

test("a step with a default still takes Ctrl+Enter", async () => {
  const app = await open([choice("r1", { default: "A" }, { class: "step" })]);
  await settle();
  await app.user.keyboard("{Enter}");
  expect(app.named("answer")).toEqual([]);
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(app.named("answer")).toHaveLength(1));
});

test.each(["destructive", "plan"])("a %s request isn't answered by its default", async (of) => {
  const request = { ...choice("r1", { default: "A" }, { class: of }), surface: "dialog" as const };
  const app = await open([request]);
  await settle();
  await app.user.keyboard("{Enter}{Control>}{Enter}{/Control}");
  expect(app.named("answer")).toEqual([]);
  expect(checked()).toEqual([]);
});

test("a preselection alone is no draft, is no text of the person's, and is not brought over a draft", async () => {
  const drafted = text("r2", { default: "2 weeks" });
  drafted.draft = JSON.stringify({ entries: { q: { text: "" } }, comment: "later" });
  const app = await open([text("r1", { default: "2 weeks" }), drafted]);
  await app.user.click(screen.getAllByTestId("row")[1]!);
  await settledTitle("Say for r2");
  expect(screen.getByTestId("text-input")).toHaveValue("");
  await app.user.click(screen.getAllByTestId("row")[0]!);
  await settledTitle("Say for r1");
  await settle();
  expect(app.named("save_draft")).toEqual([]);
  await app.settleElsewhere("r1", "answered", { by: "terminal" });
  expect(screen.queryByTestId("typed")).toBeNull();
});

test("a default that was taken away stays away, and choosing it again leaves no draft", async () => {
  const app = await open([ask(q("text", { default: "2 weeks" }))]);
  await app.user.clear(screen.getByTestId("text-input"));
  await waitFor(() => expect(JSON.parse(String(app.named("save_draft").at(-1)?.draft)).entries.q.text).toBe(""));
  await app.user.type(screen.getByTestId("text-input"), "2 weeks");
  await waitFor(() => expect(app.named("save_draft").at(-1)).toEqual({ id: "r1", draft: "" }));
});

test("what hides something isn't put into a field, and a default that isn't offered isn't chosen", async () => {
  const request = ask(q("text", { default: "a\u202eb", required: false }));
  request.questions.push(samples.question("p", "choice", "And?", { options: ["A", "B"], default: "Z" }));
  await open([request]);
  expect(screen.getByTestId("text-input")).toHaveValue("");
  expect(screen.getByTestId("text-input")).toHaveAttribute("placeholder", "Left empty: a⟦U+202E⟧b");
  expect(checked()).toEqual([]);
});

test("several choices that may be left out say what then holds", async () => {
  const app = await open([ask(q("multiChoice", { ...OPTIONS, default: ["A"], required: false }))]);
  expect(screen.getByTestId("question")).not.toHaveTextContent("Left empty");
  await app.user.keyboard("1");
  expect(screen.getByTestId("question")).toHaveTextContent("Left empty: A");
});

test("what the window may not decide says what it is and where, and shows claims as claims", async () => {
  const remove = samples.requests(Date.now()).find((one) => one.row.class === "destructive")!;
  const app = await open([remove]);
  const pane = screen.getByTestId("detail");
  expect(pane).toHaveTextContent("This can’t be undone. It is only shown here.");
  expect(screen.getByTestId("claims")).toHaveTextContent(/The agent says that you answered: Yes; that decides nothing\./);
  expect([...pane.querySelectorAll(".foot button")].map((one) => one.textContent)).toEqual(["Open its dialog ↵", "Don’t answer"]);
  await app.emit("status", { ...app.desk.status!, language: "es" });
  expect(pane).toHaveTextContent("No se puede deshacer. Aquí solo se muestra.");
  expect(screen.getByTestId("claims")).toHaveTextContent(/El agente dice que respondiste: Sí; eso no decide nada\./);
});

test.each([[0, "now", "ahora"], [59, "now", "ahora"], [60, "1 min", "1 min"], [150, "2 min", "2 min"], [7200, "2 hr", "2 h"]])("an age of %i seconds is %s", async (seconds, en, es) => {
  const app = await open([choice("r1", {}, { createdAt: Date.now() - seconds * 1000 })]);
  const age = () => document.querySelector(".age")!.textContent;
  expect(age()).toBe(en);
  await app.emit("status", { ...app.desk.status!, language: "es" });
  expect(age()).toBe(es);
});
