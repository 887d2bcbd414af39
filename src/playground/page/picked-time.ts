import { instantOf } from "./format-time.ts";

/** Which of the platform's three pickers. */
export type PickerKind = "date" | "time" | "datetime";

/** What a wall clock shows. A time picker leaves the day at that of the epoch. */
export type Picked = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
};

/** Reads `2026-01-31`, `09:30` or `2026-01-31 09:30`, with or without an offset behind it; undefined for anything else. */
export function parsePicked(kind: PickerKind, text: string): Picked | undefined {
  const match = /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:(?:^|(?<=\d) )(\d{2}):(\d{2}))?(?: [+-]\d{4})?$/.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour, minute] = match;
  if ((kind !== "time") !== (year !== undefined) || (kind !== "date") !== (hour !== undefined)) return undefined;
  const picked = {
    year: Number(year ?? 1970),
    month: Number(month ?? 1),
    day: Number(day ?? 1),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
  };
  const real = new Date(Date.UTC(picked.year, picked.month - 1, picked.day, picked.hour, picked.minute));
  const isReal = real.getUTCMonth() + 1 === picked.month && real.getUTCHours() === picked.hour && picked.minute < 60;
  return isReal ? picked : undefined;
}

/** The platform's way of writing it, without an offset. */
export function writePicked(kind: PickerKind, picked: Picked): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  const date = `${String(picked.year).padStart(4, "0")}-${two(picked.month)}-${two(picked.day)}`;
  const time = `${two(picked.hour)}:${two(picked.minute)}`;
  return { date, time, datetime: `${date} ${time}` }[kind];
}

/** The zone's offset at that wall clock, as `+0800`. */
export function offsetLabel(picked: Picked, timeZone: string): string {
  const asUtc = Date.UTC(picked.year, picked.month - 1, picked.day, picked.hour, picked.minute);
  const minutes = Math.round((asUtc - instantOf(picked, timeZone)) / 60_000);
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}${String(size % 60).padStart(2, "0")}`;
}

/** The weeks a month's page shows, Monday first; days of the neighbouring months fill the edges. */
export function monthPage(
  year: number,
  month: number,
): { year: number; month: number; day: number; inMonth: boolean }[][] {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const lead = (first.getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const weeks = Math.ceil((lead + days) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const date = new Date(Date.UTC(year, month - 1, 1 - lead + week * 7 + weekday));
      const inMonth = date.getUTCMonth() === first.getUTCMonth();
      return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), inMonth };
    }),
  );
}
