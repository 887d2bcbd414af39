import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { databasePlace } from "../../src/engine/db.ts";
import type { PageMessage } from "../../src/playground/page-api.ts";
import { type AppUnderTest, cardOf, findControl, startAppUnderTest } from "../helpers/app-under-test.ts";
import { otherProcess } from "../helpers/other-process.ts";
import { remindCard } from "../helpers/remind-card.ts";
import { until } from "../helpers/until.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true });
});
afterAll(() => world.close());

const db = () => world.app.scope.db;
const itemOf = (id: string) => db().trackingItem.findUniqueOrThrow({ where: { id } });
const refusals = () => db().auditEntry.findMany({ where: { what: "tap.refused" }, orderBy: { id: "asc" } });
const buttonOf = (card: PageMessage, action: string) => findControl(cardOf(card), action)?.value;
const now = (message: PageMessage): PageMessage =>
  world.botMessages().find((each) => each.messageId === message.messageId) ?? message;
const textOf = (message: PageMessage): string => JSON.stringify(now(message).content);

/** What the platform pushes for a tap, with the ids in the place asked for. */
function envelope(
  card: PageMessage,
  value: unknown,
  where: "context" | "root",
  eventId: string,
  operator = world.platform.people.owner.openId,
): unknown {
  const ids = { open_message_id: card.messageId, open_chat_id: card.chatId };
  return {
    schema: "2.0",
    header: { event_id: eventId, event_type: "card.action.trigger", app_id: world.platform.app.appId },
    event: {
      operator: { open_id: operator },
      token: "c-1",
      action: { tag: "button", value },
      ...(where === "context" ? { context: ids } : ids),
    },
  };
}

test("a button means the same matter whether the platform puts its ids into the context or at the root", async () => {
  const [a, b] = [await remindCard(world, "甲"), await remindCard(world, "乙")];
  const answers = [
    await world.app.receive(envelope(a.card, buttonOf(a.card, "item.done"), "context", "ev_a")),
    await world.app.receive(envelope(b.card, buttonOf(b.card, "item.done"), "root", "ev_b")),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ toast: { type: "success", content: "已完成" }, card: { type: "raw" } });
  }
  expect([await itemOf(a.itemId), await itemOf(b.itemId)]).toMatchObject([
    { closedWhy: "done" },
    { closedWhy: "done" },
  ]);
  await world.settle();
});

test("while the database is busy a tap is answered in time, and the card follows once it is done", async () => {
  const { card, itemId } = await remindCard(world, "等锁");
  const holder = await otherProcess("hold-lock", pathOf(world));
  await holder.line((line) => line === "held");
  const answer = await world.platform.tap({
    messageId: card.messageId,
    userId: world.platform.people.owner.openId,
    tag: "button",
    value: buttonOf(card, "item.done"),
  });
  expect(answer.error).toBeUndefined();
  expect(answer.toast).toEqual({ type: "info", content: "正在处理" });
  holder.finish();
  await holder.ended;
  await until(async () => (await itemOf(itemId)).status === "closed");
  await until(async () => textOf(card).includes("item.undo"));
  expect(textOf(card)).toContain("已完成");
});

test("of two taps at once from two devices one takes effect, and the other is told what was done", async () => {
  const { card, itemId } = await remindCard(world, "双击");
  const value = buttonOf(card, "item.done");
  const tap = () =>
    world.platform.tap({
      messageId: card.messageId,
      userId: world.platform.people.owner.openId,
      tag: "button",
      value,
    });
  const answers = await Promise.all([tap(), tap()]);
  expect(answers.map((answer) => answer.toast?.content).sort()).toEqual(["你已处理：完成", "已完成"]);
  expect(await db().itemDecision.count({ where: { itemId } })).toBe(1);
  // Both devices show the same.
  for (const answer of answers) expect(JSON.stringify(answer.card)).toContain("item.undo");
  await world.settle();
});

test("a changed id, another chat, a card past its time and a stranger are refused, each in its words, and nothing changes", async () => {
  const { card, itemId, postId } = await remindCard(world, "拒绝");
  const before = await itemOf(itemId);
  const earlier = (await refusals()).length;
  const value = buttonOf(card, "item.done") as { post: string };
  const tap = (more: Partial<Parameters<typeof world.platform.tap>[0]>) =>
    world.platform.tap({
      messageId: card.messageId,
      userId: world.platform.people.owner.openId,
      tag: "button",
      value,
      ...more,
    });
  const last = value.post.endsWith("0") ? "1" : "0";
  const changed = await tap({ value: { ...value, post: `${value.post.slice(0, -1)}${last}` } });
  const other = await remindCard(world, "别处");
  const elsewhere = await tap({ messageId: other.card.messageId });
  const stranger = (await world.app.receive(
    envelope(card, value, "context", "ev_stranger", world.platform.people.member.openId),
  )) as typeof changed;
  await db().cardPost.update({
    where: { id: postId },
    data: { sentAt: new Date(world.platform.clock.now().getTime() - 15 * 86_400_000) },
  });
  const late = await tap({});
  expect([changed, elsewhere, stranger, late].map((answer) => answer.toast?.content)).toEqual([
    "认不出这张卡片，发 /items 看最新的",
    "这张卡片不属于这个聊天",
    "你还没有权限操作",
    "这张卡片已超过 14 天，不能再点。发 /items 看最新的。",
  ]);
  expect((await refusals()).slice(earlier).map((entry) => entry.after)).toEqual([
    { why: "notOurs" },
    { why: "wrongPlace" },
    { why: "stranger" },
    { why: "expired" },
  ]);
  expect(await itemOf(itemId)).toEqual(before);
});

