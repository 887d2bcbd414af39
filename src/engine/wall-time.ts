import { DateTime } from "luxon";

/** Hours and minutes on the wall of a zone. */
export interface WallTime {
  hour: number;
  minute: number;
}

/** Reads "HH:MM" (00:00 to 23:59). @throws RangeError otherwise */
export function parseWallTime(text: string): WallTime {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!match) throw new RangeError(`expected HH:MM, got ${text}`);
  return { hour: Number(match[1]), minute: Number(match[2]) };
}

/**
 * The instant at which a zone's wall clock shows `time` on the day `days` after the one `near` falls on. When the clocks
 * skip that time, the first minute after the gap; when they show it twice, the first of the two.
 */
export function wallInstant(near: Date, zone: string, time: WallTime, days = 0): Date {
  const day = DateTime.fromJSDate(near, { zone }).startOf("day").plus({ days });
  const naive = DateTime.fromObject({ year: day.year, month: day.month, day: day.day, ...time }, { zone });
  if (naive.hour !== time.hour || naive.minute !== time.minute) return endOfGap(naive);
  // In a repeated hour luxon may name either instant: step back by the shift and see whether the wall says the same.
  for (const minutes of [120, 60, 30]) {
    const earlier = naive.minus({ minutes });
    if (earlier.hour === time.hour && earlier.minute === time.minute && earlier.day === naive.day) {
      return earlier.toJSDate();
    }
  }
  return naive.toJSDate();
}

/** luxon moves a skipped time forward by the gap's length: the gap ends at the change of offset before it. */
function endOfGap(after: DateTime): Date {
  let minute = after.startOf("minute");
  while (minute.minus({ minutes: 1 }).offset === minute.offset) minute = minute.minus({ minutes: 1 });
  return minute.toJSDate();
}
