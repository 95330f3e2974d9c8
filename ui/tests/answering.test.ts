import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { choice, open, settledTitle, text, title } from "./app";
import * as samples from "./samples";

const body = () => document.body;

test("a number key picks and Enter sends what was shown, over its digest", async () => {
  const app = await open([choice("r1"), choice("r2")]);
  await app.user.keyboard("2{Enter}");
  await settledTitle("Pick for r2");
  expect(app.named("answer")).toEqual([{ id: "r1", digest: "sha256:r19f2c71a0", answers: { q: "B" }, comment: null }]);
  expect(screen.getByRole("status")).toHaveTextContent("Answered");
  expect(screen.getByTestId("detail-title")).toHaveFocus();
});

test("without a default nothing is chosen for the person, and Enter sends nothing", async () => {
  const app = await open([choice("r1")]);
  expect(screen.getAllByTestId("option").filter((one) => (one as HTMLInputElement).checked)).toEqual([]);
  await app.user.keyboard("{Enter}");
  expect(app.named("answer")).toEqual([]);
  expect(screen.getByTestId("problem")).toHaveTextContent("This needs an answer.");
});

test("an own answer is sent by Enter, and Shift+Enter is a new line", async () => {
  const app = await open([choice("r1")]);
  await app.user.type(screen.getByTestId("other-input"), "one{Shift>}{Enter}{/Shift}two");
  expect(app.named("answer")).toEqual([]);
  await app.user.keyboard("{Enter}");
  expect(app.named("answer")[0]).toMatchObject({ answers: { q: { chosen: [], other: "one\ntwo" } } });
});

test("digits typed into an own answer stay text", async () => {
  const app = await open([choice("r1")]);
  await app.user.keyboard("4");
  await waitFor(() => expect(screen.getByTestId("other-input")).toHaveFocus());
  await app.user.keyboard("12?/jk{Control>}{Enter}{/Control}");
  expect(app.named("answer")[0]).toMatchObject({ answers: { q: { chosen: [], other: "12?/jk" } } });
});

test.each([["isComposing", { isComposing: true }], ["keyCode 229", { keyCode: 229 }]])("Enter during composition (%s) sends nothing", async (_name, init) => {
  const app = await open([choice("r1")]);
  await app.user.type(screen.getByTestId("other-input"), "かな");
  await fireEvent.keyDown(screen.getByTestId("other-input"), { key: "Enter", ...init });
  expect(app.named("answer")).toEqual([]);
  await fireEvent.keyDown(screen.getByTestId("other-input"), { key: "Enter" });
  await waitFor(() => expect(app.named("answer")).toHaveLength(1));
});

test("a held or doubled Enter doesn't reach the request that comes next, not even with a draft", async () => {
  const drafted = choice("r2");
  drafted.draft = JSON.stringify({ entries: { q: { chosen: ["A"] } } });
  const app = await open([choice("r1"), drafted]);
  await app.user.keyboard("1{Enter}");
  await settledTitle("Pick for r2");
  await fireEvent.keyDown(body(), { key: "Enter", repeat: true });
  await app.user.keyboard("{Enter}");
  await app.user.click(screen.getByTestId("decline"));
  expect(app.named("answer")).toHaveLength(1);
  expect(app.named("decline")).toEqual([]);
  await app.user.keyboard("2{Enter}");
  await waitFor(() => expect(app.named("answer")[1]).toMatchObject({ id: "r2", answers: { q: "B" } }));
});

test.each(["destructive", "plan"])("a %s request is read here and never answered", async (of) => {
  const request = { ...choice("r1", {}, { class: of }), surface: "dialog" as const };
  const app = await open([request]);
  expect(screen.queryByTestId("send")).toBeNull();
  expect(screen.queryByTestId("option")).toBeNull();
  expect(screen.getByTestId("elsewhere")).toHaveTextContent(/You decide it in its own dialog\./);
  await app.user.keyboard("1{Control>}{Enter}{/Control}");
  expect(app.named("open_dialog")).toEqual([]);
  await app.user.keyboard("{Enter}");
  expect(app.named("open_dialog")).toEqual([{ id: "r1" }]);
  await app.user.click(screen.getByTestId("open-dialog"));
  expect(app.named("open_dialog")).toHaveLength(2);
  expect(app.named("answer")).toEqual([]);
  await app.user.click(screen.getByTestId("decline"));
  expect(app.named("decline")).toEqual([{ id: "r1", digest: request.digest, comment: null }]);
});

