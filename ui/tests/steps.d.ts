import type { ProposalView } from "../src/lib/bindings/ProposalView";
import type { RequestView } from "../src/lib/bindings/RequestView";
import type { RowView } from "../src/lib/bindings/RowView";
import type { RuleView } from "../src/lib/bindings/RuleView";
import type { StatusView } from "../src/lib/bindings/StatusView";
import type { StepView } from "../src/lib/bindings/StepView";

export interface StepsData {
  rules: RuleView[];
  past?: RowView[];
}
export function proposals(...prefixes: string[][]): ProposalView[];
export function step(now: number, id: string, over?: Partial<StepView>, own?: Record<string, unknown>): RequestView;
export function stepRequests(now: number): RequestView[];
export function manySteps(now: number, count: number, own?: Record<string, unknown>): RequestView[];
export function ruleSamples(now: number): RuleView[];
export function stepsApp(data: StepsData, host: {
  requests(): RequestView[];
  settle(id: string, state: "answered", comment?: unknown): RequestView;
  status(over?: Partial<StatusView>): StatusView;
}): { data: StepsData; answers(cmd: string): boolean; answer(cmd: string, args: Record<string, unknown>): unknown };
