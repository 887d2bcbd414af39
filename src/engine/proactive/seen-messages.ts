import { readRows, runStatement, type Tx } from "../db.ts";
import type { Scope } from "../scope.ts";
import { sql, tuples } from "../sql.ts";
import { type SaidRow, type SeenRow, saidKey } from "./watermark.ts";

/** What a window found out about known and new words. Stored by `rememberSeen` in the transaction that begins its run. */
export interface SeenChanges {
  add: readonly SeenRow[];
  /** known occurrences that stand under another row id now (or, with an empty one, nowhere) */
  moved: readonly SeenRow[];
}

const columns = { lineage: true, identity: true, occurrence: true, at: true, messageId: true, runId: true } as const;
/** Keys in one question; both databases take many thousands of parameters. */
const KEYS_AT_ONCE = 250;
/** Rows in one INSERT: some hundreds of microseconds, and others get their turn. */
const ROWS_AT_ONCE = 100;

/**
 * Every occurrence of the rows' words that a committed run has shown in their lineages. In SQL of its own, because it is
 * asked for each page of the history: half a thousand keys through the client's query builder cost ten times as much.
 */
export async function findSeen(scope: Scope, rows: readonly SaidRow[]): Promise<SeenRow[]> {
  const agentId = scope.agent.id;
  const keys = [...new Map(rows.map((row) => [saidKey(row), row])).values()];
  const found: SeenRow[] = [];
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const wanted = keys.slice(start, start + KEYS_AT_ONCE).map((row) => [row.lineage, row.identity]);
    found.push(
      ...(await readRows<SeenRow>(
        scope.db,
        sql`SELECT s."lineage", s."identity", s."occurrence", s."at", s."messageId"
          FROM "SeenMessage" s JOIN "Checkpoint" c ON c."runId" = s."runId"
          WHERE s."agentId" = ${agentId} AND c."agentId" = ${agentId} AND c."status" = 'committed'
            AND (s."lineage", s."identity") IN (VALUES ${tuples(wanted)})`,
      )),
    );
  }
  return found;
}

/** Every occurrence committed runs have shown in the lineages. */
export async function findSeenOfLineages(scope: Scope, lineages: readonly string[]): Promise<SeenRow[]> {
  if (lineages.length === 0) return [];
  const rows = await scope.db.seenMessage.findMany({
    where: { agentId: scope.agent.id, lineage: { in: [...lineages] } },
    select: columns,
  });
  return ofCommittedRuns(scope, rows);
}

/**
 * Stores what a run shows as new, as the run's own. An occurrence that a superseded run had shown becomes this run's.
 * Doing it twice changes nothing.
 */
export async function rememberSeen(tx: Tx, scope: Scope, runId: string, { add, moved }: SeenChanges): Promise<void> {
  const agentId = scope.agent.id;
  for (const { lineage, identity, occurrence, messageId } of moved) {
    await runStatement(
      tx,
      sql`UPDATE "SeenMessage" SET "messageId" = ${messageId} WHERE "agentId" = ${agentId} AND "lineage" = ${lineage}
        AND "identity" = ${identity} AND "occurrence" = ${occurrence}`,
    );
  }
  for (let start = 0; start < add.length; start += ROWS_AT_ONCE) {
    const part = add.slice(start, start + ROWS_AT_ONCE);
    const values = part.map(({ lineage, identity, occurrence, at, messageId }) => [
      agentId,
      lineage,
      identity,
      occurrence,
      at,
      messageId,
      runId,
    ]);
    await runStatement(
      tx,
      sql`INSERT INTO "SeenMessage" ("agentId", "lineage", "identity", "occurrence", "at", "messageId", "runId")
        VALUES ${tuples(values)}
        ON CONFLICT ("agentId", "lineage", "identity", "occurrence")
        DO UPDATE SET "at" = excluded."at", "messageId" = excluded."messageId", "runId" = excluded."runId"`,
    );
  }
}

type Stored = SeenRow & { runId: string };

async function ofCommittedRuns(scope: Scope, rows: readonly Stored[]): Promise<SeenRow[]> {
  if (rows.length === 0) return [];
  const runs = await scope.db.checkpoint.findMany({
    where: {
      agentId: scope.agent.id,
      runId: { in: [...new Set(rows.map(({ runId }) => runId))] },
      status: "committed",
    },
    select: { runId: true },
  });
  const committed = new Set(runs.map(({ runId }) => runId));
  return rows.filter(({ runId }) => committed.has(runId));
}
