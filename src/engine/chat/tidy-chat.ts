import type { Scope } from "../scope.ts";

/**
 * Forgets turns that ended before, with what Hermes asked in them, at most `most` at a time. Conversations stay: they
 * hold no words, and `/resume` finds them.
 * @returns how many turns were forgotten
 */
export async function tidyChat({ db, agent }: Scope, before: Date, most: number): Promise<number> {
  const old = await db.turn.findMany({
    where: { agentId: agent.id, endedAt: { lt: before } },
    orderBy: { seq: "asc" },
    take: most,
    select: { id: true },
  });
  // Asked in turns that Hermes began: those have no row among the turns.
  await db.agentQuestion.deleteMany({
    where: { agentId: agent.id, askedAt: { lt: before }, status: { notIn: ["open", "answered"] } },
    limit: most,
  });
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.agentQuestion.deleteMany({ where: { agentId: agent.id, turnId: { in: ids } } });
  const { count } = await db.turn.deleteMany({ where: { agentId: agent.id, id: { in: ids } } });
  return count;
}
