import type { SafeText } from "./SafeText";

export type DecisionView = { by: string; unattended: boolean; at: number; answers: Array<SafeText>; comment: SafeText | null };
