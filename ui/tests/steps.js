// Steps and rules as an app might push them, and an app that answers what a person does about them. The latter runs in a
// browser's page too: it stands alone.
import { row, view } from "./samples.js";

const text = (words) => [{ kind: "text", text: words }];
const MINUTE = 60_000;
const part = (words, over = {}) => ({ words: words.map((one) => (typeof one === "string" ? text(one) : one)), assignments: [], redirections: [], operator: null, inside: false, ...over });
const command = (line, commands) => ({ kind: "command", lines: text(line), commands });
const line = (kind, words, over = {}) => ({ kind, spans: words === null ? [] : [{ changed: false, text: text(words) }], lines: 0, end: null, ...over });
export const proposals = (...prefixes) => prefixes.map((words, at) => ({ id: at + 1, tool: text("Bash"), prefix: words.map(text), exact: at === 0 && prefixes.length > 1, path: null }));

/** A request of class `step`. */
export function step(now, id, over = {}, own = {}) {
  const title = own.title ?? "Bash: git status";
  const asks = row(now, id, { class: "step", kind: "step", title, ...own });
  return view(asks, [], { step: {
    tool: text("Bash"), kind: "executes", folder: text("/src/payments-api"), edits: true, input: JSON.stringify({ command: "git status -s", description: "What changed" }, null, 2),
    parts: [command("git status -s", [part(["git", "status", "-s"])])], warnings: [], proposals: proposals(["git", "status", "-s"], ["git", "status"]),
    enter: false, stopped: false, sessionId: "s1", allowed: null, alsoSettled: 0, ...over,
  } });
}

/** One of each sort. */
export function stepRequests(now) {
  const pipeline = "LOG=debug cargo test --workspace 2>&1 | tail -n 40 && git commit -m \"All green: $(date +%F)\" > out.log";
  return [
    step(now, "t1", {}, { title: "Bash: git status -s", createdAt: now - 4 * MINUTE }),
    step(now, "t2", {
      parts: [
        command(pipeline, [
          part(["cargo", "test", "--workspace"], { assignments: [text("LOG=debug")], redirections: [text("2>&1")] }),
          part(["tail", "-n", "40"], { operator: "|" }),
          part(["git", "commit", "-m", "All green: $(date +%F)"], { operator: "&&", redirections: [text("> out.log")] }),
          part(["date", "+%F"], { inside: true }),
        ]),
        { kind: "field", name: text("description"), value: text("Run the tests and keep the result") },
        { kind: "field", name: text("timeout"), value: text("120000") },
      ],
      input: JSON.stringify({ command: pipeline, description: "Run the tests and keep the result", timeout: 120000 }, null, 2), proposals: [],
    }, { title: "Bash: cargo test --workspace | tail, then git commit", createdAt: now - 3 * MINUTE }),
    step(now, "t3", {
      tool: text("Edit"), kind: "writes", enter: true, edits: false,
      parts: [{ kind: "diff", path: text("src/retry.rs"), lines: [
        line("gap", null, { lines: 41 }), line("same", "fn delay(attempt: u32) -> Duration {"),
        { kind: "removed", spans: [{ changed: false, text: text("    Duration::from_secs(") }, { changed: true, text: text("30") }, { changed: false, text: text(")") }], lines: 0, end: null },
        { kind: "added", spans: [{ changed: false, text: text("    Duration::from_secs(") }, { changed: true, text: text("30 << attempt.min(10)") }, { changed: false, text: text(")") }], lines: 0, end: null },
        line("same", "}"), line("gap", null, { lines: 128 }),
      ] }],
      proposals: [{ id: 1, tool: text("Edit"), prefix: null, exact: false, path: text("/src/payments-api/src") }, { id: 2, tool: text("Edit"), prefix: null, exact: false, path: null }],
    }, { title: "Edit: src/retry.rs", agent: "Codex", createdAt: now - 2 * MINUTE }),
    step(now, "t4", {
      kind: "destroys", warnings: ["destroys", "production", "outside", "unreadable"], proposals: [], folder: text("/src/ledger"),
      parts: [command("rm -rf /var/lib/live/cache; ./deploy --env production --token ghp_0123456789abcdef", [
        part(["rm", "-rf", "/var/lib/live/cache"]), part(["./deploy", "--env", "production", "--token", [{ kind: "secret", text: "ghp_0123456789abcdef" }]], { operator: ";" }),
      ])],
    }, { title: "Bash: rm -rf /var/lib/live/cache", agent: "research-bot", workspace: "ledger", createdAt: now - MINUTE }),
  ];
}

