import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { inTransaction } from "../../src/engine/db.ts";
import { putPerson } from "../../src/engine/people/put-person.ts";
import { readSettings, settingGroups, settingsOf } from "../../src/engine/settings.ts";
import { type AppUnderTest, findControl, startAppUnderTest } from "../helpers/app-under-test.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true });
});
afterAll(() => world.close());

const db = () => world.app.scope.db;
const last = (chat?: string): string => {
  const content = world.botMessages(chat).at(-1)?.content;
  return content?.kind === "text" ? content.text : JSON.stringify(content);
};
async function ask(text: string, from: "owner" | "member" = "owner"): Promise<string> {
  await world.say(from, text);
  return last(from === "owner" ? undefined : world.platform.chats.member);
}
type Action = Parameters<typeof findControl>[1];
/** Taps the first control of an action on the newest card of a chat. */
async function tap(action: Action, options: { by?: string; formValue?: Record<string, unknown>; chat?: string } = {}) {
  const card = world.botMessages(options.chat).at(-1);
  if (card?.content.kind !== "card") throw new Error("no card");
  const control = findControl(card.content.card, action);
  if (control === undefined) throw new Error(`no ${action}`);
  const answer = await world.platform.tap({
    messageId: card.messageId,
    userId: options.by ?? world.platform.people.owner.openId,
    tag: "button",
    value: control.value,
    ...(options.formValue && { formValue: options.formValue }),
  });
  await world.settle();
  return answer as { toast?: { type: string; content: string } };
}

/** What a form sends when nothing in it was touched: every field under its name. */
function everyField(element: unknown): Record<string, string> {
  if (typeof element !== "object" || element === null) return {};
  const { tag, name, default_value, initial_option } = element as Record<string, string | undefined>;
  const own =
    name !== undefined && (tag === "input" || tag === "select_static")
      ? { [name]: default_value ?? initial_option ?? "" }
      : {};
  return Object.assign(own, ...Object.values(element).map(everyField));
}

describe("/settings and /set", () => {
  test("one form changes several settings at once, with an audit entry for each, and says who saved", async () => {
    expect(await ask("/settings reminders")).toContain("每天最多主动提醒几次");
    const saved = await tap("settings.save", {
      formValue: { dailyMessages: "3", activeFrom: "08:30", editor: "code" },
    });
    expect(saved.toast?.content).toBe("已保存");
    expect(await readSettings(world.app.scope)).toMatchObject({
      dailyMessages: 3,
      activeFrom: "08:30",
      editor: "code",
    });
    expect(await db().auditEntry.count({ where: { what: "settings.change" } })).toBe(3);
    expect(last()).toContain("默认 5");
  });

  test("one wrong value of a form changes none of it and says what was expected", async () => {
    await ask("/settings");
    const before = await readSettings(world.app.scope);
    const answer = await tap("settings.save", { formValue: { dailyMessages: "99", coolDownHours: "7" } });
    expect(answer.toast).toMatchObject({ type: "error" });
    expect(answer.toast?.content).toBe("每天最多主动提醒几次：需要 0 到 50 条，例如：5");
    expect(await readSettings(world.app.scope)).toEqual(before);
  });

  test.each(settingGroups)("the page %s can be saved as it is shown", async (group) => {
    const shown = JSON.parse(await ask(`/settings ${group}`)) as unknown;
    const fields = everyField(shown);
    expect(Object.keys(fields)).toEqual(settingsOf(group));
    const answer = await tap("settings.save", { formValue: fields });
    expect(answer.toast).toEqual({ type: "info", content: "没有变化。" });
  });

  test("a form cannot change what does not stand on its page", async () => {
    await ask("/settings reading");
    await tap("settings.save", { formValue: { dailyMessages: "17", __proto__x: "1", messageChars: "900" } });
    expect(await readSettings(world.app.scope)).toMatchObject({ dailyMessages: 3, messageChars: 900 });
  });

  test("/set shows, changes, and brings the default back; a near miss is named", async () => {
    expect(await ask("/set dailymessages 4")).toBe("已保存：\n每天最多主动提醒几次：3 → 4");
    expect(await ask("/set dailyMessages")).toContain("默认 5");
    expect(await ask("/set dailyMessages default")).toContain("4 → 5");
    expect(await ask("/set dailyMessages 5")).toContain("没有变化");
    expect(await ask("/set dailyMesages 5")).toContain("dailyMessages");
    expect(await ask("/set tickMinutes soon")).toContain("1 到 240 分钟");
    expect(await ask("/set")).toContain("/set dailyMessages 3");
    expect(await ask("/settings everything")).toContain("/settings reminders");
  });
});

