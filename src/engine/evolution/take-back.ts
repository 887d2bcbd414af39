import { recordAudit } from "../audit.ts";
import { inTransaction, type Tx } from "../db.ts";
import type { Actor, Scope } from "../scope.ts";
import { parseStrategies, putStrategies, readStrategies } from "../strategy/strategy-set.ts";
import { type Change, changeSchema, type FileChange, planTakeBack, targetOf } from "./change-kinds.ts";
import { takeBackStrategies } from "./changes/strategy-set.ts";
import { type ClaimedProposal, heldBy } from "./claim-proposal.ts";
import { readSnapshot } from "./execute-approved.ts";
import { touchProposal } from "./find-proposal.ts";
import { hashState } from "./snapshot.ts";
import { tellOwners } from "./tell-owners.ts";

const EXECUTOR: Actor = { kind: "job", name: "execute-approved" };

/**
 * Takes an executed change back: by hand and by the judge it is the same. What was kept returns to the byte; where something
 * else stands there now it is left alone and the person is told. True when it was taken back.
 */
export async function takeBack(scope: Scope, proposal: ClaimedProposal): Promise<boolean> {
  const read = changeSchema.safeParse({ type: proposal.type, payload: proposal.payload });
  if (!read.success) return leave(scope, proposal, "unreadable");
  return read.data.type === "strategy_adjust"
    ? takeBackSet(scope, proposal, read.data)
    : takeBackFiles(scope, proposal, read.data);
}

async function takeBackSet(
  scope: Scope,
  proposal: ClaimedProposal,
  { payload }: Extract<Change, { type: "strategy_adjust" }>,
): Promise<boolean> {
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const kept = await tx.changeSnapshot.findFirst({ where: { proposalId: proposal.id, agentId: scope.agent.id } });
    const before = parseStrategies((kept?.before as { strategies?: unknown } | null)?.strategies);
    if (!(await finish(tx, scope, proposal))) return false;
    const { strategies } = await readStrategies(inside);
    await putStrategies(tx, scope, {
      strategies: takeBackStrategies(payload, strategies, before),
      because: `reverted ${proposal.id}`,
    });
    return true;
  });
}

async function takeBackFiles(scope: Scope, proposal: ClaimedProposal, change: FileChange): Promise<boolean> {
  const snapshot = await readSnapshot(scope, proposal.id);
  if (!snapshot) return leave(scope, proposal, "no_snapshot");
  const target = targetOf(change);
  const standing = await scope.files.read(target);
  const context = { proposalId: proposal.id, limits: await scope.files.memoryLimits() };
  const planned = planTakeBack(change, standing, snapshot, context);
  if (!planned.ok) return leave(scope, proposal, planned.clash);
  const wanted = hashState(planned.next);
  if (hashState(standing) !== wanted) {
    await scope.files.write(target, planned.next, hashState(standing));
    if (hashState(await scope.files.read(target)) !== wanted) return leave(scope, proposal, "not_verified");
  }
  return inTransaction(scope.db, (tx) => finish(tx, scope, proposal));
}

async function finish(tx: Tx, scope: Scope, proposal: ClaimedProposal): Promise<boolean> {
  const now = scope.clock.now();
  const { count } = await tx.evolutionProposal.updateMany({
    where: { ...heldBy(scope, proposal), status: "executed" },
    data: {
      status: "reverted",
      revertedAt: now,
      leaseUntil: null,
      attempts: 0,
      revision: { increment: 1 },
      updatedAt: now,
    },
  });
  if (count === 0) return false;
  await tx.improvementUnit.updateMany({
    where: { proposalId: proposal.id, agentId: scope.agent.id, status: "active" },
    data: { status: "reverted", judgedAt: now, because: proposal.because ?? "by_hand" },
  });
  await recordAudit(tx, scope, {
    who: EXECUTOR,
    what: "proposal.revert",
    subject: { kind: "proposal", id: proposal.id },
    after: { status: "reverted", wantedBy: proposal.revertedBy },
  });
  await touchProposal(tx, scope, proposal);
  // Whoever pressed the button sees it on the card; what the judge did is told.
  if (proposal.because !== null) {
    await tellOwners(tx, scope, { kind: "proposal", id: proposal.id }, `reverted ${proposal.revision}`);
  }
  return true;
}

/** Nothing is written over: it stays executed, and the card says why it could not be taken back. Always false. */
async function leave(scope: Scope, proposal: ClaimedProposal, why: string): Promise<false> {
  const now = scope.clock.now();
  await inTransaction(scope.db, async (tx) => {
    const { count } = await tx.evolutionProposal.updateMany({
      where: { ...heldBy(scope, proposal), status: "executed" },
      data: {
        revertedBy: null,
        because: `kept:${why}`,
        leaseUntil: null,
        attempts: 0,
        revision: { increment: 1 },
        updatedAt: now,
      },
    });
    if (count === 0) return;
    await recordAudit(tx, scope, {
      who: EXECUTOR,
      what: "proposal.fail",
      subject: { kind: "proposal", id: proposal.id },
      after: { takingBack: why },
    });
    await touchProposal(tx, scope, proposal);
    await tellOwners(tx, scope, { kind: "proposal", id: proposal.id }, `kept ${proposal.revision}`);
  });
  return false;
}
