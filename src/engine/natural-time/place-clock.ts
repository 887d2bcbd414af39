import type { DateTime } from "luxon";
import type { ClockTime, DayPart, Frame } from "./frame.ts";
import type { Grain, Placed } from "./resolve.ts";

/** First and last hour of a part of the day, and the hour that stands for it. */
const PART_HOURS: Readonly<Record<DayPart, readonly [from: number, to: number, at: number]>> = {
  small_hours: [0, 5, 2],
  early_morning: [5, 9, 7],
  morning: [6, 12, 9],
  forenoon: [8, 12, 9],
  noon: [11, 14, 12],
  lunch: [12, 14, 12],
  afternoon: [13, 18, 15],
  dusk: [17, 19, 18],
  evening: [18, 24, 20],
  night: [22, 24, 23],
  end_of_work: [17, 19, 18],
  end_of_day: [17, 24, 18],
};

const midnight = (t: DateTime): DateTime => t.startOf("day");

const clockGrain = (clock: ClockTime): Grain => (clock.minute === 0 ? "hour" : "minute");

/** The 24-hour clock a hand points to, and whether it is past midnight of the day named. */
function hourOn(clock: ClockTime, part: DayPart | undefined): { hour: number; nextDay: boolean } | undefined {
  const { hour, half } = clock;
  if (hour === 24) return { hour: 0, nextDay: true };
  if (half === "exact" || hour > 12) return { hour, nextDay: false };
  if (half === "am") return { hour: hour % 12, nextDay: part === "evening" || part === "night" };
  if (half === "pm") return { hour: (hour % 12) + 12, nextDay: false };
  switch (part) {
    case undefined:
      return undefined;
    case "small_hours":
      return { hour: hour % 12, nextDay: false };
    case "early_morning":
    case "morning":
    case "forenoon":
      return { hour, nextDay: false };
    case "noon":
    case "lunch":
      return { hour: hour < 10 ? (hour % 12) + 12 : hour, nextDay: false };
    case "afternoon":
    case "dusk":
    case "end_of_work":
    case "end_of_day":
      return { hour: (hour % 12) + 12, nextDay: false };
    case "evening":
      if (hour === 12) return { hour: 0, nextDay: true };
      return hour < 5 ? { hour, nextDay: true } : { hour: hour + 12, nextDay: false };
    case "night":
      if (hour === 12) return { hour: 0, nextDay: true };
      return hour < 6 ? { hour, nextDay: true } : { hour: hour + 12, nextDay: false };
  }
}

const INVALID_HOUR = 25;

/** A clock time on the day named, or the next such instant. */
export function placeClock(frame: Frame, clock: ClockTime, day: Placed | undefined, now: DateTime): Placed | undefined {
  if (clock.hour >= INVALID_HOUR) return undefined;
  const today = midnight(now);
  const base = day?.start.startOf("day") ?? today;
  const set = (hour: number, on: DateTime): DateTime =>
    on.set({ hour, minute: clock.minute, second: 0, millisecond: 0 });
  const point = (start: DateTime): Placed | undefined =>
    start.isValid ? { start, grain: clockGrain(clock), until: start.plus({ minutes: 1 }), within: false } : undefined;
  const fixed = hourOn(clock, frame.part);
  if (fixed) {
    if (day) return point(set(fixed.hour, fixed.nextDay ? base.plus({ days: 1 }) : base));
    // Without a day the next such instant is meant, also "半夜2点" said at one in the night.
    const start = set(fixed.hour, today);
    return point(start > now ? start : set(fixed.hour, today.plus({ days: 1 })));
  }
  return point(placeLooseHour(clock, day === undefined ? undefined : base, now, set));
}

/** An hour said without morning or evening: by what people use it for, and ahead of now. */
function placeLooseHour(
  clock: ClockTime,
  day: DateTime | undefined,
  now: DateTime,
  set: (hour: number, on: DateTime) => DateTime,
): DateTime {
  const { hour } = clock;
  const today = midnight(now);
  const byUse = hour >= 1 && hour <= 6 ? hour + 12 : hour;
  const other = (byUse + 12) % 24;
  if (day && !day.equals(today)) return set(byUse, day);
  const first = set(byUse, today);
  if (first > now) return first;
  if (day || clock.loose) {
    const second = set(other, today);
    if (second > now && other >= 12) return second;
    if (day) return first;
  }
  return set(byUse, today.plus({ days: 1 }));
}

/** A part of the day named, or the next such part; inside it, a little later from now. */
export function placePart(part: DayPart, day: DateTime | undefined, now: DateTime): Placed {
  const [from, to, usual] = PART_HOURS[part];
  const on = (base: DateTime): Placed => {
    const begin = base.set({ hour: from, minute: 0, second: 0, millisecond: 0 });
    const until = to === 24 ? base.plus({ days: 1 }) : base.set({ hour: to, minute: 0, second: 0, millisecond: 0 });
    const usually = base.set({ hour: usual, minute: 0, second: 0, millisecond: 0 });
    // In the middle of the part itself: a little later from now, still inside.
    const soon = now.plus({ minutes: 30 });
    const start = usually > now || now < begin || now >= until ? usually : soon < until ? soon : now;
    return { start, grain: "hour", until, within: true };
  };
  if (day) return on(day.startOf("day"));
  const today = on(midnight(now));
  return today.until > now ? today : on(midnight(now).plus({ days: 1 }));
}
