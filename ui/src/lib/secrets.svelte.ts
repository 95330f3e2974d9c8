// What looks like a secret is masked until the person asks, a whole request at a time.
import { getContext, setContext } from "svelte";

const KEY = Symbol("secrets");

export const MASK = "••••••••";

export class Secrets {
  #shown = $state(false);
  found = $state(false);
  /** They were on screen once. */
  seen = $state(false);

  get shown(): boolean {
    return this.#shown;
  }

  set shown(now: boolean) {
    this.#shown = now;
    if (now) this.seen = true;
  }
}

/** For all texts inside the component that calls it. */
export const provideSecrets = (): Secrets => setContext(KEY, new Secrets());

/** Those of the request that a text is part of; none in lists, where nothing is ever unmasked. */
export const secretsHere = (): Secrets | undefined => getContext<Secrets | undefined>(KEY);
