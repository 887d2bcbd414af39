import { OWN_SESSION_PREFIX } from "../own-session.ts";
import type { HistoryMessage, HistorySession } from "../ports.ts";

/** Sources in whose sessions nobody speaks. Unknown sources pass: a new chat platform is the likelier reading. */
export const machineSources = [
  "cron",
  "curator",
  "kanban",
  "msgraph_webhook",
  "subagent",
  "system",
  "tool",
  "webhook",
] as const;

/** Programs talk through these as well as people: they count when a person is known to take part. */
const MIXED_SOURCES: ReadonlySet<string> = new Set(["api", "api_server"]);

/** First words of the turns this product itself gives to Hermes; whoever makes such a turn starts it with these. */
export const ownTurnMarks = { editorial: "[Herald editorial turn]", goal: "[Herald goal turn]" } as const;

/** Chats of Herald's own in Hermes, in which nobody speaks, begin so. */
export const OWN_CHAT_PREFIX = "herald-own-";

/** What the owner wants kept out, and what this product itself has said. */
export interface HumanRules {
  /** Ids of sessions (with their whole chain) and chats, and names of sources: what stands there is not read. */
  exclude?: readonly string[];
  /** User ids of other people who are known: their direct chats are their own business. */
  otherPeople?: readonly string[];
  /** Sessions of turns that this product itself asked for: nothing in them is conversation. */
  ownTurnSessions?: readonly string[];
  /** Texts this product sent; their mirrors in Hermes' history are nobody's words. */
  ownTexts?: readonly string[];
}

/** Why a row is nobody's words: shown as counts in the run's documents. */
export type NotHuman =
  | "machine_session"
  | "excluded"
  | "other_person"
  | "observed"
  | "empty"
  | "control_token"
  | "mirror"
  | "continuation"
  | "review"
  | "compression"
  | "own_turn"
  | "own_words"
  | "system";

/** person and agent are conversation, tool is what the agent saw; left_out is none of it. */
export type Voice = { voice: "person" | "agent" | "tool" } | { voice: "left_out"; why: NotHuman };

const COMPRESSION_NOTE =
  /^\[(CONTEXT COMPACTION|CONTEXT SUMMARY|Your active task list was preserved across context compression)/;
const CONTROL_TOKEN = /^[\s`*_"']*\[?(SILENT|NO_?REPLY|HEARTBEAT_OK|NO_?OP)\]?[\s`*_"'.!。]*$/i;
const MIRROR =
  /^\s*(⚠️?\s*Cron job '[^'\n]*' failed:|Cronjob Response: |\[(Delivered|Mirrored) from [^\]\n]{1,80}\]|\[(Cron|Webhook) (delivery|mirror)[^\]\n]{0,80}\])/i;
const CONTINUATION = /^\s*\[Continuing toward your standing goal\]/;
const REVIEW = /^\s*Review the conversation above and /;
/** The gateway puts notes of its own before what a person wrote. */
const LEADING_NOTE = /^\s*\[System note: [^\]]{0,2000}\]\s*/;
/** An own text shorter than this could be anybody's. */
const SHORTEST_OWN_TEXT = 12;
/** So many characters of an own text are enough. */
const SURE_BEGINNING = 40;

/** A summary or note that a compression of the conversation wrote in the place of what was said. */
export function isCompressionNote(text: string): boolean {
  return COMPRESSION_NOTE.test(text.trimStart());
}

/** What a person wrote, without the notes Hermes' gateway puts before it. */
export function withoutGatewayNote(text: string): string {
  return text.replace(LEADING_NOTE, "");
}

/**
 * Whose words a row is. Tokens such as `[SILENT]` count only when they are the whole text: a report that mentions one is
 * a report.
 */
export function voiceOf(message: HistoryMessage, rules: HumanRules): Voice {
  const leftOut = (why: NotHuman): Voice => ({ voice: "left_out", why });
  const { session, role, observed } = message;
  if (isExcluded(session, rules)) return leftOut("excluded");
  if (isOtherPersons(session, rules)) return leftOut("other_person");
  if (isOwnTurn(session, rules)) return leftOut("own_turn");
  if (!personTakesPart(session)) return leftOut("machine_session");
  if (observed) return leftOut("observed");
  if (role === "tool") return { voice: "tool" };
  if (role !== "user" && role !== "assistant") return leftOut("system");
  const text = role === "user" ? withoutGatewayNote(message.text) : message.text;
  if (text.trim() === "") {
    return role === "assistant" && message.toolCalls?.length ? { voice: "agent" } : leftOut("empty");
  }
  if (CONTROL_TOKEN.test(text)) return leftOut("control_token");
  if (isCompressionNote(text)) return leftOut("compression");
  if (MIRROR.test(text)) return leftOut("mirror");
  if (isOwnText(text, rules.ownTexts)) return leftOut("own_words");
  if (role === "assistant") return { voice: "agent" };
  if (CONTINUATION.test(text)) return leftOut("continuation");
  if (REVIEW.test(text)) return leftOut("review");
  if (Object.values(ownTurnMarks).some((mark) => text.trimStart().startsWith(mark))) return leftOut("own_words");
  return { voice: "person" };
}

function isExcluded({ id, lineage, source, chatId }: HistorySession, { exclude = [] }: HumanRules): boolean {
  if (exclude.length === 0) return false;
  return [id, lineage, source, chatId].some((name) => name !== undefined && exclude.includes(name));
}

function isOwnTurn({ id, lineage, chatId }: HistorySession, { ownTurnSessions = [] }: HumanRules): boolean {
  if (chatId?.startsWith(OWN_CHAT_PREFIX)) return true;
  return ownTurnSessions.length > 0 && (ownTurnSessions.includes(id) || ownTurnSessions.includes(lineage));
}

function isOtherPersons({ chatType, userId }: HistorySession, { otherPeople = [] }: HumanRules): boolean {
  return chatType !== "group" && userId !== undefined && otherPeople.includes(userId);
}

/** Whether people speak in a session. Of programs' sessions: those with a person, and those that carry Herald's chats. */
export function personTakesPart({ id, lineage, source, userId }: HistorySession): boolean {
  if ((machineSources as readonly string[]).includes(source)) return false;
  if (!MIXED_SOURCES.has(source)) return true;
  return userId !== undefined || [id, lineage].some((name) => name.startsWith(OWN_SESSION_PREFIX));
}

/** The beginnings looked for, made once for each list of own texts. */
const beginnings = new WeakMap<readonly string[], readonly string[]>();

/** Hermes may add to a mirrored text or cut its end, so the beginning decides; spaces and marks of layout do not count. */
function isOwnText(text: string, ownTexts: readonly string[] = []): boolean {
  if (ownTexts.length === 0) return false;
  let own = beginnings.get(ownTexts);
  if (!own) {
    own = ownTexts.map(plain).filter((said) => said.length >= SHORTEST_OWN_TEXT);
    beginnings.set(ownTexts, own);
  }
  const bare = plain(text);
  return own.some((said) => bare.startsWith(said) || (bare.length >= SURE_BEGINNING && said.startsWith(bare)));
}

function plain(text: string): string {
  return text.replace(/[\s*_`>#|-]+/g, "");
}
