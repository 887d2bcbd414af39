import { DateTime } from "luxon";
import type { Texts } from "../../text/pick.ts";
import type { Grain } from "../tracking/item.ts";

type DueTexts = Texts["engine"]["due"];

/** A date as a person says it (今天 18:00, 明天, 12月3日（周四）), as exact as it was given. */
export function dueWords(dueAt: Date, grain: Grain | null, now: Date, zone: string, texts: DueTexts): string {
  const due = DateTime.fromJSDate(dueAt, { zone });
  if (grain === "month") return texts.month(due.year, due.month);
  const day = dayWords(due, DateTime.fromJSDate(now, { zone }), texts);
  if (grain === "week") return texts.weekOf(day);
  return grain === "minute" || grain === "hour" ? texts.at(day, due.toFormat("HH:mm")) : day;
}

function dayWords(due: DateTime, now: DateTime, texts: DueTexts): string {
  const days = Math.round(due.startOf("day").diff(now.startOf("day"), "days").days);
  if (days === 0) return texts.today;
  if (days === 1) return texts.tomorrow;
  if (days === 2) return texts.dayAfterTomorrow;
  if (days === -1) return texts.yesterday;
  return due.year === now.year
    ? texts.date(due.month, due.day, due.weekday)
    : texts.dateOfYear(due.year, due.month, due.day);
}

/** How long ago, in the largest unit that fits: 20 分钟, 3 小时, 2 天. */
export function ageWords(since: Date, now: Date, texts: Texts["engine"]["age"]): string {
  const minutes = Math.max(1, Math.round((now.getTime() - since.getTime()) / 60_000));
  if (minutes < 60) return texts.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? texts.hours(hours) : texts.days(Math.round(hours / 24));
}
