import { DateTime } from "luxon";
import type { FigureOrder } from "./natural-time/figure-dates.ts";
import { foldText } from "./natural-time/fold-text.ts";
import { type Frame, namesADay } from "./natural-time/frame.ts";
import { joinPieces, type Phrase } from "./natural-time/join.ts";
import { type Grain, type Placed, placeFrame } from "./natural-time/resolve.ts";
import { scanPieces } from "./natural-time/scan.ts";

export type { Grain } from "./natural-time/resolve.ts";

/** A time read out of a text. */
export interface TimeMention {
  start: Date;
  /** Exclusive; only where the text names an interval (July 13-15 ends as the 16th begins). */
  end?: Date;
  grain: Grain;
  /** `start` stands for a part of a day, a weekend, the end of a month: anything up to `until` was meant as well. */
  within: boolean;
  /** Exclusive end of the day, week or window meant. */
  until: Date;
  /** The words read, as they stand in the text. */
  matched: string;
  index: number;
  /** by = a deadline, within = before that much time is over, after = not before. */
  mode?: "by" | "within" | "after";
  /** All of it is over at `now` (昨天, 3 days ago). */
  past: boolean;
  /** every Friday, 每周五: `start` is the next one. */
  recurring: boolean;
  /** Too loose to hang a date on (这两天, in a few days). */
  vague: boolean;
  /** Names no day, only a time of it (下午三点, at 5). */
  dayless: boolean;
  /** A length of time without a word of when (45min): read so only when it is all there is. */
  bare: boolean;
}

/** Longer texts are read up to here; nobody says a time after that many characters of one message. */
const MOST_CHARACTERS = 20_000;

