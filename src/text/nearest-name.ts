/**
 * The known name a mistyped one most likely means: at most a third of its letters (and at least one, at most three) are
 * wrong, missing, added or swapped. Case does not count. Of several the first in the list.
 */
export function nearestName<Name extends string>(typed: string, names: readonly Name[]): Name | undefined {
  const most = Math.min(3, Math.max(1, Math.floor(typed.length / 3)));
  let best: Name | undefined;
  let bestDistance = most + 1;
  for (const name of names) {
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Letters to change, add, remove or swap with a neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? a.length;
}
