import { recordAudit } from "../audit.ts";
import { inTransaction, type Tx } from "../db.ts";
import { isEngineError } from "../errors.ts";
import { jsonColumn } from "../json-column.ts";
import type { Actor, Scope } from "../scope.ts";
import { putStrategies, readStrategies } from "../strategy/strategy-set.ts";
import { type Change, changeProblem, changeSchema, type FileChange, planChange, targetOf } from "./change-kinds.ts";
import type { Clash } from "./changes/planned.ts";
import { planStrategies } from "./changes/strategy-set.ts";
import { type ClaimedProposal, claimWork, heldBy, letGoUntil } from "./claim-proposal.ts";
import { touchProposal } from "./find-proposal.ts";
import { openUnit } from "./open-unit.ts";
import { hashState, targetStateSchema } from "./snapshot.ts";
import { takeBack } from "./take-back.ts";
import type { TargetState } from "./target-files.ts";
import { tellOwners } from "./tell-owners.ts";

const EXECUTOR: Actor = { kind: "job", name: "execute-approved" };
/** Hermes' home cannot be written to just now: tried again so often, then it has failed. */
const MOST_ATTEMPTS = 5;
const RETRY_MS = 30_000;

/** Why an approved change was not made. Words for each stand in the texts. */
export type FailedBecause = Clash | "unreadable" | "no_change" | "not_verified" | "unavailable";

/**
 * Carries out what a person approved, and takes back what a person or the judge wants back, one after the other. Each may be
 * interrupted at any point: the next claimer compares what stands at the target with what stood there before and what was
 * to be written, and finishes, begins again, or reports.
 */
export async function executeApproved(
  scope: Scope,
  signal?: AbortSignal,
): Promise<{ executed: number; reverted: number; failed: number }> {
  const done = { executed: 0, reverted: 0, failed: 0 };
  while (signal?.aborted !== true) {
    const work = await claimWork(scope);
    if (!work) break;
    const { proposal } = work;
    try {
      if (work.what === "execute") done[(await execute(scope, proposal)) ? "executed" : "failed"]++;
      else if (await takeBack(scope, proposal)) done.reverted++;
    } catch (error) {
      if (!isEngineError(error, "unavailable") && !isEngineError(error, "changed_since_seen")) throw error;
      scope.log.warn("proposal.put_off", { id: proposal.id, why: String(error) });
      if (work.what === "execute" && proposal.attempts >= MOST_ATTEMPTS) {
        await fail(scope, proposal, "unavailable");
        done.failed++;
      } else await letGoUntil(scope, proposal, RETRY_MS * proposal.attempts);
    }
  }
  return done;
}

/** True when it was made; false when it has failed and all is as before. */
async function execute(scope: Scope, proposal: ClaimedProposal): Promise<boolean> {
  const read = changeSchema.safeParse({ type: proposal.type, payload: proposal.payload });
  if (!read.success) return fail(scope, proposal, "unreadable");
  const problem = changeProblem(read.data);
  if (problem) return fail(scope, proposal, problem);
  return read.data.type === "strategy_adjust"
    ? executeStrategies(scope, proposal, read.data)
    : executeFiles(scope, proposal, read.data);
}

/** The set of strategies is ours: one transaction, and nothing can be half done. */
async function executeStrategies(
  scope: Scope,
  proposal: ClaimedProposal,
  { payload }: Extract<Change, { type: "strategy_adjust" }>,
): Promise<boolean> {
  const standing = await readStrategies(scope);
  const planned = planStrategies(payload, standing.strategies);
  if (!planned.ok) return fail(scope, proposal, planned.clash);
  return inTransaction(scope.db, async (tx) => {
    if (!(await finish(tx, scope, proposal))) return false;
    const put = await putStrategies(tx, scope, { strategies: planned.next, because: proposal.id });
    const before = { version: standing.version, strategies: standing.strategies };
    await keepSnapshot(tx, scope, proposal, {
      before,
      beforeHash: `strategies-${standing.version}`,
      afterHash: `strategies-${put.version}`,
    });
    return true;
  });
}

