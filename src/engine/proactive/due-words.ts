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

/** The same without words that age (12月1日（周二）15:00), for what stays on screen. */
export function dateWords(at: Date, grain: Grain | null, now: Date, zone: string, texts: DueTexts): string {
  const due = DateTime.fromJSDate(at, { zone });
  if (grain === "month") return texts.month(due.year, due.month);
  const day = calendarDay(due, DateTime.fromJSDate(now, { zone }), texts);
  if (grain === "week") return texts.weekOf(day);
  return grain === "minute" || grain === "hour" ? texts.at(day, due.toFormat("HH:mm")) : day;
}

function dayWords(due: DateTime, now: DateTime, texts: DueTexts): string {
  const days = Math.round(due.startOf("day").diff(now.startOf("day"), "days").days);
  if (days === 0) return texts.today;
  if (days === 1) return texts.tomorrow;
  if (days === 2) return texts.dayAfterTomorrow;
  if (days === -1) return texts.yesterday;
  return calendarDay(due, now, texts);
}

function calendarDay(due: DateTime, now: DateTime, texts: DueTexts): string {
  return due.year === now.year
    ? texts.date(due.month, due.day, due.weekday)
    : texts.dateOfYear(due.year, due.month, due.day);
}
