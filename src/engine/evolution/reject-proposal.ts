import { actorId, recordAudit } from "../audit.ts";
import { oneLine } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { statusesBefore } from "../lifecycle.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type DecidedAlready, explainUnchanged, findProposal, touchProposal } from "./find-proposal.ts";
import { type Proposal, proposalLifecycle, REASON_CHARS } from "./proposal.ts";

export type RejectResult = { outcome: "rejected"; proposal: Proposal } | DecidedAlready;

/**
 * A person refuses. The reason (a chip's name or their words) is read by the next dreams; the same cause is not proposed
 * again without new evidence. A reason may be added to a refusal later on.
 * @throws EngineError forbidden · not_found · changed_since_seen
 */
export async function rejectProposal(
  scope: Scope,
  who: Actor,
  input: { id: string; seenRevision?: number; reason?: string },
): Promise<RejectResult> {
  assertMay(who, "proposal.decide");
  const reason = input.reason === undefined ? undefined : oneLine(maskSecrets(input.reason), REASON_CHARS);
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const now = scope.clock.now();
    const from = statusesBefore(proposalLifecycle, "reject");
    const { count } = await tx.evolutionProposal.updateMany({
      where: {
        id: input.id,
        agentId: scope.agent.id,
        status: { in: from },
        ...(input.seenRevision !== undefined && { revision: input.seenRevision }),
      },
      data: {
        status: "rejected",
        revision: { increment: 1 },
        decidedBy: actorId(who),
        decidedAt: now,
        laterUntil: null,
        updatedAt: now,
        ...(reason && { reason }),
      },
    });
    if (count === 0) {
      if (reason && (await addReason(inside, who, input.id, reason))) {
        return { outcome: "rejected", proposal: await findProposal(inside, { id: input.id }) };
      }
      return explainUnchanged(inside, input, from);
    }
    const proposal = await findProposal(inside, { id: input.id });
    await recordAudit(tx, scope, {
      who,
      what: "proposal.reject",
      subject: { kind: "proposal", id: input.id },
      after: { status: "rejected", ...(reason && { reason }) },
    });
    await touchProposal(tx, scope, proposal);
    return { outcome: "rejected", proposal };
  });
}

/** The first reason given to a refusal; nobody's is written over. */
async function addReason(scope: Scope, who: Actor, id: string, reason: string): Promise<boolean> {
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.evolutionProposal.updateMany({
      where: { id, agentId: scope.agent.id, status: "rejected", reason: null },
      data: { reason, revision: { increment: 1 }, updatedAt: scope.clock.now() },
    });
    if (count === 0) return false;
    await recordAudit(tx, scope, {
      who,
      what: "proposal.reject",
      subject: { kind: "proposal", id },
      after: { reason },
    });
    await touchProposal(tx, scope, await findProposal({ ...scope, db: tx }, { id }));
    return true;
  });
}
