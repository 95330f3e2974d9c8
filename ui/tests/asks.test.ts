// What agents ask beyond a question: approval, steps by hand, a file, a file to put away, several questions; and tasks.
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { clean } from "../src/lib/asks/offer.svelte";
import { stretch } from "../src/lib/asks/todos";
import * as asks from "./asks";
import { choice, open, settledTitle } from "./app";
import * as samples from "./samples";

const now = Date.now();
const lists = (of: HTMLElement[]) => of.map((one) => one.textContent!.replace(/\s+/g, " ").trim());

test("an approval is read whole, approved or rejected in its own words, with a comment", async () => {
  const app = await open([asks.approval(now)]);
  const detail = screen.getByTestId("detail");
  expect(detail.querySelector(".prose")).toHaveTextContent("nine days");
  expect(screen.getByRole("group", { name: "Do you approve this?" })).toBeVisible();
  expect(screen.getByTestId("send")).toBeDisabled();
  await app.user.keyboard("2");
  expect(screen.getByRole("radio", { name: "Reject" })).toBeChecked();
  expect(screen.getByTestId("send")).toHaveTextContent("Reject");
  await app.user.type(screen.getByRole("textbox", { name: /What should it do differently/ }), "Use the new CA");
  await app.user.click(screen.getByTestId("send"));
  expect(app.named("answer")).toEqual([{ id: "a1", digest: "sha256:a19f2c71a0", answers: { approval: false }, comment: "Use the new CA" }]);
});

test("nothing is approved by Enter alone: it sends only what was chosen", async () => {
  const app = await open([asks.approval(now)]);
  await app.user.keyboard("{Enter}");
  expect(app.named("answer")).toEqual([]);
  await app.user.keyboard("1{Enter}");
  expect(app.named("answer")).toMatchObject([{ answers: { approval: true }, comment: null }]);
});

test("in Spanish an approval and how it was settled are said in Spanish", async () => {
  const app = await open([asks.approval(now)], { status: { language: "es" } });
  expect(screen.getByRole("radio", { name: "Aprobar" })).toBeInTheDocument();
  await app.settleElsewhere("a1", "answered", { by: "terminal", answers: [[{ kind: "text", text: "no" }]] });
  expect(within(screen.getByTestId("settled")).getByRole("listitem")).toHaveTextContent("Rechazar");
});

test("steps by hand are shown as a list, and are done or could not be", async () => {
  const app = await open([asks.manual(now)]);
  expect(lists([...screen.getByTestId("detail").querySelectorAll<HTMLElement>(".prose ol > li")])).toHaveLength(3);
  await app.user.click(screen.getByRole("radio", { name: "Could not" }));
  await app.user.type(screen.getByRole("textbox", { name: /What stood in the way/ }), "No phone here{Enter}");
  expect(app.named("answer")).toMatchObject([{ answers: { done: false }, comment: "No phone here" }]);
});

test("a picked file is looked at, said, and given only then", async () => {
  const app = await open([asks.file(now)]);
  expect(screen.getByTestId("send")).toBeDisabled();
  expect(screen.getByTestId("goes")).toHaveTextContent("docs/syllabus.pdf");
  expect(screen.getByTestId("goes")).toHaveTextContent("Nothing is overwritten");
  await app.user.click(screen.getByRole("button", { name: "Choose a file…" }));
  const found = await screen.findByTestId("found");
  expect(found).toHaveTextContent("syllabus.pdf");
  expect(found).toHaveTextContent("1.2 MiB");
  expect(found).toHaveTextContent("It fits: up to 50 MiB");
  expect(app.named("give_file")).toEqual([]);
  await app.user.click(screen.getByRole("button", { name: /Give this file/ }));
  expect(app.named("give_file")).toEqual([{ id: "a3", digest: "sha256:a39f2c71a0", path: "/home/me/Documents/syllabus.pdf", comment: null }]);
  expect(app.named("answer")).toEqual([]);
  await waitFor(() => expect(app.desk.said).toBe("Copied to docs/syllabus.pdf"));
});

