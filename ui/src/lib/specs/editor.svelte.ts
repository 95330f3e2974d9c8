// A spec as it is being written. Until it is saved it is kept while the app runs, wherever the person goes meanwhile.
import type { Block } from "../bindings/Block";
import type { CriterionInput } from "../bindings/CriterionInput";
import type { FitView } from "../bindings/FitView";
import type { NearView } from "../bindings/NearView";
import type { RevisionView } from "../bindings/RevisionView";
import type { SpecView } from "../bindings/SpecView";
import { t } from "../i18n/index.svelte";
import * as ipc from "../ipc";
import { contentOf, fromField, merge, sameCriteria, toField, type Content } from "./content";
import type { Specs } from "./specs.svelte";

const PAUSE_MS = 200;

/** One criterion in the form; `key` is its place in nothing but the page. */
export class Line {
  text = $state("");
  check = $state("");

  constructor(readonly key: number, readonly id: string | null, text: string, check: string) {
    this.text = text;
    this.check = check;
  }
}

/** What is kept of a form that was left. */
export interface Kept {
  base: Content;
  revision: number;
  mine: Content;
}

/** Somebody changed it meanwhile. */
export interface Theirs {
  view: SpecView;
  diff: RevisionView;
}

const NOTHING: Content = { title: "", body: "", criteria: [] };

