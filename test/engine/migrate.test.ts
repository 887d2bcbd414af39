import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "../../src/engine/db.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { type Migration, migrate, pendingMigrations, readMigrations } from "../../src/engine/migrate.ts";
import { migratePostgres } from "../../src/engine/migrate-postgres.ts";
import { migrateSqlite } from "../../src/engine/migrate-sqlite.ts";
import { otherProcess } from "../helpers/other-process.ts";
import { createPostgresDatabase, postgresAtHand } from "../helpers/postgres-server.ts";

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const NOW = new Date("2026-11-30T09:00:00Z");
const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `sum-of-${name}` });
const FIRST = migration(
  "20260101000000_first",
  "CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent(id) ON DELETE CASCADE)",
);
const REBUILD = migration(
  "20260102000000_rebuild",
  `PRAGMA foreign_keys=OFF; CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO new_parent (id) SELECT id FROM parent; DROP TABLE parent; ALTER TABLE new_parent RENAME TO parent; PRAGMA foreign_keys=ON`,
);
const BROKEN = migration("20260103000000_broken", "CREATE TABLE extra (a INTEGER); INSERT INTO missing VALUES (1)");

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "herald-test-"));
  path = join(folder, "herald.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ask(file: string, sql: string): unknown[] {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(file);
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}
function change(file: string, sql: string): void {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}
const backups = (): string[] =>
  existsSync(join(folder, "backups")) ? readdirSync(join(folder, "backups")).sort() : [];

