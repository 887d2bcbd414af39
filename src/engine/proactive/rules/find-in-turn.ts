import { DateTime } from "luxon";
import { readTimes, type TimeMention } from "../../natural-time.ts";
import type { Clause } from "./clauses.ts";
import { BEFORE_THEN, ENOUGH_FOR_NOW, futureTimes, type Head, has, headOf } from "./heads.ts";
import type { Matter, WhyNow } from "./matter.ts";
import { termsOf } from "./terms.ts";
import { cutTitle, phraseOf, trimPhrase } from "./title.ts";
import type { Turn } from "./turns.ts";

/** Once this is past it is too late: "过了 8 号就不受理了". */
const CUT_OFF = /(?:以后|之后|过了?|后)[^,，。]{0,6}(?:就)?(?:不|没|唔)/;

/** Matters in a person's own words. */
export function findInTurn(turn: Turn, earlier: readonly Turn[]): Matter[] {
  if (turn.plays) return [];
  const heads = pickHeads(headsOf(turn));
  return heads.map((head) => matterOf(turn, head, heads.length === 1, earlier));
}

function headsOf(turn: Turn): Head[] {
  const ended = endedClauses(turn.clauses);
  const unreal = new Set(turn.clauses.filter((c) => isUnreal(c, turn)).map((c) => c.sentence));
  const heads: Head[] = [];
  for (const clause of turn.clauses) {
    if (clause.owner === "other" || ended.has(clause)) continue;
    if (unreal.has(clause.sentence) && !has(clause, "wish")) continue;
    const head = headOf(turn, clause);
    if (head) heads.push(topicOf(turn, clause) === undefined ? head : { ...head, topic: true });
  }
  return withoutEchoes(heads.map((head) => withOccasionsTime(head, heads)));
}

/** "酒店还没订，得趁这周末定下来": the duty only says by when; what it is about stands before it. */
function withoutEchoes(heads: readonly Head[]): Head[] {
  const kept: Head[] = [];
  for (const head of heads) {
    const before = kept.at(-1);
    const echoes =
      before?.clause.sentence === head.clause.sentence &&
      !before.time &&
      head.time !== undefined &&
      has(before.clause, "open") &&
      has(head.clause, "duty", "deadline") &&
      isThin(head.clause);
    if (echoes && before) kept[kept.length - 1] = { ...before, time: head.time };
    else kept.push(head);
  }
  return kept;
}

/** "the plumber comes thursday at 8, I have to be in for that": the duty has the time of the occasion it belongs to. */
function withOccasionsTime(head: Head, heads: readonly Head[]): Head {
  if (head.time || !head.strong || !has(head.clause, "duty")) return head;
  const occasion = heads.findLast(
    (h) => !h.strong && h.time && h.clause.sentence === head.clause.sentence && h.clause.from < head.clause.from,
  );
  return occasion?.time ? { ...head, time: occasion.time } : head;
}

/**
 * "they asked me to host, told them no": what a refusal ends. Back to the last clause of the sentence that was
 * accepted, refused or is waited for; what comes after stands if it says so itself.
 */
const REFUSES =
  /^(?:我)?(?:没(?:有)?答应|推(?:掉)?了|拒(?:绝)?了|回绝了|婉拒了|不去|不参加|不考虑|没兴趣|算了)|\b(?:told (?:them|him|her) no|not interested|said no|turned (?:it|them|him|her) down|declined|i passed|not going|hard pass)\b/;
function endedClauses(clauses: readonly Clause[]): Set<Clause> {
  const ended = new Set<Clause>();
  for (const [i, clause] of clauses.entries()) {
    // "cancel the old contract" on a list of things to do is one of them.
    if (clause.listed || !has(clause, "dropped") || has(clause, "wish", "moved")) continue;
    for (let j = i; j >= 0; j--) {
      const before = clauses[j];
      if (!before) break;
      if (
        before.sentence !== clause.sentence &&
        !(REFUSES.test(clause.folded) && clause.sentence - before.sentence === 1)
      )
        break;
      if (j < i && has(before, "dropped", "promise", "waiting")) break;
      ended.add(before);
    }
  }
  return ended;
}

/** Imagined, said for fun, or only a condition. A condition with a date on others' doing is a real plan. */
function isUnreal(clause: Clause, turn: Turn): boolean {
  if (!has(clause, "unreal")) return false;
  const dated = turn.clauses.some((c) => c.sentence === clause.sentence && futureTimes(c, turn).length > 0);
  const onOthers =
    /(?:没|未|不)(?:有)?(?:回|给|批|到|来|收|通过|消息)|\b(?:don't|doesn't|haven't|hasn't|no (?:reply|answer|word))\b/.test(
      clause.folded,
    );
  return !(dated && onOthers);
}

