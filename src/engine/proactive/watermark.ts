import { hash } from "node:crypto";
import { type Anchor, matchMoved, type Passed, place } from "./match-moved.ts";

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
  /** Where those stood whose old row is gone, by the id of the row they are now. */
  passed: ReadonlyMap<string, Passed & { lineage: string }>;
  /** Row ids of what is no news. */
  known: ReadonlySet<string>;
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
 * - the same occurrence when one that was shown is gone from the store and its place among the others allows it: it moved here;
 * - else said once more: a person who says "ok" twice has said it twice, also after taking the first one back.
 * A row older than `horizon` is history that was moved here or brought in from elsewhere: remembered, but no news. Times before 2015 are no times.
 *
 * @param rows in the order they stand in the store
 * @param seen every occurrence shown by committed runs of the keys of `rows`
 * @param standing where the rows of `seen` stand now; a row it does not name is visible
 * @param passed by lineage, how far earlier rows of the same window have been recognised
 */
export function tellNews(
  rows: readonly SaidRow[],
  seen: readonly SeenRow[],
  standing: ReadonlyMap<string, Standing>,
  horizon: Date,
  passed: ReadonlyMap<string, Passed> = new Map(),
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
  const skipped = new Set<string>();

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

  const isGone = ({ messageId }: SeenRow): boolean => !here.has(messageId) && standing.get(messageId) === "gone";
  const anchors = new Map<SaidRow, Anchor>();
  for (const [row, before] of sure) {
    const stays = before.messageId === row.messageId;
    if (stays || isGone(before)) anchors.set(row, { before, stood: before.messageId, keptTime: !stays });
  }
  const gone = [...known.values()].flat().filter((before) => !recognised.has(before) && isGone(before));
  const placed = new Map<SaidRow, SeenRow>();
  for (const lineage of new Set(gone.map((before) => before.lineage))) {
    const of = (row: SaidRow): boolean => row.lineage === lineage;
    for (const [row, before] of matchMoved(rows.filter(of), gone.filter(of), anchors, passed.get(lineage))) {
      placed.set(row, before);
    }
  }
  const went = new Map<string, Passed & { lineage: string }>();

  for (const row of rows) {
    const key = saidKey(row);
    const list = known.get(key) ?? [];
    known.set(key, list);
    const same =
      sure.get(row) ??
      (hasTime(row) ? list.find((before) => added.has(before) && isSameTime(before, row, here)) : undefined) ??
      placed.get(row);
    if (same) {
      skipped.add(row.messageId);
      if (same.messageId !== row.messageId) {
        const stood = place(anchors.get(row)?.stood ?? placed.get(row)?.messageId ?? "");
        if (!Number.isNaN(stood)) {
          went.set(row.messageId, { lineage: row.lineage, stood, keptTime: anchors.get(row)?.keptTime ?? false });
        }
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
    if (hasTime(row) && row.at < horizon) skipped.add(row.messageId);
    else fresh.add(row.messageId);
  }
  return { fresh, add, moved: [...moved].filter((row) => !added.has(row)), passed: went, known: skipped };
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

/** The part of it that is about some of the rows. */
export function newsOf({ fresh, add, moved, passed, known }: News, rows: ReadonlySet<string>): News {
  const among = (ids: ReadonlySet<string>): Set<string> => new Set([...ids].filter((id) => rows.has(id)));
  return {
    fresh: among(fresh),
    add: add.filter(({ messageId }) => rows.has(messageId)),
    moved: moved.filter(({ messageId }) => rows.has(messageId)),
    passed: new Map([...passed].filter(([id]) => rows.has(id))),
    known: among(known),
  };
}

/**
 * Occurrences of a rewritten lineage that found no new place are gone for good: the next time the same words are said they
 * are said anew. A window that was not read to its end can tell so of what stood before rows that were recognised; and
 * where times were kept, of everything, which is recognised by its time.
 *
 * @param passed by lineage, how far the window has recognised rows; undefined: it was read to its end
 */
export function goneForGood(
  seen: readonly SeenRow[],
  moved: readonly SeenRow[],
  standing: ReadonlyMap<string, Standing>,
  passed?: ReadonlyMap<string, Passed>,
): SeenRow[] {
  const placed = new Set(moved.map(occurrenceKey));
  const comesNoMore = (row: SeenRow): boolean => {
    if (!passed) return true;
    const far = passed.get(row.lineage);
    return far !== undefined && (place(row.messageId) < far.stood || (far.keptTime && hasTime(row)));
  };
  return seen
    .filter((row) => row.messageId !== "" && standing.get(row.messageId) === "gone")
    .filter((row) => !placed.has(occurrenceKey(row)) && comesNoMore(row))
    .map((row) => ({ ...row, messageId: "" }));
}