describe("migrating an SQLite file", () => {
  it("makes a fresh file ready, needs no backup, and a second time does nothing", async () => {
    const names = readMigrations("sqlite").map(({ name }) => name);
    expect(await migrate(`file:${join(folder, "new", "herald.db")}`, { now: NOW })).toEqual({ applied: names });
    expect(await migrate(join(folder, "new", "herald.db"), { now: NOW })).toEqual({ applied: [] });
    const { db, close } = await openDb(join(folder, "new", "herald.db"));
    expect(await db.person.count()).toBe(0);
    await close();
    expect(existsSync(join(folder, "new", "backups"))).toBe(false);
  });

  it("keeps Prisma's record: id, checksum, name, times, one step", () => {
    migrateSqlite(path, [FIRST], { now: NOW });
    expect(ask(path, `SELECT * FROM "_prisma_migrations"`)).toMatchObject([
      {
        checksum: FIRST.checksum,
        migration_name: FIRST.name,
        logs: null,
        rolled_back_at: null,
        applied_steps_count: 1,
        started_at: NOW.getTime(),
        finished_at: NOW.getTime(),
      },
    ]);
    expect(readMigrations("sqlite")[0]?.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it("rebuilding a table keeps the rows that point at it", () => {
    migrateSqlite(path, [FIRST], { now: NOW });
    change(path, "INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1), (2, 1)");
    migrateSqlite(path, [FIRST, REBUILD], { now: NOW });
    expect(ask(path, "SELECT count(*) AS children FROM child")).toEqual([{ children: 2 }]);
  });

  it("copies the file first, as it was, and keeps the last five copies", () => {
    migrateSqlite(path, [FIRST], { now: NOW });
    change(path, "PRAGMA journal_mode = WAL; INSERT INTO parent VALUES (1)");
    writeFileSync(join(folder, "mine.db"), "not ours");
    const all = [FIRST];
    for (let i = 1; i <= 7; i++) {
      all.push(migration(`2026020${i}000000_step`, `CREATE TABLE step_${i} (a INTEGER)`));
      const { backup } = migrateSqlite(path, all, { now: later(i) });
      expect(ask(backup ?? "", "SELECT count(*) AS n FROM parent")).toEqual([{ n: 1 }]);
      expect(ask(backup ?? "", `SELECT name FROM sqlite_master WHERE name = 'step_${i}'`)).toEqual([]);
    }
    expect(backups()).toHaveLength(5);
    expect(backups()[0]).toContain("_step-20261130090300");
    migrateSqlite(path, all, { now: later(60) });
    expect(backups()).toHaveLength(5);
  });

  it("that fails half way leaves the file as it was", () => {
    migrateSqlite(path, [FIRST], { now: NOW });
    expect(() => migrateSqlite(path, [FIRST, REBUILD, BROKEN], { now: NOW })).toThrow(/missing/);
    expect(ask(path, "SELECT name FROM sqlite_master WHERE name IN ('extra', 'new_parent')")).toEqual([]);
    expect(ask(path, `SELECT migration_name FROM "_prisma_migrations"`)).toHaveLength(1);
    expect(migrateSqlite(path, [FIRST, REBUILD], { now: later(1) }).applied).toEqual([REBUILD.name]);
  });

  it("that would leave rows pointing at nothing is refused", () => {
    migrateSqlite(path, [FIRST], { now: NOW });
    change(path, "INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1)");
    const orphaning = migration("20260104000000_orphaning", "DELETE FROM parent");
    expect(() => migrateSqlite(path, [FIRST, orphaning], { now: NOW })).toThrow(/point at nothing/);
    expect(ask(path, "SELECT count(*) AS n FROM parent")).toEqual([{ n: 1 }]);
  });

  it("of something else is refused and not touched", () => {
    change(path, "CREATE TABLE theirs (a)");
    expect(() => migrateSqlite(path, [FIRST], { now: NOW })).toThrow(/something else/);
    expect(ask(path, "SELECT name FROM sqlite_master")).toEqual([{ name: "theirs" }]);
  });

  it("five processes at once apply each migration once and make one backup", async () => {
    const all = readMigrations("sqlite");
    const newest = all.at(-1)?.name ?? "";
    migrateSqlite(path, all.slice(0, -1), { now: NOW });
    // All of them wait for the lock at the same time.
    const holder = await otherProcess("hold-lock", path);
    await holder.line((line) => line === "held");
    const running = await Promise.all([1, 2, 3, 4, 5].map(() => otherProcess("migrate", path)));
    await Promise.all(running.map(({ line }) => line((text) => text === "ready")));
    await setTimeout(500);
    holder.finish();
    const outcomes = [];
    for (const { ended } of running) {
      const { code, output } = await ended;
      expect({ code, output }).toMatchObject({ code: 0 });
      outcomes.push(JSON.parse(output.replace("ready\n", "")) as { applied: string[]; backup?: string });
    }
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual([newest]);
    expect(outcomes.flatMap(({ backup }) => backup ?? [])).toHaveLength(1);
    expect(ask(path, `SELECT count(*) AS n FROM "_prisma_migrations"`)).toEqual([{ n: all.length }]);
  });
});

describe("what is pending", () => {
  const row = { name: FIRST.name, checksum: FIRST.checksum, finished: true, rolledBack: false };

  it("is what has no finished record, rolled back ones again", () => {
    expect(pendingMigrations([FIRST, REBUILD], [row])).toEqual([REBUILD]);
    expect(pendingMigrations([FIRST], [{ ...row, finished: false, rolledBack: true }])).toEqual([FIRST]);
  });

  it("is refused for a newer database, an edited migration and one that stopped half way", () => {
    expect(() => pendingMigrations([], [row])).toThrow(/newer than this version/);
    expect(() => pendingMigrations([FIRST], [{ ...row, checksum: "other" }])).toThrow(/not the one/);
    expect(() => pendingMigrations([FIRST], [{ ...row, finished: false }])).toThrow(/half way/);
  });
});

if (postgresAtHand()) {
  describe("migrating a PostgreSQL database", () => {
    let url: string;
    let drop: () => Promise<void>;
    beforeEach(async () => {
      ({ url, drop } = await createPostgresDatabase({ empty: true }));
    });
    afterEach(() => drop());

    it("happens once when several start at once, and a second time does nothing", async () => {
      const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(url, { now: NOW })));
      const names = readMigrations("postgresql").map(({ name }) => name);
      expect(outcomes.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 0, names.length]);
      expect(await migrate(url, { now: NOW })).toEqual({ applied: [] });
    });

    it("keeps what was applied before one that fails, and nothing of that one", async () => {
      await expect(migratePostgres(url, [FIRST, BROKEN], { now: NOW })).rejects.toThrow(/missing/);
      const fixed = { ...BROKEN, sql: "CREATE TABLE extra (a INTEGER)" };
      expect(await migratePostgres(url, [FIRST, fixed], { now: NOW })).toEqual({ applied: [BROKEN.name] });
    });

    it("of something else is refused", async () => {
      await migratePostgres(url, [FIRST], { now: NOW });
      const { db, close } = await openDb(url);
      await db.$executeRawUnsafe(`DROP TABLE "_prisma_migrations"`);
      await close();
      await expect(migrate(url, { now: NOW })).rejects.toThrow(/something else/);
    });
  });
} else process.stderr.write(`left out: migrating a PostgreSQL database (none at hand)\n`);
