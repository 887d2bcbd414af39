import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppUnderTest, cardOf, startAppUnderTest } from "../helpers/app-under-test.ts";

let world: AppUnderTest;
beforeEach(async () => {
  world = await startAppUnderTest();
});
afterEach(() => world.close());

const reminders = () => world.botMessages().filter((message) => message.content.kind === "card");
const items = () => world.app.scope.db.trackingItem.findMany({ orderBy: { number: "asc" } });

describe("a reminder's life", () => {
  test("from a line in a session to a card, a tap, and its undoing", async () => {
    // The first look at the sample sessions speaks up once, in one message.
    const [card, ...more] = reminders();
    expect(more).toEqual([]);
    if (card === undefined) throw new Error("no reminder came");
    const deliveries = await world.app.scope.db.delivery.findMany();
    expect(deliveries).toMatchObject([{ status: "delivered", messageId: card.messageId }]);
    const before = await items();
    expect(before.length).toBeGreaterThan(1);

    // Done: the toast says so, the same card shows who and when with a way back, the item is closed by the tapper.
    const done = await world.press(card, "item.done");
    expect(done.error).toBeUndefined();
    expect(done.toast).toMatchObject({ type: "success" });
    const [closed] = (await items()).filter((item) => item.status === "closed");
    expect(closed).toMatchObject({ closedWhy: "done", closedBy: world.platform.people.owner.openId });
    const [shown] = reminders();
    expect(JSON.stringify(cardOf(shown ?? card))).toContain("item.undo");

    // The next looks never bring the closed matter up again.
    await world.at("2026-12-01T02:00:00Z");
    await world.at("2026-12-02T02:00:00Z");
    const later = await world.app.scope.db.deliveryMatter.findMany({ where: { itemId: closed?.id ?? "" } });
    expect(later).toHaveLength(1);
  });

  test("undo within its time brings the matter back exactly as it was", async () => {
    const [card] = reminders();
    if (card === undefined) throw new Error("no reminder came");
    const before = await items();
    await world.press(card, "item.done");
    const undone = await world.press(reminders()[0] ?? card, "item.undo");
    expect(undone.toast).toMatchObject({ type: "success" });
    const after = await items();
    const still = ({ revision: _r, updatedAt: _u, ...rest }: (typeof before)[number]) => rest;
    expect(after.map(still)).toEqual(before.map(still));
  });

  test("a snoozed matter stays silent until its instant and then comes once", async () => {
    const [card] = reminders();
    if (card === undefined) throw new Error("no reminder came");
    const answer = await world.press(card, "item.snooze:tomorrow");
    expect(answer.toast).toMatchObject({ type: "success" });
    const snoozed = (await items()).find((item) => item.snoozedUntil !== null);
    expect(snoozed?.snoozedUntil?.toISOString()).toBe("2026-12-01T01:00:00.000Z");
    const spoken = async () =>
      world.app.scope.db.deliveryMatter.count({ where: { itemId: snoozed?.id ?? "", folded: false } });
    const first = await spoken();
    await world.at("2026-11-30T10:00:00Z");
    expect(await spoken()).toBe(first);
    await world.at("2026-12-01T01:00:30Z");
    expect(await spoken()).toBe(first + 1);
    await world.at("2026-12-01T01:30:00Z");
    expect(await spoken()).toBe(first + 1);
  });

  test("a restart changes nothing that is on the screen and sends nothing twice", async () => {
    const before = world.botMessages();
    await world.restart();
    await world.settle();
    expect(world.botMessages().map((message) => message.messageId)).toEqual(before.map((message) => message.messageId));
  });
});
