import { DateTime } from "luxon";
import { atOnce, type Steps } from "../in-slices.ts";
import { type ExtractInput, extractInputSchema } from "./rules/extract-input.ts";
import { findAcceptedOffer } from "./rules/find-accepted-offer.ts";
import { findInReplies } from "./rules/find-in-replies.ts";
import { findInTurn } from "./rules/find-in-turn.ts";
import { addMatter } from "./rules/join-matters.ts";
import type { FoundByRules, Matter } from "./rules/matter.ts";
import { dueOf, momentumOf } from "./rules/momentum.ts";
import { CLAIMS, doneByTools, settle, tie } from "./rules/settle.ts";
import { shapeTitle } from "./rules/shape-title.ts";
import { termsOf } from "./rules/terms.ts";
import { newTimeIn } from "./rules/time-of.ts";
import { cutTitle } from "./rules/title.ts";
import { asMatter, hasItsTime, isSilent, trackedFor, wasJustSaid } from "./rules/tracked.ts";
import { lastReply, type Turn, turnsOf } from "./rules/turns.ts";

export type { FoundByRules, WhyNow } from "./rules/matter.ts";
export { type ExtractInput, extractInputSchema };

/** An occasion or a passed promise older than this is history. */
const RUNG_MS = 6 * 3_600_000;
const OVERDUE_MS = 7 * 24 * 3_600_000;

/**
 * What is still open in these conversations, found by rules alone: promises, deadlines, waiting, unfinished work, in
 * Chinese and English. It only proposes; it closes and changes nothing. Words of the history are compared, never obeyed.
 *
 * Turns are read in the order of time. Each may end or move what is open, then add to it; what is left at the end, and
 * may be spoken of, is the answer.
 */
export function extractByRules(input: ExtractInput): FoundByRules[] {
  return atOnce(extractSteps(input));
}

/** The same, a turn a step: reading a day of talk takes longer than a tap may wait. */
export function* extractSteps(input: ExtractInput): Steps<FoundByRules[]> {
  const turns = yield* turnsOf(input);
  const items = input.tracking.filter((item) => item.status === "active").map(asMatter);
  let open: Matter[] = [];
  const endedItems = new Map<string, Date>();
  for (const [i, turn] of turns.entries()) {
    const earlier = turns.slice(Math.max(0, i - 12), i);
    const { endings, moved } = settle(turn, [...items.filter((m) => m.goalId && !endedItems.has(m.goalId)), ...open]);
    for (const matter of endings.keys()) if (matter.goalId) endedItems.set(matter.goalId, turn.user.at);
    open = open.filter((m) => !endings.has(m));
    const accepted = findAcceptedOffer(turn, earlier);
    const found = [
      ...(accepted ? [accepted] : findInTurn(turn, earlier)),
      ...findInReplies(turn, earlier, turns.slice(i + 1, i + 12)),
    ];
    if (moved) open = move(turn, moved, found, open);
    else for (const matter of found) open = addMatter(withRestsDate(matter, [...endings.keys()]), open);
    yield;
  }
  const spoken = open.filter((m) => !doneByTools(m, turns) && !isOver(m, input.now) && !wasJustSaid(m, input));
  return [...proposals(spoken, input, endedItems, turns), ...ripeItems(spoken, input, endedItems)];
}

/** The matter has the new date; the message that moved it becomes part of its evidence. */
function move(turn: Turn, moved: Matter, found: readonly Matter[], open: readonly Matter[]): Matter[] {
  const time = sameTimeLater(turn, moved) ?? newTimeIn(turn) ?? found.find((m) => m.time)?.time ?? moved.time;
  const now: Matter = {
    ...moved,
    time,
    at: turn.user.at,
    evidence: [...moved.evidence, turn.user.id],
    terms: new Set([...moved.terms, ...termsOf(turn.speech.own)]),
  };
  return [...open.filter((m) => m !== moved), now];
}

/** "总结和预算都要周五交 … 总结交了，预算还差": what is left of a matter has its date. */
function withRestsDate(matter: Matter, ended: readonly Matter[]): Matter {
  if (matter.time || matter.kind !== "unfinished") return matter;
  const whole = ended.find((m) => m.time && tie(m, termsOf(matter.title)) >= 0.3);
  return whole?.time ? { ...matter, time: whole.time, evidence: [...whole.evidence, ...matter.evidence] } : matter;
}

/** "move our 1:1 to same time next week": counted from when it was. */
const SAME_TIME =
  /\bsame (?:time|day|slot),? (?:the )?(?:next|following) (week|month)\b|下(?:个)?(周|星期|礼拜|月)(?:的)?(?:同(?:一|样)?(?:的)?(?:时间|时候)|这个(?:时候|时间)|老时间)/;

