import type { DayPart, Edge, Frame } from "./frame.ts";
import { HOLIDAY_NAMES, holidayOf } from "./holidays.ts";
import { EN_ORDINAL, readEnglishNumber } from "./numbers.ts";
import { type Reading, type Rule, rule } from "./rules.ts";

const num = readEnglishNumber;

const WEEKDAY_NAMES: readonly (readonly [pattern: RegExp, weekday: number])[] = [
  [/^mon/, 1],
  [/^tue/, 2],
  [/^wed/, 3],
  [/^thu/, 4],
  [/^fri/, 5],
  [/^sat/, 6],
  [/^sun/, 7],
];
const weekdayOf = (word: string): number => WEEKDAY_NAMES.find(([p]) => p.test(word))?.[1] ?? 1;
/** A weekday's name or short form, as a part of a pattern. */
export const EN_WEEKDAY =
  "(monday|tuesday|wednesday|wednes|thursday|friday|saturday|sunday|mon|tues|tue|weds|wed|thurs|thur|thu|fri|sat|sun)(?:'s|s)?\\.?(?![a-z])";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthOf = (word: string): number => MONTHS.indexOf(word.slice(0, 3)) + 1;
const MONTH =
  "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)(?![a-z])\\.?";
const DAY = `(\\d{1,2}(?:st|nd|rd|th)?(?!\\d|[.:]\\d|\\s?(?:am|pm)\\b)|${EN_ORDINAL})`;
const YEAR = "(?:,?\\s*(?:of\\s+)?(\\d{4})(?![\\d:]|\\s?(?:hours|usd|people)\\b))?";
const LINK = "\\s*(?:-|to|thru|through|until|till)\\s*";

/** Words that show that "may", "march", "sat" or "sun" is meant as a time. */
const TIME_BEFORE =
  /(?:\b(?:in|by|until|till|before|after|since|this|next|last|early|mid|late|of|from|for|on|due|through|during|every|each|late-|mid-|end|coming)|[前到至在于])[\s-]*$/;

function dateFrame(monthWord: string, dayWord: string, year: string): Frame | undefined {
  const day = num(dayWord);
  const month = monthOf(monthWord);
  if (day === undefined || day < 1 || day > 31 || month === 0) return undefined;
  return year ? { year: Number(year), month, day } : { month, day };
}

/** next = in the next week, month … (Monday to Sunday); this = in this one; last = in the one before. */
function shiftOf(word: string): number | undefined {
  if (/^(?:this|current|the current)/.test(word)) return 0;
  if (/^(?:last|past|previous)/.test(word)) return -1;
  if (/after next/.test(word)) return 2;
  if (/next|following/.test(word)) return 1;
  if (/^(?:coming|upcoming)/.test(word)) return 1;
  return undefined;
}

const UNIT_FRAMES: Readonly<Record<string, (shift: number) => Frame>> = {
  week: (shift) => ({ weekShift: shift }),
  month: (shift) => ({ monthShift: shift }),
  quarter: (shift) => ({ quarterShift: shift }),
  year: (shift) => ({ yearShift: shift }),
};

const EDGE_WORDS: readonly (readonly [RegExp, Edge["at"]])[] = [
  [/^(?:beginning|start|bo|first part)/, "start"],
  [/^early/, "early"],
  [/^mid/, "middle"],
  [/^late/, "late"],
  [/^(?:end|eo|close)/, "end"],
];
const edgeAt = (word: string): Edge["at"] => EDGE_WORDS.find(([p]) => p.test(word))?.[1] ?? "end";
const EDGE = "(beginning|start|early|middle|mid|late|end|close)";

function edgeFrame(at: Edge["at"], shiftWord: string, unit: string): Frame {
  if (unit === "day") return { part: "end_of_day" };
  const of = unit as Edge["of"];
  const edge: Edge = { at, of };
  const shift = shiftOf(shiftWord);
  if (shift === undefined) return { edge };
  return { edge, ...UNIT_FRAMES[of]?.(shift) };
}

const weak = (frame: Frame, sure: boolean): Reading => (sure ? frame : { frame, latent: true });

