export type State = "pending" | "answered" | "declined" | "cancelled" | "expired" | "superseded";
