// How the app is found: endpoint.json in its data folder, and a token as the bridge finds it.

import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The data folder: COUNTERSIGN_HOME, else the system's place for data. */
export function home(): string {
  const named = process.env["COUNTERSIGN_HOME"];
  if (named) return resolve(named);
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "countersign");
  if (process.platform === "win32") return join(process.env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "countersign");
  return join(process.env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "countersign");
}

function json(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the app listens, as the discovery file says; it stays behind after a crash, and then nothing listens. */
export function url(folder: string): string | undefined {
  const found = json(join(folder, "endpoint.json"))?.["url"];
  return typeof found === "string" ? found : undefined;
}

/** COUNTERSIGN_TOKEN, else the newest token that is kept for the workspace, else the newest of all. */
export function token(folder: string, workspace: string): string | undefined {
  const named = process.env["COUNTERSIGN_TOKEN"];
  if (named) return named;
  let names: string[] = [];
  try {
    names = readdirSync(join(folder, "tokens")).filter((name) => name.endsWith(".json"));
  } catch {
    return undefined;
  }
  const kept = names.flatMap((name) => {
    const path = join(folder, "tokens", name);
    const value = json(path);
    return value && typeof value["token"] === "string" ? [{ at: statSync(path).mtimeMs, value, token: value["token"] }] : [];
  });
  kept.sort((a, b) => b.at - a.at);
  return (kept.find(({ value }) => value["workspace"] === workspace) ?? kept[0])?.token;
}

/** The workspace of a folder: the git root, else the folder itself. */
export function workspace(folder: string): string {
  const start = realpathSync(folder);
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return start;
  }
}
