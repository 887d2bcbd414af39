import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest({ emptyHome: true });
});
afterAll(() => world.close());

const db = () => world.app.scope.db;
const wait = (ms: number) => world.at(new Date(world.platform.clock.now().getTime() + ms));
const said = (chat?: string) => world.botMessages(chat).map((message) => JSON.stringify(message.content));
const group = () => world.platform.chats.group;

test("messages of a chat are answered in the order they came", async () => {
  const before = said().length;
  const { owner } = world.platform.people;
  const texts = ["/lang en", "/quiet", "/lang zh", "/quiet"];
  await Promise.all(
    texts.map(
      (text) =>
        world.platform.deliverMessage({ chatId: world.platform.chats.owner, userId: owner.openId, text }).acknowledged,
    ),
  );
  await world.settle();
  const answers = said().slice(before);
  expect(answers).toHaveLength(4);
  expect(answers[0]).toContain("English");
  expect(answers[1]).toContain("I stay quiet");
  expect(answers[2]).toContain("中文");
  expect(answers[3]).toContain("不打扰你");
});

test("a message whose work fails five times is set aside with a reference, and the chat goes on behind it", async () => {
  const { preferences } = world.app.scope;
  world.app.scope.preferences = {
    read: async () => {
      throw new Error("bug");
    },
    write: preferences.write.bind(preferences),
  };
  const before = said().length;
  await world.say("owner", "/prefs");
  await world.say("owner", "/whoami");
  // In its turn: nothing overtakes the message that is being tried.
  expect(said()).toHaveLength(before);
  for (let minute = 0; minute < 7; minute++) await wait(61_000);
  world.app.scope.preferences = preferences;
  const answers = said().slice(before);
  expect(answers).toHaveLength(2);
  expect(answers.filter((text) => text.includes("出了点问题"))).toHaveLength(1);
  expect(answers.filter((text) => text.includes("open_id"))).toHaveLength(1);
  expect(await db().inboxEvent.count({ where: { status: "failed" } })).toBe(1);
});

test("strangers get one polite line, and after that silence", async () => {
  const chat = world.platform.chats.member;
  await world.say("member", "hello");
  await world.say("member", "/items");
  await world.say("member", "/help");
  expect(said(chat)).toEqual([expect.stringContaining("只为被允许的人服务")]);
});

test("in a group it answers only when it is mentioned, and a stranger there once", async () => {
  const before = said(group()).length;
  await world.say("owner", "/quiet", { chatId: group() });
  expect(said(group())).toHaveLength(before);
  await world.say("owner", "/lang zh", { chatId: group(), mentionBot: true });
  expect(said(group())).toHaveLength(before + 1);
  await world.say("english", "hello", { chatId: group(), mentionBot: true });
  await world.say("english", "hello?", { chatId: group(), mentionBot: true });
  expect(said(group())).toHaveLength(before + 2);
});

test("private matters and what only owner and admins may see are never told in a group", async () => {
  await world.say("owner", "/remind 谈加薪 明天9点");
  const [inGroup, inDirect] = [said(group()).length, said().length];
  await world.say("owner", "/items", { chatId: group(), mentionBot: true });
  await world.say("owner", "/status", { chatId: group(), mentionBot: true });
  await world.say("owner", "/why", { chatId: group(), mentionBot: true });
  await world.say("owner", "/done 加薪", { chatId: group(), mentionBot: true });
  const told = said(group()).slice(inGroup);
  expect(told.filter((text) => text.includes("单独发给你")).length).toBe(2);
  expect(told.join()).not.toContain("谈加薪");
  expect(
    said()
      .slice(inDirect)
      .some((text) => text.includes("Herald")),
  ).toBe(true);
  expect(await db().trackingItem.findFirst({ where: { title: "谈加薪" } })).toMatchObject({ status: "active" });
});

test("a message from hours ago, when nobody was there, is not acted on but asked for again", async () => {
  const { owner } = world.platform.people;
  const at = world.platform.clock.now().getTime() - 3 * 3_600_000;
  await world.app.receive({
    schema: "2.0",
    header: { event_id: "ev_old", event_type: "im.message.receive_v1", app_id: world.platform.app.appId },
    event: {
      sender: { sender_id: { open_id: owner.openId }, sender_type: "user" },
      message: {
        message_id: "om_old",
        create_time: String(at),
        chat_id: world.platform.chats.owner,
        chat_type: "p2p",
        message_type: "text",
        content: JSON.stringify({ text: "/drop 谈加薪" }),
      },
    },
  });
  await world.settle();
  expect(said().at(-1)).toContain("3 小时");
  expect(await db().trackingItem.findFirst({ where: { title: "谈加薪" } })).toMatchObject({ status: "active" });
});

test("messages of other bots, of other apps, and what cannot be read are left alone", async () => {
  const before = said().length;
  const event = (header: object, sender: object) => ({
    schema: "2.0",
    header: { event_id: "ev_x", event_type: "im.message.receive_v1", app_id: world.platform.app.appId, ...header },
    event: {
      sender: { sender_id: { open_id: world.platform.people.owner.openId }, sender_type: "user", ...sender },
      message: {
        message_id: "om_x",
        create_time: String(world.platform.clock.now().getTime()),
        chat_id: world.platform.chats.owner,
        chat_type: "p2p",
        message_type: "text",
        content: JSON.stringify({ text: "/whoami" }),
      },
    },
  });
  expect(await world.app.receive(event({}, { sender_type: "app" }))).toEqual({});
  expect(await world.app.receive(event({ app_id: "cli_other" }, {}))).toEqual({});
  expect(await world.app.receive({ nonsense: true })).toEqual({});
  expect(await world.app.receive("text")).toEqual({});
  await world.settle();
  expect(said()).toHaveLength(before);
});

test("while it does not know its own id groups stay unanswered and direct chats work", async () => {
  await world.restart({
    wrapLark: (lark) => ({
      ...lark,
      botInfo: async () => {
        throw new Error("no answer");
      },
    }),
  });
  const [inGroup, inDirect] = [said(group()).length, said().length];
  await world.say("owner", "/whoami", { chatId: group(), mentionBot: true });
  await world.say("owner", "/whoami");
  expect([said(group()).length, said().length]).toEqual([inGroup, inDirect + 1]);
});
