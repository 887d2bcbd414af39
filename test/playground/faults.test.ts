import { EventDispatcher, WSClient } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { connectBot, quietLogger } from "./sdk-bot.ts";

let platform: TestPlatform;
beforeEach(async () => {
  platform = await startTestPlatform({ clientConfig: { ReconnectNonce: 0, ReconnectInterval: 1 } });
});
afterEach(async () => {
  await platform.close();
});

const say = (text: string) =>
  platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text });

async function endpoint(body: object): Promise<{ code: number; data?: { URL: string } }> {
  const response = await fetch(`${platform.url}/callback/ws/endpoint`, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as { code: number; data?: { URL: string } };
}

describe("mishaps with events and connections", () => {
  test("a delayed event arrives later, and events after it may overtake it", async () => {
    const heard: string[] = [];
    const bot = await connectBot(platform, {
      "im.message.receive_v1": (data) => {
        heard.push(JSON.parse(data.message.content).text);
        return {};
      },
    });
    platform.fault({ kind: "delay_events", ms: 300 });
    const slow = say("先说的");
    const quick = say("后说的");
    await Promise.all([slow.acknowledged, quick.acknowledged]);
    expect(heard).toEqual(["后说的", "先说的"]);
    bot.close();
  });

  test("a delayed call is answered after the time ordered", async () => {
    platform.fault({ kind: "delay", api: "token", ms: 100 });
    const before = performance.now();
    await fetch(`${platform.url}/open-apis/auth/v3/tenant_access_token/internal`, { method: "POST", body: "{}" });
    expect(performance.now() - before).toBeGreaterThanOrEqual(95);
  });

  test("connections can be refused; the SDK keeps trying and gets in when they are welcome again", async () => {
    platform.fault({ kind: "refuse_connections", on: true });
    const ws = new WSClient({ ...platform.sdk, logger: quietLogger });
    await ws.start({ eventDispatcher: new EventDispatcher({ logger: quietLogger }) });
    expect(platform.connections()).toBe(0);
    platform.fault({ kind: "refuse_connections", on: false });
    await platform.whenConnected();
    ws.close({ force: true });
  });

  test("a wrong secret gets no address, and an address is good for one connection", async () => {
    expect(await endpoint({ AppID: platform.sdk.appId, AppSecret: "wrong" })).toMatchObject({ code: 514 });
    const { data } = await endpoint({ AppID: platform.sdk.appId, AppSecret: platform.sdk.appSecret });
    const url = data?.URL ?? "";
    expect(await opens(url)).toBe(true);
    expect(await opens(url)).toBe(false);
    expect(await opens(url.replace(/ticket=\w+/, "ticket=guessed"))).toBe(false);
  });
});

async function opens(url: string): Promise<boolean> {
  const { WebSocket } = await import("ws");
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on("open", () => {
      socket.terminate();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
