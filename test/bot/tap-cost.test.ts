import { afterEach, beforeEach, expect, test } from "vitest";
import type { IncomingTap } from "../../src/bot/feishu-events.ts";
import { InHand } from "../../src/bot/in-hand.ts";
import { tapHandler } from "../../src/bot/on-tap.ts";
import { type Database, openDb } from "../../src/engine/db.ts";
import { type Given, given, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

/**
 * SQL statements of one tap from its event to its answer, the redrawn card included, BEGIN and COMMIT left out. A phone
 * waits for them: a change has to argue for every one more.
 */
const STATEMENTS = {
  done: 13,
  repeat: 1,
  doneAgain: 10,
  snooze: 13,
  undo: 15,
  unknownAction: 5,
  stranger: 8,
} as const;

let db: TestDb;
let counting: Database;
let g: Given;
let said: string[];

beforeEach(async () => {
  db = await openTestDb();
  said = [];
  counting = await openDb(db.url, { onStatement: (sql) => said.push(sql) });
  g = given(counting.db);
  await g.people();
});
afterEach(async () => {
  await counting.close();
  await db.release();
});

test("a tap costs a fixed small number of statements", async () => {
  const { id, revision } = await g.item();
  const other = await g.item();
  const { postId } = await g.delivery([{ id }, { id: other.id }]);
  await counting.db.cardPost.update({
    where: { id: postId },
    data: { messageId: "om_1", chatId: "oc_1", sentAt: g.a.clock.now(), shown: 1, stale: false },
  });
  const inHand = new InHand();
  const onTap = tapHandler({
    scope: g.a,
    server: { version: "0.0.0", nextRunAt: () => undefined },
    inHand,
    poke: () => {},
  });
  // The first tap of a process loads what the others find ready, and may be answered before it is done.
  const warm = await g.item();
  await onTap(event({ action: "item.done", post: postId, payload: { item: warm.id, rev: 0 } }, "cli:warm"));
  await inHand.settled(10_000);
  const counted: Record<string, number> = {};
  let n = 0;
  const tap = async (
    name: keyof typeof STATEMENTS,
    action: string,
    payload: object,
    more: Partial<IncomingTap> = {},
  ): Promise<object> => {
    said.length = 0;
    const answer = await onTap({ ...event({ post: postId, action, payload }, `cli:ev_${n++}`), ...more });
    await new Promise((resolve) => setImmediate(resolve));
    const statements = said.filter((sql) => !/^(-- Implicit|BEGIN|COMMIT|ROLLBACK)/i.test(sql));
    counted[name] = statements.length;
    return answer;
  };
  const done = await tap("done", "item.done", { item: id, rev: revision });
  expect(done).toMatchObject({ toast: { type: "success" }, card: { type: "raw" } });
  await tap("repeat", "item.done", { item: id, rev: revision }, { dedupeKey: "cli:ev_0" });
  await tap("doneAgain", "item.done", { item: id, rev: revision });
  await tap("snooze", "item.snooze", { item: other.id, rev: other.revision, until: "tomorrow" });
  const decision = await counting.db.itemDecision.findFirstOrThrow({ where: { itemId: id } });
  await tap("undo", "item.undo", { decision: decision.id });
  await tap("unknownAction", "old.action", {});
  await tap("stranger", "item.done", { item: id, rev: revision }, { operatorOpenId: "ou_nobody" });
  expect(counted).toEqual(STATEMENTS);
});

function event(button: { post: string; action: string; payload: object }, dedupeKey: string): IncomingTap {
  return {
    kind: "tap",
    dedupeKey,
    appId: "cli",
    operatorOpenId: owner.openId,
    messageId: "om_1",
    chatId: "oc_1",
    tag: "button",
    value: { v: 1, ...button },
  };
}
