// An app's specs, kept in memory, behind the page's commands. Shared by the component tests and the browser's, into whose
// page it is copied: `specsApp` stands alone.

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The mock's specs and some more: each status, a lock, evidence of all kinds, a history, runs. */
export function specSamples(now) {
  const agent = (name) => ({ kind: "agent", name });
  const person = { kind: "person", name: null };
  const check = (name) => ({ kind: "check", name });
  const said = (text, by, met = true, ago = 30 * MINUTE) => ({ text, by, met, at: now - ago });
  const spec = (number, title, status, criteria, over = {}) => ({
    number, title, status, locked: false, body: "", changedAt: now - number * MINUTE, createdAt: now - 9 * DAY, by: agent("Claude Code"), runs: [], past: [], ...over,
    criteria: criteria.map((one, at) => ({ id: `AC-${at + 1}`, state: "unmet", check: null, evidence: null, ...(typeof one === "string" ? { text: one } : one) })),
  });
  const webhook = spec(21, "Webhook delivery", "implementing", [
    { text: "A delivery that gets no 2xx within 10 s is tried again 8 times over 24 h", state: "met", evidence: said("`cargo test retries` passes: 8 tries, the last after 23 h 40 min", agent("Claude Code")) },
    { text: "`POST /hooks` returns 201 and the hook’s id", state: "met", check: "api", evidence: said("exit code 0 in 4.2 s", check("api"), true, 5 * MINUTE) },
    { text: "An endpoint that fails for 7 days is switched off, and its owner gets an e-mail", state: "waived", evidence: said("The e-mail comes with SPEC-023", person, true, 2 * 60 * MINUTE) },
    { text: "Deliveries are fast and easy to follow" },
    { text: "Each delivery carries `X-Signature` over its body (SHA-256)", evidence: said("The header is there, but over the parsed body", agent("Codex"), false, 12 * MINUTE) },
  ], {
    changedAt: now - 3 * MINUTE,
    body: "# Why\n\nPartners poll us **every minute**, which is most of our traffic. A webhook tells them once.\n\n## How\n\n1. A row in `outbox` in the transaction that changes the order\n2. A sender that reads it, signs, and posts\n3. Retries with backoff, 24 hours at most\n\n```sql\nselect id, body from outbox\n where due_at <= now()\n```\n\nNothing is sent twice *on purpose*: at-least-once, with an id to tell repeats by.",
    past: [
      { by: agent("Claude Code"), at: now - 8 * DAY, title: "Webhooks", body: "# Why\n\nPartners poll us every minute, which is most of our traffic.\n", criteria: [{ id: "AC-1", text: "A delivery that fails is tried again", check: null }] },
      { by: agent("Claude Code"), at: now - 2 * DAY, title: "Webhook delivery", body: "# Why\n\nPartners poll us every minute, which is most of our traffic. A webhook tells them once.\n\n## How\n\n1. A row in `outbox` in the transaction that changes the order\n2. A sender that reads it and posts\n3. Retries, 12 hours at most\n", criteria: [{ id: "AC-1", text: "A delivery that gets no 2xx within 10 s is tried again 5 times over 12 h", check: null }, { id: "AC-2", text: "`POST /hooks` returns 201 and the hook’s id", check: null }, { id: "AC-6", text: "Partners like it", check: null }] },
    ],
    events: [
      { kind: "moved", by: agent("Claude Code"), at: now - 2 * MINUTE, from: "approved", to: "implementing", through: [{ by: "window", unverified: false }] },
      { kind: "changed", by: agent("Claude Code"), at: now - 3 * MINUTE, revision: 3, through: [{ by: "relayed", unverified: true }] },
      { kind: "unlocked", by: person, at: now - 4 * MINUTE },
      { kind: "evidence", by: agent("Claude Code"), at: now - 30 * MINUTE, criterion: "AC-2", met: true, text: "Seen in the load test" },
      { kind: "waived", by: person, at: now - 2 * 60 * MINUTE, criterion: "AC-4", text: "Comes next year" },
      { kind: "locked", by: person, at: now - DAY },
      { kind: "created", by: agent("Claude Code"), at: now - 8 * DAY },
    ],
    runs: [
      { id: "run-1", kind: "check", name: "api", state: "passed", exitCode: 0, reason: null, by: agent("Claude Code"), createdAt: now - 5 * MINUTE, endedAt: now - 5 * MINUTE + 4200, output: "running 14 tests\ntest hooks::created ... ok\ntest hooks::listed ... ok\n\ntest result: ok. 14 passed; 0 failed\n" },
      { id: "run-0", kind: "deploy", name: "staging", state: "failed", exitCode: 1, reason: null, by: person, createdAt: now - DAY, endedAt: now - DAY + 61_000, output: "Building payments-api 2.14.0\nerror: the registry refused the push (403)\n" },
    ],
  });
  const payments = [
    spec(24, "Refund reasons", "draft", ["The refund form offers 5 reasons and a text of at most 200 characters", "Support can see them"], { body: "Why money goes back is asked **after** the fact today." }),
    spec(23, "Ledger export", "draft", [], { by: person }),
    spec(22, "Webhook signatures", "review", ["Signatures are secure", "It works with all clients", "Keys can be rotated easily", "Good errors"], { body: "Partners must be able to tell our calls from others’." }),
    webhook,
    spec(19, "Idempotency keys", "approved", [
      { text: "The same key within 24 h returns the first response, byte for byte", state: "met", evidence: said("Seen by hand in staging", person) },
      { text: "A key over 255 characters is refused with 400", state: "met", evidence: said("test `keys::long`", agent("Codex")) },
      { text: "Keys are kept for 24 h, then dropped within 1 h", state: "met", evidence: said("test `keys::lapse`", agent("Codex")) },
      "Two calls at once with one key charge once: 1,000 pairs in `tests/race.rs`", "p95 grows by less than 5 ms",
    ], { locked: true }),
    spec(17, "Two-person refunds over 5,000 €, with a note for the auditors in the ledger of the month", "approved", ["A refund over 5,000 € takes 2 people", "Both names are in the ledger"]),
    ...Array.from({ length: 12 }, (_, at) => spec(11 - at > 0 ? 11 - at : 100 - at, ["Card tokens", "Payouts by SEPA", "Disputes", "Receipts by e-mail", "Currency rounding", "Invoice numbers", "Sandbox keys", "Rate limits", "Audit trail", "Balance holds", "Chargeback fees", "Statement export"][at], "done",
      [{ text: "All of it is done: 12 of 12 cases in `tests/`", state: "met", evidence: said("12 of 12", agent("Codex")) }], { changedAt: now - (at + 2) * DAY })),
    spec(14, "Legacy refund import", "archived", ["10,000 rows in under 60 s"], { changedAt: now - 40 * DAY }),
    spec(12, "Fax receipts", "archived", [], { changedAt: now - 90 * DAY }),
  ].sort((a, b) => b.number - a.number);
  const rules = (over) => ({ mode: "guided", auto_transitions: false, evidence: "agent", policy_in_app: false, ...over });
  const command = (name, run, over = {}) => ({ name, run, folder: ".", env: [], timeoutSeconds: 600, protected: false, ...over });
  return {
    workspace: 3, layout: "board", folded: ["archived"], lines: 6, every: 40,
    workspaces: [
      {
        id: 3, path: "/src/payments-api", rules: rules(), specs: payments, next: 101,
        commands: {
          state: "trusted", problem: null, path: "/src/payments-api/countersign.toml", checks: [command("api", "cargo test --test api"), command("lint", "make lint", { timeoutSeconds: 120 })],
          targets: [command("staging", "./ops/deploy.sh staging", { env: ["AWS_PROFILE"] }), command("production", "./ops/deploy.sh production --spec SPEC", { env: ["AWS_PROFILE"], protected: true, timeoutSeconds: 1800 })],
        },
      },
      { id: 4, path: "/src/course-builder", rules: rules({ mode: "interactive" }), next: 2, specs: [spec(1, "Topic 3: how rivers move", "draft", ["3 sessions of 50 minutes"])], commands: { state: "none", problem: null, path: "/src/course-builder/countersign.toml", checks: [], targets: [] } },
    ],
  };
}

