import { foldText } from "../../natural-time/fold-text.ts";
import type { Clause } from "./clauses.ts";
import { SUCCEEDED } from "./find-in-replies.ts";
import type { Matter } from "./matter.ts";
import { likeness, termsOf } from "./terms.ts";
import { newTimeIn } from "./time-of.ts";
import { phraseOf } from "./title.ts";
import { lastReply, type Turn } from "./turns.ts";

/** From here on a clause is taken to speak of a matter. */
const TIE = 0.5;
/** The verb of closing or moving says nothing about which matter is meant. */
const CLOSING_WORDS =
  /(?:已经?|刚刚?|都|全部?|终于|总算)|(?:发|交|寄|付|缴|买|订|定|办|做|写|改|提|弄|搞|还|取|拿|约|签|续|报|推|回|打|退|送|修|卖|捐|扔|清|点|搬|转|汇|贴|印|浇|喂|洗|换|领|拿|取)(?:完|好|掉|走|光|出去|上|过|妥|到|出|人)?(?:了|咗|啦)|(?:删|撤|去)(?:了|掉)|搞(?:定|掂)|取消|算了|不用了|不去了|改(?:到|成|为|在)|推迟|提前|确认收到|\b(?:turn(?:ed)? (?:it|them|that|this|him|her) down|turned down|declined|said no|passed on)\b|\b(?:done|sent|paid|booked|finished|submitted|cancel\w*|called off|never mind|moved|resched\w*|now|actually|instead|scratch that|already|all)\b/g;

/** The agent offered something and the person says no to the offer, not to the matter. */
const OFFER = /[?？]\s*$|要不要|要唔要|需要我|可以帮你|\b(?:want me to|would you like|shall i|should i|i can)\b/;
const OFFER_TO_REMIND = /提醒|remind|ping you|叫你|待办|跟进|track/;
const BARE_NO = /^(?:不(?:用|必|要|需要)|唔使|没事|no|nope|nah|not needed|no need|no thanks)/;

/** The person says what was refused: not the offer. */
const REFUSED =
  /\b(?:turned|declined|said no|told (?:them|him|her|\w+) no|passed on|not going|backed out|pulled out)\b|推了|推掉|拒了|拒绝了|婉拒|回绝|不去了/;

export type Ending = "done" | "dropped";

/** What a person's message does to matters that were open before it. */
export interface Settling {
  endings: Map<Matter, Ending>;
  /** The matter that has another date now. */
  moved: Matter | undefined;
}

/** Reads a turn for words that end or move what is open. `open` holds the matters known so far, oldest first. */
export function settle(turn: Turn, open: readonly Matter[]): Settling {
  const result: Settling = { endings: new Map(), moved: undefined };
  const before = open.filter((m) => m.at <= turn.user.at && !m.evidence.includes(turn.user.id));
  if (before.length === 0) return result;
  for (const clause of turn.clauses) {
    const ending = endingOf(clause, turn);
    if (!ending) continue;
    const able = ending.waitingOnly ? before.filter((m) => m.kind === "waiting") : before;
    for (const words of partsOf(clause))
      for (const matter of meantBy(turn, clause, words, able)) {
        result.endings.set(matter, ending.how);
        if (ending.how === "dropped")
          for (const step of preparationsOf(matter, able)) result.endings.set(step, "dropped");
      }
  }
  if (!newTimeIn(turn)) return result;
  const moved = movedBy(turn, before);
  if (!moved) return result;
  // "Called them, it's moved to the 14th. All done.": the moving itself was the matter. Without such a word of its own
  // what sounds like an end ("that's off") speaks of the old date.
  return saysAllIsDone(turn) && result.endings.has(moved) ? result : { endings: new Map(), moved };
}

/** "dinner friday 7pm, book a table tomorrow … dinner's off": what was said in one breath to make an occasion possible. */
const preparationsOf = (matter: Matter, open: readonly Matter[]): Matter[] =>
  matter.occasion
    ? open.filter(
        (m) =>
          m !== matter &&
          m.time &&
          matter.time &&
          m.time.start < matter.time.start &&
          m.evidence[0] === matter.evidence[0],
      )
    : [];

/** A sentence that says nothing but that it is done. */
const ALL_DONE =
  /^(?:ok(?:ay)?[,，\s]*)?(?:(?:it's |that's |we're |i'm )?(?:all (?:done|set|sorted)|done(?: and dusted| with (?:it|that))?|sorted)|(?:都|全|已经?)?(?:搞定|搞掂|办好|办妥|处理好|完成)(?:了|啦|咗)?)[\s.!。！~]*$/;

