import { DateTime } from "luxon";

/** A date on a zone's wall, and the instants between which it lies: 23 or 25 hours where the clocks change. */
export interface Day {
  /** YYYY-MM-DD */
  date: string;
  zone: string;
  from: Date;
  to: Date;
}

/** @returns undefined for what is no date */
export function dayOf(date: string, zone: string): Day | undefined {
  const from = DateTime.fromISO(date, { zone }).startOf("day");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !from.isValid || from.year < 2000 || from.year > 2200) return undefined;
  return { date, zone, from: from.toJSDate(), to: from.plus({ days: 1 }).startOf("day").toJSDate() };
}

/** The date that an instant falls on. */
export function dateOf(at: Date, zone: string): string {
  return DateTime.fromJSDate(at, { zone }).toFormat("yyyy-MM-dd");
}

/** So many days before (negative: after) a date. */
export function daysBefore(date: string, days: number): string {
  return DateTime.fromISO(date, { zone: "utc" }).minus({ days }).toFormat("yyyy-MM-dd");
}
