export type Class = "ask" | "ambiguity" | "policy" | "step" | "approval" | "plan" | "destructive";
