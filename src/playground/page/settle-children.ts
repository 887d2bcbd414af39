/** Brings the list to the wanted elements and leaves those that are already in place untouched. */
export function settleChildren(list: HTMLElement, wanted: readonly HTMLElement[]): void {
  wanted.forEach((element, at) => {
    const there = list.children[at];
    if (there === element) return;
    if (there && !wanted.includes(there as HTMLElement)) there.replaceWith(element);
    else list.insertBefore(element, there ?? null);
  });
  while (list.children.length > wanted.length) list.lastElementChild?.remove();
}
