import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AESCipher, adaptDefault, EventDispatcher } from "@larksuiteoapi/node-sdk";
import { afterEach, describe, expect, test } from "vitest";
import { encryptBody, signBody } from "../../src/playground/webhook-push.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { quietLogger, simpleCard } from "./sdk-bot.ts";

const KEY = "test key";
let platform: TestPlatform | undefined;
let server: Server | undefined;

afterEach(async () => {
  await platform?.close();
  server?.closeAllConnections();
  server?.close();
});

/** The official SDK behind an HTTP server, as an app in webhook mode runs it. */
async function sdkServer(handles: Record<string, (data: never) => unknown>, encryptKey?: string): Promise<string> {
  const dispatcher = new EventDispatcher({ ...(encryptKey === undefined ? {} : { encryptKey }), logger: quietLogger });
  dispatcher.register(handles as Record<string, never>);
  const answer = adaptDefault("/feishu", dispatcher, { autoChallenge: true });
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/feishu`;
}

describe("webhook mode", () => {
  test.each([
    ["in clear", undefined],
    ["encrypted and signed", KEY],
  ])("challenge, events and taps work %s with the official SDK", async (_, encryptKey) => {
    const heard: unknown[] = [];
    const url = await sdkServer(
      {
        "im.message.receive_v1": (data: never) => {
          heard.push((data as { message: { content: string } }).message.content);
          return {};
        },
        "card.action.trigger": () => ({
          toast: { type: "success", content: "好" },
          card: { type: "raw", data: simpleCard("新") },
        }),
      },
      encryptKey,
    );
    platform = await startTestPlatform({ webhook: { url, ...(encryptKey === undefined ? {} : { encryptKey }) } });
    expect(await platform.challengeWebhook()).toBe(true);
    const said = platform.deliverMessage({
      chatId: platform.chats.owner,
      userId: platform.people.owner.openId,
      text: "在吗",
    });
    await said.acknowledged;
    expect(heard).toEqual([JSON.stringify({ text: "在吗" })]);
    expect(platform.events().pending).toEqual([]);
    const tapped = { messageId: addCard(platform), userId: platform.people.owner.openId, tag: "button", value: {} };
    expect(await platform.tap(tapped)).toMatchObject({ toast: { content: "好" }, card: simpleCard("新") });
  });

  test("a push the receiver refuses is repeated by the schedule", async () => {
    let status = 500;
    let count = 0;
    const url = await plainServer(() => {
      count += 1;
      return { status, body: "{}" };
    });
    platform = await startTestPlatform({ webhook: { url } });
    await platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text: "x" })
      .acknowledged;
    status = 200;
    platform.clock.advance(15_000);
    await waitUntil(() => platform?.events().pending.length === 0);
    expect(count).toBe(2);
  });

  test("the signature is over timestamp, nonce, key and the raw body, and the body opens with the key", async () => {
    let seen: { headers: IncomingHttpHeaders; body: string } | undefined;
    const url = await plainServer((headers, body) => {
      seen = { headers, body };
      return { status: 200, body: "{}" };
    });
    platform = await startTestPlatform({ webhook: { url, encryptKey: KEY } });
    await platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text: "密" })
      .acknowledged;
    const headers = seen?.headers ?? {};
    const expected = signBody({
      timestamp: String(headers["x-lark-request-timestamp"]),
      nonce: String(headers["x-lark-request-nonce"]),
      encryptKey: KEY,
      body: seen?.body ?? "",
    });
    expect(headers["x-lark-signature"]).toBe(expected);
    const { encrypt } = JSON.parse(seen?.body ?? "{}") as { encrypt: string };
    expect(JSON.parse(new AESCipher(KEY).decrypt(encrypt))).toMatchObject({
      schema: "2.0",
      header: { token: "playground-verification" },
    });
  });

  test("the encryption is the documented one", () => {
    expect(new AESCipher(KEY).decrypt("P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk=")).toBe("hello world");
    const { encrypt } = JSON.parse(encryptBody("hello world", KEY)) as { encrypt: string };
    expect(new AESCipher(KEY).decrypt(encrypt)).toBe("hello world");
  });

  test.each([
    ["an address nobody listens on", "http://127.0.0.1:9/feishu", 200342],
    ["an answer that is not HTTP 200", 500, 200671],
    ["a redirection, which is not followed", 302, 200671],
    ["an answer that is no JSON", 200, 200672],
  ])("a tap at %s gets the client's error code", async (_, target, code) => {
    const url = typeof target === "string" ? target : await plainServer(() => ({ status: target, body: "oops" }));
    platform = await startTestPlatform({ webhook: { url } });
    const messageId = addCard(platform);
    const answer = await platform.tap({ messageId, userId: platform.people.owner.openId, tag: "button", value: {} });
    expect(answer.error?.code).toBe(code);
  });
});

async function plainServer(
  answer: (headers: IncomingHttpHeaders, body: string) => { status: number; body: string },
): Promise<string> {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { status, body } = answer(request.headers, Buffer.concat(parts).toString("utf8"));
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(body);
    });
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A card that stands in the owner's chat without having been sent by a bot. */
function addCard(on: TestPlatform): string {
  const { messageId } = on.deliverMessage({
    chatId: on.chats.group,
    userId: on.people.owner.openId,
    text: "",
    raw: { type: "interactive", wireType: "interactive", content: {} },
  });
  const message = on.state.messages.get(messageId);
  if (message) message.card = simpleCard("x");
  return messageId;
}

async function waitUntil(done: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !done(); i += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}
