import type { Scope } from "../scope.ts";

/** The platform repeats an event for over 6 hours; a day is the least that is promised, two leave room for a long outage. */
export const KEEP_HANDLED_HOURS = 48;

/**
 * Forgets events handled long ago, at most `most` at a time. Waiting ones are never touched.
 * @returns how many were forgotten
 */
export async function tidyInbox(scope: Scope, most: number): Promise<number> {
  const before = new Date(scope.clock.now().getTime() - KEEP_HANDLED_HOURS * 3_600_000);
  const { count } = await scope.db.inboxEvent.deleteMany({
    where: {
      agentId: scope.agent.id,
      status: { in: ["done", "failed"] },
      receivedAt: { lt: before },
      handledAt: { lt: before },
    },
    limit: most,
  });
  return count;
}
