import type { Block } from "../src/lib/bindings/Block";
import type { DiffLine } from "../src/lib/bindings/DiffLine";
import type { FileRequestView } from "../src/lib/bindings/FileRequestView";
import type { PastPlanView } from "../src/lib/bindings/PastPlanView";
import type { PlanView } from "../src/lib/bindings/PlanView";
import type { RequestView } from "../src/lib/bindings/RequestView";
import type { RetireView } from "../src/lib/bindings/RetireView";
import type { TodoView } from "../src/lib/bindings/TodoView";

export const LIMIT: number;
export const SOURCE: string[];
export function todos(): TodoView[];
export function manyTodos(count: number, current: number): TodoView[];
export function approval(now: number, over?: Partial<RequestView>): RequestView;
export function manual(now: number, over?: Partial<RequestView>): RequestView;
export function file(now: number, over?: Partial<RequestView>, about?: Partial<FileRequestView>): RequestView;
export function retire(now: number, over?: Partial<RequestView>, about?: Partial<RetireView>): RequestView;
export function changes(): DiffLine[];
export function previous(now: number): PastPlanView[];
export function pastBlocks(): Block[];
export function planRequest(now: number, over?: Partial<RequestView>): RequestView;
export function planOf(now: number, over?: Partial<PlanView>): PlanView;
export function longPlan(now: number, count?: number): { request: RequestView; plan: PlanView };
export function requests(now: number): RequestView[];
export function asksApp(requests: () => RequestView[], settle: (id: string, state: "answered", comment: unknown) => RequestView): {
  own: { picked: string | null; there: boolean };
  answers(cmd: string): boolean;
  answer(cmd: string, args: Record<string, unknown>): unknown;
};