test("an action this release does not know is answered with a toast, and nothing else happens", async () => {
  const { card, itemId, postId } = await remindCard(world, "旧动作");
  const before = await itemOf(itemId);
  for (const value of [{ v: 1, post: postId, action: "old.action", payload: {} }, { k: "old.action" }, "text", null]) {
    const answer = await world.platform.tap({
      messageId: card.messageId,
      userId: world.platform.people.owner.openId,
      tag: "button",
      value,
    });
    expect(answer.error).toBeUndefined();
    expect(answer.toast?.content).toBe("这张卡片已过期");
  }
  expect(await itemOf(itemId)).toEqual(before);
});

test("the same event again is answered as before and done once", async () => {
  const { card, itemId } = await remindCard(world, "重投");
  const event = envelope(card, buttonOf(card, "item.done"), "context", "ev_again");
  const first = await world.app.receive(event);
  await world.app.receive(envelope(card, buttonOf(card, "item.drop"), "context", "ev_other"));
  expect(await world.app.receive(event)).toEqual(first);
  expect(await db().itemDecision.count({ where: { itemId } })).toBe(1);
  await world.settle();
});

test("a tap whose answer is lost with the connection has happened, and the next tap is told so", async () => {
  const { card, itemId } = await remindCard(world, "断线");
  const holder = await otherProcess("hold-lock", pathOf(world));
  await holder.line((line) => line === "held");
  const value = buttonOf(card, "item.done");
  const tap = () =>
    world.platform.tap({ messageId: card.messageId, userId: world.platform.people.owner.openId, tag: "button", value });
  const lost = tap();
  await until(() => world.app.inHand() > 0);
  world.platform.fault({ kind: "kill_sockets" });
  expect((await lost).error).toBeDefined();
  holder.finish();
  await holder.ended;
  await until(async () => (await itemOf(itemId)).status === "closed");
  await world.platform.whenConnected(20_000);
  expect((await tap()).toast?.content).toBe("你已处理：完成");
  expect(await db().itemDecision.count({ where: { itemId } })).toBe(1);
});

test("buttons work from the first moment after a restart, without another card in between", async () => {
  const { card, itemId } = await remindCard(world, "重启");
  await world.restart();
  await until(() => world.platform.connections() === 1);
  const answer = await world.press(card, "item.done");
  // The first tap of a cold process on a busy machine may be answered before it is done.
  expect(answer.error).toBeUndefined();
  expect(["已完成", "正在处理"]).toContain(answer.toast?.content);
  await until(async () => (await itemOf(itemId)).status === "closed");
});

test("slow work asked for by a button is answered at once and told in the chat when it is done", async () => {
  await world.say("owner", "/status");
  const status = world.botMessages().at(-1);
  if (status === undefined) throw new Error("no status card");
  const before = world.botMessages().length;
  const answer = await world.press(status, "tick.run");
  expect(answer.toast?.content).toBe("正在看，稍等");
  await until(() => world.botMessages().length > before);
  expect(JSON.stringify(world.botMessages().at(-1)?.content)).toContain("看完了");
});

test("times in toasts and on cards are on the wall of the person who reads them", async () => {
  const { owner } = world.platform.people;
  await db().person.updateMany({ where: { openId: owner.openId }, data: { zone: "Europe/Berlin" } });
  const { card, itemId } = await remindCard(world, "柏林");
  const answer = await world.press(card, "item.snooze:tomorrow");
  const snoozedUntil = (await itemOf(itemId)).snoozedUntil;
  const berlin = new Intl.DateTimeFormat("zh", { timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit" });
  const clock = berlin.format(snoozedUntil ?? new Date(0));
  expect(clock).toBe("09:00");
  expect(answer.toast?.content).toContain(clock);
  expect(textOf(card)).toContain(clock);
  await db().person.updateMany({ where: { openId: owner.openId }, data: { zone: null } });
});

function pathOf(of: AppUnderTest): string {
  const place = databasePlace(of.config.databaseUrl);
  if (place.provider !== "sqlite") throw new Error("this test needs a file");
  return place.path;
}
