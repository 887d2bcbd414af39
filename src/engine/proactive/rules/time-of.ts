import { DateTime } from "luxon";
import { readTimes, type TimeMention } from "../../natural-time.ts";
import type { Clause } from "./clauses.ts";
import { BEFORE_THEN, ENOUGH_FOR_NOW, futureTimes, type Head, has } from "./heads.ts";
import type { Turn } from "./turns.ts";

/** Once this is past it is too late: "过了 8 号就不受理了". */
export const CUT_OFF = /(?:以后|之后|过了?|后)[^,，。]{0,6}(?:就)?(?:不|没|唔)/;

/** "提前三天买", "前两天退订", "two days before": counted back from a day named before it. */
const COUNTED_BACK =
  /(?:提前|提早|前)\s?(\d{1,2}|[一两二三四五六七八九十])\s?(?:个)?(天|日|周|星期|礼拜|月)(?!的|都|就是)|\b(?:(a|one|two|three|four|five|\d{1,2}) (day|week|month)s? (?:before(?:hand)?|ahead|earlier|in advance|prior)|the (day|week) before)(?! (?:the|my|our|yesterday|\w+day)\b)/;

const COUNTS: Readonly<Record<string, number>> = {
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
};

/** The day counted back from the one named before it in the message; undefined when nothing is counted back, or it is over. */
function beforeItsDay(turn: Turn, clause: Clause): TimeMention | undefined {
  const back = turn.clauses
    .filter((c) => Math.abs(c.sentence - clause.sentence) <= (clause.listed ? 0 : 1))
    .map((c) => ({ c, match: COUNTED_BACK.exec(c.folded) }))
    .find((m) => m.match !== null);
  if (!back?.match) return undefined;
  const at = back.c.from + back.match.index;
  const day = turn.clauses
    .flatMap((c) => futureTimes(c, turn))
    .findLast((t) => t.index < at && (t.grain === "day" || !t.dayless));
  if (!day) return undefined;
  const [, zhCount, zhUnit, enCount, enUnit, lone] = back.match;
  const count = zhCount ?? enCount ?? "one";
  const n = COUNTS[count] ?? Number(count);
  const unit = zhUnit ?? enUnit ?? lone ?? "day";
  const step = /天|日|day/.test(unit) ? { days: n } : /月|month/.test(unit) ? { months: n } : { weeks: n };
  const start = DateTime.fromJSDate(day.start, { zone: turn.zone }).startOf("day").minus(step);
  if (start.plus({ days: 1 }).toJSDate() <= turn.user.at) return undefined;
  return { ...day, start: start.toJSDate(), until: start.plus({ days: 1 }).toJSDate(), grain: "day", within: false };
}

/** "没来得及洗车": the day it was not done is not the day it is due. */
const SLIPPED =
  /没(?:来得及|顾上|顾得上|空|时间|去成|做成|弄成|能)|\b(?:didn't (?:get|manage|have time)|never (?:got|made)|ran out of time|haven't (?:got|gotten))\b/;

export const isNow = (t: TimeMention): boolean =>
  /今|today|tonight|this (?:morning|afternoon|evening)/i.test(t.matched);

/** The time of a matter: its clause's, else the message's; of several deadlines the first; "before then": the last one named. */
export function timeOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): TimeMention | undefined {
  const { clause } = head;
  const ahead = beforeItsDay(turn, clause);
  if (ahead) return ahead;
  const moved =
    alone && turn.clauses.some((c) => has(c, "moved") && c.sentence === clause.sentence) ? newTimeIn(turn) : undefined;
  if (moved) return moved;
  const slipped = SLIPPED.test(clause.folded);
  const leaves = head.why === "put_off" && ENOUGH_FOR_NOW.test(clause.folded);
  const time =
    head.time && !((slipped || leaves) && isNow(head.time))
      ? withItsClock(turn, clause, withItsDay(turn, head.time), alone)
      : undefined;
  const others = turn.clauses.filter((c) => c === clause || (alone && !has(c, "dropped")));
  if (clause.listed && time?.dayless && clause.listTime) return onDay(turn, clause.listTime, time);
  if (clause.listed && !time) {
    const said = turn.clauses.filter((c) => c.sentence === clause.sentence).flatMap((c) => futureTimes(c, turn));
    return said.find((t) => t.mode !== undefined) ?? said[0] ?? clause.listTime;
  }
  if (time) {
    if (!alone || head.kind === "waiting") return time;
    const limits = [time, ...others.filter((c) => CUT_OFF.test(c.folded)).flatMap((c) => futureTimes(c, turn))];
    return limits.reduce((first, t) => (t.start < first.start ? t : first));
  }
  // What is done, and "今天先这样", name no date that is still to come.
  const all = others
    .filter((c) => c === clause || !(has(c, "done") || ENOUGH_FOR_NOW.test(c.folded)))
    .flatMap((c) => futureTimes(c, turn));
  if (BEFORE_THEN.test(clause.folded)) return all[0] ?? lastNamed(turn, earlier);
  return all.find((t) => !isThisUnit(t) && !((slipped || leaves) && isNow(t)));
}

