import { DateTime } from "luxon";
import type { Grain } from "../tracking/item.ts";
import { type ActiveWindow, nextOpening } from "./active-window.ts";
import { TIMELY_HOURS } from "./disturb-rules.ts";

/** So long before a clock time it is worth a look again. */
const SHORTLY_BEFORE_HOURS = 2;

/**
 * The instants at which a dated matter becomes worth a look although nobody has said anything new: a day and a half
 * before, when its day opens, shortly before a clock time, and when its time has passed.
 */
export function criticalMoments(
  item: { dueAt: Date | null; dueGrain: Grain | null },
  zone: string,
  window: ActiveWindow,
): Date[] {
  if (!item.dueAt) return [];
  const due = DateTime.fromJSDate(item.dueAt, { zone });
  const opening = nextOpening(due.startOf("day").toJSDate(), zone, window);
  const clock = item.dueGrain === "minute" || item.dueGrain === "hour";
  return [
    due.minus({ hours: TIMELY_HOURS }).toJSDate(),
    opening,
    ...(clock ? [due.minus({ hours: SHORTLY_BEFORE_HOURS }).toJSDate(), due.plus({ hours: 1 }).toJSDate()] : []),
    // A day, week or month has passed when it has ended.
    ...(clock ? [] : [endOfGrain(due, item.dueGrain).toJSDate()]),
  ];
}

/** When a date of this grain has run out: a clock time at once, a day at its end. */
export function endOfGrain(due: DateTime, grain: Grain | null): DateTime {
  if (grain === "minute" || grain === "hour") return due;
  const unit = grain === "week" ? "week" : grain === "month" ? "month" : "day";
  return due.startOf(unit).plus({ [unit]: 1 });
}

/** Is the date of this item over? */
export function isOverdue(item: { dueAt: Date | null; dueGrain: Grain | null }, now: Date, zone: string): boolean {
  if (!item.dueAt) return false;
  return endOfGrain(DateTime.fromJSDate(item.dueAt, { zone }), item.dueGrain).toMillis() <= now.getTime();
}
