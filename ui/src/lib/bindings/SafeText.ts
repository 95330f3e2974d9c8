import type { Span } from "./Span";

export type SafeText = Array<Span>;
