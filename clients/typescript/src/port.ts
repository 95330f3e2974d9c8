// The agents' side of the port: HTTP over loopback, with a token.

/** A call that did not come to an answer. Never a decision. */
export class PortError extends Error {
  override name = "PortError";
  constructor(
    message: string,
    /** The HTTP status of a refusal; none when nothing answered. */
    readonly status?: number,
  ) {
    super(message);
  }
}

export type Said = Record<string, unknown> & { state?: string; request?: { id?: string } };

export class Port {
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  static at(url: string, token: string, session: string, workspace: string): Port {
    const folder = Buffer.from(workspace, "utf8").toString("latin1");
    const encoded = folder.replace(/[^A-Za-z0-9/\-_.~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
    return new Port(url.replace(/\/$/, ""), {
      authorization: `Bearer ${token}`,
      "countersign-session": session,
      "countersign-workspace": encoded,
    });
  }

  get(path: string, milliseconds: number, signal?: AbortSignal): Promise<Said> {
    return this.call("GET", path, undefined, milliseconds, signal);
  }

  post(path: string, body: unknown, milliseconds: number): Promise<Said> {
    return this.call("POST", path, body, milliseconds);
  }

  /** Holds a line open until it is aborted or ends. */
  async hold(path: string, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.url + path, { headers: this.headers, signal });
    if (!response.ok || !response.body) return;
    for await (const _ of response.body as unknown as AsyncIterable<unknown>);
  }

  private async call(method: string, path: string, body: unknown, milliseconds: number, signal?: AbortSignal): Promise<Said> {
    const limit = AbortSignal.timeout(milliseconds);
    const init: RequestInit = { method, headers: this.headers, signal: signal ? AbortSignal.any([signal, limit]) : limit };
    if (body !== undefined) {
      init.headers = { ...this.headers, "content-type": "application/json" };
      init.body = JSON.stringify(body);
    }
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.url + path, init);
      text = await response.text();
    } catch (error) {
      throw new PortError(`Countersign isn't running at ${this.url}: ${String(error)}`);
    }
    let said: Said;
    try {
      said = JSON.parse(text) as Said;
    } catch {
      throw new PortError(`what answers at ${this.url} is not Countersign`);
    }
    if (!response.ok) throw new PortError(String(said["message"] ?? `refused with HTTP status ${response.status}`), response.status);
    return said;
  }
}
