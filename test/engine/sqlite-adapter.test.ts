import { type ArgType, ColumnTypeEnum, type SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../../src/engine/db.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { SqliteAdapterFactory } from "../../src/engine/sqlite-adapter.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

const AT = new Date("2026-11-30T09:00:00.123Z");
const person = (id: string) => ({ id, agentId: "a", openId: `ou_${id}`, role: "member", createdAt: AT });
const scalar = (scalarType: ArgType["scalarType"]): ArgType => ({ scalarType, arity: "scalar" });
const UNKNOWN = scalar("unknown");

describe("the driver", () => {
  it("is Node's own where that is complete, else the prebuilt package, and only one in a process", () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const complete = major >= 24 || (major === 22 && minor >= 16);
    expect(loadSqlite().name).toBe(complete ? "builtin" : "package");
    expect(() => loadSqlite(complete ? "package" : "builtin")).toThrow(/already uses/);
  });
});

describe("values", () => {
  let adapter: SqlDriverAdapter;
  beforeEach(async () => {
    adapter = await new SqliteAdapterFactory({ path: ":memory:" }).connect();
  });
  afterEach(() => adapter.dispose());

  const query = (sql: string, args: unknown[] = [], argTypes: ArgType[] = args.map(() => UNKNOWN)) =>
    adapter.queryRaw({ sql, args, argTypes });
  const one = async (sql: string, args: unknown[] = [], argTypes?: ArgType[]): Promise<unknown> =>
    (await query(sql, args, argTypes)).rows[0]?.[0];

  it("arrive in SQLite as what they are", async () => {
    const types: [unknown, ArgType, string, unknown][] = [
      [true, scalar("boolean"), "integer", "1"],
      [5, scalar("int"), "integer", "5"],
      [5, UNKNOWN, "integer", "5"],
      [2.5, UNKNOWN, "real", 2.5],
      ["2.5", scalar("decimal"), "real", 2.5],
      ["9007199254740993", scalar("bigint"), "integer", "9007199254740993"],
      [-(2n ** 63n), UNKNOWN, "integer", "-9223372036854775808"],
      [AT, scalar("datetime"), "integer", String(AT.getTime())],
      [AT.toISOString(), scalar("datetime"), "integer", String(AT.getTime())],
      [AT, UNKNOWN, "integer", String(AT.getTime())],
      ['{"a":1}', scalar("json"), "text", '{"a":1}'],
      ["AP8=", scalar("bytes"), "blob", new Uint8Array([0, 255])],
      [new Uint8Array([1]), UNKNOWN, "blob", new Uint8Array([1])],
      [Buffer.from([2]), UNKNOWN, "blob", new Uint8Array([2])],
      ["", scalar("string"), "text", ""],
      ["你好👋🏽", scalar("string"), "text", "你好👋🏽"],
      [null, scalar("string"), "null", null],
    ];
    for (const [value, type, stored, back] of types) {
      expect(await one("SELECT typeof(?)", [value], [type]), String(value)).toBe(stored);
      expect(await one("SELECT ?", [value], [type]), String(value)).toEqual(back);
    }
    expect(await one("SELECT 5 / ?", [2])).toBe("2");
  });

  it("come back by the declared type of their column", async () => {
    await adapter.executeScript(
      "CREATE TABLE t (i INTEGER, b BIGINT, f REAL, d DECIMAL(10,2), at DATETIME, yes BOOLEAN, j JSONB, x BLOB, s TEXT)",
    );
    await adapter.executeRaw({
      sql: "INSERT INTO t VALUES (?,?,?,?,?,?,?,?,?)",
      args: [7, 8n, 1.5, "2.25", AT, true, "[1]", new Uint8Array([9]), "s"],
      argTypes: ["int", "bigint", "float", "decimal", "datetime", "boolean", "json", "bytes", "string"].map((name) =>
        scalar(name as ArgType["scalarType"]),
      ),
    });
    const { columnTypes, rows, columnNames } = await query("SELECT * FROM t");
    expect(columnNames).toEqual(["i", "b", "f", "d", "at", "yes", "j", "x", "s"]);
    const { Int32, Int64, Double, Numeric, DateTime, Boolean: YesNo, Json, Bytes, Text } = ColumnTypeEnum;
    expect(columnTypes).toEqual([Int32, Int64, Double, Numeric, DateTime, YesNo, Json, Bytes, Text]);
    expect(rows).toEqual([[7, "8", 1.5, 2.25, AT.toISOString(), true, "[1]", new Uint8Array([9]), "s"]]);
  });

  it("an instant written by SQL's CURRENT_TIMESTAMP is read as the same kind of instant", async () => {
    await adapter.executeScript("CREATE TABLE t (at DATETIME); INSERT INTO t VALUES ('2026-11-30 09:00:00')");
    expect(await one("SELECT at FROM t")).toBe("2026-11-30T09:00:00.000Z");
  });

  it("what SQLite would cut, drop or misread is refused", async () => {
    const refused = { cause: { kind: "InvalidInputValue" } };
    await expect(one("SELECT ?", ["a\u0000b"])).rejects.toMatchObject(refused);
    await expect(one("SELECT ?", ['"a\\u0000b"'], [scalar("json")])).rejects.toMatchObject(refused);
    await expect(one("SELECT ?", [{ a: 1 }])).rejects.toMatchObject(refused);
    await expect(one("SELECT ?", ["not a day"], [scalar("datetime")])).rejects.toMatchObject(refused);
    await expect(one("SELECT ?", [new Date(Number.NaN)])).rejects.toMatchObject(refused);
    await expect(query("SELECT 1; SELECT 2")).rejects.toMatchObject(refused);
    await expect(query("SELECT ';' ; -- a; b\n")).resolves.toMatchObject({ rows: [[";"]] });
  });

  it("counts changed rows, and none for statements that change none", async () => {
    const run = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
    await run("CREATE TABLE t (a)");
    expect(await run("INSERT INTO t VALUES (1), (2)")).toBe(2);
    expect(await run("CREATE INDEX i ON t (a)")).toBe(0);
    expect(await run("WITH w AS (SELECT 1) UPDATE t SET a = 3")).toBe(2);
    expect(await run("DELETE FROM t WHERE a = 9")).toBe(0);
  });

  it("a changed table shows its new columns to a statement prepared before", async () => {
    await adapter.executeScript("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')");
    expect((await query("SELECT * FROM t")).columnNames).toEqual(["a"]);
    await adapter.executeScript("ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 5");
    expect(await query("SELECT * FROM t")).toMatchObject({ columnNames: ["a", "b"], rows: [["x", 5]] });
  });
});

