// Asks the person at this computer at the same time in the Countersign inbox, through the program's own port, and by the answer file
// of the run's folder. The first answer wins, and the question is withdrawn everywhere else.

import { createHash, randomUUID } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { documentOf, wait, type Replied } from "./file.js";
import * as find from "./find.js";
import { Inbox, pause } from "./inbox.js";
import type { Said } from "./port.js";
import { read, tidy, type Question, type Value } from "./reply.js";
import { AskError, type AskOptions, type By, type Chosen, type Decided, type InteractionPort, type Intervened, type Kind, type Prompt } from "./types.js";

export { AskError, type AskOptions, type By, type Chosen, type Decided, type InteractionPort, type Intervened, type Prompt } from "./types.js";
export { read as readReply, type Question, type Reply, type Value } from "./reply.js";

/** How long the app gets to say how a question ended that was answered in the program itself. */
const LAST_WORD = 2_000;

const SESSION = randomUUID();
let processPort: InteractionPort | null = null;

/** Gives this process a port of its own, or takes it away. One a process, as in the original. */
export function setInteractionPort(port: InteractionPort | null): void {
  processPort = port;
}

/** Asks for one of `options`, or (`multiple`) some; the person may answer in their own words. */
export async function askForChoice(
  runDir: string, prompt: Prompt, options: readonly string[], multiple = false, more: AskOptions = {},
): Promise<Chosen> {
  const won = await ask("choice", runDir, prompt, options, multiple, more);
  const chosen: Chosen = { chosen: won.chosen ?? [], by: won.by };
  if (won.other !== undefined) chosen.other = won.other;
  if (won.comment !== undefined) chosen.comment = won.comment;
  return chosen;
}

/** Asks for a text; case is kept, blanks around it are not. Empty: the person chose not to answer. */
export async function askForText(runDir: string, prompt: Prompt, more: AskOptions = {}): Promise<string> {
  return (await ask("text", runDir, prompt, [], false, more)).text?.trim() ?? "";
}

/** Asks for a yes or a no. Only a plain yes is one. */
export async function askForDecision(runDir: string, prompt: Prompt, more: AskOptions = {}): Promise<Decided> {
  const { approved, comment, by } = await ask("decision", runDir, prompt, [], false, more);
  return comment === undefined ? { approved: approved === true, by } : { approved: approved === true, comment, by };
}

/** Asks for something to be done by hand. */
export async function askForManualIntervention(runDir: string, prompt: Prompt, more: AskOptions = {}): Promise<Intervened> {
  const { done, comment, by } = await ask("manual", runDir, prompt, [], false, more);
  return comment === undefined ? { done: done === true, by } : { done: done === true, comment, by };
}

interface Won {
  by: By;
  comment?: string;
  chosen?: string[];
  other?: string;
  text?: string;
  approved?: boolean;
  done?: boolean;
}

const QUESTION_IDS = { choice: "answer", text: "answer", decision: "approval", manual: "done" } as const;

async function ask(
  kind: Kind, runDir: string, prompt: Prompt, options: readonly string[], multiple: boolean, more: AskOptions,
): Promise<Won> {
  more.signal?.throwIfAborted();
  const asked = Date.now();
  check(kind, prompt, options);
  const folder = runFolder(runDir);
  const question = questionOf(kind, options, multiple);
  const workspace = more.workspace ? realpathSync(more.workspace) : find.workspace(process.cwd());
  // A run is a session: the same question in two runs is two questions.
  const session = `${SESSION}-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
  const shown = { kind, title: prompt.title, lines: prompt.lines ?? [], question: prompt.question, markdown: prompt.markdown };
  const choice = kind === "choice" ? { options, multiple } : {};
  const inbox = new Inbox(
    { home: more.home ?? find.home(), workspace, token: more.token, session },
    { ...shown, ...choice, run_folder: folder, hold_seconds: 0 },
  );
  const over = new AbortController();
  const port = more.port === undefined ? processPort : more.port;
  const own = port ? askPort(port, kind, prompt, options, multiple, over.signal) : undefined;
  const document = documentOf({ ...shown, ...choice, kind: `ask_for_${kind === "manual" ? "manual_intervention" : kind}` });
  const racers: Promise<{ won: Won } | { raw: string } | { replied: Replied }>[] = [
    ended(inbox).then((won) => ({ won })),
    wait(folder, question, document, asked, inbox, over.signal).then((replied) => (replied ? { replied } : never())),
  ];
  // It can't ask: the others can.
  if (own) racers.push(own.then((raw) => ({ raw }), never));
  if (more.signal) racers.push(abandoned(more.signal));
  try {
    const first = await Promise.race(racers);
    if ("won" in first) {
      port?.notify("Answered in Countersign.");
      return first.won;
    }
    if ("raw" in first) return await settle(inbox, kind, question, first.raw);
    port?.notify("Answered by the answer file.");
    if (inbox.standing.is === "away" && inbox.standing.id !== undefined) inbox.leave();
    else void inbox.withdraw();
    return ofValue(kind, first.replied.value, first.replied.comment, "file");
  } catch (error) {
    // Given up: nobody waits any more, so nobody is asked any more.
    void inbox.withdraw();
    throw error;
  } finally {
    over.abort();
  }
}

function check(kind: Kind, prompt: Prompt, options: readonly string[]): void {
  const title = prompt.title.trim();
  if (title === "" || [...title].length > 200 || /[\p{Cc}]/u.test(title)) throw new AskError("a title has 1 to 200 characters and no control characters");
  if (kind === "choice" && (options.length < 1 || options.length > 50)) throw new AskError(`a choice has 1 to 50 options, not ${options.length}`);
  if (new Set(options).size !== options.length) throw new AskError("options must differ");
}

function runFolder(runDir: string): string {
  try {
    const folder = realpathSync(runDir);
    if (lstatSync(folder).isDirectory()) return folder;
  } catch (error) {
    throw new AskError(`the run folder ${runDir} can't be used: ${String(error)}`);
  }
  throw new AskError(`the run folder ${runDir} can't be used: it is no folder`);
}

