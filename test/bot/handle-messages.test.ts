import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handleMessages } from "../../src/bot/on-message.ts";
import { takeEvent } from "../../src/engine/inbox/take-event.ts";
import type { PersonActor } from "../../src/engine/scope.ts";
import { admin, type Given, given, member, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { toldHistory } from "../helpers/told-history.ts";

let db: TestDb;
let g: Given;
let goOn: () => void;
beforeEach(async () => {
  db = await openTestDb();
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const history = { ...toldHistory(), cursorBefore: () => held.then(() => ({ row: 0 })) };
  g = given(db.db, { history });
  await g.people();
});
afterEach(() => db.release());

async function say(person: PersonActor, text: string): Promise<void> {
  const messageId = `om_${person.openId}_${text}`;
  const chatId = `oc_dm_${person.openId.slice(3)}`;
  await takeEvent(g.a, {
    dedupeKey: messageId,
    kind: "message",
    chatId,
    senderOpenId: person.openId,
    payload: {
      dedupeKey: messageId,
      messageId,
      chatId,
      chatType: "p2p",
      senderOpenId: person.openId,
      text,
      mentions: [],
      sentAt: g.a.clock.now().toISOString(),
    },
  });
}

const answered = async (person: PersonActor): Promise<number> =>
  db.db.cardPost.count({ where: { agentId: "agent-a", receiveId: `oc_dm_${person.openId.slice(3)}` } });

test("a look that takes its time holds up its own chat only, and what comes in meanwhile is answered meanwhile", async () => {
  await say(owner, "/tick");
  await say(owner, "/lang zh");
  await say(admin, "/whoami");
  const sweep = handleMessages({ scope: g.a, botOpenId: () => "ou_bot", poke: () => {} });
  await vi.waitUntil(async () => (await answered(admin)) === 1, { timeout: 20_000 });
  await say(member, "/whoami");
  await vi.waitUntil(async () => (await answered(member)) === 1, { timeout: 20_000 });
  // The time machine jumps over every lease: the same message is not begun a second time.
  g.a.clock.advance({ hours: 1 });
  await say(member, "/help");
  await vi.waitUntil(async () => (await answered(member)) === 2, { timeout: 20_000 });
  expect(await answered(owner)).toBe(0);
  goOn();
  expect(await sweep).toEqual({ handled: 5 });
  expect(await answered(owner)).toBe(2);
  expect(await db.db.inboxEvent.findMany({ where: { attempts: { not: 1 } } })).toEqual([]);
}, 60_000);
