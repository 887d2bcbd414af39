import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Database, type Db, inTransaction, openDb } from "../../src/engine/db.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { SqliteAdapterFactory } from "../../src/engine/sqlite-adapter.ts";
import { PrismaClient } from "../../src/generated/sqlite/client.ts";
import { otherProcess } from "../helpers/other-process.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const AT = new Date("2026-11-30T09:00:00Z");
const person = (id: string) => ({ id, agentId: "a", openId: `ou_${id}`, role: "member", createdAt: AT });
const idsIn = async (db: Db): Promise<string[]> =>
  (await db.person.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);

let test: TestDb;
let db: Db;
let others: Database[] = [];
beforeEach(async () => {
  test = await openTestDb();
  db = test.db;
});
afterEach(async () => {
  for (const other of others) await other.close();
  others = [];
  await test.release();
});
const impatient = async (busyTimeoutMs: number): Promise<Db> => {
  const other = await openDb(test.url, { busyTimeoutMs });
  others.push(other);
  return other.db;
};

describe("several processes on one file", () => {
  it("three of them lose none of 180 read-modify-write transactions", async () => {
    await db.person.create({ data: { ...person("counter"), name: "0" } });
    const running = await Promise.all([1, 2, 3].map(() => otherProcess("increment", test.url, "60")));
    let repeats = 0;
    for (const { ended } of running) {
      const { code, output } = await ended;
      expect(code, output).toBe(0);
      repeats += Number(output);
    }
    // On a very busy machine one may wait in vain now and then; transactions that began without the lock fail by dozens.
    expect(repeats).toBeLessThan(15);
    expect((await db.person.findUniqueOrThrow({ where: { id: "counter" } })).name).toBe("180");
  });

  it("five open a fresh file at once, in WAL", async () => {
    const folder = mkdtempSync(join(tmpdir(), "herald-test-"));
    const running = await Promise.all([1, 2, 3, 4, 5].map(() => otherProcess("open", join(folder, "fresh.db"))));
    for (const { ended } of running)
      expect(await ended).toMatchObject({ code: 0, output: '[{"journal_mode":"wal"}]\n' });
    rmSync(folder, { recursive: true });
  });

  it("a lock held too long fails every kind of write with P1008, and afterwards all of them work", async () => {
    const holder = await otherProcess("hold-lock", test.url);
    await holder.line((line) => line === "held");
    const hasty = await impatient(60);
    await expect(hasty.person.create({ data: person("p") })).rejects.toMatchObject({ code: "P1008" });
    await expect(inTransaction(hasty, (tx) => tx.person.create({ data: person("p") }))).rejects.toMatchObject({
      code: "P1008",
    });
    await expect(hasty.person.updateMany({ where: { id: "p" }, data: { name: "x" } })).rejects.toMatchObject({
      code: "P1008",
    });
    holder.finish();
    await holder.ended;
    await hasty.person.create({ data: person("a") });
    await inTransaction(hasty, (tx) => tx.person.create({ data: person("b") }));
    expect(await idsIn(db)).toEqual(["a", "b"]);
  });

  it("a lock freed in time is waited for, and the event loop keeps turning meanwhile", async () => {
    const holder = await otherProcess("hold-lock", test.url);
    await holder.line((line) => line === "held");
    await db.person.count();
    const turns = countTurns();
    const writing = Promise.all([
      db.person.create({ data: person("a") }),
      inTransaction(db, (tx) => tx.person.create({ data: person("b") })),
    ]);
    await setTimeout(400);
    expect(turns.stop()).toBeGreaterThan(8);
    holder.finish();
    await writing;
    expect(await idsIn(db)).toEqual(["a", "b"]);
  });

  it("after kill -9 every acknowledged write is there, no half transaction, and the file is sound", async () => {
    for (const prefix of ["a", "b", "c"]) {
      const writer = await otherProcess("write-forever", test.url, prefix);
      await writer.line((line) => line === `${prefix}40-single`);
      writer.kill("SIGKILL");
      await writer.ended;
      const ids = new Set(await idsIn(db));
      expect(writer.lines.filter((id) => !ids.has(id))).toEqual([]);
      for (const id of ids) if (id.endsWith("-left")) expect(ids).toContain(id.replace("-left", "-right"));
    }
    expect(await db.$queryRaw`PRAGMA integrity_check`).toEqual([{ integrity_check: "ok" }]);
  });
});

describe("a COMMIT that fails", () => {
  it("busy, it leaves the connection usable and later writes kept", async () => {
    const client = new PrismaClient({
      adapter: new SqliteAdapterFactory({ path: test.url, journalMode: "DELETE", busyTimeoutMs: 60 }),
    });
    await client.person.create({ data: person("a") });
    const { DatabaseSync } = loadSqlite();
    const reader = new DatabaseSync(test.url);
    reader.exec("BEGIN; SELECT * FROM Person");
    reader.prepare("SELECT count(*) FROM Person").all();
    await expect(client.$transaction((tx) => tx.person.create({ data: person("b") }))).rejects.toThrow();
    reader.exec("COMMIT");
    reader.close();
    await client.$transaction((tx) => tx.person.create({ data: person("c") }));
    await client.person.create({ data: person("d") });
    expect(await idsIn(client)).toEqual(["a", "c", "d"]);
    await client.$disconnect();
  });

  it("for a broken key that was deferred, it rolls all of it back", async () => {
    await db.$executeRawUnsafe("CREATE TABLE parent (id INTEGER PRIMARY KEY)");
    await db.$executeRawUnsafe(
      "CREATE TABLE child (parent INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)",
    );
    const failing = inTransaction(db, async (tx) => {
      await tx.person.create({ data: person("p") });
      await tx.$executeRawUnsafe("INSERT INTO child VALUES (7)");
    });
    await expect(failing).rejects.toThrow();
    expect(await db.person.count()).toBe(0);
    await db.person.create({ data: person("after") });
  });
});

