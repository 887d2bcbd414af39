import type { Clock } from "../../src/engine/ports.ts";

/** A clock that stands until the test moves it. */
export type FixedClock = Clock & {
  set(to: Date | string): void;
  /** Forward, or back with a negative amount. */
  advance(by: { ms?: number; seconds?: number; minutes?: number; hours?: number; days?: number }): Date;
};

export function fixedClock(start: Date | string): FixedClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    set(to) {
      now = new Date(to);
    },
    advance({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      now = new Date(now.getTime() + ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days))));
      return new Date(now);
    },
  };
}
