// Whether a typed text fits a question's pattern, as far as the page can tell.
// The app checks with Rust's regular expressions, in linear time. A browser's differ in dialect and
// can run for ever on a hostile pattern, so the page speaks only where both are sure to agree and
// the check is cheap; everything else is left to the app, whose refusal is shown and loses nothing.

const CHEAP_CHARACTERS = 200;
const ATOM = String.raw`(?:[A-Za-z0-9 _,:;@#%&=!~'"<>/-]|\\[dw.\\/+*?()[\]{}|^$-]|\[(?:[A-Za-z0-9 _.,:;@#%=!~/+]-?|\\[dw.-])+-?\])`;
const REPEAT = String.raw`(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?`;
const RUN = `(?:${ATOM}${REPEAT})+`;
// a group may be left out but not repeated, and not nested: repeating one is what runs for ever
const GROUP = String.raw`\((?:\?:)?${RUN}(?:\|${RUN})*\)\??`;
const PORTABLE = new RegExp(String.raw`^\^(?:${ATOM}${REPEAT}|${GROUP})+\$$`);
const UNBOUNDED = /[*+]|,\}|,\d+\}/g;
const MOST_UNBOUNDED = 2;
const MOST_GROUPS = 3;

/** `false` only if the app is sure to refuse the text. */
export function mayFit(pattern: string, text: string): boolean {
  const ascii = /^[\x20-\x7e]*$/.test(text);
  if (!ascii || text.length > CHEAP_CHARACTERS || pattern.length > CHEAP_CHARACTERS) return true;
  if (!PORTABLE.test(pattern) || count(pattern, UNBOUNDED) > MOST_UNBOUNDED || count(pattern, /\(/g) > MOST_GROUPS) return true;
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return true;
  }
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