describe("errors", () => {
  let test: TestDb;
  let db: Db;
  beforeEach(async () => {
    test = await openTestDb();
    db = test.db;
    await db.person.create({ data: person("p") });
  });
  afterEach(() => test.release());

  /** The same fault through a statement that returns rows and through one that counts. */
  const bothWays = (create: () => Promise<unknown>, update: () => Promise<unknown>) =>
    Promise.all(
      [create, update].map((act) =>
        act().then(
          () => "no error",
          (error: unknown) => error,
        ),
      ),
    );

  it("a unique key that is taken is P2002 with its fields", async () => {
    const errors = await bothWays(
      () => db.person.create({ data: { ...person("q"), openId: "ou_p" } }),
      async () => {
        await db.person.create({ data: person("r") });
        await db.person.updateMany({ where: { id: "r" }, data: { openId: "ou_p" } });
      },
    );
    for (const error of errors) {
      expect(error).toMatchObject({
        code: "P2002",
        meta: { driverAdapterError: { cause: { constraint: { fields: ["agentId", "openId"] } } } },
      });
    }
  });

  it("a key that points at nothing is named as such", async () => {
    await db.$executeRawUnsafe("CREATE TABLE parent (id INTEGER PRIMARY KEY)");
    await db.$executeRawUnsafe("CREATE TABLE child (parent INTEGER REFERENCES parent(id) ON DELETE RESTRICT)");
    const errors = await bothWays(
      () => db.$queryRawUnsafe("INSERT INTO child VALUES (1) RETURNING parent"),
      () => db.$executeRawUnsafe("INSERT INTO child VALUES (1)"),
    );
    for (const error of errors)
      expect(error).toMatchObject({
        code: "P2010",
        meta: { driverAdapterError: { cause: { kind: "ForeignKeyConstraintViolation" } } },
      });
  });

  it("a missing table, a missing column and a missing value are told apart", async () => {
    const causeOf = (act: Promise<unknown>): Promise<unknown> =>
      act.then(
        () => "no error",
        (error: { meta?: { driverAdapterError?: { cause?: unknown } } }) => error.meta?.driverAdapterError?.cause,
      );
    expect(await causeOf(db.$queryRawUnsafe("SELECT * FROM missing"))).toMatchObject({
      kind: "TableDoesNotExist",
      table: "missing",
    });
    expect(await causeOf(db.$queryRawUnsafe("SELECT missing FROM Person"))).toMatchObject({
      kind: "ColumnNotFound",
      column: "missing",
    });
    expect(await causeOf(db.$executeRawUnsafe("UPDATE Person SET role = NULL"))).toMatchObject({
      kind: "NullConstraintViolation",
      constraint: { fields: ["role"] },
    });
    expect(await causeOf(db.$queryRawUnsafe("UPDATE Person SET role = NULL RETURNING id"))).toMatchObject({
      kind: "NullConstraintViolation",
    });
  });

  it("a list of 5000 values is one query", async () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `id${i}`);
    expect(await db.person.count({ where: { id: { in: [...ids, "p"] } } })).toBe(1);
  });

  it("instants compare as instants and come back to the millisecond", async () => {
    const found = await db.person.findMany({
      where: { createdAt: { gt: new Date(AT.getTime() - 1), lt: new Date(AT.getTime() + 1) } },
    });
    expect(found[0]?.createdAt).toEqual(AT);
  });
});
