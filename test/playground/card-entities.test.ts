import { Client } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { connectBot, quietLogger, simpleCard } from "./sdk-bot.ts";

let platform: TestPlatform;
let client: Client;

beforeEach(async () => {
  platform = await startTestPlatform();
  client = new Client({ ...platform.sdk, logger: quietLogger });
});
afterEach(async () => {
  await platform.close();
});

const streaming = {
  schema: "2.0",
  config: { streaming_mode: true, update_multi: true },
  body: { elements: [{ tag: "markdown", element_id: "answer", content: "…" }] },
};

async function createAndSend(card: object = streaming): Promise<{ cardId: string; messageId: string }> {
  const made = await client.cardkit.v1.card.create({ data: { type: "card_json", data: JSON.stringify(card) } });
  const cardId = made.data?.card_id ?? "";
  const sent = await sendEntity(cardId);
  return { cardId, messageId: sent.data?.message_id ?? "" };
}

function sendEntity(cardId: string) {
  return client.im.v1.message.create({
    params: { receive_id_type: "chat_id" },
    data: {
      receive_id: platform.chats.owner,
      msg_type: "interactive",
      content: JSON.stringify({ type: "card", data: { card_id: cardId } }),
    },
  });
}

const write = (cardId: string, content: string, sequence: number, uuid?: string) =>
  client.cardkit.v1.cardElement.content({
    path: { card_id: cardId, element_id: "answer" },
    data: { content, sequence, ...(uuid === undefined ? {} : { uuid }) },
  });
const close = (cardId: string, sequence: number) =>
  client.cardkit.v1.card.settings({
    path: { card_id: cardId },
    data: { settings: JSON.stringify({ config: { streaming_mode: false, summary: { content: "好了" } } }), sequence },
  });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 0,
    (error) => error.response.data.code as number,
  );
const shown = () => platform.messages(platform.chats.owner).at(-1)?.content;

describe("a card entity", () => {
  test("is shown by its message, typed on, and closed with a summary", async () => {
    const { cardId } = await createAndSend();
    expect(cardId.length).toBeLessThanOrEqual(20);
    expect(shown()).toMatchObject({ kind: "card", streaming: true });
    await write(cardId, "你好", 1);
    await write(cardId, "你好，世界", 2);
    await close(cardId, 3);
    expect(shown()).toMatchObject({
      streaming: false,
      card: { config: { summary: { content: "好了" } }, body: { elements: [{ content: "你好，世界" }] } },
    });
    expect(await codeOf(write(cardId, "还有", 4))).toBe(300309);
  });

  test("takes only rising sequence numbers, over all its calls, and each uuid once", async () => {
    const { cardId } = await createAndSend();
    await write(cardId, "一", 5, "u1");
    expect(await codeOf(write(cardId, "二", 5))).toBe(300317);
    expect(await codeOf(close(cardId, 4))).toBe(300317);
    expect(await codeOf(write(cardId, "二", 6, "u1"))).toBe(200770);
    expect(await codeOf(write(cardId, "二", 0))).toBe(10002);
    expect(await codeOf(write("unknown", "二", 7))).toBe(200740);
  });

  test("is sent once only", async () => {
    const { cardId } = await createAndSend();
    expect(await codeOf(sendEntity(cardId))).toBe(230099);
  });

  test("stops streaming by itself after 10 minutes and lives 14 days", async () => {
    const { cardId } = await createAndSend();
    platform.clock.advance(10 * 60_000 + 1);
    expect(await codeOf(write(cardId, "晚", 1))).toBe(200850);
    await close(cardId, 2);
    platform.clock.advance(14 * 86_400_000);
    expect(await codeOf(close(cardId, 3))).toBe(200750);
  });

  test("changes several parts in one batch, or none of them", async () => {
    const { cardId } = await createAndSend({ ...streaming, config: { update_multi: true } });
    const batch = (actions: unknown[], sequence: number) =>
      client.cardkit.v1.card.batchUpdate({
        path: { card_id: cardId },
        data: { actions: JSON.stringify(actions), sequence },
      });
    await batch(
      [
        { action: "partial_update_element", params: { element_id: "answer", partial_element: { content: "改了" } } },
        { action: "add_elements", params: { type: "append", elements: [{ tag: "hr", element_id: "line" }] } },
      ],
      1,
    );
    expect(shown()).toMatchObject({ card: { body: { elements: [{ content: "改了" }, { tag: "hr" }] } } });
    const half = batch(
      [
        { action: "delete_elements", params: { element_ids: ["line"] } },
        { action: "update_element", params: { element_id: "nowhere", element: { tag: "hr" } } },
      ],
      2,
    );
    expect(await codeOf(half)).toBe(300313);
    expect(shown()).toMatchObject({ card: { body: { elements: [{}, { tag: "hr" }] } } });
    await client.cardkit.v1.cardElement.delete({
      path: { card_id: cardId, element_id: "line" },
      data: { sequence: 3 },
    });
    await client.cardkit.v1.card.update({
      path: { card_id: cardId },
      data: { card: { type: "card_json", data: JSON.stringify(simpleCard("整张新卡")) }, sequence: 4 },
    });
    expect(shown()).toMatchObject({ card: simpleCard("整张新卡") });
  });

  test("refuses cards over the limits by cardkit's own codes", async () => {
    const make = (card: object) =>
      codeOf(client.cardkit.v1.card.create({ data: { type: "card_json", data: JSON.stringify(card) } }));
    expect(await make({ elements: [] })).toBe(300303);
    expect(await make({ schema: "2.0", body: { elements: Array.from({ length: 201 }, () => ({ tag: "hr" })) } })).toBe(
      300305,
    );
    expect(await make(simpleCard("好".repeat(10_300)))).toBe(200860);
    expect(await make({ schema: "2.0", body: { elements: [{ tag: "note" }] } })).toBe(200220);
  });

  test("cannot be changed by a tap while it is streamed, and not by calls while a tap is awaited", async () => {
    let during = 0;
    const bot = await connectBot(platform, {
      "card.action.trigger": async () => {
        during = await codeOf(write(cardId, "抢", 1));
        return { card: { type: "raw", data: simpleCard("答") } };
      },
    });
    const { cardId, messageId } = await createAndSend();
    const answer = await platform.tap({ messageId, userId: platform.people.owner.openId, tag: "button", value: {} });
    expect(during).toBe(200810);
    expect(answer.card).toBeUndefined();
    expect(shown()).toMatchObject({ streaming: true, card: streaming });
    await close(cardId, 1);
    await platform.tap({ messageId, userId: platform.people.owner.openId, tag: "button", value: {} });
    expect(shown()).toMatchObject({ card: simpleCard("答") });
    bot.close();
  });
});
