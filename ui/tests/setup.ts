import "@testing-library/jest-dom/vitest";
import { clearMocks } from "@tauri-apps/api/mocks";
import { cleanup, configure } from "@testing-library/svelte";
import { afterEach } from "vitest";

// a machine that builds besides is slow
configure({ asyncUtilTimeout: 4000 });

// What jsdom leaves out of a browser.
Element.prototype.scrollIntoView ??= () => undefined;
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) { this.open = true; };
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) { this.open = false; this.dispatchEvent(new Event("close")); };
Blob.prototype.text ??= function (this: Blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(this);
  });
};
globalThis.CSS ??= { escape: (text: string) => text } as typeof CSS;

afterEach(() => {
  cleanup();
  clearMocks();
  location.hash = "";
});
// jsdom lays nothing out: what is drawn counts as seen
globalThis.IntersectionObserver ??= class {
  constructor(readonly heard: IntersectionObserverCallback) {}
  observe(target: Element) { queueMicrotask(() => this.heard([{ isIntersecting: true, target } as IntersectionObserverEntry], this as unknown as IntersectionObserver)); }
  unobserve() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver;
