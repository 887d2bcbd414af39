import { inTransaction, runStatement } from "../db.ts";
import { jsonText } from "../json-column.ts";
import type { Scope } from "../scope.ts";
import { list, sql, tuples } from "../sql.ts";
import type { Quality } from "./quality.ts";
import type { SessionFacts } from "./session-facts.ts";

export interface ScoredSession {
  facts: SessionFacts;
  quality: Quality;
}

/**
 * Keeps the scores of some sessions of a date, and the signals found in them, in place of those of an earlier run. Three
 * statements whatever the number of sessions; at most a few hundred at once.
 */
export async function storeScores(scope: Scope, date: string, scored: readonly ScoredSession[]): Promise<void> {
  if (scored.length === 0) return;
  const agentId = scope.agent.id;
  const scores = scored.map(({ facts, quality }) => [
    agentId,
    facts.id,
    date,
    facts.startedAt,
    quality.composite,
    quality.completion,
    quality.efficiency,
    quality.cost,
    quality.satisfaction,
    facts.category,
    facts.model ?? null,
    facts.source,
    facts.outcome,
    facts.iterations,
    facts.calls.length,
    facts.turns,
  ]);
  const signals = scored.flatMap(({ facts }) => signalRows(agentId, facts));
  await inTransaction(scope.db, async (tx) => {
    await runStatement(
      tx,
      sql`INSERT INTO "SessionScore" ("agentId", "sessionId", "date", "startedAt", "composite", "completionRate",
          "efficiencyScore", "costEfficiency", "satisfactionProxy", "taskCategory", "model", "platform", "outcome",
          "iterations", "toolCalls", "turns")
        VALUES ${tuples(scores)}
        ON CONFLICT ("agentId", "sessionId") DO UPDATE SET "date" = excluded."date", "startedAt" = excluded."startedAt",
          "composite" = excluded."composite", "completionRate" = excluded."completionRate",
          "efficiencyScore" = excluded."efficiencyScore", "costEfficiency" = excluded."costEfficiency",
          "satisfactionProxy" = excluded."satisfactionProxy", "taskCategory" = excluded."taskCategory",
          "model" = excluded."model", "platform" = excluded."platform", "outcome" = excluded."outcome",
          "iterations" = excluded."iterations", "toolCalls" = excluded."toolCalls", "turns" = excluded."turns"`,
    );
    await runStatement(
      tx,
      sql`DELETE FROM "OutcomeSignal" WHERE "agentId" = ${agentId} AND "source" = 'history'
        AND "sessionId" IN (${list(scored.map(({ facts }) => facts.id))})`,
    );
    if (signals.length === 0) return;
    await runStatement(
      tx,
      sql`INSERT INTO "OutcomeSignal" ("agentId", "source", "sessionId", "origin", "signalType", "value", "metadata", "at")
        VALUES ${tuples(signals)}`,
    );
  });
}

function signalRows(agentId: string, { id, signals, said, startedAt }: SessionFacts): (string | number | Date)[][] {
  return (["corrections", "frustration", "thanks"] as const).flatMap((kind) =>
    signals[kind].map((messageId) => [
      agentId,
      "history",
      id,
      "person",
      kind === "corrections" ? "correction" : kind,
      1,
      jsonText({ messageId }),
      said.find((line) => line.id === messageId)?.at ?? startedAt,
    ]),
  );
}
