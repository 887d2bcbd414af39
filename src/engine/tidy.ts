import { tidyChat } from "./chat/tidy-chat.ts";
import { tidyInbox } from "./inbox/tidy-inbox.ts";
import type { Scope } from "./scope.ts";
import { readSettings } from "./settings.ts";

/** Runs of jobs are kept for /status and for questions about last week. */
export const KEEP_JOB_RUNS_DAYS = 14;
/** What rewrites of history must not show again: rewrites go back days, not months. */
export const KEEP_SEEN_DAYS = 90;
export const KEEP_MODEL_CALLS_DAYS = 90;
/** What was said to Hermes and what it asked: long enough to quote and to try again; Hermes keeps its own sessions. */
export const KEEP_TURNS_DAYS = 90;
/** Calls, turns and signals of Hermes: what is compared reaches back weeks. */
export const KEEP_TELEMETRY_DAYS = 90;
/** The plugin repeats a batch for minutes, not days. */
export const KEEP_BATCHES_DAYS = 3;
/** Whose session an own turn was: reading back reaches no further than this, and a rewrite of history neither. */
export const KEEP_OWN_TURNS_DAYS = 90;
/** What went to Hermes' gateway and came from it, once both sides have settled it. */
export const KEEP_GATEWAY_DAYS = 14;

/** Deleted per statement, so that other work gets its turn on SQLite. */
const BATCH = 500;
/** Statements per table and run: what is left waits for the next one. */
const MOST_BATCHES = 40;

export type Tidied = Record<
  "documents" | "events" | "jobRuns" | "seen" | "modelCalls" | "telemetry" | "gateway" | "chat" | "ownTurns",
  number
>;

/**
 * Forgets what is past its time: documents by the setting, handled events after two days, the rest by the constants here.
 * Telemetry after 90 days.
 * The audit, matters, decisions and deliveries stay for ever.
 */
export async function tidy(scope: Scope, stop?: AbortSignal): Promise<Tidied> {
  const { documentDays } = await readSettings(scope);
  const agentId = scope.agent.id;
  const before = (days: number): Date => new Date(scope.clock.now().getTime() - days * 86_400_000);
  const { db } = scope;
  const count = async (deleted: Promise<{ count: number }>): Promise<number> => (await deleted).count;
  return {
    documents: await inBatches(stop, () =>
      count(db.runDocument.deleteMany({ where: { agentId, createdAt: { lt: before(documentDays) } }, limit: BATCH })),
    ),
    events: await inBatches(stop, () => tidyInbox(scope, BATCH)),
    jobRuns: await inBatches(stop, () =>
      count(
        db.jobRun.deleteMany({
          where: { agentId, outcome: { not: null }, slotAt: { lt: before(KEEP_JOB_RUNS_DAYS) } },
          limit: BATCH,
        }),
      ),
    ),
    seen: await tidySeen(scope, before(KEEP_SEEN_DAYS), stop),
    modelCalls: await inBatches(stop, () =>
      count(db.modelCall.deleteMany({ where: { agentId, at: { lt: before(KEEP_MODEL_CALLS_DAYS) } }, limit: BATCH })),
    ),
    chat: await inBatches(stop, () => tidyChat(scope, before(KEEP_TURNS_DAYS), BATCH)),
    // One that was never ended fell to a crash; after so long it is as old as the others.
    ownTurns: await inBatches(stop, () =>
      count(
        db.ownTurn.deleteMany({ where: { agentId, startedAt: { lt: before(KEEP_OWN_TURNS_DAYS) } }, limit: BATCH }),
      ),
    ),
    telemetry: await tidyTelemetry(scope, before, stop),
    gateway: await tidyGateway(scope, before(KEEP_GATEWAY_DAYS), stop),
  };
}

/** Not the latest turn of a conversation: by it the next one knows in which session it goes on. */
async function tidyGateway(scope: Scope, before: Date, stop: AbortSignal | undefined): Promise<number> {
  const { db } = scope;
  const agentId = scope.agent.id;
  const latest = await db.gatewayTurn.groupBy({ by: ["sessionKey"], where: { agentId }, _max: { createdAt: true } });
  const kept = latest.flatMap((each) => (each._max.createdAt === null ? [] : [each._max.createdAt]));
  const steps: (() => Promise<{ count: number }>)[] = [
    () =>
      db.gatewayOrder.deleteMany({
        where: { agentId, status: { not: "waiting" }, createdAt: { lt: before } },
        limit: BATCH,
      }),
    () =>
      db.gatewayTurn.deleteMany({
        where: { agentId, endedAt: { lt: before }, createdAt: { notIn: kept } },
        limit: BATCH,
      }),
    () => db.agentMessage.deleteMany({ where: { agentId, createdAt: { lt: before } }, limit: BATCH }),
  ];
  let total = 0;
  for (const step of steps) total += await inBatches(stop, async () => (await step()).count);
  return total;
}

async function tidyTelemetry(scope: Scope, before: (days: number) => Date, stop?: AbortSignal): Promise<number> {
  const { db } = scope;
  const agentId = scope.agent.id;
  const old = { lt: before(KEEP_TELEMETRY_DAYS) };
  const steps: (() => Promise<{ count: number }>)[] = [
    () =>
      db.telemetryBatch.deleteMany({
        where: { agentId, receivedAt: { lt: before(KEEP_BATCHES_DAYS) } },
        limit: BATCH,
      }),
    () => db.toolInvocation.deleteMany({ where: { agentId, at: old }, limit: BATCH }),
    () => db.outcomeSignal.deleteMany({ where: { agentId, at: old }, limit: BATCH }),
    () => db.turnRecord.deleteMany({ where: { agentId, startedAt: old }, limit: BATCH }),
    () => db.turnRecord.deleteMany({ where: { agentId, startedAt: null, endedAt: old }, limit: BATCH }),
  ];
  let total = 0;
  for (const step of steps) total += await inBatches(stop, async () => (await step()).count);
  return total;
}

/** Runs asked for at once. */
const RUNS_AT_ONCE = 200;

/**
 * By the time of the run that last showed them, not by the time written in their rows: that may be years off, and what was
 * shown yesterday must not come back today because of it.
 */
async function tidySeen(scope: Scope, before: Date, stop: AbortSignal | undefined): Promise<number> {
  const agentId = scope.agent.id;
  let total = 0;
  let after: string | undefined;
  for (let pages = 0; pages < MOST_BATCHES && stop?.aborted !== true; pages++) {
    const withSeen = await scope.db.seenMessage.groupBy({
      by: ["runId"],
      where: { agentId, ...(after !== undefined && { runId: { gt: after } }) },
      orderBy: { runId: "asc" },
      take: RUNS_AT_ONCE,
    });
    if (withSeen.length === 0) break;
    after = withSeen.at(-1)?.runId;
    const runs = await scope.db.checkpoint.findMany({
      where: { agentId, runId: { in: withSeen.map(({ runId }) => runId) }, startedAt: { lt: before } },
      select: { runId: true },
    });
    // Ids of runs sort by time: what follows is younger.
    if (runs.length === 0) break;
    const old = runs.map(({ runId }) => runId);
    total += await inBatches(stop, async () => {
      const { count } = await scope.db.seenMessage.deleteMany({ where: { agentId, runId: { in: old } }, limit: BATCH });
      return count;
    });
  }
  return total;
}

async function inBatches(stop: AbortSignal | undefined, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let done = 0; done < MOST_BATCHES && stop?.aborted !== true; done++) {
    const deleted = await batch();
    total += deleted;
    if (deleted < BATCH) break;
  }
  return total;
}
