import { DateTime, type DurationLike } from "luxon";
import type { Frame, Span } from "./frame.ts";
import { holidayDate, nthWeekday } from "./holidays.ts";
import { lunarDate } from "./lunar.ts";
import { placeClock, placePart } from "./place-clock.ts";

export type Grain = "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year";

/** A frame placed on the calendar. `window`: any instant from start's day part to here is what was meant. */
export interface Placed {
  start: DateTime;
  grain: Grain;
  /** Exclusive end of the window or of the day, week, … meant. */
  until: DateTime;
  /** A part of a day, a weekend, the end of a month: not a point. */
  within: boolean;
}

const midnight = (t: DateTime): DateTime => t.startOf("day");
const monday = (t: DateTime): DateTime => t.startOf("week");

/** Where on the calendar a frame lies for somebody at `now` (in their zone); undefined when there is no such time. */
export function placeFrame(frame: Frame, now: DateTime): Placed | undefined {
  if (frame.now) return { start: now, grain: "minute", until: now.plus({ minutes: 1 }), within: false };
  if (frame.zone !== undefined && frame.clock) return placeInZone(frame, now, frame.zone);
  if (frame.sameClock) return placeSameClock(frame, now);
  const span = frame.span;
  if (span) return placeSpan(frame, span, now);
  const day = placeDay(frame, now);
  if (day === "impossible") return undefined;
  if (frame.clock) return laterToday(frame, placeClock(frame, frame.clock, day, now), now);
  if (frame.part) return placePart(frame.part, day?.start, now);
  return day;
}

/** "周五17:00" said on a Friday morning is today: that hour still lies ahead. Without an hour it is the next Friday. */
function laterToday(frame: Frame, placed: Placed | undefined, now: DateTime): Placed | undefined {
  if (!placed || frame.weekday !== now.weekday || frame.weekShift !== undefined) return placed;
  if (frame.day !== undefined || frame.nth || frame.weekdaysOn || frame.holiday !== undefined || frame.lunar)
    return placed;
  const today = placed.start.minus({ weeks: 1 });
  return today > now ? { ...placed, start: today, until: placed.until.minus({ weeks: 1 }) } : placed;
}

/** "this time tomorrow", "明天这个时候"; "this time next week" is seven days from now. */
function placeSameClock({ sameClock: _same, ...frame }: Frame, now: DateTime): Placed | undefined {
  const clock = { hour: now.hour, minute: now.minute, half: "exact" as const };
  const { weekShift, ...rest } = frame;
  if (weekShift !== undefined && rest.weekday === undefined)
    return placeFrame({ ...rest, clock, dayShift: weekShift * 7 }, now);
  return placeFrame({ ...frame, clock }, now);
}

function placeInZone(frame: Frame, now: DateTime, zone: string): Placed | undefined {
  const there = now.setZone(zone);
  if (!there.isValid) return undefined;
  const { zone: _zone, ...rest } = frame;
  const placed = placeFrame(rest, there);
  return placed && { ...placed, start: placed.start.setZone(now.zone), until: placed.until.setZone(now.zone) };
}

/** now (or the day named) plus a span: hours and minutes by the clock's run, days and longer by the calendar. */
function placeSpan(frame: Frame, span: Span, now: DateTime): Placed | undefined {
  const { span: _span, clock, part, mode: _mode, vague: _vague, recurring: _recurring, ...rest } = frame;
  const anchor = Object.keys(rest).length > 0 ? placeDay(rest, now) : undefined;
  if (anchor === "impossible") return undefined;
  if (span.workdays !== undefined) {
    const day = oneDay(afterWorkdays(midnight(anchor?.start ?? now), Math.round(span.workdays)));
    if (clock) return placeClock(frame, clock, day, now);
    return part ? placePart(part, day.start, now) : day;
  }
  const { calendar, seconds } = splitSpan(span);
  if (seconds !== 0) {
    const from = anchor?.start ?? now;
    const start = from.plus(calendar).plus({ seconds });
    return start.isValid ? { start, grain: "minute", until: start.plus({ minutes: 1 }), within: false } : undefined;
  }
  const start = midnight((anchor?.start ?? now).plus(calendar));
  if (!start.isValid) return undefined;
  const day: Placed = { start, grain: "day", until: start.plus({ days: 1 }), within: false };
  if (clock) return placeClock(frame, clock, day, now);
  if (part) return placePart(part, start, now);
  return day;
}

