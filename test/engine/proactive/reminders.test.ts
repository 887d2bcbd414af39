import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dueReminders } from "../../../src/engine/proactive/due-reminders.ts";
import { explain } from "../../../src/engine/proactive/explain.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { closeItem } from "../../../src/engine/tracking/close-item.ts";
import { setReminder } from "../../../src/engine/tracking/set-reminder.ts";
import { snoozeItem } from "../../../src/engine/tracking/snooze-item.ts";
import { owner } from "../../helpers/given.ts";
import { type ProactiveWorld, proactiveWorld } from "../../helpers/proactive-world.ts";

let world: ProactiveWorld;

beforeEach(async () => {
  world = await proactiveWorld();
});
afterEach(() => world.release());

const QUOTATION = "周四前把报价单发给客户A";

/** Monday 14:02, read at 14:15. */
async function promised(text = QUOTATION): Promise<void> {
  world.at("11-30 14:02");
  world.say(text);
  world.at("11-30 14:15");
  await world.tick();
  await world.send();
}

const checkpoints = async (): Promise<{ status: string; outcome: string | null; reason: string }[]> =>
  world.scope.db.checkpoint.findMany({
    where: { agentId: world.scope.agent.id },
    orderBy: { startedAt: "asc" },
    select: { status: true, outcome: true, reason: true },
  });

