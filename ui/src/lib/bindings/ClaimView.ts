import type { SafeText } from "./SafeText";

export type ClaimView = { question: string; value: SafeText; at: number };