function saysAllIsDone(turn: Turn): boolean {
  return turn.clauses.some((clause) => clause.acts.has("done") && ALL_DONE.test(clause.folded.trim()));
}

/** What a clause ends: anything that is done or dropped; what has come ends only what was waited for. */
function endingOf(clause: Clause, turn: Turn): { how: Ending; waitingOnly: boolean } | undefined {
  const { acts } = clause;
  if (acts.has("question") || acts.has("unreal") || acts.has("wish")) return undefined;
  if (acts.has("dropped")) {
    const reply = (turn.before?.text ?? "").trim().slice(-300);
    const refusesOffer =
      BARE_NO.test(clause.folded.trim()) &&
      !turn.clauses.some((c) => REFUSED.test(c.folded)) &&
      OFFER.test(reply) &&
      !OFFER_TO_REMIND.test(reply);
    return refusesOffer ? undefined : { how: "dropped", waitingOnly: false };
  }
  if (acts.has("done") && !acts.has("waiting") && !acts.has("open")) return { how: "done", waitingOnly: false };
  if (acts.has("arrived") && !acts.has("waiting")) return { how: "done", waitingOnly: true };
  return undefined;
}

const strip = (text: string): string => text.toLowerCase().replace(CLOSING_WORDS, " ");
const wordsOf = (clauses: readonly Clause[]): Set<string> =>
  termsOf(strip(clauses.map((c) => phraseOf(c.text, c.from, c.times)).join(" ")));

/** "ladder returned and Hugo's paid" says two things. */
function partsOf(clause: Clause): ReadonlySet<string>[] {
  const parts = clause.acts.has("done") ? clause.text.split(/\sand\s/) : [];
  const words = parts.map((part) => termsOf(strip(part)));
  return words.length > 1 && words.every((w) => w.size > 0) ? words : [wordsOf([clause])];
}

/** "盘点完了", "已经让人事缴了": a verb and its end without an object speak of the matter in the session that has the verb. */
const BARE_DONE =
  /^(?:已经?|刚刚?|刚才|都|全部?|终于|总算|也|我们?|就|今天|早上|上午|中午|下午|昨天|昨晚|ok|好|嗯|[,，\s]){0,6}(?:(?:让|叫|请|托|找)[^,，。]{1,5}?)?(盘点|打印|复印|报修|提交|上传|[交缴付发寄办改写清洗修换买订取领还退签填报卖送捐扔搬倒贴印浇喂充存转汇查验拆打投推补约])(?:完|好|掉|出去|走|光|妥|上去|过去|过|齐)?(?:了|咗|啦)/;
const bareVerbOf = (clause: Clause): string | undefined => BARE_DONE.exec(clause.folded.trim())?.[1];
/** The same with any verb, when nothing else is said: it ends only what has that verb ("关火 … 关了", "对一下方案 … 对完了"). */
const ANY_BARE_DONE =
  /^(?:已经?|刚刚?|都|终于|总算|也|我|[,，\s]){0,4}([\u4e00-\u9fff])(?:完|好|掉|妥|过|上)?(?:了|咗)[啦哈~!！。\s]*$/;