function sameTimeLater(turn: Turn, moved: Matter): Matter["time"] {
  const match = SAME_TIME.exec(turn.speech.folded);
  const was = moved.time?.start ?? moved.wasDue;
  if (!was) return undefined;
  if (!match) return atItsClock(turn, was);
  const start = DateTime.fromJSDate(was, { zone: turn.zone }).plus(
    /month|月/.test(match[1] ?? match[2] ?? "") ? { months: 1 } : { weeks: 1 },
  );
  if (start.toJSDate() <= turn.user.at) return undefined;
  const day = start.hour === 0 && start.minute === 0;
  return {
    start: start.toJSDate(),
    until: start.plus(day ? { days: 1 } : { minutes: 1 }).toJSDate(),
    grain: day ? "day" : "minute",
    within: false,
    matched: match[0],
    index: match.index,
    past: false,
    recurring: false,
    vague: false,
    dayless: false,
    bare: false,
  };
}

/** "Monday, same time": the new day at the old hour. */
function atItsClock(turn: Turn, was: Date): Matter["time"] {
  if (!/\bsame time\b|时间不变|老时间|同一?(?:个)?时间/.test(turn.speech.folded)) return undefined;
  const time = newTimeIn(turn) ?? turn.clauses.flatMap((c) => c.times).find((t) => !t.past);
  const { hour, minute } = DateTime.fromJSDate(was, { zone: turn.zone });
  if (!time || (hour === 0 && minute === 0)) return undefined;
  const start = DateTime.fromJSDate(time.start, { zone: turn.zone }).set({ hour, minute });
  return { ...time, start: start.toJSDate(), until: start.plus({ minutes: 1 }).toJSDate(), grain: "minute" };
}

/** An occasion is over with its time; a promise or deadline is asked about for a week. */
function isOver(matter: Matter, now: Date): boolean {
  const time = matter.time;
  if (!time || time.until > now) return false;
  if (matter.occasion || matter.kind === "follow_up") return true;
  // The agent was to ring at that minute: long after it there is nothing to say.
  const clock = time.grain === "hour" || time.grain === "minute";
  if (matter.why === "asked_to_remind" && clock && !time.within) return now.getTime() - time.until.getTime() > RUNG_MS;
  return now.getTime() - time.until.getTime() > OVERDUE_MS;
}

function proposals(
  matters: readonly Matter[],
  input: ExtractInput,
  ended: ReadonlyMap<string, Date>,
  turns: readonly Turn[],
): FoundByRules[] {
  const found: FoundByRules[] = [];
  for (const matter of matters) {
    const item = trackedFor(matter, input.tracking);
    const over = item && ended.get(item.goalId);
    // What is said of it in the message that ended it, or later, is new.
    if (item && (isSilent(item, input) || (over && matter.at < over))) continue;
    const { dueAt, dueGrain } = dueOf(matter.time);
    const stalled =
      ["put_off", "interrupted", "stuck", "asks_for_decision"].includes(matter.why) ||
      (matter.why === "agent_promised" && !matter.time);
    const due = dueAt ?? item?.dueAt ?? null;
    found.push({
      title: shapeTitle(matter.title, matter.kind),
      summary: matter.summary,
      kind: matter.kind,
      dueAt: due,
      dueGrain: dueAt ? dueGrain : due ? "day" : null,
      momentum: momentumOf(matter.kind, stalled, due, input.now),
      evidence: matter.evidence,
      ...(item ? { goalId: item.goalId } : {}),
      whyNow: matter.why,
      ...(isClaimed(matter, turns) ? { claimedDone: true } : {}),
    });
  }
  return found;
}

/** The agent said after the matter was raised that it is done, and no person has. */
function isClaimed(matter: Matter, turns: readonly Turn[]): boolean {
  return turns.some((turn) => {
    const last = lastReply(turn);
    return (
      last !== undefined &&
      last.at >= matter.at &&
      turn.session.id === matter.sessionId &&
      CLAIMS.test(last.text) &&
      tie(matter, termsOf(last.text)) >= 0.5
    );
  });
}

/** Items tracked before whose time has come, though nobody has spoken of them. */
function ripeItems(matters: readonly Matter[], input: ExtractInput, ended: ReadonlyMap<string, Date>): FoundByRules[] {
  const spokenOf = new Set(matters.map((m) => trackedFor(m, input.tracking)?.goalId));
  return input.tracking
    .filter(
      (item) =>
        !isSilent(item, input) && !ended.has(item.goalId) && !spokenOf.has(item.goalId) && hasItsTime(item, input),
    )
    .map((item) => {
      const { kind } = asMatter(item);
      const dueAt = item.dueAt ?? null;
      return {
        title: cutTitle(item.title),
        summary: "",
        kind,
        dueAt,
        dueGrain: dueAt ? ("day" as const) : null,
        momentum: momentumOf(kind, item.momentum === "stalled", dueAt, input.now),
        evidence: [],
        goalId: item.goalId,
        whyNow: dueAt && dueAt < input.now ? ("overdue" as const) : ("due_soon" as const),
      };
    });
}
