import type { CivilDate } from "./holidays.ts";
import { dayOfNewMoon, dayOfSun, newMoonBefore, sunTwelfth } from "./sky.ts";

const WINTER_SOLSTICE = 270;

/** First days of the lunar months of a year are found once a process: a few dozen sines. */
const years = new Map<number, ReadonlyMap<number, { first: number; length: number }>>();

const civil = (day: number): CivilDate => {
  const at = new Date((day - 2_440_588) * 86_400_000);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
};

/**
 * The months from one winter solstice to the next: the one the solstice is in is the 11th. When 13 begin in between, the
 * first without a principal term of the sun is a leap month, which has no number of its own.
 */
function monthsSinceSolstice(year: number): { month: number; k: number }[] {
  const from = newMoonBefore(dayOfSun(year, WINTER_SOLSTICE));
  const to = newMoonBefore(dayOfSun(year + 1, WINTER_SOLSTICE));
  let leapToCome = to - from === 13;
  const months: { month: number; k: number }[] = [];
  let month = 10;
  for (let k = from; k < to; k++) {
    const plain = sunTwelfth(dayOfNewMoon(k)) !== sunTwelfth(dayOfNewMoon(k + 1));
    if (leapToCome && k > from && !plain) leapToCome = false;
    else {
      month = (month % 12) + 1;
      months.push({ month, k });
    }
  }
  return months;
}

function lunarYear(year: number): ReadonlyMap<number, { first: number; length: number }> {
  const known = years.get(year);
  if (known) return known;
  const months = new Map<number, { first: number; length: number }>();
  const add = ({ month, k }: { month: number; k: number }): void => {
    const first = dayOfNewMoon(k);
    months.set(month, { first, length: dayOfNewMoon(k + 1) - first });
  };
  for (const m of monthsSinceSolstice(year - 1)) if (m.month <= 10) add(m);
  for (const m of monthsSinceSolstice(year)) if (m.month >= 11) add(m);
  years.set(year, months);
  return months;
}

/** The day of a lunar month and day in the lunar year that begins in `year`; the 30th of a short month is its 29th. */
export function lunarDate(year: number, month: number, day: number): CivilDate | undefined {
  const found = lunarYear(year).get(month);
  if (!found || day < 1 || day > 30) return undefined;
  return civil(found.first + Math.min(day, found.length) - 1);
}

/** The day (in China) on which the sun reaches `longitude` in `year`: 15 = 清明, 270 = 冬至. */
export const solarTerm = (year: number, longitude: number): CivilDate => civil(dayOfSun(year, longitude));
