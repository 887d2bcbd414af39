import { cut } from "../clean-text.ts";
import { runStatement, type Tx } from "../db.ts";
import { jsonText } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { sql } from "../sql.ts";
import { keptPayload } from "./kept-payload.ts";

/**
 * The event is handled, in the transaction of what it caused: either both stand or neither.
 * @param end.payload what was stored when it came, for a message: from now on it is kept without secrets
 * @returns false when it was finished already; then its effects must not be written a second time
 */
export async function finishEvent(
  tx: Tx,
  scope: Scope,
  seq: number,
  end: {
    status: "done" | "failed";
    payload?: Readonly<Record<string, unknown>>;
    answer?: Readonly<Record<string, unknown>>;
    error?: string;
  },
): Promise<boolean> {
  const payload = end.payload === undefined ? sql`` : sql`, "payload" = ${jsonText(keptPayload(end.payload))}`;
  const answer = end.answer === undefined ? sql`` : sql`, "answer" = ${jsonText(end.answer)}`;
  const error = end.error === undefined ? sql`` : sql`, "error" = ${cut(end.error, 500)}`;
  const changed = await runStatement(
    tx,
    sql`UPDATE "InboxEvent" SET "status" = ${end.status}, "handledAt" = ${scope.clock.now()}, "leaseUntil" = NULL
      ${payload}${answer}${error}
      WHERE "seq" = ${seq} AND "agentId" = ${scope.agent.id} AND "status" = 'waiting'`,
  );
  return changed === 1;
}

/** What was answered to an event that was stored as handled, in the same transaction. */
export async function keepAnswer(
  tx: Tx,
  scope: Scope,
  seq: number,
  answer: Readonly<Record<string, unknown>>,
): Promise<void> {
  await runStatement(
    tx,
    sql`UPDATE "InboxEvent" SET "answer" = ${jsonText(answer)} WHERE "seq" = ${seq} AND "agentId" = ${scope.agent.id}`,
  );
}
