// The inbox as one of the three: it asks there, comes back when the app does, and withdraws when told to.

import * as find from "./find.js";
import { Port, PortError, type Said } from "./port.js";

/** Seconds of one wait: below every limit, and so that at most three calls a minute are made. */
const SLICE = 20;
const GRACE = 10_000;
const ASKED = 5_000;
const AWAY = 500;
const REFUSED = 5_000;
const WITHDRAWAL = 60_000;

export interface Place {
  home: string;
  workspace: string;
  token: string | undefined;
  session: string;
}

/** How it stands with the inbox. */
export type Standing =
  | { is: "asking" }
  /** The app isn't there, or can't be asked now; with the request that it knows. */
  | { is: "away"; id: string | undefined }
  | { is: "waiting"; id: string }
  /** It refused the question for good. */
  | { is: "out"; why: string }
  | { is: "ended"; said: Said };

export interface Withdrawal {
  answers: Record<string, unknown>;
  comment?: string;
}

export class Inbox {
  standing: Standing = { is: "asking" };
  private id: string | undefined;
  private readonly over = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly running: Promise<void>;

  constructor(
    private readonly place: Place,
    private readonly body: Record<string, unknown>,
  ) {
    this.running = this.run();
    void this.stayPresent();
  }

  /** Calls back at each change of `standing`. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Stops asking. The app finds the answer's file by itself. */
  leave(): void {
    this.over.abort();
  }

  /** Takes the question back; with answers, says what was answered. How it ended there, once the app has said so. */
  async withdraw(withdrawal?: Withdrawal): Promise<Said | undefined> {
    this.over.abort();
    // What is being asked in this moment must be known to be taken back.
    await this.running;
    if (this.standing.is === "ended") return this.standing.said;
    if (this.id === undefined) return undefined;
    for (const until = Date.now() + WITHDRAWAL; Date.now() < until; await pause(AWAY, undefined, true)) {
      try {
        return await this.port()?.post(`/v1/requests/${this.id}/cancel`, withdrawal ?? {}, GRACE);
      } catch (error) {
        if (error instanceof PortError && error.status !== undefined && error.status < 500) return undefined;
      }
    }
    return undefined;
  }

  private set(standing: Standing): void {
    if (standing.is === this.standing.is && standing.is !== "ended") return;
    this.standing = standing;
    for (const listener of this.listeners) listener();
  }

  private port(): Port | undefined {
    const url = find.url(this.place.home);
    const token = this.place.token ?? find.token(this.place.home, this.place.workspace);
    return url !== undefined && token !== undefined ? Port.at(url, token, this.place.session, this.place.workspace) : undefined;
  }

  private async run(): Promise<void> {
    while (!this.over.signal.aborted) {
      let rest = AWAY;
      try {
        const port = this.port();
        if (port && (await this.round(port))) return;
      } catch (error) {
        if (this.over.signal.aborted) return;
        const status = error instanceof PortError ? error.status : undefined;
        if (status !== undefined) {
          // A token that is replaced, too much at once, a full disk, an app that ends: later.
          if (status < 500 && ![401, 404, 408, 429].includes(status)) return this.set({ is: "out", why: String(error) });
          rest = REFUSED;
        }
      }
      if (this.over.signal.aborted) return;
      this.set({ is: "away", id: this.id });
      await pause(rest, this.over.signal);
    }
  }

  /** Asks once, and waits as long as the app is there; true when it ended. */
  private async round(port: Port): Promise<boolean> {
    let said = await port.post("/v1/requests", this.body, ASKED);
    while (said.state === "pending") {
      const id = said.request?.id;
      if (id === undefined) return false;
      this.id = id;
      this.set({ is: "waiting", id });
      if (this.over.signal.aborted) return false;
      said = await port.get(`/v1/requests/${id}?wait=${SLICE}`, SLICE * 1_000 + GRACE, this.over.signal);
    }
    this.set({ is: "ended", said });
    return true;
  }

  /** Holds a line open while something is asked, by which the app knows that this run is there. */
  private async stayPresent(): Promise<void> {
    const over = new AbortController();
    const stop = () => over.abort();
    this.over.signal.addEventListener("abort", stop);
    void this.running.finally(stop);
    while (!over.signal.aborted) {
      await this.port()?.hold("/v1/session", over.signal).catch(() => undefined);
      await pause(REFUSED, over.signal);
    }
  }
}

/** Sleeps, until the signal at the latest; `idly` does not keep the process. */
export function pause(milliseconds: number, signal?: AbortSignal, idly = false): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    if (idly) timer.unref();
    signal?.addEventListener("abort", end);
  });
}