const RELATIVE: readonly (readonly [string, Frame])[] = [
  ["(?:the )?day after tomorrow|overmorrow", { dayShift: 2 }],
  ["(?:the )?day before yesterday", { dayShift: -2 }],
  ["tomorrows?|tmrw|tmr|tomoz|tommorow|tommorrow|tomorow|tmw|2moro|2morrow", { dayShift: 1 }],
  ["yesterday|yday", { dayShift: -1 }],
  ["last night", { dayShift: -1, part: "evening" }],
  ["tonight|tonite|this evening|later tonight|late tonight", { dayShift: 0, part: "evening" }],
  ["today", { dayShift: 0 }],
  ["this morning", { dayShift: 0, part: "morning" }],
  ["this afternoon", { dayShift: 0, part: "afternoon" }],
  ["(?:first thing )?in the morning", { part: "morning" }],
  ["in the afternoon", { part: "afternoon" }],
  ["in the evening", { part: "evening" }],
  ["later today|sometime today", { dayShift: 0, part: "end_of_day" }],
  ["right now|just now", { now: true }],
];

const PARTS: readonly (readonly [string, DayPart])[] = [
  [
    "early in the morning|early morning|(?:in )?the early hours(?: of the morning)?|first thing(?: in the morning)?",
    "early_morning",
  ],
  ["(?:in the |late )?morning|before lunch", "morning"],
  ["(?:in the |early |late )?afternoon(?:ish)?|arvo|after lunch|after school", "afternoon"],
  [
    "(?:in the |early |late )?evening|(?:at )?night(?!ly|\\w)|nite|tonight|after work|before bed(?:time)?|after dinner",
    "evening",
  ],
  ["(?:at |over )?lunch(?:time)?", "lunch"],
  ["pm", "afternoon"],
];

const NTH = `(first|second|third|fourth|fifth|last|final|1st|2nd|3rd|4th|5th)`;
const nthOf = (word: string): number => (/last|final/.test(word) ? -1 : (num(word) ?? 1));

