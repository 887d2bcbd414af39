import { cut } from "./engine/clean-text.ts";
import { isUniqueViolation } from "./engine/db.ts";
import { JOB_LEASE_MS, leaseFrom } from "./engine/lease.ts";
import type { Scope } from "./engine/scope.ts";
import { type Job, type JobOutcome, RELEVANT_MINUTES } from "./job.ts";

/** What became of a run that was not started because the job runs already. */
export const ALREADY_RUNNING: JobOutcome = { outcome: "no_op", reason: "already_running" };

export interface HoldOptions {
  signal: AbortSignal;
  /** Calls back every so many ms, to renew the lease; returns how to end that. */
  repeat: (ms: number, act: () => void) => () => void;
}

/** A slot's row is inserted by one replica; the others find it there and leave. */
export async function runSlot(
  scope: Scope,
  job: Job,
  slot: Date,
  id: string,
  options: HoldOptions,
): Promise<JobOutcome> {
  const now = scope.clock.now();
  const leaseUntil = leaseFrom(now, JOB_LEASE_MS);
  if (await runsElsewhere(scope, job, now)) return ALREADY_RUNNING;
  try {
    await scope.db.jobRun.create({
      data: { id, agentId: scope.agent.id, job: job.name, slotAt: slot, startedAt: now, leaseUntil },
    });
  } catch (error) {
    if (isUniqueViolation(error)) return { outcome: "no_op", reason: "other_replica" };
    throw error;
  }
  return runHeld(scope, job, id, leaseUntil, options);
}

/** The run itself: the lease is renewed while it lasts, and the outcome written only if the row is still ours. */
async function runHeld(
  scope: Scope,
  job: Job,
  id: string,
  leased: Date,
  { signal, repeat }: HoldOptions,
): Promise<JobOutcome> {
  let leaseUntil = leased;
  let lost = false;
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    const next = leaseFrom(scope.clock.now(), JOB_LEASE_MS);
    const { count } = await scope.db.jobRun.updateMany({
      where: { id, leaseUntil, outcome: null },
      data: { leaseUntil: next },
    });
    if (count === 1) leaseUntil = next;
    else lost = true;
  };
  const endRenewing = repeat(JOB_LEASE_MS / 4, () => {
    renewing = renewing.then(renew).catch((error: unknown) => {
      scope.log.warn("job.lease_not_renewed", { job: job.name, id, error: String(error) });
    });
  });
  let result: JobOutcome;
  let error: string | null = null;
  try {
    result = await job.run(scope, { signal });
  } catch (thrown) {
    const ref = scope.log.incident("job.failed", thrown, { agentId: scope.agent.id, job: job.name, id });
    result = { outcome: "failed", reason: ref };
    error = cut(String(thrown), 500);
  } finally {
    endRenewing();
  }
  await renewing;
  if (lost) scope.log.warn("job.taken_over", { agentId: scope.agent.id, job: job.name, id });
  await scope.db.jobRun.updateMany({
    where: { id, leaseUntil, outcome: null },
    data: {
      outcome: result.outcome,
      reason: result.reason ?? null,
      error,
      finishedAt: scope.clock.now(),
      leaseUntil: null,
    },
  });
  return result;
}

/** A run whose holder died is taken over while its slot is still of use; later it is closed as failed. */
export async function takeOver(scope: Scope, job: Job, options: HoldOptions): Promise<JobOutcome | undefined> {
  const now = scope.clock.now();
  const orphan = await scope.db.jobRun.findFirst({
    where: {
      ...recent(scope, job, now),
      outcome: null,
      OR: [{ leaseUntil: { lte: now } }, { leaseUntil: { gt: leaseFrom(now, JOB_LEASE_MS) } }],
    },
    orderBy: { slotAt: "desc" },
  });
  if (!orphan) return undefined;
  const held = { id: orphan.id, outcome: null, leaseUntil: orphan.leaseUntil };
  const useful = now.getTime() - orphan.slotAt.getTime() < (job.relevantMinutes ?? RELEVANT_MINUTES) * 60_000;
  if (!useful) {
    await scope.db.jobRun.updateMany({
      where: held,
      data: { outcome: "failed", reason: "died", finishedAt: now, leaseUntil: null },
    });
    return undefined;
  }
  const leaseUntil = leaseFrom(now, JOB_LEASE_MS);
  const { count } = await scope.db.jobRun.updateMany({ where: held, data: { leaseUntil, startedAt: now } });
  if (count === 0) return undefined;
  scope.log.warn("job.take_over", { agentId: scope.agent.id, job: job.name, id: orphan.id });
  return runHeld(scope, job, orphan.id, leaseUntil, options);
}

async function runsElsewhere(scope: Scope, job: Job, now: Date): Promise<boolean> {
  const live = await scope.db.jobRun.findFirst({
    where: { ...recent(scope, job, now), outcome: null, leaseUntil: { gt: now, lte: leaseFrom(now, JOB_LEASE_MS) } },
    select: { id: true },
  });
  return live !== null;
}

export async function lastSlot(scope: Scope, job: Job): Promise<Date | undefined> {
  if (job.sweep) return undefined;
  // Slots that seem to lie ahead were written by a clock that was wrong: they are not believed.
  const row = await scope.db.jobRun.findFirst({
    where: {
      agentId: scope.agent.id,
      job: job.name,
      slotAt: { lte: scope.clock.now() },
      id: { not: { contains: ":asked:" } },
    },
    orderBy: { slotAt: "desc" },
    select: { slotAt: true },
  });
  return row?.slotAt;
}

/** Runs whose slot lies in the last two days: older ones are history, and the index need not walk through it each minute. */
function recent(scope: Scope, job: Job, now: Date): { agentId: string; job: string; slotAt: { gte: Date } } {
  return { agentId: scope.agent.id, job: job.name, slotAt: { gte: new Date(now.getTime() - 2 * 86_400_000) } };
}
