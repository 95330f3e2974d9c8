// Which key does what, for the whole window. Fields keep their own keys, and Enter on a control that
// has a meaning of its own (a button, a list) is left to it.
import type { Desk } from "./desk.svelte";
import { t } from "./i18n/index.svelte";
import type { Panel } from "./steps/steps.svelte";
import { escapeInSpecs, pressInSpecs, type SpecDoers } from "./specs/keys";

export interface Doers {
  go(screen: string): void;
  screen(): string;
  search(): void;
  help(): void;
  /** puts the focus on what was picked */
  picked(question: number, place: number): void;
  /** after a send that couldn't be: to the first question with a problem */
  mend(): void;
  /** out of a field, back to the request that it belongs to */
  leave(): void;
  specs(): SpecDoers | null;
  /** saves what is being written */
  save(): void;
}

/** what a letter opens over a step */
const PANELS: Record<string, Panel> = { a: "remember", d: "deny", e: "edit", s: "stop" };

const SCREENS: Record<string, string> = { "1": "inbox", "2": "specs", "3": "agents", "5": "settings" };

export function press(event: KeyboardEvent, desk: Desk, doers: Doers): void {
  // An input method's Enter chooses a word. WebKit reports it after the composition has ended, with 229.
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const ctrl = event.ctrlKey || event.metaKey;
  const screen = SCREENS[event.key];
  if (ctrl && event.key.toLowerCase() === "q") return done(event, () => void desk.quit());
  if (ctrl && screen) return done(event, () => doers.go(screen));
  // While the dialog stands over this window a key may be meant for it: what answers takes the mouse.
  if (desk.status?.dialogOpen && (event.key === "Enter" || (!ctrl && !isField(target) && acts(event, doers)))) {
    return target.closest("button, a, select, summary, [data-own-keys]") ? undefined : done(event, () => desk.say(t("said.dialog")));
  }
  if (doers.screen() === "specs" && ctrl && (event.key === "Enter" || event.key.toLowerCase() === "s")) return done(event, () => doers.save());
  if (event.key === "Enter") return enter(event, target, ctrl, desk, doers);
  if (event.key === "Escape" && !ctrl) return escape(event, target, desk, doers);
  if (ctrl || isField(target)) return;
  if (event.key === "?") return done(event, () => doers.help());
  const specs = doers.specs();
  if (doers.screen() === "specs" && specs) return pressInSpecs(event, target, desk.specs, specs) ? event.preventDefault() : undefined;
  if (doers.screen() !== "inbox") return;
  if (event.key === "/") return done(event, () => doers.search());
  if (event.key === "j" || event.key === "J") return done(event, () => desk.step(1));
  if (event.key === "k" || event.key === "K") return done(event, () => desk.step(-1));
  const panel = PANELS[event.key.toLowerCase()];
  if (panel && !event.repeat && desk.reading?.view.step && desk.steps.open(panel)) return event.preventDefault();
  if (/^[1-9]$/.test(event.key)) digit(event, Number(event.key) - 1, desk, doers);
}

function enter(event: KeyboardEvent, target: Element, ctrl: boolean, desk: Desk, doers: Doers): void {
  const reading = desk.reading;
  // A held key repeats into whatever comes next.
  if (event.repeat || doers.screen() !== "inbox" || reading === null || reading.id !== desk.selected) return;
  // what is decided in its dialog: that is opened, and nothing else
  if (reading.pending && !reading.answerable && !ctrl && !event.shiftKey && !isField(target) && !target.closest("button, a, select, summary")) {
    return done(event, () => void desk.openDialog());
  }
  if (!reading.answerable || event.shiftKey || target.closest("button, a, select, summary, [data-own-keys]")) return;
  // In a text field a plain Enter that may not send would be a new line nobody asked for.
  if (reading.needsCtrl && !ctrl) return target.matches("textarea") ? undefined : done(event, () => undefined);
  if (reading.view.step) return done(event, () => void desk.steps.allow("enter"));
  done(event, () => {
    void desk.send("enter");
    if (reading.tried && !reading.valid) doers.mend();
  });
}

// Esc answers nothing: it leaves a field and keeps what is in it, then, in a narrow window, the request.
function escape(event: KeyboardEvent, target: Element, desk: Desk, doers: Doers): void {
  const specs = doers.specs();
  if (doers.screen() === "specs" && specs) return done(event, () => escapeInSpecs(isField(target), desk.specs, specs));
  if (doers.screen() !== "inbox") return;
  if (isField(target)) return done(event, () => doers.leave());
  done(event, () => (desk.forward = false));
}

/** Whether a key may do something here that is meant for the dialog: pick an option, or change a spec. */
function acts(event: KeyboardEvent, doers: Doers): boolean {
  return doers.screen() === "specs" ? event.key.length === 1 || event.key === "Delete" || event.shiftKey : /^[1-9ades]$/i.test(event.key);
}

function digit(event: KeyboardEvent, place: number, desk: Desk, doers: Doers): void {
  const reading = desk.reading;
  const question = reading?.view.questions[reading.active];
  if (!reading || !question || reading.id !== desk.selected || !reading.pick(question, place)) return;
  const at = reading.active;
  done(event, () => {
    desk.changed();
    doers.picked(at, place);
  });
}

function isField(target: Element): boolean {
  if (target.matches("textarea, select, [contenteditable]")) return true;
  return target instanceof HTMLInputElement && !["radio", "checkbox", "button", "submit"].includes(target.type);
}

function done(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  act();
}

/** In a field whose word says yes to what can't be taken back, Enter alone says nothing. */
export function onlyCtrlEnter(event: KeyboardEvent, act: () => unknown): void {
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  if ((event.ctrlKey || event.metaKey) && !event.repeat) act();
}
