// What agents ask beyond a question, and plans in all their states. Shared by the component tests and the browser's.
import { question, row, view } from "./samples.js";

const text = (words) => [{ kind: "text", text: words }];
const said = (words) => ({ kind: "text", spans: text(words) });
const paragraph = (...children) => ({ kind: "paragraph", children: children.map((child) => (typeof child === "string" ? said(child) : child)) });
const code = (words) => ({ kind: "code", spans: text(words) });
const MINUTE = 60_000;

const todo = (content, status, activeForm = null) => ({ content: text(content), status, activeForm: activeForm && text(activeForm) });
export const todos = () => [
  todo("Read the syllabus", "completed"), todo("List the sessions", "completed"),
  todo("Draft the three sessions", "in_progress", "Drafting the three sessions"),
  todo("Check the links", "pending"), todo("Ask for a review", "pending"),
];
export const manyTodos = (count, current) => Array.from({ length: count }, (_, at) => todo(`Task ${at + 1}`, at < current ? "completed" : at === current ? "in_progress" : "pending"));

export function approval(now, over = {}) {
  const asks = row(now, "a1", { title: "Rotate the staging certificates", class: "approval", kind: "request_human_approval", workspace: "ledger", createdAt: now - 3 * MINUTE });
  return view(asks, [question("approval", "confirm", "Do you approve this?")], {
    context: [
      { kind: "heading", level: 1, children: [said("Rotate the staging certificates")] },
      paragraph("They end in ", { kind: "strong", children: [said("nine days")] }, ". I would make new ones with ", code("make certs"), " and restart the two proxies."),
      { kind: "list", ordered: false, start: 1, items: [[paragraph("About a minute without staging")], [paragraph("Production is not touched")]] },
    ],
    todos: todos(), ...over,
  });
}

export function manual(now, over = {}) {
  const asks = row(now, "a2", { title: "Log in to the registry", kind: "request_manual_intervention", workspace: "ledger", createdAt: now - 2 * MINUTE });
  return view(asks, [question("done", "confirm", "Did you do it?")], {
    context: [{ kind: "list", ordered: true, start: 1, items: [
      [paragraph("Open a terminal in ", code("~/src/ledger"))], [paragraph("Run ", code("npm login --registry https://registry.example"))], [paragraph("Type the code that your phone shows")],
    ] }], ...over,
  });
}

export const LIMIT = 50 * 1024 * 1024;
export function file(now, over = {}, about = {}) {
  const asks = row(now, "a3", { title: "The signed syllabus, as a PDF", kind: "request_file", agent: "Codex", workspace: "course-builder", createdAt: now - MINUTE });
  return view(asks, [question("file", "text", "Which file? It is copied into the workspace; yours stays where it is.")], {
    context: [paragraph("The signed syllabus, as a PDF")],
    file: { destination: text("docs/syllabus.pdf"), replaces: null, limitBytes: LIMIT, given: null, ...about }, todos: todos(), ...over,
  });
}

export function retire(now, over = {}, about = {}) {
  const asks = row(now, "a4", { title: "Set docs/syllabus-2023.pdf aside", class: "approval", kind: "retire_source", agent: "Codex", workspace: "course-builder", createdAt: now - 4 * MINUTE });
  return view(asks, [question("retire", "confirm", "Set this file aside?")], {
    context: [paragraph("It names four sessions; the signed one names three.")],
    retire: { source: text("docs/syllabus-2023.pdf"), why: "replaced", reason: text("It names four sessions; the signed one names three."), replacedBy: text("docs/syllabus.pdf"), bytes: 482_133, ...about }, ...over,
  });
}

