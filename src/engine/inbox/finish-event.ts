import { cut } from "../clean-text.ts";
import type { Tx } from "../db.ts";
import { jsonColumn } from "../json-column.ts";
import type { Scope } from "../scope.ts";
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
  const { count } = await tx.inboxEvent.updateMany({
    where: { seq, agentId: scope.agent.id, status: "waiting" },
    data: {
      status: end.status,
      handledAt: scope.clock.now(),
      leaseUntil: null,
      ...(end.payload && { payload: keptPayload(end.payload) }),
      ...(end.answer && { answer: jsonColumn(end.answer) }),
      ...(end.error !== undefined && { error: cut(end.error, 500) }),
    },
  });
  return count === 1;
}
