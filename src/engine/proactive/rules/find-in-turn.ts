import { readTimes, type TimeMention } from "../../natural-time.ts";
import type { MatterKind } from "../../tracking/item.ts";
import type { Clause } from "./clauses.ts";
import type { Act } from "./cues.ts";
import type { Matter, WhyNow } from "./matter.ts";
import { cutTitle, phraseOf, termsOf, trimPhrase } from "./title.ts";
import { isOnlyNoted, lastReply, type Turn } from "./turns.ts";

/** A clause that makes a matter, and how surely. */
interface Head {
  clause: Clause;
  kind: MatterKind;
  why: WhyNow;
  time: TimeMention | undefined;
  /** strong = it says that something is to be done; weak = it only names an occasion. */
  strong: boolean;
}

const has = (clause: Clause, ...acts: Act[]): boolean => acts.some((act) => clause.acts.has(act));

/** Small daily doings nobody wants to be asked about. */
const DAILY =
  /(?:吃(?:饭|早饭|午饭|晚饭|东西|个饭)|睡(?:觉|了|会|一会)?|洗澡|休息|下班|上班|下线|走了|出门|遛弯|上厕所|喝水|散步|回家|眯一会|先忙|忙(?:去)?了|溜了|撤了)(?:[了吧啊哈~!！。]|$)|\b(?:go(?:ing)? to (?:bed|sleep|lunch|eat)|grab(?:bing)? (?:lunch|coffee|food|a bite)|brb|gtg|heading (?:out|home)|call it a (?:day|night)|enough for (?:today|now)|good ?night|see you|talk (?:later|tomorrow|soon)|ttyl)\b|晚安|明天见|回见|拜拜|再见/;
/** News of the world: no one has to do anything about it. */
const WORLD =
  /下雨|降温|升温|天气|气温|台风|暴雨|下雪|晴|雾霾|股市|大盘|油价|涨价|降价|比赛|球赛|决赛|开奖|彩票|星座|运势|放假|调休|上映|首播|更新了|\b(?:rain|snow|weather|forecast|sunny|cloudy|stocks?|market|horoscope|season finale|episode|world cup|olympics|election)\b/;
/** "I need a regex" wants something of the agent; "need to" is a duty. */
const WANTS_OF_AGENT =
  /\b(?:i|we) need (?:a|an|some|the|help|your|you)\b|需要(?:一个|一份|一段|你|个)|(?:你|you) (?:要|得|该|should|need|must|have to)/;
const NEGATED_DUTY =
  /(?:不|唔|没|无)(?:用|必|需|须|得|该|应该|要)(?!紧|忘|漏)|(?:不要|别)(?!.{0,3}忘)|\b(?:don't|doesn't|didn't|do not|won't|no) (?:need|have)\b|\bneedn't\b|\bnot (?:need|have to|necessary)\b|\bno need\b/;
const OTHER_SUBJECT =
  /^(?:[^:]{1,24}:\s*)?(?:[\s\d.、)）*•-]|今天|明天|后天|下周|周[一二三四五六日]|then |and |but |so |also )*(?:他们?|她们?|它|人家|对方|大家都|佢(?:哋)?|小[\u4e00-\u9fff](?![时心学区组])|老[\u4e00-\u9fff](?![师婆公板家爸妈乡])|阿[\u4e00-\u9fff](?!姨)|[\u4e00-\u9fff]{1,3}(?:总|工|哥|姐|经理|同学|主任|律师|主管|组长|总监)|(?:设计|测试|运维|开发|前端|后端|产品|市场|销售|运营|法务|财务|行政|人事)(?:组|部|那边|同事|的同学)?(?=会|要|负责|来|去|在|得)|同事|客户|供应商|甲方|房东|物业|(?:he|she|they|someone|somebody|everyone|[a-z]+(?: (?:in|from) \w+)?)(?='s going to|'ll| will| is going to| is handling| has to| needs to| should| must| owns| takes| is (?:doing|responsible|in charge|taking)))/;
const MYSELF =
  /(?:^|[^\u4e00-\u9fff])我|我(?:要|得|会|来|去|再|就|们|还|自己|这边)|(?:给|发|回|找|跟|通知|告诉|叫|带|送|约|接|陪|让|要求|等)(?:着)?我|\b(?:i|i'll|i'm|i've|me|my|we|we'll|us|our)\b/;
