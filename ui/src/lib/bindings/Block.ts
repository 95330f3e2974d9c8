import type { Inline } from "./Inline";
import type { SafeText } from "./SafeText";

export type Block =
  | { kind: "heading"; level: number; children: Array<Inline> }
  | { kind: "paragraph"; children: Array<Inline> }
  | { kind: "list"; ordered: boolean; start: number; items: Array<Array<Block>> }
  | { kind: "quote"; children: Array<Block> }
  | { kind: "code"; language: SafeText | null; spans: SafeText }
  | { kind: "table"; head: Array<Array<Inline>>; rows: Array<Array<Array<Inline>>> }
  | { kind: "rule" };
