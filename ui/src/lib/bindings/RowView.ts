import type { Class } from "./Class";
import type { OnExpiry } from "./OnExpiry";
import type { SafeText } from "./SafeText";
import type { State } from "./State";

export type RowView = {
  id: string;
  title: SafeText;
  plainTitle: string;
  class: Class;
  kind: string;
  state: State;
  agent: SafeText;
  client: string;
  initials: string;
  session: number;
  workspace: SafeText;
  workspacePath: SafeText;
  createdAt: number;
  expiresAt: number | null;
  onExpiry: OnExpiry;
  waiting: boolean;
  hasDraft: boolean;
};
