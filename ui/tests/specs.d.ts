import type { StatusView } from "../src/lib/bindings/StatusView";

export interface SpecSample {
  number: number;
  title: string;
  status: string;
  locked: boolean;
  body: string;
  changedAt: number;
  createdAt: number;
  by: { kind: string; name: string | null };
  runs: { id: string; state: string; output: string }[];
  past: unknown[];
  criteria: { id: string; text: string; state: string; check: string | null; evidence: unknown }[];
}
export interface SpecsData {
  workspace: number;
  layout: string;
  folded: string[];
  lines: number;
  every: number;
  workspaces: {
    id: number;
    path: string;
    rules: { mode: string; auto_transitions: boolean; evidence: string; policy_in_app: boolean };
    specs: SpecSample[];
    next: number;
    commands: { state: string; problem: string | null; path: string; checks: unknown[]; targets: { name: string; protected: boolean }[] };
  }[];
}
export function specSamples(now: number): SpecsData;
export function manySpecs(now: number, count: number): SpecsData;
export function specsApp(data: SpecsData, push: (event: string) => void, language?: () => string): {
  data: SpecsData;
  elsewhere(change: { workspace: number; id: string; title?: string; body?: string; criteria?: { id: string | null; text: string; check: string | null }[] }): void;
  prefer(key: string, value: string, status: StatusView): StatusView;
  answers(cmd: string): boolean;
  answer(cmd: string, args: Record<string, unknown>): unknown;
};
