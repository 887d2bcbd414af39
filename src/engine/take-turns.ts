import type { Tx } from "./db.ts";
import type { Scope } from "./scope.ts";

/**
 * Makes transactions of one kind follow one another on PostgreSQL too: whoever comes second waits here until the first
 * has ended, and then sees what it wrote. On SQLite they follow one another anyway.
 */
export async function takeTurns(
  tx: Tx,
  scope: Scope,
  what: "store-matters" | "commit-run" | "halve-kind",
): Promise<void> {
  await tx.counter.upsert({
    where: { agentId_name: { agentId: scope.agent.id, name: `turn:${what}` } },
    update: { value: { increment: 1 } },
    create: { agentId: scope.agent.id, name: `turn:${what}`, value: 1 },
    select: { value: true },
  });
}