describe("a transaction that ends in another way", () => {
  it("rolled back by SQLite itself, it takes no further statement and leaves nothing", async () => {
    await db.$executeRawUnsafe(
      `CREATE TRIGGER refuse BEFORE INSERT ON Person WHEN NEW.id = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'no'); END`,
    );
    const failing = inTransaction(db, async (tx) => {
      await tx.person.create({ data: person("before") });
      await tx.person.create({ data: person("bad") }).catch(() => undefined);
      await tx.person.create({ data: person("after") });
    });
    await expect(failing).rejects.toThrow();
    expect(await idsIn(db)).toEqual([]);
    await db.person.create({ data: person("next") });
  });

  it("late use of an ended transaction is an error and writes nothing", async () => {
    let late: Db | undefined;
    await inTransaction(db, async (tx) => {
      late = tx;
    });
    await expect(late?.person.create({ data: person("late") })).rejects.toThrow();
    expect(await db.person.count()).toBe(0);
  });

  it("closed under way, it frees the lock for other processes", async () => {
    const other = await openDb(test.url);
    const running = inTransaction(other.db, async (tx) => {
      await tx.person.create({ data: person("p") });
      await other.close();
      await setTimeout(50);
      await tx.person.create({ data: person("q") });
    });
    await expect(running).rejects.toThrow();
    const asked = await otherProcess("try-lock", test.url);
    expect((await asked.ended).output).toBe("free\n");
    expect(await db.person.count()).toBe(0);
  });

  it("out of time, its lock is freed and the next one runs", async () => {
    const client = new PrismaClient({
      adapter: new SqliteAdapterFactory({ path: test.url }),
      transactionOptions: { maxWait: 2000, timeout: 100 },
    });
    const slow = client.$transaction(async (tx) => {
      await tx.person.create({ data: person("slow") });
      await setTimeout(250);
      await tx.person.create({ data: person("slow-2") });
    });
    await expect(slow).rejects.toMatchObject({ code: "P2028" });
    await client.$transaction((tx) => tx.person.create({ data: person("next") }));
    expect(await idsIn(db)).toEqual(["next"]);
    await client.$disconnect();
  });

  it("a script that fails half way leaves no transaction open", async () => {
    const adapter = await new SqliteAdapterFactory({ path: test.url }).connect();
    await expect(
      adapter.executeScript("BEGIN; CREATE TABLE x (a); INSERT INTO missing VALUES (1); COMMIT"),
    ).rejects.toThrow();
    await db.person.create({ data: person("p") });
    const tables = await adapter.queryRaw({
      sql: "SELECT name FROM sqlite_master WHERE name = 'x'",
      args: [],
      argTypes: [],
    });
    expect(tables.rows).toEqual([]);
    await adapter.dispose();
  });
});

describe("a connection that lives long", () => {
  it("keeps its pragmas after transactions", async () => {
    await inTransaction(db, (tx) => tx.person.create({ data: person("p") }));
    await inTransaction(db, async () => Promise.reject(new Error("back"))).catch(() => undefined);
    expect(await db.$queryRaw`PRAGMA foreign_keys`).toEqual([{ foreign_keys: 1n }]);
    expect(await db.$queryRaw`PRAGMA synchronous`).toEqual([{ synchronous: 1n }]);
    expect(await db.$queryRaw`PRAGMA journal_mode`).toEqual([{ journal_mode: "wal" }]);
  });

  it("closed, has all it knows in the one file", async () => {
    const other = await openDb(test.url);
    await other.db.person.create({ data: person("p") });
    await other.close();
    const wal = `${test.url}-wal`;
    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
  });

  it("opens no more files after 1000 transactions", async () => {
    const open = (): number => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
    await db.person.create({ data: { ...person("p"), name: "0" } });
    const before = open();
    for (let i = 0; i < 1000; i++) {
      await inTransaction(db, (tx) => tx.person.update({ where: { id: "p" }, data: { name: String(i) } }));
    }
    expect(open()).toBeLessThanOrEqual(before + 3);
  });

  it("gives timers and sockets their turn during 2000 queries in a row", async () => {
    await db.person.create({ data: person("p") });
    const turns = countTurns();
    for (let i = 0; i < 2000; i++) await db.person.findUnique({ where: { id: "p" } });
    expect(turns.stop()).toBeGreaterThan(20);
  });
});

/** Counts how often timers get their turn: not at all while something blocks the event loop. */
function countTurns(): { stop: () => number } {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return turns;
    },
  };
}
