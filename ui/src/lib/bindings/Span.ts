export type Span = { kind: "text"; text: string } | { kind: "escape"; text: string };
