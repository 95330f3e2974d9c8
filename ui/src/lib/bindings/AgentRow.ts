import type { SafeText } from "./SafeText";

export type AgentRow = {
  id: string;
  name: SafeText;
  client: string;
  initials: string;
  workspace: SafeText | null;
  waiting: number;
  pending: number;
  lastSeenAt: number | null;
  createdAt: number;
};
