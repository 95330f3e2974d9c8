// The keys of the Specs screen. None of them is asked about: what a key does here can be taken back by another.
import type { Specs } from "./specs.svelte";

export interface SpecDoers {
  search(): void;
  /** the card that the keyboard is on takes the focus, or goes where an arrow points */
  arrow(key: string): void;
  /** out of a field */
  leave(): void;
}

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"];

/** Does what a key means here; false if it means nothing. */
export function pressInSpecs(event: KeyboardEvent, target: Element, specs: Specs, doers: SpecDoers): boolean {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (specs.editor) return false;
  if (key === "/" && !specs.opened) return yes(() => doers.search());
  if (key === "n") return yes(() => specs.make());
  return specs.opened ? inSpec(key, event, specs) : inLanes(key, event, target, specs, doers);
}

function inSpec(key: string, event: KeyboardEvent, specs: Specs): boolean {
  const opened = specs.opened!;
  const go = (part: "spec" | "history" | "runs" | "edit") => yes(() => specs.host.go(specs.link(opened.id, part)));
  if (event.shiftKey && (key === "ArrowLeft" || key === "ArrowRight")) {
    return yes(() => void specs.shift(opened.view.row, key === "ArrowRight" ? 1 : -1).then(() => opened.refresh()));
  }
  switch (key) {
    case "j": return yes(() => specs.step(1));
    case "k": return yes(() => specs.step(-1));
    case "e": return go("edit");
    case "h": return go(specs.tab === "history" ? "spec" : "history");
    case "r": return go(specs.tab === "runs" ? "spec" : "runs");
    case "l": return yes(() => void opened.lock());
    case "v": return yes(() => void opened.validate());
    case "d": return yes(() => (specs.dialog = "deploy"));
    case "x": return yes(() => (specs.dialog = "export"));
    case "Delete": return yes(() => (specs.dialog = "delete"));
    default: return false;
  }
}

function inLanes(key: string, event: KeyboardEvent, target: Element, specs: Specs, doers: SpecDoers): boolean {
  const lane = specs.of(specs.lane);
  const row = lane.rows[lane.reachable];
  if (event.shiftKey && (key === "ArrowLeft" || key === "ArrowRight")) return row ? yes(() => void specs.shift(row, key === "ArrowRight" ? 1 : -1)) : false;
  if (ARROWS.includes(key)) return target.closest("select, summary, [data-own-keys]") ? false : yes(() => doers.arrow(key));
  switch (key) {
    case "b": return yes(() => specs.arrange(specs.layout === "board" ? "list" : "board"));
    case "e": return row ? yes(() => specs.host.go(specs.link(row.id, "edit"))) : false;
    case "l": return row ? yes(() => void specs.lock(row)) : false;
    default: return false;
  }
}

/** Esc: out of a field first, then out of what lies open. */
export function escapeInSpecs(inField: boolean, specs: Specs, doers: SpecDoers): void {
  if (inField) return doers.leave();
  const { editor } = specs;
  if (editor) {
    if (editor.changed) specs.dialog = "leave";
    else specs.leaveEditor();
  } else if (specs.opened) specs.close();
  else if (specs.words !== "") specs.search("");
}

function yes(act: () => void): true {
  act();
  return true;
}
