import { DateTime } from "luxon";
import { nextOpening } from "../active-window.ts";
import type { Grain, Momentum } from "../tracking/item.ts";
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
  evidence: readonly { at: Date }[];
}

/** The longest a date's last moment can lie behind it: the end of a month. */
const LONGEST_GRAIN_MS = 32 * 24 * HOUR_MS;

/** Instants after `after` (all of them when undefined) up to and including `until`. */
export interface Span {
  after: Date | undefined;
  until: Date;
}

/**
 * Does an instant lie in the span at which an open item becomes worth a look although nobody has said anything new? These
 * are: the time the person chose, the moments around its date, the end of the cool-down after a reminder, and a long
 * silence. Calendars are asked only when the date is near: this is done for every item at every tick.
 */
export function hasMomentIn(
  span: Span,
  item: DatedMatter,
  zone: string,
  settings: DisturbSettings,
  weight: number,
): boolean {
  const isIn = (at: Date | null | undefined): boolean =>
    at !== null && at !== undefined && at <= span.until && (span.after === undefined || at > span.after);
  if (isIn(item.snoozedUntil)) return true;
  if (isIn(new Date(lastHeard(item).getTime() + QUIET_HOURS[item.momentum] * HOUR_MS))) return true;
  if (item.ignoredCount < settings.stopAfterIgnored && isIn(coolDownEnds(item, settings, weight))) return true;
  if (!item.dueAt || item.dueAt.getTime() - TIMELY_HOURS * HOUR_MS > span.until.getTime()) return false;
  if (span.after && item.dueAt.getTime() + LONGEST_GRAIN_MS < span.after.getTime()) return false;
  return dueMoments(item, zone, settings).some(isIn);
}

/** When somebody last said something about the item. */
export function lastHeard(item: { createdAt: Date; evidence: readonly { at: Date }[] }): Date {
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
