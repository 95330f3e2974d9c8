// The answer file as one of the three, while the app is away; while it is there the app watches the file, and this does nothing.
// What is obeyed is a regular file of this user's that is no link, is not older than the question, and was left alone for a moment.

import {
  closeSync, constants, existsSync, fstatSync, linkSync, lstatSync, mkdirSync, openSync, readFileSync, readSync, realpathSync,
  renameSync, unlinkSync, writeFileSync, type Stats,
} from "node:fs";
import { join } from "node:path";
import type { Inbox } from "./inbox.js";
import { pause } from "./inbox.js";
import { read, type Question, type Value } from "./reply.js";

const LEGACY = "approval-response.txt";
const NOTE = "approval-response.note.txt";
const MARK = "\"countersign\": 1";
const LIMIT = 1 << 20;
const QUIET = 250;
const LOOK = 100;
/** File systems take their time from the last tick. */
const LAG = 10;

export interface Replied {
  value: Value;
  comment?: string;
}

/** In each folder one question at a time has the nameless file. */
const turns = new Map<string, Promise<void>>();

async function turn(folder: string, signal: AbortSignal): Promise<{ waited: boolean; done: () => void }> {
  const before = turns.get(folder);
  let done = () => {};
  const mine = new Promise<void>((resolve) => (done = resolve));
  const chain = (before ?? Promise.resolve()).then(() => mine);
  turns.set(folder, chain);
  void chain.then(() => turns.get(folder) === chain && turns.delete(folder));
  if (before) await Promise.race([before, new Promise<void>((end) => signal.addEventListener("abort", () => end()))]);
  return { waited: before !== undefined, done };
}

/** Waits for an answer in the file, whenever the app is away. Ends without one only when `signal` says so. */
export async function wait(
  folder: string, question: Question, document: string, asked: number, inbox: Inbox, signal: AbortSignal,
): Promise<Replied | undefined> {
  const watching = new Watching(folder, question, document);
  // The app may have been there between two looks, and have written its own document.
  const off = inbox.onChange(() => watching.tellAgain());
  let mine: { waited: boolean; done: () => void } | undefined;
  let since = asked;
  try {
    while (!signal.aborted) {
      const standing = inbox.standing;
      if (standing.is !== "away" && standing.is !== "out") {
        watching.leave();
        mine?.done();
        mine = undefined;
        await changed(inbox, signal);
        continue;
      }
      if (!mine) {
        mine = await turn(folder, signal);
        // What was written while another question had the file was for that one.
        if (mine.waited) since = Date.now();
        continue;
      }
      const found = watching.look(since, standing.is === "away" ? standing.id : undefined);
      if (found) return found;
      await pause(LOOK, signal);
    }
    return undefined;
  } finally {
    off();
    watching.leave();
    mine?.done();
  }
}

function changed(inbox: Inbox, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      off();
      done();
    };
    const off = inbox.onChange(end);
    signal.addEventListener("abort", end);
  });
}