export class Editor {
  title = $state("");
  body = $state("");
  lines = $state<Line[]>([]);
  near = $state.raw<NearView[]>([]);
  /** by key */
  fits = $state.raw<Record<number, FitView>>({});
  preview = $state.raw<Block[]>([]);
  theirs = $state.raw<Theirs | null>(null);
  /** what both changed, once the two were brought together */
  clashes = $state.raw<string[]>([]);
  tried = $state(false);
  /** a save was tried while that is open */
  held = $state(false);
  saving = $state(false);
  /** the criterion that should take the focus once it is drawn */
  wanted = $state<number | null>(null);
  #base = $state.raw<Content>(NOTHING);
  #revision = 0;
  #keys = 0;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly changed = $derived.by(() => {
    const mine = this.content;
    return mine.title !== this.#base.title || mine.body !== this.#base.body || !sameCriteria(mine.criteria, this.#base.criteria);
  });

  private constructor(readonly specs: Specs, readonly workspace: number, readonly view: SpecView | null) {}

  /** What was left unsaved goes on. */
  static of(specs: Specs, workspace: number, view: SpecView | null): Editor {
    const editor = new Editor(specs, workspace, view);
    const kept = specs.kept(editor.key);
    editor.#base = kept?.base ?? (view ? contentOf(view) : NOTHING);
    editor.#revision = kept?.revision ?? view?.row.revision ?? 0;
    editor.#fill(kept?.mine ?? editor.#base);
    editor.#look();
    if (view && editor.#revision !== view.row.revision) void editor.lookAgain();
    return editor;
  }

  get id(): string | null {
    return this.view?.row.id ?? null;
  }

  get key(): string {
    return this.specs.key(this.workspace, this.id);
  }

  get missing(): boolean {
    return this.title.trim() === "";
  }

  /** As it would be saved: an empty criterion is none. */
  get content(): Content {
    const criteria = this.lines.filter((line) => line.text.trim() !== "").map((line): CriterionInput => ({ id: line.id, text: line.text, check: line.check.trim() || null }));
    return { title: this.title.trim(), body: fromField(this.body, this.#base.body), criteria };
  }

  #fill(content: Content): void {
    this.title = content.title;
    this.body = toField(content.body);
    this.lines = content.criteria.map((one) => new Line((this.#keys += 1), one.id, one.text, one.check ?? ""));
  }

  /** Something was typed. */
  touch(): void {
    this.specs.keep(this.key, this.changed ? { base: this.#base, revision: this.#revision, mine: this.content } : null);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), PAUSE_MS);
  }

  /** What there is to say of it as it is. An answer that comes after a newer one is dropped. */
  #look(): void {
    const turn = (this.#turn += 1);
    const keys = this.lines.map((line) => line.key);
    const checked = ipc.specCheck(this.workspace, this.id, this.title.trim(), this.lines.map((line) => line.text));
    const drawn = ipc.specPreview(this.body);
    Promise.all([checked, drawn]).then(([check, preview]) => {
      if (turn !== this.#turn) return;
      this.near = check.near;
      this.fits = Object.fromEntries(keys.flatMap((key, at) => (check.criteria[at] ? [[key, check.criteria[at]]] : [])));
      this.preview = preview;
    }, (thrown) => this.specs.host.fail(thrown));
  }

  // Criteria.

  add(after = this.lines.length - 1): void {
    const line = new Line((this.#keys += 1), null, "", "");
    this.lines.splice(after + 1, 0, line);
    this.wanted = line.key;
    this.touch();
  }

  remove(at: number): void {
    this.lines.splice(at, 1);
    this.wanted = (this.lines[at - 1] ?? this.lines[at])?.key ?? null;
    this.touch();
  }

  move(at: number, by: 1 | -1): void {
    const to = at + by;
    const line = this.lines[at];
    if (!line || to < 0 || to >= this.lines.length) return;
    this.lines.splice(at, 1);
    this.lines.splice(to, 0, line);
    this.wanted = line.key;
    this.touch();
  }

  // Saving.

  async save(): Promise<void> {
    this.tried = true;
    if (this.missing || this.saving) return;
    // which of the two is to be is asked already, and saving would not answer it
    this.held = this.theirs !== null;
    if (this.held) return;
    const mine = this.content;
    if (this.id !== null && !this.changed) return this.specs.leaveEditor();
    this.saving = true;
    try {
      const view = this.id === null
        ? await ipc.specCreate(this.workspace, mine.title, mine.body, mine.criteria)
        : await ipc.specEdit(this.workspace, this.id, this.#revision, {
          title: mine.title === this.#base.title ? null : mine.title,
          body: mine.body === this.#base.body ? null : mine.body,
          criteria: sameCriteria(mine.criteria, this.#base.criteria) ? null : mine.criteria,
        });
      this.#forget();
      this.specs.host.say(t(this.id === null ? "said.made" : "said.saved", { id: view.row.id }));
      this.specs.saved(view);
    } catch (thrown) {
      if (ipc.refusal(thrown).code === "conflict") await this.lookAgain();
      else this.specs.host.fail(thrown);
    }
    this.saving = false;
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.specs.keep(this.key, null);
  }

  discard(): void {
    this.#forget();
    this.specs.leaveEditor();
  }

  /** Whether somebody changed it since it was opened here. */
  async lookAgain(): Promise<void> {
    if (this.id === null) return;
    try {
      const view = await ipc.spec(this.workspace, this.id);
      if (view.row.revision === this.#revision) return;
      if (!this.changed) {
        this.#over(view, contentOf(view));
        return;
      }
      this.theirs = { view, diff: await ipc.specRevision(this.workspace, this.id, view.row.revision, this.#revision) };
    } catch (thrown) {
      if (ipc.refusal(thrown).code === "not_found") this.specs.host.say(t("said.gone", { id: this.id }));
      else this.specs.host.fail(thrown);
    }
  }

  #over(view: SpecView, content: Content): void {
    this.#base = contentOf(view);
    this.#revision = view.row.revision;
    this.theirs = null;
    this.held = false;
    this.#fill(content);
    this.touch();
  }

  /** Their change and mine, in one form. Where both changed the same, mine stands, and theirs is in the history. */
  bringIn(): void {
    if (!this.theirs) return;
    const merged = merge(this.#base, this.content, contentOf(this.theirs.view));
    this.clashes = merged.clashes;
    this.#over(this.theirs.view, merged.content);
  }

  /** Mine in place of theirs, which stays in the history. */
  putOver(): void {
    if (!this.theirs) return;
    const mine = this.content;
    const there = new Set(this.theirs.view.criteria.map((one) => one.id));
    this.#over(this.theirs.view, { ...mine, criteria: mine.criteria.map((one) => (one.id !== null && there.has(one.id) ? one : { ...one, id: null })) });
  }

  /** Theirs alone. */
  giveUp(): void {
    if (this.theirs) this.#over(this.theirs.view, contentOf(this.theirs.view));
  }
}
