import { recordAudit } from "../audit.ts";
import { inTransaction } from "../db.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { type ProposalType, proposalTypes } from "./change-kinds.ts";
import { tellOwners } from "./tell-owners.ts";

/** So many of a kind in a row that failed or were taken back: no more of it until a person says so. */
export const FAILING_IN_A_ROW = 3;
/** So many in a row that changed nothing: the same. */
export const PLATEAU_IN_A_ROW = 4;

/** Stops the kinds whose last changes failed, were taken back, or changed nothing, and asks the owner. */
export async function holdFailingKinds(scope: Scope): Promise<ProposalType[]> {
  const held: ProposalType[] = [];
  const agentId = scope.agent.id;
  for (const type of proposalTypes) {
    if (await scope.db.kindHold.findUnique({ where: { agentId_type: { agentId, type } } })) continue;
    const resumed = await scope.db.auditEntry.findFirst({
      where: { agentId, what: "kind.resume", subjectKind: "kind", subjectId: type },
      orderBy: { id: "desc" },
      select: { at: true },
    });
    const last = await scope.db.evolutionProposal.findMany({
      where: {
        agentId,
        type,
        status: { in: ["executed", "failed", "reverted"] },
        ...(resumed && { updatedAt: { gt: resumed.at } }),
      },
      orderBy: { updatedAt: "desc" },
      take: PLATEAU_IN_A_ROW,
      select: { id: true, status: true, because: true },
    });
    const because = await whyHold(scope, last);
    if (because === undefined) continue;
    held.push(type);
    await inTransaction(scope.db, async (tx) => {
      await tx.kindHold.create({
        data: { agentId, type, because, since: scope.clock.now(), askedAt: scope.clock.now() },
      });
      await recordAudit(tx, scope, {
        who: { kind: "job", name: "judge-units" },
        what: "kind.hold",
        subject: { kind: "kind", id: type },
        after: { because },
      });
      await tellOwners(tx, scope, { kind: "notice", id: `hold-${type}` }, `hold ${scope.clock.now().toISOString()}`, {
        notice: "kind_held",
        type,
        because,
      });
    });
  }
  return held;
}

async function whyHold(
  scope: Scope,
  last: readonly { id: string; status: string; because: string | null }[],
): Promise<"failing" | "plateau" | undefined> {
  const bad = ({ status, because }: { status: string; because: string | null }): boolean =>
    status === "failed" || (status === "reverted" && because !== null);
  if (last.length >= FAILING_IN_A_ROW && last.slice(0, FAILING_IN_A_ROW).every(bad)) return "failing";
  if (last.length < PLATEAU_IN_A_ROW) return undefined;
  const units = await scope.db.improvementUnit.findMany({
    where: { agentId: scope.agent.id, proposalId: { in: last.map(({ id }) => id) }, status: "inconclusive" },
    select: { proposalId: true },
  });
  return units.length === last.length ? "plateau" : undefined;
}

/** A person lets a kind go on. @throws EngineError forbidden */
export async function resumeKind(scope: Scope, who: Actor, type: ProposalType): Promise<{ resumed: boolean }> {
  assertMay(who, "proposal.decide");
  return inTransaction(scope.db, async (tx) => {
    const { count } = await tx.kindHold.deleteMany({ where: { agentId: scope.agent.id, type } });
    if (count > 0) await recordAudit(tx, scope, { who, what: "kind.resume", subject: { kind: "kind", id: type } });
    return { resumed: count > 0 };
  });
}