/** The n-th day from Monday to Friday after (or before) a day. */
function afterWorkdays(from: DateTime, n: number): DateTime {
  let day = from;
  for (let left = Math.min(Math.abs(n), 400); left > 0; ) {
    day = day.plus({ days: n < 0 ? -1 : 1 });
    if (day.weekday <= 5) left -= 1;
  }
  return day;
}

/** Whole days and longer apart from the rest in seconds; half a month is 15 days, half a day 12 hours. */
function splitSpan(span: Span): { calendar: DurationLike; seconds: number } {
  const whole = (n: number | undefined): number => Math.trunc(n ?? 0);
  const part = (n: number | undefined): number => (n ?? 0) - Math.trunc(n ?? 0);
  const months = (span.months ?? 0) + part(span.years) * 12;
  const days = (span.days ?? 0) + part(months) * 30 + part(span.weeks) * 7;
  const calendar = { years: whole(span.years), months: whole(months), weeks: whole(span.weeks), days: whole(days) };
  const rest = span.weeks !== undefined && part(span.weeks) !== 0 ? Math.round(part(days) * 2) / 2 : part(days);
  const seconds = Math.round(rest * 86_400 + (span.hours ?? 0) * 3600 + (span.minutes ?? 0) * 60 + (span.seconds ?? 0));
  return { calendar, seconds };
}

const oneDay = (start: DateTime): Placed => ({ start, grain: "day", until: start.plus({ days: 1 }), within: false });
const window = (start: DateTime, until: DateTime): Placed => ({ start, grain: "day", until, within: true });

/** The day (week, month …) a frame names; undefined when it names none, "impossible" when there is no such day. */
function placeDay(frame: Frame, now: DateTime): Placed | undefined | "impossible" {
  const today = midnight(now);
  const year = frame.year ?? (frame.yearShift === undefined ? undefined : now.year + frame.yearShift);
  if (frame.holiday !== undefined) {
    const holiday = frame.holiday;
    return nextOf((y) => holidayDate(holiday, y), year, today);
  }
  if (frame.lunar) {
    const { month, day } = frame.lunar;
    return nextOf((y) => lunarDate(y, month, day), year, today);
  }
  if (frame.weekdaysOn) {
    const first = today.plus({ days: daysTo(frame.weekdaysOn.weekday, today) });
    return oneDay(first.plus({ weeks: frame.weekdaysOn.n - 1 }));
  }
  if (frame.day !== undefined) return placeDate(frame, frame.day, year, today);
  if (frame.nth) return placeNth(frame, frame.nth, year, today);
  if (frame.dayShift !== undefined && !frame.edge) return oneDay(today.plus({ days: frame.dayShift }));
  if (frame.edge) return placeEdge(frame, frame.edge, year, now);
  if (frame.weekend) return placeWeekend(frame.weekShift, now);
  if (frame.weekday !== undefined) {
    if (frame.weekShift === undefined) return oneDay(today.plus({ days: daysTo(frame.weekday, today) }));
    return oneDay(monday(today).plus({ weeks: frame.weekShift, days: frame.weekday - 1 }));
  }
  return placeUnit(frame, year, now);
}

/** Days to the next such weekday after today (1 to 7). */
const daysTo = (weekday: number, today: DateTime): number => ((weekday - today.weekday + 6) % 7) + 1;

function nextOf(
  dayIn: (year: number) => { year: number; month: number; day: number } | undefined,
  year: number | undefined,
  today: DateTime,
): Placed | "impossible" {
  const years = year === undefined ? [today.year - 1, today.year, today.year + 1, today.year + 2] : [year];
  for (const y of years) {
    const date = dayIn(y);
    if (!date) continue;
    const start = today.set(date);
    if (year !== undefined || start >= today) return oneDay(start);
  }
  return "impossible";
}

