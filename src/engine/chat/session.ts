import { z } from "zod";
import type { Db, Tx } from "../db.ts";
import { leaseFrom } from "../lease.ts";
import type { Scope } from "../scope.ts";

export const chatSessionSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  place: z.string(),
  currentOf: z.string().nullable(),
  chatId: z.string(),
  chatType: z.enum(["p2p", "group"]),
  openId: z.string().nullable(),
  number: z.number().int(),
  title: z.string().nullable(),
  hermesSessionId: z.string().nullable(),
  heldBy: z.string().nullable(),
  heldUntil: z.date().nullable(),
  createdAt: z.date(),
  usedAt: z.date(),
});

/** One conversation with Hermes, as a chat has it. */
export type ChatSession = z.infer<typeof chatSessionSchema>;

/** Where somebody speaks. */
export interface ChatPlace {
  chatId: string;
  chatType: "p2p" | "group";
  openId: string;
}

/** How long a hold lasts that is not renewed. */
export const HOLD_MS = 60_000;

/** What keeps conversations apart: the chat, or the chat and the person where each person of a group has their own. */
export function placeKey({ chatId, chatType, openId }: ChatPlace, groupSessions: "chat" | "person"): string {
  return chatType === "group" && groupSessions === "person" ? `${chatId}:${openId}` : chatId;
}

/** The session the place is in; begun when there is none. Two messages that arrive together find the same one. */
export async function currentSession(
  tx: Tx,
  scope: Scope,
  place: ChatPlace,
  groupSessions: "chat" | "person",
): Promise<ChatSession> {
  const key = placeKey(place, groupSessions);
  const found = await tx.chatSession.findUnique({
    where: { agentId_currentOf: { agentId: scope.agent.id, currentOf: key } },
  });
  if (found) return chatSessionSchema.parse(found);
  return beginSession(tx, scope, place, key);
}

/** Another session becomes the one the place is in. Numbers go up and are never used again. */
export async function beginSession(tx: Tx, scope: Scope, place: ChatPlace, key: string): Promise<ChatSession> {
  const agentId = scope.agent.id;
  const last = await tx.chatSession.findFirst({
    where: { agentId, place: key },
    orderBy: { number: "desc" },
    select: { number: true },
  });
  await tx.chatSession.updateMany({ where: { agentId, currentOf: key }, data: { currentOf: null } });
  const now = scope.clock.now();
  const row = await tx.chatSession.create({
    data: {
      id: scope.ids.id("chat"),
      agentId,
      place: key,
      currentOf: key,
      chatId: place.chatId,
      chatType: place.chatType,
      openId: key === place.chatId ? null : place.openId,
      number: (last?.number ?? 0) + 1,
      createdAt: now,
      usedAt: now,
    },
  });
  return chatSessionSchema.parse(row);
}

export async function findSession(scope: Scope, id: string): Promise<ChatSession | undefined> {
  const row = await scope.db.chatSession.findFirst({ where: { id, agentId: scope.agent.id } });
  return row === null ? undefined : chatSessionSchema.parse(row);
}

/**
 * One thing at a time runs in a place, whichever of its sessions it belongs to: at the other end they may be one chat. The
 * place's first session is the row that says so. `by` names what runs, such as `turn:…` or `goal:…`. Holding it again
 * renews the hold; a hold that was not renewed in time is over.
 * @returns false when something else holds it
 */
export async function holdSession(tx: Tx, scope: Scope, sessionId: string, by: string): Promise<boolean> {
  const place = await placeOf(tx, scope, sessionId);
  if (place === undefined) return false;
  const now = scope.clock.now();
  const { count } = await tx.chatSession.updateMany({
    where: {
      ...place,
      OR: [
        { heldBy: null },
        { heldBy: by },
        { heldUntil: { lte: now } },
        // A hold that reaches further than any taken now comes from a clock that was set back: it binds nobody.
        { heldUntil: { gt: leaseFrom(now, HOLD_MS) } },
      ],
    },
    data: { heldBy: by, heldUntil: leaseFrom(now, HOLD_MS) },
  });
  return count === 1;
}

/** The place is free for the next. `hermesSessionId` is what Hermes calls the session now. */
export async function letSessionGo(
  tx: Tx,
  scope: Scope,
  sessionId: string,
  by: string,
  hermesSessionId?: string,
): Promise<void> {
  const place = await placeOf(tx, scope, sessionId);
  if (place === undefined) return;
  await tx.chatSession.updateMany({ where: { ...place, heldBy: by }, data: { heldBy: null, heldUntil: null } });
  await tx.chatSession.updateMany({
    where: { id: sessionId, agentId: scope.agent.id },
    data: { usedAt: scope.clock.now(), ...(hermesSessionId && { hermesSessionId }) },
  });
}

async function placeOf(
  tx: Tx,
  scope: Scope,
  sessionId: string,
): Promise<{ agentId: string; place: string; number: number } | undefined> {
  const agentId = scope.agent.id;
  const session = await tx.chatSession.findFirst({ where: { id: sessionId, agentId }, select: { place: true } });
  return session === null ? undefined : { agentId, place: session.place, number: 1 };
}

/** True while a goal's turn runs at the other end in one of these sessions, whoever holds it here, or nobody. */
export async function goalTurnRuns(
  db: Pick<Db, "goalTurn" | "goal">,
  scope: Scope,
  sessionIds: readonly string[],
): Promise<boolean> {
  const agentId = scope.agent.id;
  const open = await db.goalTurn.findMany({
    where: { agentId, status: "running", endedAt: null },
    select: { goalId: true },
  });
  if (open.length === 0) return false;
  const goals = await db.goal.count({
    where: { agentId, id: { in: open.map(({ goalId }) => goalId) }, sessionId: { in: [...sessionIds] } },
  });
  return goals > 0;
}

/** All sessions of the place that this one belongs to. */
export async function sessionsBeside(tx: Tx, scope: Scope, sessionId: string): Promise<string[]> {
  const at = await placeOf(tx, scope, sessionId);
  if (at === undefined) return [];
  const rows = await tx.chatSession.findMany({
    where: { agentId: at.agentId, place: at.place },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