const OTHERS_NAMES_EN = /^(?:i|we|it|that|this|there|you|what|which|who|everything|nothing|something)$/;
/** Vague words for "then": the time was named before. */
const BEFORE_THEN = /\b(?:before|by|until) (?:then|that)\b|(?:在)?(?:那|这|此)(?:之)?前|赶在那|到时候?(?!再说)/;
/** Once this is past it is too late: "13号以后就不收件了". */
const CUT_OFF = /(?:以后|之后|过了?|后)[^,，。]{0,6}(?:就)?(?:不|没|唔)/;

/** Matters in a person's own words. */
export function findInTurn(turn: Turn, earlier: readonly Turn[]): Matter[] {
  if (turn.plays) return [];
  const heads = pickHeads(turn, headsOf(turn));
  return heads.map((head) => matterOf(turn, head, heads.length === 1, earlier));
}

function headsOf(turn: Turn): Head[] {
  const heads: Head[] = [];
  const endedSentences = new Set(turn.clauses.filter((c) => endsTheSentence(c)).map((c) => c.sentence));
  const unrealSentences = new Set(turn.clauses.filter((c) => isUnreal(c, turn)).map((c) => c.sentence));
  for (const clause of turn.clauses) {
    if (clause.owner === "other") continue;
    if (endedSentences.has(clause.sentence) && !has(clause, "waiting")) continue;
    if (unrealSentences.has(clause.sentence) && !has(clause, "wish")) continue;
    const head = headOf(turn, clause);
    if (head) heads.push(head);
  }
  return heads;
}

/** "…, told them no": the whole sentence is about something refused. */
function endsTheSentence(clause: Clause): boolean {
  return has(clause, "dropped") && !has(clause, "wish", "moved");
}

/** Imagined, said for fun, or only a condition. A condition with a date on others' doing is a real plan. */
function isUnreal(clause: Clause, turn: Turn): boolean {
  if (!has(clause, "unreal")) return false;
  const dated = turn.clauses.some((c) => c.sentence === clause.sentence && futureTimes(c, turn).length > 0);
  const onOthers =
    /(?:没|未|不)(?:有)?(?:回|给|批|到|来|收|通过)|\b(?:don't|doesn't|haven't|hasn't|no (?:reply|answer|word))\b/.test(
      clause.folded,
    );
  return !(dated && onOthers);
}

function futureTimes(clause: Clause, turn: Turn): TimeMention[] {
  return clause.times.filter((t) => !t.past && !t.vague && !t.bare && t.until > turn.user.at);
}

function headOf(turn: Turn, clause: Clause): Head | undefined {
  const { folded } = clause;
  const times = futureTimes(clause, turn);
  const time = times.at(-1) && (times.find((t) => t.mode) ?? times[0]);
  const wish = has(clause, "wish");
  if (wish) return { clause, kind: "errand", why: "asked_to_remind", time, strong: true };
  if (has(clause, "question") || DAILY.test(folded)) return undefined;
  if (turn.speech.jokes) return undefined;
  const noted = isOnlyNoted(turn);
  if (has(clause, "waiting") && !waitsForMyself(folded))
    return { clause, kind: "waiting", why: "waiting", time, strong: true };
  if (has(clause, "request") && clause.owner !== "me" && !clause.listed && !has(clause, "deferral", "deadline")) {
    // Asked of the agent for a later time, and only noted so far.
    return time && noted && isLater(time, turn)
      ? { clause, kind: "promise", why: "agent_promised", time, strong: true }
      : undefined;
  }
  if (has(clause, "deferral")) return { clause, kind: "unfinished", why: "put_off", time, strong: true };
  if (isOthersJob(clause)) return undefined;
  if (clause.owner === "me" || clause.listed) return { clause, kind: "promise", why: "open", time, strong: true };
  if (has(clause, "done") && !has(clause, "duty", "open", "deadline")) return undefined;
  if (has(clause, "promise") && (time !== undefined || isGivenWord(folded)))
    return { clause, kind: "promise", why: "open", time, strong: true };
  if (time && /我/.test(folded) && !has(clause, "event") && isOwnPlan(folded))
    return { clause, kind: "promise", why: "open", time, strong: true };
  if (
    has(clause, "duty") &&
    !(WORLD.test(folded) && !MYSELF.test(folded)) &&
    !NEGATED_DUTY.test(folded) &&
    !WANTS_OF_AGENT.test(folded)
  ) {
    if (time || BEFORE_THEN.test(folded) || noted) return { clause, kind: "errand", why: "open", time, strong: true };
  }
  if (has(clause, "open") && (noted || time)) return { clause, kind: "unfinished", why: "open", time, strong: true };
  if (time && has(clause, "deadline", "told")) return { clause, kind: "deadline", why: "dated", time, strong: true };
  if (time?.mode === "by" && !WORLD.test(folded)) return { clause, kind: "deadline", why: "dated", time, strong: true };
  if (time && isOccasion(turn, clause, time)) return { clause, kind: "follow_up", why: "dated", time, strong: false };
  return undefined;
}

