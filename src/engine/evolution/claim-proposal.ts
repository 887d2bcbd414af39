import { isFree, leaseFrom } from "../lease.ts";
import type { Scope } from "../scope.ts";
import { EXECUTE_LEASE_MS, type Proposal, proposalSchema } from "./proposal.ts";

/** A proposal held by the caller: whoever else looks finds its lease. */
export type ClaimedProposal = Proposal & { leaseUntil: Date };

/** Work there is to do on proposals: one to be carried out, or one to be taken back. */
export type Work = { what: "execute" | "take_back"; proposal: ClaimedProposal };

const LOOKED_AT = 50;

/** The next approved proposal, or executed one that somebody wants back; undefined when nothing is to be done now. */
export async function claimWork(scope: Scope): Promise<Work | undefined> {
  const now = scope.clock.now();
  const base = { agentId: scope.agent.id };
  const rows = await scope.db.evolutionProposal.findMany({
    where: {
      ...base,
      status: { in: ["approved", "executed"] },
      OR: [{ status: "approved" }, { revertedBy: { not: null } }],
    },
    orderBy: [{ decidedAt: "asc" }, { id: "asc" }],
    take: LOOKED_AT,
  });
  for (const row of rows) {
    if (!isFree(row, now, EXECUTE_LEASE_MS)) continue;
    const parsed = proposalSchema.safeParse(row);
    if (!parsed.success) {
      scope.log.incident("proposal.unreadable", parsed.error, { id: row.id });
      await scope.db.evolutionProposal.updateMany({
        where: { id: row.id, ...base, status: "approved" },
        data: { status: "failed", because: "unreadable", revision: { increment: 1 }, updatedAt: now },
      });
      continue;
    }
    const leaseUntil = leaseFrom(now, EXECUTE_LEASE_MS);
    const { count } = await scope.db.evolutionProposal.updateMany({
      where: { id: row.id, ...base, status: row.status, leaseUntil: row.leaseUntil, attempts: row.attempts },
      data: { leaseUntil, attempts: { increment: 1 } },
    });
    if (count === 0) continue;
    const proposal = { ...parsed.data, leaseUntil, attempts: parsed.data.attempts + 1 };
    return { what: row.status === "approved" ? "execute" : "take_back", proposal };
  }
  return undefined;
}

/** The condition of every update that ends work: the row is still ours. */
export function heldBy(
  scope: Scope,
  { id, leaseUntil }: Pick<ClaimedProposal, "id" | "leaseUntil">,
): { id: string; agentId: string; leaseUntil: Date } {
  return { id, agentId: scope.agent.id, leaseUntil };
}

/** Not now: the row is free again in a moment, so that another look tries once more. */
export async function letGoUntil(scope: Scope, proposal: ClaimedProposal, ms: number): Promise<void> {
  await scope.db.evolutionProposal.updateMany({
    where: heldBy(scope, proposal),
    data: { leaseUntil: new Date(scope.clock.now().getTime() + ms) },
  });
}
