import { inTransaction } from "../db.ts";
import { isEngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { approveProposal } from "./approve-proposal.ts";

/**
 * Accepts those of a report that are marked as low risk and were on the card: each exactly as it was seen. What changed or
 * was decided meanwhile is left for the person to look at.
 * @throws EngineError forbidden
 */
export async function approveLowRisk(
  scope: Scope,
  who: Actor,
  seen: readonly { id: string; revision: number }[],
): Promise<{ approved: number; left: number }> {
  assertMay(who, "proposal.decide");
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const low = await tx.evolutionProposal.findMany({
      where: { agentId: scope.agent.id, id: { in: seen.map(({ id }) => id) }, risk: "low", status: "pending_approval" },
      select: { id: true },
    });
    const stillLow = new Set(low.map(({ id }) => id));
    let approved = 0;
    for (const { id, revision } of seen) {
      if (!stillLow.has(id)) continue;
      try {
        const result = await approveProposal(inside, who, { id, seenRevision: revision });
        if (result.outcome === "approved") approved++;
      } catch (error) {
        if (!isEngineError(error, "changed_since_seen")) throw error;
      }
    }
    return { approved, left: seen.length - approved };
  });
}
