import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";
import { remindCard } from "../helpers/remind-card.ts";
import { until } from "../helpers/until.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true });
});
afterEach(() => world.platform.fault({ kind: "clear" }));
afterAll(() => world.close());

const db = () => world.app.scope.db;
const nowMs = () => world.platform.clock.now().getTime();
const wait = (ms: number) => world.at(new Date(nowMs() + ms));
const said = () => world.botMessages().map((message) => JSON.stringify(message.content));
const lines = (words: string) => said().filter((text) => text.includes(words));

/** A message of the owner's as the platform pushes it; every delivery of it has an event id of its own. */
function messageEvent(messageId: string, text: string, eventId: string, at = nowMs()): unknown {
  const { owner } = world.platform.people;
  return {
    schema: "2.0",
    header: { event_id: eventId, event_type: "im.message.receive_v1", app_id: world.platform.app.appId },
    event: {
      sender: { sender_id: { open_id: owner.openId }, sender_type: "user" },
      message: {
        message_id: messageId,
        create_time: String(at),
        chat_id: world.platform.chats.owner,
        chat_type: "p2p",
        message_type: "text",
        content: JSON.stringify({ text }),
      },
    },
  };
}

test("an event delivered at 10:00, 10:05 and 16:10, with a restart in between, is handled once", async () => {
  const at = nowMs();
  expect(await world.platform.pushRaw(messageEvent("om_9", "/remind 只记一次 明天9点", "ev_9", at))).toBe(200);
  await world.settle();
  await wait(5 * 60_000);
  expect(await world.platform.pushRaw(messageEvent("om_9", "/remind 只记一次 明天9点", "ev_9", at))).toBe(200);
  await world.settle();
  await wait(2 * 3_600_000);
  await world.restart();
  await wait(4 * 3_600_000 + 5 * 60_000);
  expect(await world.platform.pushRaw(messageEvent("om_9", "/remind 只记一次 明天9点", "ev_9b", at))).toBe(200);
  await world.settle();
  expect(await db().trackingItem.count({ where: { title: "只记一次" } })).toBe(1);
  expect(lines("只记一次")).toHaveLength(1);
});

test("a connection that breaks after the platform took the message leaves one message, whose id is known", async () => {
  world.platform.fault({ kind: "drop_after", api: "message.create" });
  const { card, postId } = await remindCard(world, "断在之后");
  expect(lines("断在之后").filter((text) => text.includes('"kind":"card"'))).toHaveLength(1);
  expect(await db().cardPost.findUnique({ where: { id: postId } })).toMatchObject({ messageId: card.messageId });
});

test("also when every try of one sweep breaks, the next sweep sends with the same key and nothing doubles", async () => {
  world.platform.fault({ kind: "drop_after", api: "message.create", times: 3 });
  await world.say("owner", "/whoami");
  const before = lines("open_id").length;
  await wait(60_000);
  await wait(60_000);
  expect(lines("open_id")).toHaveLength(Math.max(before, 1));
  expect(await db().cardPost.count({ where: { messageId: null, gaveUpAt: null } })).toBe(0);
});

test("when it is known hours later only that a message may have arrived, it is looked for in the chat and not sent again", async () => {
  world.platform.fault({ kind: "drop_after", api: "message.create", times: 3 });
  await world.say("owner", "/remind 隔了很久 三天后");
  const before = lines("隔了很久").length;
  expect(before).toBe(1);
  const [open] = await db().cardPost.findMany({ where: { messageId: null, gaveUpAt: null } });
  expect(open).toMatchObject({ inDoubtSince: expect.any(Date) });
  // The platform knows the key for an hour; after that the same key would make a second message.
  await wait(2 * 3_600_000);
  expect(lines("隔了很久")).toHaveLength(1);
  const message = world.botMessages().find((each) => JSON.stringify(each.content).includes("隔了很久"));
  expect(await db().cardPost.findUnique({ where: { id: open?.id ?? "" } })).toMatchObject({
    messageId: message?.messageId,
    gaveUpAt: null,
  });
});

