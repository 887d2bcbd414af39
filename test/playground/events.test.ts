import { setTimeout as sleep } from "node:timers/promises";
import { EventDispatcher, WSClient } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { connectBot, quietLogger } from "./sdk-bot.ts";

let platform: TestPlatform;
const bots: { close: () => void }[] = [];
const heard: string[] = [];

beforeEach(async () => {
  heard.length = 0;
  platform = await startTestPlatform({ fragmentBytes: 100 });
});
afterEach(async () => {
  for (const bot of bots.splice(0)) bot.close();
  await platform.close();
});

async function bot(onMessage: () => unknown = () => ({})): Promise<void> {
  bots.push(
    await connectBot(platform, {
      "im.message.receive_v1": (data) => {
        heard.push(data.message.message_id);
        return onMessage();
      },
    }),
  );
}

function say(text = "你好", chatId: string = platform.chats.owner, mentionBot = false) {
  return platform.deliverMessage({ chatId, userId: platform.people.owner.openId, text, mentionBot });
}

const settled = async (): Promise<void> => void (await sleep(40));

describe("events", () => {
  test("cut into many frames arrive whole, Chinese text unbroken", async () => {
    const texts: string[] = [];
    bots.push(
      await connectBot(platform, {
        "im.message.receive_v1": (data) => {
          texts.push(JSON.parse(data.message.content).text);
          return {};
        },
      }),
    );
    const long = "明天下午三点提醒我交周报。".repeat(200);
    await say(long).acknowledged;
    expect(texts).toEqual([long]);
  });

  test("of a group reach the bot only when it is mentioned", async () => {
    await bot();
    await say("大家好", platform.chats.group).acknowledged;
    const mentioned = say("进度呢", platform.chats.group, true);
    await mentioned.acknowledged;
    expect(heard).toEqual([mentioned.messageId]);
    expect(platform.messages(platform.chats.group)[1]?.content).toEqual({
      kind: "text",
      text: "@_user_1 进度呢",
      mentions: [{ key: "@_user_1", userId: platform.state.bot.openId, name: "Herald" }],
    });
  });

  test("refused by the handler come again after 15 s, 5 min, 1 h and 6 h, then never", async () => {
    await bot(() => {
      throw new Error("not now");
    });
    await say().acknowledged;
    expect(heard.length).toBe(1);
    for (const [tries, seconds] of [
      [2, 15],
      [3, 300],
      [4, 3600],
      [5, 6 * 3600],
    ] as const) {
      platform.clock.advance((seconds - 1) * 1000);
      await settled();
      expect(heard.length).toBe(tries - 1);
      platform.clock.advance(1000);
      await expect.poll(() => heard.length).toBe(tries);
      await expect.poll(() => platform.events().pending[0]?.inFlight ?? false).toBe(false);
    }
    platform.clock.advance(100 * 3600 * 1000);
    await settled();
    expect(heard.length).toBe(5);
    expect(platform.events()).toMatchObject({ pending: [], lost: [{ attempts: 5 }] });
  });

  test("without an acknowledgement for 3 s count as failed, and a late one does not help", async () => {
    let finish: (value: unknown) => void = () => {};
    await bot(() => (heard.length === 1 ? new Promise((resolve) => (finish = resolve)) : {}));
    const said = say();
    await expect.poll(() => heard.length).toBe(1);
    platform.clock.advance(2900);
    platform.clock.advance(200);
    finish({});
    await said.acknowledged;
    expect(platform.events().pending).toMatchObject([{ attempts: 1, inFlight: false }]);
    platform.clock.advance(15_000);
    await expect.poll(() => heard).toEqual([said.messageId, said.messageId]);
    await expect.poll(() => platform.events().pending).toEqual([]);
  });

  test("that waited for want of a connection come in a burst when one is up", async () => {
    const first = say("一");
    const second = say("二");
    await Promise.all([first.acknowledged, second.acknowledged]);
    expect(platform.events().pending).toHaveLength(2);
    await bot();
    await expect.poll(() => new Set(heard)).toEqual(new Set([first.messageId, second.messageId]));
  });

  test("a repeat on demand is the same event with the same id", async () => {
    await bot();
    platform.fault({ kind: "repeat_events", copies: 3 });
    const said = say();
    await expect.poll(() => heard).toEqual([said.messageId, said.messageId, said.messageId]);
  });

  test("go to one of several connections each, and to all of them over time", async () => {
    const counts = [0, 0];
    for (const index of [0, 1]) {
      bots.push(
        await connectBot(platform, {
          "im.message.receive_v1": () => {
            counts[index] = (counts[index] ?? 0) + 1;
            return {};
          },
        }),
      );
    }
    for (let i = 0; i < 40; i += 1) await say(`第 ${i} 条`).acknowledged;
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(40);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});

describe("the connection", () => {
  test("a legacy card frame gets no answer from the SDK", async () => {
    await bot();
    const answer = await Promise.race([platform.pushRaw({ any: 1 }, "card"), sleep(150).then(() => "silence")]);
    expect(answer).toBe("silence");
  });

  test("cut by the platform is opened again by the SDK, and nothing said meanwhile is lost", async () => {
    await platform.close();
    platform = await startTestPlatform({ clientConfig: { ReconnectNonce: 0, ReconnectInterval: 1 } });
    await bot();
    const down = platform.until((event) => event.type === "state" && !event.herald.connected);
    const up = platform.until((event) => event.type === "state" && event.herald.connected);
    platform.fault({ kind: "kill_sockets" });
    await down;
    const said = say("还在吗");
    await up;
    await expect.poll(() => heard).toEqual([said.messageId]);
  });
});

describe("a half-dead link", () => {
  test("whose pings go unanswered is left by a client that watches for pongs", async () => {
    await platform.close();
    platform = await startTestPlatform({ clientConfig: { ReconnectNonce: 0, ReconnectInterval: 1 } });
    platform.fault({ kind: "ignore_pings", on: true });
    const ws = new WSClient({ ...platform.sdk, logger: quietLogger, wsConfig: { pingTimeout: 1 } });
    const up = platform.whenConnected();
    await ws.start({ eventDispatcher: new EventDispatcher({ logger: quietLogger }) });
    await up;
    const down = platform.until((event) => event.type === "state" && !event.herald.connected);
    await down;
    platform.fault({ kind: "clear" });
    await platform.whenConnected();
    ws.close({ force: true });
  });

  test("that breaks while a tap is awaited costs the tap, which is told as late", async () => {
    await platform.close();
    platform = await startTestPlatform({ tapDeadlineMs: 200, clientConfig: { ReconnectNonce: 0 } });
    bots.push(
      await connectBot(platform, {
        "card.action.trigger": () => {
          platform.fault({ kind: "kill_sockets" });
          return {};
        },
      }),
    );
    const { messageId } = platform.deliverMessage({
      chatId: platform.chats.group,
      userId: platform.people.owner.openId,
      text: "",
      raw: { type: "interactive", wireType: "interactive", content: {} },
    });
    const answer = await platform.tap({ messageId, userId: platform.people.owner.openId, tag: "button", value: {} });
    expect(answer.error?.code).toBe(200341);
  });
});
