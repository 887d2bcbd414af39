import { readRows } from "../db.ts";
import { jsonText } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { sql } from "../sql.ts";
import { keptPayload } from "./kept-payload.ts";

export interface Arrival {
  /** App id and message id for messages, event id for everything else: what makes it the same event again. */
  dedupeKey: string;
  kind: "message" | "tap" | "other";
  chatId?: string;
  senderOpenId?: string;
  /** The parsed event. */
  payload: Readonly<Record<string, unknown>>;
  /**
   * Handled in the transaction that stores it, so nobody ever sees it waiting: stored as done, which spares the indexes a
   * second writing. Its answer follows by `keepAnswer`.
   */
  handledHere?: true;
}

export type EventStatus = "waiting" | "done" | "failed";

export type Taken =
  | { fresh: true; seq: number }
  /** Seen before: what became of it, and what was answered to a tap. */
  | { fresh: false; seq: number; status: EventStatus; answer?: Record<string, unknown> };

type StoredEvent = { seq: number; status: string; answer: unknown; repeats: number };

/**
 * Stores an event before it is acknowledged. One statement makes the row or finds it, so of two deliveries of the same
 * event, wherever and whenever they arrive, one is fresh. Inside a tap's transaction a repeat that arrives meanwhile
 * waits for its end and then reads the answer.
 */
export async function takeEvent(scope: Scope, arrival: Arrival): Promise<Taken> {
  // A message is acted on later, word for word; everything else by whoever holds it now.
  const payload = arrival.kind === "message" ? arrival.payload : keptPayload(arrival.payload);
  const now = scope.clock.now();
  const [row] = await readRows<StoredEvent>(
    scope.db,
    sql`INSERT INTO "InboxEvent"
      ("agentId", "dedupeKey", "kind", "chatId", "senderOpenId", "payload", "status", "receivedAt", "handledAt")
      VALUES (${scope.agent.id}, ${arrival.dedupeKey}, ${arrival.kind}, ${arrival.chatId ?? null},
        ${arrival.senderOpenId ?? null}, ${jsonText(payload)}, ${arrival.handledHere ? "done" : "waiting"}, ${now},
        ${arrival.handledHere ? now : null})
      ON CONFLICT ("dedupeKey") DO UPDATE SET "repeats" = "InboxEvent"."repeats" + 1
      RETURNING "seq", "status", "answer", "repeats"`,
  );
  if (row === undefined) throw new Error("an event was neither stored nor found");
  if (row.repeats === 0) return { fresh: true, seq: row.seq };
  return {
    fresh: false,
    seq: row.seq,
    status: row.status as EventStatus,
    ...(row.answer !== null && { answer: storedAnswer(row.answer) }),
  };
}

/** SQLite does not say of a returned column that it holds JSON. */
function storedAnswer(answer: unknown): Record<string, unknown> {
  return (typeof answer === "string" ? JSON.parse(answer) : answer) as Record<string, unknown>;
}