function questionOf(kind: Kind, options: readonly string[], multiple: boolean): Question {
  if (kind === "choice") return { type: multiple ? "multiChoice" : "choice", options, allowOther: true };
  return { type: kind === "text" ? "text" : "confirm" };
}

async function askPort(
  port: InteractionPort, kind: Kind, prompt: Prompt, options: readonly string[], multiple: boolean, signal: AbortSignal,
): Promise<string> {
  if (kind === "manual") return port.askManualIntervention(prompt, signal);
  if (kind === "choice" && port.askChoice) return port.askChoice(prompt, { options, multiple }, signal);
  if (kind === "text" && port.askText) return port.askText(prompt, signal);
  if (kind !== "choice") return port.askDecision(prompt, signal);
  const numbered = options.map((option, n) => `${n + 1}. ${option}`);
  const lines = [...(prompt.lines ?? []), ...(prompt.question ? [prompt.question] : []), ...numbered];
  const question = multiple ? "Numbers separated by commas, or your own answer: " : "Number, or your own answer: ";
  return port.askDecision({ ...prompt, lines, question }, signal);
}

/** How it ended in the inbox. */
function ended(inbox: Inbox): Promise<Won> {
  return new Promise((done) => {
    const look = () => {
      const won = inbox.standing.is === "ended" ? ofApp(inbox.standing.said) : undefined;
      if (won) done(won);
    };
    inbox.onChange(look);
    look();
  });
}

function abandoned(signal: AbortSignal): Promise<never> {
  return new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason), { once: true }));
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** The port was first, as far as this program knows; the app has the last word on what it was asked. */
async function settle(inbox: Inbox, kind: Kind, question: Question, raw: string): Promise<Won> {
  const replied = heard(kind, question, raw);
  const won: Won = replied ? ofValue(kind, replied.value, replied.comment, "port") : { by: "port" };
  const there = inbox.standing.is === "waiting" || inbox.standing.is === "ended";
  const answers = replied ? { answers: { [QUESTION_IDS[kind]]: replied.value }, ...(replied.comment ? { comment: replied.comment } : {}) } : undefined;
  const told = inbox.withdraw(answers);
  if (!there) return won;
  const said = await Promise.race([told, pause(LAST_WORD)]);
  return (said && ofApp(said)) ?? won;
}

/** What a port gave back. It can't be told to ask again: what is neither yes nor no is a no, with the words beside it. */
function heard(kind: Kind, question: Question, raw: string): Replied | undefined {
  const reply = read(question, raw);
  if ("blank" in reply) return kind === "manual" ? { value: true } : undefined;
  if ("refused" in reply) return { value: false, comment: tidy(raw) };
  return reply;
}

function ofValue(kind: Kind, value: Value, comment: string | undefined, by: By): Won {
  const won: Won = { by };
  if (comment !== undefined) won.comment = comment;
  if (kind === "text") won.text = String(value);
  else if (kind === "decision") won.approved = value === true;
  else if (kind === "manual") won.done = value === true;
  else if (typeof value === "string") won.chosen = [value];
  else if (Array.isArray(value)) won.chosen = value;
  else if (typeof value === "object") Object.assign(won, value);
  return won;
}

/** What the app says of a request that ended; none where it was taken back or replaced. */
function ofApp(said: Said): Won | undefined {
  const by: By = said["channel"] === "file" ? "file" : said["channel"] === "program" ? "port" : "inbox";
  if (said.state !== "answered") return said.state === "declined" || said.state === "expired" ? withComment({ by }, said) : undefined;
  const { chosen, other, text, approved, done } = said as unknown as Won;
  const fields = Object.entries({ chosen, other, text, approved, done }).filter(([, value]) => value !== undefined);
  return withComment({ ...Object.fromEntries(fields), by }, said);
}

function withComment(won: Won, said: Said): Won {
  return typeof said["comment"] === "string" ? { ...won, comment: said["comment"] } : won;
}
