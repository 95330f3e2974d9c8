// The race against the real port: each of the three winners for each of the four calls, and what the losers are told.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { AskError, askForChoice, askForDecision, askForManualIntervention, askForText, setInteractionPort } from "../dist/index.js";
import { House, until } from "./house.js";

const FILE = "approval-response.txt";
let house;
let count = 0;

before(async () => {
  house = await House.start();
});
after(() => house?.end());
// A port may have been faster than the asking itself; the withdrawal follows.
afterEach(() => until("nothing waits", async () => (await house.inbox("list")).length === 0));

/** A port of the test's: it notes what it is asked, and answers when it is told to. */
class Hand {
  asked = [];
  notes = [];

  ask(method, prompt, signal) {
    return new Promise((answer, refuse) => this.asked.push({ method, prompt, signal, answer, refuse }));
  }
  askDecision(prompt, signal) {
    return this.ask("decision", prompt, signal);
  }
  askManualIntervention(prompt, signal) {
    return this.ask("manual", prompt, signal);
  }
  notify(message) {
    this.notes.push(message);
  }
}

class WholeHand extends Hand {
  askText(prompt, signal) {
    return this.ask("text", prompt, signal);
  }
  askChoice(prompt, choice, signal) {
    return this.ask("choice", { ...prompt, ...choice }, signal);
  }
}

const prompt = { title: "Export", lines: ["The lines"] };
const CALLS = [
  {
    kind: "choice",
    call: (run, more) => askForChoice(run, prompt, ["PDF", "Word", "Markdown"], true, more),
    given: { answer: { chosen: ["PDF", "Markdown"], other: "and RTF" } },
    raw: "3,1\r\nand RTF",
    want: { chosen: ["PDF", "Markdown"], other: "and RTF" },
    nothing: { chosen: [] },
  },
  { kind: "text", call: (run, more) => askForText(run, prompt, more), given: { answer: "My Name" }, raw: " My Name \n", want: "My Name", nothing: "" },
  { kind: "decision", call: (run, more) => askForDecision(run, prompt, more), given: { approval: true }, raw: "Y", want: { approved: true }, nothing: { approved: false } },
  { kind: "manual", call: (run, more) => askForManualIntervention(run, prompt, more), given: { done: true }, raw: "done", want: { done: true }, nothing: { done: false } },
];

const by = (want, who) => (typeof want === "string" ? want : { ...want, by: who });
const newRun = () => house.run(`run-${++count}`);
const listed = (run) => until("it stands in the folder", () => existsSync(join(run, "pending.json")) && readFileSync(join(run, "pending.json"), "utf8").includes("answers/"));
const gone = (run) => until("it is gone from the folder", () => !existsSync(join(run, "pending.json")));

for (const { kind, call, given, raw, want, nothing } of CALLS) {
  test(`the inbox wins ${kind} and the port is told`, async () => {
    const [run, hand] = [newRun(), new WholeHand()];
    const asking = call(run, { ...house.at, port: hand });
    const { id } = await house.waiting();
    await house.inbox("answer", id, "--answers", JSON.stringify(given));
    assert.deepEqual(await asking, by(want, "inbox"));
    assert.equal(hand.asked[0].method, kind);
    assert.ok(hand.asked[0].signal.aborted);
    assert.deepEqual(hand.notes, ["Answered in Countersign."]);
    await gone(run);
  });

  test(`the port wins ${kind} and the card goes within a second`, async () => {
    const [run, hand] = [newRun(), new WholeHand()];
    const asking = call(run, { ...house.at, port: hand });
    const { id } = await house.waiting();
    await listed(run);
    const begun = performance.now();
    hand.asked[0].answer(raw);
    assert.deepEqual(await asking, by(want, "port"));
    await gone(run);
    assert.ok(performance.now() - begun < 1_000);
    const request = await house.ended(id);
    assert.equal(request.decision.channel, "program");
    assert.deepEqual(request.decision.answers, given);
  });

  test(`the file wins ${kind} and the port is told`, async () => {
    const [run, hand] = [newRun(), new WholeHand()];
    const asking = call(run, { ...house.at, port: hand });
    const { id } = await house.waiting();
    await listed(run);
    writeFileSync(join(run, FILE), raw);
    assert.deepEqual(await asking, by(want, "file"));
    assert.ok(hand.asked[0].signal.aborted);
    assert.equal((await house.ended(id)).decision.channel, "file");
  });

  test(`declined ${kind} is no answer and never a yes`, async () => {
    const asking = call(newRun(), { ...house.at, port: null });
    await house.inbox("decline", (await house.waiting()).id);
    assert.deepEqual(await asking, by(nothing, "inbox"));
  });
}

