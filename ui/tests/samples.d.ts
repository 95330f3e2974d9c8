import type { DialogView } from "../src/lib/bindings/DialogView";
import type { QuestionType } from "../src/lib/bindings/QuestionType";
import type { QuestionView } from "../src/lib/bindings/QuestionView";
import type { RequestView } from "../src/lib/bindings/RequestView";
import type { RowView } from "../src/lib/bindings/RowView";
import type { SnapshotView } from "../src/lib/bindings/SnapshotView";
import type { StatusView } from "../src/lib/bindings/StatusView";

type Options = (string | { label: string; description?: string; preview?: string })[];
export function row(now: number, id: string, over?: Record<string, unknown>): RowView;
export function question(id: string, type: QuestionType, words: string, over?: Omit<Partial<QuestionView>, "options"> & { options?: Options }): QuestionView;
export function view(row: RowView, questions: QuestionView[], over?: Partial<RequestView>): RequestView;
export function requests(now: number): RequestView[];
export function snapshot(now: number, over?: Record<string, unknown>): SnapshotView;
export function preferred(status: StatusView, key: string, value: string): StatusView;
export function dialog(now: number, request: RequestView, over?: Partial<DialogView>): DialogView;
export function duplicate(now: number): RequestView;
export function deployment(now: number): RequestView;
export function trust(now: number): RequestView;