function placeDate(frame: Frame, day: number, year: number | undefined, today: DateTime): Placed | "impossible" {
  const exists = (y: number, m: number): DateTime | undefined => {
    const d = DateTime.fromObject({ year: y, month: m, day }, { zone: today.zone });
    return d.isValid ? d : undefined;
  };
  if (frame.month !== undefined) {
    const month = frame.month;
    if (year !== undefined) {
      const at = exists(year, month);
      return at ? oneDay(at) : "impossible";
    }
    // 29 February waits for the next leap year.
    for (let y = today.year; y <= today.year + (month === 2 && day === 29 ? 8 : 1); y++) {
      const at = exists(y, month);
      if (at && at >= today) return oneDay(at);
    }
    return "impossible";
  }
  const first = today.startOf("month");
  if (frame.monthShift !== undefined) {
    const month = first.plus({ months: frame.monthShift });
    const at = exists(month.year, month.month);
    return at ? oneDay(at) : "impossible";
  }
  for (let i = 0; i < 14; i++) {
    const month = first.plus({ months: i });
    const at = exists(month.year, month.month);
    if (at && at >= today && (frame.weekday === undefined || at.weekday === frame.weekday)) return oneDay(at);
  }
  return "impossible";
}

function placeNth(
  frame: Frame,
  nth: NonNullable<Frame["nth"]>,
  year: number | undefined,
  today: DateTime,
): Placed | "impossible" {
  if (frame.month === undefined && frame.monthShift === undefined) {
    if (year === undefined) return "impossible";
    const start = today.set({ year, month: 1, day: 1 });
    if (nth.what === "day")
      return oneDay(nth.n < 0 ? start.endOf("year").startOf("day") : start.plus({ days: nth.n - 1 }));
  }
  const shifted = today.startOf("month").plus({ months: frame.monthShift ?? 0 });
  const month = frame.month ?? shifted.month;
  const tries =
    year !== undefined ? [year] : frame.monthShift !== undefined ? [shifted.year] : [today.year, today.year + 1];
  for (const y of tries) {
    const placed = nthInMonth(today.set({ year: y, month, day: 1 }), nth);
    if (placed === undefined) return "impossible";
    if (placed.until > today || tries.length === 1) return placed;
  }
  return "impossible";
}

function nthInMonth(first: DateTime, nth: NonNullable<Frame["nth"]>): Placed | undefined {
  const days = first.daysInMonth ?? 30;
  if (nth.what === "day") return oneDay(first.set({ day: nth.n < 0 ? days : Math.min(nth.n, days) }));
  if (nth.what === "week") {
    // Whole weeks of the month: the first begins on its first Monday, the last ends on its last Sunday.
    const firstMonday = first.plus({ days: (8 - first.weekday) % 7 });
    const lastSunday = first.set({ day: days }).minus({ days: first.set({ day: days }).weekday % 7 });
    const start = nth.n < 0 ? lastSunday.minus({ days: 6 }) : firstMonday.plus({ weeks: nth.n - 1 });
    return { start, grain: "week", until: start.plus({ weeks: 1 }), within: false };
  }
  const day = nthWeekday(first.year, first.month, nth.n, nth.what === "weekend" ? 6 : nth.what);
  if (day === undefined) return undefined;
  const start = first.set({ day });
  return nth.what === "weekend" ? window(start, start.plus({ days: 2 })) : oneDay(start);
}

function placeWeekend(weekShift: number | undefined, now: DateTime): Placed {
  const saturday = monday(now).plus({ weeks: weekShift ?? 0, days: 5 });
  const sunday = saturday.plus({ days: 1 });
  const today = midnight(now);
  return window(today.equals(sunday) ? sunday : saturday, saturday.plus({ days: 2 }));
}

function placeUnit(frame: Frame, year: number | undefined, now: DateTime): Placed | undefined {
  const today = midnight(now);
  if (frame.weekShift !== undefined) {
    const start = monday(today).plus({ weeks: frame.weekShift });
    return {
      start: frame.weekShift === 0 ? today : start,
      grain: "week",
      until: start.plus({ weeks: 1 }),
      within: false,
    };
  }
  const first = today.startOf("month");
  if (frame.monthShift !== undefined || frame.month !== undefined) {
    const start = monthOf(frame, year, first);
    return { start, grain: "month", until: start.plus({ months: 1 }), within: false };
  }
  if (frame.quarter !== undefined || frame.quarterShift !== undefined) {
    const start = quarterOf(frame, year, first);
    return { start, grain: "quarter", until: start.plus({ months: 3 }), within: false };
  }
  if (frame.halfYear !== undefined) {
    const start = first.set({ year: year ?? now.year, month: frame.halfYear === 1 ? 1 : 7 });
    const next = year === undefined && start.plus({ months: 6 }) <= today ? start.plus({ years: 1 }) : start;
    return { start: next, grain: "month", until: next.plus({ months: 6 }), within: true };
  }
  if (year !== undefined) {
    const start = first.set({ year, month: 1 });
    return { start, grain: "year", until: start.plus({ years: 1 }), within: false };
  }
  return undefined;
}

