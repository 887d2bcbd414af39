import { isFree, LONGEST_MESSAGE_WAIT_MS, leaseFrom, MESSAGE_LEASE_MS } from "../lease.ts";
import type { Scope } from "../scope.ts";

/** A message whose turn it is, held by the caller for a minute. */
export interface ClaimedMessage {
  seq: number;
  chatId: string | null;
  senderOpenId: string | null;
  payload: Record<string, unknown>;
  /** 1 = first try */
  attempts: number;
  leaseUntil: Date;
  receivedAt: Date;
}

/** So often a message is tried before it is set aside. */
export const MOST_TRIES = 5;

const PAGE = 100;

/**
 * The oldest waiting message of a chat that has none in work: messages of a chat keep their order, chats do not wait for
 * each other. The try is counted with the claim, so that a message that kills the process is set aside as well.
 *
 * @param inWork chats (see `chatOf`) the caller is at work on: their messages wait, whatever a clock that was moved says
 * of the lease
 */
export async function claimNextMessage(
  scope: Scope,
  inWork: Iterable<string> = [],
): Promise<ClaimedMessage | undefined> {
  let busy = new Set(inWork);
  for (let after = 0; ; ) {
    const now = scope.clock.now();
    const rows = await scope.db.inboxEvent.findMany({
      where: { agentId: scope.agent.id, kind: "message", status: "waiting", seq: { gt: after } },
      orderBy: { seq: "asc" },
      take: PAGE,
      select: { seq: true, chatId: true, leaseUntil: true, attempts: true },
    });
    const next = nextInOrder(rows, now, busy);
    if (next === undefined) {
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return undefined;
      after = last.seq;
      continue;
    }
    const claimed = next.attempts >= MOST_TRIES ? await setAside(scope, next) : await claim(scope, next, now);
    if (claimed) return claimed;
    // Taken by another replica, or set aside: look again from the start.
    after = 0;
    busy = new Set(inWork);
  }
}

interface Place {
  seq: number;
  chatId: string | null;
  leaseUntil: Date | null;
  attempts: number;
}

/** What a message keeps its order in: its chat; one without a chat stands for itself. */
export function chatOf({ seq, chatId }: { seq: number; chatId: string | null }): string {
  return chatId ?? `#${seq}`;
}

/** The first row whose chat is not waiting for an earlier one. `busy` carries over from page to page. */
export function nextInOrder<R extends Place>(rows: readonly R[], now: Date, busy: Set<string>): R | undefined {
  for (const row of rows) {
    const chat = chatOf(row);
    if (busy.has(chat)) continue;
    if (isFree(row, now, LONGEST_MESSAGE_WAIT_MS)) return row;
    busy.add(chat);
  }
  return undefined;
}

async function claim(scope: Scope, place: Place, now: Date): Promise<ClaimedMessage | undefined> {
  const leaseUntil = leaseFrom(now, MESSAGE_LEASE_MS);
  const { count } = await scope.db.inboxEvent.updateMany({
    where: asRead(scope, place),
    data: { leaseUntil, attempts: { increment: 1 } },
  });
  if (count === 0) return undefined;
  const row = await scope.db.inboxEvent.findUniqueOrThrow({ where: { seq: place.seq } });
  return {
    seq: row.seq,
    chatId: row.chatId,
    senderOpenId: row.senderOpenId,
    payload: row.payload as Record<string, unknown>,
    attempts: place.attempts + 1,
    leaseUntil,
    receivedAt: row.receivedAt,
  };
}

/** Tried often enough: the chat goes on without it. */
async function setAside(scope: Scope, place: Place): Promise<undefined> {
  const { count } = await scope.db.inboxEvent.updateMany({
    where: asRead(scope, place),
    data: { status: "failed", handledAt: scope.clock.now(), leaseUntil: null },
  });
  if (count === 1) {
    scope.log.incident("inbox.set_aside", new Error("a message was tried too often"), {
      seq: place.seq,
      chatId: place.chatId,
      attempts: place.attempts,
    });
  }
  return undefined;
}

/**
 * Work on the message goes on: it is the caller's for another minute.
 * @returns the new lease; undefined when the message is no longer the caller's
 */
export async function holdMessage(scope: Scope, message: ClaimedMessage): Promise<Date | undefined> {
  const leaseUntil = leaseFrom(scope.clock.now(), MESSAGE_LEASE_MS);
  const { count } = await scope.db.inboxEvent.updateMany({
    where: { seq: message.seq, agentId: scope.agent.id, status: "waiting", leaseUntil: message.leaseUntil },
    data: { leaseUntil },
  });
  return count === 1 ? leaseUntil : undefined;
}

function asRead(scope: Scope, place: Place) {
  return {
    seq: place.seq,
    agentId: scope.agent.id,
    status: "waiting",
    leaseUntil: place.leaseUntil,
    attempts: place.attempts,
  };
}
