import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { loadSqlite } from "../engine/load-sqlite.ts";

/** The ledger keeps a thousand rows; the newest of them say what has become of each job. */
const MOST_ROWS = 500;
const BUSY_TIMEOUT_MS = 200;

const rowSchema = z.object({
  job_id: z.string(),
  delivery_outcome: z.string().nullish().catch(undefined),
  error: z.string().nullish().catch(undefined),
  at: z.union([z.number(), z.string()]).nullish().catch(undefined),
});

export interface Undelivered {
  jobId: string;
  error?: string;
  at?: Date;
}

/**
 * Jobs whose latest run in the ledger of newer Hermes (`cron/executions.db`) did not arrive: one-time jobs stand there when
 * `jobs.json` has forgotten them. Read only; a Hermes without the ledger, or with another one, has none.
 * @throws when the file is damaged or locked
 */
export function undeliveredExecutions(home: string): readonly Undelivered[] {
  const path = join(home, "cron", "executions.db");
  if (!existsSync(path)) return [];
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const columns = new Set(
      (db.prepare("PRAGMA table_info(executions)").all() as { name: string }[]).map(({ name }) => name),
    );
    if (!columns.has("job_id") || !columns.has("delivery_outcome")) return [];
    const at = ["finished_at", "claimed_at"].find((name) => columns.has(name));
    const rows = db
      .prepare(
        `SELECT job_id, delivery_outcome, ${columns.has("error") ? "error" : "NULL AS error"}, ${at ?? "NULL"} AS at
         FROM executions WHERE delivery_outcome IS NOT NULL ORDER BY rowid DESC LIMIT ${MOST_ROWS}`,
      )
      .all();
    const latest = new Map<string, Undelivered & { failed: boolean }>();
    for (const raw of rows) {
      const row = rowSchema.safeParse(raw).data;
      if (row === undefined || latest.has(row.job_id)) continue;
      const when = instant(row.at);
      latest.set(row.job_id, {
        jobId: row.job_id,
        failed: /fail|undeliver/i.test(row.delivery_outcome ?? ""),
        ...(row.error && { error: row.error }),
        ...(when && { at: when }),
      });
    }
    return [...latest.values()].filter(({ failed }) => failed).map(({ failed: _, ...each }) => each);
  } finally {
    db.close();
  }
}

/** Seconds since 1970, or ISO text. */
function instant(value: number | string | null | undefined): Date | undefined {
  if (value === null || value === undefined) return undefined;
  const at = new Date(typeof value === "number" ? value * 1000 : value);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
