import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { type CardAction, connectBot, quietLogger, simpleCard } from "./sdk-bot.ts";

let platform: TestPlatform;
let client: Client;
const bots: { close: () => void }[] = [];

beforeEach(async () => {
  platform = await startTestPlatform();
  client = new Client({ ...platform.sdk, logger: quietLogger });
});
afterEach(async () => {
  for (const bot of bots.splice(0)) bot.close();
  await platform.close();
});

async function bot(onTap: (tap: CardAction) => unknown): Promise<void> {
  bots.push(await connectBot(platform, { "card.action.trigger": onTap }));
}

async function sendCard(card: object = simpleCard("还没完成"), chatId: string = platform.chats.owner): Promise<string> {
  const sent = await client.im.v1.message.create({
    params: { receive_id_type: "chat_id" },
    data: { receive_id: chatId, msg_type: "interactive", content: JSON.stringify(card) },
  });
  return sent.data?.message_id ?? "";
}

function tap(messageId: string, userId: string = platform.people.owner.openId) {
  return platform.tap({ messageId, userId, tag: "button", value: { v: 1, action: "item.done" } });
}

function patch(messageId: string, card: object) {
  return client.im.v1.message.patch({ path: { message_id: messageId }, data: { content: JSON.stringify(card) } });
}

describe("a tap that is answered", () => {
  test("carries who, where and the button's value, and changes the card at once with a toast in the reader's language", async () => {
    const heard: CardAction[] = [];
    await bot((data) => {
      heard.push(data);
      return {
        toast: { type: "success", content: "已完成", i18n: { zh_cn: "已完成", en_us: "Done" } },
        card: { type: "raw", data: simpleCard("完成了") },
      };
    });
    const messageId = await sendCard(undefined, platform.chats.group);
    const answer = await tap(messageId, platform.people.english.openId);
    expect(answer).toMatchObject({ toast: { type: "success", content: "Done" }, card: simpleCard("完成了") });
    expect(heard[0]).toMatchObject({
      operator: { open_id: platform.people.english.openId },
      action: { tag: "button", value: { v: 1, action: "item.done" } },
      context: { open_message_id: messageId, open_chat_id: platform.chats.group },
    });
    expect(platform.messages(platform.chats.group)[0]?.content).toMatchObject({ card: simpleCard("完成了") });
  });

  test("brings form values, choices and texts only where the component has them", async () => {
    const heard: CardAction[] = [];
    await bot((data) => {
      heard.push(data);
      return {};
    });
    const messageId = await sendCard();
    const userId = platform.people.owner.openId;
    await platform.tap({ messageId, userId, tag: "overflow", value: { a: 1 }, option: "later" });
    await platform.tap({
      messageId,
      userId,
      tag: "button",
      value: {},
      name: "submit",
      formValue: { when: "2026-03-03 09:00" },
    });
    expect(heard[0]?.action).toEqual({ tag: "overflow", value: { a: 1 }, option: "later" });
    expect(heard[1]?.action).toEqual({
      tag: "button",
      value: {},
      name: "submit",
      form_value: { when: "2026-03-03 09:00" },
    });
  });

  test("without a card leaves the card as it was", async () => {
    await bot(() => ({ toast: { type: "info", content: "收到" } }));
    const messageId = await sendCard();
    expect((await tap(messageId)).card).toBeUndefined();
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ version: 1 });
  });

  test("reaches exactly one of several connections", async () => {
    let count = 0;
    const onTap = (): unknown => {
      count += 1;
      return {};
    };
    await bot(onTap);
    await bot(onTap);
    await bot(onTap);
    const messageId = await sendCard();
    for (let i = 0; i < 10; i += 1) await tap(messageId);
    expect(count).toBe(10);
  });
});

describe("a tap that fails", () => {
  test("with nobody connected is 200340", async () => {
    expect((await tap(await sendCard())).error?.code).toBe(200340);
  });

  test("answered late is 200341, the late answer changes nothing, and it is never sent again", async () => {
    await platform.close();
    platform = await startTestPlatform({ tapDeadlineMs: 200 });
    client = new Client({ ...platform.sdk, logger: quietLogger });
    let count = 0;
    await bot(async () => {
      count += 1;
      await sleep(400);
      return { card: { type: "raw", data: simpleCard("太晚") } };
    });
    const messageId = await sendCard();
    expect((await tap(messageId)).error?.code).toBe(200341);
    await sleep(300);
    platform.clock.advance(8 * 3_600_000);
    await sleep(50);
    expect(count).toBe(1);
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ version: 1 });
  });

  test("by a handler that throws is 200671", async () => {
    await bot(() => {
      throw new Error("no");
    });
    expect((await tap(await sendCard())).error?.code).toBe(200671);
  });

  test.each([
    ["returns nothing", undefined, 200672],
    ["returns a string", "done", 200672],
    ["has an unknown toast type", { toast: { type: "green", content: "" } }, 200672],
    ["has an unknown property", { tost: {} }, 200672],
    ["brings the card as a string", { card: { type: "raw", data: JSON.stringify(simpleCard("x")) } }, 200673],
    ["brings a card with an unknown property", { card: { type: "raw", data: { schema: "2.0", boby: {} } } }, 200673],
    ["brings a 1.0 card for a 2.0 message", { card: { type: "raw", data: { elements: [] } } }, 200830],
  ])("when the answer %s gets the client's error code and no new card", async (_, answer, code) => {
    await bot(() => answer);
    const result = await tap(await sendCard());
    expect(result.error?.code).toBe(code);
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ version: 1 });
  });

  test("on a card older than 14 days, or recalled, never reaches the bot", async () => {
    let count = 0;
    await bot(() => {
      count += 1;
      return {};
    });
    const messageId = await sendCard();
    platform.clock.advance(14 * 86_400_000 + 1000);
    expect((await tap(messageId)).error?.code).toBe(230031);
    const other = await sendCard();
    await client.im.v1.message.delete({ path: { message_id: other } });
    expect((await tap(other)).error?.code).toBe(230011);
    expect(count).toBe(0);
  });
});

describe("while a tap is awaited", () => {
  test("the card is locked against a patch, which works after the answer", async () => {
    const codes: unknown[] = [];
    await bot(async (data) => {
      await patch(data.context.open_message_id, simpleCard("抢先")).catch((error) => codes.push(error.response.data));
      return {};
    });
    const messageId = await sendCard();
    await tap(messageId);
    expect(codes).toMatchObject([{ code: 230099, msg: expect.stringContaining("ErrCode: 11310") }]);
    await patch(messageId, simpleCard("之后"));
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ card: simpleCard("之后") });
  });
});

describe("the delayed update", () => {
  const later = (token: string, card: object) =>
    client.request({ method: "POST", url: "/open-apis/interactive/v1/card/update", data: { token, card } });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 0,
      (error) => error.response.data.code as number,
    );

  test("works twice within 30 minutes, after the answer only", async () => {
    let early = 0;
    let token = "";
    await bot(async (data) => {
      token = data.token;
      early = await codeOf(later(token, simpleCard("太早")));
      return {};
    });
    await tap(await sendCard());
    expect(early).toBe(11310);
    expect(await codeOf(later(token, simpleCard("一")))).toBe(0);
    expect(await codeOf(later(token, simpleCard("二")))).toBe(0);
    expect(await codeOf(later(token, simpleCard("三")))).toBe(300040);
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ card: simpleCard("二") });
    await tap(await sendCard());
    platform.clock.advance(31 * 60_000);
    expect(await codeOf(later(token, simpleCard("四")))).toBe(300030);
  });
});
