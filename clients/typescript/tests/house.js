// The real program over a data folder of its own, a paired agent, and the person at a terminal. Everything ends with the test.

import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const PROGRAM = join(resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target"), "debug/countersign");
const PATIENCE = 30_000;

/** The first value that a look gives. */
export async function until(what, look) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((done) => setTimeout(done, 5))) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`not in time: ${what}`);
}

export class House {
  static async start() {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing; build it first: cargo build -p countersign`);
    const house = new House();
    house.folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-ts-")));
    house.home = join(house.folder, "home");
    house.work = join(house.folder, "work");
    house.proof = join(house.folder, "passphrase");
    mkdirSync(house.work);
    writeFileSync(house.proof, "correct horse battery\n");
    await house.serve();
    const pairing = house.spawn(["pair", "--name", "a program", "--json"]);
    const lines = createInterface({ input: pairing.stdout })[Symbol.asyncIterator]();
    const { code } = JSON.parse((await lines.next()).value);
    await house.inbox("pairings", "accept", code);
    house.token = JSON.parse((await lines.next()).value).token;
    return house;
  }

  get environment() {
    const { COUNTERSIGN_TOKEN: _, ...rest } = process.env;
    return { ...rest, COUNTERSIGN_HOME: this.home };
  }

  spawn(args) {
    return spawn(PROGRAM, args, { cwd: this.work, env: this.environment, stdio: ["ignore", "pipe", "inherit"] });
  }

  /** Starts it, and waits until it listens. */
  async serve() {
    const more = existsSync(this.home) ? [] : ["--insecure-test"];
    this.server = this.spawn(["serve", "--json", "--port", "0", "--passphrase-file", this.proof, ...more]);
    const lines = createInterface({ input: this.server.stdout })[Symbol.asyncIterator]();
    const line = await lines.next();
    if (line.done) throw new Error("it did not start");
  }

  /** Ends it as a system does. */
  async stop() {
    const ended = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGTERM");
    await ended;
  }

  async end() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A verb of `countersign inbox`: its objects. */
  inbox(...args) {
    const all = ["inbox", ...args, "--json", "--passphrase-file", this.proof];
    return new Promise((done, refuse) => {
      execFile(PROGRAM, all, { cwd: this.work, env: this.environment }, (error, stdout, stderr) => {
        if (error) refuse(new Error(`${args.join(" ")}: ${stderr}`));
        else done(stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)));
      });
    });
  }

  /** The one that waits. */
  waiting() {
    return until("one waits", async () => {
      const rows = await this.inbox("list");
      return rows.length === 1 && rows[0];
    });
  }

  async show(id) {
    return (await this.inbox("show", id))[0];
  }

  /** The request once it ended. */
  ended(id) {
    return until("it ended", async () => {
      const request = await this.show(id);
      return request.state !== "pending" && request;
    });
  }

  run(name) {
    const folder = join(this.work, name);
    mkdirSync(folder);
    return folder;
  }

  /** What the calls are told, so that they find this house. */
  get at() {
    return { home: this.home, token: this.token, workspace: this.work };
  }
}
