// The request that lies open, with what the person has put in so far.
import type { QuestionView } from "./bindings/QuestionView";
import type { RequestView } from "./bindings/RequestView";
import { Offer } from "./asks/offer.svelte";
import { readRemarks } from "./plan/remarks.svelte";
import { emptyEntry, problem, readDraft, toAnswers, typedTexts, writeDraft, type Draft, type Entry, type Problem } from "./entry";

/** A second press meant for the request before must not reach the one that took its place. */
const SETTLING_MS = 500;

export class Reading {
  view = $state.raw() as RequestView;
  draft = $state() as Draft;
  /** problems are pointed out once the person tried to send, not while they are still choosing */
  tried = $state(false);
  /** the question that the number keys belong to */
  active = $state(0);
  /** the file that is to be given, where one is asked for */
  readonly offer: Offer | null;
  #touched = false;
  #quietUntil: number;
  readonly #shownAt = performance.now();

  constructor(view: RequestView, followsAnAnswer: boolean) {
    this.view = view;
    this.draft = readDraft(view.questions, view.draft);
    this.offer = this.#offers();
    this.#quietUntil = followsAnAnswer ? performance.now() + SETTLING_MS : 0;
  }

  get id(): string {
    return this.view.row.id;
  }

  get pending(): boolean {
    return this.view.row.state === "pending";
  }

  /** Plans and destructive requests are read here and decided elsewhere. */
  get answerable(): boolean {
    return this.pending && this.view.surface === "window";
  }

  /** What executes needs more than Enter: the app says what may do without, and never more than what just reads or writes. */
  get needsCtrl(): boolean {
    const step = this.view.step;
    return this.view.row.class === "step" && !(step?.enter && (step.kind === "reads" || step.kind === "writes"));
  }

  get valid(): boolean {
    if (this.offer) return this.offer.ready;
    return this.view.questions.every((question) => this.problem(question) === null);
  }

  get json(): string {
    return writeDraft(this.view.questions, this.draft);
  }

  get typed(): string[] {
    const remarks = readRemarks(this.view.draft).map((one) => `“${one.quote}”: ${one.text}`);
    return [...typedTexts(this.view.questions, this.draft), ...remarks];
  }

  get answers() {
    return toAnswers(this.view.questions, this.draft);
  }

  get comment(): string | null {
    return this.draft.comment.trim() === "" ? null : this.draft.comment;
  }

  /** How many questions have all that they need. */
  get answered(): number {
    return this.view.questions.filter((question) => this.problem(question) === null).length;
  }

  /** The path is kept in the draft, like anything typed. */
  #offers(): Offer | null {
    const question = this.view.questions[0];
    if (!this.view.file || !question || !this.answerable) return null;
    return new Offer(this.entry(question).text, (path) => (this.entry(question).text = path));
  }

  entry(question: QuestionView): Entry {
    return this.draft.entries[question.id] ?? emptyEntry();
  }

  problem(question: QuestionView): Problem | null {
    return problem(question, this.entry(question));
  }

  /** How many things the number keys can pick in a question. */
  static picks(question: QuestionView): number {
    if (question.type === "text") return 0;
    if (question.type === "confirm") return 2;
    return question.options.length + (question.allowOther ? 1 : 0);
  }

  /** Picks the option with this place, counted from 0; false if there is none. */
  pick(question: QuestionView, place: number): boolean {
    if (!this.answerable || place < 0 || place >= Reading.picks(question)) return false;
    const entry = this.entry(question);
    if (question.type === "confirm") {
      entry.yes = place === 0;
    } else if (place === question.options.length) {
      entry.own = question.type === "choice" ? true : !entry.own;
      if (question.type === "choice") entry.chosen = [];
    } else {
      const value = question.options[place]!.value;
      if (question.type === "choice") {
        entry.chosen = [value];
        entry.own = false;
      } else {
        const kept = entry.chosen.includes(value) ? entry.chosen.filter((one) => one !== value) : [...entry.chosen, value];
        // in the order in which they are offered, so that the same picks are the same answer
        entry.chosen = question.options.map((option) => option.value).filter((one) => kept.includes(one));
      }
    }
    this.touch();
    return true;
  }

  clear(question: QuestionView): void {
    const entry = this.entry(question);
    entry.chosen = [];
    entry.own = false;
    entry.yes = null;
    this.touch();
  }

  touch(): void {
    this.#touched = true;
  }

  /** What the person neither chose nor had the time to read: a default, a moment after it came up. */
  get unread(): boolean {
    return !this.#touched && performance.now() < this.#shownAt + SETTLING_MS;
  }

  /** Whether a press now may be meant for the request before; each ignored press starts the wait again. */
  ignores(act: "send" | "decline"): boolean {
    if (act === "send" && this.#touched) return false;
    const early = performance.now() < this.#quietUntil;
    if (early) this.#quietUntil = performance.now() + SETTLING_MS;
    return early;
  }
}
