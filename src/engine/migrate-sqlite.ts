import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadSqlite, type SqliteDatabase } from "./load-sqlite.ts";
import {
  type AppliedMigration,
  type MigrateOptions,
  type MigrateResult,
  type Migration,
  pendingMigrations,
} from "./migrate.ts";

/** How long a process waits for another one that is migrating the same file. */
const WAIT_MS = 30_000;
const BACKUPS_KEPT = 5;
const BACKUP_NAME = /^before-\d{14}_.+\.db$/;

/** Prisma's own table, so that its tools would understand the file. */
const RECORD_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL,
  "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;

/** Applies what is pending to one SQLite file on a connection of its own, all in one transaction. */
export function migrateSqlite(path: string, all: readonly Migration[], options: MigrateOptions): MigrateResult {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const { DatabaseSync } = loadSqlite(options.driver);
  const db = new DatabaseSync(path, { timeout: WAIT_MS });
  try {
    // Off before BEGIN (inside it is ignored): else a rebuilt table's DROP would delete the rows that point at it.
    db.exec("PRAGMA foreign_keys = OFF");
    db.exec("BEGIN IMMEDIATE");
    const pending = pendingMigrations(all, appliedIn(db, path));
    const backup = pending[0] && hasTables(db) ? backUp(path, pending[0], options) : undefined;
    db.exec(RECORD_TABLE);
    for (const migration of pending) {
      db.exec(migration.sql);
      db.prepare(
        `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count") VALUES (?, ?, ?, ?, ?, 1)`,
      ).run(
        randomUUID(),
        migration.checksum,
        migration.name,
        BigInt(options.now.getTime()),
        BigInt(options.now.getTime()),
      );
    }
    if (pending.length > 0) assertKeysIntact(db);
    db.exec("COMMIT");
    return { applied: pending.map(({ name }) => name), ...(backup ? { backup } : {}) };
  } finally {
    // The prebuilt driver keeps the lock of an open transaction even after close.
    if (db.isTransaction) db.exec("ROLLBACK");
    db.close();
  }
}

function hasTables(db: SqliteDatabase): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1`).get() !== undefined;
}

function appliedIn(db: SqliteDatabase, path: string): AppliedMigration[] {
  const record = db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'`).get();
  if (!record) {
    if (hasTables(db)) {
      throw new Error(
        `${path} is an SQLite file of something else: it holds tables but no record of Herald's migrations. Expected a new path or Herald's own file, for example DATABASE_URL=file:./data/herald.db`,
      );
    }
    return [];
  }
  const rows = db
    .prepare(
      `SELECT "migration_name" AS name, "checksum", "finished_at" IS NOT NULL AS finished, "rolled_back_at" IS NOT NULL AS rolledBack FROM "_prisma_migrations"`,
    )
    .all() as { name: string; checksum: string; finished: number; rolledBack: number }[];
  return rows.map((row) => ({ ...row, finished: row.finished === 1, rolledBack: row.rolledBack === 1 }));
}

/** Copies the file as it was before the open transaction; written under another name first, so no half copy looks whole. */
function backUp(path: string, next: Migration, options: MigrateOptions): string {
  const folder = options.backupsDir ?? join(dirname(path), "backups");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = options.now.toISOString().replace(/\D/g, "").slice(0, 14);
  const file = join(folder, `before-${next.name}-${stamp}.db`);
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  const { DatabaseSync } = loadSqlite(options.driver);
  // Another connection, which reads the committed state while ours holds the write lock.
  const reader = new DatabaseSync(path, { timeout: WAIT_MS });
  try {
    reader.prepare("VACUUM INTO ?").run(unfinished);
  } finally {
    reader.close();
  }
  renameSync(unfinished, file);
  forgetOldBackups(folder);
  return file;
}

function forgetOldBackups(folder: string): void {
  const stampOf = (name: string): string => /(\d{14})\.db$/.exec(name)?.[1] ?? "";
  const old = readdirSync(folder)
    .filter((name) => BACKUP_NAME.test(name))
    .sort((a, b) => (stampOf(a) < stampOf(b) ? 1 : -1))
    .slice(BACKUPS_KEPT);
  for (const name of old) rmSync(join(folder, name), { force: true });
}

function assertKeysIntact(db: SqliteDatabase): void {
  const broken = db.prepare("PRAGMA foreign_key_check").all().length;
  if (broken > 0) {
    throw new Error(`The migration would leave ${broken} rows that point at nothing. Nothing was changed.`);
  }
}
