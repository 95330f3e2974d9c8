// What an app might push: the mock's four requests and some more. Shared by the component tests and
// the browser's. Made from the time given, so that ages are the same whenever it runs.
const text = (words) => [{ kind: "text", text: words }];
const said = (words) => ({ kind: "text", spans: text(words) });
const paragraph = (words) => ({ kind: "paragraph", children: [said(words)] });
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const AGENTS = {
  "Claude Code": ["CC", "claude-code"],
  Codex: ["CX", "codex"],
  "research-bot": ["RB", "unknown"],
};

export function row(now, id, over = {}) {
  const agent = over.agent ?? "Claude Code";
  const workspace = over.workspace ?? "payments-api";
  const title = over.title ?? `Question ${id}`;
  return {
    id, title: text(title), plainTitle: title, class: "ask", kind: "ask_human", state: "pending",
    initials: AGENTS[agent]?.[0] ?? "AG", client: AGENTS[agent]?.[1] ?? "unknown", session: 3,
    workspacePath: text(`/src/${workspace}`), createdAt: now - 40 * SECOND, expiresAt: null, onExpiry: "expire",
    waiting: true, hasDraft: false, claims: 0, todos: 0, ...over,
    ...(over.titleSpans ? { title: over.titleSpans } : { title: text(title) }), agent: text(agent), workspace: text(workspace),
  };
}

export function question(id, type, words, over = {}) {
  const options = (over.options ?? []).map((option) =>
    typeof option === "string" ? { label: text(option), value: option, description: null, preview: null }
      : { label: text(option.label), value: option.label, description: option.description ? text(option.description) : null, preview: option.preview ? text(option.preview) : null });
  return { id, question: text(words), type, default: null, required: true, pattern: null, allowOther: false, ...over, options };
}

export function view(rowView, questions, over = {}) {
  return {
    row: rowView, spec: null, context: [], questions, digest: `sha256:${rowView.id}9f2c71a0`, gate: false, surface: "window", asker: null, file: null, retire: null, plan: null, todos: [], claims: [], draft: null,
    decision: null, collected: false, step: null, ...over,
  };
}

