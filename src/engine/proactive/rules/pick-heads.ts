import type { TimeMention } from "../../natural-time.ts";
import type { Clause } from "./clauses.ts";
import { type Head, has } from "./heads.ts";
import type { WhyNow } from "./matter.ts";
import { termsOf } from "./terms.ts";
import { CUT_OFF, isNow } from "./time-of.ts";
import { phraseOf } from "./title.ts";

export const phrase = (clause: Clause): string => phraseOf(clause.text, clause.from, clause.times);

/**
 * Which heads of a message are matters of their own. One message is one matter, unless its clauses each have a time of
 * their own (or a line of a list) and speak of different things.
 */
export function pickHeads(heads: readonly Head[]): Head[] {
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
    ? !/\b(?:she|he|they|it)\b/.test(head.clause.folded) &&
      !(
        /等(?:她|他|它|对方)/.test(head.clause.folded) &&
        heads.some((h) => h !== head && h.clause.sentence === head.clause.sentence)
      )
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

export const leansOnEarlier = (clause: Clause): boolean =>
  (HAS_IT.test(clause.folded) && !NAMED.test(clause.text)) ||
  (LEANS.test(clause.folded) && !NAMED.test(clause.text) && termsOf(phrase(clause)).size < 4);

/** Words of putting off and of looking at: they name nothing. */
export const EMPTY_WORDS =
  /(?:不然|否则|要不|免得).*$|趁|定下来|搞定|弄好|处理掉|解决掉|做出来|出来|弄完|晚点|晚些|回头|稍后|待会儿?|改天|下次|有空|再|看看?|想想?|说|弄|搞|处理|继续|接着|先|放着?|记着?|later|look|check|continue|finish|rest/g;

/** Names hardly anything by itself. */
export const isThin = (clause: Clause): boolean => termsOf(phrase(clause).replace(EMPTY_WORDS, " ")).size < 2;
