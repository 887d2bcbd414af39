import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true, parts: { ownerOpenId: undefined } });
});
afterAll(() => world.close());

const codes = () => world.log.of("pairing.open").map((line) => String(line.facts.pairWith));
const last = (chat = world.platform.chats.owner) => JSON.stringify(world.botMessages(chat).at(-1)?.content);

test("before anybody is paired nobody is served, and a group is no place for the code", async () => {
  await world.say("owner", "/items");
  expect(last()).toContain("配对码");
  await world.say("english", codes()[0] ?? "", { chatId: world.platform.chats.group, mentionBot: true });
  expect(last(world.platform.chats.group)).toContain("单聊");
  expect(await world.app.scope.db.person.count()).toBe(0);
});

test("five wrong codes make a new one, the old one is worth nothing any more, and the new one pairs", async () => {
  const [first = ""] = codes();
  for (let i = 0; i < 5; i++) await world.say("member", "2222 2222");
  expect(last(world.platform.chats.member)).toContain("换新");
  expect(codes()).toHaveLength(2);
  await world.say("owner", first);
  expect(await world.app.scope.db.person.count()).toBe(0);
  await world.say("owner", (codes().at(-1) ?? "").toLowerCase().replace(" ", "-"));
  expect(last()).toContain("配对成功");
  expect(await world.app.scope.db.person.findFirst()).toMatchObject({
    openId: world.platform.people.owner.openId,
    role: "owner",
    directChatId: world.platform.chats.owner,
  });
});

test("once there is an owner a code is only a stranger's message", async () => {
  const before = world.botMessages(world.platform.chats.member).length;
  await world.say("member", codes().at(-1) ?? "");
  // They were told once already that this is a private bot.
  expect(world.botMessages(world.platform.chats.member)).toHaveLength(before);
  expect(await world.app.scope.db.person.count()).toBe(1);
});
