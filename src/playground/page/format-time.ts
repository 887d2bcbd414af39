import type { PageLanguage } from "../page-api.ts";
import { lookUp } from "./look-up.ts";

const TAGS = { zh_cn: "zh-CN", en_us: "en-US" } as const satisfies Record<PageLanguage, string>;
const DAY_MS = 24 * 60 * 60 * 1000;

type Place = { readonly language: PageLanguage; readonly timeZone: string };

/**
 * Feishu: `<local_datetime format_type=…>` shows an instant in the reader's own zone and language.
 * An unknown format is shown as date and time.
 */
export function formatLocal(atMs: number, format: string, { language, timeZone }: Place): string {
  const zh = language === "zh_cn";
  const styles: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
    date_num: { year: "numeric", month: "2-digit", day: "2-digit" },
    date_short: zh ? { month: "long", day: "numeric" } : { month: "short", day: "numeric" },
    date: { year: "numeric", month: zh ? "long" : "short", day: "numeric" },
    week: { weekday: "long" },
    time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    time_sec: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
    timezone: { timeZoneName: "shortOffset" },
  };
  const style = lookUp(styles, format) ?? { dateStyle: "medium", timeStyle: "short" };
  const formatter = formatterOf(language, timeZone, style);
  const date = new Date(atMs);
  if (Number.isNaN(date.getTime())) return "";
  if (format === "timezone")
    return formatter.formatToParts(date).find((part) => part.type === "timeZoneName")?.value ?? "";
  return formatter.format(date).replaceAll("/", format === "date_num" && zh ? "-" : "/");
}

/** A message's time as in a chat list: the clock today, "yesterday", a weekday within a week, otherwise the date. */
export function formatChatTime(atMs: number, nowMs: number, place: Place): string {
  const { language, timeZone } = place;
  const days = dayNumber(nowMs, timeZone) - dayNumber(atMs, timeZone);
  if (days === 0) return formatLocal(atMs, "time", place);
  if (days === 1) return language === "zh_cn" ? "昨天" : "Yesterday";
  if (days > 1 && days < 7) return formatterOf(language, timeZone, { weekday: "short" }).format(atMs);
  return formatLocal(atMs, "date_short", place);
}

/** A message's time inside a conversation: the day is left out today. */
export function formatMessageTime(atMs: number, nowMs: number, place: Place): string {
  const clock = formatLocal(atMs, "time", place);
  const day = formatChatTime(atMs, nowMs, place);
  return day === clock ? clock : `${day} ${clock}`;
}

/** The shortest exact stamp, for tables: the clock today, otherwise month, day and clock, always in 24 hours. */
export function formatStamp(atMs: number, nowMs: number, { language, timeZone }: Place): string {
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const isToday = dayNumber(atMs, timeZone) === dayNumber(nowMs, timeZone);
  const time = formatterOf(language, timeZone, clock).format(atMs);
  if (isToday) return time;
  const month = language === "zh_cn" ? "numeric" : "short";
  return `${formatterOf(language, timeZone, { month, day: "numeric" }).format(atMs)} ${time}`;
}

/** Date, weekday and time, for the virtual clock. */
export function formatClock(atMs: number, { language, timeZone }: Place): string {
  return formatterOf(language, timeZone, {
    month: "short",
    day: "numeric",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(atMs);
}

/** Days since 1970 of the calendar day an instant falls on in a zone. */
export function dayNumber(atMs: number, timeZone: string): number {
  const { year, month, day } = wallClock(atMs, timeZone);
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** What a wall clock in the zone shows. */
export function wallClock(
  atMs: number,
  timeZone: string,
): { year: number; month: number; day: number; hour: number; minute: number } {
  const parts = formatterOf("en_us", timeZone, {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    hourCycle: "h23",
  }).formatToParts(atMs);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0);
  return { year: part("year"), month: part("month"), day: part("day"), hour: part("hour"), minute: part("minute") };
}

/**
 * The instant at which a wall clock in the zone shows the given time. A time a clock change leaves out is moved
 * forward by the change, as clocks do.
 */
export function instantOf(
  wall: { year: number; month: number; day: number; hour: number; minute: number },
  timeZone: string,
): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const offsetAt = (instant: number): number => {
    const shown = wallClock(instant, timeZone);
    return (
      Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute) - Math.floor(instant / 60_000) * 60_000
    );
  };
  const first = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(first);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(language: PageLanguage, timeZone: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${JSON.stringify(style)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(TAGS[language], { timeZone, ...style });
  formatters.set(key, made);
  return made;
}
