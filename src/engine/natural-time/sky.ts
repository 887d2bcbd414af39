/**
 * Where sun and moon stand, as exactly as the Chinese calendar needs it: a new moon minutes before midnight in China
 * decides on which day a month begins (in 2027 it is four minutes, and calendars built into runtimes get it wrong).
 * Series after J. Meeus, Astronomical Algorithms, chapters 25 and 49: about 0.01° for the sun, under a minute for the moon.
 */
const RAD = Math.PI / 180;
const sin = (degrees: number): number => Math.sin(degrees * RAD);
/** Earth's clock runs behind the even time of the series by about this much in our decades. */
const DELTA_T_DAYS = 71 / 86_400;
const CHINA = 8 / 24;

/** Number of the civil day in China at a Julian day (universal time). Day 2440588 is 1 January 1970. */
export const chinaDay = (julianDay: number): number => Math.floor(julianDay + 0.5 + CHINA);
/** Julian day on which a civil day in China begins. */
const chinaMidnight = (day: number): number => day - 0.5 - CHINA;

/** Apparent longitude of the sun in degrees at a Julian day. */
function sunLongitude(julianDay: number): number {
  const t = (julianDay + DELTA_T_DAYS - 2_451_545) / 36_525;
  const mean = 280.46646 + 36_000.76983 * t + 0.0003032 * t * t;
  const anomaly = 357.52911 + 35_999.05029 * t - 0.0001537 * t * t;
  const centre =
    (1.914602 - 0.004817 * t - 0.000014 * t * t) * sin(anomaly) +
    (0.019993 - 0.000101 * t) * sin(2 * anomaly) +
    0.000289 * sin(3 * anomaly);
  const node = 125.04 - 1934.136 * t;
  return (((mean + centre - 0.00569 - 0.00478 * sin(node)) % 360) + 360) % 360;
}

/** The civil day in China on which the sun reaches a longitude in a year: 15 = 清明, 270 = 冬至. */
export function dayOfSun(year: number, longitude: number): number {
  // 20 March is near longitude 0; the estimate is off by two days at most and is then corrected.
  const sinceMarch = (((longitude + 80) % 360) - 80) * (365.2422 / 360);
  let julianDay = Date.UTC(year, 2, 20, 12) / 86_400_000 + 2_440_587.5 + sinceMarch;
  for (let i = 0; i < 6; i++) {
    const off = ((longitude - sunLongitude(julianDay) + 540) % 360) - 180;
    julianDay += (off / 360) * 365.2422;
  }
  return chinaDay(julianDay);
}

/** Which twelfth of the year (30° each) the sun stands in as a day begins in China. */
export const sunTwelfth = (day: number): number => Math.floor(sunLongitude(chinaMidnight(day)) / 30);

/** [factor, power of the eccentricity, multiples of sun's anomaly, moon's anomaly, moon's argument of latitude] */
const MOON_TERMS: readonly (readonly [number, number, number, number, number])[] = [
  [-0.4072, 0, 0, 1, 0],
  [0.17241, 1, 1, 0, 0],
  [0.01608, 0, 0, 2, 0],
  [0.01039, 0, 0, 0, 2],
  [0.00739, 1, -1, 1, 0],
  [-0.00514, 1, 1, 1, 0],
  [0.00208, 2, 2, 0, 0],
  [-0.00111, 0, 0, 1, -2],
  [-0.00057, 0, 0, 1, 2],
  [0.00056, 1, 1, 2, 0],
  [-0.00042, 0, 0, 3, 0],
  [0.00042, 1, 1, 0, 2],
  [0.00038, 1, 1, 0, -2],
  [-0.00024, 1, -1, 2, 0],
  [-0.00007, 0, 2, 1, 0],
  [0.00004, 0, 0, 2, -2],
  [0.00004, 0, 3, 0, 0],
  [0.00003, 0, 1, 1, -2],
  [0.00003, 0, 0, 2, 2],
  [-0.00003, 0, 1, 1, 2],
  [0.00003, 0, -1, 1, 2],
  [-0.00002, 0, -1, 1, -2],
  [-0.00002, 0, 1, 3, 0],
  [0.00002, 0, 0, 4, 0],
];
/** [factor, angle at k = 0, angle a month]: the planets' pull. */
const PLANET_TERMS: readonly (readonly [number, number, number])[] = [
  [0.000325, 299.77, 0.107408],
  [0.000165, 251.88, 0.016321],
  [0.000164, 251.83, 26.651886],
  [0.000126, 349.42, 36.412478],
  [0.00011, 84.66, 18.206239],
  [0.000062, 141.74, 53.303771],
  [0.00006, 207.14, 2.453732],
  [0.000056, 154.84, 7.30686],
  [0.000047, 34.52, 27.261239],
  [0.000042, 207.19, 0.121824],
  [0.00004, 291.34, 1.844379],
  [0.000037, 161.72, 24.198154],
  [0.000035, 239.56, 25.513099],
  [0.000023, 331.55, 3.592518],
];

/** Civil day in China of the k-th new moon after 6 January 2000. */
export function dayOfNewMoon(k: number): number {
  const t = k / 1236.85;
  const e = 1 - 0.002516 * t - 0.0000074 * t * t;
  const sun = 2.5534 + 29.1053567 * k - 0.0000014 * t * t;
  const moon = 201.5643 + 385.81693528 * k + 0.0107582 * t * t + 0.00001238 * t ** 3;
  const latitude = 160.7108 + 390.67050284 * k - 0.0016118 * t * t - 0.00000227 * t ** 3;
  const node = 124.7746 - 1.56375588 * k + 0.0020672 * t * t;
  let at = 2_451_550.09766 + 29.530588861 * k + 0.00015437 * t * t - 0.00000015 * t ** 3 - 0.00017 * sin(node);
  for (const [factor, power, s, m, f] of MOON_TERMS) at += factor * e ** power * sin(s * sun + m * moon + f * latitude);
  for (const [factor, base, rate] of PLANET_TERMS)
    at += factor * sin(base + rate * k - (rate === 0.107408 ? 0.009173 * t * t : 0));
  return chinaDay(at - DELTA_T_DAYS);
}

/** Number of the last new moon on or before a civil day in China. */
export function newMoonBefore(day: number): number {
  let k = Math.round((day - 2_451_550.6) / 29.530588861) + 1;
  while (dayOfNewMoon(k) > day) k -= 1;
  return k;
}
