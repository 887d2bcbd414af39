import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type DecidedAlready, explainUnchanged, findProposal, touchProposal } from "./find-proposal.ts";
import { LATER_HOURS, type Proposal } from "./proposal.ts";

/**
 * Not now: it comes up again with the next report. It does not live longer for it.
 * @throws EngineError forbidden · not_found
 */
export async function postponeProposal(
  scope: Scope,
  who: Actor,
  input: { id: string },
): Promise<{ outcome: "postponed"; proposal: Proposal } | DecidedAlready> {
  assertMay(who, "proposal.decide");
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const now = scope.clock.now();
    const laterUntil = new Date(now.getTime() + LATER_HOURS * 3_600_000);
    const { count } = await tx.evolutionProposal.updateMany({
      where: { id: input.id, agentId: scope.agent.id, status: "pending_approval" },
      data: { laterUntil, updatedAt: now },
    });
    if (count === 0) return explainUnchanged(inside, input, ["pending_approval"]);
    const proposal = await findProposal(inside, { id: input.id });
    await recordAudit(tx, scope, {
      who,
      what: "proposal.later",
      subject: { kind: "proposal", id: input.id },
      after: { laterUntil: laterUntil.toISOString() },
    });
    await touchProposal(tx, scope, proposal);
    return { outcome: "postponed", proposal };
  });
}