const waitsForMyself = (folded: string): boolean =>
  /等(?:我|下班|周末|放假|有空|会儿|晚点|下次|明天|下周)(?!.{0,8}(?:回|给|批|通知))/.test(folded) &&
  !/等我们/.test(folded);
const isGivenWord = (folded: string): boolean =>
  /答应|承诺|保证|说好|应承/.test(folded) ||
  /\b(?:promised|agreed|committed|volunteered|said yes|offered|told \w+ i)\b/.test(folded);
const isOwnPlan = (folded: string): boolean =>
  /我[^,，。]{0,12}(?:看|弄|做|写|改|发|交|寄|买|订|办|查|试|整理|处理|回|打|跑|提|补|修|测|review|merge|check|去|拿|取|接|搬)/.test(
    folded,
  );
const isLater = (time: TimeMention, turn: Turn): boolean => time.start.getTime() - turn.user.at.getTime() > 30 * 60_000;

/** Somebody else does it, and nothing of it is for the person. */
function isOthersJob(clause: Clause): boolean {
  const subject = OTHER_SUBJECT.exec(clause.folded.trim());
  if (!subject || MYSELF.test(clause.folded) || has(clause, "told")) return false;
  const word = subject[0].trim().split(" ")[0] ?? "";
  return !OTHERS_NAMES_EN.test(word);
}

/** An appointment: a clock time or a named sort of occasion, no news of the world and no mere "today". */
function isOccasion(turn: Turn, clause: Clause, time: TimeMention): boolean {
  if (WORLD.test(clause.folded) || turn.speech.handsOver || has(clause, "moved") === undefined) return false;
  const clock = time.grain === "hour" || time.grain === "minute";
  const content = termsOf(phraseOf(clause.text, clause.from, clause.times)).size > 0;
  const dayOnly = !clock && !has(clause, "event", "moved");
  const restated = readTimes(lastReply(turn)?.text ?? "", turn.user.at, "UTC").length > 0;
  if (dayOnly && !restated) return false;
  if (/^(?:this |今天|这周|本周|今年|today$)/.test(time.matched.toLowerCase()) && !clock && !has(clause, "event"))
    return false;
  return content || has(clause, "event");
}

/**
 * Which heads of a message are matters of their own. One message is one matter, unless its strong clauses each have a
 * time or an owner of their own and speak of different things.
 */
function pickHeads(turn: Turn, heads: readonly Head[]): Head[] {
  const strong = heads.filter((h) => h.strong);
  if (strong.length === 0) {
    const [first] = heads;
    return first ? [first] : [];
  }
  const own = strong
    .filter((h) => !CUT_OFF.test(h.clause.folded))
    .filter((h) => h.time !== undefined || h.clause.owner === "me" || h.clause.listed === true);
  const picked: Head[] = [];
  for (const head of own) {
    const terms = termsOf(phraseOf(head.clause.text, head.clause.from, head.clause.times));
    const another = picked.every((p) => {
      const theirs = termsOf(phraseOf(p.clause.text, p.clause.from, p.clause.times));
      return terms.size > 0 && theirs.size > 0 && ![...terms].some((t) => theirs.has(t));
    });
    if (
      picked.length === 0 ||
      (another && !isSameTime(picked.at(-1)?.time, head.time) && !LEANS.test(head.clause.folded))
    )
      picked.push(head);
  }
  if (picked.length > 1) return picked;
  return [bestOf(strong)];
}

const isSameTime = (a: TimeMention | undefined, b: TimeMention | undefined): boolean =>
  a !== undefined && b !== undefined && a.start.getTime() === b.start.getTime();

const RANK: Readonly<Record<WhyNow, number>> = {
  asked_to_remind: 6,
  waiting: 5,
  put_off: 3,
  agent_promised: 4,
  open: 4,
  dated: 3,
  due_soon: 0,
  overdue: 0,
  interrupted: 0,
  stuck: 0,
  asks_for_decision: 0,
};

/** Of several heads the one that says most: a time, then the kind of act. */
function bestOf(heads: readonly Head[]): Head {
  const score = (h: Head): number =>
    (h.time ? 3 : 0) + RANK[h.why] + (h.kind === "unfinished" && h.why === "open" ? -1.5 : 0);
  return heads.reduce((best, h) => (score(h) > score(best) ? h : best));
}

