export type OnExpiry = "default" | "expire";
