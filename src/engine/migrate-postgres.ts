import { randomUUID } from "node:crypto";
import pg from "pg";
import {
  type AppliedMigration,
  type MigrateOptions,
  type MigrateResult,
  type Migration,
  pendingMigrations,
} from "./migrate.ts";

/** The key Prisma Migrate itself locks with, so that the two never run at once. */
const LOCK_KEY = 72_707_369;

const RECORD_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/**
 * Applies what is pending to a PostgreSQL database, each migration in a transaction of its own. Backups are left to the
 * server's own means.
 */
export async function migratePostgres(
  url: string,
  all: readonly Migration[],
  options: MigrateOptions,
): Promise<MigrateResult> {
  // One client and no pool: the lock belongs to the session and goes with it, even when the process dies.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK_KEY]);
    const pending = pendingMigrations(all, await appliedIn(client));
    if (pending.length > 0) await client.query(RECORD_TABLE);
    for (const migration of pending) {
      await client.query("BEGIN");
      try {
        await client.query(migration.sql);
        await client.query(
          `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count") VALUES ($1, $2, $3, $4, $4, 1)`,
          [randomUUID(), migration.checksum, migration.name, options.now],
        );
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      }
    }
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}

async function appliedIn(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  );
  if (!tables.some(({ name }) => name === "_prisma_migrations")) {
    if (tables.length === 0) return [];
    throw new Error(
      "The PostgreSQL database of DATABASE_URL holds tables of something else. Expected an empty database of Herald's own.",
    );
  }
  const { rows } = await client.query<AppliedMigration>(
    `SELECT "migration_name" AS "name", "checksum", "finished_at" IS NOT NULL AS "finished", "rolled_back_at" IS NOT NULL AS "rolledBack" FROM "_prisma_migrations"`,
  );
  return rows;
}
