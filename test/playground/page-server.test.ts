import { request } from "node:http";
import { Client } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PageEvent, PlaygroundState, SayAnswer, TapAnswer } from "../../src/playground/page-api.ts";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { connectBot, quietLogger, simpleCard } from "./sdk-bot.ts";

let platform: TestPlatform;
let clockNow: Date;

beforeEach(async () => {
  clockNow = new Date("2026-03-02T01:00:00Z");
  platform = await startTestPlatform({
    playground: {
      clock: { now: () => clockNow, set: moveClock },
      inspect: async (what, query) => (what === "items" ? { items: [], query } : undefined),
    },
  });
});
async function moveClock(now: Date): Promise<void> {
  clockNow = now;
}

afterEach(async () => {
  await platform.close();
});

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(`${platform.url}/playground/api/${path}`)).json()) as T;
}

async function post<T>(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${platform.url}/playground/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** Status of a raw request, for headers that fetch does not let one set. */
function rawStatus(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${platform.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("the page's state and news", () => {
  test("three people, a direct chat for each, one group, all with the bot", async () => {
    const state = await get<PlaygroundState>("state");
    expect(state.users.map((user) => user.name)).toEqual(["王小明", "李雷", "Ada"]);
    expect(state.me.userId).toBe(platform.people.owner.openId);
    expect(state.chats.map((chat) => chat.type)).toEqual(["p2p", "p2p", "p2p", "group"]);
    expect(state).toMatchObject({ now: "2026-03-02T01:00:00.000Z", herald: { connected: false }, clockCanMove: true });
  });

  test("news are numbered, and a page that comes back gets what it missed", async () => {
    const before = await get<PlaygroundState>("state");
    const say = (text: string) =>
      post<SayAnswer>("message", { chatId: platform.chats.owner, userId: platform.people.owner.openId, text });
    await say("一");
    await say("二");
    const missed = await readEvents({ "last-event-id": String(before.lastEventId) }, 2);
    expect(missed.map((event) => event.type)).toEqual(["message", "message"]);
    const again = await readEvents({ "last-event-id": String(missed[0]?.id) }, 1);
    expect(again[0]).toEqual(missed[1]);
    expect(await readEvents({ "last-event-id": "99999" }, 1)).toMatchObject([{ type: "state", reload: true }]);
  });

  test("a message and a tap go to the bot and come back, the card changed for everyone", async () => {
    const client = new Client({ ...platform.sdk, logger: quietLogger });
    const bot = await connectBot(platform, {
      "im.message.receive_v1": async (data) => {
        await client.im.v1.message.reply({
          path: { message_id: data.message.message_id },
          data: { msg_type: "interactive", content: JSON.stringify(simpleCard("有一件事")) },
        });
        return {};
      },
      "card.action.trigger": () => ({
        toast: { type: "success", content: "好", i18n: { zh_cn: "好", en_us: "Fine" } },
        card: { type: "raw", data: simpleCard("完成") },
      }),
    });
    const came = platform.until((event) => event.type === "message" && event.message.fromBot);
    const userId = platform.people.owner.openId;
    await post("message", { chatId: platform.chats.owner, userId, text: "/items" });
    const event = await came;
    if (event.type !== "message") throw new Error("unreachable");
    const tapped = await post<TapAnswer>("tap", {
      messageId: event.message.messageId,
      userId,
      tag: "button",
      value: { v: 1 },
    });
    expect(tapped.body).toEqual({ toast: { type: "success", content: "好" }, card: simpleCard("完成") });
    expect(platform.messages(platform.chats.owner)[1]?.content).toMatchObject({ card: simpleCard("完成"), version: 2 });
    bot.close();
  });

  async function readEvents(headers: Record<string, string>, count: number): Promise<PageEvent[]> {
    const abort = new AbortController();
    const response = await fetch(`${platform.url}/playground/api/stream`, { headers, signal: abort.signal });
    const events: PageEvent[] = [];
    const decoder = new TextDecoder();
    let text = "";
    for await (const part of response.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      events.splice(0, events.length);
      for (const line of text.split("\n")) {
        if (line.startsWith("data: ") && text.includes(`${line}\n\n`))
          events.push(JSON.parse(line.slice(6)) as PageEvent);
      }
      if (events.length >= count) break;
    }
    abort.abort();
    return events.slice(0, count);
  }
});

describe("time machine and inspector", () => {
  test("the clock jumps by a duration or to an instant, forward only", async () => {
    expect((await post("clock", { advance: "8h" })).body).toEqual({ now: "2026-03-02T09:00:00.000Z" });
    expect((await post("clock", { now: "2026-03-09T01:00:00Z" })).body).toEqual({ now: "2026-03-09T01:00:00.000Z" });
    expect(await post("clock", { now: "2026-03-01T01:00:00Z" })).toMatchObject({
      status: 400,
      body: { error: { code: "clockBackwards" } },
    });
    expect(await post("clock", { advance: "soon" })).toMatchObject({
      status: 400,
      body: { error: { code: "clockFormat" } },
    });
    expect(clockNow.toISOString()).toBe("2026-03-09T01:00:00.000Z");
  });

  test("what the server shows of itself comes through with its query, and unknown words are 404", async () => {
    expect(await get("inspect/items?status=open")).toEqual({
      what: "items",
      data: { items: [], query: { status: "open" } },
    });
    expect((await fetch(`${platform.url}/playground/api/inspect/secrets`)).status).toBe(404);
  });

  test("mishaps are ordered and listed", async () => {
    const ordered = await post("faults", { kind: "answer", api: "message.create", code: 230020, times: 3 });
    expect(ordered.body).toEqual({ active: [{ kind: "answer", api: "message.create", code: 230020, times: 3 }] });
    expect((await post("faults", { kind: "explode" })).status).toBe(400);
    expect((await post("faults", { kind: "clear" })).body).toEqual({ active: [] });
  });
});

describe("who may ask", () => {
  const said = { chatId: "", userId: "", text: "x" };

  test("only requests that name this machine are answered", async () => {
    expect(await rawStatus("/playground/api/state", { host: "evil.example:80" })).toBe(421);
    expect(await rawStatus("/open-apis/bot/v3/info", { host: "evil.example" })).toBe(421);
    expect(await rawStatus("/playground/api/state", { host: `localhost:${platform.port}` })).toBe(200);
    expect(await rawStatus("/playground/api/state", { host: `[::1]:${platform.port}` })).toBe(200);
  });

  test("posts from other pages, or in a form's encoding, change nothing", async () => {
    const body = { ...said, chatId: platform.chats.owner, userId: platform.people.owner.openId };
    expect((await post("message", body, { origin: "http://evil.example" })).status).toBe(403);
    expect((await post("message", body, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post("message", body, { "content-type": "text/plain" })).status).toBe(403);
    expect(platform.messages(platform.chats.owner)).toEqual([]);
    expect((await post("message", body, { origin: platform.url })).status).toBe(200);
  });

  test("what makes no sense is refused in one line and nothing happens", async () => {
    const userId = platform.people.owner.openId;
    expect(await post("message", { ...said, userId, chatId: "oc_none" })).toMatchObject({
      status: 400,
      body: { error: { code: "unknownChat" } },
    });
    expect(await post("message", { chatId: platform.chats.member, userId, text: "x" })).toMatchObject({
      body: { error: { code: "unknownPerson" } },
    });
    expect(await post("message", { chatId: platform.chats.owner, userId, text: " " })).toMatchObject({
      body: { error: { code: "emptyText" } },
    });
    expect(await post("message", "{")).toMatchObject({ status: 400, body: { error: { code: "badRequest" } } });
    expect((await post("message", { ...said, text: "x".repeat(600_000) })).status).toBe(413);
    expect((await post("tap", { messageId: "om_none", userId, tag: "button", value: {} })).body).toMatchObject({
      error: { code: "unknownMessage" },
    });
    expect((await fetch(`${platform.url}/playground/..%2f..%2fpackage.json`)).status).toBe(404);
    expect((await fetch(`${platform.url}/playground/nothing.html`)).status).not.toBe(200);
  });

  test("every page answer forbids scripts and frames of others", async () => {
    const response = await fetch(`${platform.url}/playground/api/state`);
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
