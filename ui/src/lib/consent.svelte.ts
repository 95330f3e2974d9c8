// What the dialog holds: one request, and whether its dangerous button works yet. The app counts the second too, and has
// the last word; here it is shown.
import type { Answer } from "./bindings/Answer";
import type { DialogView } from "./bindings/DialogView";
import { readDraft } from "./entry";
import * as ipc from "./ipc";
import { speak } from "./i18n/index.svelte";
import { follow, readRemarks, Remarks, writePlanDraft } from "./plan/remarks.svelte";

const SAVE_MS = 300;

export class Consent {
  view = $state.raw<DialogView | null>(null);
  /** The second after the last disturbance is over. */
  awake = $state(false);
  /** The second of a no, which a newer plan in the place of the one that is shown does not start anew. */
  calm = $state(false);
  /** A part of the text is masked, and was not shown yet. */
  masked = $state(false);
  /** The end of the text has been on screen. */
  read = $state(false);
  typed = $state("");
  /** Which of several things to do; what is safe is chosen at first, if it is proposed. */
  choice = $state<string | null>(null);
  comment = $state("");
  /** for a plan: what is said to single lines */
  readonly remarks = new Remarks();
  /** for a plan: the mode to land in, once the person chose one */
  chosenMode = $state<string | null>(null);
  alert = $state<string | null>(null);
  busy = $state(false);
  theme = $state("system");
  /** the draft as the app has it */
  #kept = "";
  #saving: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #calmer: ReturnType<typeof setTimeout> | undefined;

  readonly chooses = $derived(this.view?.safeOptions != null);
  /** The word that a yes takes: the request's own, or the chosen option itself unless it is a safe one. */
  readonly word = $derived(this.view?.safeOptions ? (this.choice === null || this.view.safeOptions.includes(this.choice) ? null : this.choice) : (this.view?.typedWord ?? null));
  readonly works = $derived(this.awake && this.read && !this.masked && !this.busy && (!this.chooses || this.choice !== null) && (this.word === null || this.typed === this.word));

  async start(): Promise<void> {
    await ipc.listenToDialog({ changed: () => void this.load(), disturbed: () => this.disturb() });
    await this.load();
  }

  async load(): Promise<void> {
    let follows = false;
    try {
      const view = await ipc.dialogView();
      follows = newerPlan(this.view, view);
      if (view?.request.digest !== this.view?.request.digest || view?.request.row.id !== this.view?.request.row.id) {
        this.typed = "";
        this.choice = safeDefault(view);
        this.chosenMode = null;
        this.read = false;
        this.alert = null;
        this.#restore(view, follows);
      }
      this.view = view;
      if (view) {
        speak(view.language);
        this.theme = view.theme;
      }
    } catch (thrown) {
      this.alert = ipc.refusal(thrown).message;
    }
    this.disturb(follows);
  }

  /** It appeared, moved, changed or got the focus: inert for a second; when a newer plan came, the yes alone. */
  disturb(yesAlone = false): void {
    const second = this.view?.inertMillis ?? 1000;
    this.awake = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.awake = true), second);
    if (yesAlone) return;
    this.calm = false;
    clearTimeout(this.#calmer);
    this.#calmer = setTimeout(() => (this.calm = true), second);
  }

  /** Another of several things: what was typed was for the one before, and a hand on its way is for it too. */
  choose(option: string): void {
    if (option === this.choice) return;
    this.choice = option;
    this.typed = "";
    this.ignore();
  }

  /** A key or a click that came too early, or that never counts: another second. */
  ignore(): void {
    this.disturb();
    void ipc.dialogIgnored().catch(() => undefined);
  }

  /** Words that say what should change: for those nothing runs by a key. */
  get wantsChange(): boolean {
    return this.comment.trim() !== "" || this.remarks.all.length > 0;
  }

  yes(answers: Record<string, Answer>, mode: string | null = null): void {
    const view = this.view;
    if (!view || !this.works) return this.ignore();
    void this.#settle(() => ipc.dialogYes(view.nonce, view.request.digest, answers, this.#said(), this.word === null ? null : this.typed, mode));
  }

  no(answers: Record<string, Answer>, withRemarks = false): void {
    const view = this.view;
    if (!view || !this.calm || this.busy) return this.ignore();
    const remarks = withRemarks ? this.remarks.said.map(({ line, text }) => ({ line, text })) : [];
    void this.#settle(() => ipc.dialogNo(view.nonce, view.request.digest, answers, this.#said(), remarks));
  }

  /** What is decided on has been on screen to its end; to be attached to what stands there. */
  readonly end = (mark: Element) => {
    // of what is shown now: a mark that a newer request draws is another one
    const watcher = new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) this.read = true;
    });
    watcher.observe(mark);
    return () => watcher.disconnect();
  };

  /** What is typed is kept as it is typed, so that Esc, a crash or the inbox in between lose none of it. */
  keep(): void {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#save(), SAVE_MS);
  }

  later(): void {
    clearTimeout(this.#saving);
    void this.#save().then(() => ipc.dialogLater()).catch((thrown) => (this.alert = ipc.refusal(thrown).message));
  }

  async #save(): Promise<void> {
    const view = this.view;
    if (!view?.plan) return;
    const draft = writePlanDraft(this.comment, this.remarks.said);
    if (draft === this.#kept) return;
    this.#kept = draft;
    // one that arrives just after its request was settled is refused, and that is no news
    await ipc.saveDraft(view.request.row.id, draft).catch(() => undefined);
  }

  /** What was typed for this request before; what was typed for the plan that it follows is not lost. */
  #restore(view: DialogView | null, follows: boolean): void {
    const comment = view ? readDraft(view.request.questions, view.request.draft).comment : "";
    const remarks = readRemarks(view?.request.draft ?? null);
    this.#kept = writePlanDraft(comment, remarks);
    if (!follows || this.#kept !== "") {
      this.comment = comment;
      this.remarks.set(remarks);
      return;
    }
    const { kept, words } = follow(this.remarks.said, view?.plan?.lines ?? []);
    if (words !== "") this.comment = this.comment.trim() === "" ? words : `${this.comment}\n${words}`;
    this.remarks.set(kept);
    this.keep();
  }

  #said(): string | null {
    return this.comment.trim() === "" ? null : this.comment;
  }

  async #settle(say: () => Promise<null>): Promise<void> {
    this.busy = true;
    clearTimeout(this.#saving);
    try {
      await say();
    } catch (thrown) {
      // nothing was decided; what was typed stays, and the nonce is a new one
      await this.load();
      this.alert = ipc.refusal(thrown).message;
    } finally {
      this.busy = false;
    }
  }
}

/** The option that is proposed, if it takes no word. */
function safeDefault(view: DialogView | null): string | null {
  const proposed = view?.request.questions[0]?.default;
  return typeof proposed === "string" && view?.safeOptions?.includes(proposed) ? proposed : null;
}

/** Whether one session's plan took the place of another. */
function newerPlan(before: DialogView | null, now: DialogView | null): boolean {
  const session = (view: DialogView) => JSON.stringify([view.request.row.agent, view.request.row.session, view.request.row.workspacePath]);
  return Boolean(before?.plan && now?.plan) && session(before!) === session(now!) && before!.request.row.id !== now!.request.row.id;
}
