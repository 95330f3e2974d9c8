// A session's tasks: which of many are shown while the list is folded.
import type { TodoView } from "../bindings/TodoView";

/** Up to so many are always shown. */
export const FEW = 8;

export interface Stretch {
  shown: TodoView[];
  before: number;
  after: number;
}

/** Around what is in progress, or where nothing is, what comes next; one that is done stands before it. */
export function stretch(todos: TodoView[], folded: boolean): Stretch {
  if (!folded || todos.length <= FEW) return { shown: todos, before: 0, after: 0 };
  const current = todos.findIndex((todo) => todo.status === "in_progress");
  const next = current >= 0 ? current : todos.findIndex((todo) => todo.status === "pending");
  const from = Math.min(Math.max(0, (next < 0 ? todos.length : next) - 1), todos.length - FEW);
  return { shown: todos.slice(from, from + FEW), before: from, after: todos.length - FEW - from };
}

export const doneOf = (todos: TodoView[]) => todos.filter((todo) => todo.status === "completed").length;
