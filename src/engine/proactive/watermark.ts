import { hash } from "node:crypto";

/** A row somebody said, as far as telling news from known needs it. */
export interface SaidRow {
  messageId: string;
  lineage: string;
  identity: string;
  /** as written in the row */
  at: Date;
  /** the same to the last digit, in seconds */
  exactAt?: number;
}

/** An occurrence that a committed run has shown. `messageId`: where it stands; empty = known to be gone for good. */
export interface SeenRow extends SaidRow {
  /** n-th time this identity was said in the lineage, from 1 */
  occurrence: number;
}

export type Standing = "visible" | "undone" | "gone";

export interface News {
  /** Row ids of what is news. */
  fresh: ReadonlySet<string>;
  /** Occurrences to remember: the news, and rows too old to be news. */
  add: readonly SeenRow[];
  /** Known occurrences found again under another row id. */
  moved: readonly SeenRow[];
  /** How many rows are no news. */
  known: number;
}

/** Clocks that say less than this were never set; in ms. */
export const NO_CLOCK_BEFORE = Date.UTC(2015, 0, 1);

/** What makes two rows the same words: role and text. */
export function identityOf(role: string, text: string): string {
  return hash("sha256", `${role}\0${text}`, "base64url").slice(0, 22);
}

export function saidKey({ lineage, identity }: { lineage: string; identity: string }): string {
  return `${identity} ${lineage}`;
}

export function occurrenceKey(row: { lineage: string; identity: string; occurrence: number }): string {
  return `${row.occurrence} ${saidKey(row)}`;
}

/**
 * Which rows behind the cursor are news. Row ids order the store but do not last: Hermes rewrites sessions under new ids,
 * with the same or with new times. So a row whose words were shown before in its lineage is
 * - the same occurrence when its id or its time is the one that was shown;
 * - the same occurrence when one that was shown is gone from the store: it moved here (in order, one for one);
 * - else said once more: a person who says "ok" twice has said it twice, also after taking the first one back.
 * A row older than `horizon` is history that was moved here or brought in from elsewhere: remembered, but no news. Times before 2015 are no times.
 *
 * @param rows in the order they stand in the store
 * @param seen every occurrence shown by committed runs of the keys of `rows`
 * @param standing where the rows of `seen` stand now; a row it does not name is visible
 */
export function tellNews(
  rows: readonly SaidRow[],
  seen: readonly SeenRow[],
  standing: ReadonlyMap<string, Standing>,
  horizon: Date,
): News {
  const known = new Map<string, SeenRow[]>();
  for (const row of seen) {
    const key = saidKey(row);
    const list = known.get(key);
    if (list) list.push({ ...row });
    else known.set(key, [{ ...row }]);
  }
  for (const list of known.values()) list.sort((a, b) => a.occurrence - b.occurrence);
  const here = new Set(rows.map(({ messageId }) => messageId));
  const fresh = new Set<string>();
  const add: SeenRow[] = [];
  const added = new Set<SeenRow>();
  const moved = new Set<SeenRow>();
  let skipped = 0;

  // A row that is recognised by its id or time leaves the occurrences that are gone to the others.
  const sure = new Map<SaidRow, SeenRow>();
  const recognised = new Set<SeenRow>();
  for (const row of rows) {
    const list = known.get(saidKey(row));
    if (!list) continue;
    const atItsTime = hasTime(row) ? list.filter((before) => isSameTime(before, row, here)) : [];
    const same =
      list.find(({ messageId }) => messageId === row.messageId) ??
      atItsTime.find((before) => !recognised.has(before)) ??
      atItsTime[0];
    if (!same) continue;
    sure.set(row, same);
    recognised.add(same);
  }

  for (const row of rows) {
    const key = saidKey(row);
    const list = known.get(key) ?? [];
    known.set(key, list);
    const same =
      sure.get(row) ??
      (hasTime(row) ? list.find((before) => added.has(before) && isSameTime(before, row, here)) : undefined) ??
      list.find(
        (before) => !recognised.has(before) && !here.has(before.messageId) && standing.get(before.messageId) === "gone",
      );
    if (same) {
      skipped++;
      if (same.messageId !== row.messageId) {
        same.messageId = row.messageId;
        if (row.exactAt !== undefined) same.exactAt = row.exactAt;
        moved.add(same);
      }
      continue;
    }
    const occurrence: SeenRow = { ...row, occurrence: (list.at(-1)?.occurrence ?? 0) + 1 };
    list.push(occurrence);
    add.push(occurrence);
    added.add(occurrence);
    if (hasTime(row) && row.at < horizon) skipped++;
    else fresh.add(row.messageId);
  }
  return { fresh, add, moved: [...moved].filter((row) => !added.has(row)), known: skipped };
}

function hasTime({ at }: SaidRow): boolean {
  return at.getTime() >= NO_CLOCK_BEFORE;
}

/**
 * A row that stands beside this one may carry the same time to the millisecond, when Hermes wrote a whole session anew at
 * once: then the last digit decides.
 */
function isSameTime(before: SeenRow, row: SaidRow, here: ReadonlySet<string>): boolean {
  if (here.has(before.messageId) && before.exactAt !== undefined) return before.exactAt === row.exactAt;
  return before.at.getTime() === row.at.getTime();
}

/**
 * Occurrences of a rewritten lineage that found no new place are gone for good: the next time the same words are said they
 * are said anew. Only for a window that was read to its end.
 */
export function goneForGood(
  seen: readonly SeenRow[],
  moved: readonly SeenRow[],
  standing: ReadonlyMap<string, Standing>,
): SeenRow[] {
  const placed = new Set(moved.map(occurrenceKey));
  return seen
    .filter((row) => row.messageId !== "" && standing.get(row.messageId) === "gone")
    .filter((row) => !placed.has(occurrenceKey(row)))
    .map((row) => ({ ...row, messageId: "" }));
}
