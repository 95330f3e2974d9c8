// Whether a typed text fits a question's pattern, as far as the page can tell.
// The app checks with Rust's regular expressions, in linear time. A browser's differ in dialect and
// can run for ever on a hostile pattern, so the page speaks only where both are sure to agree and
// the check is cheap; everything else is left to the app, whose refusal is shown and loses nothing.

const CHEAP_CHARACTERS = 200;
const ATOM = String.raw`(?:[A-Za-z0-9 _,:;@#%&=!~'"<>/-]|\\[dw.\\/+*?()[\]{}|^$-]|\[(?:[A-Za-z0-9 _.,:;@#%=!~/+]-?|\\[dw.-])+-?\])`;
const REPEAT = String.raw`(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?`;
const PORTABLE = new RegExp(String.raw`^\^(?:${ATOM}${REPEAT})+\$$`);
const UNBOUNDED = /[*+]|,\}|,\d+\}/g;

/** `false` only if the app is sure to refuse the text. */
export function mayFit(pattern: string, text: string): boolean {
  const ascii = /^[\x20-\x7e]*$/.test(text);
  if (!ascii || text.length > CHEAP_CHARACTERS || pattern.length > CHEAP_CHARACTERS) return true;
  if (!PORTABLE.test(pattern) || (pattern.match(UNBOUNDED)?.length ?? 0) > 2) return true;
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return true;
  }
}