const phrase = (clause: Clause): string => phraseOf(clause.text, clause.from, clause.times);

/**
 * Which heads of a message are matters of their own. One message is one matter, unless its clauses each have a time of
 * their own (or a line of a list) and speak of different things.
 */
function pickHeads(heads: readonly Head[]): Head[] {
  const strong = heads.filter((h) => h.strong);
  const events = heads.filter((h) => has(h.clause, "event"));
  // An appointment in a sentence of its own is lost beside nothing.
  const apart = events.filter(
    (h) =>
      !h.strong &&
      isAhead(h.time) &&
      strong.some((s) => s.time !== undefined || s.clause.sentence !== h.clause.sentence) &&
      strong.every((s) => s.clause.sentence !== h.clause.sentence || isBareWish(s) || areDaysApart(s, h)),
  );
  const able = strong.length > 0 ? heads.filter((h) => h.strong || apart.includes(h)) : events;
  const own = able.filter(
    (h) =>
      !CUT_OFF.test(h.clause.folded) &&
      (h.time !== undefined || h.clause.owner === "me" || h.clause.listed || standsAlone(h, able)),
  );
  const picked: Head[] = [];
  for (const head of own) {
    if (picked.length === 0 || head.clause.listed || picked.every((p) => isAnother(p, head))) picked.push(head);
  }
  if (picked.length > 1) return picked;
  if (strong.length > 0) return [bestOf(strong)];
  const [first] = heads;
  return first ? [first] : [];
}

/** Names a day, and not this one ("今天门诊排满了" tells of it). */
const isAhead = (t: TimeMention | undefined): boolean => t !== undefined && !t.dayless && !isNow(t);

/** "别忘了": speaks of what stands beside it. */
const isBareWish = (head: Head): boolean => has(head.clause, "wish") && !head.time && isThin(head.clause);

/** "下周三考高数，周五前还要交实验报告": each has a day of its own, and another one. */
const areDaysApart = (a: Head, b: Head): boolean =>
  a.time !== undefined &&
  b.time !== undefined &&
  a.clause !== b.clause &&
  !a.time.dayless &&
  !/前|之前|before/.test(b.clause.folded) &&
  Math.abs(a.time.start.getTime() - b.time.start.getTime()) > 18 * 3_600_000 &&
  isAnother(a, b);

/** Somebody to wait for, in a sentence that says nothing else to be done: "还有报告，等他们通知". */
const standsAlone = (head: Head, heads: readonly Head[]): boolean =>
  (head.kind === "waiting"
    ? !/\b(?:she|he|they|it)\b/.test(head.clause.folded)
    : (has(head.clause, "duty") && /我/.test(head.clause.folded)) ||
      (has(head.clause, "open") && head.why === "open" && !isThin(head.clause))) &&
  heads.every(
    (h) =>
      h === head ||
      h.clause.sentence !== head.clause.sentence ||
      (head.kind === "waiting" && h.kind === "waiting" && h.clause.from < head.clause.from),
  );

/** Two heads of one message that share neither words nor time, the second not leaning on the first. */
function isAnother(a: Head, b: Head): boolean {
  const [ours, theirs] = [termsOf(phrase(a.clause)), termsOf(phrase(b.clause))];
  if (ours.size === 0 || theirs.size === 0 || [...ours].some((t) => theirs.has(t))) return false;
  if (a.time && b.time && a.time.start.getTime() === b.time.start.getTime()) return false;
  const stands = !isThin(b.clause) && !leansOnEarlier(b.clause);
  return (
    (stands || b.clause.listed === true || (b.topic === true && !HAS_IT.test(b.clause.folded))) &&
    !(a.why === "put_off" && !b.clause.acts.has("event"))
  );
}

const RANK: Readonly<Partial<Record<WhyNow, number>>> = {
  asked_to_remind: 6,
  waiting: 5,
  agent_promised: 4,
  open: 4,
  put_off: 3,
  dated: 3,
};

/** Of several heads the one that says most: a time, then the kind of act. */
function bestOf(heads: readonly Head[]): Head {
  const score = (h: Head): number =>
    (h.time ? 3 : 0) + (RANK[h.why] ?? 0) - (h.kind === "unfinished" && h.why === "open" ? 1.5 : 0);
  return heads.reduce((best, h) => (score(h) > score(best) ? h : best));
}

/** Words that lean on what was said before. */
const LEANS =
  /\b(?:it|that|this|them|their|they|those|these|one)\b|(?:^|[^\u4e00-\u9fff])(?:它|这个|那个|这件|那件|这事|那事|他们|她们)|(?:这|那)(?:个|件|份|张|些|批|本)?(?=[,，。\s]|$)/;