/** Of the times in a message that moves something the one after the word that moves it; undefined when it moves nothing. */
export function newTimeIn(turn: Turn): TimeMention | undefined {
  const movers = turn.clauses.filter((c) => has(c, "moved") && !has(c, "question"));
  const mover = movers.find((c) => futureTimes(c, turn).length > 0);
  if (mover) {
    const ahead = futureTimes(mover, turn);
    const word = /改|挪|推|延|移|调|换|提前|而是|\b(?:to|until|till|now|instead|actually)\b/.exec(mover.folded);
    const time = (word && ahead.find((t) => t.index >= mover.from + word.index)) ?? ahead.at(-1);
    return time && withItsDay(turn, time);
  }
  // "说错了，是 25 号": said right after.
  const slip = movers[0];
  return slip && turn.clauses.filter((c) => c.from > slip.from).flatMap((c) => futureTimes(c, turn))[0];
}

/** "妈明天下午做手术，三点前要到": a time of day takes the day that was named just before it. */
function withItsDay(turn: Turn, time: TimeMention): TimeMention {
  if (!time.dayless) return time;
  const day = turn.clauses
    .flatMap((c) => c.times)
    .findLast(
      (t) => t.index < time.index && !t.dayless && !t.past && !t.bare && t.grain !== "week" && t.grain !== "month",
    );
  return day ? onDay(turn, day, time) : time;
}

/** The clock time on that day, unless it would be over. */
function onDay(turn: Turn, day: TimeMention, time: TimeMention): TimeMention {
  const clock = DateTime.fromJSDate(time.start, { zone: turn.zone });
  const start = DateTime.fromJSDate(day.start, { zone: turn.zone })
    .set({ hour: clock.hour, minute: clock.minute })
    .toJSDate();
  if (start <= turn.user.at) return time;
  return { ...time, start, until: new Date(start.getTime() + (time.until.getTime() - time.start.getTime())) };
}

/** "24号的火车到，我得去接，15:20那趟": a day takes the one clock time that its sentence names beside it. */
function withItsClock(turn: Turn, clause: Clause, time: TimeMention, alone: boolean): TimeMention {
  if (!alone || time.grain !== "day" || time.within || time.mode !== undefined) return time;
  const clocks = turn.clauses
    .filter((c) => c.sentence === clause.sentence && !has(c, "done", "dropped", "question"))
    .flatMap((c) => c.times)
    .filter((t) => t.dayless && !t.within && !t.past && (t.grain === "hour" || t.grain === "minute"));
  const [clock] = clocks;
  if (!clock || clocks.length > 1) return time;
  const { hour, minute } = DateTime.fromJSDate(clock.start, { zone: turn.zone });
  const start = DateTime.fromJSDate(time.start, { zone: turn.zone }).set({ hour, minute }).toJSDate();
  return { ...clock, start, until: new Date(start.getTime() + 60_000), dayless: false };
}

/** "this week": when it is said beside, not when it is due. */
const isThisUnit = (t: TimeMention): boolean =>
  ["week", "month", "quarter", "year"].includes(t.grain) &&
  /^(?:这周|本周|这个月|本月|今年|this (?:week|month|year))/.test(t.matched.toLowerCase().trim());

/** The last future time anybody named in this session before this message. */
function lastNamed(turn: Turn, earlier: readonly Turn[]): TimeMention | undefined {
  const rows = earlier
    .filter((t) => t.session === turn.session)
    .flatMap((t) => [t.user, ...t.replies.filter((r) => r.role === "assistant")])
    .slice(-6);
  for (const row of rows.reverse()) {
    const time = readTimes(row.text.slice(0, 2000), turn.user.at, turn.zone).find((t) => !t.past && !t.bare);
    if (time) return time;
  }
  return undefined;
}