describe("people", () => {
  test("somebody who knocked is let in from the card, and from then on is served", async () => {
    const { member } = world.platform.people;
    const chat = world.platform.chats.member;
    await world.say("member", "你好");
    expect(last(chat)).toContain("只为被允许的人");
    expect(await ask("/members")).toContain(member.openId);
    expect((await tap("people.grant")).toast?.content).toContain("成员");
    expect(await ask("/whoami", "member")).toContain("成员");
    expect(await ask("/members")).toContain("没有人在等");
  });

  test("a member may neither grant nor revoke, by command or by a card from when they were an admin", async () => {
    const { member } = world.platform.people;
    const chat = world.platform.chats.member;
    expect(await ask(`/grant ${member.openId} admin`, "member")).toContain("所有者和管理员");
    expect(await ask(`/revoke ${world.platform.people.owner.openId}`, "member")).toContain("所有者和管理员");
    await ask(`/grant ${member.openId} admin`);
    await ask("/grant ou_third member");
    await ask("/members", "member");
    await ask(`/grant ${member.openId} member`);
    const answer = await tap("people.revoke", { by: member.openId, chat });
    expect(answer.toast).toMatchObject({ type: "warning", content: "只有所有者和管理员可以操作" });
    expect(await db().person.count({ where: { revokedAt: null } })).toBe(3);
  });

  test("an admin makes members but no admins; nobody revokes themselves; the last owner stays", async () => {
    const { member, owner } = world.platform.people;
    expect(await ask(`/grant ${member.openId} admin`)).toContain("管理员");
    expect(await ask("/grant ou_new member", "member")).toContain("ou_new");
    expect(await ask("/grant ou_new admin", "member")).toContain("只有所有者");
    expect(await ask(`/revoke ${owner.openId}`, "member")).toContain("只有所有者");
    expect(await ask(`/revoke ${owner.openId}`)).toContain("不能收回自己");
    expect(await ask(`/grant ${owner.openId} member`)).toContain("先让另一个人成为所有者");
    expect(await ask("/revoke ou_new")).toContain("不能再用");
    expect(await ask("/revoke ou_new")).toContain("本来就没有");
  });

  test.each([
    ["/grant", "/grant ou_1234 member"],
    ["/grant ou_1 king", "/grant ou_1234 member"],
    ["/grant 不认识的人 member", "没找到"],
    ["/revoke", "/revoke ou_1234"],
    ["/zone Mars/Base", "/zone Asia/Shanghai"],
    ["/members x", "/members"],
    ["/audit x", "/audit"],
  ])("a wrong line (%s) says what was expected and changes nothing", async (line, expected) => {
    const before = await db().auditEntry.count({ where: { what: { not: "command.refused" } } });
    expect(await ask(line)).toContain(expected);
    expect(await db().auditEntry.count({ where: { what: { not: "command.refused" } } })).toBe(before);
  });

  test("a person of another agent is nobody here", async () => {
    const other = { ...world.app.scope, agent: { ...world.app.scope.agent, id: "other" } };
    await inTransaction(db(), (tx) => putPerson(tx, other, { openId: "ou_elsewhere", role: "member", name: "隔壁" }));
    expect(await ask("/revoke 隔壁")).toContain("没找到");
    expect(await ask("/members")).not.toContain("ou_elsewhere");
  });

  test("a person's own zone is theirs alone", async () => {
    expect(await ask("/zone America/New_York")).toContain("America/New_York");
    expect(await ask("/whoami")).toContain("America/New_York");
    expect(await ask("/whoami", "member")).toContain("Asia/Shanghai");
    expect(await ask("/zone default")).toContain("Asia/Shanghai");
  });

  test("/audit says who changed what, from what to what", async () => {
    await ask("/set dailyMessages 6");
    expect(await ask("/audit")).toMatch(/改了设置.*每天最多主动提醒几次 · 5 → 6/);
  });
});