test("told to wait for 7 seconds it waits that long, and the order in the chat stays", async () => {
  world.platform.fault({ kind: "answer", api: "message.create", code: 99991400, status: 429, resetSeconds: 7 });
  const calls = world.platform.calls.length;
  await Promise.all([
    world.platform.deliverMessage({
      chatId: world.platform.chats.owner,
      userId: world.platform.people.owner.openId,
      text: "/lang zh",
    }).acknowledged,
    world.platform.deliverMessage({
      chatId: world.platform.chats.owner,
      userId: world.platform.people.owner.openId,
      text: "/quiet",
    }).acknowledged,
  ]);
  await until(() => said().at(-1)?.includes("不打扰你") === true);
  expect(said().slice(-2)).toEqual([expect.stringContaining("之后都用中文"), expect.stringContaining("不打扰你")]);
  const sends = world.platform.calls.slice(calls).filter((call) => call.api === "message.create");
  const [first, second] = sends.map((call) => call.atMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(6_950);
});

test("a token the platform refuses is fetched anew, and the message arrives", async () => {
  world.platform.fault({ kind: "expire_tokens" });
  await world.say("owner", "/whoami");
  expect(said().at(-1)).toContain("open_id");
});

test("half a surrogate pair, a NUL and a key in somebody's words do not keep a message from arriving, and the key stays here", async () => {
  const secret = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z";
  await world.say("owner", `/remind 怪\ud800字\u0000符 ${secret} 1分钟后`);
  await wait(2 * 60_000);
  const cards = said().filter((text) => text.includes('"kind":"card"') && text.includes("怪"));
  expect(cards).toEqual([expect.stringMatching(/怪.?字符/u)]);
  expect(said().every((text) => text.isWellFormed())).toBe(true);
  expect(said().join()).not.toContain(secret);
});

test("delivered is said only of a message that has an id; a refused one is failed, with why", async () => {
  world.platform.fault({ kind: "answer", api: "message.create", code: 230013, times: 5 });
  await db().cardPost.deleteMany({ where: { messageId: null } });
  await expect(remindCard(world, "送不到")).rejects.toThrow("no card came");
  const item = await db().trackingItem.findFirstOrThrow({ where: { title: "送不到" } });
  const { deliveryId } = await db().deliveryMatter.findFirstOrThrow({ where: { itemId: item.id } });
  expect(await db().delivery.findUnique({ where: { id: deliveryId } })).toMatchObject({
    status: "failed",
    messageId: null,
    error: expect.stringContaining("230013"),
  });
  const claimed = await db().delivery.findMany({ where: { status: "delivered" } });
  expect(claimed.every((delivery) => delivery.messageId !== null)).toBe(true);
});

test("a card older than 14 days is not changed any more: what is open in it moves to a new card", async () => {
  await world.say("owner", "/remind 老卡一 1分钟后");
  await world.say("owner", "/remind 老卡二 1分钟后");
  await wait(2 * 60_000);
  const [one, two] = [
    await db().trackingItem.findFirstOrThrow({ where: { title: "老卡一" } }),
    await db().trackingItem.findFirstOrThrow({ where: { title: "老卡二" } }),
  ];
  const [matter] = await db().deliveryMatter.findMany({ where: { itemId: one.id } });
  expect(await db().deliveryMatter.count({ where: { itemId: two.id, deliveryId: matter?.deliveryId ?? "" } })).toBe(1);
  const old = await db().cardPost.findFirstOrThrow({ where: { subjectId: matter?.deliveryId ?? "" } });
  await wait(15 * 86_400_000);
  const patches = world.platform.calls.filter((call) => call.path.includes(old.messageId ?? "-")).length;
  await world.say("owner", `/done ${one.number}`);
  await wait(60_000);
  expect(world.platform.calls.filter((call) => call.path.includes(old.messageId ?? "-"))).toHaveLength(patches);
  const replaced = await db().cardPost.findUniqueOrThrow({ where: { id: old.id } });
  expect(replaced).toMatchObject({ gaveUpBecause: "too_old", replacedById: expect.any(String) });
  const fresh = await db().cardPost.findUniqueOrThrow({ where: { id: replaced.replacedById ?? "" } });
  const shown = world.botMessages().find((message) => message.messageId === fresh.messageId);
  expect(JSON.stringify(shown?.content)).toContain("老卡二");
});

test("a change of a card that meets a full gateway days later is made all the same", async () => {
  const { card, itemId } = await remindCard(world, "很久才改");
  const { number } = await db().trackingItem.findUniqueOrThrow({ where: { id: itemId } });
  await wait(3 * 86_400_000);
  world.platform.fault({ kind: "answer", api: "message.patch", code: 230020, times: 6 });
  await world.say("owner", `/done ${number}`);
  world.platform.fault({ kind: "clear" });
  await wait(10 * 60_000);
  const shown = world.botMessages().find((message) => message.messageId === card.messageId);
  expect(JSON.stringify(shown?.content)).toContain("已完成");
  expect(await db().cardPost.findFirst({ where: { messageId: card.messageId } })).toMatchObject({
    stale: false,
    gaveUpAt: null,
  });
});
