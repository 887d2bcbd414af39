import type { Tx } from "./db.ts";
import type { Scope } from "./scope.ts";

/** The next number people type for a kind of thing: one statement, so that two at once get two numbers; never reused. */
export async function nextNumber(tx: Tx, scope: Scope, name: string): Promise<number> {
  const { value } = await tx.counter.upsert({
    where: { agentId_name: { agentId: scope.agent.id, name } },
    update: { value: { increment: 1 } },
    create: { agentId: scope.agent.id, name, value: 1 },
    select: { value: true },
  });
  return value;
}
