import type { Clock } from "./engine/ports.ts";

/** The process' one clock: the machine's time, moved by as much as the time machine or /dev/clock has jumped. */
export interface ProcessClock extends Clock {
  /** From now on `now()` goes on from `to`. */
  set(to: Date): void;
}

/** @param startAt when given, the clock begins there instead of at the machine's time */
export function processClock(startAt?: Date): ProcessClock {
  let offsetMs = startAt === undefined ? 0 : startAt.getTime() - Date.now();
  return {
    now: () => new Date(Date.now() + offsetMs),
    set(to): void {
      offsetMs = to.getTime() - Date.now();
    },
  };
}
