import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { inTransaction } from "../../src/engine/db.ts";
import { putPerson } from "../../src/engine/people/put-person.ts";
import { readSettings } from "../../src/engine/settings.ts";
import { noTurns } from "../../src/hermes-bridge/no-hermes.ts";
import { type AppUnderTest, findControl, startAppUnderTest } from "../helpers/app-under-test.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true, parts: { turns: noTurns } });
});
afterAll(() => world.close());

const db = () => world.app.scope.db;
const last = (chat?: string): string => {
  const content = world.botMessages(chat).at(-1)?.content;
  return content?.kind === "text" ? content.text : JSON.stringify(content);
};
/** What the bot answers the owner. */
async function ask(text: string): Promise<string> {
  await world.say("owner", text);
  return last();
}
const itemCalled = (title: string) => db().trackingItem.findFirst({ where: { title } });
const dueOf = async (title: string) => (await itemCalled(title))?.dueAt?.toISOString();
const settings = () => readSettings(world.app.scope);

beforeEach(async () => {
  await ask("/lang zh");
});

describe("a wrong line is answered with one line that says what was expected, with an example, and changes nothing", () => {
  test.each([
    ["/done", "事项编号", "/done 3"],
    ["/drop", "事项编号", "/drop 3"],
    ["/snooze", "一个将来的时间", "/snooze 3 明天下午3点"],
    ["/snooze 3", "一个将来的时间", "/snooze 3 明天下午3点"],
    ["/snooze 1 昨天", "一个还没到的时间", "/snooze 3 明天下午3点"],
    ["/snooze 明天9点", "一个将来的时间", "/snooze 3 明天下午3点"],
    ["/snooze 1 随便", "一个将来的时间", "/snooze 3 明天下午3点"],
    ["/remind", "要提醒的内容和时间", "/remind 交周报 周五17:00"],
    ["/remind 交周报", "要提醒的内容和时间", "/remind 交周报 周五17:00"],
    ["/remind 明天下午3点", "要提醒的内容和时间", "/remind 交周报 周五17:00"],
    ["/remind 昨天下午3点 交周报", "一个还没到的时间", "/remind 交周报 周五17:00"],
    ["/items everything", "closed、all", "/items closed"],
    ["/tick wet", "dry", "/tick dry"],
    ["/run", "查看的编号", "/run run_0abc"],
    ["/quiet 25:00-09:00", "安静时段", "/quiet 21:30-09:00"],
    ["/quiet tonight", "安静时段", "/quiet 21:30-09:00"],
    ["/quiet 22:00-22:00", "安静时段", "/quiet 21:30-09:00"],
    ["/pause 昨天", "一个还没到的时间", "/pause 明天9点"],
    ["/pause 随便", "一个将来的时间", "/pause 明天9点"],
    ["/lang fr", "zh 或 en", "/lang en"],
    ["/prefs x", "不带参数", "/prefs"],
    ["/status x", "不带参数", "/status"],
    ["/runs x", "不带参数", "/runs"],
    ["/whoami x", "不带参数", "/whoami"],
    ["/unpause x", "不带参数", "/unpause"],
  ])("%s", async (line, expected, example) => {
    await ask("/remind 照旧 明天9点");
    const before = [await db().trackingItem.findMany(), await db().setting.findMany({ orderBy: { name: "asc" } })];
    const answer = await ask(line);
    expect(answer).toContain(expected);
    expect(answer).toContain(example);
    expect(answer.split("\n")).toHaveLength(1);
    expect([await db().trackingItem.findMany(), await db().setting.findMany({ orderBy: { name: "asc" } })]).toEqual(
      before,
    );
  });

  test("in English too", async () => {
    await ask("/lang en");
    expect(await ask("/done")).toBe("Expected the number of a matter, for example: /done 3");
    expect(await ask("/snooze 1 yesterday")).toContain("a time that has not passed");
    expect(await ask("/remind")).toContain("what to remind you of and when");
  });

  test("an unknown command names its nearest, or says where to look", async () => {
    expect(await ask("/itmes")).toContain("/items");
    expect(await ask("/xyzzyxyzzy")).toContain("/help");
    expect(await ask("你好")).toContain("还没有接上");
    expect(await ask("／whoami")).toContain("open_id");
  });
});

describe("/remind", () => {
  test.each([
    ["/remind 明天下午3点 交周报甲", "交周报甲", "2026-12-01T07:00:00.000Z"],
    ["/remind 交周报乙 周五17:00", "交周报乙", "2026-12-04T09:00:00.000Z"],
    ["/remind 提醒我明天9点给妈妈打电话", "给妈妈打电话", "2026-12-01T01:00:00.000Z"],
    ["/remind call the bank tomorrow 9am", "call the bank", "2026-12-01T01:00:00.000Z"],
    ["/remind me to water the plants on Friday", "water the plants", "2026-12-04T01:00:00.000Z"],
  ])("%s", async (line, title, at) => {
    const answer = await ask(line);
    expect(await dueOf(title)).toBe(at);
    expect(answer).toContain(title);
    expect(answer).toContain(`#${(await itemCalled(title))?.number}`);
  });

  test("in 2h counts from now", async () => {
    const now = world.platform.clock.now().getTime();
    await ask("/remind call mom in 2h");
    expect(await dueOf("call mom")).toBe(new Date(now + 7_200_000).toISOString());
  });
});

