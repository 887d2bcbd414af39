import { DateTime } from "luxon";
import { type ActiveWindow, nextOpening } from "../active-window.ts";
import { wallInstant } from "../wall-time.ts";

/** The fixed choices of the buttons. */
export const snoozeChoices = ["1h", "evening", "tomorrow", "next_week"] as const;
export type SnoozeChoice = (typeof snoozeChoices)[number];

const EVENING = { hour: 18, minute: 0 };
const MORNING = { hour: 9, minute: 0 };
/** "This evening", said in the evening. */
const LATER_HOURS = 3;

/**
 * The instant a fixed choice means on the person's wall. One that would fall into the quiet hours moves to their end, so
 * that what the card says is when Herald will really speak.
 */
export function snoozeUntil(choice: SnoozeChoice, now: Date, zone: string, window: ActiveWindow): Date {
  return nextOpening(named(choice, now, zone), zone, window);
}

function named(choice: SnoozeChoice, now: Date, zone: string): Date {
  switch (choice) {
    case "1h":
      return later(now, 1);
    case "evening": {
      const evening = wallInstant(now, zone, EVENING);
      return evening > now ? evening : later(now, LATER_HOURS);
    }
    case "tomorrow":
      return wallInstant(now, zone, MORNING, 1);
    case "next_week": {
      const weekday = DateTime.fromJSDate(now, { zone }).weekday;
      return wallInstant(now, zone, MORNING, 8 - weekday);
    }
  }
}

function later(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * 3_600_000);
}
