import type { SafeText } from "./SafeText";

export type OptionView = { label: SafeText; value: string; description: SafeText | null; preview: SafeText | null };
