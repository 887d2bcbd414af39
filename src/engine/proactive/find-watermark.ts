import type { Prisma } from "../../generated/sqlite/client.ts";
import type { HistoryCursor } from "../ports.ts";
import type { Scope } from "../scope.ts";

export interface Watermark {
  cursor: HistoryCursor;
  /** Start of the window that begins there. */
  at: Date;
  /** No run has been committed yet. */
  first: boolean;
}

/** The first look ever goes back this far. */
const FIRST_LOOK_MS = 24 * 3_600_000;
/** How far back a window that was given back is looked for. */
const GIVEN_BACK_MS = 7 * 24 * 3_600_000;
const MOST_RUNS = 40;

/**
 * The end of the newest committed window. Where a committed run was superseded afterwards (its delivery failed) and later
 * runs went on from its end, its window is open again: then the watermark is the start of that window, and what the later
 * runs have shown stays known.
 */
export async function findWatermark(scope: Scope): Promise<Watermark> {
  const agentId = scope.agent.id;
  const select = { cursorStart: true, cursorEnd: true, windowStart: true, windowEnd: true } as const;
  const newestFirst = { startedAt: "desc" } as const;
  // A run that only spoke at a named time has an empty window: it has read nothing.
  const hasRead = { agentId, windowEnd: { gt: scope.db.checkpoint.fields.windowStart } };
  const newest = await scope.db.checkpoint.findFirst({
    where: { ...hasRead, status: "committed" },
    orderBy: newestFirst,
    select: { ...select, startedAt: true },
  });
  if (!newest) return firstWatermark(scope, hasRead);
  const end = { cursor: newest.cursorEnd as HistoryCursor, at: newest.windowEnd, first: false };
  const superseded = await scope.db.checkpoint.findMany({
    where: {
      ...hasRead,
      status: "superseded",
      startedAt: { gte: new Date(newest.startedAt.getTime() - GIVEN_BACK_MS) },
    },
    orderBy: newestFirst,
    take: MOST_RUNS,
    select,
  });
  if (superseded.length === 0) return end;
  const committed = await scope.db.checkpoint.findMany({
    where: { ...hasRead, status: "committed" },
    orderBy: newestFirst,
    take: MOST_RUNS,
    select,
  });
  // A run that had nothing to read covers nothing.
  const reading = committed.filter((run) => !readNothing(run));
  let oldest: Window = newest;
  for (const run of reading) if (joins(run, oldest)) oldest = run;
  let open: Window | undefined;
  for (const run of superseded) {
    const later = open ?? oldest;
    if (!readNothing(run) && joins(run, later) && !reading.some((other) => joins(other, later))) open = run;
  }
  return open ? { cursor: open.cursorStart as HistoryCursor, at: open.windowStart, first: false } : end;
}

type Window = { cursorStart: unknown; cursorEnd: unknown; windowStart: Date; windowEnd: Date };

async function firstWatermark(scope: Scope, hasRead: Prisma.CheckpointWhereInput): Promise<Watermark> {
  // First runs that did not come to an end have fixed where the first look begins.
  const tried = await scope.db.checkpoint.findFirst({
    where: { ...hasRead, status: "superseded" },
    orderBy: { startedAt: "asc" },
    select: { cursorStart: true, windowStart: true },
  });
  if (tried) return { cursor: tried.cursorStart as HistoryCursor, at: tried.windowStart, first: true };
  const at = new Date(scope.clock.now().getTime() - FIRST_LOOK_MS);
  return { cursor: await scope.history.cursorBefore(at), at, first: true };
}

function readNothing(run: Window): boolean {
  return written(run.cursorStart) === written(run.cursorEnd);
}

function joins(earlier: { cursorEnd: unknown }, later: { cursorStart: unknown }): boolean {
  return written(earlier.cursorEnd) === written(later.cursorStart);
}

/** The databases may hand JSON back with its keys in another order. */
function written(json: unknown): string {
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  return JSON.stringify(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));
}
