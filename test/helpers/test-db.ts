import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { type Database, type Db, openDb, type Provider } from "../../src/engine/db.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { migrate, readMigrations } from "../../src/engine/migrate.ts";
import { createPostgresDatabase, postgresAtHand } from "./postgres-server.ts";

export type TestDb = {
  readonly db: Db;
  readonly provider: Provider;
  /** For a second connection to the same database, as another process would have it. */
  readonly url: string;
  /** Closes the connection and removes the database. */
  release(): Promise<void>;
};

const MIGRATED_AT = new Date("2026-11-30T00:00:00Z");

/** A fresh, migrated SQLite file of its own. Call `release` at the end of the test. */
export async function openTestDb(): Promise<TestDb> {
  const folder = mkdtempSync(join(tmpdir(), "herald-test-"));
  const path = join(folder, "herald.db");
  copyFileSync(await template(), path);
  const database = await openDb(path);
  return testDb(database, path, async () => rmSync(folder, { recursive: true, force: true }));
}

/** A fresh, migrated PostgreSQL database of its own, on TEST_POSTGRES_URL or on a server this run starts. */
export async function openTestPostgres(): Promise<TestDb> {
  const { url, drop } = await createPostgresDatabase();
  return testDb(await openDb(url), url, drop);
}

function testDb(database: Database, url: string, remove: () => Promise<void>): TestDb {
  const release = async (): Promise<void> => {
    await database.close();
    await remove();
  };
  return { db: database.db, provider: database.provider, url, release };
}

/**
 * The same tests on SQLite and on PostgreSQL. Where no PostgreSQL is at hand, one line on the console says that its
 * half was left out.
 */
export function describeBothDatabases(name: string, tests: (open: () => Promise<TestDb>, on: Provider) => void): void {
  describe(`${name} (SQLite)`, () => tests(openTestDb, "sqlite"));
  if (postgresAtHand()) describe(`${name} (PostgreSQL)`, () => tests(openTestPostgres, "postgresql"));
  else process.stderr.write(`left out: "${name}" on PostgreSQL (no TEST_POSTGRES_URL and no postgres binary found)\n`);
}

/** A migrated file to copy, made once for each state of the migrations. */
async function template(): Promise<string> {
  const state = createHash("sha256")
    .update(JSON.stringify(readMigrations("sqlite")))
    .digest("hex")
    .slice(0, 16);
  const path = join(tmpdir(), `herald-test-template-${state}.db`);
  if (existsSync(path)) return path;
  const folder = mkdtempSync(join(tmpdir(), "herald-test-"));
  const unfinished = join(folder, "template.db");
  loadSqlite();
  await migrate(unfinished, { now: MIGRATED_AT });
  renameSync(unfinished, path);
  rmSync(folder, { recursive: true, force: true });
  return path;
}
