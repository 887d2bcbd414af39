import { afterEach, beforeEach, expect, it } from "vitest";
import { inTransaction, isUniqueViolation } from "../../src/engine/db.ts";
import { describeBothDatabases, type TestDb } from "../helpers/test-db.ts";

const AT = new Date("2026-11-30T09:00:00.123Z");

describeBothDatabases("a transaction", (open) => {
  let test: TestDb;
  beforeEach(async () => {
    test = await open();
  });
  afterEach(() => test.release());

  const person = (id: string) => ({ id, agentId: "a", openId: `ou_${id}`, role: "member", createdAt: AT });

  const setting = (name: string, text: string) => ({
    agentId: "a",
    name,
    value: { text },
    updatedAt: AT,
    updatedBy: "p",
  });

  it("happens whole or not at all, joined ones included", async () => {
    const failing = inTransaction(test.db, async (tx) => {
      await tx.person.create({ data: person("outer") });
      await inTransaction(tx, (inner) => inner.person.create({ data: person("inner") }));
      throw new Error("after both");
    });
    await expect(failing).rejects.toThrow("after both");
    expect(await test.db.person.count()).toBe(0);

    await inTransaction(test.db, async (tx) => {
      await tx.person.create({ data: person("outer") });
      await inTransaction(tx, (inner) => inner.person.create({ data: person("inner") }));
    });
    expect(await test.db.person.count()).toBe(2);
  });

  it("keeps another request's write when it rolls back, and shows it nothing unfinished", async () => {
    // Once before, so that the first use of a query does not take the time in which it should fail.
    await test.db.person.create({ data: person("first") });
    expect(await test.db.person.count({ where: { id: "lost" } })).toBe(0);
    let seen = -1;
    let other: Promise<unknown> = Promise.resolve();
    const failing = inTransaction(test.db, async (tx) => {
      await tx.person.create({ data: person("lost") });
      other = test.db.person.create({ data: person("kept") });
      const reading = test.db.person.count({ where: { id: "lost" } }).then((count) => {
        seen = count;
      });
      other = Promise.all([other, reading]);
      await new Promise((resolve) => setTimeout(resolve, 400));
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await other;
    expect(seen).toBe(0);
    expect((await test.db.person.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id)).toEqual(["first", "kept"]);
  });

  it("of many claims at once by compare and set, exactly one wins", async () => {
    await test.db.person.create({ data: person("p") });
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        test.db.person.updateMany({ where: { id: "p", role: "member" }, data: { role: "owner", name: String(i) } }),
      ),
    );
    expect(claims.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  });

  it("tells a unique violation from other errors, by field", async () => {
    await test.db.person.create({ data: person("p") });
    const again = await test.db.person.create({ data: { ...person("q"), openId: "ou_p" } }).catch((error) => error);
    expect(isUniqueViolation(again)).toBe(true);
    expect(isUniqueViolation(again, "openId")).toBe(true);
    expect(isUniqueViolation(again, "role")).toBe(false);
    expect(isUniqueViolation(new Error("other"))).toBe(false);
    const byUpdate = await test.db.person
      .create({ data: person("r") })
      .then(() => test.db.person.updateMany({ where: { id: "r" }, data: { openId: "ou_p" } }))
      .catch((error) => error);
    expect(isUniqueViolation(byUpdate, "openId")).toBe(true);
  });

  it("refuses text with U+0000, in columns and in JSON, and changes nothing", async () => {
    await expect(test.db.person.create({ data: { ...person("p"), name: "a\u0000b" } })).rejects.toThrow();
    await expect(test.db.setting.create({ data: setting("b", "a\u0000b") })).rejects.toThrow();
    // The same six characters after a backslash of their own are ordinary text.
    await test.db.setting.create({ data: setting("c", "a\\u0000b") });
    expect(await test.db.setting.findMany()).toMatchObject([{ name: "c", value: { text: "a\\u0000b" } }]);
    expect(await test.db.person.count()).toBe(0);
  });
});