export function requests(now) {
  const retry = row(now, "r1", { title: "Which retry policy should the webhook sender use?" });
  const remove = row(now, "r2", { title: "Delete SPEC-014 “Legacy refund import”", class: "destructive", kind: "delete_spec", createdAt: now - 2 * MINUTE });
  const plan = row(now, "r3", { title: "Plan: draft the three sessions of topic 3", class: "plan", kind: "present_plan", agent: "Codex", workspace: "course-builder", createdAt: now - 6 * MINUTE });
  const length = row(now, "r4", {
    title: "How long should topic 3 take?", agent: "research-bot", workspace: "course-builder", createdAt: now - 11 * MINUTE,
    expiresAt: now + 200 * SECOND, onExpiry: "default", waiting: false,
  });
  const batch = row(now, "r5", { title: "Four things before I start on the ledger export", class: "ambiguity", kind: "ask_questions", workspace: "ledger", createdAt: now - 75 * MINUTE, hasDraft: true });
  const approval = row(now, "r6", {
    title: "Rotate the staging certificates", class: "approval", kind: "request_human_approval", workspace: "ledger", createdAt: now - 3 * 60 * MINUTE,
    titleSpans: [{ kind: "text", text: "Rotate the " }, { kind: "escape", text: "U+202E" }, { kind: "text", text: "staging certificates" }],
  });
  return [
    view(retry, [question("q", "choice", "Which retry policy should the webhook sender use?", {
      allowOther: true, default: "Exponential, 24 hours",
      options: [
        { label: "Exponential, 24 hours", description: "8 tries, 30 s to 6 h apart. About 40 MB of outbox at today’s volume." },
        { label: "Exponential, 7 days", description: "12 tries. Survives a weekend outage; about 280 MB." },
        { label: "Fixed, every 5 minutes for an hour", description: "Simplest; loses events in longer outages." },
      ],
    })], { context: [paragraph("SPEC-021 asks for at-least-once delivery and does not say how long to keep trying. The choice sets the size of the outbox table.")] }),
    view(remove, [question("confirm-delete", "confirm", "Delete SPEC-014 for good?")], { spec: { workspace: 3, id: "SPEC-014" }, surface: "dialog", claims: [{ question: "confirm-delete", value: text("true"), at: now - MINUTE }] }),
    view(plan, [question("plan", "choice", "What should happen with this plan?", { options: ["Run it", "Keep planning", "Cancel"] })], {
      surface: "dialog", asker: { pid: 48211, path: text("/usr/bin/codex"), folder: text("/src/course-builder"), bridge: true },
      context: [
        { kind: "heading", level: 1, children: [said("Plan")] },
        { kind: "list", ordered: true, start: 1, items: [
          [{ kind: "paragraph", children: [said("Read the syllabus in "), { kind: "code", spans: text("docs/syllabus.md") }] }],
          [paragraph("Draft three sessions, 50 minutes each")],
          [{ kind: "paragraph", children: [said("Run "), { kind: "code", spans: text("make check-links") }, said(" and fix what it reports")] }],
        ] },
      ],
    }),
    view(length, [question("q", "text", "How long should topic 3 take?", { pattern: "^[0-9]+ (days|weeks)$", default: "2 weeks" })]),
    view(batch, [
      question("format", "choice", "Which format?", { options: ["CSV", "JSON lines", "Parquet"], default: "CSV" }),
      question("columns", "multiChoice", "Which columns?", { allowOther: true, options: ["Amount", "Currency", "Booked at"] }),
      question("nightly", "confirm", "Run it nightly?", { default: false }),
      question("name", "text", "What should it be called?", { required: false }),
    ], {
      draft: JSON.stringify({ entries: { format: { chosen: ["JSON lines"], own: false, other: "", text: "", yes: null }, columns: { chosen: ["Amount"], own: true, other: "Counterparty", text: "", yes: null } }, comment: "" }),
      context: [
        { kind: "paragraph", children: [said("The export is read by "), { kind: "link", href: text("https://ledger.example/docs"), children: [said("the auditors’ tool")] }, said(", which is "), { kind: "strong", children: [said("strict")] }, said(".")] },
        { kind: "code", language: text("sql"), spans: text("select amount, currency\n  from entries\n where booked_at >= :since") },
        { kind: "table", head: [[said("Column")], [said("Rows")]], rows: [[[said("amount")], [said("1,204")]], [[said("currency")], [said("3")]]] },
        { kind: "quote", children: [paragraph("Nothing is exported twice.")] },
      ],
    }),
    view(approval, [question("q", "choice", "Rotate them?", { options: ["Approve", "Reject"] })]),
  ];
}

export function sessions(now) {
  const session = (id, agent, workspace, mode, over = {}) =>
    ({ id, agent: text(agent), workspace: text(workspace), ordinal: 3, mode, switchable: mode !== "autonomous", present: true, lastSeenAt: now, stopped: false, ...over });
  return [session("s1", "Claude Code", "payments-api", "interactive"), session("s2", "Codex", "course-builder", "plan"), session("s3", "nightly", "ledger", "autonomous", { present: false })];
}

/** A gate that is decided in the window: a new spec with the title of one that is there. */
export function duplicate(now) {
  const asks = row(now, "r9", { title: "Duplicate of SPEC-014? “Refunds”", class: "ambiguity", kind: "create_spec" });
  return view(asks, [question("confirm-duplicate-title", "choice", "There is already SPEC-014 “Refunds”. Use it, or create “Refunds” as another spec?", {
    default: "use the existing one", options: ["use the existing one", "create anyway"],
  })], { gate: true, spec: { workspace: 3, id: "SPEC-014" } });
}

