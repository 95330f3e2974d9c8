// What a program says and gets back.

/** What the person reads. */
export interface Prompt {
  /** One line. */
  title: string;
  /** Plain lines below it. */
  lines?: readonly string[];
  /** What is asked about them. */
  question?: string;
  /** More to read, as markdown. */
  markdown?: string;
}

/** Which of the three was first. */
export type By = "inbox" | "port" | "file";

/** The answer to a choice. Nothing in it: the person chose not to answer. */
export interface Chosen {
  /** Options, in the order in which they were offered. */
  chosen: string[];
  /** The person's own words. */
  other?: string;
  /** What they added. */
  comment?: string;
  by: By;
}

/** A decision. Not answered is not approved. */
export interface Decided {
  approved: boolean;
  comment?: string;
  by: By;
}

/** How it went with something that the person was to do. Not answered is not done. */
export interface Intervened {
  done: boolean;
  comment?: string;
  by: By;
}

/**
 * A program's own way to ask. Answers are plain text, read as docs/asking.md says. An empty answer is no answer (to manual steps it
 * means done, as Enter does in a terminal). Rejecting means that it can't ask: then it never wins. `signal` is aborted when the
 * question was answered elsewhere: close the dialog then; what is returned after that counts for nothing.
 */
export interface InteractionPort {
  askDecision(prompt: Prompt, signal: AbortSignal): Promise<string>;
  askManualIntervention(prompt: Prompt, signal: AbortSignal): Promise<string>;
  /** Left out: texts are asked for by `askDecision`. */
  askText?(prompt: Prompt, signal: AbortSignal): Promise<string>;
  /** Left out: choices are asked for by `askDecision`, the options as numbered lines. */
  askChoice?(prompt: Prompt, choice: { options: readonly string[]; multiple: boolean }, signal: AbortSignal): Promise<string>;
  notify(message: string): void;
}

/** Where the app is found, and how a call is given up. Everything is found by itself when it is left out. */
export interface AskOptions {
  /** Gives the call up: it rejects, and the question is withdrawn everywhere. */
  signal?: AbortSignal;
  /** The app's data folder: else COUNTERSIGN_HOME, else the system's place for data. */
  home?: string;
  /** The agent's token: else COUNTERSIGN_TOKEN, else what `countersign pair` kept. */
  token?: string;
  /** The folder the program works in: else the git root of the current one. */
  workspace?: string;
  /** The port of this call, instead of the process's. */
  port?: InteractionPort | null;
}

/** The four calls. */
export type Kind = "choice" | "text" | "decision" | "manual";

/** Nothing could be asked. Never a decision. */
export class AskError extends Error {
  override name = "AskError";
}
