import { DateTime } from "luxon";
import type { Evidence } from "../evidence.ts";
import type { Grain, Momentum } from "../tracking/item.ts";
import { nextOpening } from "./active-window.ts";
import { coolDownEnds, type DisturbSettings, type MatterState, TIMELY_HOURS } from "./disturb-rules.ts";

const HOUR_MS = 3_600_000;
/** So long before a clock time it is worth a look again. */
const SHORTLY_BEFORE_HOURS = 2;
/** After so many quiet hours a matter without a date near is worth a word. */
export const QUIET_HOURS: Readonly<Record<Momentum, number>> = {
  stalled: 8,
  waiting: 24,
  time_sensitive: 24,
  on_track: 48,
};

/** What is asked about an item: its state, its date's grain, and its lines. */
export interface DatedMatter extends MatterState {
  dueGrain: Grain | null;
  createdAt: Date;
  evidence: readonly Evidence[];
}

/**
 * The instants at which an open item becomes worth a look although nobody has said anything new: the time the person chose,
 * the moments around its date, the end of the cool-down after a reminder, and a long silence.
 */
export function itemMoments(item: DatedMatter, zone: string, settings: DisturbSettings, weight: number): Date[] {
  const coolDown = item.ignoredCount < settings.stopAfterIgnored ? coolDownEnds(item, settings, weight) : undefined;
  const quiet = new Date(lastHeard(item).getTime() + QUIET_HOURS[item.momentum] * HOUR_MS);
  return [
    ...(item.snoozedUntil ? [item.snoozedUntil] : []),
    ...dueMoments(item, zone, settings),
    ...(coolDown ? [coolDown] : []),
    quiet,
  ];
}

/** When somebody last said something about the item. */
export function lastHeard(item: { createdAt: Date; evidence: readonly Evidence[] }): Date {
  const times = item.evidence.map((e) => e.at.getTime());
  return times.length > 0 ? new Date(Math.max(...times)) : item.createdAt;
}

/** A day and a half before the date, when its day opens, shortly before a clock time, and when its time has passed. */
function dueMoments(
  item: { dueAt: Date | null; dueGrain: Grain | null },
  zone: string,
  window: DisturbSettings,
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
