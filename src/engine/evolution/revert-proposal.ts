import { actorId, recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type DecidedAlready, explainUnchanged, findProposal, touchProposal } from "./find-proposal.ts";
import type { Proposal } from "./proposal.ts";

export type RevertResult = { outcome: "asked"; proposal: Proposal } | DecidedAlready;

/**
 * A person, or the judge, wants an executed change back. The sweep takes it back; asking twice is harmless. `because` says why
 * when it was the judge.
 * @throws EngineError forbidden · not_found
 */
export async function revertProposal(
  scope: Scope,
  who: Actor,
  input: { id: string; because?: string },
): Promise<RevertResult> {
  assertMay(who, "proposal.revert");
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const now = scope.clock.now();
    const { count } = await tx.evolutionProposal.updateMany({
      where: { id: input.id, agentId: scope.agent.id, status: "executed", revertedBy: null },
      data: {
        revertedBy: actorId(who),
        because: input.because ?? null,
        attempts: 0,
        leaseUntil: null,
        revision: { increment: 1 },
        updatedAt: now,
      },
    });
    if (count === 0) {
      const proposal = await findProposal(inside, { id: input.id });
      return proposal.revertedBy === null
        ? explainUnchanged(inside, input, ["executed"])
        : { outcome: "already", proposal };
    }
    const proposal = await findProposal(inside, { id: input.id });
    await recordAudit(tx, scope, {
      who,
      what: "proposal.revert",
      subject: { kind: "proposal", id: input.id },
      before: { status: "executed" },
      after: { asked: true, ...(input.because && { because: input.because }) },
    });
    await touchProposal(tx, scope, proposal);
    return { outcome: "asked", proposal };
  });
}
