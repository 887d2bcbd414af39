import { instantOf, wallClock } from "./format-time.ts";

/** The time machine's buttons, in their order. */
export const JUMPS = ["hour", "tonight", "morning", "day", "week"] as const;
export type Jump = (typeof JUMPS)[number];

const HOUR_MS = 60 * 60 * 1000;
const EVENING_HOUR = 19;
const MORNING_HOUR = 9;

/**
 * Where a button of the time machine leads. "Tonight" is the next 19:00 and "morning" the next day's 09:00 on the
 * zone's wall clock; a day and a week keep the wall clock over changes of the clocks.
 */
export function jumpTarget(jump: Jump, nowMs: number, timeZone: string): number {
  const wall = wallClock(nowMs, timeZone);
  const at = (days: number, hour: number, minute: number): number =>
    instantOf({ ...wall, day: wall.day + days, hour, minute }, timeZone);
  switch (jump) {
    case "hour":
      return nowMs + HOUR_MS;
    case "tonight":
      return at(0, EVENING_HOUR, 0) > nowMs ? at(0, EVENING_HOUR, 0) : at(1, EVENING_HOUR, 0);
    case "morning":
      return at(1, MORNING_HOUR, 0);
    case "day":
      return at(1, wall.hour, wall.minute);
    case "week":
      return at(7, wall.hour, wall.minute);
    default:
      return jump satisfies never;
  }
}
