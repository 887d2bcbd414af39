import { Client, EventDispatcher, LoggerLevel, WSClient } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEMO_APP } from "../../src/playground/platform.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { connectBot, quietLogger, simpleCard } from "./sdk-bot.ts";

let platform: TestPlatform;
let client: Client;

beforeEach(async () => {
  platform = await startTestPlatform();
  client = new Client({ ...platform.sdk, logger: quietLogger, loggerLevel: LoggerLevel.error });
});
afterEach(async () => {
  await platform.close();
});

function sendText(text: string, uuid?: string) {
  return client.im.v1.message.create({
    params: { receive_id_type: "open_id" },
    data: {
      receive_id: platform.people.owner.openId,
      msg_type: "text",
      content: JSON.stringify({ text }),
      ...(uuid === undefined ? {} : { uuid }),
    },
  });
}

describe("sending with the official SDK", () => {
  test("a text sent to a person appears in the direct chat", async () => {
    const sent = await sendText("早上好");
    expect(sent.code).toBe(0);
    expect(sent.data?.message_id).toMatch(/^om_[A-Za-z0-9]+$/);
    expect(sent.data?.chat_id).toBe(platform.chats.owner);
    const [shown] = platform.messages(platform.chats.owner);
    expect(shown?.content).toEqual({ kind: "text", text: "早上好", mentions: [] });
  });

  test("a reply names its parent and the root of the thread", async () => {
    const first = await sendText("一");
    const reply = await client.im.v1.message.reply({
      path: { message_id: first.data?.message_id ?? "" },
      data: { msg_type: "text", content: JSON.stringify({ text: "二" }) },
    });
    const third = await client.im.v1.message.reply({
      path: { message_id: reply.data?.message_id ?? "" },
      data: { msg_type: "text", content: JSON.stringify({ text: "三" }) },
    });
    expect(third.data).toMatchObject({ parent_id: reply.data?.message_id, root_id: first.data?.message_id });
  });

  test("a card is patched as a whole", async () => {
    const messageId = await sendCard(simpleCard("旧"));
    await client.im.v1.message.patch({
      path: { message_id: messageId },
      data: { content: JSON.stringify(simpleCard("新")) },
    });
    const [shown] = platform.messages(platform.chats.owner);
    expect(shown?.content).toMatchObject({ kind: "card", card: simpleCard("新"), version: 2 });
  });

  test("the same uuid sends one message and answers with the first one's data, for an hour", async () => {
    const first = await sendText("一次", "u-1");
    const again = await sendText("一次", "u-1");
    expect(again.data?.message_id).toBe(first.data?.message_id);
    expect(platform.messages(platform.chats.owner)).toHaveLength(1);
    platform.clock.advance(61 * 60_000);
    const later = await sendText("一次", "u-1");
    expect(later.data?.message_id).not.toBe(first.data?.message_id);
  });

  test("text edits, recalls, reactions, chats and the bot's identity answer as documented", async () => {
    const sent = await sendText("草稿");
    const path = { message_id: sent.data?.message_id ?? "" };
    await client.im.v1.message.update({ path, data: { msg_type: "text", content: JSON.stringify({ text: "定稿" }) } });
    await client.im.v1.messageReaction.create({ path, data: { reaction_type: { emoji_type: "THUMBSUP" } } });
    expect(platform.messages(platform.chats.owner)[0]).toMatchObject({
      edited: true,
      content: { text: "定稿" },
      reactions: [{ emojiType: "THUMBSUP", userIds: [platform.state.bot.openId] }],
    });
    await client.im.v1.message.delete({ path });
    expect(platform.messages(platform.chats.owner)[0]?.recalled).toBe(true);
    await expect(
      client.im.v1.message.reply({ path, data: { msg_type: "text", content: '{"text":"?"}' } }),
    ).rejects.toMatchObject({ response: { status: 400, data: { code: 230011 } } });
    const chat = await client.im.v1.chat.get({ path: { chat_id: platform.chats.group } });
    expect(chat.data?.chat_mode).toBe("group");
    const bot = await client.request<{ bot: { open_id: string } }>({ method: "GET", url: "/open-apis/bot/v3/info" });
    expect(bot.bot.open_id).toBe(platform.state.bot.openId);
  });

  test("a direct chat's messages are listed by time, in pages, recalled ones marked; a group's are not to be had", async () => {
    for (const text of ["一", "二", "三"]) {
      await sendText(text);
      platform.clock.advance(60_000);
    }
    const path = { message_id: platform.messages(platform.chats.owner)[1]?.messageId ?? "" };
    await client.im.v1.message.delete({ path });
    const list = (params: { page_size?: number; page_token?: string; start_time?: string; end_time?: string }) =>
      client.im.v1.message.list({
        params: { container_id_type: "chat", container_id: platform.chats.owner, ...params },
      });
    const first = await list({ page_size: 2 });
    expect(first.data?.items?.map((item) => item.deleted)).toEqual([false, true]);
    expect(first.data?.items?.[0]?.sender).toMatchObject({ id: platform.app.appId, sender_type: "app" });
    const second = await list({ page_size: 2, page_token: first.data?.page_token ?? "" });
    expect(second.data).toMatchObject({ has_more: false, items: [{ body: { content: '{"text":"三"}' } }] });
    const start = Math.floor(new Date("2026-03-02T01:01:00Z").getTime() / 1000);
    const window = await list({ start_time: String(start), end_time: String(start + 1) });
    expect(window.data?.items?.map((item) => item.message_id)).toEqual([path.message_id]);
    const group = client.im.v1.message.list({
      params: { container_id_type: "chat", container_id: platform.chats.group },
    });
    await expect(group).rejects.toMatchObject({ response: { data: { code: 230027 } } });
  });

  test("pictures and files go up, and a person's file comes down through its message only", async () => {
    const image = await client.im.v1.image.create({ data: { image_type: "message", image: Buffer.from("png bytes") } });
    expect(image?.image_key).toMatch(/^img_/);
    const file = await client.im.v1.file.create({
      data: { file_type: "stream", file_name: "周报.txt", file: Buffer.from("内容") },
    });
    expect(platform.state.files.get(file?.file_key ?? "")?.name).toBe("周报.txt");
    const key = platform.addFile("file", "a.txt", Buffer.from("hello"));
    const { messageId } = platform.deliverMessage({
      chatId: platform.chats.owner,
      userId: platform.people.owner.openId,
      text: "",
      raw: { type: "file", wireType: "file", content: { file_key: key, file_name: "a.txt" } },
    });
    const got = await client.im.v1.messageResource.get({
      path: { message_id: messageId, file_key: key },
      params: { type: "file" },
    });
    const parts: Buffer[] = [];
    for await (const part of got.getReadableStream()) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toBe("hello");
  });

  async function sendCard(card: object): Promise<string> {
    const sent = await client.im.v1.message.create({
      params: { receive_id_type: "chat_id" },
      data: { receive_id: platform.chats.owner, msg_type: "interactive", content: JSON.stringify(card) },
    });
    return sent.data?.message_id ?? "";
  }
});