/** As many steps of one session, with a plan behind them. */
export function manySteps(now, count, own = {}) {
  return Array.from({ length: count }, (_, at) => step(now, `n${at}`, {}, { title: `Bash: git show HEAD~${at}`, createdAt: now - (count - at) * 1000, ...own }));
}

export function ruleSamples(now) {
  const rule = (id, effect, over) => ({ id, effect, tool: null, prefix: null, exact: null, path: null, workspace: null, agent: null, session: null, expiresAt: null, madeAt: now - 3 * 86_400_000, matched: 0, lastAt: null, ...over });
  return [
    rule(1, "allow", { tool: text("Bash"), prefix: [text("git"), text("status")], workspace: text("payments-api"), matched: 1284, lastAt: now - 2 * MINUTE }),
    rule(2, "allow", { tool: text("Edit"), path: text("/src/payments-api/src"), workspace: text("payments-api"), agent: text("Codex"), session: 3, expiresAt: now + 40 * MINUTE, matched: 1, lastAt: now - 5 * MINUTE }),
    rule(3, "deny", { prefix: [text("git"), text("push"), text("--force")] }),
    rule(4, "ask", { tool: text("WebFetch"), agent: text("research-bot"), expiresAt: now - MINUTE, matched: 12, lastAt: now - 86_400_000 }),
  ];
}

export function stepsApp(data, host) {
  const text = (words) => [{ kind: "text", text: words }];
  const COMMANDS = ["answer_step", "stop_session", "release_session", "rules", "rule_try", "rule_make", "rule_remove"];
  data.past ??= [];
  const stop = (id, stopped) => {
    const status = host.status({ sessions: host.status().sessions.map((one) => (one.id === id ? { ...one, stopped } : one)) });
    for (const one of stopped ? host.requests().filter((one) => one.step?.sessionId === id && one.row.state === "pending") : []) {
      one.step = { ...one.step, stopped: true, allowed: false };
      host.settle(one.row.id, "answered");
    }
    return status;
  };
  const refusal = (draft) => {
    if (draft.effect !== "allow") return null;
    if (/^(rm|git clean)\b/.test(draft.command ?? "")) return "It would allow deletions, and no rule may.";
    if (/\b(production|prod|live)\b/.test(draft.command ?? "")) return "It names production, and no rule may allow that.";
    if (/\bcountersign\b/.test(`${draft.command} ${draft.path}`)) return "It would allow Countersign itself to be changed, and no rule may.";
    return null;
  };
  const attempt = (draft) => {
    const refused = refusal(draft);
    const rows = refused ? [] : data.past.filter((one) => draft.command === null || one.plainTitle.includes(draft.command));
    return { refused, matched: rows.length, of: data.past.length, rows: rows.slice(0, 50) };
  };
  return {
    data,
    answers: (cmd) => COMMANDS.includes(cmd),
    answer(cmd, args) {
      if (cmd === "stop_session") return stop(args.session, true);
      if (cmd === "release_session") return stop(args.session, false);
      if (cmd === "rules") return data.rules;
      if (cmd === "rule_try") return attempt(args.draft);
      if (cmd === "rule_remove") return (data.rules = data.rules.filter((one) => one.id !== args.id));
      if (cmd === "rule_make") {
        const { draft } = args;
        const maybe = (words) => (words === null ? null : text(words));
        const made = {
          id: 100 + data.rules.length, effect: draft.effect, tool: maybe(draft.tool), prefix: draft.command && !draft.exact ? draft.command.split(" ").map(text) : null, exact: draft.exact ? text(draft.command) : null,
          path: maybe(draft.path), workspace: maybe(draft.workspace), agent: null, session: null, expiresAt: draft.expiresInSeconds && Date.now() + draft.expiresInSeconds * 1000, madeAt: Date.now(), matched: 0, lastAt: null,
        };
        return (data.rules = [made, ...data.rules]);
      }
      const one = host.requests().find((one) => one.row.id === args.id);
      const alike = args.remember ? host.requests().filter((other) => other !== one && other.row.state === "pending" && other.step?.sessionId === one.step.sessionId && other.step.proposals.length > 0) : [];
      one.step = { ...one.step, allowed: args.allow, alsoSettled: alike.length };
      const settled = host.settle(args.id, "answered", args.comment);
      for (const other of alike) {
        other.step = { ...other.step, allowed: true };
        host.settle(other.row.id, "answered");
      }
      return settled;
    },
  };
}