const sight = (stat: Stats) => `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;

class Watching {
  private seen = "";
  private seenAt = 0;
  private refused = "";
  private told = false;
  private stale = false;

  constructor(
    private readonly folder: string,
    private readonly question: Question,
    private readonly document: string,
  ) {}

  private path(name: string): string {
    return join(this.folder, name);
  }

  /** Looks once. `id` is the request that the app knows, where it was there before. */
  look(asked: number, id: string | undefined): Replied | undefined {
    // A folder that became a link, or lies behind one, is none.
    if (!isPlain(this.folder)) return undefined;
    const stat = lstatSync(this.path(LEGACY), { throwIfNoEntry: false });
    const found = stat ? this.judge(stat, asked, id) : undefined;
    if (!stat && this.refused) {
      this.refused = "";
      remove(this.path(NOTE));
    }
    if (!found && (!this.told || this.stale)) {
      this.stale = false;
      this.told = this.tell();
    }
    return found;
  }

  private judge(stat: Stats, asked: number, id: string | undefined): Replied | undefined {
    const now = sight(stat);
    if (now !== this.seen) {
      this.seen = now;
      this.seenAt = performance.now();
    }
    if (now === this.refused) return undefined;
    const unfit = unfitness(stat);
    if (unfit) return this.refuse(now, unfit, false);
    if (stat.mtimeMs < asked - LAG) return this.refuse("", "The file is older than the question. / El archivo es anterior a la pregunta.", true);
    if (performance.now() - this.seenAt < QUIET) return undefined;
    const text = content(this.path(LEGACY), now);
    if (text === undefined) return undefined;
    if (text === null) return this.refuse(now, "It is no text in UTF-8. / No es texto en UTF-8.", false);
    const reply = read(this.question, text);
    if ("blank" in reply) return undefined;
    if ("refused" in reply) return this.refuse(now, `${reply.refused}. Change the file. / Cambia el archivo.`, false);
    this.take(now, id);
    return reply.comment === undefined ? { value: reply.value } : { value: reply.value, comment: reply.comment };
  }

  private refuse(now: string, why: string, aside: boolean): undefined {
    let moved = "";
    if (aside) {
      for (let n = 1; n < 1_000 && !moved; n++) {
        const name = `approval-response.set-aside-${n}.txt`;
        if (moveToNew(this.path(LEGACY), this.path(name))) moved = name;
      }
    }
    const text = `Countersign: this answer was not used; the question is still open. / esta respuesta no se usó; la pregunta sigue abierta.\n${why}\n`;
    writeWhole(this.path(NOTE), moved ? `${text}It was moved to ${moved}. / Se movió a ${moved}.\n` : text);
    this.refused = moved ? "" : now;
    return undefined;
  }

  /** An answer that the app does not know yet is left for it under the request's id; else the file has done its work. */
  private take(now: string, id: string | undefined): void {
    const path = this.path(LEGACY);
    if (id !== undefined) {
      try {
        mkdirSync(this.path("answers"), { mode: 0o700, recursive: true });
        if (isPlain(this.path("answers")) && moveToNew(path, this.path(`answers/${id}.txt`))) return remove(this.path(NOTE));
      } catch {
        // Then it is removed, and the app asks the person again.
      }
    }
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat && sight(stat) === now) remove(path);
    remove(this.path(NOTE));
  }

  private tell(): boolean {
    const path = this.path("pending.json");
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // Somebody else's file of that name is left alone.
    if (stat && !(stat.isFile() && head(path).includes(MARK))) return true;
    return writeWhole(path, this.document);
  }

  /** Has the document written at the next look, whatever stands there. */
  tellAgain(): void {
    this.stale = true;
  }

  /** Takes the document of this question away, if it is still the one that stands there. */
  leave(): void {
    if (!this.told) return;
    this.told = false;
    try {
      const path = this.path("pending.json");
      if (lstatSync(path).isFile() && readFileSync(path, "utf8") === this.document) remove(path);
    } catch {
      // It is gone.
    }
  }
}

/** What waits, for programs that show it or answer it. */
export function documentOf(row: Record<string, unknown>): string {
  return `{${MARK},\n"requests": ${JSON.stringify([{ ...row, answer_files: [LEGACY] }], null, 2)}\n}\n`;
}

function isPlain(folder: string): boolean {
  try {
    return realpathSync(folder) === folder && lstatSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function unfitness(stat: Stats): string | undefined {
  if (stat.isSymbolicLink() || (stat.isFile() && stat.nlink > 1)) return "It is a link. / Es un enlace.";
  if (!stat.isFile()) return "It is no plain file. / No es un archivo normal.";
  if (process.getuid && stat.uid !== process.getuid()) return "It belongs to another user. / Pertenece a otro usuario.";
  if (stat.size > LIMIT) return "It is larger than 1 MiB. / Ocupa más de 1 MiB.";
  return undefined;
}

/** The text; null when it is none; undefined when it changed while it was read. */
function content(path: string, now: string): string | null | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    if (sight(fstatSync(file)) !== now) return undefined;
    const bytes = Buffer.alloc(LIMIT + 1);
    let length = 0;
    for (let more = 1; more > 0 && length < bytes.length; length += more) more = readSync(file, bytes, length, bytes.length - length, null);
    if (sight(fstatSync(file)) !== now) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length));
  } catch (error) {
    return error instanceof TypeError ? null : undefined;
  } finally {
    closeSync(file);
  }
}

function head(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, 64);
  } catch {
    return "";
  }
}

/** Moves a file where there is none yet: a second name, then the first one goes. */
function moveToNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    unlinkSync(from);
    return true;
  } catch {
    if (existsSync(to) || lstatSync(to, { throwIfNoEntry: false })) return false;
    try {
      renameSync(from, to);
      return true;
    } catch {
      return false;
    }
  }
}

function writeWhole(path: string, text: string): boolean {
  const beside = `${path}.new-${process.pid}`;
  try {
    remove(beside);
    writeFileSync(beside, text, { mode: 0o600, flag: "wx" });
    renameSync(beside, path);
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone.
  }
}
