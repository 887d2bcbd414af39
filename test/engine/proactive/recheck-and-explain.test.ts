import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dueReminders } from "../../../src/engine/proactive/due-reminders.ts";
import { explain, TICK_JOB } from "../../../src/engine/proactive/explain.ts";
import { recheckDelivery } from "../../../src/engine/proactive/recheck-delivery.ts";
import { settleDeliveries } from "../../../src/engine/proactive/settle-deliveries.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { closeItem } from "../../../src/engine/tracking/close-item.ts";
import type { TrackingItem } from "../../../src/engine/tracking/item.ts";
import { setReminder } from "../../../src/engine/tracking/set-reminder.ts";
import { snoozeItem } from "../../../src/engine/tracking/snooze-item.ts";
import { member, owner } from "../../helpers/given.ts";
import { type ProactiveWorld, proactiveWorld } from "../../helpers/proactive-world.ts";

let world: ProactiveWorld;
let item: TrackingItem;

/** A reminder decided at 11:00 and not sent yet. */
beforeEach(async () => {
  world = await proactiveWorld();
  world.at("11-30 08:00");
  item = await world.given.item({ title: "交周报", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "minute" });
  world.at("11-30 11:00");
  expect((await world.tick()).outcome).toBe("sent");
});
afterEach(() => world.release());

const deliveryId = async (): Promise<string> =>
  (await world.scope.db.delivery.findFirstOrThrow({ where: { agentId: "agent-a" } })).id;
const recheck = async (): Promise<unknown> => recheckDelivery(world.scope, await deliveryId());

