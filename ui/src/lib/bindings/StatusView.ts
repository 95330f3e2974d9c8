import type { SafeText } from "./SafeText";

export type StatusView = {
  address: string;
  agentsConnected: number;
  testHome: boolean;
  version: string;
  mode: string | null;
  modeWorkspace: SafeText | null;
  language: "system" | "en" | "es";
  theme: "system" | "light" | "dark";
  passphraseSet: boolean;
};
