import { inTransaction } from "../db.ts";
import { isFree, LONGEST_MESSAGE_WAIT_MS, leaseFrom, MESSAGE_LEASE_MS } from "../lease.ts";
import type { Scope } from "../scope.ts";
import { keptPayload } from "./kept-payload.ts";

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

export type TellSetAside = (scope: Scope, message: Pick<ClaimedMessage, "payload">, ref: string) => Promise<void>;

/** So often a message is tried before it is set aside. */
export const MOST_TRIES = 5;

const PAGE = 100;

/**
 * The oldest waiting message of a chat that has none in work: messages of a chat keep their order, chats do not wait for
 * each other. The try is counted with the claim, so that a message that kills the process is set aside as well.
 *
 * @param inWork chats (see `chatOf`) the caller is at work on: their messages wait, whatever a clock that was moved says
 * of the lease
 * @param tell says to the sender of a message that is set aside here that it came to nothing; within the transaction that
 * sets it aside, so that it is said once. `ref`: the incident
 */
export async function claimNextMessage(
  scope: Scope,
  inWork: Iterable<string> = [],
  tell: TellSetAside = async () => {},
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
    const claimed = next.attempts >= MOST_TRIES ? await setAside(scope, next, tell) : await claim(scope, next, now);
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
async function setAside(scope: Scope, place: Place, tell: TellSetAside): Promise<undefined> {
  await inTransaction(scope.db, async (tx) => {
    const row = await tx.inboxEvent.findUnique({ where: { seq: place.seq }, select: { payload: true } });
    const payload = (row?.payload ?? {}) as Record<string, unknown>;
    const { count } = await tx.inboxEvent.updateMany({
      where: asRead(scope, place),
      data: {
        status: "failed",
        handledAt: scope.clock.now(),
        leaseUntil: null,
        payload: keptPayload(payload),
      },
    });
    if (count === 0) return;
    const ref = scope.log.incident("inbox.set_aside", new Error("a message was tried too often"), {
      seq: place.seq,
      chatId: place.chatId,
      attempts: place.attempts,
    });
    await tell({ ...scope, db: tx }, { payload }, ref);
  });
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
