import type { SafeText } from "./SafeText";

export type ArrivalView = {
  id: string;
  kind: "pairing" | "terminal";
  name: SafeText;
  program: SafeText | null;
  pid: number | null;
  folder: SafeText | null;
  expiresAt: number;
};
