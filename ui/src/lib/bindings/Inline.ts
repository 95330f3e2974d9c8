import type { SafeText } from "./SafeText";

export type Inline =
  | { kind: "text"; spans: SafeText }
  | { kind: "code"; spans: SafeText }
  | { kind: "emphasis"; children: Array<Inline> }
  | { kind: "strong"; children: Array<Inline> }
  | { kind: "strike"; children: Array<Inline> }
  | { kind: "link"; href: SafeText; children: Array<Inline> }
  | { kind: "image"; href: SafeText; alt: SafeText }
  | { kind: "break" };
