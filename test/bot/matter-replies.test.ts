import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readMatterReply } from "../../src/bot/read-matter-reply.ts";
import { noTurns } from "../../src/hermes-bridge/no-hermes.ts";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";
import { remindCard } from "../helpers/remind-card.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe("a short reply", () => {
  const read = (text: string) => readMatterReply(text, new Date("2026-11-30T02:00:00Z"), "Asia/Shanghai");

  test.each([
    "完成了",
    "已经发了",
    "我已经发了",
    "发出去了",
    "已发",
    "搞定",
    "好了",
    "done",
    "sent it",
    "already done",
    "I've sent it",
    "it's done already",
  ])("%s means done", (text) => expect(read(text)).toEqual({ verb: "done", n: undefined }));
  test.each(["发", "还没发", "发了吗", "好", "send it", "not done", "is it done?"])("%s does not", (text) =>
    expect(read(text)).toBeUndefined(),
  );
});

describe("in the chat", () => {
  let world: AppUnderTest;
  beforeAll(async () => {
    world = await startAppUnderTest({ emptyHome: true, parts: { turns: noTurns } });
  });
  afterAll(() => world.close());

  const db = () => world.app.scope.db;
  const later = (ms: number) => world.at(new Date(world.platform.clock.now().getTime() + ms));
  const answer = async (text: string, replyTo?: string): Promise<string> => {
    await world.say("owner", text, replyTo === undefined ? {} : { replyTo });
    const content = world.botMessages().at(-1)?.content;
    return content?.kind === "text" ? content.text : JSON.stringify(content);
  };
  const status = async (title: string): Promise<string | undefined> =>
    (await db().trackingItem.findFirst({ where: { title } }))?.status;

  test("a reply that names one of a card's matters closes that one; one that fits two asks which", async () => {
    await answer("/remind 给客户发合同 1分钟后");
    await answer("/remind 交季度周报 1分钟后");
    await answer("/remind 确认季度预算 1分钟后");
    await later(61_000);
    const card = world.botMessages().at(-1);
    const to = card?.messageId ?? "";
    expect(await answer("已经发了", to)).toContain("是哪一件");
    expect(await answer("合同还没发", to)).toContain("没看懂");
    expect(await answer("季度的都弄好了", to)).toContain("是哪一件");
    expect(await answer("合同已经发了", to)).toContain("「给客户发合同」已完成");
    expect(await status("给客户发合同")).toBe("closed");
    expect(await status("交季度周报")).toBe("active");
    expect(await answer("预算不用确认了", to)).toContain("「确认季度预算」不再跟进");
    expect(await answer("好了", to)).toContain("「交季度周报」已完成");
  });

  test("done without quoting, soon after a reminder with one open matter, is asked about and closes nothing", async () => {
    await later(40 * 60_000);
    expect(await answer("完成了")).toContain("还没有接上");
    await remindCard(world, "寄样品");
    await later(5 * 60_000);
    const line = await answer("完成了");
    expect(line).toMatch(/是说「寄样品」完成了吗？.*\/done \d/u);
    expect(await answer("不用了")).toMatch(/是说「寄样品」不用跟进了吗？.*\/drop \d/u);
    expect(await answer("样品已经寄出去了")).toContain("是说「寄样品」完成了吗");
    expect(await answer("今天天气不错")).toContain("还没有接上");
    expect(await status("寄样品")).toBe("active");
    await answer("/lang en");
    expect(await answer("done")).toMatch(/Do you mean that “寄样品” is done\?.*\/done \d/u);
    await answer("/lang zh");
    await later(31 * 60_000);
    expect(await answer("完成了")).toContain("还没有接上");
  });
});