describe("what is said, when, and once", () => {
  it("PS1: a promise with a date is followed silently, then asked about once, citing the very line", async () => {
    await promised();
    expect(await world.scope.db.delivery.count({ where: { agentId: "agent-a" } })).toBe(0);
    expect(await world.items()).toMatchObject([{ momentum: expect.any(String), audience: "private" }]);

    world.at("12-03 10:30");
    expect(await world.tick()).toMatchObject({ outcome: "sent", reason: "item_due" });
    const [text] = await world.send();
    expect(text).toContain("报价单");
    // The card names the date by itself and counts it anew; the reason would only repeat it.
    expect(await world.scope.db.deliveryMatter.findMany({ select: { whyNow: true } })).toEqual([{ whyNow: "" }]);
    const [item] = await world.items();
    expect(item?.evidence[0]?.quote).toBe(QUOTATION);
    const why = await explain(world.scope, owner, "latest");
    expect(why).toMatchObject({
      kind: "message",
      candidates: [{ decision: "send", reason: "due_now", evidence: [{ quote: QUOTATION }] }],
    });

    world.at("12-03 10:45");
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "nothing_new" });
    world.at("12-03 16:00");
    await world.tick();
    expect(await world.send()).toEqual([]);
  });

  it("PS2: what another session says is done is not asked about; the item is closed with that line", async () => {
    await promised();
    world.at("12-02 17:40");
    world.say("报价单已发，客户确认收到", { session: "s2", source: "cli" });
    world.at("12-03 10:30");
    expect((await world.tick()).outcome).not.toBe("sent");
    expect(await world.send()).toEqual([]);
    expect(await world.items("closed")).toMatchObject([
      {
        closedWhy: "done",
        closedBy: owner.openId,
        closedEvidence: [{ sessionId: "s2", quote: "报价单已发，客户确认收到" }],
      },
    ]);
  });

  it("PS3: what only the agent says it has done is asked about, never stated", async () => {
    await promised();
    world.at("12-02 17:40");
    world.say("我已发送报价单。", { role: "assistant" });
    world.at("12-03 10:30");
    await world.tick();
    const [text] = await world.send();
    expect(text).toMatch(/助手说.*确认一下/);
    expect(await world.items()).toMatchObject([{ status: "active", claimedDoneAt: expect.any(Date) }]);
  });

  it("PS4: outside of the hours nothing is read, written or sent; at 09:00 both windows are judged once", async () => {
    await promised();
    const before = await checkpoints();
    world.at("12-01 21:20");
    world.say("明天下午三点和小王对一下预算");
    for (const time of ["12-01 21:31", "12-02 08:59"]) {
      world.at(time);
      expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "outside_active_window" });
    }
    expect(await checkpoints()).toEqual(before);
    expect(await world.scope.db.runDocument.count({ where: { agentId: "agent-a" } })).toBe(before.length * 9);
    world.at("12-02 08:30");
    world.say("还有，周五前要把合同寄给法务");
    world.at("12-02 09:00");
    await world.tick();
    expect((await world.items()).map((item) => item.title).join()).toMatch(/预算.*合同|合同.*预算/);
    expect((await checkpoints()).length).toBe(before.length + 1);
  });

  it("PS5: words in the seconds before the sending take the matter back, and close it", async () => {
    await promised();
    world.at("12-03 11:00:00");
    expect((await world.tick()).outcome).toBe("sent");
    world.at("12-03 11:00:03");
    world.say("不用管报价单了");
    world.at("12-03 11:00:05");
    expect(await world.send()).toEqual([]);
    expect(await world.items("closed")).toMatchObject([{ closedWhy: "dropped", closedBy: owner.openId }]);
    // Withdrawn is not failed to arrive: the window stays judged.
    expect((await checkpoints()).at(-1)).toMatchObject({ status: "committed" });
    world.at("12-03 12:30");
    await world.tick();
    expect(await world.send()).toEqual([]);
  });

  it("PS5: of two matters only the settled one is taken off, and the text no longer names it", async () => {
    world.at("11-30 14:02");
    world.say(QUOTATION);
    world.say("周四前要把合同寄给法务", { session: "s2" });
    world.at("11-30 14:15");
    await world.tick();
    world.at("12-03 11:00:00");
    await world.tick();
    world.at("12-03 11:00:03");
    world.say("不用管报价单了");
    world.at("12-03 11:00:05");
    const texts = await world.send();
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("合同");
    expect(texts[0]).not.toContain("报价单");
  });

  it("PS7: of two messages of a window one fails: only its matter is judged again, the other never repeats", async () => {
    world.at("11-30 10:00");
    const first = await world.given.item({
      title: "交周报",
      dueAt: new Date("2026-11-30T10:00:00Z"),
      dueGrain: "minute",
    });
    const second = await world.given.item({
      title: "寄合同",
      dueAt: new Date("2026-11-30T10:00:00Z"),
      dueGrain: "minute",
    });
    world.at("11-30 11:00");
    await world.tick();
    await world.send(() => "fails");
    // The run's one message split in two: as if it had been sent in parts.
    const run = (await world.scope.db.checkpoint.findFirstOrThrow({ where: { agentId: "agent-a" } })).runId;
    await world.scope.db.deliveryMatter.deleteMany({ where: { agentId: "agent-a", itemId: first.id } });
    const arrived = await world.given.delivery([first], { runId: run });
    await world.send((id) => (id === arrived.deliveryId ? "arrives" : "fails"));
    expect(await checkpoints()).toMatchObject([{ status: "superseded" }]);

    world.at("11-30 12:30");
    expect(await world.tick()).toMatchObject({ outcome: "sent", reason: "delivery_rolled_back" });
    const again = await world.scope.db.delivery.findFirstOrThrow({
      where: { agentId: "agent-a", status: "pending" },
    });
    const matters = await world.scope.db.deliveryMatter.findMany({
      where: { deliveryId: again.id, agentId: "agent-a" },
    });
    expect(matters.map((matter) => matter.itemId)).toEqual([second.id]);
    expect(await world.send()).toHaveLength(1);
  });

  it("PS8: a snoozed matter found again in a new session stays silent until its instant, then comes once", async () => {
    await promised();
    world.at("12-03 10:30");
    await world.tick();
    await world.send();
    const [item] = await world.items();
    await snoozeItem(world.scope, owner, {
      itemId: item?.id ?? "",
      at: new Date("2026-12-03T18:00:00+08:00"),
    });
    world.at("12-03 15:40");
    world.say("对了，给客户A的报价单周四前要发", { session: "s9" });
    world.at("12-03 16:00");
    await world.tick();
    await dueReminders(world.scope);
    expect(await world.send()).toEqual([]);
    expect(await world.items()).toHaveLength(1);

    world.at("12-03 18:00");
    await dueReminders(world.scope);
    await dueReminders(world.scope);
    expect(await world.send()).toHaveLength(1);
    world.at("12-03 18:15");
    await dueReminders(world.scope);
    await world.tick();
    expect(await world.send()).toEqual([]);
  });

  it("PS9: the bot's own reminder, mirrored into the history, is nobody's promise", async () => {
    await promised();
    world.at("12-03 10:30");
    await world.tick();
    const [text] = await world.send();
    world.at("12-03 10:40");
    world.say(text ?? "", { role: "user", session: "s7" });
    world.say(text ?? "", { role: "assistant", session: "s7" });
    world.at("12-03 11:00");
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "nothing_new" });
    expect(await world.items()).toHaveLength(1);
  });

  it("PS10: forty open items after a holiday: as many as configured, the rest folded, the text says how many", async () => {
    world.at("11-30 09:30");
    for (let i = 1; i <= 40; i++) {
      await world.given.item({
        title: `事项甲乙${i}号文件归档`,
        dueAt: new Date("2026-11-30T09:00:00Z"),
        dueGrain: "day",
      });
    }
    world.at("11-30 11:00");
    expect(await world.tick()).toMatchObject({ outcome: "sent", counts: { sent: 5, skipped: 35 } });
    const [text] = await world.send();
    expect(text).toContain("另有 35 项");
    const matters = await world.scope.db.deliveryMatter.findMany({ where: { agentId: "agent-a" } });
    expect([matters.filter((m) => !m.folded).length, matters.filter((m) => m.folded).length]).toEqual([5, 35]);
    const items = await world.items();
    expect(items.filter((item) => item.lastRemindedAt !== null)).toHaveLength(5);
    world.at("11-30 11:15");
    await world.tick();
    expect(await world.send()).toEqual([]);
  });

  it("PS11: the clock set back one hour between two ticks: no second message", async () => {
    await promised();
    world.at("12-03 11:00");
    await world.tick();
    expect(await world.send()).toHaveLength(1);
    world.at("12-03 10:00");
    await world.tick();
    await dueReminders(world.scope);
    expect(await world.send()).toEqual([]);
    world.at("12-03 11:00");
    await world.tick();
    expect(await world.send()).toEqual([]);
  });
});

