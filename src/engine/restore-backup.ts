import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BackupHeader, readBackupFile } from "./backup-file.ts";
import { databasePlace } from "./db.ts";
import { loadSqlite, type SqliteDriver } from "./load-sqlite.ts";
import { postgresStanding, standingOf } from "./make-backup.ts";
import { readMigrations } from "./migrate.ts";
import { type Environment, postgresPlace, runTool } from "./run-tool.ts";

export interface RestoreParts {
  source: string;
  databaseUrl: string;
  now: Date;
  driver?: SqliteDriver | undefined;
  /** what PostgreSQL's tools find around them */
  environment: Environment;
}

/** other_database: made from the other kind · newer: made by a later version · in_use: a server has the file open. */
export type RestoreProblem = "other_database" | "newer" | "in_use" | "damaged";

export class RestoreRefused extends Error {
  readonly problem: RestoreProblem;
  readonly header: BackupHeader | undefined;

  constructor(problem: RestoreProblem, header?: BackupHeader, options?: { cause?: unknown }) {
    super(problem, options);
    this.name = "RestoreRefused";
    this.problem = problem;
    this.header = header;
  }
}

/**
 * Brings back what a backup holds. Everything is checked before anything is replaced: the file's hash, the database's own
 * integrity, its rows, and that this version knows its migrations. What stood there before is kept beside it (SQLite:
 * `replaced`), or replaced in one transaction (PostgreSQL).
 * @throws BackupRefused · RestoreRefused · ToolMissing; nothing was changed then
 */
export async function restoreBackup(parts: RestoreParts): Promise<{ header: BackupHeader; replaced?: string }> {
  const place = databasePlace(parts.databaseUrl);
  const folder = place.provider === "sqlite" ? dirname(place.path) : process.cwd();
  if (place.provider === "sqlite") mkdirSync(folder, { recursive: true });
  const unpacked = join(folder, `restore-${parts.now.getTime()}.unfinished`);
  const header = await readBackupFile(parts.source, unpacked);
  try {
    if (header.provider !== place.provider) throw new RestoreRefused("other_database", header);
    const known = new Set(readMigrations(place.provider).map(({ name }) => name));
    if (header.migrations.some((name) => !known.has(name))) throw new RestoreRefused("newer", header);
    if (place.provider === "postgresql") {
      const target = postgresPlace(parts.databaseUrl, parts.environment);
      const how = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction"];
      await runTool("pg_restore", [...how, `--dbname=${target.url}`, unpacked], target.environment);
      compare(header, await postgresStanding(parts.databaseUrl));
      return { header };
    }
    assertIntact(unpacked, header, parts.driver);
    const replaced = putInPlace(unpacked, place.path, parts);
    return { header, ...(replaced !== undefined && { replaced }) };
  } finally {
    rmSync(unpacked, { force: true });
  }
}

function assertIntact(path: string, header: BackupHeader, driver: SqliteDriver | undefined): void {
  const { DatabaseSync } = loadSqlite(driver);
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const row = db.prepare("PRAGMA integrity_check").get() as { integrity_check?: string } | undefined;
    if (row?.integrity_check !== "ok") throw new RestoreRefused("damaged", header);
  } finally {
    db.close();
  }
  compare(header, standingOf(path, driver));
}

function compare(header: BackupHeader, found: Pick<BackupHeader, "counts">): void {
  for (const [table, count] of Object.entries(header.counts)) {
    if (found.counts[table] !== count) throw new RestoreRefused("damaged", header);
  }
}

/** The file that stands there is moved aside, with its write-ahead log folded in. @returns where it is now */
function putInPlace(unpacked: string, path: string, { now, driver }: RestoreParts): string | undefined {
  let replaced: string | undefined;
  if (existsSync(path)) {
    foldLog(path, driver);
    const backups = join(dirname(path), "backups");
    mkdirSync(backups, { recursive: true, mode: 0o700 });
    replaced = join(backups, `replaced-${now.toISOString().replace(/\D/g, "").slice(0, 14)}.db`);
    renameSync(path, replaced);
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  }
  renameSync(unpacked, path);
  chmodSync(path, 0o600);
  return replaced;
}

/** @throws RestoreRefused in_use when somebody else has the file open */
function foldLog(path: string, driver: SqliteDriver | undefined): void {
  const { DatabaseSync } = loadSqlite(driver);
  const db = new DatabaseSync(path, { timeout: 1_000 });
  try {
    // Leaving the log mode needs the file for oneself alone: the surest way to learn that no server has it open.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const row = db.prepare("PRAGMA journal_mode = DELETE").get() as { journal_mode?: string } | undefined;
    if (row?.journal_mode !== "delete") throw new RestoreRefused("in_use");
  } catch (error) {
    if (error instanceof RestoreRefused) throw error;
    if (/locked|busy/i.test(error instanceof Error ? error.message : "")) {
      throw new RestoreRefused("in_use", undefined, { cause: error });
    }
    throw error;
  } finally {
    db.close();
  }
}
