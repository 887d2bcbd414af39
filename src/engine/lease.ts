/**
 * Being worked on is no status but a lease: an instant on the row until which it belongs to whoever wrote it. A claim is
 * one conditional update from "no lease, or one that has run out", so of two replicas one wins; the instant written is
 * also the claimer's proof that the row is still theirs. A process that dies simply lets its lease run out.
 */
export interface Leased {
  leaseUntil: Date | null;
}

/** How long a claim of a post holds: longer than one send with its time-out and one retry inside the client. */
export const POST_LEASE_MS = 60_000;
/** How far ahead a post can be put off: a platform that says when to come back says minutes. */
export const LONGEST_PUT_OFF_MS = 2 * 60 * 60_000;
/** How long a claim of a message holds: a command's transaction, with room for a slow disk. */
export const MESSAGE_LEASE_MS = 60_000;
/** A failed message waits for its next try in the same column, up to this long. */
export const LONGEST_MESSAGE_WAIT_MS = 90_000;
/** How long a job's run holds before another replica may take it over; renewed while it runs. */
export const JOB_LEASE_MS = 2 * 60_000;

/** The instant a claim made now holds until. */
export function leaseFrom(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/**
 * True when the row may be claimed now. A lease that reaches further than any could that was taken now comes from a clock
 * that was set back since: it binds nobody.
 */
export function isFree(row: Leased, now: Date, longestMs: number): boolean {
  return isDue(row.leaseUntil, now, longestMs);
}

/** True when an instant something waits for has come, or lies further ahead than it may (see `isFree`). */
export function isDue(at: Date | null, now: Date, longestMs: number): boolean {
  return at === null || at <= now || at.getTime() > now.getTime() + longestMs;
}

/** Pauses after the 1st, 2nd, … failed try, in ms; the last one repeats. */
const PAUSES_MS = [5_000, 20_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;

/**
 * How long to wait after the `attempts`-th failed try (1 = first): growing, and up to a fifth longer by `chance` in
 * [0, 1), so that what failed together does not come back together.
 */
export function growingPauseMs(attempts: number, chance: number, pausesMs: readonly number[] = PAUSES_MS): number {
  const pause = pausesMs[Math.min(Math.max(attempts, 1), pausesMs.length) - 1] ?? 0;
  return Math.round(pause * (1 + chance / 5));
}
