import type { Steps } from "../../in-slices.ts";
import { foldText } from "../../natural-time/fold-text.ts";
import { readTimes } from "../../natural-time.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import type { ExtractInput, ExtractMessage, ExtractSession } from "./extract-input.ts";
import { isMachineSource, isMachineTurn } from "./machine-text.ts";
import { readSpeech, type Speech } from "./plain-speech.ts";

/** A person's message with what came back. */
export interface Turn {
  session: ExtractSession;
  zone: string;
  /** Number of the turn in its session, and whether it is the last. */
  index: number;
  last: boolean;
  user: ExtractMessage;
  speech: Speech;
  clauses: readonly Clause[];
  replies: readonly ExtractMessage[];
  /** The agent's last word before this message. */
  before: ExtractMessage | undefined;
  /** Inside a story or a game, begun here or earlier in the session. */
  plays: boolean;
}

/** No message is read further than this: who writes more has pasted something. */
const MOST_CHARACTERS = 6_000;

const BACK_TO_WORK =
  /对了|说正事|正经|言归正传|不玩了|另外|\b(?:btw|by the way|anyway|back to|seriously|real talk|unrelated|separately)\b/;

/** All turns of people, in the order of time. Machines' sessions, taken back rows and group chatter are left out. A step each. */
export function* turnsOf(input: ExtractInput): Steps<Turn[]> {
  const turns: Turn[] = [];
  for (const session of input.sessions) {
    if (isMachineSource(session.source)) continue;
    turns.push(...(yield* turnsOfSession(session, input.zone, input.now)));
  }
  return turns.sort((a, b) => a.user.at.getTime() - b.user.at.getTime());
}

/** Of an over-long text its beginning; of an agent's its beginning and its end, where promises and questions stand. */
function cut(message: ExtractMessage): ExtractMessage {
  const { text, role } = message;
  if (text.length <= MOST_CHARACTERS) return message;
  if (role !== "assistant") return { ...message, text: text.slice(0, MOST_CHARACTERS) };
  return { ...message, text: `${text.slice(0, 1000)}\n${text.slice(1000 - MOST_CHARACTERS)}` };
}

function* turnsOfSession(session: ExtractSession, zone: string, now: Date): Steps<Turn[]> {
  const rows = session.messages.filter((m) => m.active !== false && m.observed !== true && m.at <= now).map(cut);
  const turns: Turn[] = [];
  let plays = false;
  let before: ExtractMessage | undefined;
  for (let i = 0; i < rows.length; i++) {
    const user = rows[i];
    if (user?.role !== "user") {
      if (user?.role === "assistant" && user.text.trim() !== "") before = user;
      continue;
    }
    const replies: ExtractMessage[] = [];
    for (let j = i + 1; j < rows.length && rows[j]?.role !== "user"; j++) {
      const reply = rows[j];
      if (reply) replies.push(reply);
    }
    if (isMachineTurn(user.text)) continue;
    const speech = readSpeech(user.text);
    if (plays && BACK_TO_WORK.test(speech.folded)) plays = false;
    if (speech.plays) plays = true;
    turns.push({
      session,
      zone,
      index: turns.length,
      last: false,
      user,
      speech,
      clauses: clausesOf(speech.own, speech.folded, user.at, zone),
      replies,
      before,
      plays,
    });
    yield;
  }
  const last = turns.at(-1);
  if (last) last.last = true;
  return turns;
}

/** The last thing the agent said in a turn ("" when it said nothing). */
export function lastReply(turn: Turn): ExtractMessage | undefined {
  return turn.replies.findLast((m) => m.role === "assistant" && m.text.trim() !== "");
}

/** How an agent takes note: "好，周五", "noted". */
const TAKES_NOTE =
  /^(?:好|行|嗯|哦|ok|okay|收到|明白|了解|知道|没问题|可以|记|我?已|我(?:会|来|记|这就|马上)|加油|祝|等|期待|noted|got it|sure|will do|understood|right|great|fine|alright|done|added|yes|yep|perfect|cool|nice)|记(?:下|住|好|着|上|得)|提醒|待办|日历|日程|\b(?:remind|calendar|noted|todo|on (?:your|the) list)\b/;

/** … or helps with the matter. */
const HELPS =
  /可以|建议|带上|带好|提前|注意|不急|要不要|要我|需要我|帮你|别忘|顺利|玩得|恭喜|\b(?:you can|you could|want me|shall i|should i|don't forget|make sure|have (?:fun|a)|good luck|enjoy|fingers crossed|congrat\w*|they usually|it usually|takes?)\b/;

/** Did the agent answer with something else than a note, as one answers small talk? */
export function isChattedBack(turn: Turn): boolean {
  const last = lastReply(turn);
  if (!last) return false;
  const folded = foldText(last.text).trim();
  return !TAKES_NOTE.test(folded) && !HELPS.test(folded) && !namesItsDay(turn, last.text);
}

/** "the weekend" in an answer to what is told of Monday names no day. */
const LOOSE = /week|周末|这周|下周/i;
const NEAR_MS = 4 * 86_400_000;

/** Does the agent say back, or work out, a day that the person spoke of? */
function namesItsDay(turn: Turn, text: string): boolean {
  const said = turn.clauses.flatMap((c) => c.times);
  return readTimes(text.slice(0, 400), turn.user.at, turn.zone).some((t) =>
    said.length === 0
      ? t.grain === "day"
      : said.some(
          (s) =>
            (s.start < t.until && t.start < s.until) ||
            (!LOOSE.test(t.matched) && Math.abs(s.start.getTime() - t.start.getTime()) < NEAR_MS),
        ),
  );
}

/** Did the agent only take note ("好的，明天 10 点")? Then the matter is still the person's. */
export function isOnlyNoted(turn: Turn): boolean {
  if (turn.replies.some((m) => (m.toolCalls?.length ?? 0) > 0 || m.role === "tool")) return false;
  const text = lastReply(turn)?.text ?? "";
  return text.length <= 160 && !/```|\n[-*\d]/.test(text);
}
