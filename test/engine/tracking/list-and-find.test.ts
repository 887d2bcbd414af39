import { afterEach, beforeEach, expect, it } from "vitest";
import { isEngineError } from "../../../src/engine/errors.ts";
import type { Actor } from "../../../src/engine/scope.ts";
import type { Place } from "../../../src/engine/tracking/audience.ts";
import { closeItem } from "../../../src/engine/tracking/close-item.ts";
import { findItem } from "../../../src/engine/tracking/find-item.ts";
import { listItems } from "../../../src/engine/tracking/list-items.ts";
import { admin, type Given, given, job, member, owner } from "../../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../../helpers/test-db.ts";

const direct: Place = { chatType: "p2p" };
const team: Place = { chatType: "group", chatId: "oc_team" };

describeBothDatabases("what is shown of the matters", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(() => test.release());

  const titles = async (who: Actor, place: Place, which: "open" | "closed" | "all" = "open") =>
    (await listItems(g.a, who, { which, place })).items.map(({ title }) => title);
  const near = async (who: Actor, ref: string, place: Place = direct) => {
    try {
      const found = await findItem(g.a, who, { ref, place });
      return found.outcome === "found" ? found.item.title : found.items.map(({ title }) => title);
    } catch (error) {
      if (!isEngineError(error, "not_found")) throw error;
      return { near: error.facts.near };
    }
  };

  it("never holds a private matter in a group, a member's own or another group's anywhere else", async () => {
    await g.item({ title: "private", audience: "private" });
    await g.item({ title: "team", audience: "oc_team" });
    await g.item({ title: "sales", audience: "oc_sales" });
    await g.item({ title: "Mia's", audience: member.openId });
    await g.item({ title: "admin's own", audience: admin.openId });
    for (const who of [owner, admin, member]) expect(await titles(who, team)).toEqual(["team"]);
    expect(await titles(owner, direct)).toEqual(["private", "team", "sales"]);
    expect(await titles(admin, direct)).toEqual(["private", "team", "sales", "admin's own"]);
    expect(await titles(member, direct)).toEqual(["Mia's"]);
    expect(await titles({ kind: "agent", onWordsOf: member }, direct)).toEqual(["Mia's"]);
    expect(await near(member, "1")).toEqual({ near: [] });
    expect(await near(owner, "1", team)).toEqual({ near: [] });
    expect(await near(owner, "priv", team)).toEqual({ near: [] });
  });

  it("is ordered by what is due first, undated last, and paged without losing one", async () => {
    const due = (day: number) => new Date(Date.UTC(2026, 11, day));
    const order = [3, 1, undefined, 2, undefined];
    for (const day of order) await g.item({ title: `${day ?? "none"}`, ...(day && { dueAt: due(day) }) });
    const pages = [];
    for (let page = 1; page <= 3; page++) {
      pages.push(await listItems(g.a, owner, { which: "open", place: direct, page, pageSize: 2 }));
    }
    expect(pages.flatMap(({ items }) => items.map(({ title }) => title))).toEqual(["1", "2", "3", "none", "none"]);
    expect(pages[0]).toMatchObject({ page: 1, pages: 3, total: 5 });
    expect(await listItems(g.a, owner, { which: "open", place: direct, page: 99, pageSize: 2 })).toMatchObject({
      page: 3,
    });
    expect(await listItems(g.a, owner, { which: "closed", place: direct, page: -1 })).toMatchObject({
      page: 1,
      pages: 1,
      total: 0,
    });
  });

  it("tells open from closed, newest closed first", async () => {
    const [one, two, three] = [
      await g.item({ title: "1" }),
      await g.item({ title: "2" }),
      await g.item({ title: "3" }),
    ];
    await closeItem(g.a, owner, { itemId: two.id, why: "done" });
    g.a.clock.advance({ minutes: 1 });
    await closeItem(g.a, owner, { itemId: one.id, why: "dropped" });
    expect(await titles(owner, direct)).toEqual([three.title]);
    expect(await titles(owner, direct, "closed")).toEqual(["1", "2"]);
    expect(await titles(owner, direct, "all")).toEqual(["3", "2", "1"]);
  });

  it("is found by number, by words, and asked back when several fit", async () => {
    await g.item({ title: "把报价单发给客户A" });
    await g.item({ title: "预订 Berlin 的酒店" });
    await g.item({ title: "Book the hotel in Berlin" });
    const closed = await g.item({ title: "旧报价单" });
    await closeItem(g.a, owner, { itemId: closed.id, why: "done" });
    expect(await near(owner, "2")).toBe("预订 Berlin 的酒店");
    expect(await near(owner, " ＃２ ")).toBe("预订 Berlin 的酒店");
    expect(await near(owner, "#4")).toBe("旧报价单");
    expect(await near(owner, "报价单")).toBe("把报价单发给客户A");
    expect(await near(owner, "BOOK THE")).toBe("Book the hotel in Berlin");
    expect(await near(owner, "berlin")).toEqual(["Book the hotel in Berlin", "预订 Berlin 的酒店"]);
  });

  it("offers what is near when nothing fits, and nothing when nothing is", async () => {
    await g.item({ title: "把报价单发给客户A" });
    await g.item({ title: "买牛奶" });
    expect(await near(owner, "报价单给客户")).toEqual({ near: ["#1 把报价单发给客户A"] });
    expect(await near(owner, "12")).toEqual({ near: [] });
    expect(await near(owner, "zzz")).toEqual({ near: [] });
    expect(await near(owner, "")).toEqual({ near: [] });
    expect(await near(owner, "99999999999999999999")).toEqual({ near: [] });
  });

  it("is for people only", async () => {
    await expect(listItems(g.a, job, { which: "open", place: direct })).rejects.toThrow(/forbidden/);
    await expect(findItem(g.a, job, { ref: "1", place: direct })).rejects.toThrow(/forbidden/);
  });
});