test("while the dialog stands over the window no key answers here", async () => {
  const app = await open([choice("r1")]);
  await app.emit("status", { ...app.desk.status!, dialogOpen: true });
  await app.user.keyboard("2{Enter}{Control>}{Enter}{/Control}");
  expect(app.named("answer")).toEqual([]);
  expect(screen.getAllByTestId("option").some((one) => (one as HTMLInputElement).checked)).toBe(false);
  await app.emit("status", { ...app.desk.status!, dialogOpen: false });
  await app.user.keyboard("2{Enter}");
  await waitFor(() => expect(app.named("answer")).toHaveLength(1));
});

test("a step, which executes, takes Ctrl+Enter", async () => {
  const app = await open([choice("r1", {}, { class: "step" })]);
  await app.user.keyboard("1{Enter}");
  expect(app.named("answer")).toEqual([]);
  await app.user.keyboard("{Control>}{Enter}{/Control}");
  expect(app.named("answer")).toHaveLength(1);
});

test("several questions are answered in one go, each in its own shape, with the note", async () => {
  const request = samples.view(samples.row(Date.now(), "r1"), [
    samples.question("a", "choice", "One?", { options: ["x", "y"] }),
    samples.question("b", "multiChoice", "Some?", { options: ["x", "y", "z"], allowOther: true }),
    samples.question("c", "confirm", "Sure?"),
    samples.question("d", "text", "Words?", { required: false }),
  ]);
  const app = await open([request]);
  await app.user.keyboard("1");
  const boxes = screen.getAllByTestId("option");
  await app.user.click(boxes[4]!);
  await app.user.click(boxes[2]!);
  await app.user.type(screen.getByTestId("other-input"), "w");
  expect(screen.getByTestId("send")).toBeDisabled();
  await app.user.click(screen.getByTestId("confirm-no"));
  await app.user.type(screen.getByTestId("comment"), "careful");
  await app.user.click(screen.getByTestId("send"));
  expect(app.named("answer")[0]).toMatchObject({ answers: { a: "x", b: { chosen: ["x", "z"], other: "w" }, c: false }, comment: "careful" });
});

test("a text that can't fit is pointed out and not sent; one that the page can't judge goes to the app", async () => {
  const app = await open([text("r1", { pattern: "^[0-9]+ days$" }), text("r2", { pattern: "(a+)+$" })]);
  await app.user.type(screen.getByTestId("text-input"), "soon{Enter}");
  expect(screen.getByTestId("problem")).toHaveTextContent("doesn’t match");
  expect(app.named("answer")).toEqual([]);
  await app.user.clear(screen.getByTestId("text-input"));
  await app.user.type(screen.getByTestId("text-input"), "3 days{Enter}");
  await settledTitle("Say for r2");
  await app.user.type(screen.getByTestId("text-input"), `${"a".repeat(40)}!{Enter}`);
  expect(app.named("answer")).toHaveLength(2);
});

test("a refusal is said in an alert and nothing typed is lost", async () => {
  const app = await open([text("r1")]);
  app.refuse.answer = { code: "invalid", message: "“q” takes a date." };
  await app.user.type(screen.getByTestId("text-input"), "tomorrow{Enter}");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("“q” takes a date."));
  expect(screen.getByTestId("text-input")).toHaveValue("tomorrow");
  expect(title()).toBe("Say for r1");
  app.refuse.answer = undefined;
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(app.named("answer")).toHaveLength(2));
});

test("if nobody waits any more, the page says that the answer is kept", async () => {
  const app = await open([choice("r1"), choice("r2")]);
  await app.change("r1", { waiting: false });
  expect(screen.getByTestId("detail")).toHaveTextContent("nobody is waiting; your answer is kept");
  await app.user.keyboard("1{Enter}");
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("The agent is gone; your answer is kept."));
});

test("Enter in the search field answers nothing", async () => {
  const app = await open([choice("r1"), choice("r2")]);
  await app.user.keyboard("1/{Enter}");
  expect(app.named("answer")).toEqual([]);
});
