import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handleMessages } from "../../src/bot/on-message.ts";
import { MOST_TRIES } from "../../src/engine/inbox/next-message.ts";
import { takeEvent } from "../../src/engine/inbox/take-event.ts";
import type { PersonActor } from "../../src/engine/scope.ts";
import { admin, type Given, given, member, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { toldHistory } from "../helpers/told-history.ts";

let db: TestDb;
let g: Given;
let goOn: () => void;
let said = 0;
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
  const messageId = `om_${++said}`;
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

const SECRET = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z";

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = Object.entries(db.db).filter(([, table]) => typeof table === "object" && "findMany" in table);
  const names = tables.map(([name]) => name).filter((name) => !name.startsWith("$") && !name.startsWith("_"));
  const rows: unknown[] = [];
  for (const name of names)
    rows.push(await (db.db as never as Record<string, { findMany(): unknown }>)[name]?.findMany());
  expect(names).toContain("inboxEvent");
  return JSON.stringify(rows);
}

test.each([
  `/prefs x ${SECRET}`,
  `/prefs set ${SECRET}`,
  `我的密钥是 ${SECRET}`,
  `/nosuch ${SECRET}`,
  `/remind 18:00 ${SECRET}`,
])("a secret in a message (%s) is nowhere in the database once the message was handled", async (text) => {
  await say(owner, text);
  expect(await handleMessages({ scope: g.a, botOpenId: () => "ou_bot", poke: () => {} })).toEqual({ handled: 1 });
  const stored = await everything();
  expect(stored).toContain(text.split(" ")[0]);
  expect(stored).not.toContain(SECRET.slice(8, 24));
});

test("of a message that killed the process every time its sender hears, once, and the chat goes on", async () => {
  await say(owner, `/remind ${SECRET}`);
  await db.db.inboxEvent.updateMany({ data: { attempts: MOST_TRIES, leaseUntil: null } });
  await say(owner, "/whoami");
  const sweep = () => handleMessages({ scope: g.a, botOpenId: () => "ou_bot", poke: () => {} });
  expect(await sweep()).toEqual({ handled: 1 });
  await sweep();
  const posts = await db.db.cardPost.findMany({ where: { agentId: "agent-a" }, orderBy: { createdAt: "asc" } });
  const ref = g.a.log.of("inbox.set_aside");
  expect(ref).toHaveLength(1);
  expect(posts).toHaveLength(2);
  expect(JSON.stringify(posts.map(({ view }) => view))).toMatch(/编号 T\d{3}/);
  const [dropped] = await db.db.inboxEvent.findMany({ where: { status: "failed" } });
  expect(JSON.stringify(dropped?.payload)).not.toContain(SECRET);
});
