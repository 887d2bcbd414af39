import type { SaidRow, SeenRow } from "./watermark.ts";

/** A row that is surely an occurrence shown before. `keptTime`: it was written anew under another id, with its time. */
export interface Anchor {
  before: SeenRow;
  /** where the occurrence stood until now */
  stood: string;
  keptTime: boolean;
}

/** How far a lineage's rewritten rows have been recognised: what stood before comes no more. */
export interface Passed {
  stood: number;
  keptTime: boolean;
}

/**
 * Which rows are occurrences that stand nowhere any more. Hermes writes a session anew in its order, and either with the
 * times it had or with new ones throughout. So places keep their order among themselves and with the rows that were
 * recognised by id or time; and behind a row written anew with its time one with another time was said anew.
 * Where several placings are possible the earliest rows are the old ones, and of equal words the newest stay: what a
 * compression drops is older than what it keeps.
 *
 * @param rows of one lineage, in the order they stand in the store
 * @param gone occurrences of the same lineage that stand nowhere and that no row is known to be
 */
export function matchMoved(
  rows: readonly SaidRow[],
  gone: readonly SeenRow[],
  anchors: ReadonlyMap<SaidRow, Anchor>,
  passed: Passed = { stood: Number.NEGATIVE_INFINITY, keptTime: false },
): Map<SaidRow, SeenRow> {
  const found = new Map<SaidRow, SeenRow>();
  const words = new Set(gone.map(({ identity }) => identity));
  if (words.size === 0) return found;
  const bounded = bounds(rows, anchors, passed).filter(({ row }) => !anchors.has(row) && words.has(row.identity));
  const places = [...gone].sort((a, b) => place(a.messageId) - place(b.messageId));
  const fits = ({ row, after, until, keptTime }: Bounded, one: SeenRow): boolean => {
    if (one.identity !== row.identity || (keptTime && one.at.getTime() !== row.at.getTime())) return false;
    const stood = place(one.messageId);
    return Number.isNaN(stood) || (stood > after && stood < until);
  };
  // The longest common order, counted from the end of both.
  const width = places.length + 1;
  const most = new Uint32Array((bounded.length + 1) * width);
  const at = (row: number, one: number): number => most[row * width + one] ?? 0;
  bounded.forEach((row, i) => {
    places.forEach((one, j) => {
      const together = fits(row, one) ? at(i, j) + 1 : 0;
      most[(i + 1) * width + j + 1] = Math.max(together, at(i, j + 1), at(i + 1, j));
    });
  });
  for (let i = bounded.length, j = places.length; i > 0 && j > 0; ) {
    const row = bounded[i - 1];
    const one = places[j - 1];
    if (at(i - 1, j) === at(i, j)) i--;
    else if (row && one && fits(row, one) && at(i - 1, j - 1) + 1 === at(i, j)) {
      found.set(row.row, one);
      i--;
      j--;
    } else j--;
  }
  return found;
}

/** Ids of rows grow in the order of writing; a history whose ids are no numbers has no order. */
export function place(messageId: string): number {
  return messageId === "" ? Number.NaN : Number(messageId);
}

interface Bounded {
  row: SaidRow;
  /** An occurrence that moved here stood behind the first and before the second. */
  after: number;
  until: number;
  keptTime: boolean;
}

function bounds(rows: readonly SaidRow[], anchors: ReadonlyMap<SaidRow, Anchor>, passed: Passed): Bounded[] {
  let after = passed.stood;
  let keptTime = passed.keptTime;
  const found = rows.map((row): Bounded => {
    const anchor = anchors.get(row);
    if (anchor) {
      after = Math.max(after, place(anchor.stood) || after);
      keptTime ||= anchor.keptTime;
    }
    return { row, after, until: Number.POSITIVE_INFINITY, keptTime };
  });
  let until = Number.POSITIVE_INFINITY;
  for (const one of found.toReversed()) {
    const anchor = anchors.get(one.row);
    if (anchor) until = Math.min(until, place(anchor.stood) || until);
    // Rows that were recognised out of order say nothing about the others.
    if (until > one.after) one.until = until;
    else one.after = Number.NEGATIVE_INFINITY;
  }
  return found;
}
