import { Client } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { quietLogger, simpleCard } from "./sdk-bot.ts";

let platform: TestPlatform;
let client: Client;
let wireMs: number;

beforeEach(async () => {
  wireMs = 1_000_000;
  platform = await startTestPlatform({ wireNow: () => wireMs });
  client = new Client({ ...platform.sdk, logger: quietLogger });
});
afterEach(async () => {
  await platform.close();
});

type Failure = { response?: { status: number; headers: Record<string, string>; data: { code: number; msg: string } } };

function send(msgType: string, content: object | string, receiver: string = platform.chats.owner) {
  return client.im.v1.message.create({
    params: { receive_id_type: "chat_id" },
    data: {
      receive_id: receiver,
      msg_type: msgType,
      content: typeof content === "string" ? content : JSON.stringify(content),
    },
  });
}

const sendCard = (card: object) => send("interactive", card);

async function refusalOf(
  call: Promise<unknown>,
): Promise<{ status: number; code: number; msg: string; headers: Record<string, string> }> {
  const failure = await call.then(
    () => ({}) as Failure,
    (error: Failure) => error,
  );
  if (!failure.response) throw new Error("it was not refused");
  const { status, headers, data } = failure.response;
  return { status, headers, code: data.code, msg: data.msg };
}

describe("rates", () => {
  test("six messages a second to one chat: the sixth is 230020, and a second later it goes through", async () => {
    for (let i = 0; i < 5; i += 1) await send("text", { text: `${i}` });
    expect(await refusalOf(send("text", { text: "6" }))).toMatchObject({ status: 400, code: 230020 });
    await send("text", { text: "another chat" }, platform.chats.group);
    wireMs += 1000;
    expect((await send("text", { text: "6" })).code).toBe(0);
  });

  test("more than 50 calls a second of one API: HTTP 429 with the seconds to wait in a header", async () => {
    for (let i = 0; i < 50; i += 1) await client.im.v1.chat.get({ path: { chat_id: platform.chats.group } });
    const refusal = await refusalOf(client.im.v1.chat.get({ path: { chat_id: platform.chats.group } }));
    expect(refusal).toMatchObject({
      status: 429,
      code: 99991400,
      headers: { "x-ogw-ratelimit-limit": "50", "x-ogw-ratelimit-reset": "1" },
    });
  });

  test("a message takes five changes a second", async () => {
    const path = { message_id: (await sendCard(simpleCard("0"))).data?.message_id ?? "" };
    const patch = (text: string) =>
      client.im.v1.message.patch({ path, data: { content: JSON.stringify(simpleCard(text)) } });
    for (let i = 0; i < 5; i += 1) await patch(`${i}`);
    expect((await refusalOf(patch("6"))).code).toBe(230020);
  });
});

describe("sizes and content", () => {
  test("a text over 150 KB and a card over 30 KB are 230025", async () => {
    expect((await refusalOf(send("text", { text: "好".repeat(52_000) }))).code).toBe(230025);
    expect((await refusalOf(sendCard(simpleCard("好".repeat(10_300))))).code).toBe(230025);
  });

  test.each([
    ["an unknown property", { ...simpleCard("x"), footer: {} }, "200621"],
    ["the button row of version 1", { schema: "2.0", body: { elements: [{ tag: "action", actions: [] }] } }, "200861"],
    [
      "over 200 elements",
      { schema: "2.0", body: { elements: Array.from({ length: 201 }, () => ({ tag: "hr" })) } },
      "11310",
    ],
    ["a header without a title", { schema: "2.0", header: { template: "blue" } }, "200621"],
  ])("a card with %s is 230099 with the sub code in the message", async (_, card, subCode) => {
    const refusal = await refusalOf(sendCard(card));
    expect(refusal).toMatchObject({
      status: 400,
      code: 230099,
      msg: expect.stringContaining(`ext=ErrCode: ${subCode};`),
    });
    expect(platform.messages(platform.chats.owner)).toEqual([]);
  });

  test("receivers and content that make no sense are named, each by its code", async () => {
    expect((await refusalOf(send("text", "not json"))).code).toBe(230001);
    expect((await refusalOf(send("smoke", { text: "x" }))).code).toBe(230001);
    expect((await refusalOf(send("text", { text: "x" }, "oc_unknown"))).code).toBe(230034);
    const toNobody = client.im.v1.message.create({
      params: { receive_id_type: "open_id" },
      data: { receive_id: "ou_unknown", msg_type: "text", content: '{"text":"x"}' },
    });
    expect((await refusalOf(toNobody)).code).toBe(99992351);
    await platform.moveBot(platform.chats.group, platform.people.owner.openId, false);
    expect((await refusalOf(send("text", { text: "x" }, platform.chats.group))).code).toBe(230002);
  });

  test("a uuid over 50 characters is refused", async () => {
    const call = client.im.v1.message.create({
      params: { receive_id_type: "chat_id" },
      data: { receive_id: platform.chats.owner, msg_type: "text", content: '{"text":"x"}', uuid: "u".repeat(51) },
    });
    expect((await refusalOf(call)).code).toBe(99992402);
  });
});