test("a typed path loses its quotes; Enter first looks at it, then gives it", async () => {
  const app = await open([asks.file(now)]);
  const path = screen.getByTestId("file-path");
  await app.user.click(path);
  await app.user.paste("'/tmp/my syllabus.pdf'");
  await app.user.keyboard("{Enter}");
  await screen.findByTestId("found");
  expect(app.named("file_size")).toEqual([{ path: "/tmp/my syllabus.pdf" }]);
  expect(app.named("give_file")).toEqual([]);
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(app.named("give_file")).toMatchObject([{ path: "/tmp/my syllabus.pdf" }]));
});

test.each([['"/a b.pdf"', "/a b.pdf"], ["'/a.pdf' ", "/a.pdf"], ["“/a.pdf”", "/a.pdf"], ["«/a.pdf»", "/a.pdf"], ["/it's", "/it's"], ["file:///a%20b", "file:///a%20b"], ["\"/a'", "\"/a'"], ["''", ""]])(
  "a pasted path %s is %s", (pasted, path) => expect(clean(pasted)).toBe(path));

test("one that is too large, or isn't there, can't be given", async () => {
  const app = await open([asks.file(now)]);
  const path = screen.getByTestId("file-path");
  await app.user.type(path, "/tmp/film.mp4");
  expect(await screen.findByTestId("found")).toHaveTextContent("Too large: up to 50 MiB");
  expect(screen.getByTestId("send")).toBeDisabled();
  await app.user.clear(path);
  await app.user.type(path, "/tmp/missing.pdf");
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such file.");
  await app.user.keyboard("{Enter}");
  expect(app.named("give_file")).toEqual([]);
  await app.user.click(screen.getByRole("button", { name: "I don’t have it" }));
  expect(app.named("decline")).toHaveLength(1);
});

test("a dropped file is taken but not yet given; of several none is", async () => {
  const app = await open([asks.file(now)]);
  await app.emit("tauri://drag-enter", { paths: ["/tmp/a.pdf"], position: { x: 1, y: 1 } });
  expect(screen.getByTestId("drop")).toHaveClass("over");
  await app.emit("tauri://drag-drop", { paths: ["/tmp/a.pdf", "/tmp/b.pdf"], position: { x: 1, y: 1 } });
  expect(screen.getByTestId("drop")).not.toHaveClass("over");
  expect(screen.getByTestId("problem")).toHaveTextContent("Several files were dropped");
  await app.emit("tauri://drag-drop", { paths: ["/tmp/a.pdf"], position: { x: 1, y: 1 } });
  expect(await screen.findByTestId("found")).toHaveTextContent("a.pdf");
  expect(screen.getByTestId("file-path")).toHaveValue("/tmp/a.pdf");
  expect(app.named("give_file")).toEqual([]);
});

test("what falls on the window while no file is asked for goes nowhere", async () => {
  const app = await open([choice("r1")]);
  await app.emit("tauri://drag-drop", { paths: ["/tmp/a.pdf"], position: { x: 1, y: 1 } });
  expect(app.named("file_size")).toEqual([]);
});

test("a path that was typed comes back with its draft", async () => {
  const drafted = asks.file(now);
  drafted.draft = JSON.stringify({ entries: { file: { text: "/tmp/a.pdf" } }, comment: "" });
  await open([drafted]);
  expect(screen.getByTestId("file-path")).toHaveValue("/tmp/a.pdf");
  expect(await screen.findByTestId("found")).toHaveTextContent("a.pdf");
});

test("it is said when the same content was there already", async () => {
  const app = await open([asks.file(now)]);
  app.asks.own.there = true;
  await app.user.click(screen.getByTestId("pick-file"));
  await screen.findByTestId("found");
  await app.user.keyboard("{Enter}");
  await app.user.click(screen.getByTestId("send"));
  await waitFor(() => expect(app.desk.said).toBe("The same file was already there: docs/syllabus.pdf"));
});