describe("the last look before sending", () => {
  it("nothing has changed: send", async () => {
    expect(await recheck()).toBe("send");
  });

  it("closed or snoozed by a tap meanwhile: withdrawn, no message, and the window stays judged", async () => {
    await closeItem(world.scope, owner, { itemId: item.id, why: "done" });
    expect(await recheck()).toBe("withdrawn");
    expect(await recheck()).toBe("withdrawn");
    await settleDeliveries(world.scope);
    expect(await world.scope.db.delivery.findFirst({ where: { agentId: "agent-a" } })).toMatchObject({
      status: "failed",
      error: "withdrawn",
    });
    expect(await world.scope.db.checkpoint.findFirst({ where: { agentId: "agent-a" } })).toMatchObject({
      status: "committed",
    });
    expect(await world.send()).toEqual([]);
  });

  it("snoozed meanwhile: withdrawn", async () => {
    await snoozeItem(world.scope, owner, { itemId: item.id, choice: "1h" });
    expect(await recheck()).toBe("withdrawn");
  });

  it("quiet hours or a pause have begun meanwhile: it waits for their end", async () => {
    world.at("11-30 21:30");
    expect(await recheck()).toEqual({ later: new Date("2026-12-01T09:00:00+08:00") });
    world.at("11-30 12:00");
    const paused = new Date("2026-11-30T15:00:00+08:00");
    await changeSettings(world.scope, owner, { paused: paused.toISOString() });
    expect(await recheck()).toEqual({ later: paused });
  });

  it("a history that cannot be read holds it back for ten minutes, then it goes out", async () => {
    world.history.lock(true);
    expect(await recheck()).toEqual({ later: new Date("2026-11-30T11:01:00+08:00") });
    world.at("11-30 11:10");
    expect(await recheck()).toBe("send");
  });

  it("a reminder at a named time waits for nothing", async () => {
    await world.send();
    await setReminder(world.scope, owner, {
      text: "吃药",
      at: new Date("2026-11-30T23:00:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    world.at("11-30 23:00");
    world.history.lock(true);
    await dueReminders(world.scope);
    expect(await world.send()).toEqual(["到点了：吃药"]);
  });

  it("what somebody said loosely does not take off a reminder they set; closing it does", async () => {
    await world.send();
    const set = (text: string, messageId: string) =>
      setReminder(world.scope, owner, {
        text,
        at: new Date("2026-11-30T15:00:00+08:00"),
        place: { chatType: "p2p" },
        messageId,
      });
    await set("给王总打电话", "om_1");
    const second = await set("交水电费", "om_2");
    world.at("11-30 15:00");
    await dueReminders(world.scope);
    world.say("给王总打过电话了，水电费也交了");
    world.say("给王总打电话已经办好了");
    await closeItem(world.scope, owner, { itemId: second.item.id, why: "done" });
    expect(await world.send()).toEqual([expect.stringContaining("给王总打电话")]);
  });

  it("in a direct chat of another known person nothing of the owner's is settled", async () => {
    world.say("周报已经交了", { session: "mia", userId: member.openId });
    expect(await recheck()).toBe("send");
    world.say("周报已经交了");
    expect(await recheck()).toBe("withdrawn");
  });

  it("access taken back meanwhile: there is nobody to speak to", async () => {
    await world.scope.db.person.updateMany({ where: { openId: owner.openId }, data: { revokedAt: new Date() } });
    expect(await recheck()).toBe("withdrawn");
  });
});

describe("receipts", () => {
  it("delivered needs a message id; settling twice changes nothing", async () => {
    expect(await settleDeliveries(world.scope)).toEqual({ delivered: 0, failed: 0 });
    await world.send();
    expect(await settleDeliveries(world.scope)).toEqual({ delivered: 0, failed: 0 });
    expect(await world.scope.db.delivery.findFirst({ where: { agentId: "agent-a" } })).toMatchObject({
      status: "delivered",
      messageId: "om_sent_1",
      chatId: "oc_dm_owner",
    });
    expect(await world.items()).toMatchObject([
      { reminderCount: 1, ignoredCount: 1, lastRemindedAt: expect.any(Date) },
    ]);
  });

  it("failed: the receipt and the window given back stand in one transaction; the item counts as not reminded", async () => {
    await world.send(() => "fails");
    expect(await world.scope.db.delivery.findFirst({ where: { agentId: "agent-a" } })).toMatchObject({
      status: "failed",
      error: "refused",
    });
    expect(await world.scope.db.checkpoint.findFirst({ where: { agentId: "agent-a" } })).toMatchObject({
      status: "superseded",
    });
    expect(await world.items()).toMatchObject([{ reminderCount: 0, lastRemindedAt: null }]);
  });

  it("a platform that refuses everything does not make a run every quarter of an hour for ever", async () => {
    await world.send(() => "fails");
    let runs = 0;
    for (let i = 0; i < 32; i++) {
      world.scope.clock.advance({ minutes: 15 });
      const result = await world.tick();
      if (result.outcome === "sent") runs++;
      else expect(result).toMatchObject({ outcome: "silent", reason: "not_arriving" });
      await world.send(() => "fails");
    }
    expect(runs).toBeLessThanOrEqual(4);
    world.scope.clock.advance({ hours: 4 });
    expect(await world.tick({ asked: true })).toMatchObject({ outcome: "sent" });
    expect(await world.send()).toHaveLength(1);
  });
});

describe("/why", () => {
  it("shows the lines and the decision behind a message, to the one who got it", async () => {
    await world.send();
    const why = await explain(world.scope, owner, { messageId: "om_sent_1" });
    expect(why).toMatchObject({
      kind: "message",
      tickReason: "item_due",
      extractor: "rules",
      editor: "code",
      candidates: [{ title: "交周报", decision: "send", reason: "due_now", evidence: [{ quote: expect.any(String) }] }],
    });
    expect(await explain(world.scope, owner, { itemId: item.id })).toEqual(why);
    await expect(explain(world.scope, member, { messageId: "om_sent_1" })).rejects.toThrow("not_found");
    await expect(explain(world.scope, owner, { messageId: "om_nope" })).rejects.toThrow("not_found");
    await expect(explain(world.given.b, owner, { messageId: "om_sent_1" })).rejects.toThrow("not_found");
  });

  it("of a matter of several tells that one, and how many others there were", async () => {
    await world.send();
    const { runId } = await world.scope.db.delivery.findFirstOrThrow({ where: { agentId: "agent-a" } });
    const [first] = await world.scope.db.candidate.findMany({ where: { runId } });
    if (!first) throw new Error("no candidate");
    const { id: _, evidence, ...rest } = first;
    await world.scope.db.candidate.create({ data: { ...rest, evidence: evidence ?? [], index: 9, title: "另一件" } });
    expect(await explain(world.scope, owner, { itemId: item.id })).toMatchObject({
      others: 1,
      candidates: [{ title: "交周报" }],
    });
    expect(await explain(world.scope, owner, { messageId: "om_sent_1" })).toMatchObject({
      others: 0,
      candidates: [{ title: "交周报" }, { title: "另一件" }],
    });
  });

  it("asked bare, tells the newest message of the last day with the silence since; after a day, the silence", async () => {
    await world.send();
    const silentAt = async (id: string, time: string, reason: string): Promise<Date> => {
      const slot = world.at(time);
      const job = { agentId: "agent-a", job: TICK_JOB, slotAt: slot, startedAt: slot, finishedAt: slot };
      await world.scope.db.jobRun.create({ data: { id, ...job, outcome: "no_op", reason } });
      return slot;
    };
    expect(await explain(world.scope, owner, "latest")).not.toHaveProperty("silentSince");
    const checkedAt = await silentAt("j1", "11-30 11:15", "nothing_new");
    expect(await explain(world.scope, owner, "latest")).toMatchObject({
      kind: "message",
      extractor: "rules",
      candidates: [{ title: "交周报" }],
      silentSince: { checkedAt, reason: "nothing_new" },
    });
    await silentAt("j2", "12-01 22:00", "outside_active_window");
    expect(await explain(world.scope, owner, "latest")).toMatchObject({
      kind: "silent",
      reason: "outside_active_window",
    });
  });

  it("tells what became of the latest run when nothing was said for a day", async () => {
    await world.send();
    world.at("12-02 09:00");
    world.say("周报的格式参考上次的");
    world.at("12-02 09:10");
    await world.tick();
    const latest = await explain(world.scope, owner, "latest");
    if (latest.kind === "silent") {
      expect(latest.runId).toBeDefined();
      expect(["skipped_all", "nothing_to_say"]).toContain(latest.reason);
    }
  });
});