describe("what a message refuses", () => {
  const patch = (messageId: string, card: object) =>
    client.im.v1.message.patch({ path: { message_id: messageId }, data: { content: JSON.stringify(card) } });

  test("a card is patched for 14 days and not after", async () => {
    const messageId = (await sendCard(simpleCard("旧"))).data?.message_id ?? "";
    platform.clock.advance(14 * 86_400_000);
    await patch(messageId, simpleCard("还行"));
    platform.clock.advance(1000);
    expect((await refusalOf(patch(messageId, simpleCard("晚了")))).code).toBe(230031);
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ expired: true });
  });

  test("a recalled card is 230011, a text is 230054, and 2.0 never becomes 1.0", async () => {
    const card = (await sendCard(simpleCard("x"))).data?.message_id ?? "";
    const text = (await send("text", { text: "x" })).data?.message_id ?? "";
    expect((await refusalOf(patch(card, { elements: [] }))).msg).toContain("ErrCode: 200830");
    expect((await refusalOf(patch(text, simpleCard("y")))).code).toBe(230054);
    await client.im.v1.message.delete({ path: { message_id: card } });
    expect((await refusalOf(patch(card, simpleCard("y")))).code).toBe(230011);
  });

  test("a 2.0 card's content is not given back", async () => {
    const messageId = (await sendCard(simpleCard("秘密"))).data?.message_id ?? "";
    const read = await client.im.v1.message.get({ path: { message_id: messageId } });
    expect(read.data?.items?.[0]?.body?.content).not.toContain("秘密");
  });

  test("a text takes 20 edits", async () => {
    const path = { message_id: (await send("text", { text: "0" })).data?.message_id ?? "" };
    const edit = () => client.im.v1.message.update({ path, data: { msg_type: "text", content: '{"text":"n"}' } });
    for (let i = 0; i < 20; i += 1) {
      wireMs += 1000;
      await edit();
    }
    wireMs += 1000;
    expect((await refusalOf(edit())).code).toBe(230072);
  });

  test("a person's message cannot be changed by the bot", async () => {
    const said = platform.deliverMessage({
      chatId: platform.chats.owner,
      userId: platform.people.owner.openId,
      text: "我的",
    });
    const path = { message_id: said.messageId };
    expect((await refusalOf(client.im.v1.message.delete({ path }))).code).toBe(230071);
  });
});

describe("faults on demand", () => {
  test("the next calls answer what was ordered, as often as ordered", async () => {
    platform.fault({ kind: "answer", api: "message.create", code: 99991400, resetSeconds: 7, times: 2 });
    for (let i = 0; i < 2; i += 1) {
      const refusal = await refusalOf(send("text", { text: "x" }));
      expect(refusal).toMatchObject({ status: 429, headers: { "x-ogw-ratelimit-reset": "7" } });
    }
    expect((await send("text", { text: "x" })).code).toBe(0);
    expect(platform.messages(platform.chats.owner)).toHaveLength(1);
  });

  test("a connection dropped before leaves nothing, one dropped after leaves the message, and the same uuid finds it", async () => {
    const uuid = "same";
    const sendOnce = () =>
      client.im.v1.message.create({
        params: { receive_id_type: "chat_id" },
        data: { receive_id: platform.chats.owner, msg_type: "text", content: '{"text":"x"}', uuid },
      });
    platform.fault({ kind: "drop_before", api: "message.create" });
    await expect(sendOnce()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(platform.messages(platform.chats.owner)).toHaveLength(0);
    platform.fault({ kind: "drop_after", api: "message.create" });
    await expect(sendOnce()).rejects.toMatchObject({ code: "ECONNRESET" });
    const [shown] = platform.messages(platform.chats.owner);
    expect((await sendOnce()).data?.message_id).toBe(shown?.messageId);
    expect(platform.messages(platform.chats.owner)).toHaveLength(1);
  });

  test("all cards can be refused while texts go through", async () => {
    platform.fault({ kind: "refuse_cards", on: true });
    expect((await refusalOf(sendCard(simpleCard("x")))).code).toBe(230099);
    expect((await send("text", { text: "x" })).code).toBe(0);
    platform.fault({ kind: "clear" });
    expect((await sendCard(simpleCard("x"))).code).toBe(0);
  });

  test("a token lives two hours, is given out again while half an hour is left, then a new one beside it", async () => {
    const token = async (): Promise<{ tenant_access_token: string; expire: number }> => {
      const response = await fetch(`${platform.url}/open-apis/auth/v3/tenant_access_token/internal`, {
        method: "POST",
        body: JSON.stringify({ app_id: platform.sdk.appId, app_secret: platform.sdk.appSecret }),
      });
      return (await response.json()) as { tenant_access_token: string; expire: number };
    };
    const first = await token();
    wireMs += 5400 * 1000;
    expect(await token()).toEqual({ ...first, expire: 1800 });
    wireMs += 1000;
    const second = await token();
    expect(second.tenant_access_token).not.toBe(first.tenant_access_token);
    const call = (bearer: string) =>
      fetch(`${platform.url}/open-apis/bot/v3/info`, { headers: { authorization: `Bearer ${bearer}` } });
    expect((await call(first.tenant_access_token)).status).toBe(200);
    wireMs += 1800 * 1000;
    expect(await (await call(first.tenant_access_token)).json()).toMatchObject({ code: 99991663 });
    expect((await call(second.tenant_access_token)).status).toBe(200);
  });
});