/** A name inside the clause is what its pronouns mean. */
const NAMED = /\S\s+[A-Z][a-z]+/;
/** "ought to renew it soon": its object was named before. */
const HAS_IT =
  /\b(?:send|do|get|file|submit|renew|pay|book|return|finish|post|take|give|drop|sort|fix|collect) (?:it|them|that)\b/;
const leansOnEarlier = (clause: Clause): boolean =>
  (HAS_IT.test(clause.folded) && !NAMED.test(clause.text)) ||
  (LEANS.test(clause.folded) && !NAMED.test(clause.text) && termsOf(phrase(clause)).size < 4);

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
const isNow = (t: TimeMention): boolean => /今|today|tonight|this (?:morning|afternoon|evening)/i.test(t.matched);

/** Words of putting off and of looking at: they name nothing. */
const EMPTY_WORDS =
  /(?:不然|否则|要不|免得).*$|趁|定下来|搞定|弄好|处理掉|解决掉|做出来|出来|弄完|晚点|晚些|回头|稍后|待会儿?|改天|下次|有空|再|看看?|想想?|说|弄|搞|处理|继续|接着|先|放着?|记着?|later|look|check|continue|finish|rest/g;

/** Names hardly anything by itself. */
const isThin = (clause: Clause): boolean => termsOf(phrase(clause).replace(EMPTY_WORDS, " ")).size < 2;

function matterOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): Matter {
  const { clause } = head;
  const title = titleOf(turn, head, alone, earlier);
  return {
    title,
    summary: trimPhrase(turn.speech.own).slice(0, 200),
    kind: head.kind,
    time: timeOf(turn, head, alone, earlier),
    evidence: [turn.user.id],
    sessionId: turn.session.id,
    at: turn.user.at,
    terms: new Set([...termsOf(alone ? turn.speech.own : clause.text), ...termsOf(title)]),
    why: head.why,
    occasion: !head.strong,
    leans: leansOnEarlier(clause),
    thin: isThin(clause),
  };
}

/** The time of a matter: its clause's, else the message's; of several deadlines the first; "before then": the last one named. */
function timeOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): TimeMention | undefined {
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

/** How a person feels about it is no part of what it is. */
const MOOD =
  /^(?:唉|哎|啊|好|真|太|压力|头|心|要|人|快|烦|累|困|我){0,6}(?:压力(?:好|很|太|山)?大|头(?:好|很|都)?(?:大|疼|痛)|(?:好|太|真|很|累)(?:累|困|烦|难|慌|急|忙|丧|瘫)|累瘫|烦死|累死|困死|崩溃|要命|要疯|焦虑|裂开)|^(?:ugh|argh|sigh|and )*(?:i'm |so |im )*(?:wiped|exhausted|stressed|dreading|knackered|shattered|so tired|dying|not ready)/;

const isRich = (text: string): boolean => termsOf(text).size >= 2;

/** "还有体检表，9 号要交": the clause before, when it only names what the next one speaks of. */
function topicOf(turn: Turn, clause: Clause): string | undefined {
  const before = turn.clauses[turn.clauses.indexOf(clause) - 1];
  if (
    !before ||
    before.sentence !== clause.sentence ||
    [...before.acts].some((act) => act !== "event") ||
    before.times.length > 0
  )
    return undefined;
  const topic = phrase(before);
  return isRich(topic) ? topic : undefined;
}

/** A phrase that names the matter even when its clause only says "look at it next week". */
function titleOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): string {
  const own = phrase(head.clause);
  const bare = own.replace(EMPTY_WORDS, " ");
  const topicBefore = topicOf(turn, head.clause);
  if (topicBefore && termsOf(bare).size < 3)
    return cutTitle(`${topicBefore}${/[\u4e00-\u9fff]/.test(own) ? "，" : ", "}${own}`);
  if (isRich(bare) && !(leansOnEarlier(head.clause) && termsOf(bare).size < 3)) return cutTitle(own);
  const join = (a: string, b: string): string =>
    cutTitle(b === "" ? a : `${a}${/[\u4e00-\u9fff]/.test(a) ? "，" : ", "}${b}`);
  if (alone) {
    const beside = turn.clauses
      .filter((c) => c !== head.clause && !has(c, "dropped", "question") && !MOOD.test(c.folded))
      .map(phrase)
      .find(isRich);
    if (beside) return join(beside, own);
  }
  const before = earlier.filter((t) => t.session === turn.session).at(-1);
  const topic = before && trimPhrase((before.speech.own.split(/[\n。]/)[0] ?? "").slice(0, 80));
  if (topic && isRich(topic)) return termsOf(bare).size > 0 ? join(topic, own) : cutTitle(topic);
  return cutTitle(own || trimPhrase(turn.speech.own));
}