describe("/done, /drop and /snooze", () => {
  test("by number and by words; when several fit, which one is asked and nothing is closed", async () => {
    await ask("/remind 报价单给客户A 明天9点");
    await ask("/remind 报价单给客户B 明天9点");
    const which = await ask("/done 报价单");
    expect(which).toContain("有几件事都像");
    expect(which).toContain("客户A");
    expect(which).toContain("客户B");
    expect(await db().trackingItem.count({ where: { title: { startsWith: "报价单" }, status: "closed" } })).toBe(0);
    expect(await ask("/done 客户A")).toContain("已完成");
    expect(await itemCalled("报价单给客户A")).toMatchObject({ status: "closed", closedWhy: "done" });
    const other = await itemCalled("报价单给客户B");
    expect(await ask(`/drop #${other?.number}`)).toContain("不再跟进");
    expect(await itemCalled("报价单给客户B")).toMatchObject({ status: "closed", closedWhy: "dropped" });
    expect(await ask(`/done ${other?.number}`)).toContain("已由你了结");
  });

  test("a number that does not exist is said to be missing, with what comes near", async () => {
    const answer = await ask("/done 9999");
    expect(answer).toContain("没找到");
    expect(answer).toContain("9999");
  });

  test("/snooze moves the matter to the very time", async () => {
    await ask("/remind 推一推 明天9点");
    const item = await itemCalled("推一推");
    expect(await ask(`/snooze ${item?.number} 后天下午3点`)).toContain("推迟到");
    expect((await itemCalled("推一推"))?.snoozedUntil?.toISOString()).toBe("2026-12-02T07:00:00.000Z");
    expect(await ask("/snooze 推一推 周五10:30")).toContain("推迟到");
    expect((await itemCalled("推一推"))?.snoozedUntil?.toISOString()).toBe("2026-12-04T02:30:00.000Z");
  });
});

describe("settings", () => {
  test.each([
    ["/quiet 22:00-08:00", "22:00", "08:00"],
    ["/quiet 22-8", "22:00", "08:00"],
    ["/quiet 21：30到9：00", "21:30", "09:00"],
    ["/quiet 23:15 to 07:45", "23:15", "07:45"],
    ["/quiet 12:00-14:00", "12:00", "14:00"],
  ])("%s", async (line, from, until) => {
    expect(await ask(line)).toContain(from);
    expect(await settings()).toMatchObject({ activeUntil: from, activeFrom: until });
    expect(await ask("/quiet")).toContain(until);
  });

  test("/quiet shows every rule about disturbing with what changes it, and sets each", async () => {
    const before = await ask("/quiet");
    for (const [rule, words, value] of [
      ["max", "每天最多主动提醒 3 次", 3],
      ["gap", "至少隔 90 分钟", 90],
      ["rest", "30 小时内", 30],
      ["ignored", "连续 2 次", 2],
      ["matters", "最多列 4 件", 4],
      ["idle", "停下来 8 分钟", 8],
    ] as const) {
      expect(before).toContain(`/quiet ${rule} `);
      expect(await ask(`/quiet ${rule} ${value}`)).toContain(words);
      expect(await ask("/quiet")).toContain(words);
    }
    expect(await ask("/quiet 每天 5")).toContain("每天最多主动提醒 5 次");
    expect(await ask("/quiet max 五十一")).toMatch(/0 到 50.*\/quiet max 5/);
    expect(await ask("/quiet")).toContain("每天最多主动提醒 5 次");
  });

  test("/quiet off ends the quiet hours, and says so when asked", async () => {
    expect(await ask("/quiet off")).toContain("不再有安静时段");
    expect(await ask("/quiet")).toContain("没有安静时段");
    await ask("/quiet 21:30-09:00");
  });

  test("/pause is until further notice or until a time; /unpause ends it", async () => {
    expect(await ask("/pause")).toContain("/unpause");
    expect((await settings()).paused).not.toBe(false);
    expect(await ask("/unpause")).toContain("恢复");
    expect((await settings()).paused).toBe(false);
    await ask("/pause until tomorrow 9am");
    expect((await settings()).paused).toEqual(new Date("2026-12-01T01:00:00.000Z"));
    await ask("/pause 3天");
    expect((await settings()).paused).not.toBe(false);
    await ask("/unpause");
  });

  test("/lang answers in the new language and everything after it follows", async () => {
    expect(await ask("/lang en")).toContain("English");
    expect(await ask("/quiet")).toContain("I stay quiet");
    expect(await ask("/语言")).toContain("not connected");
    expect(await ask("/language 中文")).toContain("中文");
    expect(await ask("/quiet")).toContain("不打扰你");
  });
});

