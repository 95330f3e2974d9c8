// The one ticking clock of the page; everything that shows an age or a countdown reads it.
import { createSubscriber } from "svelte/reactivity";

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

export function now(): number {
  subscribe();
  return Date.now();
}
