/** A redrawn message takes over the keyboard's focus from the control at the same place, or holds it itself. */
export function keepFocus(before: HTMLElement, after: HTMLElement): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !before.contains(focused)) return;
  const controls = (root: HTMLElement): HTMLElement[] => [
    ...root.querySelectorAll<HTMLElement>("button, input, textarea, select, a[href], [tabindex]"),
  ];
  const same = controls(after)[controls(before).indexOf(focused)];
  const target =
    same && same.className === focused.className && same.textContent === focused.textContent ? same : after;
  if (target === after) after.tabIndex = -1;
  const caret =
    focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement ? focused.selectionStart : null;
  queueMicrotask(() => {
    target.focus({ preventScroll: true });
    if (
      caret !== null &&
      (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
      target.type !== "checkbox"
    ) {
      target.setSelectionRange(caret, caret);
    }
  });
}
