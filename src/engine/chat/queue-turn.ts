import { wantCard } from "../card-posts.ts";
import { cleanText, cut } from "../clean-text.ts";
import type { Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import { assertMay } from "../people/person.ts";
import type { TurnFile } from "../ports.ts";
import type { Language, PersonActor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { type ChatPlace, currentSession, findSession } from "./session.ts";
import { type Turn, turnSchema } from "./turn.ts";

/** What a message is called in lists and titles. */
const SAID_CHARS = 200;
/** Longer texts are cut: no way into Hermes takes more (its API server takes 64 KB). */
export const TURN_TEXT_CHARS = 60_000;

export interface NewTurn {
  /** The event it comes from: the same again makes no second turn. */
  dedupeKey: string;
  origin: Turn["origin"];
  place: ChatPlace;
  /** Goes on in this session; otherwise in the one the place is in. */
  sessionId?: string;
  threadId?: string | undefined;
  messageId?: string | undefined;
  language: Language;
  /** What the person wrote. */
  said: string;
  /** What Hermes is given: the same with what belongs to it. */
  text: string;
  images?: readonly TurnFile[];
  files?: readonly TurnFile[];
  /** May be put into a turn that runs, when the setting says so. */
  mayJoin?: boolean;
}

export interface Queued {
  turn: Turn;
  fresh: boolean;
  /** Turns of its session that come before it. */
  ahead: number;
  /** The turn that runs in its session now. */
  running: string | undefined;
}

/**
 * A message becomes a turn that waits for its place, in the transaction that marks the message as handled: a crash gives
 * exactly one. When it has to wait, its card says so.
 * @throws EngineError forbidden
 */
export async function queueTurn(tx: Tx, scope: Scope, who: PersonActor, input: NewTurn): Promise<Queued> {
  assertMay(who, "chat");
  const agentId = scope.agent.id;
  const inside = { ...scope, db: tx };
  const known = await tx.turn.findUnique({ where: { dedupeKey: input.dedupeKey } });
  if (known) return { turn: turnSchema.parse(known), fresh: false, ahead: 0, running: undefined };
  const { groupSessions, whileRunning } = await readSettings(inside);
  const named = input.sessionId === undefined ? undefined : await findSession(inside, input.sessionId);
  const session = named ?? (await currentSession(tx, scope, input.place, groupSessions));
  const before = await tx.turn.findMany({
    where: { agentId, sessionId: session.id, status: { in: ["waiting", "running"] } },
    orderBy: { seq: "asc" },
    select: { id: true, status: true },
  });
  const joins = whileRunning === "steer" && input.mayJoin === true && before.length > 0;
  const row = await tx.turn.create({
    data: {
      id: scope.ids.id("turn"),
      agentId,
      sessionId: session.id,
      dedupeKey: input.dedupeKey,
      origin: input.origin,
      chatId: input.place.chatId,
      chatType: input.place.chatType,
      threadId: input.threadId ?? null,
      messageId: input.messageId ?? null,
      senderOpenId: who.openId,
      language: input.language,
      said: cut(input.said, SAID_CHARS),
      text: cut(input.text, TURN_TEXT_CHARS),
      images: jsonColumn(cleanFiles(input.images)),
      files: jsonColumn(cleanFiles(input.files)),
      manner: joins ? "steer" : "queue",
      status: "waiting",
      createdAt: scope.clock.now(),
    },
  });
  const turn = turnSchema.parse(row);
  if (before.length > 0 && !joins) await wantTurnCard(tx, scope, turn);
  return { turn, fresh: true, ahead: before.length, running: before.find(({ status }) => status === "running")?.id };
}

/** The card on which a turn's reply stands. `page` from 1: a long reply goes on, on further cards. */
export async function wantTurnCard(tx: Tx, scope: Scope, turn: Turn, page = 1): Promise<void> {
  const { messageId, threadId, chatType } = turn;
  const replies = messageId !== null && (chatType === "group" || threadId !== null);
  await wantCard(tx, scope, {
    subject: { kind: "turn", id: turn.id },
    view: {
      page,
      chatType,
      ...(chatType === "p2p" && turn.senderOpenId !== null && { viewer: turn.senderOpenId }),
    },
    to: { chatId: turn.chatId },
    language: chatType === "group" ? "both" : turn.language,
    idempotencyKey: page === 1 ? `turn-${turn.id}` : `turn-${turn.id}-${page}`,
    ...(replies && { replyTo: messageId }),
  });
}

function cleanFiles(files: readonly TurnFile[] | undefined): object[] {
  return (files ?? []).map(({ path, name, mime }) => ({ path, name: cleanText(name), mime }));
}
