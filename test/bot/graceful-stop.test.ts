import { afterEach, expect, test, vi } from "vitest";
import { databasePlace, openDb } from "../../src/engine/db.ts";
import { type AppUnderTest, cardOf, findControl, startAppUnderTest } from "../helpers/app-under-test.ts";
import { otherProcess } from "../helpers/other-process.ts";
import { remindCard } from "../helpers/remind-card.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
afterEach(() => world.close());

test("whoever taps at the moment of a stop is answered, and what they asked for is done before the database is let go", async () => {
  world = await startAppUnderTest({ emptyHome: true });
  const { card, itemId } = await remindCard(world, "停机前");
  const place = databasePlace(world.config.databaseUrl);
  if (place.provider !== "sqlite") throw new Error("this test needs a file");
  const holder = await otherProcess("hold-lock", place.path);
  await holder.line((line) => line === "held");
  const tapped = world.platform.tap({
    messageId: card.messageId,
    userId: world.platform.people.owner.openId,
    tag: "button",
    value: findControl(cardOf(card), "item.done")?.value,
  });
  await vi.waitUntil(() => world.app.inHand() > 0, { timeout: 10_000 });
  const stopped = world.app.release();
  const answer = await tapped;
  expect(answer.error).toBeUndefined();
  expect(answer.toast).toBeDefined();
  holder.finish();
  await stopped;
  const { db, close } = await openDb(world.config.databaseUrl);
  expect(await db.trackingItem.findUnique({ where: { id: itemId } })).toMatchObject({ status: "closed" });
  expect(await db.inboxEvent.count({ where: { kind: "tap", status: "waiting" } })).toBe(0);
  await close();
});

test("messages that still wait at a stop are answered after the next start, each once", async () => {
  world = await startAppUnderTest({ emptyHome: true });
  const { owner } = world.platform.people;
  const say = (text: string) =>
    world.platform.deliverMessage({ chatId: world.platform.chats.owner, userId: owner.openId, text }).acknowledged;
  await Promise.all([say("/lang en"), say("/quiet"), say("/lang zh"), say("/whoami")]);
  await world.restart();
  await world.settle();
  await world.at(new Date(world.platform.clock.now().getTime() + 120_000));
  const answers = world.botMessages().map((message) => JSON.stringify(message.content));
  expect(answers).toHaveLength(4);
  expect(answers[1]).toContain("I stay quiet");
  expect(answers[3]).toContain("open_id");
});
