import type { Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { Scope } from "../scope.ts";

/**
 * Makes sure that an owner remains when `leaving` no longer is one. The owners' rows are written to first, so that two
 * owners who remove each other at once come one after the other on PostgreSQL too.
 * @throws EngineError wrong_state when nobody would remain
 */
export async function keepAnOwner(tx: Tx, scope: Scope, leaving: string): Promise<void> {
  const owners = { agentId: scope.agent.id, role: "owner", revokedAt: null };
  await tx.person.updateMany({ where: owners, data: { role: "owner" } });
  const others = await tx.person.count({ where: { ...owners, openId: { not: leaving } } });
  if (others === 0) {
    throw new EngineError("wrong_state", { what: "person", state: "last_owner", possible: ["people.grant"] });
  }
}