/** "三件都搞定了", "all done": everything the session has open. */
const ALL_OF =
  /^(?:ok|好|嗯|[两俩仨三四五六七几\d]\s?(?:件|个|样|项)(?:事(?:情)?)?|这些|那些|上面(?:的)?|清单(?:上)?(?:的)?|待办|今天的?|事(?:情)?|也|[,，\s]){0,6}(?:都|全|全部|统统)(?:给)?(?:搞定|搞掂|办|做|弄|处理|完成|干|写|解决|清|好|妥|齐)(?:完|好|妥|成|掉)?(?:了|咗|啦)|\b(?:all|both|everything(?:'s| is)?|all (?:two|three|four|five|of (?:it|them|that)))\b.{0,8}\b(?:done|sorted|finished|ticked off|taken care of|dealt with)\b/;

/**
 * The matters a closing clause speaks of: the most alike, by its own words, its sentence's, a date both name, and the
 * session. Without any words of its own ("搞定了") it speaks of the newest matter of its session.
 */
function meantBy(turn: Turn, clause: Clause, own: ReadonlySet<string>, before: readonly Matter[]): Matter[] {
  const sentence = turn.clauses.filter((c) => c.sentence === clause.sentence);
  const wide = wordsOf(sentence);
  if (ALL_OF.test(clause.folded.trim()) && own.size === 0)
    return before.filter((m) => m.sessionId === turn.session.id && m.kind !== "waiting");
  const only = ANY_BARE_DONE.exec(clause.folded.trim())?.[1];
  if (only && bareVerbOf(clause) === undefined) {
    const same = before.findLast((m) => m.sessionId === turn.session.id && m.title.includes(only));
    return same ? [same] : [];
  }
  const verb = bareVerbOf(clause);
  if (verb) {
    const same = before.findLast((m) => m.sessionId === turn.session.id && m.title.includes(verb));
    if (same) return [same];
  }
  if (wide.size === 0) {
    const newest = before.findLast((m) => m.sessionId === turn.session.id);
    const long = newest !== undefined && turn.user.at.getTime() - newest.at.getTime() > FORGOTTEN_MS;
    return newest && !(verb && (long || newest.occasion)) ? [newest] : [];
  }
  const scored = before.map((matter) => {
    const words = Math.max(own.size > 0 ? tie(matter, own) : 0, tie(matter, wide) * 0.9);
    const here = matter.sessionId === turn.session.id ? HERE : 0;
    return { matter, score: words === 0 ? 0 : words + here + (sharesDay(matter, sentence) ? SAME_DAY : 0) };
  });
  const best = Math.max(0, ...scored.map((s) => s.score));
  return best < TIE ? [] : scored.filter((s) => s.score >= best - 0.01).map((s) => s.matter);
}

/** "发了" an hour later, with no such verb in the matter, may speak of anything. */
const FORGOTTEN_MS = 60 * 60_000;
/** In the session in which the matter came up, and with its date, fewer shared words are enough. */
const HERE = 0.4;
const SAME_DAY = 0.3;

const sharesDay = (matter: Matter, clauses: readonly Clause[]): boolean =>
  matter.time !== undefined &&
  clauses.some((c) =>
    c.times.some((t) => Math.abs(t.start.getTime() - (matter.time?.start.getTime() ?? 0)) < 12 * 3_600_000),
  );

/** The matter a "改到周一" speaks of. */
function movedBy(turn: Turn, before: readonly Matter[]): Matter | undefined {
  const words = wordsOf(turn.clauses);
  const scored = before
    .map((matter) => ({ matter, score: tie(matter, words) + (matter.sessionId === turn.session.id ? 0.15 : 0) }))
    .sort((a, b) => b.score - a.score || b.matter.at.getTime() - a.matter.at.getTime());
  const best = scored[0];
  if (best && best.score >= 0.35) return best.matter;
  // "可以晚几天 17号再还": what is to be done then.
  const verb = /再(?:去|来)?([交还付缴办寄发买订续修做给])/.exec(turn.speech.folded)?.[1];
  const same = verb && before.findLast((m) => m.sessionId === turn.session.id && m.title.includes(verb));
  if (same) return same;
  const newest = before.findLast((m) => m.sessionId === turn.session.id);
  const soon = newest !== undefined && turn.user.at.getTime() - newest.at.getTime() < 10 * 60_000;
  return words.size === 0 || (soon && words.size <= 2) ? newest : undefined;
}

/** How surely a clause speaks of a matter: shared content by the smaller side. */
export function tie(matter: Matter, terms: ReadonlySet<string>): number {
  return Math.max(likeness(termsOf(matter.title), terms), likeness(matter.terms, terms));
}

const isMineLater = (matter: Matter, turn: Turn): boolean =>
  ["open", "put_off"].includes(matter.why) &&
  matter.time !== undefined &&
  matter.time.start > turn.user.at &&
  turn.clauses.some(
    (c) =>
      /我|\b(?:i|i'll|let me|let's)\b/.test(c.folded) &&
      c.times.some((t) => t.start.getTime() === matter.time?.start.getTime()),
  );

/** The agent did it in the same session, and a tool says so too. */
export function doneByTools(matter: Matter, later: readonly Turn[]): boolean {
  return later.some((turn) => {
    if (turn.session.id !== matter.sessionId || turn.user.at < matter.at) return false;
    // "先放 10%，我明早看下错误率": what the person does later, the agent cannot have done in answering.
    if (matter.evidence[0] === turn.user.id && isMineLater(matter, turn)) return false;
    const tool = turn.replies.findLast((m) => m.role === "tool");
    const last = lastReply(turn);
    if (!tool || !last || /"exit_code"\s*:\s*-?[1-9]|"error"\s*:\s*"[^"]/.test(tool.text)) return false;
    return SUCCEEDED.test(foldText(last.text)) && tie(matter, termsOf(last.text)) >= TIE;
  });
}

/** The agent says that it is done. */
export const CLAIMS =
  /已(?:经)?(?:发送|发出|提交|完成|发|处理|部署|上线|发布|支付|预订|订好|寄出)|(?:发|交|办|弄|做|写|订|部署|提交)好了|搞定|\b(?:sent|submitted|done|deployed|completed|booked|paid|merged|published|renewed)\b/i;