async function executeFiles(scope: Scope, proposal: ClaimedProposal, change: FileChange): Promise<boolean> {
  const target = targetOf(change);
  const context = { proposalId: proposal.id, limits: await scope.files.memoryLimits() };
  const standing = await scope.files.read(target);
  const standingHash = hashState(standing);
  const begun = await readSnapshot(scope, proposal.id);
  if (begun && standingHash === begun.afterHash) {
    // An earlier claimer wrote it and died before the books were closed.
    return inTransaction(scope.db, (tx) => finish(tx, scope, proposal));
  }
  if (begun && standingHash !== begun.beforeHash) return fail(scope, proposal, "changed_since");
  const planned = planChange(change, standing, context);
  if (!planned.ok) return fail(scope, proposal, planned.clash);
  const afterHash = hashState(planned.next);
  if (afterHash === standingHash) return fail(scope, proposal, "no_change");
  const snapshot = { before: standing, beforeHash: standingHash, afterHash };
  // Kept before anything is written: from here on the change can be told apart and taken back.
  await inTransaction(scope.db, (tx) => keepSnapshot(tx, scope, proposal, snapshot));
  await scope.files.write(target, planned.next, standingHash);
  const written = hashState(await scope.files.read(target));
  if (written !== afterHash) {
    if (written !== standingHash) await scope.files.write(target, standing, written);
    return fail(scope, proposal, "not_verified");
  }
  return inTransaction(scope.db, (tx) => finish(tx, scope, proposal));
}

/** Executed, and its trial begins. False when the row is no longer ours: then another claimer closes the books. */
async function finish(tx: Tx, scope: Scope, proposal: ClaimedProposal): Promise<boolean> {
  const now = scope.clock.now();
  const { count } = await tx.evolutionProposal.updateMany({
    where: { ...heldBy(scope, proposal), status: "approved" },
    data: {
      status: "executed",
      executedAt: now,
      because: null,
      revertedBy: null,
      leaseUntil: null,
      attempts: 0,
      revision: { increment: 1 },
      updatedAt: now,
    },
  });
  if (count === 0) return false;
  await openUnit(tx, scope, proposal);
  await recordAudit(tx, scope, {
    who: EXECUTOR,
    what: "proposal.execute",
    subject: { kind: "proposal", id: proposal.id },
    after: { status: "executed", approvedBy: proposal.decidedBy },
  });
  await touchProposal(tx, scope, proposal);
  return true;
}

/** All is as it was before; a person is told why. Always false, for its callers. */
async function fail(scope: Scope, proposal: ClaimedProposal, because: FailedBecause): Promise<false> {
  const now = scope.clock.now();
  await inTransaction(scope.db, async (tx) => {
    const { count } = await tx.evolutionProposal.updateMany({
      where: { ...heldBy(scope, proposal), status: "approved" },
      data: { status: "failed", because, leaseUntil: null, attempts: 0, revision: { increment: 1 }, updatedAt: now },
    });
    if (count === 0) return;
    await tx.changeSnapshot.deleteMany({ where: { proposalId: proposal.id, agentId: scope.agent.id } });
    await recordAudit(tx, scope, {
      who: EXECUTOR,
      what: "proposal.fail",
      subject: { kind: "proposal", id: proposal.id },
      after: { status: "failed", because },
    });
    await touchProposal(tx, scope, proposal);
    await tellOwners(tx, scope, { kind: "proposal", id: proposal.id }, `failed ${proposal.revision}`);
  });
  return false;
}

interface KeptSnapshot {
  before: object;
  beforeHash: string;
  afterHash: string;
}

async function keepSnapshot(tx: Tx, scope: Scope, { id }: { id: string }, kept: KeptSnapshot): Promise<void> {
  const data = {
    before: jsonColumn(Array.isArray(kept.before) ? [...kept.before] : kept.before),
    beforeHash: kept.beforeHash,
    afterHash: kept.afterHash,
    takenAt: scope.clock.now(),
  };
  await tx.changeSnapshot.upsert({
    where: { proposalId: id },
    update: data,
    create: { proposalId: id, agentId: scope.agent.id, ...data },
  });
}

/** What stood at a file target before, as it was kept. */
export async function readSnapshot(
  scope: Scope,
  proposalId: string,
): Promise<{ before: TargetState; beforeHash: string; afterHash: string } | undefined> {
  const row = await scope.db.changeSnapshot.findFirst({ where: { proposalId, agentId: scope.agent.id } });
  const before = targetStateSchema.safeParse(row?.before);
  return row && before.success
    ? { before: before.data, beforeHash: row.beforeHash, afterHash: row.afterHash }
    : undefined;
}