test("a port without choices and texts of its own gets numbered lines", async () => {
  const hand = new Hand();
  const asking = askForChoice(newRun(), prompt, ["PDF", "Word"], false, { ...house.at, port: hand });
  await until("it is asked", () => hand.asked.length === 1);
  assert.deepEqual(hand.asked[0].prompt.lines, ["The lines", "1. PDF", "2. Word"]);
  assert.match(hand.asked[0].prompt.question, /Number/);
  hand.asked[0].answer("2");
  assert.deepEqual(await asking, { chosen: ["Word"], by: "port" });
});

test("a port that fails never wins, and what it says after the end counts for nothing", async () => {
  const hand = new Hand();
  setInteractionPort(hand);
  const asking = askForDecision(newRun(), prompt, house.at);
  setInteractionPort(null);
  hand.asked[0].refuse(new Error("it is closed"));
  const { id } = await house.waiting();
  await house.inbox("answer", id, "--no", "--comment", "not today");
  assert.deepEqual(await asking, { approved: false, comment: "not today", by: "inbox" });
  hand.asked[0].answer("y");
});

test("Enter approves nothing, and prose is no yes", async () => {
  for (const [raw, want] of [["", {}], ["perhaps", { comment: "perhaps" }]]) {
    const hand = new Hand();
    const asking = askForDecision(newRun(), { title: `Publish? ${raw}` }, { ...house.at, port: hand });
    await house.waiting();
    hand.asked[0].answer(raw);
    assert.deepEqual(await asking, { approved: false, ...want, by: "port" });
    await until("nothing waits", async () => (await house.inbox("list")).length === 0);
  }
});

test("a call that is given up is withdrawn everywhere", async () => {
  const [hand, giveUp] = [new Hand(), new AbortController()];
  const asking = askForText(newRun(), prompt, { ...house.at, port: hand, signal: giveUp.signal });
  const { id } = await house.waiting();
  giveUp.abort();
  await assert.rejects(asking, { name: "AbortError" });
  assert.ok(hand.asked[0].signal.aborted);
  assert.equal((await house.ended(id)).state, "cancelled");
});

test("the same question in two runs is two questions", async () => {
  const [one, two] = [newRun(), newRun()];
  const first = askForText(one, prompt, house.at);
  const second = askForText(two, prompt, house.at);
  await until("two wait", async () => (await house.inbox("list")).length === 2);
  await listed(two);
  writeFileSync(join(two, FILE), "two");
  assert.equal(await second, "two");
  await listed(one);
  writeFileSync(join(one, FILE), "one");
  assert.equal(await first, "one");
});

test("a run folder that can't be used and a question over the limits ask nobody", async () => {
  await assert.rejects(askForText(join(house.work, "missing"), prompt, house.at), AskError);
  await assert.rejects(askForChoice(newRun(), prompt, [], false, house.at), AskError);
  await assert.rejects(askForText(newRun(), { title: "x".repeat(201) }, house.at), AskError);
  assert.deepEqual(await house.inbox("list"), []);
});

test("while the app is away the file answers by itself, and one that comes later is asked too", async () => {
  await house.stop();
  const run = newRun();
  const pending = join(run, "pending.json");
  for (const { kind, call, raw, want } of CALLS) {
    writeFileSync(join(run, FILE), "an old answer");
    utimesSync(join(run, FILE), 1_000_000, 1_000_000);
    const hand = new WholeHand();
    const asking = call(run, { ...house.at, port: hand });
    await until("the old answer is out of the way", () => !existsSync(join(run, FILE)) && existsSync(pending));
    assert.match(readFileSync(join(run, "approval-response.note.txt"), "utf8"), /older than the question/);
    symlinkSync(house.proof, join(run, FILE));
    await until("a link is not followed", () => readFileSync(join(run, "approval-response.note.txt"), "utf8").includes("It is a link"));
    writeFileSync(join(run, "whole"), raw);
    const { renameSync } = await import("node:fs");
    renameSync(join(run, "whole"), join(run, FILE));
    assert.deepEqual(await asking, by(want, "file"), kind);
    assert.ok(hand.asked[0].signal.aborted && !existsSync(pending));
  }
  const later = newRun();
  const asking = askForChoice(later, { title: "Which?" }, ["A", "B"], false, house.at);
  await until("the file is watched", () => existsSync(join(later, "pending.json")));
  await house.serve();
  const { id } = await house.waiting();
  await house.stop();
  await until("the client has the file", () => existsSync(join(later, "pending.json")) && !readFileSync(join(later, "pending.json"), "utf8").includes(id));
  writeFileSync(join(later, FILE), "2");
  assert.deepEqual(await asking, { chosen: ["B"], by: "file" });
  await house.serve();
  const request = await house.ended(id);
  assert.deepEqual([request.decision.channel, request.decision.answers], ["file", { answer: "B" }]);
  mkdirSync(join(house.work, "last"));
});
