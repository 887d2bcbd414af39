import type { Clause } from "./clauses.ts";
import type { Matter } from "./matter.ts";
import { likeness, termsOf } from "./terms.ts";
import { phraseOf } from "./title.ts";
import { lastReply, type Turn } from "./turns.ts";

/** From here on a clause is taken to speak of a matter. */
const TIE = 0.5;
/** The verb of closing or moving says nothing about which matter is meant. */
const CLOSING_WORDS =
  /(?:已经?|刚刚?|都|全部?|终于|总算)|(?:发|交|寄|付|缴|买|订|定|办|做|写|改|提|弄|搞|还|取|拿|约|签|续|报|推|回|打|退|送)(?:完|好|掉|出去|上|过|妥|到|出)?(?:了|咗|啦)|搞(?:定|掂)|取消|算了|不用了|不去了|改(?:到|成|为|在)|推迟|提前|客户确认收到|\b(?:done|sent|paid|booked|finished|submitted|cancel\w*|called off|never mind|moved|resched\w*|now|actually|instead|scratch that|already|all)\b/g;

/** The agent offered something and the person says no to the offer, not to the matter. */
const OFFER = /[?？]\s*$|要不要|要唔要|需要我|可以帮你|\b(?:want me to|would you like|shall i|should i|i can)\b/;
const OFFER_TO_REMIND = /提醒|remind|ping you|叫你|待办|跟进|track/;
const BARE_NO = /^(?:不(?:用|必|要|需要)|唔使|没事|no|nope|nah|not needed|no need|no thanks)/;

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
  const moves = turn.clauses.some((c) => c.acts.has("moved")) && !turn.clauses.some((c) => c.acts.has("question"));
  if (moves && turn.clauses.some((c) => c.times.some((t) => !t.past))) {
    result.moved = meantBy(turn, termsOf(strip(turn.speech.own)), open, true);
    if (result.moved) return result;
  }
  for (const clause of turn.clauses) {
    const ending = endingOf(clause, turn);
    if (!ending) continue;
    const sentence = turn.clauses.filter((c) => c.sentence === clause.sentence);
    const text = sentence.map((c) => phraseOf(c.text, c.from, c.times)).join(" ");
    for (const matter of allMeantBy(
      turn,
      termsOf(strip(phraseOf(clause.text, clause.from, clause.times))),
      termsOf(strip(text)),
      open,
    ))
      result.endings.set(matter, ending);
  }
  return result;
}

function endingOf(clause: Clause, turn: Turn): Ending | undefined {
  if (clause.acts.has("question") || clause.acts.has("unreal") || clause.acts.has("wish")) return undefined;
  if (clause.acts.has("dropped")) {
    const reply = turn.before?.text ?? "";
    const refusesOffer = BARE_NO.test(clause.folded.trim()) && OFFER.test(reply.trim()) && !OFFER_TO_REMIND.test(reply);
    return refusesOffer ? undefined : "dropped";
  }
  if (clause.acts.has("done") && !clause.acts.has("waiting") && !clause.acts.has("open")) return "done";
  return undefined;
}

const strip = (text: string): string => text.toLowerCase().replace(CLOSING_WORDS, " ");

/** Without words of its own a clause speaks of the newest matter of its session; else of those that are alike. */
function allMeantBy(turn: Turn, own: Set<string>, wide: Set<string>, open: readonly Matter[]): Matter[] {
  if (own.size === 0 && wide.size === 0) {
    const newest = open.findLast((m) => m.sessionId === turn.session.id && m.at < turn.user.at);
    return newest ? [newest] : [];
  }
  const terms = own.size > 0 ? own : wide;
  // In the session in which the matter came up one shared word is enough.
  const here = open.filter((m) => m.sessionId === turn.session.id && m.at < turn.user.at && tie(m, terms) > 0);
  if (here.length > 0) return [here.reduce((best, m) => (tie(m, terms) >= tie(best, terms) ? m : best))];
  const alike = open.filter((m) => m.at <= turn.user.at && !m.evidence.includes(turn.user.id) && tie(m, terms) >= TIE);
  if (alike.length > 0) {
    const best = Math.max(...alike.map((m) => tie(m, terms)));
    return alike.filter((m) => tie(m, terms) >= best - 0.01);
  }
  return [];
}

function meantBy(turn: Turn, terms: Set<string>, open: readonly Matter[], sessionFirst: boolean): Matter | undefined {
  const before = open.filter((m) => m.at <= turn.user.at && !m.evidence.includes(turn.user.id));
  const ranked = before
    .map((m) => ({ m, score: tie(m, terms) + (sessionFirst && m.sessionId === turn.session.id ? 0.15 : 0) }))
    .sort((a, b) => b.score - a.score || b.m.at.getTime() - a.m.at.getTime());
  const best = ranked[0];
  if (best && best.score >= 0.35) return best.m;
  const newest = before.findLast((m) => m.sessionId === turn.session.id);
  return newest && (terms.size === 0 || turn.user.at.getTime() - newest.at.getTime() < 10 * 60_000) && terms.size <= 2
    ? newest
    : undefined;
}

/** How surely a clause speaks of a matter: shared content by the smaller side. */
export function tie(matter: Matter, terms: ReadonlySet<string>): number {
  return Math.max(likeness(termsOf(matter.title), terms), likeness(matter.terms, terms));
}

/** The agent did it in the same session, and a tool says so too. */
export function doneByTools(matter: Matter, later: readonly Turn[]): boolean {
  return later.some((turn) => {
    if (turn.session.id !== matter.sessionId || turn.user.at < matter.at) return false;
    const tool = turn.replies.findLast((m) => m.role === "tool");
    const last = lastReply(turn);
    if (!tool || !last || /"exit_code"\s*:\s*-?[1-9]|"error"\s*:\s*"[^"]/.test(tool.text)) return false;
    return CLAIMS.test(last.text) && tie(matter, termsOf(last.text)) >= TIE;
  });
}

/** The agent says that it is done. */
export const CLAIMS =
  /已(?:经)?(?:发送|发出|提交|完成|发|处理|部署|上线|发布|支付|预订|订好|寄出)|(?:发|交|办|弄|做|写|订|部署|提交)好了|搞定|\b(?:sent|submitted|done|deployed|completed|booked|paid|merged|published|renewed)\b/i;