/** A deployment to a protected environment, and a review of commands that the person wants. */
export function deployment(now) {
  const deploy = row(now, "r7", { title: "Deploy SPEC-014 “Refunds” to production", class: "destructive", kind: "deploy_spec" });
  return view(deploy, [question("confirm-target-env", "choice", "Deploy SPEC-014 (revision 3, approved) to which environment? The agent asks for “production”, which is protected.", {
    default: "staging", options: [{ label: "production", description: "Protected: takes its name, typed." }, "preview", "staging"],
  })], { spec: { workspace: 3, id: "SPEC-014" }, surface: "dialog", context: [
    paragraph("production (protected)"), { kind: "code", language: [], spans: text(`./deploy.sh\n--live --region ${"eu-west-1,".repeat(14)} --and-then /usr/bin/last-of-the-line`) },
    paragraph("staging"), { kind: "code", language: [], spans: text("./deploy.sh") },
  ] });
}

export function trust(now) {
  const asks = row(now, "r8", { title: "Trust the commands of payments-api", class: "destructive", kind: "trust_commands", agent: "Countersign" });
  return view(asks, [question("confirm-trust", "confirm", "They changed since you trusted them. Trust the commands of this folder?")], { surface: "dialog", context: [
    paragraph("deploy.sh changed:"), { kind: "code", language: text("diff"), spans: text("-echo one\n+echo two") },
  ] });
}

/** What the dialog shows of a plan, or of anything else. */
export function dialog(now, request, over = {}) {
  const plan = request.row.class === "plan" ? { mode: "plan", runMode: "interactive", run: "Run it", keep: "Keep planning", cancel: "Cancel", revision: 1, changes: null, lines: [], modes: ["guided", "interactive"], previous: [] } : null;
  return { nonce: "n", request, typedWord: null, safeOptions: null, environment: request.row.kind === "deploy_spec" ? text("production") : null, plan, pairedAt: now - 86_400_000, inertMillis: 200, behind: 0, language: "en", theme: "light", ...over };
}

export function snapshot(now, over = {}) {
  const all = requests(now);
  return {
    list: { revision: 1, rows: [...all].map((one) => one.row).sort((a, b) => a.createdAt - b.createdAt) },
    status: {
      address: "127.0.0.1:4780", agentsConnected: 3, testHome: false, version: "0.1.0", mode: "interactive", modeWorkspace: text("payments-api"), sessions: sessions(now),
      language: "en", theme: "light", passphraseSet: false, dialogOpen: false,
      command: "countersign", notifications: true, service: "works", quiet: false, quietHours: "22:00-08:00", startAtLogin: false, tray: true, wayland: false, ...over.status,
    },
    agents: [
      { id: "a1", name: text("Claude Code"), client: "claude-code", initials: "CC", workspace: text("payments-api"), scopes: ["ask", "specs", "folders"], waiting: 2, pending: 2, lastSeenAt: now, createdAt: now - 86_400_000 },
      { id: "a2", name: text("Codex"), client: "codex", initials: "CX", workspace: text("course-builder"), scopes: ["ask"], waiting: 1, pending: 1, lastSeenAt: now - 2000, createdAt: now - 86_400_000 },
      { id: "a3", name: text("research-bot"), client: "unknown", initials: "RB", workspace: null, scopes: ["ask", "specs", "folders"], waiting: 0, pending: 1, lastSeenAt: now - 4 * MINUTE, createdAt: now - 86_400_000 },
    ],
    arrivals: {
      arrivals: [
        { id: "p1", kind: "pairing", name: text("opencode"), program: text("/usr/bin/opencode"), pid: 51020, folder: text("/src/payments-api"), own: text("payments-api"), expiresAt: now + 100 * SECOND, resembles: null },
        { id: "p2", kind: "terminal", name: text("countersign inbox"), program: null, pid: null, folder: null, own: null, expiresAt: now + 60 * SECOND, resembles: null },
      ],
      closedUntil: null,
    },
    opens: null,
    ...Object.fromEntries(Object.entries(over).filter(([key]) => key !== "status")),
  };
}

/** The status after a preference was set, as the app would say it. Runs in a browser's page too: it stands alone. */
export function preferred(status, key, value) {
  const kept = value === "on" || value === "off" ? value === "on" : value;
  return { ...status, [{ start_at_login: "startAtLogin", quiet_hours: "quietHours" }[key] ?? key]: kept };
}
