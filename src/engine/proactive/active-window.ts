import { DateTime } from "luxon";

/** `from` belongs to the window, `until` no longer does. Both "HH:mm" on the person's wall clock. */
export interface ActiveWindow {
  activeFrom: string;
  activeUntil: string;
}

/**
 * May the person be spoken to at this instant? A window over midnight (22:00–06:00) is possible; one whose two ends are
 * equal is the whole day.
 */
export function isInActiveWindow(now: Date, zone: string, window: ActiveWindow): boolean {
  const from = minutesOf(window.activeFrom);
  const until = minutesOf(window.activeUntil);
  const local = DateTime.fromJSDate(now, { zone });
  const minute = local.hour * 60 + local.minute;
  if (from === until) return true;
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** `now` itself inside the window, else the next instant it opens. In the hour a clock change leaves out, the next valid one. */
export function nextOpening(now: Date, zone: string, window: ActiveWindow): Date {
  if (isInActiveWindow(now, zone, window)) return now;
  const from = minutesOf(window.activeFrom);
  const today = DateTime.fromJSDate(now, { zone }).startOf("day");
  for (const day of [today, today.plus({ days: 1 })]) {
    const opening = day.set({ hour: Math.floor(from / 60), minute: from % 60 });
    if (opening.toMillis() > now.getTime()) return opening.toJSDate();
  }
  return today.plus({ days: 1 }).toJSDate();
}

function minutesOf(clock: string): number {
  const [hours = "0", minutes = "0"] = clock.split(":");
  return Number(hours) * 60 + Number(minutes);
}
