import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@larksuiteoapi/node-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { connectBot, quietLogger, simpleCard } from "./sdk-bot.ts";

let folder: string;
let memoryFile: string;
let platform: TestPlatform;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "herald-playground-"));
  memoryFile = join(folder, "deep", "platform.json");
  platform = await startTestPlatform({ memoryFile });
});
afterEach(async () => {
  await platform.close();
  rmSync(folder, { recursive: true });
});

async function restart(): Promise<void> {
  const now = platform.clock.now().toISOString();
  await platform.close();
  platform = await startTestPlatform({ memoryFile, start: now });
}

function sendCard(uuid: string) {
  const client = new Client({ ...platform.sdk, logger: quietLogger });
  return client.im.v1.message.create({
    params: { receive_id_type: "chat_id" },
    data: {
      receive_id: platform.chats.owner,
      msg_type: "interactive",
      content: JSON.stringify(simpleCard("记得")),
      uuid,
    },
  });
}

describe("a restart of the demo", () => {
  test("keeps messages, their cards, and the keys that stop a second sending", async () => {
    const first = await sendCard("once");
    const before = platform.messages(platform.chats.owner);
    await restart();
    expect(platform.messages(platform.chats.owner)).toEqual(before);
    expect((await sendCard("once")).data?.message_id).toBe(first.data?.message_id);
    const client = new Client({ ...platform.sdk, logger: quietLogger });
    await client.im.v1.message.patch({
      path: { message_id: first.data?.message_id ?? "" },
      data: { content: JSON.stringify(simpleCard("还在")) },
    });
    expect(platform.messages(platform.chats.owner)[0]?.content).toMatchObject({ card: simpleCard("还在") });
  });

  test("keeps pictures, reactions and card entities", async () => {
    const key = platform.addFile("image", "a.png", Buffer.from([0, 255, 1]));
    const { messageId } = platform.deliverMessage({
      chatId: platform.chats.owner,
      userId: platform.people.owner.openId,
      text: "好",
    });
    await platform.react(messageId, platform.people.owner.openId, "OK");
    await restart();
    expect(platform.state.files.get(key)?.bytes).toEqual(Buffer.from([0, 255, 1]));
    expect(platform.messages(platform.chats.owner)[0]?.reactions).toEqual([
      { emojiType: "OK", userIds: [platform.people.owner.openId] },
    ]);
  });

  test("delivers what was said while the bot was away", async () => {
    const said = platform.deliverMessage({
      chatId: platform.chats.owner,
      userId: platform.people.owner.openId,
      text: "别忘了",
    });
    await said.acknowledged;
    await restart();
    const heard: string[] = [];
    const bot = await connectBot(platform, {
      "im.message.receive_v1": (data) => {
        heard.push(data.message.message_id);
        return {};
      },
    });
    await expect.poll(() => heard).toEqual([said.messageId]);
    await expect.poll(() => platform.events().pending).toEqual([]);
    bot.close();
  });

  test("is written a moment after a change, not only at the end", async () => {
    platform.deliverMessage({ chatId: platform.chats.owner, userId: platform.people.owner.openId, text: "马上存" });
    await expect
      .poll(() => existsSync(memoryFile) && readFileSync(memoryFile, "utf8"), { timeout: 5000 })
      .toContain("马上存");
  });

  test.each([
    ["damaged", "{"],
    ["of another version", '{"version":99}'],
    ["of another shape", '{"version":1}'],
  ])("with a file that is %s begins anew", async (_, text) => {
    await platform.close();
    writeFileSync(memoryFile, text);
    platform = await startTestPlatform({ memoryFile });
    expect(platform.messages(platform.chats.owner)).toEqual([]);
  });
});
