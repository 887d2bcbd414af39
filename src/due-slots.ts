import { parseWallTime, wallInstant } from "./engine/wall-time.ts";
import type { When } from "./job.ts";

/** Slots counted as missed at most: the log says "at least". */
const MOST_MISSED = 1_000;
const MINUTE_MS = 60_000;

/**
 * The newest slot at or before `now`, in the zone. Where the clocks go back and show a time twice, its first showing is
 * the slot; where they skip it, the first minute after the gap is.
 */
export function newestSlot(when: When, now: Date, zone: string): Date {
  if (when.kind === "every") {
    const period = when.minutes * MINUTE_MS;
    return new Date(Math.floor(now.getTime() / period) * period);
  }
  const time = parseWallTime(when.at);
  for (const days of [1, 0, -1]) {
    const slot = wallInstant(now, zone, time, days);
    if (slot <= now) return slot;
  }
  return wallInstant(now, zone, time, -2);
}

/** The first slot after `now`. */
export function nextSlot(when: When, now: Date, zone: string): Date {
  if (when.kind === "every") {
    const period = when.minutes * MINUTE_MS;
    return new Date((Math.floor(now.getTime() / period) + 1) * period);
  }
  const time = parseWallTime(when.at);
  for (const days of [-1, 0, 1]) {
    const slot = wallInstant(now, zone, time, days);
    if (slot > now) return slot;
  }
  return wallInstant(now, zone, time, 2);
}

/** The slots after `after` up to and with `until`, oldest first; of very many, the newest thousand. */
export function slotsBetween(when: When, after: Date, until: Date, zone: string): Date[] {
  const slots: Date[] = [];
  for (
    let slot = newestSlot(when, until, zone);
    slot > after && slots.length < MOST_MISSED;
    slot = newestSlot(when, new Date(slot.getTime() - 1), zone)
  ) {
    slots.unshift(slot);
  }
  return slots;
}

export interface DueSlot {
  /** The slot to run now, if any. */
  run?: Date;
  /** Slots that passed and will not be run. */
  missed: Date[];
}

/**
 * What is due now, when `after` was the last slot dealt with (undefined: none is known, so nothing counts as missed).
 * However many slots passed, at most one run follows. A clock that was set back makes nothing due.
 */
export function dueSlot(
  job: { when: When; missed: "skip" | "run_once"; relevantMinutes: number },
  after: Date | undefined,
  now: Date,
  zone: string,
): DueSlot {
  const newest = newestSlot(job.when, now, zone);
  if (after !== undefined && newest <= after) return { missed: [] };
  const passed = after === undefined ? [newest] : slotsBetween(job.when, after, now, zone);
  const lateMs = now.getTime() - newest.getTime();
  const limitMs = (job.missed === "run_once" ? job.relevantMinutes : skipAfterMinutes(job.when)) * MINUTE_MS;
  if (lateMs >= limitMs) return { missed: after === undefined ? [] : passed };
  return { run: newest, missed: passed.slice(0, -1) };
}

/** `skip` still runs a slot that is a little late: until the next one is due, for a daily one within a quarter of an hour. */
function skipAfterMinutes(when: When): number {
  return when.kind === "every" ? when.minutes : 15;
}