/** Words that lean on what was said before. */
const LEANS =
  /\b(?:it|that|this|them|their|they|those|these|one)\b|(?:^|[^\u4e00-\u9fff])(?:它|这个|那个|这件|那件|这事|那事|他们|她们)|(?:这|那)(?:个|件|份|张|些|批|本)?(?=[,，。\s]|$)/;
/** A name inside the clause is what its pronouns mean. */
const NAMED = /\S\s+[A-Z][a-z]+/;
const leansOnEarlier = (clause: Clause): boolean =>
  LEANS.test(clause.folded) &&
  !NAMED.test(clause.text) &&
  termsOf(phraseOf(clause.text, clause.from, clause.times)).size < 4;

function matterOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): Matter {
  const { clause } = head;
  const title = titleOf(turn, head, alone, earlier);
  const about = alone ? turn.speech.own : clause.text;
  return {
    title,
    summary: trimPhrase(turn.speech.own).slice(0, 200),
    kind: head.kind,
    time: timeOf(turn, head, alone, earlier),
    evidence: [turn.user.id],
    sessionId: turn.session.id,
    at: turn.user.at,
    terms: new Set([...termsOf(about), ...termsOf(title)]),
    why: head.why,
    occasion: !head.strong,
    leans: leansOnEarlier(clause),
    thin: termsOf(phraseOf(clause.text, clause.from, clause.times)).size < 2,
  };
}

/** The time of a matter: its clause's, else the message's; of several deadlines the first; "before then": the last one named. */
function timeOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): TimeMention | undefined {
  const others = turn.clauses.filter((c) => alone || c === head.clause);
  const all = others.filter((c) => c === head.clause || !has(c, "dropped")).flatMap((c) => futureTimes(c, turn));
  if (head.time) {
    if (!alone || head.kind === "waiting") return head.time;
    const limits = [head.time, ...others.filter((c) => CUT_OFF.test(c.folded)).flatMap((c) => futureTimes(c, turn))];
    return limits.reduce((first, t) => (t.start < first.start ? t : first));
  }
  if (BEFORE_THEN.test(head.clause.folded)) {
    const named = all[0] ?? lastNamed(turn, earlier);
    if (named) return named;
  }
  if (head.why === "waiting") {
    // "vendor gives the quote on Friday, then I talk to finance": the time of what is waited for.
    return all[0];
  }
  return all.find((t) => !isThisUnit(t));
}

/** "this week", "今天": when it is said beside, not when it is due. */
const isThisUnit = (t: TimeMention): boolean =>
  /^(?:这周|本周|这个月|本月|今年|this (?:week|month|year))/.test(t.matched.toLowerCase().trim());

/** The last future time anybody named in this session before this message. */
function lastNamed(turn: Turn, earlier: readonly Turn[]): TimeMention | undefined {
  const rows = earlier
    .filter((t) => t.session === turn.session)
    .flatMap((t) => [t.user, ...t.replies.filter((r) => r.role === "assistant")])
    .slice(-6);
  for (const row of rows.reverse()) {
    const time = readTimes(row.text.slice(0, 2000), turn.user.at, zoneOf(turn)).find((t) => !t.past && !t.bare);
    if (time) return time;
  }
  return undefined;
}

const zoneOf = (turn: Turn): string => turn.zone;

/** A phrase that names the matter even when its clause only says "look at it next week". */
function titleOf(turn: Turn, head: Head, alone: boolean, earlier: readonly Turn[]): string {
  const own = phraseOf(head.clause.text, head.clause.from, head.clause.times);
  const rich = (phrase: string): boolean => termsOf(phrase).size >= (/[\u4e00-\u9fff]/.test(phrase) ? 2 : 2);
  if (rich(own) && !(LEANS.test(head.clause.folded) && termsOf(own).size < 3)) return cutTitle(own);
  if (alone) {
    const beside = turn.clauses
      .filter((c) => c !== head.clause && !has(c, "dropped", "question"))
      .map((c) => phraseOf(c.text, c.from, c.times))
      .find(rich);
    if (beside) return cutTitle(`${beside}${own ? `${/[\u4e00-\u9fff]/.test(beside) ? "，" : ", "}${own}` : ""}`);
  }
  const before = earlier.filter((t) => t.session === turn.session).at(-1);
  const topic = before && trimPhrase((before.speech.own.split(/[\n。]/)[0] ?? "").slice(0, 80));
  if (topic && rich(topic)) return cutTitle(own && rich(own) ? `${own} (${topic})` : topic);
  return cutTitle(own || trimPhrase(turn.speech.own));
}