describe("looking in", () => {
  test("/tick says what it found, /runs and /run show it, /why tells", async () => {
    expect(await ask("/tick dry")).toContain("试看一遍");
    expect(await ask("/tick")).toContain("看完了");
    expect(await ask("/why")).not.toContain("出了点问题");
    expect(await ask("/runs")).toContain('"kind":"card"');
    const [run] = await db().checkpoint.findMany({ orderBy: { startedAt: "desc" }, take: 1 });
    if (run !== undefined) expect(await ask(`/run ${run.runId.slice(0, 14)}`)).toContain('"kind":"card"');
    expect(await ask("/run run_zzzz")).toContain("没找到这次查看");
  });

  test("/why of a matter that was never mentioned says so", async () => {
    await ask("/remind 还没提过 明天9点");
    const item = await itemCalled("还没提过");
    expect(await ask(`/why ${item?.number}`)).toContain("还没有提过");
  });

  test("/why in reply to a reminder explains that reminder", async () => {
    await ask("/remind 解释我 1分钟后");
    await world.at(new Date(world.platform.clock.now().getTime() + 2 * 60_000));
    const card = world.botMessages().at(-1);
    await world.say("owner", "/why", { replyTo: card?.messageId ?? "" });
    expect(last()).toContain('"kind":"card"');
    const post = await db().cardPost.findFirst({ where: { subjectKind: "why" }, orderBy: { createdAt: "desc" } });
    const told = await db().cardPost.findFirst({ where: { messageId: card?.messageId ?? "" } });
    expect(post?.subjectId).toBe(`delivery/${told?.subjectId}`);
  });

  test("/help lists what this person may use; /items, /status, /whoami answer", async () => {
    expect(await ask("/help")).toContain("/status");
    expect(await ask("/items all")).toContain('"kind":"card"');
    expect(await ask("/items")).toContain('"kind":"card"');
    expect(await ask("/status")).toContain("Herald");
    expect(await ask("/whoami")).toContain("所有者");
  });
});

describe("/prefs", () => {
  beforeAll(() => {
    mkdirSync(world.hermesHome, { recursive: true });
  });
  const file = () => join(world.hermesHome, "PROACTIVE_PREFERENCES.md");

  async function save(text: string): Promise<{ toast?: { content: string } }> {
    const card = world.botMessages().at(-1);
    if (card?.content.kind !== "card") throw new Error("no card");
    const button = findControl(card.content.card, "prefs.save");
    if (button === undefined) throw new Error("no button");
    const answer = await world.platform.tap({
      messageId: card.messageId,
      userId: world.platform.people.owner.openId,
      tag: "button",
      value: button.value,
      formValue: { text },
    });
    await world.settle();
    return answer;
  }

  test("makes the file when it is missing, and saves what the form says", async () => {
    await ask("/prefs");
    expect(readFileSync(file(), "utf8")).toContain("提醒偏好");
    expect((await save("周末不谈工作")).toast?.content).toBe("已保存");
    expect(readFileSync(file(), "utf8")).toBe("周末不谈工作");
    expect(await db().auditEntry.count({ where: { what: "prefs.edit" } })).toBe(1);
    expect((await save("周末不谈工作，除非着火")).toast?.content).toBe("已保存");
    expect(readFileSync(file(), "utf8")).toBe("周末不谈工作，除非着火");
  });

  test("a file that was changed meanwhile is shown, not overwritten; then it can be saved", async () => {
    await ask("/prefs");
    writeFileSync(file(), "手改的内容");
    expect((await save("卡片上的内容")).toast?.content).toContain("没有覆盖");
    expect(readFileSync(file(), "utf8")).toBe("手改的内容");
    expect(last()).toContain("手改的内容");
    expect((await save("合在一起")).toast?.content).toBe("已保存");
    expect(readFileSync(file(), "utf8")).toBe("合在一起");
  });
});

describe("a member", () => {
  test("is refused what only owner and admins may, with an audit entry, and sees only matters of their own", async () => {
    const { member } = world.platform.people;
    await inTransaction(db(), (tx) => putPerson(tx, world.app.scope, { openId: member.openId, role: "member" }));
    const chat = world.platform.chats.member;
    for (const line of [
      "/status",
      "/tick",
      "/runs",
      "/run run_1",
      "/quiet 22:00-08:00",
      "/prefs",
      "/pause",
      "/unpause",
    ]) {
      await world.say("member", line);
      expect(last(chat), line).toContain("所有者和管理员");
    }
    const refused = await db().auditEntry.findMany({ where: { what: "command.refused", actorId: member.openId } });
    expect(refused).toHaveLength(8);
    await world.say("member", "/remind 成员的事 明天9点");
    await world.say("member", "/items");
    expect(last(chat)).toContain("成员的事");
    expect(last(chat)).not.toContain("照旧");
    await world.say("member", "/done 照旧");
    expect(last(chat)).toContain("没找到");
    await world.say("member", "/help");
    expect(last(chat)).not.toContain("/status");
  });
});