/** Signs and small words that may surround a time that is "the whole text". */
const AROUND = /^[\s,.;:!?，。；：！？、~()（）「」"'”“]*$/;

/**
 * The first time a text names that is not over, as a person in `zone` (IANA) means it at `now`; null when it names none.
 * Answers lie ahead: a clock time that is over today is tomorrow's, a date without a year the next one; weeks run from
 * Monday to Sunday; a deadline is the moment named. Impossible dates (30 February) are no times.
 */
export function readTime(text: string, now: Date, zone: string): TimeMention | null {
  const ahead = readTimes(text, now, zone).filter((mention) => !mention.past);
  const [first, next] = ahead;
  if (!first) return null;
  return next && isItsClock(text, first, next) ? withClock(first, next, now, zone) : first;
}

/** "4th of july bbq at 5pm": a clock time a few words after its day. */
function isItsClock(text: string, day: TimeMention, clock: TimeMention): boolean {
  if (day.grain !== "day" || day.within || day.mode || day.end) return false;
  if (!clock.dayless || clock.within || clock.end || clock.mode || clock.bare || clock.grain === "day") return false;
  const between = text.slice(day.index + day.matched.length, clock.index);
  return between.length <= 24 && !/[,.;!?，。；！？\n]/.test(between);
}

function withClock(day: TimeMention, clock: TimeMention, now: Date, zone: string): TimeMention {
  const on = DateTime.fromJSDate(day.start, { zone });
  const { hour, minute } = DateTime.fromJSDate(clock.start, { zone });
  const start = on.set({ hour, minute });
  if (start.toJSDate() <= now) return day;
  return { ...day, start: start.toJSDate(), until: start.plus({ minutes: 1 }).toJSDate(), grain: clock.grain };
}

/** All times of a text in the order they stand there, not overlapping; the past ones too (marked). */
export function readTimes(text: string, now: Date, zone: string): TimeMention[] {
  const folded = foldText(text.slice(0, MOST_CHARACTERS));
  const phrases = joinPieces(folded, scanPieces(folded, figureOrder(folded, zone)));
  if (phrases.length === 0) return [];
  const here = DateTime.fromJSDate(now, { zone });
  if (!here.isValid) return [];
  const mentions: TimeMention[] = [];
  for (const phrase of phrases) {
    const whole = AROUND.test(folded.slice(0, phrase.from)) && AROUND.test(folded.slice(phrase.to));
    if (phrase.latent && !(whole && phrase.lone)) continue;
    const mention = placePhrase(text, phrase, here);
    if (mention) mentions.push(mention);
  }
  return mentions;
}

/** Europe, Africa and Oceania write the day first; Chinese texts and the rest the month. */
function figureOrder(folded: string, zone: string): FigureOrder {
  if (/[\u4e00-\u9fff]/.test(folded)) return "m/d";
  return /^(?:Europe|Africa|Australia|Pacific\/Auckland|Asia\/Kolkata)/.test(zone) ? "d/m" : "m/d";
}

function placePhrase(text: string, phrase: Phrase, now: DateTime): TimeMention | undefined {
  let start = placeFrame(phrase.end ? fromEnd(phrase.frame, phrase.end) : phrase.frame, now);
  if (!start) return undefined;
  if (phrase.frame.mode === "within" && !phrase.frame.span) start = lastDay(start);
  const end = endOf(phrase, start, now);
  if (end === "impossible") return undefined;
  return {
    start: start.start.toJSDate(),
    ...(end ? { end: end.toJSDate() } : {}),
    grain: start.grain,
    within: start.within,
    until: (end ?? start.until).toJSDate(),
    matched: text.slice(phrase.from, phrase.to),
    index: phrase.from,
    ...(phrase.frame.mode ? { mode: phrase.frame.mode } : {}),
    past: isPast(start, end, now),
    recurring: phrase.frame.recurring === true,
    vague: phrase.frame.vague === true,
    dayless: !namesADay(phrase.frame),
    bare: phrase.latent && phrase.frame.span !== undefined,
  };
}

/** Over: its end, or for a point the point itself. */
function isPast(start: Placed, end: DateTime | undefined, now: DateTime): boolean {
  if (end) return end <= now;
  const point = (start.grain === "minute" || start.grain === "hour") && !start.within;
  return point ? start.start < now : start.until <= now;
}

/** "within this month": by its last day. */
function lastDay(placed: Placed): Placed {
  if (!["week", "month", "quarter", "year"].includes(placed.grain)) return placed;
  return { start: placed.until.minus({ days: 1 }), grain: "day", until: placed.until, within: true };
}

/** A start takes from its end what it leaves unsaid: the year, the half of the day. */
function fromEnd(start: Frame, end: Frame): Frame {
  const frame = { ...start };
  if (start.month !== undefined && start.year === undefined && end.year !== undefined && end.month !== undefined)
    frame.year = end.year - (start.month > end.month ? 1 : 0);
  if (start.clock && !start.part && end.part && !start.clock.half) frame.part = end.part;
  return frame;
}

/** The exclusive end of a phrase's interval; undefined when it names none. */
function endOf(phrase: Phrase, start: Placed, now: DateTime): DateTime | undefined | "impossible" {
  if (phrase.lasting) return start.start.plus(phrase.lasting);
  if (!phrase.end) return undefined;
  const { frame, end } = phrase;
  if (end.clock && start.grain !== "day") return endClock(end, frame, start, now);
  const inherited: Frame = { ...end };
  if (end.day !== undefined && end.month === undefined && frame.month !== undefined) inherited.month = frame.month;
  if (end.day !== undefined && end.month === undefined && frame.monthShift !== undefined)
    inherited.monthShift = frame.monthShift;
  if (end.weekday !== undefined && end.weekShift === undefined && frame.weekShift !== undefined)
    inherited.weekShift = frame.weekShift;
  const placed = placeFrame(
    inherited,
    end.dayShift === undefined && inherited.monthShift === undefined && inherited.weekShift === undefined
      ? start.start
      : now,
  );
  if (!placed) return "impossible";
  return placed.until > start.start ? placed.until : undefined;
}

/** The end of clock times: on the day the start is on unless it names its own; a bare "3" is the next 3 after the start. */
function endClock(end: Frame, from: Frame, start: Placed, now: DateTime): DateTime | "impossible" {
  const part = end.part ?? (end.clock?.half ? undefined : from.part);
  const frame = part ? { ...end, part } : end;
  const placed = placeFrame(frame, namesADay(end) ? now : start.start.startOf("day").minus({ minutes: 1 }));
  if (!placed || !end.clock) return "impossible";
  const twice = end.part === undefined && end.clock.half === undefined && end.clock.hour <= 12;
  let at = placed.start;
  if (twice && !part && at.minus({ hours: 12 }) > start.start) at = at.minus({ hours: 12 });
  if (twice && at <= start.start && at.plus({ hours: 12 }) > start.start) at = at.plus({ hours: 12 });
  return at > start.start ? at : at.plus({ days: 1 });
}
