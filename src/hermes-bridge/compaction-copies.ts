import { NO_CLOCK_BEFORE } from "../engine/proactive/watermark.ts";

/** A said row as far as comparing needs it. */
export interface SaidRow {
  /** Role and text, or a digest of them. */
  said: string;
  /** As written in the row, in seconds. */
  at: number | null;
  /** The row is a summary or a note which the compression itself wrote. */
  summary: boolean;
}

/** Most rows of the protected beginning of a conversation that a compression copies before its summary. */
export const MOST_HEAD_ROWS = 8;
/** Rows before the copied tail that may be a summary nobody marked, when at least so many rows of the tail match. */
const MOST_UNMARKED_ROWS = 2;
const SURE_TAIL_ROWS = 3;

/**
 * Which of the first rows of a compressed conversation are copies of (or notes about) what stood before. A compression
 * writes: copies of the beginning, a summary, copies of the end; what follows was said afterwards. Copies may carry new
 * times, so they are known by their place: the copied end must be the very end of what stood before. A copy that kept its
 * time is a copy wherever it stands; times before 2015 are no times.
 * @param context what the agent had before it, when it was compressed
 * @returns one flag for each row of `after`
 */
export function compactionCopies(context: readonly SaidRow[], after: readonly SaidRow[]): boolean[] {
  const known = new Set(context.filter(hasTime).map(timed));
  const end = copiedRows(context, after);
  return after.map((row, index) => index < end || row.summary || (hasTime(row) && known.has(timed(row))));
}

/** How many rows at the beginning of `after` a compression of `context` wrote, by their place. */
export function copiedRows(context: readonly SaidRow[], after: readonly SaidRow[]): number {
  let head = 0;
  while (head < MOST_HEAD_ROWS && head < context.length && after[head]?.said === context[head]?.said) head++;
  let boundary = 0;
  let unmarked = 0;
  for (let start = 0; start < after.length && unmarked <= MOST_UNMARKED_ROWS; start++) {
    const tail = tailFrom(context, after, start);
    if (tail >= (unmarked === 0 ? 1 : SURE_TAIL_ROWS)) boundary = Math.max(boundary, start + tail);
    if (start >= head && !after[start]?.summary) unmarked++;
  }
  const summary = after.findIndex((row) => row.summary);
  return summary >= 0 && summary <= head ? Math.max(boundary, summary + 1) : Math.max(boundary, head);
}

/**
 * How many rows of `after` from `start` repeat the very end of `context`. While the copies are still being written `after`
 * ends within them: then two rows or more that stand together anywhere in `context` are enough.
 */
function tailFrom(context: readonly SaidRow[], after: readonly SaidRow[], start: number): number {
  const left = after.length - start;
  for (let length = Math.min(context.length, left); length > 0; length--) {
    if (repeats(context, context.length - length, after, start, length)) return length;
  }
  if (left < 2) return 0;
  for (let from = context.length - left; from >= 0; from--) if (repeats(context, from, after, start, left)) return left;
  return 0;
}

/** Copies either all kept their times or all have new ones: a row that merely says the same again is told by that. */
function repeats(
  context: readonly SaidRow[],
  from: number,
  after: readonly SaidRow[],
  start: number,
  length: number,
): boolean {
  let sameTimes = 0;
  for (let i = 0; i < length; i++) {
    const original = context[from + i];
    const copy = after[start + i];
    if (original?.said !== copy?.said) return false;
    if (original?.at === copy?.at) sameTimes++;
  }
  return sameTimes === 0 || sameTimes === length;
}

function hasTime({ at }: SaidRow): boolean {
  return at !== null && at * 1000 >= NO_CLOCK_BEFORE;
}

function timed({ said, at }: SaidRow): string {
  return `${at} ${said}`;
}
