import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import type { Scope } from "../scope.ts";
import { touchProposal } from "./find-proposal.ts";

/** Proposals nobody decided on in time: their evidence is stale. Each in its own transaction; a repeat changes nothing. */
export async function expireProposals(scope: Scope): Promise<{ expired: number }> {
  const now = scope.clock.now();
  const due = await scope.db.evolutionProposal.findMany({
    where: { agentId: scope.agent.id, status: "pending_approval", expiresAt: { lte: now } },
    select: { id: true, date: true },
    take: 200,
  });
  let expired = 0;
  for (const proposal of due) {
    await inTransaction(scope.db, async (tx) => {
      const { count } = await tx.evolutionProposal.updateMany({
        where: { id: proposal.id, agentId: scope.agent.id, status: "pending_approval", expiresAt: { lte: now } },
        data: { status: "expired", revision: { increment: 1 }, updatedAt: now },
      });
      if (count === 0) return;
      expired++;
      await recordAudit(tx, scope, {
        who: { kind: "job", name: "expire-proposals" },
        what: "proposal.expire",
        subject: { kind: "proposal", id: proposal.id },
      });
      await touchProposal(tx, scope, proposal);
    });
  }
  return { expired };
}