/** So many specs in one workspace, over all statuses. */
export function manySpecs(now, count) {
  const data = specSamples(now);
  const words = ["Refunds", "Ledger", "Webhooks", "Tokens", "Payouts", "Disputes", "Receipts", "Limits"];
  const statuses = ["draft", "review", "approved", "implementing", "done", "archived"];
  data.workspaces[0].specs = Array.from({ length: count }, (_, at) => {
    const number = count - at;
    return {
      number, title: `${words[number % words.length]} of case ${number}, with what follows from it for those who read it`, status: statuses[number % 11 < 5 ? number % 5 : number % 6], locked: number % 17 === 0, body: "", changedAt: now - number * 1000, createdAt: now - DAY,
      by: { kind: "person", name: null }, runs: [], past: [], criteria: number % 3 ? [{ id: "AC-1", text: `returns ${number}`, state: number % 2 ? "met" : "unmet", check: null, evidence: null }] : [],
    };
  });
  data.workspaces[0].next = count + 1;
  return data;
}

/** Answers the page's commands about specs; undefined for any other. `push(event)` tells the page. */
export function specsApp(data, push, language = () => "en") {
  const PAGE = 200;
  const STATUSES = ["draft", "review", "approved", "implementing", "done", "archived"];
  const MOVES = { draft: ["review", "approved", "archived"], review: ["draft", "approved", "archived"], approved: ["review", "implementing", "archived"], implementing: ["approved", "done", "archived"], done: ["implementing", "archived"], archived: ["draft"] };
  const text = (words) => [{ kind: "text", text: words }];
  const name = (number) => `SPEC-${String(number).padStart(3, "0")}`;
  const no = (code, message) => { throw { code, message }; };
  const place = (id) => data.workspaces.find((one) => one.id === id) ?? no("not_found", "There is no such workspace.");
  const find = (args) => place(args.workspace).specs.find((one) => name(one.number) === args.id) ?? no("not_found", `There is no ${args.id} in this workspace.`);
  const by = ({ kind, name }) => ({ kind, name: name === null ? null : text(name) });
  const content = (spec) => ({ title: spec.title, body: spec.body, criteria: spec.criteria.map(({ id, text, check }) => ({ id, text, check })) });

  const VAGUE = ["fast", "easy", "easily", "secure", "good", "rápido", "fácil"];
  const judge = (all) => all.map((words, at) => {
    const es = language() === "es";
    const findings = [];
    const vague = words.split(/[^\p{L}]+/u).filter((word) => VAGUE.includes(word.toLowerCase()));
    if (vague.length) findings.push({ rule: "vague-words", title: es ? "Palabras vagas" : "Vague words", message: text(`${vague.map((word) => (es ? `«${word}»` : `“${word}”`)).join(", ")} ${es ? "se puede entender de varias maneras; di cómo se mide" : "can be read in several ways; say how it is measured"}`) });
    if (!/[\d`]/.test(words)) findings.push({ rule: "no-measure", title: es ? "Nada que medir ni señalar" : "Nothing to measure or point at", message: text(es ? "da un número, un código de estado, un archivo o el texto exacto entre comillas" : "give a number, a status code, a file, or the exact text in quotes") });
    const twin = all.findIndex((other) => other.trim().toLowerCase() === words.trim().toLowerCase());
    if (twin < at) findings.push({ rule: "duplicate", title: es ? "Repetido" : "Said twice", message: text(es ? `dice lo mismo que AC-${twin + 1}` : `it says the same as AC-${twin + 1}`) });
    return { fit: findings.length === 0, findings };
  });
  const row = (spec) => ({
    id: name(spec.number), title: text(spec.title), plainTitle: spec.title, status: spec.status, revision: spec.past.length + 1, locked: spec.locked, changedAt: spec.changedAt,
    met: spec.criteria.filter((one) => one.state !== "unmet").length, total: spec.criteria.length, fit: judge(spec.criteria.map((one) => one.text)).filter((one) => one.fit).length,
  });

  const inline = (line) => line.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).filter(Boolean).map((part) =>
    part.startsWith("`") ? { kind: "code", spans: text(part.slice(1, -1)) }
      : part.startsWith("**") ? { kind: "strong", children: [{ kind: "text", spans: text(part.slice(2, -2)) }] }
        : part.startsWith("*") && part.length > 1 ? { kind: "emphasis", children: [{ kind: "text", spans: text(part.slice(1, -1)) }] } : { kind: "text", spans: text(part) });
  function blocks(body) {
    const found = [];
    for (const part of body.replaceAll("\r\n", "\n").split(/\n\n(?![^`]*\n```)/)) {
      if (part.startsWith("```")) found.push({ kind: "code", language: null, spans: text(part.replace(/^```.*\n|\n?```$/g, "")) });
      else if (/^#+ /.test(part)) found.push({ kind: "heading", level: part.indexOf(" "), children: inline(part.replace(/^#+ /, "")) });
      else if (/^(\d+\.|-) /.test(part)) found.push({ kind: "list", ordered: /^\d/.test(part), start: 1, items: part.trim().split("\n").map((line) => [{ kind: "paragraph", children: inline(line.replace(/^(\d+\.|-) /, "")) }]) });
      else if (part.trim()) found.push({ kind: "paragraph", children: inline(part.replaceAll("\n", " ")) });
    }
    return found;
  }

  // Runs print a line every so often and then pass; one called "broken" fails.
  const everyRun = () => data.workspaces.flatMap((one) => one.specs.flatMap((spec) => spec.runs.map((run) => ({ run, spec }))));
  function onward(run) {
    if (run.endedAt !== null || run.endedAt === undefined) return run;
    const lines = Math.min(data.lines, Math.floor((Date.now() - run.createdAt) / data.every));
    Object.assign(run, { state: lines > 0 ? "running" : "queued", output: Array.from({ length: lines }, (_, at) => `step ${at + 1} of ${data.lines}\n`).join("") });
    if (lines === data.lines) Object.assign(run, { state: run.name === "broken" ? "failed" : "passed", exitCode: run.name === "broken" ? 3 : 0, endedAt: Date.now() });
    return run;
  }
  const runRow = (run, revision) => ({ id: run.id, kind: run.kind, name: text(run.name), revision, state: run.state, exitCode: run.exitCode, reason: run.reason && text(run.reason), by: by(run.by), createdAt: run.createdAt, startedAt: run.state === "queued" ? null : run.createdAt, endedAt: run.endedAt });
  function begin(spec, kind, target) {
    const run = { id: `run-${everyRun().length + 10}`, kind, name: target, state: "queued", exitCode: null, reason: null, by: { kind: "person", name: null }, createdAt: Date.now(), endedAt: null, output: "" };
    spec.runs.unshift(run);
    push("runs");
    return runRow(run, spec.past.length + 1);
  }

  function whole(args) {
    const spec = find(args);
    const verdicts = judge(spec.criteria.map((one) => one.text));
    return {
      workspace: args.workspace, row: row(spec), title: spec.title, body: spec.body, blocks: blocks(spec.body), moves: MOVES[spec.status], createdAt: spec.createdAt,
      criteria: spec.criteria.map((one, at) => ({ id: one.id, text: text(one.text), source: one.text, state: one.state, check: one.check && text(one.check), checkSource: one.check, evidence: one.evidence && { ...one.evidence, text: text(one.evidence.text), by: by(one.evidence.by) }, ...verdicts[at] })),
      runs: spec.runs.slice(0, 20).map((run) => runRow(onward(run), spec.past.length + 1)),
    };
  }
  function done(args) {
    find(args).changedAt = Date.now();
    push("specs");
    return whole(args);
  }

  function diff(before, after) {
    const [a, b] = [before === "" ? [] : before.split("\n"), after === "" ? [] : after.split("\n")];
    const longest = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
    for (let i = a.length - 1; i >= 0; i -= 1) for (let j = b.length - 1; j >= 0; j -= 1) longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    const lines = [];
    const line = (kind, words) => lines.push({ kind, lines: 0, end: null, spans: [{ changed: false, text: text(words) }] });
    for (let i = 0, j = 0; i < a.length || j < b.length;) {
      if (i < a.length && j < b.length && a[i] === b[j]) { line("same", a[i]); i += 1; j += 1; }
      else if (i < a.length && (j >= b.length || longest[i + 1][j] >= longest[i][j + 1])) line("removed", a[i++]);
      else line("added", b[j++]);
    }
    for (let at = 0; at + 1 < lines.length; at += 1) {
      const [one, two] = [lines[at], lines[at + 1]];
      if (one.kind !== "removed" || two.kind !== "added") continue;
      const split = (words) => words.split(/(?<=\s)|(?=\s)/);
      const [x, y] = [split(one.spans[0].text[0].text), split(two.spans[0].text[0].text)];
      const marked = (mine, others) => mine.map((word) => ({ changed: word.trim() !== "" && !others.includes(word), text: text(word) }));
      one.spans = marked(x, y);
      two.spans = marked(y, x);
    }
    return lines.every((one) => one.kind === "same") ? [] : lines;
  }
  function revision(args) {
    const spec = find(args);
    const all = [...spec.past, content(spec)];
    const from = args.since ?? (args.revision > 1 ? args.revision - 1 : null);
    const [old, now] = [from === null ? { title: "", body: "", criteria: [] } : all[from - 1], all[args.revision - 1] ?? no("not_found", "There is no such revision.")];
    const ids = [...new Set([...old.criteria, ...now.criteria].map((one) => one.id))];
    const of = (side, id) => side.criteria.find((one) => one.id === id)?.text ?? "";
    return {
      from, to: args.revision, title: diff(old.title, now.title), body: diff(old.body, now.body),
      criteria: ids.map((id) => ({ id, lines: diff(of(old, id), of(now, id)), check: null, place: null })).filter((one) => one.lines.length > 0),
    };
  }

  function edit(args) {
    const spec = find(args);
    if (args.base !== spec.past.length + 1) no("conflict", `This spec is at revision ${spec.past.length + 1}.`);
    spec.past.push({ by: spec.by, at: spec.changedAt, ...content(spec) });
    const next = () => Math.max(0, ...[...spec.criteria, ...spec.past.flatMap((one) => one.criteria)].map((one) => Number(one.id.slice(3)))) + 1;
    Object.assign(spec, { by: { kind: "person", name: null }, title: args.title ?? spec.title, body: args.body ?? spec.body });
    for (const given of args.criteria ?? []) given.id ??= null;
    if (args.criteria) {
      let free = next();
      spec.criteria = args.criteria.map((given) => {
        const old = spec.criteria.find((one) => one.id === given.id);
        return old && old.text === given.text ? { ...old, check: given.check } : { id: old?.id ?? `AC-${free++}`, text: given.text, check: given.check, state: "unmet", evidence: null };
      });
    }
    if (spec.status === "approved") spec.status = "review";
    return done(args);
  }
  /** what somebody else does to a spec meanwhile */
  const elsewhere = (args) => { const spec = find(args); edit({ base: spec.past.length + 1, title: null, body: null, criteria: null, ...args }); spec.by = { kind: "agent", name: "Codex" }; };

  function criterion(args, change) {
    const one = find(args).criteria.find((own) => own.id === args.criterion) ?? no("invalid", "There is no such criterion.");
    Object.assign(one, change(one));
    return done(args);
  }
  const word = (words, met) => ({ text: words, met, by: { kind: "person", name: null }, at: Date.now() });

  function imported(args, keep) {
    const home = place(args.workspace);
    return {
      items: args.files.flatMap((file) => {
        const head = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file.text);
        const field = (key) => new RegExp(`^${key}: (.*)$`, "m").exec(head?.[1] ?? "")?.[1] ?? null;
        if (!head || !field("title")) return [{ file: text(file.name), title: null, fate: "broken", id: null, given: null, criteria: 0, near: null, same: false, notes: [], problem: text("line 1: there is no front matter with a title") }];
        const given = field("id");
        const free = given !== null && Number(given.slice(5)) >= home.next;
        const number = free ? Number(given.slice(5)) : home.next;
        const criteria = [...head[1].matchAll(/^ {2}- (.*)$/gm)].map(([, words], at) => ({ id: `AC-${at + 1}`, text: words, state: "unmet", check: null, evidence: null }));
        const near = home.specs.find((one) => one.title.toLowerCase() === field("title").toLowerCase());
        if (keep) {
          home.specs.unshift({ number, title: field("title"), status: "draft", locked: false, body: head[2], criteria, changedAt: Date.now(), createdAt: Date.now(), by: { kind: "person", name: null }, runs: [], past: [] });
          home.next = number + 1;
        }
        return [{ file: text(file.name), title: text(field("title")), fate: "create", notes: [], id: keep || free ? name(number) : null, given: given !== null && !free ? given : null, criteria: criteria.length, near: near ? name(near.number) : null, same: near?.title === field("title"), problem: null }];
      }),
    };
  }

  const commands = {
    specs({ workspace, query }) {
      const home = data.workspaces.find((one) => one.id === (workspace ?? data.workspace)) ?? data.workspaces[0];
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const found = words.length === 0 ? home?.specs ?? [] : home.specs.filter((one) => words.every((own) => `${name(one.number)} ${one.title} ${one.body}`.toLowerCase().includes(own))).slice(0, PAGE);
      return {
        workspaces: data.workspaces.map((one) => ({ id: one.id, name: text(one.path.split("/").at(-1)), path: text(one.path), specs: one.specs.filter((spec) => spec.status !== "archived").length })),
        workspace: home?.id ?? null, rules: home?.rules ?? null, more: words.length > 0 && found.length === PAGE, layout: data.layout, folded: data.folded,
        lanes: STATUSES.map((status) => { const own = found.filter((one) => one.status === status); return { status, count: own.length, rows: (words.length ? own : own.slice(0, PAGE)).map(row) }; }),
      };
    },
    spec_page: (args) => place(args.workspace).specs.filter((one) => one.status === args.status && one.number < Number(args.after.slice(5))).slice(0, PAGE).map(row),
    spec: whole,
    spec_commands: (args) => { const { checks, targets, path, problem, ...more } = place(args.workspace).commands; const safe = (one) => ({ ...one, run: text(one.run), folder: text(one.folder), env: one.env.map(text) }); return { ...more, path: text(path), problem: problem && text(problem), checks: checks.map(safe), targets: targets.map(safe) }; },
    spec_check: (args) => ({ near: place(args.workspace).specs.filter((one) => name(one.number) !== args.id && args.title.trim().length > 3 && one.title.toLowerCase().includes(args.title.trim().toLowerCase())).slice(0, 5).map((one) => ({ id: name(one.number), title: text(one.title), alike: one.title.length === args.title.trim().length ? 100 : 87 })), criteria: judge(args.criteria) }),
    spec_preview: (args) => blocks(args.body),
    spec_create(args) {
      const home = place(args.workspace);
      if (args.title.trim() === "") no("invalid", "`title` is empty; give 1 to 200 characters.");
      home.specs.unshift({ number: home.next, title: args.title, status: "draft", locked: false, body: args.body, changedAt: Date.now(), createdAt: Date.now(), by: { kind: "person", name: null }, runs: [], past: [], criteria: args.criteria.map((one, at) => ({ id: `AC-${at + 1}`, text: one.text, check: one.check, state: "unmet", evidence: null })) });
      home.next += 1;
      return done({ workspace: args.workspace, id: name(home.next - 1) });
    },
    spec_edit: edit,
    spec_status: (args) => { const spec = find(args); if (!MOVES[spec.status].includes(args.status)) no("invalid", `A spec in ${spec.status} can’t go to ${args.status}.`); spec.status = args.status; return done(args); },
    spec_lock: (args) => { find(args).locked = args.locked; return done(args); },
    spec_evidence: (args) => criterion(args, () => ({ state: args.met ? "met" : "unmet", evidence: word(args.text, args.met) })),
    spec_waive: (args) => criterion(args, () => (args.reason === null ? { state: "unmet", evidence: null } : { state: "waived", evidence: word(args.reason, true) })),
    spec_delete: (args) => { if (args.typed !== args.id) no("invalid", "The typed word is another one."); const home = place(args.workspace); find(args); home.specs = home.specs.filter((one) => name(one.number) !== args.id); push("specs"); return null; },
    spec_history: (args) => { const spec = find(args); const rows = [...spec.past.map((one) => ({ by: by(one.by), at: one.at })), { by: by(spec.by), at: spec.changedAt }].map((one, at) => ({ revision: at + 1, ...one })).reverse(); const event = (one) => ({ revision: null, from: null, to: null, criterion: null, met: null, through: [], ...one, by: by(one.by), text: one.text ? text(one.text) : null }); return { rows, events: (spec.events ?? []).map(event), more: false }; },
    spec_revision: revision,
    spec_export: (args) => args.ids.map((id) => { const spec = find({ ...args, id }); return args.format === "json" ? JSON.stringify(content(spec), null, 2) : `---\nid: ${id}\ntitle: ${spec.title}\nstatus: ${spec.status}\n---\n${spec.body}\n`; }).join("\n"),
    spec_save: (args) => `/home/ana/Downloads/${args.ids.length === 1 ? args.ids[0] : "specs"}.${args.format === "json" ? "json" : "md"}`,
    spec_import_look: (args) => imported(args, false),
    spec_import: (args) => { const made = imported(args, true); push("specs"); return made; },
    spec_validate: (args) => { const spec = find(args); for (const one of new Set(spec.criteria.map((own) => own.check).filter(Boolean))) begin(spec, "check", one); return done(args); },
    spec_deploy: (args) => { const target = place(args.workspace).commands.targets.find((one) => one.name === args.target); if (!target) no("invalid", "There is no such target."); if (target.protected && args.typed !== target.name) no("invalid", "The typed word is another one."); return begin(find(args), "deploy", target.name); },
    spec_run(args) { const { run, spec } = everyRun().find((one) => one.run.id === args.id) ?? no("not_found", "There is no such run."); onward(run); const cut = args.whole ? 0 : Math.max(0, run.output.length - 65_536); return { row: runRow(run, spec.past.length + 1), command: text(run.kind === "deploy" ? `./ops/deploy.sh ${run.name}` : `make ${run.name}`), output: text(run.output.slice(cut)), before: cut }; },
    spec_cancel: (args) => { Object.assign(everyRun().find((one) => one.run.id === args.id).run, { state: "cancelled", endedAt: Date.now(), reason: "ended by the person" }); push("runs"); return null; },
    trust_review: () => null,
    set_rules: (args) => { place(args.workspace).rules = args.rules; push("specs"); return null; },
  };
  /** what is remembered of the screen */
  function prefer(key, value, status) {
    if (key === "specs_layout") data.layout = value;
    if (key === "specs_folded") data.folded = value.split(" ").filter(Boolean);
    if (key === "specs_workspace") data.workspace = Number(value);
    return status;
  }
  return { data, elsewhere, prefer, answers: (cmd) => cmd in commands, answer: (cmd, args) => commands[cmd](args) };
}
