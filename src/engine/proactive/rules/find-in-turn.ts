import type { Clause } from "./clauses.ts";
import { futureTimes, type Head, has, headOf, MYSELF } from "./heads.ts";
import type { Matter } from "./matter.ts";
import { GIVEN_AWAY } from "./no-matter.ts";
import { EMPTY_WORDS, isThin, leansOnEarlier, phrase, pickHeads } from "./pick-heads.ts";
import { termsOf } from "./terms.ts";
import { timeOf } from "./time-of.ts";
import { cutTitle, trimPhrase } from "./title.ts";
import type { Turn } from "./turns.ts";

/** Matters in a person's own words. */
export function findInTurn(turn: Turn, earlier: readonly Turn[]): Matter[] {
  if (turn.plays) return [];
  const heads = pickHeads(headsOf(turn));
  return heads.map((head) => matterOf(turn, head, heads.length === 1, earlier));
}

function headsOf(turn: Turn): Head[] {
  const ended = endedClauses(turn.clauses);
  const unreal = new Set(turn.clauses.filter((c) => isUnreal(c, turn)).map((c) => c.sentence));
  const heard = new Set(turn.clauses.filter((c) => has(c, "hearsay") && !has(c, "waiting")).map((c) => c.sentence));
  const heads: Head[] = [];
  for (const clause of turn.clauses) {
    if (clause.owner === "other" || ended.has(clause)) continue;
    if (unreal.has(clause.sentence) && !has(clause, "wish")) continue;
    if (heard.has(clause.sentence) && !has(clause, "wish") && !MYSELF.test(clause.folded)) continue;
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

/** What is refused is what was said just before. */
const REFUSES =
  /^(?:我)?(?:没(?:有)?答应|推(?:掉)?了|拒(?:绝)?了|回绝了|婉拒了|不去|不参加|不考虑|没兴趣|算了)|\b(?:told (?:them|him|her) no|not interested|said no|turned (?:it|them|him|her) down|declined|i passed|not going|hard pass)\b/;

/**
 * "they asked me to host, told them no": what a refusal ends. Back to the last clause of the sentence that was
 * accepted, refused or is waited for; what comes after stands if it says so itself.
 */
function endedClauses(clauses: readonly Clause[]): Set<Clause> {
  const ended = new Set<Clause>();
  for (const [i, clause] of clauses.entries()) {
    // "cancel the old contract" on a list of things to do is one of them.
    const ends = has(clause, "dropped") || (GIVEN_AWAY.test(clause.folded) && !has(clause, "waiting"));
    if (clause.listed || !ends || has(clause, "wish", "moved")) continue;
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

const TO_AGENT = /(?:^|[今明后]天|早上|上午|下午|晚上|下周|今晚|明早)\s?你(?:再|先|把|也|就|给|继续|接着)/;

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
    ...(head.why === "put_off" && TO_AGENT.test(clause.folded) ? { toAgent: true as const } : {}),
  };
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
