import type { Frame } from "./frame.ts";
import { type Reading, type Rule, rule } from "./rules.ts";

/** Figures that are more often a fraction than a day. */
const FRACTIONS = /^(?:1\/[2-9]|2\/3|3\/4|24\/7|9\/11)$/;
const DATE_BEFORE =
  /(?:\b(?:on|by|until|till|before|after|due|from|to|for|date|deadline|is|of)|[，。,;:：(（到至在于期改前]|[\u4e00-\u9fff])\s*$/;
const fresh = (text: string, from: number, to: number): boolean =>
  !/[\d./$€£¥:_a-z-]/.test(text.charAt(from - 1)) && !/^(?:[\d/_%a-z]|[.:-]\d)/.test(text.slice(to, to + 2));
const freshRange = (text: string, from: number, to: number): boolean =>
  !/[\d./$€£¥:_a-z]/.test(text.charAt(from - 1)) && !/^[\d/_%]/.test(text.slice(to, to + 1));

function date(year: string, month: string, day: string): Frame | undefined {
  const y = year.length === 2 ? 2000 + Number(year) : Number(year);
  const [m, d] = [Number(month), Number(day)];
  return m >= 1 && m <= 12 && d >= 1 && d <= 31 && y >= 1970 && y <= 2200 ? { year: y, month: m, day: d } : undefined;
}

/** Which of two figures is the month depends on where the writer lives: "d/m" puts the day first. */
export type FigureOrder = "m/d" | "d/m";

function monthAndDay(a: string, b: string, order: FigureOrder): { month: number; day: number } | undefined {
  const [x, y] = [Number(a), Number(b)];
  const [month, day] = order === "d/m" ? [y, x] : [x, y];
  const fits = (m: number, d: number): boolean => m >= 1 && m <= 12 && d >= 1 && d <= 31;
  if (fits(month, day)) return { month, day };
  return fits(day, month) ? { month: day, day: month } : undefined;
}

/** Dates in figures, for a writer who puts day and month in this order. */
export function figureDates(order: FigureOrder): readonly Rule[] {
  return [
    rule(
      "ISO with clock",
      "(\\d{4})-(\\d{1,2})-(\\d{1,2})[t ]\\s?(\\d{2}):(\\d{2})(?::\\d{2}(?:\\.\\d{1,6})?)?(z|[+-]\\d{2}:?\\d{2})?(?!\\d)",
      (v, text, at) => {
        const day = date(v(1), v(2), v(3));
        const [hour, minute] = [Number(v(4)), Number(v(5))];
        if (!day || hour > 24 || minute > 59 || /[\d/-]/.test(text.charAt(at.from - 1))) return undefined;
        const zone = v(6) === "" ? {} : { zone: v(6) === "z" ? "UTC" : `UTC${v(6)}` };
        return { ...day, clock: { hour, minute, half: "exact" }, ...zone };
      },
    ),
    rule("year first", "(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})", (v, text, at) =>
      freshRange(text, at.from, at.to) ? date(v(1), v(3), v(4)) : undefined,
    ),
    rule("year first, spaced", "(\\d{4})\\s(\\d{1,2})\\s(\\d{1,2})(?!\\s?[\\d:])", (v, text, at) =>
      fresh(text, at.from, at.to) && Number(v(1)) > 1990 && Number(v(1)) < 2100 ? date(v(1), v(2), v(3)) : undefined,
    ),
    rule("year and month", "(\\d{4})[-/](\\d{1,2})", (v, text, at) => {
      const month = Number(v(2));
      if (!fresh(text, at.from, at.to) || month < 1 || month > 12 || Number(v(1)) < 1990 || Number(v(1)) > 2100)
        return undefined;
      return { year: Number(v(1)), month };
    }),
    rule("year last", "(\\d{1,2})([/-])(\\d{1,2})\\2(\\d{4}|\\d{2})", (v, text, at) => {
      const md = monthAndDay(v(1), v(3), order);
      return md && freshRange(text, at.from, at.to) ? date(v(4), String(md.month), String(md.day)) : undefined;
    }),
    rule("day first with dots", "(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})", (v, text, at) => {
      const md = monthAndDay(v(1), v(2), "d/m");
      return md && fresh(text, at.from, at.to) ? date(v(3), String(md.month), String(md.day)) : undefined;
    }),
    rule("eight figures", "(20\\d{2})(\\d{2})(\\d{2})(?!\\d)", (v, text, at) =>
      fresh(text, at.from, at.to) ? date(v(1), v(2), v(3)) : undefined,
    ),
    rule("month and day, with a dash", "(\\d{1,2})-(\\d{1,2})(?![\\d-])", (v, text, at): Reading | undefined => {
      const [month, day] = [Number(v(1)), Number(v(2))];
      if (month < 1 || month > 12 || day < 13 || day > 31 || !fresh(text, at.from, at.to)) return undefined;
      return { frame: { month, day }, latent: true };
    }),
    rule(
      "month and day",
      "(\\d{1,2})/(\\d{1,2})(?!\\s*(?:的|杯|of\\b|h\\b|cup|hour))",
      (v, text, at): Reading | undefined => {
        const md = monthAndDay(v(1), v(2), order);
        if (!md || !freshRange(text, at.from, at.to) || /^\d/.test(text.slice(at.to, at.to + 1))) return undefined;
        const written = text.slice(at.from, at.to);
        if (written === "24/7") return undefined;
        const sure =
          !FRACTIONS.test(written) &&
          (Number(v(1)) > 9 || Number(v(2)) > 9 || DATE_BEFORE.test(text.slice(Math.max(0, at.from - 10), at.from)));
        return sure ? md : { frame: md, latent: true };
      },
    ),
    rule(
      "days of a range, dotted",
      "(\\d{1,2})\\.(\\d{1,2})\\s?(?:-|~|到|至)\\s?(\\d{1,2})\\.(\\d{1,2})(?!\\s?(?:倍|米|%|个|万|元|块|小时|天|斤|公里|版|分|kg|km|mb|gb|[a-z]))",
      (v, text, at): Reading | undefined => {
        const [start, end] = [monthAndDay(v(1), v(2), "m/d"), monthAndDay(v(3), v(4), "m/d")];
        // "1.5到2.5" is an amount, "python 3.10到3.12" a version.
        const days = Math.max(Number(v(2)), Number(v(4))) >= 10 && Number(v(1)) <= 12 && Number(v(3)) <= 12;
        if (!start || !end || !days || !freshRange(text, at.from, at.to)) return undefined;
        if (/[a-z]\s?$/.test(text.slice(Math.max(0, at.from - 2), at.from))) return undefined;
        return { frame: start, end };
      },
    ),
    rule(
      "month and day, dotted, after what it is the day of",
      "(?<=(?:生日|婚礼|订婚|纪念日|考试|到期|截止|出发|开学|报到|面试)(?:是|在|日)?\\s?)(\\d{1,2})\\.(\\d{1,2})(?![\\d.%])",
      (v) => monthAndDay(v(1), v(2), "m/d"),
    ),
    // "12.15" as all that is said; beside other words a figure with a point is an amount or a version.
    rule("month and day, dotted and alone", "(\\d{1,2})\\.(\\d{1,2})", (v, text): Reading | undefined => {
      const md = monthAndDay(v(1), v(2), "m/d");
      const alone = text.trim() === `${v(1)}.${v(2)}` && v(1).length + v(2).length > 2;
      return md && alone && Number(v(1)) <= 12 ? { frame: md, latent: true } : undefined;
    }),
    rule(
      "month and day, dotted",
      "(\\d{1,2})\\.(\\d{1,2})(?:号|日|(?=\\s?(?:之前|前|截止|到期|晚|上午|下午|早上|晚上|周|星期)))",
      (v, text, at) => (/[\d.]/.test(text.charAt(at.from - 1)) ? undefined : monthAndDay(v(1), v(2), "m/d")),
    ),
  ];
}

/** Time zones people append to a clock time. */
const ZONES: Readonly<Record<string, string>> = {
  gmt: "UTC",
  utc: "UTC",
  cet: "Europe/Paris",
  cest: "Europe/Paris",
  bst: "Europe/London",
  est: "America/New_York",
  edt: "America/New_York",
  et: "America/New_York",
  cst: "America/Chicago",
  cdt: "America/Chicago",
  ct: "America/Chicago",
  mst: "America/Denver",
  mdt: "America/Denver",
  pst: "America/Los_Angeles",
  pdt: "America/Los_Angeles",
  pt: "America/Los_Angeles",
  jst: "Asia/Tokyo",
  kst: "Asia/Seoul",
  sgt: "Asia/Singapore",
  hkt: "Asia/Hong_Kong",
  ist: "Asia/Kolkata",
  aest: "Australia/Sydney",
  aedt: "Australia/Sydney",
  北京时间: "Asia/Shanghai",
  东京时间: "Asia/Tokyo",
  伦敦时间: "Europe/London",
  纽约时间: "America/New_York",
  美东时间: "America/New_York",
  美西时间: "America/Los_Angeles",
  太平洋时间: "America/Los_Angeles",
};

/** A zone beside a clock time; on its own it is nothing. */
export const ZONE_RULES: readonly Rule[] = [
  rule("zone with offset", "(?:gmt|utc)\\s?([+-]\\d{1,2})(?::?(\\d{2}))?", (v) => ({
    frame: { zone: `UTC${v(1)}${v(2) ? `:${v(2)}` : ""}` },
    latent: true,
  })),
  rule("zone", `(?:${Object.keys(ZONES).join("|")})(?![a-z])`, (_v, text, at) => {
    const zone = ZONES[text.slice(at.from, at.to)];
    return zone === undefined ? undefined : { frame: { zone }, latent: true };
  }),
];
