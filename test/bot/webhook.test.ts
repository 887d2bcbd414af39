import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { encryptBody, signBody } from "../../src/playground/webhook-push.ts";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";
import { freePort } from "../helpers/free-port.ts";
import { remindCard } from "../helpers/remind-card.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const KEY = "test encrypt key";
let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true, webhook: { port: await freePort(), encryptKey: KEY } });
});
afterAll(() => world.close());

const address = () => new URL("/feishu/webhook", world.app.url);
const nowS = () => Math.floor(world.platform.clock.now().getTime() / 1000);
let nonces = 0;

/** One push as the platform signs it, with anything in it changed on request. */
async function push(
  event: unknown,
  more: {
    timestampS?: number;
    nonce?: string;
    tamper?: (body: string) => string;
    unsigned?: boolean;
    key?: string;
  } = {},
): Promise<{ status: number; body: string }> {
  const body = encryptBody(JSON.stringify(event), more.key ?? KEY);
  const timestamp = String(more.timestampS ?? nowS());
  const nonce = more.nonce ?? `nonce-${nonces++}`;
  const signature = signBody({ timestamp, nonce, encryptKey: more.key ?? KEY, body });
  const response = await fetch(address(), {
    method: "POST",
    body: more.tamper?.(body) ?? body,
    headers: {
      "content-type": "application/json",
      ...(more.unsigned
        ? {}
        : {
            "x-lark-request-timestamp": timestamp,
            "x-lark-request-nonce": nonce,
            "x-lark-signature": signature,
          }),
    },
  });
  return { status: response.status, body: await response.text() };
}

function said(text: string, id: string): unknown {
  const { app, people, chats } = world.platform;
  return {
    schema: "2.0",
    header: {
      event_id: `ev_${id}`,
      event_type: "im.message.receive_v1",
      app_id: app.appId,
      token: app.verificationToken,
    },
    event: {
      sender: { sender_id: { open_id: people.owner.openId }, sender_type: "user" },
      message: {
        message_id: `om_${id}`,
        create_time: String(world.platform.clock.now().getTime()),
        chat_id: chats.owner,
        chat_type: "p2p",
        message_type: "text",
        content: JSON.stringify({ text }),
      },
    },
  };
}

const stored = (id: string) =>
  world.app.scope.db.inboxEvent.count({ where: { dedupeKey: `${world.platform.app.appId}:om_${id}` } });

test("messages and taps pushed to the webhook are handled like those of the long connection", async () => {
  const { card, itemId } = await remindCard(world, "推送");
  const answer = await world.press(card, "item.done");
  expect(answer.error).toBeUndefined();
  expect(answer.toast?.content).toBe("已完成");
  expect(await world.app.scope.db.trackingItem.findUnique({ where: { id: itemId } })).toMatchObject({
    status: "closed",
  });
});

test("the challenge is echoed with the right token, encrypted and unsigned as it comes; a wrong token gets 401", async () => {
  const challenge = (token: string) => ({ type: "url_verification", challenge: "c-1", token });
  const right = await push(challenge(world.platform.app.verificationToken), { unsigned: true });
  expect([right.status, JSON.parse(right.body)]).toEqual([200, { challenge: "c-1" }]);
  expect(await push(challenge("wrong"), { unsigned: true })).toEqual({ status: 401, body: "" });
  expect(await push(challenge("x"), { unsigned: true, key: "another key" })).toEqual({ status: 401, body: "" });
  expect(await world.platform.challengeWebhook()).toBe(true);
});

test("one flipped byte, a stale or missing signature, another key or token get 401 without a word, and nothing is stored", async () => {
  const flip = (body: string) => body.replace(/.(?=.{20}"\}$)/, (at) => (at === "A" ? "B" : "A"));
  expect(await push(said("/whoami", "flip"), { tamper: flip })).toEqual({ status: 401, body: "" });
  expect(await push(said("/whoami", "old"), { timestampS: nowS() - 600 })).toEqual({ status: 401, body: "" });
  expect(await push(said("/whoami", "ahead"), { timestampS: nowS() + 600 })).toEqual({ status: 401, body: "" });
  expect(await push(said("/whoami", "bare"), { unsigned: true })).toEqual({ status: 401, body: "" });
  expect(await push(said("/whoami", "key"), { key: "another key" })).toEqual({ status: 401, body: "" });
  const forged = said("/whoami", "token") as { header: { token: string } };
  forged.header.token = "guessed";
  expect(await push(forged)).toEqual({ status: 401, body: "" });
  for (const id of ["flip", "old", "ahead", "bare", "key", "token"]) expect(await stored(id), id).toBe(0);
});

test("a replayed request is acknowledged and ignored, also under a fresh signature", async () => {
  const event = said("/remind 只一次 明天9点", "replay");
  expect((await push(event, { nonce: "same" })).status).toBe(200);
  expect((await push(event, { nonce: "same" })).status).toBe(200);
  expect((await push(event)).status).toBe(200);
  await world.settle();
  expect(await world.app.scope.db.trackingItem.count({ where: { title: "只一次" } })).toBe(1);
});

test("a body that is too large is not read to its end", async () => {
  const response = await fetch(address(), { method: "POST", body: "x".repeat(2 * 1024 * 1024) }).catch(() => undefined);
  expect(response === undefined || response.status === 413).toBe(true);
});