/** First day of the month a frame names: the next such month when no year is said. */
function monthOf(frame: Frame, year: number | undefined, thisMonth: DateTime): DateTime {
  if (frame.month === undefined) return thisMonth.plus({ months: frame.monthShift ?? 0 });
  if (year !== undefined) return thisMonth.set({ year, month: frame.month });
  const start = thisMonth.set({ month: frame.month });
  return start < thisMonth ? start.plus({ years: 1 }) : start;
}

function quarterOf(frame: Frame, year: number | undefined, thisMonth: DateTime): DateTime {
  const thisQuarter = thisMonth.startOf("quarter");
  if (frame.quarter === undefined) return thisQuarter.plus({ months: 3 * (frame.quarterShift ?? 0) });
  const start = thisMonth.set({ year: year ?? thisMonth.year, month: frame.quarter * 3 - 2 });
  return year === undefined && start < thisQuarter ? start.plus({ years: 1 }) : start;
}

/** The start, middle or end of a unit. The end is its last day: what is due "by the end of the month" is due then. */
function placeEdge(frame: Frame, edge: NonNullable<Frame["edge"]>, year: number | undefined, now: DateTime): Placed {
  const today = midnight(now);
  if (edge.of === "week") {
    const start = monday(today).plus({ weeks: frame.weekShift ?? 0 });
    const week: Readonly<Record<typeof edge.at, readonly [number, number]>> = {
      start: [0, 3],
      early: [0, 3],
      middle: [2, 4],
      late: [3, 7],
      end: [4, 7],
    };
    const [from, to] = week[edge.at];
    return ahead(
      window(start.plus({ days: from }), start.plus({ days: to })),
      today,
      frame.weekShift === undefined ? { weeks: 1 } : undefined,
    );
  }
  if (edge.of === "month") {
    let start = monthOf(frame, year, today.startOf("month"));
    const place = (first: DateTime): Placed => {
      const next = first.plus({ months: 1 });
      const days = first.daysInMonth ?? 30;
      if (edge.at === "start" || edge.at === "early") return window(first, first.plus({ days: 10 }));
      if (edge.at === "middle") return { ...window(first.set({ day: 15 }), first.set({ day: 21 })) };
      if (edge.at === "late") return window(first.set({ day: 25 }), next);
      return window(first.set({ day: days }), next);
    };
    if (place(start).until <= today) start = start.plus(frame.month === undefined ? { months: 1 } : { years: 1 });
    return place(start);
  }
  if (edge.of === "quarter") {
    const start = quarterOf(frame, year, today.startOf("month"));
    const next = start.plus({ months: 3 });
    return edge.at === "end" || edge.at === "late"
      ? window(next.minus({ days: 1 }), next)
      : window(edge.at === "middle" ? start.plus({ months: 1, days: 14 }) : start, start.plus({ months: 2 }));
  }
  const start = today.set({ year: year ?? today.year, month: 1, day: 1 });
  const next = start.plus({ years: 1 });
  if (edge.at === "end" || edge.at === "late") return window(next.minus({ days: 1 }), next);
  const placed =
    edge.at === "middle"
      ? window(start.set({ month: 6, day: 15 }), start.set({ month: 8 }))
      : window(start, start.plus({ months: 2 }));
  return ahead(placed, today, year === undefined ? { years: 1 } : undefined);
}

/** The same window one unit on when it is over. */
function ahead(placed: Placed, today: DateTime, by: DurationLike | undefined): Placed {
  if (placed.until > today || by === undefined)
    return placed.start < today && placed.until > today ? { ...placed, start: today } : placed;
  return { ...placed, start: placed.start.plus(by), until: placed.until.plus(by) };
}
