// A session's tasks: which of many are shown while the list is folded.
import type { TodoView } from "../bindings/TodoView";

/** Up to so many are shown of a folded list: beside the request, and above it, where it would push that away. */
export const BESIDE = 8;
export const ABOVE = 4;

export interface Stretch {
  shown: TodoView[];
  before: number;
  after: number;
}

/** Around what is in progress, or where nothing is, what comes next; one that is done stands before it. */
export function stretch(todos: TodoView[], few: number): Stretch {
  // a line that says “one more” is no shorter than that one
  if (todos.length <= few + 1) return { shown: todos, before: 0, after: 0 };
  const current = todos.findIndex((todo) => todo.status === "in_progress");
  const next = current >= 0 ? current : todos.findIndex((todo) => todo.status === "pending");
  const from = Math.min(Math.max(0, (next < 0 ? todos.length : next) - 1), todos.length - few);
  return { shown: todos.slice(from, from + few), before: from, after: todos.length - few - from };
}

export const doneOf = (todos: TodoView[]) => todos.filter((todo) => todo.status === "completed").length;