const span = (words, changed = false) => ({ changed, text: text(words) });
const line = (kind, ...spans) => ({ kind, spans: spans.map((one) => (typeof one === "string" ? span(one) : one)), lines: 0, end: null });
export const SOURCE = ["# Plan", "", "1. Read the syllabus in `docs/syllabus.md`", "2. Draft three sessions, 50 minutes each", "3. Add a lab to session 3 with its answer key", "4. Run `make check-links` and fix what it reports"];
export const changes = () => [
  { kind: "gap", spans: [], lines: 2, end: null },
  line("same", "1. Read the syllabus in `docs/syllabus.md`"),
  line("removed", "2. Draft ", span("two", true), " sessions, 50 minutes each"),
  line("added", "2. Draft ", span("three", true), " sessions, 50 minutes each"),
  line("added", span("3. Add a lab to session 3 with its answer key", true)),
  line("removed", span("3", true), ". Run `make check-links` and fix what it reports"),
  line("added", span("4", true), ". Run `make check-links` and fix what it reports"),
];
export const previous = (now) => [
  { id: "p1", revision: 1, title: text("Plan: draft the sessions of topic 3"), outcome: "keep", at: now - 20 * MINUTE, comment: text("Three sessions, not two."), remarks: [{ line: 3, quote: text("2. Draft two sessions, 50 minutes each"), text: text("A lab is missing.") }] },
  { id: "p0", revision: 1, title: text("Plan: outline topic 3"), outcome: "run", at: now - 90 * MINUTE, comment: null, remarks: [] },
];
export const pastBlocks = () => [{ kind: "heading", level: 1, children: [said("Plan")] }, { kind: "list", ordered: true, start: 1, items: [[paragraph("Draft two sessions, 50 minutes each")]] }];

export function planRequest(now, over = {}) {
  const asks = row(now, "r3", { title: "Plan: draft the three sessions of topic 3", class: "plan", kind: "present_plan", agent: "Codex", workspace: "course-builder", createdAt: now - 6 * MINUTE });
  return view(asks, [question("plan", "choice", "What should happen with this plan?", { options: ["Run it", "Keep planning", "Cancel"] })], {
    surface: "dialog", asker: { pid: 48211, path: text("/usr/bin/codex"), folder: text("/src/course-builder"), bridge: true },
    context: [
      { kind: "heading", level: 1, children: [said("Plan")] },
      { kind: "list", ordered: true, start: 1, items: [
        [paragraph("Read the syllabus in ", code("docs/syllabus.md"))], [paragraph("Draft three sessions, 50 minutes each")],
        [paragraph("Add a lab to session 3 with its answer key")], [paragraph("Run ", code("make check-links"), " and fix what it reports")],
      ] },
    ],
    plan: { revision: 2, changes: changes(), previous: previous(now) }, todos: todos(), ...over,
  });
}

/** What goes with a plan that has others before it. */
export const planOf = (now, over = {}) => ({
  mode: "plan", runMode: "interactive", run: "Run it", keep: "Keep planning", cancel: "Cancel",
  revision: 2, changes: changes(), lines: SOURCE.map(text), modes: ["guided", "interactive"], previous: previous(now), ...over,
});

/** 200 kB in 20,000 lines, every tenth of them new. */
export function longPlan(now, count = 20_000) {
  const words = (at) => (at % 10 === 0 ? `## Part ${at / 10}` : `- step ${at}`);
  const lines = Array.from({ length: count }, (_, at) => words(at));
  return {
    request: planRequest(now, { context: lines.map((one, at) => (at % 10 === 0 ? { kind: "heading", level: 2, children: [said(one.slice(3))] } : paragraph(one.slice(2)))) }),
    plan: planOf(now, { lines: lines.map(text), changes: lines.map((one, at) => line(at % 10 === 3 ? "added" : "same", one)) }),
  };
}

export const requests = (now) => [approval(now), manual(now), file(now), retire(now), planRequest(now)];

/** The app's part in files: one that it knows by the end of its path. Runs in a browser's page too: it stands alone. */
export function asksApp(requests, settle) {
  const own = { picked: "/home/me/Documents/syllabus.pdf", there: false };
  const name = (path) => path.slice(path.lastIndexOf("/") + 1);
  const size = (path) => {
    if (path.endsWith("missing.pdf")) throw { code: "invalid", message: "There is no such file." };
    return { name: [{ kind: "text", text: name(path) }], bytes: path.endsWith("film.mp4") ? 734_003_200 : 1_262_485, fits: !path.endsWith("film.mp4") };
  };
  const commands = {
    pick_file: () => own.picked,
    file_size: ({ path }) => size(path),
    give_file({ id, path, comment }) {
      const request = requests().find((one) => one.row.id === id);
      request.file = { ...request.file, given: { path: request.file.destination ?? [{ kind: "text", text: name(path) }], bytes: size(path).bytes, alreadyThere: own.there } };
      return settle(id, "answered", comment);
    },
  };
  return { own, answers: (cmd) => cmd in commands, answer: (cmd, args) => commands[cmd](args) };
}
