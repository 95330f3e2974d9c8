// The focus, offered to a field that has just appeared by itself. Whoever types, or stands on something that Enter
// would press, keeps it.
const BUSY = "input, textarea, select, button, summary, [contenteditable], dialog *";

export function offerFocus(field: HTMLInputElement): void {
  if (!document.activeElement?.matches(BUSY) && !document.querySelector("dialog[open]") && !field.disabled) field.focus();
}
