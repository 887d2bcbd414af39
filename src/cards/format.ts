import { type Language, textsFor } from "../text/pick.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Where, when and in which language a time is read. */
export type Reading = { readonly language: Language; readonly zone: string; readonly now: Date };

/** Times in words, for one reader. */
export type Format = {
  readonly language: Language;
  /** A clock time with the day it falls on: 昨天 18:00, tomorrow 09:00, 5月3日 周五 09:00. */
  readonly when: (at: Date) => string;
  /**
   * The same instant without words that age, for what stays on screen: 5月6日 14:30, 6 May, 14:30. The year stands there when
   * it is another.
   */
  readonly moment: (at: Date) => string;
  /** A moment to come, with its weekday and the distance to now: 5月7日 周三 09:00（18 小时后）. */
  readonly upcoming: (at: Date) => string;
  /** The same for a day without an hour: 5月7日 周三（明天）; `roughly` for "around that day". */
  readonly upcomingDay: (at: Date, roughly: boolean) => string;
  /** The day alone, with the year when it is another: 5月3日, 3 May 2025. */
  readonly day: (at: Date) => string;
  /** Distance to now: 2 小时后, 3 days ago. */
  readonly fromNow: (at: Date) => string;
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

  const withParts = (at: Date, write: (local: NamedParts, daysAhead: number, sameYear: boolean) => string): string => {
    const local = localParts(at, reading.zone);
    const today = localParts(reading.now, reading.zone);
    if (!local || !today) return "?";
    const clock = `${two(local.hour)}:${two(local.minute)}`;
    const named = { ...local, clock, weekdayName: t.weekdays[local.weekday] ?? "" };
    return write(named, local.dayNumber - today.dayNumber, local.year === today.year);
  };

  const inFull = (at: Date): string =>
    withParts(at, ({ year, month, day, weekdayName, clock }, _, sameYear) =>
      sameYear ? t.thisYear(month, day, weekdayName, clock) : t.otherYear(year, month, day, clock),
    );

  return {
    language: reading.language,
    when: (at) =>
      withParts(at, ({ month, day, weekdayName, clock }, daysAhead) => {
        switch (daysAhead) {
          case -1:
            return t.yesterday(clock);
          case 0:
            return t.today(clock);
          case 1:
            return t.tomorrow(clock);
          case 2:
            return t.dayAfterTomorrow(month, day, weekdayName, clock);
          default:
            return inFull(at);
        }
      }),
    moment: (at) =>
      withParts(at, ({ year, month, day, clock }, _, sameYear) =>
        sameYear ? t.moment(month, day, clock) : t.otherYear(year, month, day, clock),
      ),
    upcoming: (at) => t.absoluteAndRelative(inFull(at), fromNow(at)),
    upcomingDay: (at, roughly) =>
      withParts(at, ({ year, month, day, weekdayName }, daysAhead, sameYear) => {
        const named = sameYear ? t.weekdayAndDay(month, day, weekdayName) : t.dayWithYear(year, month, day);
        if (roughly) return t.around(named);
        const near = { [-1]: t.yesterdayAlone, 0: t.todayAlone, 1: t.tomorrowAlone }[daysAhead];
        return near ? t.absoluteAndRelative(named, near) : named;
      }),
    day: (at) =>
      withParts(at, ({ year, month, day }, _, sameYear) =>
        sameYear ? t.day(month, day) : t.dayWithYear(year, month, day),
      ),
    fromNow,
    age: (at) => duration(Math.max(0, nowMs - at.getTime() || 0)),
    duration,
  };
}

type NamedParts = LocalParts & { readonly clock: string; readonly weekdayName: string };

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

/** What was worked out lately: a card asks for the same few minutes again and again, and each costs as much as a table row. */
const lately = new Map<string, LocalParts>();
const LATELY = 256;

function localParts(at: Date, zone: string): LocalParts | undefined {
  if (Number.isNaN(at.getTime())) return undefined;
  // Offsets of zones are whole minutes since 1972, and nothing older is ever shown.
  const key = `${Math.floor(at.getTime() / 60_000)} ${zone}`;
  const known = lately.get(key);
  if (known) return known;
  if (lately.size >= LATELY) lately.clear();
  const parts = workOutParts(at, zone);
  lately.set(key, parts);
  return parts;
}

function workOutParts(at: Date, zone: string): LocalParts {
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