describe("times a person named", () => {
  it("a /remind is spoken at its minute exactly once, at night too, and counts against nothing", async () => {
    world.at("11-30 20:00");
    await setReminder(world.scope, owner, {
      text: "给妈妈打电话",
      at: new Date("2026-11-30T23:30:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    world.at("11-30 23:29");
    expect(await dueReminders(world.scope)).toMatchObject({ spoken: 0 });
    world.at("11-30 23:30");
    expect(await dueReminders(world.scope)).toMatchObject({ spoken: 1 });
    expect(await world.send()).toEqual(["到点了：给妈妈打电话"]);
    world.at("11-30 22:30");
    await dueReminders(world.scope);
    world.at("11-30 23:31");
    await dueReminders(world.scope);
    expect(await world.send()).toEqual([]);
    // It left no mark on the window of the conversation.
    world.at("12-01 10:00");
    await promised();
    expect(await world.items()).toHaveLength(2);
  });

  it("a time with seconds is kept, told and said at the next full minute", async () => {
    world.at("11-30 17:05:23");
    const { item } = await setReminder(world.scope, owner, {
      text: "喝水",
      at: new Date("2026-11-30T17:06:23+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    expect(item.dueAt).toEqual(new Date("2026-11-30T17:07:00+08:00"));
    world.at("11-30 17:06:59");
    expect(await dueReminders(world.scope)).toMatchObject({ spoken: 0 });
    world.at("11-30 17:07");
    expect(await dueReminders(world.scope)).toMatchObject({ spoken: 1 });
    await world.send();
    const put = await snoozeItem(world.scope, owner, {
      itemId: item.id,
      at: new Date("2026-11-30T18:00:00.001+08:00"),
    });
    expect(put.outcome === "snoozed" && put.until).toEqual(new Date("2026-11-30T18:01:00+08:00"));
  });

  it("a /remind nobody answers is said once and then stays on the list", async () => {
    world.at("11-30 09:00");
    await setReminder(world.scope, owner, {
      text: "喝水",
      at: new Date("2026-11-30T11:00:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    const said: string[] = [];
    for (let step = 0; step < 8 * 12; step++) {
      world.scope.clock.advance({ hours: 2 });
      if (step % 12 === 3) world.say("今天天气不错");
      await dueReminders(world.scope);
      await world.tick();
      said.push(...(await world.send()));
    }
    expect(said).toEqual(["到点了：喝水"]);
    expect(await world.items()).toMatchObject([{ title: "喝水", status: "active" }]);
  });

  it("a /remind put off is said again at its new time, and then no more", async () => {
    world.at("11-30 09:00");
    const { item } = await setReminder(world.scope, owner, {
      text: "喝水",
      at: new Date("2026-11-30T11:00:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    world.at("11-30 11:00");
    await dueReminders(world.scope);
    await world.send();
    await snoozeItem(world.scope, owner, { itemId: item.id, at: new Date("2026-11-30T15:00:00+08:00") });
    world.at("11-30 15:00");
    await dueReminders(world.scope);
    expect(await world.send()).toEqual(["到点了：喝水"]);
    world.at("12-02 11:00");
    await world.tick();
    expect(await world.send()).toEqual([]);
  });

  it("a /remind said much later than named says when it was meant for", async () => {
    world.at("11-30 09:00");
    for (const [i, text] of ["喝水", "吃药"].entries()) {
      await setReminder(world.scope, owner, {
        text,
        at: new Date("2026-11-30T11:00:00+08:00"),
        place: { chatType: "p2p" },
        messageId: `om_${i}`,
      });
      world.at("11-30 14:00");
      await dueReminders(world.scope);
      expect(await world.send()).toEqual([`原定今天 11:00 提醒你，我当时不在线：${text}`]);
      world.at("11-30 09:00");
    }
  });

  it("two replicas in the same minute make one message", async () => {
    world.at("11-30 10:00");
    await setReminder(world.scope, owner, {
      text: "吃药",
      at: new Date("2026-11-30T12:00:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    world.at("11-30 12:00");
    await Promise.all([dueReminders(world.scope), dueReminders(world.scope)]);
    expect(await world.send()).toHaveLength(1);
  });

  it("one that did not arrive is tried again after a pause, and not for ever", async () => {
    world.at("11-30 10:00");
    await setReminder(world.scope, owner, {
      text: "吃药",
      at: new Date("2026-11-30T12:00:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    world.at("11-30 12:00");
    let tries = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      tries += (await dueReminders(world.scope)).spoken;
      await world.send(() => "fails");
      world.scope.clock.advance({ minutes: minute < 30 ? 1 : 30 });
      if (world.scope.clock.now() > new Date("2026-12-01T12:00:00+08:00")) break;
    }
    expect(tries).toBe(5);
  });

  it("a member's own reminder goes to the member, and workers never see it", async () => {
    world.at("11-30 10:00");
    await setReminder(
      world.scope,
      { kind: "person", openId: "ou_member", role: "member" },
      {
        text: "秘密的事",
        at: new Date("2026-11-30T12:00:00+08:00"),
        place: { chatType: "p2p" },
        messageId: "om_1",
      },
    );
    await promised();
    const documents = await world.scope.db.runDocument.findMany({ where: { agentId: "agent-a" } });
    expect(documents.map((document) => document.content).join()).not.toContain("秘密");
    world.at("11-30 14:30");
    await world.scope.db.trackingItem.updateMany({
      where: { kind: "reminder", agentId: "agent-a" },
      data: { snoozedUntil: world.scope.clock.now() },
    });
    await dueReminders(world.scope);
    expect(
      await world.scope.db.delivery.findMany({ where: { agentId: "agent-a" }, select: { recipientOpenId: true } }),
    ).toEqual([{ recipientOpenId: "ou_member" }]);
  });
});

describe("a snooze that has ended", () => {
  const putOff = async (title: string, until: string): Promise<void> => {
    const item = await world.given.item({ title, dueAt: new Date(`2026-${until}+08:00`), dueGrain: "day" });
    await world.scope.db.trackingItem.updateMany({
      where: { id: item.id, agentId: "agent-a" },
      data: { snoozedUntil: new Date(`2026-${until}+08:00`), exact: false },
    });
  };

  it("and a run due in the same minute make one message; the other waits for the gap", async () => {
    world.at("11-30 17:00");
    await putOff("回复客户邮件", "11-30T18:00:00");
    await world.given.item({ title: "交周报", dueAt: new Date("2026-12-01T10:00:00Z"), dueGrain: "minute" });
    const said: string[] = [];
    for (const time of ["12-01 09:00", "12-01 09:01", "12-01 09:15", "12-01 09:59"]) {
      world.at(time);
      await Promise.all([world.tick(), dueReminders(world.scope)]);
      for (const text of await world.send()) said.push(time, text);
    }
    expect(said.filter((entry) => entry.startsWith("12-01"))).toEqual(["12-01 09:00"]);
    for (const time of ["12-01 10:00", "12-01 10:15"]) {
      world.at(time);
      await dueReminders(world.scope);
      await world.tick();
      said.push(...(await world.send()));
    }
    expect(said.join()).toMatch(/回复客户邮件/);
    expect(said.join()).toMatch(/交周报/);
  });

  it("waits for the gap after another message, in the sweep and in a run; a named time does not and takes it along", async () => {
    world.at("11-30 09:30");
    await world.given.item({ title: "交周报", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "day" });
    await putOff("回复客户邮件", "11-30T11:30:00");
    await setReminder(world.scope, owner, {
      text: "喝水",
      at: new Date("2026-11-30T11:45:00+08:00"),
      place: { chatType: "p2p" },
      messageId: "om_1",
    });
    world.at("11-30 11:00");
    await world.tick();
    expect(await world.send()).toHaveLength(1);
    world.at("11-30 11:30");
    expect(await dueReminders(world.scope)).toMatchObject({ spoken: 0 });
    await world.tick();
    expect(await world.send()).toEqual([]);
    world.at("11-30 11:45");
    expect(await dueReminders(world.scope)).toMatchObject({ spoken: 2 });
    expect(await world.send()).toHaveLength(1);
  });
});

describe("quieter", () => {
  it("an appointment nobody reacted to twice is still named shortly before its hour", async () => {
    world.at("11-30 09:00");
    world.say("12月3日上午10点要跟林总谈调薪");
    const said: string[] = [];
    for (const local of ["11-30 11:00", "12-02 09:30", "12-03 09:00"]) {
      world.at(local);
      await world.tick();
      if ((await world.send()).length > 0) said.push(local);
    }
    expect(said).toEqual(["11-30 11:00", "12-02 09:30", "12-03 09:00"]);
  });

  it("a matter nobody reacts to comes at growing distances, three times, and never again", async () => {
    world.at("11-30 10:00");
    await world.given.item({ title: "等供应商回复合同", momentum: "waiting", kind: "waiting" });
    const said: string[] = [];
    for (let step = 0; step < 14 * 6; step++) {
      world.scope.clock.advance({ hours: 4 });
      await world.tick();
      if ((await world.send()).length > 0) said.push(world.scope.clock.now().toISOString().slice(0, 13));
    }
    expect(said).toHaveLength(3);
    const gaps = said.slice(1).map((at, i) => Date.parse(`${at}:00Z`) - Date.parse(`${said[i]}:00Z`));
    expect(gaps[1]).toBeGreaterThan(gaps[0] ?? 0);
  });

  it("what a rule of the hour or the number held back is said when that has passed, without any new message", async () => {
    world.at("11-30 10:00");
    await changeSettings(world.scope, owner, { minimumGapMinutes: 120 });
    await world.given.item({ title: "交周报", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "day" });
    world.at("11-30 11:00");
    await world.tick();
    expect(await world.send()).toHaveLength(1);
    await world.given.item({ title: "寄合同", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "day" });
    world.say("周报的格式参考上次的");
    world.at("11-30 12:10");
    await world.tick();
    expect(await world.send()).toEqual([]);
    world.at("11-30 13:05");
    await world.tick();
    expect(await world.send()).toHaveLength(1);
  });

  it("nobody is interrupted in the middle of a chat, and nothing of it is marked as read", async () => {
    world.at("11-30 10:00");
    await world.given.item({ title: "交周报", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "day" });
    world.at("11-30 11:00");
    world.say("帮我看看这段代码");
    world.at("11-30 11:03");
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "person_is_talking" });
    expect(await checkpoints()).toEqual([]);
    world.at("11-30 11:06");
    expect(await world.tick()).toMatchObject({ outcome: "sent" });
  });

  it("paused is silent; a look the person asks for is not", async () => {
    world.at("11-30 10:00");
    await world.given.item({ title: "交周报", dueAt: new Date("2026-11-30T10:00:00Z"), dueGrain: "day" });
    await changeSettings(world.scope, owner, { paused: "2026-12-05T00:00:00Z" });
    world.at("11-30 11:00");
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "paused" });
    expect(await world.tick({ asked: true })).toMatchObject({ outcome: "sent" });
  });

  it("a closed matter does not come back out of the lines from before it was closed", async () => {
    await promised();
    const [item] = await world.items();
    await closeItem(world.scope, owner, { itemId: item?.id ?? "", why: "done" });
    // The run is given back and its window is read again.
    await world.scope.db.checkpoint.updateMany({ where: { agentId: "agent-a" }, data: { status: "superseded" } });
    world.at("11-30 15:00");
    await world.tick();
    expect(await world.items()).toEqual([]);
  });
});

describe("silence costs nothing", () => {
  it("a tick with nothing new writes no row at all", async () => {
    await promised();
    const tables = ["checkpoint", "runDocument", "candidate", "seenMessage", "trackingItem", "auditEntry"] as const;
    const count = async (): Promise<number[]> =>
      Promise.all(tables.map((table) => (world.scope.db[table] as { count(): Promise<number> }).count()));
    const changes = async (): Promise<unknown> => world.scope.db.$queryRaw`SELECT total_changes() AS n`;
    world.at("11-30 14:30");
    const before = [await count(), await changes()];
    expect(await world.tick()).toEqual({ outcome: "silent", reason: "nothing_new", counts: {} });
    await dueReminders(world.scope);
    expect([await count(), await changes()]).toEqual(before);
  });

  it("a dry run stores nothing and sends nothing, but says what it would say", async () => {
    world.at("11-30 10:00");
    world.say("今天下午五点前要把周报发给老板");
    world.at("11-30 14:30");
    const before = await world.scope.db.$queryRaw`SELECT total_changes() AS n`;
    const dry = await world.tick({ dry: true, asked: true });
    expect(dry).toMatchObject({ outcome: "dry", text: expect.stringContaining("周报") });
    expect(await world.scope.db.$queryRaw`SELECT total_changes() AS n`).toEqual(before);
    expect((await world.tick()).outcome).toBe("sent");
  });

  it("a locked history means later: nothing is marked as read", async () => {
    await promised();
    world.say("周五前要把合同寄给法务");
    world.at("11-30 15:00");
    world.history.lock(true);
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "history_unavailable" });
    world.history.lock(false);
    world.at("11-30 15:15");
    await world.tick();
    expect((await world.items()).length).toBe(2);
  });

  it("without an owner there is nobody to speak to", async () => {
    await world.scope.db.person.updateMany({ where: { role: "owner" }, data: { revokedAt: world.scope.clock.now() } });
    world.say(QUOTATION);
    world.at("11-30 15:00");
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "no_owner" });
  });
});

describe("what a run without new words knows and waits for", () => {
  it("a matter that comes due is judged with the conversation of the day before as # Earlier", async () => {
    await promised("明天上午10点要和小王开会，记得带上合同");
    world.at("11-30 20:00");
    world.say("合同放在蓝色文件夹里", { role: "assistant" });
    world.at("12-01 09:00");
    const { reason, runId } = await world.tick();
    expect(reason).toBe("item_due");
    const document = await world.scope.db.runDocument.findFirstOrThrow({
      where: { agentId: world.scope.agent.id, runId: runId ?? "", name: "conversation.md" },
    });
    const [, earlier = ""] = document.content.split("# Earlier");
    expect(earlier).toContain("明天上午10点要和小王开会");
    // What the run has not marked as read stays new, and is not shown twice.
    expect(document.content.split("蓝色文件夹")).toHaveLength(2);
  });

  it("a matter of a kind the person wants less of is looked at when its own longer cool-down ends", async () => {
    await world.given.item({ kind: "follow_up", momentum: "on_track", title: "问问装修进度", evidence: [] });
    const agentId = world.scope.agent.id;
    world.at("11-30 10:00");
    await world.tick();
    const start = world.scope.clock.now();
    await world.scope.db.trackingItem.updateMany({ where: { agentId }, data: { lastRemindedAt: start } });
    await world.scope.db.kindPriority.create({
      data: { agentId, kind: "follow_up", weight: 0.5, updatedAt: start, updatedBy: owner.openId },
    });
    world.at("12-01 11:00");
    expect(await world.tick()).toMatchObject({ outcome: "silent", reason: "nothing_new" });
    world.say("早上好");
    world.at("12-01 11:10");
    await world.tick();
    world.at("12-02 09:00");
    expect((await world.tick()).reason).toBe("item_due");
  });
});

describe("what the owner keeps out", () => {
  it("is not read: neither what is open there, nor that something was settled there", async () => {
    await changeSettings(world.scope, owner, { exclude: "oc_private, telegram" });
    world.at("11-30 14:02");
    world.say("周四前把薪水表交给老板", { session: "s7", chatType: "group", chatId: "oc_private" });
    world.say("周四前把房租转给房东", { session: "s8", source: "telegram" });
    await promised();
    expect((await world.items()).map((item) => item.title).join()).not.toMatch(/薪水|房租/);
    expect(JSON.stringify(await world.scope.db.runDocument.findMany())).not.toMatch(/薪水|房租/);
    world.at("12-03 10:29");
    world.say("报价单已发", { session: "s8", source: "telegram" });
    world.at("12-03 10:30");
    await world.tick();
    expect(await world.send()).toHaveLength(1);
  });
});
