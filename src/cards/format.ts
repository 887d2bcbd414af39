import { type Language, textsFor } from "../text/pick.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Where, when and in which language a time is read. */
export type Reading = { readonly language: Language; readonly zone: string; readonly now: Date };

/** Times in words, for one reader. */
export type Format = {
  /** A clock time with the day it falls on: 昨天 18:00, tomorrow 09:00, 5月3日 周五 09:00. */
  readonly when: (at: Date) => string;
  /** The day alone, with the year when it is another: 5月3日, 3 May 2025. */
  readonly day: (at: Date) => string;
  /** The day as people name it, for what has no hour: 今天, tomorrow, 5月9日 周五. */
  readonly dayInWords: (at: Date) => string;
  /** Distance to now: 2 小时后, 3 days ago. */
  readonly fromNow: (at: Date) => string;
  /** Both at once: 明天 09:00（20 小时后）. */
  readonly whenAndFromNow: (at: Date) => string;
  /** Time since `at`, without "ago": 3 天. Never negative. */
  readonly age: (at: Date) => string;
  /** A length in its largest whole unit, rounded down: 90 s → 1 分钟. `ms` below a second reads as 0 seconds. */
  readonly duration: (ms: number) => string;
};

/** Words for times, for one reader. Invalid dates read as "?" so that one bad row cannot lose a whole card. */
export function formatFor(reading: Reading): Format {
  const t = textsFor(reading.language).time;
  const nowMs = reading.now.getTime();

  const duration = (ms: number): string => {
    const seconds = Math.floor(Math.abs(ms) / 1000);
    if (seconds < 60) return t.seconds(seconds);
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return t.minutes(minutes);
    const hours = Math.floor(minutes / 60);
    if (hours < 48) return hours < 24 ? t.hours(hours) : t.days(1);
    const days = Math.floor(hours / 24);
    if (days < 14) return t.days(days);
    return days < 60 ? t.weeks(Math.floor(days / 7)) : t.months(Math.floor(days / 30));
  };

  const fromNow = (at: Date): string => {
    const ms = at.getTime() - nowMs;
    if (Number.isNaN(ms)) return "?";
    if (Math.abs(ms) < MINUTE_MS) return ms > 0 ? t.soon : t.justNow;
    // Rounded to the minute first, so that what was set "in 2 hours" a few seconds ago still reads so.
    const length = duration(Math.round(Math.abs(ms) / MINUTE_MS) * MINUTE_MS);
    return ms > 0 ? t.later(length) : t.ago(length);
  };

  const when = (at: Date): string => {
    const local = localParts(at, reading.zone);
    const today = localParts(reading.now, reading.zone);
    if (!local || !today) return "?";
    const weekday = t.weekdays[local.weekday] ?? "";
    const clock = `${two(local.hour)}:${two(local.minute)}`;
    switch (local.dayNumber - today.dayNumber) {
      case -1:
        return t.yesterday(clock);
      case 0:
        return t.today(clock);
      case 1:
        return t.tomorrow(clock);
      case 2:
        return t.dayAfterTomorrow(local.month, local.day, weekday, clock);
    }
    if (local.year !== today.year) return t.otherYear(local.year, local.month, local.day, clock);
    return t.thisYear(local.month, local.day, weekday, clock);
  };

  const day = (at: Date): string => {
    const local = localParts(at, reading.zone);
    const today = localParts(reading.now, reading.zone);
    if (!local || !today) return "?";
    return local.year === today.year
      ? t.day(local.month, local.day)
      : t.dayWithYear(local.year, local.month, local.day);
  };

  const dayInWords = (at: Date): string => {
    const local = localParts(at, reading.zone);
    const today = localParts(reading.now, reading.zone);
    if (!local || !today) return "?";
    switch (local.dayNumber - today.dayNumber) {
      case -1:
        return t.yesterdayAlone;
      case 0:
        return t.todayAlone;
      case 1:
        return t.tomorrowAlone;
    }
    if (local.year !== today.year) return t.dayWithYear(local.year, local.month, local.day);
    return t.weekdayAndDay(local.month, local.day, t.weekdays[local.weekday] ?? "");
  };

  return {
    when,
    day,
    dayInWords,
    fromNow,
    whenAndFromNow: (at) => t.absoluteAndRelative(when(at), fromNow(at)),
    age: (at) => duration(Math.max(0, nowMs - at.getTime() || 0)),
    duration,
  };
}

/** Hour of the day in the zone, 0–23; 0 for an invalid date. */
export function localHour(at: Date, zone: string): number {
  return localParts(at, zone)?.hour ?? 0;
}

/** Whole days from one instant's day to the other's, in the zone's calendar; negative when `to` lies on an earlier day. */
export function daysBetween(from: Date, to: Date, zone: string): number {
  return (localParts(to, zone)?.dayNumber ?? 0) - (localParts(from, zone)?.dayNumber ?? 0);
}

type LocalParts = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** 0 = Sunday */
  readonly weekday: number;
  /** Days since 1970-01-01 in the zone's own calendar. */
  readonly dayNumber: number;
};

const formatters = new Map<string, Intl.DateTimeFormat>();

function localParts(at: Date, zone: string): LocalParts | undefined {
  if (Number.isNaN(at.getTime())) return undefined;
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    formatters.set(zone, formatter);
  }
  const numbers = new Map(formatter.formatToParts(at).map((part) => [part.type, Number(part.value)]));
  const read = (type: Intl.DateTimeFormatPartTypes): number => numbers.get(type) ?? 0;
  const [year, month, day] = [read("year"), read("month"), read("day")];
  const midnight = Date.UTC(year, month - 1, day);
  return {
    year,
    month,
    day,
    hour: read("hour"),
    minute: read("minute"),
    weekday: new Date(midnight).getUTCDay(),
    dayNumber: Math.floor(midnight / DAY_MS),
  };
}

const two = (n: number): string => String(n).padStart(2, "0");
