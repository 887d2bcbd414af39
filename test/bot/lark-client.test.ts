import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Lark } from "../../src/bot/lark.ts";
import { larkClient } from "../../src/bot/lark-client.ts";
import type { Log } from "../../src/engine/ports.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";

const said: string[] = [];
const log: Log = {
  debug: (event, facts) => said.push(JSON.stringify({ event, facts })),
  info: (event, facts) => said.push(JSON.stringify({ event, facts })),
  warn: (event, facts) => said.push(JSON.stringify({ event, facts })),
  incident: (event, error) => {
    said.push(`${event} ${String(error)}`);
    return "K7Q2";
  },
};

let platform: TestPlatform;
let lark: Lark;

beforeEach(async () => {
  said.length = 0;
  platform = await startTestPlatform();
  lark = larkClient({ appId: platform.sdk.appId, appSecret: platform.sdk.appSecret, baseUrl: platform.url }, log);
});
afterEach(() => platform.close());

const owner = (): { openId: string } => ({ openId: platform.people.owner.openId });
const text = (words: string): { type: "text"; content: { text: string } } => ({
  type: "text",
  content: { text: words },
});
const sentTexts = (): string[] =>
  [...platform.state.messages.values()]
    .map((message) => JSON.stringify(message))
    .filter((json) => json.includes("text"));

describe("the Lark client on the real SDK", () => {
  test("an answer lost after the platform took the message gives one message and its id", async () => {
    platform.fault({ kind: "drop_after", api: "message.create" });
    const sent = await lark.send(owner(), text("once"), "key-1");
    expect(sent.messageId).toMatch(/^om_/);
    expect(sentTexts().filter((json) => json.includes("once"))).toHaveLength(1);
  });

  test("a refused token is fetched anew once and the call then works", async () => {
    await lark.send(owner(), text("a"), "key-1");
    platform.fault({ kind: "expire_tokens" });
    await expect(lark.send(owner(), text("b"), "key-2")).resolves.toMatchObject({ messageId: expect.any(String) });
  });

  test("a card that can never be built is tried once", async () => {
    platform.fault({ kind: "refuse_cards", on: true });
    const card = { schema: "2.0", config: { update_multi: true }, body: { elements: [] } };
    const before = platform.calls.length;
    await expect(lark.send(owner(), { type: "interactive", content: card }, "key-1")).rejects.toMatchObject({
      name: "LarkError",
      kind: "refused",
      code: 230099,
    });
    const creates = platform.calls.slice(before).filter((call) => call.api === "message.create");
    expect(creates).toHaveLength(1);
  });

  test("the pause the gateway asks for is told when it is longer than a sweep should wait", async () => {
    platform.fault({ kind: "answer", api: "message.create", code: 99991400, status: 429, resetSeconds: 30, times: 5 });
    await expect(lark.send(owner(), text("later"), "key-1")).rejects.toMatchObject({
      kind: "too_fast",
      retryAfterMs: 30_000,
    });
  });

  test("the bot learns its own open_id, and which chats are direct", async () => {
    await expect(lark.botInfo()).resolves.toEqual({ openId: platform.state.bot.openId, name: "Herald" });
    await expect(lark.chatType(platform.chats.owner)).resolves.toBe("p2p");
    await expect(lark.chatType(platform.chats.group)).resolves.toBe("group");
  });

  test("something that is no id never reaches a path", async () => {
    const before = platform.calls.length;
    await expect(lark.patch("../../x", {})).rejects.toMatchObject({ kind: "bug" });
    expect(platform.calls).toHaveLength(before);
  });

  test("neither secret nor token nor text is in the log when a call fails", async () => {
    platform.fault({ kind: "answer", api: "message.create", code: 230001, status: 400 });
    await expect(lark.send(owner(), text("a very private line"), "key-1")).rejects.toMatchObject({ kind: "bug" });
    const all = said.join("\n");
    expect(all).not.toContain(platform.sdk.appSecret);
    expect(all).not.toContain("private line");
    expect(all).not.toMatch(/Bearer|t-[a-z0-9]{8}/i);
  });

  test("a wrong secret is somebody's to mend, not ours to retry", async () => {
    const wrong = larkClient({ appId: "cli_ffffffffffffffff", appSecret: "no", baseUrl: platform.url }, log);
    await expect(wrong.send(owner(), text("x"), "key-1")).rejects.toMatchObject({ kind: "not_allowed" });
  });

  test("lone surrogates and NUL are cleaned before they leave", async () => {
    await lark.send(owner(), text("bad \ud800 and \u0000 end"), "key-1");
    expect(sentTexts().join()).toContain("bad \ufffd and  end");
  });
});
