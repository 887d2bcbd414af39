import { cut } from "../clean-text.ts";
import { growingPauseMs, leaseFrom } from "../lease.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { Scope } from "../scope.ts";
import { keptPayload } from "./kept-payload.ts";
import { type ClaimedMessage, MOST_TRIES } from "./next-message.ts";

/** Short, because the chat waits meanwhile: about two minutes over all tries. */
const PAUSES_MS = [2_000, 10_000, 30_000, 60_000] as const;

/**
 * Work on a message failed: it comes up again after a pause that grows, and after the last try it is set aside so that
 * its chat is not held up for ever.
 * @returns what became of it; `lost` when it is no longer the caller's
 */
export async function releaseMessage(
  scope: Scope,
  message: ClaimedMessage,
  error: unknown,
): Promise<"retry" | "failed" | "lost"> {
  const last = message.attempts >= MOST_TRIES;
  const now = scope.clock.now();
  const text = cut(maskSecrets(error instanceof Error ? error.message : String(error), { personal: true }), 500);
  const { count } = await scope.db.inboxEvent.updateMany({
    where: { seq: message.seq, agentId: scope.agent.id, status: "waiting", leaseUntil: message.leaseUntil },
    data: last
      ? { status: "failed", error: text, handledAt: now, leaseUntil: null, payload: keptPayload(message.payload) }
      : { error: text, leaseUntil: leaseFrom(now, growingPauseMs(message.attempts, scope.random(), PAUSES_MS)) },
  });
  if (count === 0) return "lost";
  if (!last) return "retry";
  scope.log.incident("inbox.set_aside", error, { seq: message.seq, chatId: message.chatId });
  return "failed";
}
