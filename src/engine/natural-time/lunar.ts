import type { CivilDate } from "./holidays.ts";

/** Formats a day of UTC in the Chinese calendar ("1/15/2026(bing-wu)"-like parts; leap months carry "bis"). */
const CHINESE_CALENDAR = new Intl.DateTimeFormat("en-u-ca-chinese", {
  timeZone: "UTC",
  month: "numeric",
  day: "numeric",
});
const DAY = 86_400_000;
/** Lunar days of a Gregorian year are looked up once a process: 400 formats are about a millisecond. */
const years = new Map<number, ReadonlyMap<string, CivilDate>>();

function lunarYear(year: number): ReadonlyMap<string, CivilDate> {
  const known = years.get(year);
  if (known) return known;
  const days = new Map<string, CivilDate>();
  let begun = false;
  // The lunar year begins between 21 January and 20 February; leap months repeat a number and are passed over.
  for (let at = Date.UTC(year, 0, 20, 12); at < Date.UTC(year + 1, 1, 22, 12); at += DAY) {
    const parts = CHINESE_CALENDAR.formatToParts(at);
    const month = parts.find((p) => p.type === "month")?.value ?? "";
    const day = parts.find((p) => p.type === "day")?.value ?? "";
    if (month === "1" && day === "1") {
      if (begun) break;
      begun = true;
    }
    if (!begun || !/^\d+$/.test(month)) continue;
    const date = new Date(at);
    days.set(`${month}-${day}`, { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() });
  }
  years.set(year, days);
  return days;
}

/** The day of a lunar month and day in the lunar year that begins in `year`; the 30th of a short month is its 29th. */
export function lunarDate(year: number, month: number, day: number): CivilDate | undefined {
  const days = lunarYear(year);
  return days.get(`${month}-${day}`) ?? (day === 30 ? days.get(`${month}-29`) : undefined);
}

/** Apparent longitude of the sun in degrees at a Julian day (low-precision series, good to about 0.01°). */
function sunLongitude(julianDay: number): number {
  const t = (julianDay - 2_451_545) / 36_525;
  const rad = Math.PI / 180;
  const mean = 280.46646 + 36_000.76983 * t + 0.0003032 * t * t;
  const anomaly = (357.52911 + 35_999.05029 * t - 0.0001537 * t * t) * rad;
  const centre =
    (1.914602 - 0.004817 * t) * Math.sin(anomaly) +
    (0.019993 - 0.000101 * t) * Math.sin(2 * anomaly) +
    0.000289 * Math.sin(3 * anomaly);
  const node = (125.04 - 1934.136 * t) * rad;
  return (((mean + centre - 0.00569 - 0.00478 * Math.sin(node)) % 360) + 360) % 360;
}

/** The day (in China) on which the sun reaches `longitude` in `year`: 15 = 清明, 270 = 冬至. */
export function solarTerm(year: number, longitude: number): CivilDate {
  // 20 March is near longitude 0; the estimate is off by two days at most and is then corrected.
  const sinceMarch = (((longitude + 80) % 360) / 360) * 365.2422 - 80 * (365.2422 / 360);
  let julianDay = Date.UTC(year, 2, 20, 12) / DAY + 2_440_587.5 + sinceMarch;
  for (let i = 0; i < 6; i++) {
    const off = ((longitude - sunLongitude(julianDay) + 540) % 360) - 180;
    julianDay += (off / 360) * 365.2422;
  }
  const date = new Date((julianDay - 2_440_587.5) * DAY + 8 * 3_600_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
