import { actorId, recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type DecidedAlready, explainUnchanged, findProposal, touchProposal } from "./find-proposal.ts";
import { type Proposal, proposalLifecycle } from "./proposal.ts";

export type ApproveResult = { outcome: "approved"; proposal: Proposal } | DecidedAlready;

/**
 * A person accepts a proposal exactly as they saw it; the sweep executes it. Repeating it is harmless: whoever comes second is
 * told how it stands.
 * @throws EngineError forbidden · not_found · changed_since_seen
 */
export async function approveProposal(
  scope: Scope,
  who: Actor,
  input: { id: string; seenRevision: number },
): Promise<ApproveResult> {
  assertMay(who, "proposal.decide");
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const now = scope.clock.now();
    const from = statusesBefore(proposalLifecycle, "approve");
    const { count } = await tx.evolutionProposal.updateMany({
      where: { id: input.id, agentId: scope.agent.id, revision: input.seenRevision, status: { in: from } },
      data: {
        status: "approved",
        revision: { increment: 1 },
        decidedBy: actorId(who),
        decidedAt: now,
        because: null,
        laterUntil: null,
        leaseUntil: null,
        updatedAt: now,
      },
    });
    if (count === 0) return explainUnchanged(inside, input, from);
    const proposal = await findProposal(inside, { id: input.id });
    await recordAudit(tx, scope, {
      who,
      what: "proposal.approve",
      subject: { kind: "proposal", id: input.id },
      before: { revision: input.seenRevision },
      after: { status: "approved" },
    });
    await touchProposal(tx, scope, proposal);
    return { outcome: "approved", proposal };
  });
}
