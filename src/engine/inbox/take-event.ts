import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { keptPayload } from "./kept-payload.ts";

export interface Arrival {
  /** App id and message id for messages, event id for everything else: what makes it the same event again. */
  dedupeKey: string;
  kind: "message" | "tap" | "other";
  chatId?: string;
  senderOpenId?: string;
  /** The parsed event. */
  payload: Readonly<Record<string, unknown>>;
}

export type EventStatus = "waiting" | "done" | "failed";

export type Taken =
  | { fresh: true; seq: number }
  /** Seen before: what became of it, and what was answered to a tap. */
  | { fresh: false; seq: number; status: EventStatus; answer?: Record<string, unknown> };

/**
 * Stores an event before it is acknowledged. One statement makes the row or finds it, so of two deliveries of the same
 * event, wherever and whenever they arrive, one is fresh. Inside a tap's transaction a repeat that arrives meanwhile
 * waits for its end and then reads the answer.
 */
export async function takeEvent(scope: Scope, arrival: Arrival): Promise<Taken> {
  const row = await scope.db.inboxEvent.upsert({
    where: { dedupeKey: arrival.dedupeKey },
    update: { repeats: { increment: 1 } },
    create: {
      agentId: scope.agent.id,
      dedupeKey: arrival.dedupeKey,
      kind: arrival.kind,
      chatId: arrival.chatId ?? null,
      senderOpenId: arrival.senderOpenId ?? null,
      // A message is acted on later, word for word; everything else by whoever holds it now.
      payload: arrival.kind === "message" ? jsonColumn(arrival.payload) : keptPayload(arrival.payload),
      status: "waiting",
      receivedAt: scope.clock.now(),
    },
    select: { seq: true, status: true, answer: true, repeats: true },
  });
  if (row.repeats === 0) return { fresh: true, seq: row.seq };
  return {
    fresh: false,
    seq: row.seq,
    status: row.status as EventStatus,
    ...(row.answer !== null && { answer: row.answer as Record<string, unknown> }),
  };
}
