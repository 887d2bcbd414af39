import { copiedRows, MOST_HEAD_ROWS, type SaidRow } from "./compaction-copies.ts";

/** A row as it stands in a session that compressions wrote anew in place. */
export interface StandingRow extends SaidRow {
  /** Part of what the agent has before it. */
  active: boolean;
  /** Was part of it, until a compression put it away. A row that is neither was undone. */
  replaced: boolean;
}

/** A compression within its session. Rows from `contextFrom` to `border` were what it compressed, those from `border` on it wrote. */
export interface Rewriting {
  contextFrom: number;
  border: number;
}

/** Rows of a context so short that a summary without a copied beginning may just as well be where a session begins. */
const SHORT_CONTEXT_ROWS = MOST_HEAD_ROWS;
const SURE_TAIL_ROWS = 2;

/**
 * Where compressions wrote a session anew, oldest first. Each put away everything that was active and wrote copies of the
 * beginning, a summary, copies of the end. The copied end may hold an older summary, which is where nothing began.
 * @param rows the session's rows in the order of writing
 * @param copiedAtStart how many of them came along when the session began
 */
export function rewritingsWithin(rows: readonly StandingRow[], copiedAtStart: number): Rewriting[] {
  const found: Rewriting[] = [];
  const lastReplaced = rows.findLastIndex(({ replaced }) => replaced);
  if (lastReplaced < 0) return found;
  const firstActive = rows.findIndex(({ active }) => active);
  const last = firstActive < 0 ? rows.length : firstActive;
  let contextFrom = 0;
  let written = copiedAtStart;
  rows.forEach(({ summary }, at) => {
    if (!summary || at < written) return;
    const head = headBefore(rows, at, contextFrom, written);
    const border = at - head;
    if (border === 0 || border > last) return;
    const context = contextOf(rows, contextFrom, border);
    const end = border + copiedRows(context, rows.slice(border));
    if (head === 0 && context.length <= SHORT_CONTEXT_ROWS && end <= at + SURE_TAIL_ROWS) return;
    found.push({ contextFrom, border });
    contextFrom = border;
    written = end;
  });
  // What the last compression put away ends before what is active, whether its summary was marked or not.
  if (contextFrom <= lastReplaced && firstActive > 0) found.push({ contextFrom, border: firstActive });
  return found;
}

/** What the agent had before it when rows from `border` on were written. */
export function contextOf<Row extends StandingRow>(rows: readonly Row[], from: number, border?: number): Row[] {
  return rows.slice(from, border).filter(({ active, replaced }) => active || replaced);
}

/** How many rows before a summary repeat the beginning of what it sums up. */
function headBefore(rows: readonly StandingRow[], at: number, contextFrom: number, written: number): number {
  for (let head = Math.min(MOST_HEAD_ROWS, at - written); head > 0; head--) {
    const context = contextOf(rows, contextFrom, at - head);
    if (context.length <= head) continue;
    if (context.slice(0, head).every(({ said }, index) => said === rows[at - head + index]?.said)) return head;
  }
  return 0;
}