test("a refusal of the copy leaves the path, and the request open", async () => {
  const app = await open([asks.file(now)]);
  app.refuse.give_file = { code: "invalid", message: "It changed meanwhile." };
  await app.user.click(screen.getByTestId("pick-file"));
  await screen.findByTestId("found");
  await app.user.click(screen.getByTestId("send"));
  await waitFor(() => expect(screen.getByTestId("alert")).toHaveTextContent("It changed meanwhile."));
  expect(screen.getByTestId("file-path")).toHaveValue("/home/me/Documents/syllabus.pdf");
  expect(screen.getByTestId("send")).toBeEnabled();
});

test("what became of a given file stays to be read", async () => {
  const given = asks.file(now, {}, { given: { path: [{ kind: "text", text: "docs/syllabus (2).pdf" }], bytes: 2048, alreadyThere: false } });
  given.row = { ...given.row, state: "answered" };
  given.decision = { by: "window", unattended: false, at: now, answers: [[{ kind: "text", text: "{\"file\":…}" }]], comment: null };
  await open([given]);
  expect(screen.getByTestId("given")).toHaveTextContent("Copied to docs/syllabus (2).pdf 2 KiB");
  expect(screen.getByTestId("settled")).not.toHaveTextContent("{");
  expect(screen.queryByTestId("drop")).toBeNull();
});

test("a file to put away: which, why, and that nothing is deleted", async () => {
  const app = await open([asks.retire(now)]);
  const facts = screen.getByTestId("retire");
  expect(facts).toHaveTextContent("docs/syllabus-2023.pdf");
  expect(facts).toHaveTextContent("It was replaced");
  expect(facts).toHaveTextContent("It names four sessions");
  expect(facts).toHaveTextContent(".countersign/retired/docs/syllabus-2023.pdf. Nothing is deleted");
  await app.user.click(screen.getByRole("radio", { name: "Set it aside" }));
  await app.user.click(screen.getByRole("button", { name: /^Set it aside/ }));
  expect(app.named("answer")).toMatchObject([{ answers: { retire: true } }]);
});

test("in Spanish a file to set aside is called so, its own title beneath", async () => {
  const app = await open([asks.retire(now)], { status: { language: "es" } });
  expect(screen.getByTestId("detail-title")).toHaveTextContent("Apartar docs/syllabus-2023.pdf");
  expect(screen.getByTestId("original")).toHaveTextContent("Set docs/syllabus-2023.pdf aside");
  await app.settleElsewhere("a4", "answered", { answers: [[{ kind: "text", text: "yes" }]] });
  expect(screen.getByTestId("settled")).toHaveTextContent("Apartarlo");
});

test("what a file is wanted for is said once, and more than a title is said whole", async () => {
  const app = await open([asks.file(now), asks.file(now, { row: samples.row(now, "a9", { title: "The signed…", kind: "request_file" }) })]);
  expect(screen.getByTestId("detail").textContent!.match(/The signed syllabus, as a PDF/g)).toHaveLength(1);
  await app.user.keyboard("j");
  await settledTitle("The signed…");
  expect(screen.getByTestId("detail").querySelector(".ctx")).toHaveTextContent("The signed syllabus, as a PDF");
});

test("of several questions each says that it lacks an answer, until it has one; numbers belong to the one in hand", async () => {
  const request = samples.view(samples.row(now, "r1", { kind: "ask_questions" }), [
    samples.question("a", "choice", "One?", { options: ["x", "y"] }),
    samples.question("b", "multiChoice", "Some?", { options: ["x", "y"] }),
    samples.question("c", "text", "Words?", { required: false }),
  ]);
  const app = await open([request]);
  const [a, b, c] = screen.getAllByTestId("question") as [HTMLElement, HTMLElement, HTMLElement];
  expect(screen.getAllByTestId("needed")).toHaveLength(2);
  expect(within(c).queryByTestId("needed")).toBeNull();
  expect(screen.getByTestId("progress")).toHaveTextContent("1 of 3 answered");
  await app.user.keyboard("2");
  expect(within(a).getByTestId("answered")).toBeInTheDocument();
  expect(within(b).getByTestId("needed")).toBeInTheDocument();
  await fireEvent.focusIn(within(b).getAllByTestId("option")[0]!);
  await app.user.keyboard("12");
  expect(screen.getByTestId("progress")).toHaveTextContent("3 of 3 answered");
  await app.user.click(screen.getByTestId("detail-title"));
  await app.user.keyboard("{Enter}");
  expect(app.named("answer")).toMatchObject([{ answers: { a: "y", b: ["x", "y"] } }]);
});

