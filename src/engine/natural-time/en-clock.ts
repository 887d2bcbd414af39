import type { ClockTime, Frame, Span } from "./frame.ts";
import { EN_CARDINAL, readEnglishNumber } from "./numbers.ts";
import { type Reading, type Rule, rule } from "./rules.ts";

const num = readEnglishNumber;
const HOUR_WORD = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const HOUR = `(\\d{1,2}|${HOUR_WORD})`;
const HALF = "(a\\.m\\.?|p\\.m\\.?|am|pm|a|p)(?![a-z])";
const SOFT = "(?:ish|\\s+sharp|\\s+on the dot|\\s+approximately)?";
/** "in the morning" and its kin after a clock time: group 1 is the part. */
const IN_PART = "\\s*(?:in the|at|this|in)\\s+(morning|afternoon|evening|night|am|a\\.m\\.|pm|p\\.m\\.)(?![a-z])";

function halfOf(word: string): ClockTime["half"] | undefined {
  if (/^(?:a|morning)/.test(word) && word !== "afternoon") return "am";
  if (/^(?:p|afternoon|evening|night)/.test(word)) return "pm";
  return undefined;
}

/** A clock time of 12 or 24 hours; undefined when there is no such hour or minute, or "15am". */
function clockFrame(hourWord: string, minuteWord: string, halfWord: string, loose = false): Frame | undefined {
  const hour = num(hourWord);
  const minute = minuteWord ? Number(minuteWord) : 0;
  if (hour === undefined || hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return undefined;
  const half = halfOf(halfWord);
  if (half !== undefined && hour > 12) return half === "pm" ? { clock: { hour, minute, half: "exact" } } : undefined;
  if (half !== undefined && hour === 0) return { clock: { hour, minute, half: "exact" } };
  const clock: ClockTime = { hour, minute };
  if (half) clock.half = half;
  else if (/^0\d/.test(hourWord)) clock.half = "exact";
  else if (loose) clock.loose = true;
  return { clock };
}

/** May a clock begin here? Not inside numbers, addresses, versions, prices or words. */
const startsFresh = (text: string, at: number): boolean =>
  !/[\w.:/$€£¥#]/.test(text.charAt(at - 1)) || /[\u4e00-\u9fff]/.test(text.charAt(at - 1));
const endsFresh = (text: string, at: number): boolean => !/^(?:[:/]?\d|[.]\d|%|\w)/.test(text.slice(at, at + 2));

const MINUTES_PAST: Readonly<Record<string, number>> = { quarter: 15, half: 30 };
const minutesOf = (word: string): number | undefined =>
  MINUTES_PAST[word.replace(/^a\s+/, "")] ?? num(word.replace(/\s*minutes?$/, ""));

const at = (clock: ClockTime): Frame => ({ clock });
const beforeHour = (clock: ClockTime, minutes: number): ClockTime => ({
  ...clock,
  hour: clock.hour === 0 ? 23 : clock.hour - 1,
  minute: 60 - minutes,
});

/** Clock times as English (and figures anywhere) writes them. */
export const EN_CLOCK: readonly Rule[] = [
  rule("noon", "(?:at\\s+|12\\s+)?(?:noon(?:ish)?|midday|mid day)(?![a-z])", () =>
    at({ hour: 12, minute: 0, half: "exact" }),
  ),
  rule("midnight", "(?:at\\s+|12\\s+)?midnight(?![a-z])", () => at({ hour: 24, minute: 0, half: "exact" })),
  rule("figures", `(\\d{1,2})[:h](\\d{2})(?::(\\d{2}))?(?:\\s*${HALF})?`, (v, text, span) => {
    if (!startsFresh(text, span.from) || !endsFresh(text, span.to)) return undefined;
    return clockFrame(v(1), v(2), v(4));
  }),
  rule("figures and part", `(\\d{1,2})[:h](\\d{2})${IN_PART}`, (v, text, span) =>
    startsFresh(text, span.from) ? clockFrame(v(1), v(2), v(3)) : undefined,
  ),
  rule("figures with a dot", `(\\d{1,2})\\.(\\d{2})\\s*(a\\.m\\.?|p\\.m\\.?|am|pm)(?![a-z])`, (v, text, span) =>
    startsFresh(text, span.from) ? clockFrame(v(1), v(2), v(3)) : undefined,
  ),
  rule("half of the day", `${HOUR}\\s*${HALF}${SOFT}`, (v, text, span) => {
    if (!startsFresh(text, span.from) || !endsFresh(text, span.to)) return undefined;
    // "3p" and "8a" need figures and, for the single letter, no space ("3 a", "one a" are articles).
    const single = /^[ap]$/.test(v(2));
    if (single && !/^\d{1,2}[ap]$/.test(text.slice(span.from, span.to))) return undefined;
    const frame = clockFrame(v(1), "", v(2));
    return frame && single ? { frame, latent: true, lone: false } : frame;
  }),
  rule("four figures and hours", "([01]\\d|2[0-3])([0-5]\\d)\\s?(?:hrs|hours)(?!\\w|\\s+of\\b)", (v, text, span) => {
    if (!startsFresh(text, span.from)) return undefined;
    const named =
      v(1).startsWith("0") ||
      /(?:\b(?:at|by|from|until|till|before|after)|[@-])\s*$/.test(text.slice(Math.max(0, span.from - 8), span.from));
    const frame: Frame = { clock: { hour: Number(v(1)), minute: Number(v(2)), half: "exact" } };
    return named ? frame : { frame, latent: true };
  }),
  rule(
    "four figures after a day",
    "(?<=(?:day|tomorrow|tonight)\\s)([01]\\d|2[0-3])([0-5]\\d)(?![\\d:./-]|\\s?[a-z])",
    (v) =>
      /^(?:19|20[2-9])/.test(v(1) + v(2))
        ? undefined
        : { clock: { hour: Number(v(1)), minute: Number(v(2)), half: "exact" } },
  ),
  rule("the same time of day", "(?:at\\s+)?(?:the\\s+)?(?:same|this)\\s+time(?![a-z])", () => ({
    frame: { sameClock: true },
    latent: true,
    lone: false,
  })),
  rule("hour-ish", `(\\d{1,2})ish(?:\\s*${HALF})?`, (v) => clockFrame(v(1), "", v(2), true)),
  rule("o'clock", `${HOUR}\\s*(?:o'?\\s?clock|oclock)(?:\\s*${HALF})?(?:${IN_PART})?${SOFT}`, (v) =>
    clockFrame(v(1), "", v(2) || v(3), true),
  ),
  rule("hour in the part", `${HOUR}${IN_PART}`, (v, text, span) =>
    startsFresh(text, span.from) ? clockFrame(v(1), "", v(2)) : undefined,
  ),
  rule(
    "words",
    `(${HOUR_WORD})[- ](fifteen|twenty|thirty|forty[- ]five|forty|fifty)(?![- ]?[a-z]*ty)(?:\\s*${HALF})?`,
    (v) => {
      const minute = num(v(2));
      const frame = minute === undefined ? undefined : clockFrame(v(1), String(minute), v(3));
      return frame && (v(3) ? frame : { frame, latent: true });
    },
  ),
  rule(
    "minutes past",
    `(?:at\\s+)?(half|a quarter|quarter|\\d{1,2}(?:\\s*minutes?)?|${EN_CARDINAL}(?:\\s*minutes?)?)\\s+(?:past|after)\\s+(?:${HOUR}(?:\\s*o'?clock)?(?:\\s*${HALF})?|(noon)|(midnight))(?:${IN_PART})?`,
    (v, text, span) => {
      const minutes = minutesOf(v(1));
      if (minutes === undefined || minutes > 59 || !startsFresh(text, span.from)) return undefined;
      if (v(4)) return at({ hour: 12, minute: minutes, half: "exact" });
      if (v(5)) return at({ hour: 0, minute: minutes, half: "exact" });
      return clockFrame(v(2), String(minutes), v(3) || v(6), true);
    },
  ),
  rule(
    "minutes to",
    `(?:at\\s+)?(a quarter|quarter|\\d{1,2}(?:\\s*minutes?)?|${EN_CARDINAL}(?:\\s*minutes?)?)\\s+(?:to|before|of)\\s+(?:${HOUR}(?:\\s*o'?clock)?(?:\\s*${HALF})?|(noon)|(midnight))(?:${IN_PART})?`,
    (v, text, span) => {
      const minutes = minutesOf(v(1));
      if (minutes === undefined || minutes > 59 || minutes < 1 || !startsFresh(text, span.from)) return undefined;
      if (v(4)) return at({ hour: 11, minute: 60 - minutes, half: "exact" });
      if (v(5)) return at({ hour: 23, minute: 60 - minutes, half: "exact" });
      // "3 to 4" is a range, "quarter to 4" a clock.
      if (/^\d+$/.test(v(1)) && minutes < 13 && !v(3)) return undefined;
      const frame = clockFrame(v(2), "0", v(3) || v(6), true);
      return frame?.clock ? at(beforeHour(frame.clock, minutes)) : undefined;
    },
  ),
  rule("half hour, British", `half\\s+(${HOUR_WORD})\\b`, (v) => {
    const frame = clockFrame(v(1), "30", "", true);
    return frame && { frame, latent: true };
  }),
  rule(
    "hours, a range",
    `${HOUR}(?::(\\d{2}))?\\s*(?:${HALF})?\\s*(?:-|to|until|untill|till|til|and)\\s*${HOUR}(?::(\\d{2}))?(?:\\s*${HALF})?(?:${IN_PART})?`,
    (v, text, span) => hourRange(v, text, span),
  ),
  rule("four figures", "at\\s+([01]\\d|2[0-3])([0-5]\\d)(?:\\s?(?:hrs|hours))?(?![\\d:])", (v) =>
    at({ hour: Number(v(1)), minute: Number(v(2)), half: "exact" }),
  ),
  rule(
    "at an hour",
    `(?:at|@|around|about|by|before|after|from|until|till|for)\\s*${HOUR}(?![\\d:.,/%$-]?\\d|\\s?[%$€£¥°]|\\s?(?:am|pm|a|p|a\\.m|p\\.m|o'?\\s?clock|oclock)\\b|ish|[- ](?:fifteen|twenty|thirty|forty|fifty)|[:h]\\d|\\s(?:in the|past|to|-)\\s|-\\d|\\s*(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|people|percent|more|times)\\b|\\s+(?:of\\s+)?(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}\\b(?!\\s*\\d{1,2}(?!\\d)))`,
    (v, text, span) => {
      const frame = clockFrame(v(1), "", "", true);
      if (!frame) return undefined;
      const ends = /^\s*(?:$|[,.;!?，。；！？)]|(?:and|on|tomorrow|today|tonight|this|sharp|or|with)\b)/.test(
        text.slice(span.to, span.to + 12),
      );
      return ends && /^at|^@/.test(text.slice(span.from, span.to)) ? frame : { frame, latent: true };
    },
  ),
  rule(
    "an hour before its part",
    `${HOUR}(?=\\s+(?:tonight|tonite|tomorrow|this (?:morning|afternoon|evening)|today)\\b)`,
    (v, text, span) => {
      // "chapter 9 tomorrow" is no clock: only at the start of a clause.
      if (
        !/(?:^|[,.;:!?，。；：]|\b(?:at|by|meet|call|lunch|dinner|drinks|meeting))\s*$/.test(
          text.slice(Math.max(0, span.from - 9), span.from),
        )
      )
        return undefined;
      return clockFrame(v(1), "", "", true);
    },
  ),
];

function hourRange(
  v: (group: number) => string,
  text: string,
  span: { from: number; to: number },
): Reading | undefined {
  if (!startsFresh(text, span.from) || !endsFresh(text, span.to)) return undefined;
  const half = v(6) || v(7);
  const link = text.slice(span.from, span.to);
  const start = clockFrame(v(1), v(2), v(3), !v(2));
  const end = clockFrame(v(4), v(5), half, !v(5));
  if (!start?.clock || !end?.clock) return undefined;
  const before = text.slice(Math.max(0, span.from - 9), span.from);
  if (/\band\b/.test(link) && !/between\s+$/.test(before)) return undefined;
  // "3-4pm": the first hour shares the half of the second unless that turns it round (11-1pm).
  if (half && !v(3) && end.clock.half && end.clock.half !== "exact") {
    const hour12 = (n: number): number => n % 12;
    start.clock.half =
      hour12(start.clock.hour) <= hour12(end.clock.hour) ? end.clock.half : end.clock.half === "pm" ? "am" : "pm";
    delete start.clock.loose;
  }
  const sure = half !== "" || v(3) !== "" || (v(2) !== "" && v(5) !== "");
  return { frame: start, end, ...(sure ? {} : { latent: true as const, lone: false as const }) };
}

// A count in words stands apart and has its unit written out: "and" is no "an d".
const COUNT = `(?:\\d{1,4}(?:\\.\\d{1,2})?|(?:${EN_CARDINAL}|an|a few|a couple(?: of)?|a|couple(?: of)?|few|several)(?=[\\s-]+[a-z]{2}))`;
const UNITS: readonly (readonly [pattern: RegExp, unit: keyof Span])[] = [
  [/^(?:s|secs?|seconds?)$/, "seconds"],
  [/^(?:m|mins?|minutes?)$/, "minutes"],
  [/^(?:h|hrs?|hours?)$/, "hours"],
  [/^(?:business|working|work)[\s-]?days?$/, "workdays"],
  [/^(?:d|days?)$/, "days"],
  [/^(?:w|wks?|weeks?)$/, "weeks"],
  [/^(?:mo|mos|mths?|months?)$/, "months"],
  [/^(?:y|yrs?|years?)$/, "years"],
];
const UNIT =
  "(seconds?|secs?|s|minutes?|mins?|months?|mths?|mos?|m|hours?|hrs?|h|(?:business|working|work)[\\s-]?days?|days?|d|fortnights?|weeks?|wks?|w|years?|yrs?|quarters?|y)(?![a-z])";
const LONE =
  "(?:(?:an?\\s+)?half(?:\\s+an?|-an?|-)?\\s*(?:hour|hr)|(?:a\\s+)?quarter of an hour|three[- ]quarters of an hour|1\\/4\\s?h|1\\/2\\s?h|3\\/4\\s?h)(?![a-z])";
const AMOUNT = `(${COUNT})[\\s-]*(?:(?:and\\s+)?(an?\\s+half|½)\\s+)?${UNIT}(\\s+and\\s+a\\s+half)?`;
const ONE = `(?:${AMOUNT.replaceAll("(seconds", "(?:seconds").replace(`(${COUNT})`, COUNT).replace("(an?", "(?:an?").replace("(\\s+and", "(?:\\s+and")})`;
/** A whole span: "1 day 2 hours", "2 and a half hours", "half an hour", "1h30m". */
const SPAN = `(${LONE}|${ONE}(?:(?:\\s*,?\\s*(?:and\\s+)?)${ONE}){0,3})`;
const AMOUNTS = new RegExp(AMOUNT, "g");

/** The span said by words like "1 day 2 hours" or "half an hour". */
export function englishSpan(text: string): Span | undefined {
  if (/three[- ]quarters|3\/4/.test(text)) return { minutes: 45 };
  if (/quarter of an|1\/4/.test(text)) return { minutes: 15 };
  if (/^(?:(?:an?\s+)?half(?:\s+an?|-an?|-)?\s*(?:hour|hr)|1\/2\s?h)$/.test(text.trim())) return { minutes: 30 };
  const span: Record<string, number> = {};
  for (const match of text.matchAll(AMOUNTS)) {
    const [, count = "", half = "", word = "", halfAfter = ""] = match;
    const n = (num(count) ?? Number.NaN) + (half || halfAfter ? 0.5 : 0);
    if (!Number.isFinite(n)) return undefined;
    if (word.startsWith("fortnight")) span.days = (span.days ?? 0) + n * 14;
    else if (word.startsWith("quarter")) span.months = (span.months ?? 0) + n * 3;
    else {
      const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
      if (!unit) return undefined;
      span[unit] = (span[unit] ?? 0) + n;
    }
  }
  return Object.keys(span).length > 0 ? span : undefined;
}

function spanReading(
  text: string,
  extra: Frame = {},
  more: { latent?: true; bare?: true; sign?: -1 } = {},
): Reading | undefined {
  const span = englishSpan(text);
  if (!span) return undefined;
  const sign = more.sign ?? 1;
  const signed = Object.fromEntries(Object.entries(span).map(([unit, n]) => [unit, n * sign])) as Span;
  const vague = /\b(?:few|several)\b/.test(text) ? { vague: true as const } : {};
  return {
    frame: { span: signed, ...vague, ...extra },
    ...(more.latent ? { latent: true as const } : {}),
    ...(more.bare ? { bare: true as const } : {}),
  };
}

const WEEKDAY = "(mon|tues|wednes|thurs|fri|satur|sun)days?";
const WEEKDAYS = ["mon", "tues", "wednes", "thurs", "fri", "satur", "sun"];

/** Spans of time in English: from now, within, ago, or counted from a day. */
export const EN_SPANS: readonly Rule[] = [
  rule(
    "in a span",
    `(?:in|after)\\s+(?:about\\s+|around\\s+|another\\s+|the next\\s+|approximately\\s+|exactly\\s+)?${SPAN}(?:'s?\\s+time)?(?:\\s+from (?:now|today))?`,
    (v) => spanReading(v(1)),
  ),
  rule(
    "within a span",
    `(?:within|in the next|over the next|during the next|for the next|the next|next|in the coming|no later than)\\s+(?:the\\s+(?:next\\s+)?)?${SPAN}`,
    (v) => spanReading(v(1), { mode: "within" }),
  ),
  rule(
    "span from now",
    `${SPAN}(?:'s?\\s+time)?\\s+(?:from\\s+(?:right\\s+)?now|from\\s+today|later|hence|on\\b(?!\\s+\\w)|time\\b|out\\b)`,
    (v) => spanReading(v(1)),
  ),
  rule("span ago", `${SPAN}\\s+(?:ago|earlier|back)\\b`, (v) => spanReading(v(1), {}, { sign: -1 })),
  rule("past span", `(?:the\\s+)?(?:last|past|previous)\\s+${SPAN}`, (v) => spanReading(v(1), {}, { sign: -1 })),
  rule("the day before a day", "(?:the\\s+)?(day|week)(?=\\s+(?:before|after)\\s+)", (v) => ({
    frame: { span: v(1) === "day" ? { days: 1 } : { weeks: 1 } },
    latent: true,
    bare: true,
  })),
  rule("span from a day", `(?:in\\s+)?${SPAN}(?=\\s+(?:from|after|following|before|on)\\s+)`, (v, text, span) =>
    /\s+on\s+$/.test(text.slice(span.to, span.to + 4)) && !/week|fortnight/.test(v(1))
      ? undefined
      : spanReading(v(1), {}, { latent: true, bare: true }),
  ),
  rule(
    "week or fortnight from a day",
    "(?:a\\s+)?(week|fortnight)(?=\\s+(?:today|tomorrow|on\\s+\\w+day)\\b)",
    (v) => ({
      frame: { span: v(1) === "week" ? { weeks: 1 } : { days: 14 } },
      latent: true,
      bare: true,
    }),
  ),
  rule("weekdays from now", `${EN_CARDINAL.replace("(?:", "(")}\\s+${WEEKDAY}\\s+from\\s+now`, (v) => {
    const n = num(v(1));
    return n === undefined ? undefined : { weekdaysOn: { n, weekday: WEEKDAYS.indexOf(v(2)) + 1 } };
  }),
  rule("weekdays from now, in figures", `(\\d{1,2})\\s+${WEEKDAY}\\s+from\\s+now`, (v) => ({
    weekdaysOn: { n: Number(v(1)), weekday: WEEKDAYS.indexOf(v(2)) + 1 },
  })),
  rule("in a moment", "in\\s+a\\s+(sec|minute|min|second)\\b", (v) => ({
    span: /min/.test(v(1)) ? { minutes: 1 } : { seconds: 1 },
  })),
  rule("span after, a Latin unit in Chinese", `${SPAN}\\s?(?:之后|以后|过后|后)(?!天|面|年|台|续|端|来)`, (v) =>
    spanReading(v(1)),
  ),
  rule("span within, a Latin unit in Chinese", `${SPAN}\\s?(?:之内|以内|内)(?!容|部|存|网)`, (v) =>
    spanReading(v(1), { mode: "within" }),
  ),
  rule("in marks", "in\\s+(\\d{1,3})\\s?('|\")", (v) => ({
    span: v(2) === "'" ? { minutes: Number(v(1)) } : { seconds: Number(v(1)) },
  })),
  rule("for a span", `for\\s+${SPAN}`, (v) => spanReading(v(1), {}, { latent: true, bare: true })),
  rule("bare span", SPAN, (v) => spanReading(v(1), {}, { latent: true })),
];
