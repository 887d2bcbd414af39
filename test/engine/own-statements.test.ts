import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, inTransaction, isUniqueViolation, readRows, runStatement } from "../../src/engine/db.ts";
import { Mutex } from "../../src/engine/mutex.ts";
import { column, list, sql, textFor, tuples } from "../../src/engine/sql.ts";
import { describeBothDatabases, type TestDb } from "../helpers/test-db.ts";

const AT = new Date("2026-11-30T09:00:00.123Z");
const person = (id: string) => ({ id, agentId: "a", openId: `ou_${id}`, role: "member", createdAt: AT });
const addPerson = (db: Db, id: string) =>
  runStatement(
    db,
    sql`INSERT INTO "Person" ("id", "agentId", "openId", "role", "createdAt")
      VALUES (${id}, ${"a"}, ${`ou_${id}`}, ${"member"}, ${AT})`,
  );
const idsIn = async (db: Db): Promise<string[]> =>
  (await readRows<{ id: string }>(db, sql`SELECT "id" FROM "Person" ORDER BY "id"`)).map(({ id }) => id);

describeBothDatabases("a statement of our own", (open) => {
  let test: TestDb;
  beforeEach(async () => {
    test = await open();
  });
  afterEach(() => test.release());

  it("stands or falls with what Prisma does in the same transaction, in whatever order they come", async () => {
    await inTransaction(test.db, async (tx) => {
      await addPerson(tx, "own-first");
      expect(await tx.person.count()).toBe(1);
      await tx.person.create({ data: person("prisma-second") });
      expect(await idsIn(tx)).toEqual(["own-first", "prisma-second"]);
      await addPerson(tx, "own-third");
    });
    expect(await idsIn(test.db)).toEqual(["own-first", "own-third", "prisma-second"]);

    const failing = inTransaction(test.db, async (tx) => {
      await tx.person.deleteMany();
      await addPerson(tx, "lost");
      throw new Error("after both");
    });
    await expect(failing).rejects.toThrow("after both");
    expect(await test.db.person.count()).toBe(3);
  });

  it("is refused once its transaction has ended, and writes nothing", async () => {
    let late: Db | undefined;
    await inTransaction(test.db, async (tx) => {
      late = tx;
      await addPerson(tx, "in-time");
    });
    if (late === undefined) throw new Error("no transaction");
    await expect(addPerson(late, "late")).rejects.toThrow();
    await expect(late.person.create({ data: person("late") })).rejects.toThrow();
    expect(await idsIn(test.db)).toEqual(["in-time"]);
  });

  it("reads every kind of column as what the schema says it is", async () => {
    await test.db.setting.createMany({
      data: [60, "09:00", true, { a: [1, null] }].map((value, n) => ({
        agentId: "a",
        name: `s${n}`,
        value,
        updatedAt: AT,
        updatedBy: "p",
      })),
    });
    const rows = await readRows(test.db, sql`SELECT "value", "updatedAt" FROM "Setting" ORDER BY "name"`);
    expect(rows).toEqual([60, "09:00", true, { a: [1, null] }].map((value) => ({ value, updatedAt: AT })));

    await test.db.counter.create({ data: { agentId: "a", name: "n", value: 7 } });
    expect(await readRows(test.db, sql`SELECT "value" FROM "Counter"`)).toEqual([{ value: 7 }]);
    await test.db.person.create({ data: person("p") });
    expect(await readRows(test.db, sql`SELECT "name", "createdAt" FROM "Person"`)).toEqual([
      { name: null, createdAt: AT },
    ]);
  });

  it("takes lists, rows of values and parts of statements, each value in its own hole", async () => {
    await test.db.counter.create({ data: { agentId: "a", name: "kept", value: 1 } });
    await runStatement(
      test.db,
      sql`INSERT INTO "Counter" ("agentId", "name", "value") VALUES ${tuples([
        ["a", "x", 1],
        ["a", "y", 2],
        ["b", "x", 3],
      ])}`,
    );
    const ofA = sql`"agentId" = ${"a"}`;
    const rows = await readRows(
      test.db,
      sql`SELECT ${column("name")} FROM "Counter" WHERE ${ofA} AND "name" IN (${list(["x", "y", "z"])}) AND "value" > ${1}`,
    );
    expect(rows).toEqual([{ name: "y" }]);
    expect(await runStatement(test.db, sql`DELETE FROM "Counter" WHERE ${ofA}`)).toBe(3);
  });

  it("tells a unique violation by its field, inside a transaction too", async () => {
    await addPerson(test.db, "p");
    const again = sql`INSERT INTO "Person" ("id", "agentId", "openId", "role", "createdAt")
      VALUES (${"q"}, ${"a"}, ${"ou_p"}, ${"member"}, ${AT})`;
    for (const act of [
      () => runStatement(test.db, again),
      () => inTransaction(test.db, (tx) => runStatement(tx, again)),
    ]) {
      const error = await act().catch((thrown: unknown) => thrown);
      expect(isUniqueViolation(error)).toBe(true);
      expect(isUniqueViolation(error, "openId")).toBe(true);
      expect(isUniqueViolation(error, "role")).toBe(false);
    }
  });

  it("is never put together from a value: what looks like a statement stays a text", async () => {
    await test.db.person.create({ data: person("p") });
    const evil = `'; DROP TABLE "Person"; --`;
    expect(await readRows(test.db, sql`SELECT "id" FROM "Person" WHERE "name" = ${evil}`)).toEqual([]);
    expect(await test.db.person.count()).toBe(1);
  });

  it("of a tap goes before what else waits for a transaction", async () => {
    const order: string[] = [];
    let begun = (): void => {};
    const go = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = inTransaction(test.db, async () => {
      await go;
      order.push("first");
    });
    const others = [1, 2].map((n) => inTransaction(test.db, async () => void order.push(`job ${n}`)));
    const tap = inTransaction(test.db, async () => void order.push("tap"), { urgent: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    begun();
    await Promise.all([first, ...others, tap]);
    // PostgreSQL has a connection for each; there nobody waits for the first.
    if (test.provider === "sqlite") expect(order).toEqual(["first", "tap", "job 1", "job 2"]);
    else expect([...order].sort()).toEqual(["first", "job 1", "job 2", "tap"]);
  });
});

describe("the queue for the connection", () => {
  it("keeps the order of arrival, lets those in a hurry go first, and nobody in between", async () => {
    const mutex = new Mutex();
    const release = await mutex.acquire();
    const order: string[] = [];
    const enter = async (name: string, urgent: boolean): Promise<void> => {
      const leave = await mutex.acquire({ urgent });
      order.push(name);
      await new Promise((resolve) => setImmediate(resolve));
      leave();
      leave();
    };
    const all = [enter("a", false), enter("b", false), enter("tap 1", true), enter("tap 2", true)];
    release();
    await Promise.all(all);
    expect(order).toEqual(["tap 1", "tap 2", "a", "b"]);
  });

  it("gives up a turn that does not come in time, and the next one still gets theirs", async () => {
    const mutex = new Mutex();
    const release = await mutex.acquire();
    expect(await mutex.acquire({ withinMs: 10 })).toBeUndefined();
    const next = mutex.acquire();
    release();
    expect(await next).toBeTypeOf("function");
  });
});

it("a statement's holes are counted anew for each database", () => {
  const statement = sql`A ${1} ${sql`B ${2} C ${list([3, 4])}`} ${tuples([[5], [6]])} D`;
  expect(textFor("sqlite", statement)).toBe("A ? B ? C ?, ? (?), (?) D");
  expect(textFor("postgresql", statement)).toBe("A $1 B $2 C $3, $4 ($5), ($6) D");
  expect(statement.values).toEqual([1, 2, 3, 4, 5, 6]);
});