/** Days, weeks, months and years as English names them. */
export const EN_DAYS: readonly Rule[] = [
  ...RELATIVE.map(([words, frame]) => rule("relative day", `(?:${words})(?![a-z])`, () => frame)),
  ...PARTS.map(([words, part]) =>
    rule("part of day", `(?:${words})(?![a-z])`, () => ({ frame: { part }, latent: true as const })),
  ),
  rule("now", "now(?![a-z])", () => ({ frame: { now: true }, latent: true })),
  rule("weekday after next", `${EN_WEEKDAY}\\s+after next(?! week)`, (v) => ({
    weekday: weekdayOf(v(1)),
    weekShift: 2,
  })),
  rule(
    "weekday",
    `(?:(this coming|this upcoming|coming|upcoming|this past|this|next|last|past|the following|following|every|each)\\s+)?${EN_WEEKDAY}`,
    (v, text, at) => weekdayReading(v(1), v(2), text, at),
  ),
  rule("weekday of a week", `${EN_WEEKDAY},?\\s+(?:of\\s+)?(this|next|last|the following)\\s+week\\b`, (v) => ({
    weekday: weekdayOf(v(1)),
    weekShift: shiftOf(v(2)) ?? 1,
  })),
  rule("day of the week after next", "(?:the )?week after next", () => ({ weekShift: 2 })),
  rule("unit after next", "(?:the )?(month|quarter|year) after next", (v) => UNIT_FRAMES[v(1)]?.(2)),
  rule(
    "relative unit",
    "(?:the\\s+)?(this|current|next|coming|upcoming|following|last|past|previous)\\s+(week|month|quarter|year)\\b(?!-?\\s?end)",
    (v) => UNIT_FRAMES[v(2)]?.(shiftOf(v(1)) ?? 1),
  ),
  rule("weekend", "(?:(?:the|this|coming|this coming)\\s+)*(next\\s+|last\\s+|this past\\s+)?week-?\\s?end\\b", (v) => {
    const word = v(1).trim();
    if (word === "") return { weekend: true };
    return { weekend: true, weekShift: word === "next" ? 1 : -1 };
  }),
  rule(
    "edge of a unit",
    `(?:the\\s+)?(?:very\\s+)?${EDGE}(?:\\s+of)?(?:\\s+(?:the|business))*\\s+(?:(this|next|current|last|following)\\s+)?(day|week|month|quarter|year)\\b`,
    (v, text, at) => {
      if (
        /^(?:mid|late|early|middle|start|close)/.test(v(1)) &&
        v(2) === "" &&
        !/\bof\b/.test(text.slice(at.from, at.to))
      )
        return undefined;
      return edgeFrame(edgeAt(v(1)), v(2), v(3));
    },
  ),
  rule(
    "edge of a month",
    `(?:the\\s+)?${EDGE}(?:\\s+of|-)?\\s+${MONTH}${YEAR}(?!\\s*\\d{1,2}(?:st|nd|rd|th)?\\b)`,
    (v) => ({
      edge: { at: edgeAt(v(1)), of: "month" },
      month: monthOf(v(2)),
      ...(v(3) ? { year: Number(v(3)) } : {}),
    }),
  ),
  rule("edge of a month, joined", `(mid|late|early)-${MONTH}`, (v) => ({
    edge: { at: edgeAt(v(1)), of: "month" },
    month: monthOf(v(2)),
  })),
  rule("edge of a year", `(?:the\\s+)?${EDGE}\\s+of\\s+(\\d{4})\\b`, (v) => ({
    edge: { at: edgeAt(v(1)), of: "year" },
    year: Number(v(2)),
  })),
  rule(
    "edge in letters",
    "(?:the\\s+)?(eod|eob|cob|end of business|eow|eom|eoq|eoy|bom|close of business|close of play)(?![a-z])",
    (v) => {
      const unit: Readonly<Record<string, Edge["of"]>> = { w: "week", m: "month", q: "quarter", y: "year" };
      const of = v(1).startsWith("close") ? undefined : unit[v(1).charAt(2)];
      return of ? { edge: { at: edgeAt(v(1)), of } } : { part: "end_of_day" };
    },
  ),
  rule("later in the unit", "(?:sometime |later )(this|next) (week|month)\\b", (v) =>
    v(1) === "next" ? UNIT_FRAMES[v(2)]?.(1) : { edge: { at: "late", of: v(2) === "week" ? "week" : "month" } },
  ),
  rule("month and days", `${MONTH}\\s*(?:the\\s+)?${DAY}${LINK}${DAY}${YEAR}`, (v) => {
    const frame = dateFrame(v(1), v(2), v(4));
    const end = dateFrame(v(1), v(3), v(4));
    return frame && end && (end.day ?? 0) > (frame.day ?? 0) ? { frame, end } : undefined;
  }),
  rule("days and month", `(?:the\\s+)?${DAY}${LINK}(?:the\\s+)?${DAY}\\s*(?:of\\s+)?${MONTH}${YEAR}`, (v) => {
    const frame = dateFrame(v(3), v(1), v(4));
    const end = dateFrame(v(3), v(2), v(4));
    return frame && end && (end.day ?? 0) > (frame.day ?? 0) ? { frame, end } : undefined;
  }),
  rule("month and day", `${MONTH}\\s*(?:the\\s+)?${DAY}${YEAR}`, (v) => dateFrame(v(1), v(2), v(3))),
  rule("day and month", `(?:the\\s+)?${DAY}\\s*(?:of\\s+|-)?${MONTH}${YEAR}`, (v) => dateFrame(v(2), v(1), v(3))),
  rule("month, day and short year", `${MONTH}\\s*${DAY},?\\s+'(\\d{2})\\b`, (v) => dateFrame(v(1), v(2), `20${v(3)}`)),
  rule("month and year", `${MONTH},?\\s*(?:of\\s+)?(\\d{4})(?!\\d)`, (v) => ({
    month: monthOf(v(1)),
    year: Number(v(2)),
  })),
  rule("relative month", `(this|next|last)\\s+${MONTH}`, (v) => ({
    month: monthOf(v(2)),
    ...(v(1) === "last" ? { yearShift: -1 } : {}),
  })),
  rule("month", MONTH, (v, text, at) => {
    const word = v(1);
    const before = text.slice(Math.max(0, at.from - 12), at.from);
    const ambiguous = /^(?:may|march|mar|dec|sep|jun|jan|apr)$/.test(word);
    return weak({ month: monthOf(word) }, !ambiguous || TIME_BEFORE.test(before));
  }),
  rule(
    "nth of a month",
    `(?:the\\s+)?${NTH}\\s+(?:${EN_WEEKDAY}|(day|week-?end|week))\\s+(?:of|in|on)\\s+(?=the\\b|next\\b|this\\b|${MONTH}|\\d{4})(?:the\\s+)?`,
    (v) => ({
      nth: {
        n: nthOf(v(1)),
        what: v(2) ? weekdayOf(v(2)) : v(3) === "day" ? "day" : v(3) === "week" ? "week" : "weekend",
      },
    }),
  ),
  rule(
    "ordinal day of a month",
    `(?:the\\s+)?(${EN_ORDINAL}|\\d{1,2}(?:st|nd|rd|th))\\s+day\\s+of\\s+${MONTH}${YEAR}`,
    (v) => dateFrame(v(2), v(1), v(3)),
  ),
  rule("week of a date", "(?:the\\s+)?week\\s+of\\s+(?:the\\s+)?", () => undefined),
  rule(
    "the day",
    `the\\s+(\\d{1,2}(?:st|nd|rd|th)|${EN_ORDINAL})\\b(?!\\s+(?!of\\b|at\\b|by\\b|in\\b|on\\b|this\\b|next\\b|from\\b|and\\b|or\\b|to\\b|is\\b|for\\b|before\\b|so\\b|but\\b|because\\b|then\\b|when\\b|if\\b|i\\b|we\\b|it\\b|they\\b|with\\b)[a-z])`,
    (v, text, at) => {
      const day = num(v(1));
      if (day === undefined || day > 31) return undefined;
      const sure =
        /\d/.test(v(1)) || /\b(?:on|by|until|till|before|due)\s+$/.test(text.slice(Math.max(0, at.from - 9), at.from));
      return weak({ day }, sure);
    },
  ),
  rule(
    "day in figures",
    "(\\d{1,2})(?:st|nd|rd|th)\\b(?!\\s+(?!of\\b|at\\b|by\\b|in\\b|on\\b|and\\b|or\\b|to\\b|is\\b|for\\b|before\\b)[a-z])",
    (v, text, at) => {
      const day = Number(v(1));
      if (day < 1 || day > 31) return undefined;
      return weak(
        { day },
        /(?:\b(?:on|by|until|till|before|due)\s+|[\u4e00-\u9fff]\s?)$/.test(
          text.slice(Math.max(0, at.from - 9), at.from),
        ),
      );
    },
  ),
  rule(
    "quarter",
    "(?:the\\s+)?(?:q([1-4])|([1-4])(?:st|nd|rd|th)\\s+quarter|(first|second|third|fourth)\\s+quarter)(?:\\s*(?:of\\s+)?(\\d{4}))?(?![\\w.])",
    (v) => ({
      quarter: Number(v(1) || v(2)) || (num(v(3)) ?? 1),
      ...(v(4) ? { year: Number(v(4)) } : {}),
    }),
  ),
  rule("year and quarter", "(\\d{4})\\s?q([1-4])(?!\\w)", (v) => ({ year: Number(v(1)), quarter: Number(v(2)) })),
  rule("year", "in (20\\d{2})(?![\\d:/-])", (v) => ({ year: Number(v(1)) })),
  rule(
    "holiday",
    `(?:(next|this|this coming|coming)\\s+)?(${HOLIDAY_NAMES.filter((n) => !/[^\x00-\x7f]/.test(n))
      .map((n) => n.replace(/[.]/g, "\\."))
      .join("|")})(?![a-z])`,
    (v) => {
      const holiday = holidayOf(v(2));
      return holiday && { holiday };
    },
  ),
];

function weekdayReading(
  shift: string,
  word: string,
  text: string,
  at: { from: number; to: number },
): Reading | undefined {
  const weekday = weekdayOf(word);
  if (/^(?:every|each)/.test(shift)) return { weekday, recurring: true };
  if (/coming|upcoming/.test(shift)) return { weekday };
  if (shift === "this past" || /^(?:last|past)/.test(shift)) return { weekday, weekShift: -1 };
  if (/next|following/.test(shift)) return { weekday, weekShift: 1 };
  if (shift === "this") return { weekday, weekShift: 0 };
  if (!/^(?:sat|sun|wed)$/.test(word)) return { weekday };
  // "sat", "sun" and "wed" are also words; alone they need a sign that a day is meant.
  const sure = text.charAt(at.to - 1) === "." || TIME_BEFORE.test(text.slice(Math.max(0, at.from - 12), at.from));
  return weak({ weekday }, sure || /[\u4e00-\u9fff]/.test(text.charAt(at.from - 1) + text.charAt(at.to)));
}
