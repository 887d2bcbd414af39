import type { HolidayName } from "./holidays.ts";

/** Parts of a day people name instead of a clock time. */
export type DayPart =
  | "small_hours"
  | "early_morning"
  | "morning"
  | "forenoon"
  | "noon"
  | "lunch"
  | "afternoon"
  | "dusk"
  | "evening"
  | "night"
  | "end_of_work"
  | "end_of_day";

/** A clock time. Without `half` an hour up to 12 may be meant twice a day; `exact` hours are on the 24-hour clock. */
export interface ClockTime {
  hour: number;
  minute: number;
  half?: "am" | "pm" | "exact";
  /** Written as "at 8" or "8 o'clock": the next such hour in 12 is meant, by day or by night. */
  loose?: boolean;
}

export interface Span {
  years?: number;
  months?: number;
  weeks?: number;
  days?: number;
  /** Monday to Friday; holidays are not known. */
  workdays?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** An edge of a unit of the calendar: the end of the month, the start of next week … */
export interface Edge {
  at: "start" | "early" | "middle" | "late" | "end";
  of: "week" | "month" | "quarter" | "year";
}

/** What a piece of text says about a time, before it is placed on the calendar. Absent = not said. */
export interface Frame {
  year?: number;
  yearShift?: number;
  month?: number;
  monthShift?: number;
  day?: number;
  weekday?: number;
  weekShift?: number;
  dayShift?: number;
  /** The n-th (or last: -1) such weekday, day or week of the month or year named. */
  nth?: { n: number; what: number | "day" | "week" | "weekend" };
  holiday?: HolidayName;
  /** Lunar month and day. */
  lunar?: { month: number; day: number };
  weekend?: true;
  quarter?: number;
  quarterShift?: number;
  halfYear?: 1 | 2;
  edge?: Edge;
  part?: DayPart;
  clock?: ClockTime;
  /** From now, or from the day the rest of the frame names. Negative = ago. */
  span?: Span;
  /** This many such weekdays on. */
  weekdaysOn?: { n: number; weekday: number };
  zone?: string;
  now?: true;
  /** "this time tomorrow": at the hour and minute it is now. */
  sameClock?: true;
  mode?: "by" | "within" | "after";
  recurring?: true;
  /** So loose that no date should be made of it without being asked to (这两天, in a few days). */
  vague?: true;
}

/** A stretch of text read as one thing. */
export interface Piece {
  from: number;
  to: number;
  lang: "zh" | "en" | "any";
  frame: Frame;
  /** The far end of a range written in one go (3-4pm, July 13-15). */
  end?: Frame;
  /** Says a time only beside another piece ("8" in "8 tonight", a bare "45 min"). */
  latent?: true;
  /** Not even when it is the whole text ("4a" is a flat). */
  lone?: false;
  /** A span counted from what follows ("3 days" in "3 days from Tuesday"). */
  bare?: true;
}

type Slot = keyof Frame;

/** Slots that, said twice in different ways, are two times and not one. */
const SAME_SLOT: readonly (readonly Slot[])[] = [
  ["span", "dayShift", "holiday", "lunar", "edge", "nth", "weekend", "weekdaysOn", "now"],
  ["span", "day"],
  ["span", "weekday"],
  ["span", "month", "quarter", "halfYear"],
  ["span", "weekShift"],
  ["month", "monthShift"],
  ["year", "yearShift"],
  ["weekday", "weekend"],
  ["dayShift", "weekShift"],
  ["dayShift", "monthShift"],
];

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Both frames as one, or undefined when they speak of two different times. */
export function mergeFrames(a: Frame, b: Frame): Frame | undefined {
  for (const slot of Object.keys(b) as Slot[]) {
    if (slot === "mode" || slot === "recurring" || slot === "vague") continue;
    if (a[slot] !== undefined && !same(a[slot], b[slot])) return undefined;
  }
  for (const group of SAME_SLOT) {
    const inA = group.find((slot) => a[slot] !== undefined);
    const inB = group.find((slot) => b[slot] !== undefined);
    if (inA !== undefined && inB !== undefined && inA !== inB) return undefined;
  }
  if (a.now || b.now) return undefined;
  const spanInHours = (f: Frame): boolean => f.span?.hours !== undefined || f.span?.minutes !== undefined;
  if ((spanInHours(a) && (b.clock ?? b.part)) || (spanInHours(b) && (a.clock ?? a.part))) return undefined;
  return { ...a, ...b };
}

/** Does the frame name a day (or something longer), not only a time of day? */
export function namesADay(frame: Frame): boolean {
  const {
    part: _part,
    clock: _clock,
    sameClock: _same,
    zone: _zone,
    mode: _mode,
    recurring: _recurring,
    vague: _vague,
    ...rest
  } = frame;
  return Object.keys(rest).length > 0;
}
