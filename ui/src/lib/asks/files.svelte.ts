// Files that a person gives: what falls on the window, and the copy that the app makes of the one that is given.
import type { RequestView } from "../bindings/RequestView";
import type { Desk } from "../desk.svelte";
import * as ipc from "../ipc";
import type { Reading } from "../reading.svelte";
import { saidOf } from "./given";
import { clean, type Offer } from "./offer.svelte";

export class Files {
  /** files are being dragged over the window */
  dragging = $state(false);
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  listen(): Promise<void> {
    return ipc.listenToDrops({ dragged: (over) => (this.dragging = over), dropped: (paths) => this.#dropped(paths) });
  }

  /** The app copies it before it is an answer, and says what became of it. */
  async give(reading: Reading, offer: Offer): Promise<void> {
    let given: RequestView["file"] = null;
    await this.#desk.settle(reading, async () => {
      const view = await ipc.giveFile(reading.id, reading.view.digest, clean(offer.path), reading.comment);
      given = view.file;
      return view;
    }, () => saidOf(given));
  }

  /** What falls on the window is for the file that is asked for, if one is; it isn't given yet. */
  #dropped(paths: string[]): void {
    const offer = this.#desk.reading?.pending ? this.#desk.reading.offer : null;
    if (!offer || this.#desk.sending) return;
    offer.drop(paths);
    this.#desk.changed();
  }
}
