import { afterEach, beforeEach, expect, it } from "vitest";
import { claimPost, noteShown, noteTry, touchCards } from "../../src/engine/card-posts.ts";
import { type Database, inTransaction, openDb } from "../../src/engine/db.ts";
import { finishEvent } from "../../src/engine/inbox/finish-event.ts";
import { claimNextMessage } from "../../src/engine/inbox/next-message.ts";
import { takeEvent } from "../../src/engine/inbox/take-event.ts";
import { knowPerson } from "../../src/engine/people/know-person.ts";
import { closeItem } from "../../src/engine/tracking/close-item.ts";
import { fewerOfThese } from "../../src/engine/tracking/fewer-of-these.ts";
import { listItems } from "../../src/engine/tracking/list-items.ts";
import { snoozeItem } from "../../src/engine/tracking/snooze-item.ts";
import { undo } from "../../src/engine/tracking/undo.ts";
import { updateItem } from "../../src/engine/tracking/update-item.ts";
import { type Given, given, owner, worker } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

/**
 * SQL statements of each operation, BEGIN and COMMIT left out. What a tap costs is these; a change has to argue for
 * every one more.
 */
const STATEMENTS = {
  takeEvent: 1,
  knowPerson: 1,
  closeItem: 6,
  closeItemAgain: 2,
  snoozeItem: 6,
  snoozeItemAgain: 4,
  undo: 7,
  updateItem: 4,
  updateItemWithNothingNew: 1,
  // one of them is the turn: two taps at once must both count
  fewerOfThese: 10,
  finishEvent: 1,
  listItems: 2,
  claimPost: 2,
  claimPostWhenNothingIsOwed: 1,
  noteTry: 1,
  noteShown: 2,
  touchItem: 1,
  claimNextMessage: 3,
} as const;

let test: TestDb;
let counting: Database;
let g: Given;
let said: string[];

beforeEach(async () => {
  test = await openTestDb();
  said = [];
  counting = await openDb(test.url, { onStatement: (sql) => said.push(sql) });
  g = given(counting.db);
  await g.people();
});
afterEach(async () => {
  await counting.close();
  await test.release();
});

async function statements<T>(act: () => Promise<T>): Promise<{ count: number; result: T }> {
  said.length = 0;
  const result = await act();
  // Events are told a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  const count = said.filter((sql) => !/^(-- Implicit|BEGIN|COMMIT|ROLLBACK)/i.test(sql)).length;
  return { count, result };
}

it("keeps every operation to its number of statements", async () => {
  const { id } = await g.item();
  const other = await g.item();
  await g.delivery([{ id }, { id: other.id }]);
  const counted: Record<string, number> = {};
  const count = async <T>(name: keyof typeof STATEMENTS, act: () => Promise<T>): Promise<T> => {
    const { count, result } = await statements(act);
    counted[name] = count;
    return result;
  };
  const arrival = { dedupeKey: "k", kind: "message", chatId: "oc_1", payload: {} } as const;
  const { seq } = await count("takeEvent", () => takeEvent(g.a, arrival));
  await count("knowPerson", () => knowPerson(g.a, { openId: owner.openId, chatType: "p2p", chatId: "oc_dm_owner" }));
  await count("closeItem", () => closeItem(g.a, owner, { itemId: id, why: "done" }));
  await count("closeItemAgain", () => closeItem(g.a, owner, { itemId: id, why: "done" }));
  await count("undo", () => undo(g.a, owner, { itemId: id }));
  await count("snoozeItem", () => snoozeItem(g.a, owner, { itemId: id, choice: "tomorrow" }));
  await count("snoozeItemAgain", () => snoozeItem(g.a, owner, { itemId: id, choice: "tomorrow" }));
  await count("updateItem", () => updateItem(g.a, worker, { itemId: id, summary: "new" }));
  await count("updateItemWithNothingNew", () => updateItem(g.a, worker, { itemId: id, summary: "new" }));
  await count("fewerOfThese", () => fewerOfThese(g.a, owner, { itemId: other.id }));
  await count("listItems", () => listItems(g.a, owner, { which: "open", place: { chatType: "p2p" } }));
  await count("touchItem", () => inTransaction(counting.db, (tx) => touchCards(tx, g.a, { kind: "item", id })));
  await count("claimNextMessage", () => claimNextMessage(g.a));
  await count("finishEvent", () => inTransaction(counting.db, (tx) => finishEvent(tx, g.a, seq, { status: "done" })));
  const post = await count("claimPost", () => claimPost(g.a));
  const tried = post && (await count("noteTry", () => noteTry(g.a, post)));
  if (tried) await count("noteShown", () => noteShown(g.a, tried, { shown: tried.wanted, messageId: "om_1" }));
  await count("claimPostWhenNothingIsOwed", () => claimPost(g.a));
  expect(counted).toEqual(STATEMENTS);
});

it("looks rows up by index in every query of a tap and of the sweep", async () => {
  const { id } = await g.item();
  await g.delivery([{ id }]);
  const { result } = await statements(async () => {
    await takeEvent(g.a, { dedupeKey: "k", kind: "tap", payload: {} });
    await closeItem(g.a, owner, { itemId: id, why: "done" });
    await undo(g.a, owner, { itemId: id });
    await claimPost(g.a);
    await claimNextMessage(g.a);
    return [...said];
  });
  const scans: string[] = [];
  for (const sql of new Set([...result, ...said])) {
    if (!/^(SELECT|UPDATE|DELETE)/i.test(sql)) continue;
    const holes = (sql.match(/\?/g) ?? []).map(() => null);
    const plan = await counting.db.$queryRawUnsafe<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, ...holes);
    if (plan.some(({ detail }) => walks(detail))) scans.push(`${plan.map(({ detail }) => detail).join("; ")}: ${sql}`);
  }
  expect(scans).toEqual([]);
});

/** A whole table, all rows of the agent or all of a kind; but the settings of an agent are few, and all are wanted. */
function walks(detail: string): boolean {
  if (/ (main\.)?Setting /.test(detail) || detail === "SCAN CONSTANT ROW") return false;
  return detail.startsWith("SCAN ") || /\((agentId=\?|agentId=\? AND subjectKind=\?)\)$/.test(detail);
}