test("the session's tasks stand beside the request, with what is in progress in its own words", async () => {
  await open([asks.file(now)]);
  const list = screen.getByRole("region", { name: /Tasks of this session/ });
  expect(list).toHaveTextContent("2 of 5 done");
  expect(lists(within(list).getAllByTestId("todo"))).toEqual([
    "☑done: Read the syllabus", "☑done: List the sessions", "◼in progress: Drafting the three sessions", "☐to do: Check the links", "☐to do: Ask for a review",
  ]);
});

test("a long list is folded around what is in progress, and opens", async () => {
  const app = await open([asks.file(now, { todos: asks.manyTodos(20, 10) })]);
  expect(lists(screen.getAllByTestId("todo"))[1]).toBe("◼in progress: Task 11");
  expect(screen.getAllByTestId("todo")).toHaveLength(4);
  expect(screen.getByTestId("todos-before")).toHaveTextContent("… 9 more tasks");
  await app.user.click(screen.getByTestId("todos-after"));
  expect(screen.getAllByTestId("todo")).toHaveLength(20);
  await app.user.click(screen.getByTestId("todos-less"));
  expect(screen.getAllByTestId("todo")).toHaveLength(4);
});

test.each([[0, 0, 8, 12], [10, 9, 8, 3], [19, 12, 8, 0]])("with task %s in progress %s go before", (current, before, shown, after) => {
  const found = stretch(asks.manyTodos(20, current), 8);
  expect([found.before, found.shown.length, found.after]).toEqual([before, shown, 20 - before - shown]);
  expect(found.shown.some((one) => one.status === "in_progress")).toBe(true);
  expect(after).toBeGreaterThanOrEqual(0);
});

test("without tasks there is no list; when the session sets some, they come while the request lies open", async () => {
  const request = choice("r1");
  const app = await open([request]);
  expect(screen.queryByTestId("todos")).toBeNull();
  request.todos = asks.todos();
  request.row = { ...request.row, todos: 1 };
  await app.change("r1", { todos: 1 });
  expect(await screen.findByTestId("todos")).toBeInTheDocument();
});

test("a plan in the inbox: its revision, what changed, and those before it, only read", async () => {
  const old = samples.view(samples.row(now, "p1", { state: "answered" }), [], { context: asks.pastBlocks() });
  const app = await open([asks.planRequest(now), old]);
  await settledTitle("Plan: draft the three sessions of topic 3");
  expect(screen.getByTestId("plan-revision")).toHaveTextContent("Revision 2");
  await app.user.click(screen.getByText("Changes since revision 1"));
  expect(await screen.findByTestId("diff")).toHaveTextContent("three");
  await app.user.click(screen.getByText(/^Previous plans/));
  await app.user.click((await screen.findAllByTestId("past-open"))[0]!);
  expect(await screen.findByTestId("past-whole")).toHaveTextContent("Draft two sessions");
  expect(screen.queryByTestId("remark-open")).toBeNull();
});

test("a plan that was settled says on which lines something was said, and the mode that the session went on in", async () => {
  const app = await open([asks.planRequest(now)]);
  const remark = { line: 4, quote: [{ kind: "text" as const, text: "2. Draft" }], text: [{ kind: "text" as const, text: "40 minutes" }] };
  await app.settleElsewhere("r3", "answered", { by: "dialog", answers: [[{ kind: "text", text: "Keep planning" }]], remarks: [remark], mode: "guided" });
  expect(screen.getByTestId("settled-remarks")).toHaveTextContent("line 4, “2. Draft” 40 minutes");
  expect(screen.getByTestId("settled-mode")).toHaveTextContent("The session went on in guided mode.");
});