describe("tokens", () => {
  test("a wrong secret gets no token and the SDK says so", async () => {
    const wrong = new Client({ ...platform.sdk, appSecret: "wrong", logger: quietLogger });
    await expect(wrong.im.v1.chat.get({ path: { chat_id: platform.chats.group } })).rejects.toBeDefined();
  });

  test("a token refused before its time is 99991663 until another one is fetched", async () => {
    await sendText("一");
    platform.fault({ kind: "expire_tokens" });
    await expect(sendText("二")).rejects.toMatchObject({ response: { status: 400, data: { code: 99991663 } } });
    const cache = { get: () => Promise.resolve(undefined), set: () => Promise.resolve(true) };
    const fresh = new Client({ ...platform.sdk, logger: quietLogger, cache });
    const sent = await fresh.im.v1.message.create({
      params: { receive_id_type: "chat_id" },
      data: { receive_id: platform.chats.owner, msg_type: "text", content: '{"text":"二"}' },
    });
    expect(sent.code).toBe(0);
  });
});

describe("the long connection", () => {
  test("an event arrives through the SDK's dispatcher and its acknowledgement ends the delivery", async () => {
    const heard: string[] = [];
    const bot = await connectBot(platform, {
      "im.message.receive_v1": (data) => {
        heard.push(data.message.content);
        return {};
      },
    });
    const said = platform.deliverMessage({
      chatId: platform.chats.owner,
      userId: platform.people.owner.openId,
      text: "在吗",
    });
    await said.acknowledged;
    expect(heard).toEqual([JSON.stringify({ text: "在吗" })]);
    expect(platform.events().pending).toEqual([]);
    bot.close();
  });

  test("the SDK itself accepts the demo app's id and opens the connection without a complaint", async () => {
    const demo = await startTestPlatform({ app: DEMO_APP });
    const errors: unknown[] = [];
    const error = (...parts: unknown[]): void => void errors.push(parts);
    const ws = new WSClient({ ...demo.sdk, logger: { ...quietLogger, error } });
    expect(DEMO_APP.appId).toMatch(/^cli_[0-9a-f]{16}$/);
    const ready = demo.until((event) => event.type === "state" && event.herald.connected);
    await ws.start({ eventDispatcher: new EventDispatcher({}) });
    await ready;
    expect(errors).toEqual([]);
    ws.close({ force: true });
    await demo.close();
  });
});
