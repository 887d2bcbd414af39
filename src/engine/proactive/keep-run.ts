import { inTransaction, runStatement, type Tx } from "../db.ts";
import { jsonColumn, jsonText } from "../json-column.ts";
import { statusesBefore } from "../lifecycle.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { Scope } from "../scope.ts";
import { sql } from "../sql.ts";
import { takeTurns } from "../take-turns.ts";
import { closeHandedOver, isHandedOver } from "./own-turn.ts";
import type { ConversationWindow } from "./read-window.ts";
import type { Documents } from "./render-context.ts";
import { type Candidate, checkpointLifecycle, type TickReason } from "./run.ts";
import { leaseRun, runIsLive } from "./run-lease.ts";
import { rememberSeen } from "./seen-messages.ts";

/**
 * Stage 2 starts: the checkpoint, `pending`, with what it has read and the documents of stage 1, in one transaction. False,
 * and nothing is written, when another tick has begun a run since this one superseded what was left over.
 */
export async function beginRun(
  scope: Scope,
  run: { runId: string; reason: TickReason; startedAt: Date; window: ConversationWindow; documents: Documents },
): Promise<boolean> {
  const { window } = run;
  return inTransaction(scope.db, async (tx) => {
    await takeTurns(tx, scope, "commit-run");
    const other = await tx.checkpoint.findFirst({
      where: { agentId: scope.agent.id, status: "pending" },
      select: { runId: true },
    });
    if (other) return false;
    await tx.checkpoint.create({
      data: {
        runId: run.runId,
        agentId: scope.agent.id,
        windowStart: window.window.start,
        windowEnd: window.window.end,
        cursorStart: jsonColumn(window.cursorStart),
        cursorEnd: jsonColumn(window.cursorEnd),
        lastMessageId: window.lastMessageId ?? null,
        status: "pending",
        reason: run.reason,
        counts: jsonColumn({}),
        startedAt: run.startedAt,
      },
      select: { runId: true },
    });
    await leaseRun(tx, scope);
    await rememberSeen(tx, scope, run.runId, window.seen);
    await putDocuments(tx, scope, run.runId, run.documents);
    return true;
  });
}

/** Stage 2 ends: the candidates, numbered and undecided, and the documents that came with them. */
export async function keepCandidates(
  scope: Scope,
  run: {
    runId: string;
    extractor: "model" | "rules";
    candidates: readonly Candidate[];
    documents: Documents;
  },
): Promise<void> {
  const agentId = scope.agent.id;
  await inTransaction(scope.db, async (tx) => {
    await tx.checkpoint.updateMany({
      where: { runId: run.runId, agentId, status: "pending" },
      data: { extractor: run.extractor },
    });
    for (const candidate of run.candidates) {
      const { index, kind, matterKind, goalId, title, whyNow, draft, evidence } = candidate;
      await runStatement(
        tx,
        sql`INSERT INTO "Candidate"
          ("agentId", "runId", "index", "kind", "matterKind", "goalId", "title", "whyNow", "draft", "evidence")
          VALUES (${agentId}, ${run.runId}, ${index}, ${kind}, ${matterKind}, ${goalId}, ${title}, ${whyNow}, ${draft},
            ${jsonText(evidence)})`,
      );
    }
    await putDocuments(tx, scope, run.runId, run.documents);
  });
}

/**
 * Only `committed` moves the watermark: what a run left behind, whyever, is read again by the next.
 * @returns how many were left over; "live" when one is still being worked on, which is left alone
 */
export async function supersedeLeftOvers(scope: Scope): Promise<number | "live"> {
  const where = { agentId: scope.agent.id, status: { in: statusesBefore(checkpointLifecycle, "commit") } };
  // Asked first, so that a quiet tick writes nothing.
  if ((await scope.db.checkpoint.count({ where })) === 0) return 0;
  if ((await runIsLive(scope)) || (await isHandedOver(scope))) return "live";
  const { count } = await scope.db.checkpoint.updateMany({
    where,
    data: { status: "superseded", outcome: "superseded", settledAt: scope.clock.now() },
  });
  await closeHandedOver(scope);
  return count;
}

/** The run ends as failed: superseded, with why. Nothing of its window counts as read. */
export async function failRun(scope: Scope, runId: string, error: unknown): Promise<void> {
  await scope.db.checkpoint.updateMany({
    where: { runId, agentId: scope.agent.id, status: { in: statusesBefore(checkpointLifecycle, "commit") } },
    data: {
      status: "superseded",
      outcome: "failed",
      error: maskSecrets(error instanceof Error ? error.message : String(error)).slice(0, 500),
      settledAt: scope.clock.now(),
    },
  });
}

/** The run's place was taken by another one: nothing went wrong, and nothing of its window counts as read. */
export async function giveWay(scope: Scope, runId: string): Promise<void> {
  await scope.db.checkpoint.updateMany({
    where: { runId, agentId: scope.agent.id, status: { in: statusesBefore(checkpointLifecycle, "commit") } },
    data: { status: "superseded", outcome: "superseded", settledAt: scope.clock.now() },
  });
}

/** Runs that failed since the last one that was committed. */
export async function countFailures(scope: Scope, lastJudgedAt: Date | undefined): Promise<number> {
  return scope.db.checkpoint.count({
    where: {
      agentId: scope.agent.id,
      status: "superseded",
      outcome: "failed",
      ...(lastJudgedAt && { startedAt: { gt: lastJudgedAt } }),
    },
  });
}

async function putDocuments(tx: Tx, scope: Scope, runId: string, documents: Documents): Promise<void> {
  const createdAt = scope.clock.now();
  for (const [name, content] of Object.entries(documents)) {
    await runStatement(
      tx,
      sql`INSERT INTO "RunDocument" ("agentId", "runId", "name", "content", "createdAt")
        VALUES (${scope.agent.id}, ${runId}, ${name}, ${content}, ${createdAt})
        ON CONFLICT ("runId", "name") DO UPDATE SET "content" = excluded."content", "createdAt" = excluded."createdAt"`,
    );
  }
}
