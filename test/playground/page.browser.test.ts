import { Client } from "@larksuiteoapi/node-sdk";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../helpers/start-platform.ts";
import { openBrowser } from "./page-browser.ts";
import { card } from "./page-gallery.ts";
import { type CardAction, connectBot, quietLogger } from "./sdk-bot.ts";

// From the person's finger to the bot and back: Chromium, the page, the stand-in platform, the official SDK.

let browser: Browser | undefined;
let platform: TestPlatform;
let client: Client;
let taps: CardAction[];
/** What the bot answers to the next taps. */
let answer: (tap: CardAction) => unknown;
let bot: { close: () => void };
let wallMs: number;
const errors: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  taps = [];
  errors.length = 0;
  answer = () => ({});
  wallMs = Date.parse("2026-03-02T01:00:00Z");
  platform = await startTestPlatform({
    playground: {
      clock: { now: () => new Date(wallMs), set: moveClock },
      inspect: async (what) =>
        what === "items" ? [{ goalId: "g1", title: "交季度复盘", status: "active", momentum: "stalled" }] : undefined,
    },
  });
  client = new Client({ ...platform.sdk, logger: quietLogger });
  bot = await connectBot(platform, {
    "card.action.trigger": (tap: CardAction) => {
      taps.push(tap);
      return answer(tap);
    },
  });
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
  bot.close();
  await platform.close();
});

async function moveClock(now: Date): Promise<void> {
  wallMs = now.getTime();
}

/** A test that needs a browser; without one it passes, and the console has said so. */
function inBrowser(
  name: string,
  run: (open: (options?: BrowserContextOptions) => Promise<Page>) => Promise<void>,
): void {
  test(name, { timeout: 60_000 }, async () => {
    const own = browser;
    if (!own) return;
    await run(async (options) => {
      const context = await own.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
      await page.goto(`${platform.url}/playground`);
      await page.waitForSelector(".shell");
      return page;
    });
    expect(errors).toEqual([]);
  });
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

async function send(json: object, chatId: string = platform.chats.owner): Promise<string> {
  const sent = await client.im.v1.message.create({
    params: { receive_id_type: "chat_id" },
    data: { receive_id: chatId, msg_type: "interactive", content: JSON.stringify(json) },
  });
  return sent.data?.message_id ?? "";
}

const say = (zh: string, en: string): object => ({
  tag: "plain_text",
  content: zh,
  i18n_content: { zh_cn: zh, en_us: en },
});
const done = {
  tag: "button",
  type: "primary",
  text: say("完成", "Done"),
  behaviors: [{ type: "callback", value: { go: "done" } }],
};
const reminder = card({ title: say("还有 1 件事没了结", "1 matter is still open"), template: "blue" }, [
  { tag: "markdown", content: "交**季度复盘**" },
  done,
]);
const settled = card({ title: say("处理好了", "Settled"), template: "green" }, [
  { tag: "markdown", content: "~~交季度复盘~~" },
]);
const settle = (): unknown => ({
  toast: { type: "success", content: "已完成", i18n: { zh_cn: "已完成", en_us: "Marked done" } },
  card: { type: "raw", data: settled },
});

describe("the playground's page", () => {
  inBrowser("says what is about to happen, then shows the reminder by itself", async (open) => {
    const page = await open();
    await page.getByText("Herald 正在阅读示例会话…").waitFor();
    await send(reminder);
    await page.getByText("还有 1 件事没了结").last().waitFor();
    expect(await page.getByText("Herald 正在阅读示例会话…").count()).toBe(0);
    expect(await page.locator(".message strong").textContent()).toBe("季度复盘");
  });

  inBrowser("a tap shows toast and new card at once, on every open page", async (open) => {
    const [mine, other] = [await open(), await open(phone)];
    await send(reminder);
    await other.locator(".chat-row").first().click();
    answer = settle;
    await mine.getByRole("button", { name: "完成", exact: true }).click();
    await mine.locator(".toast.success", { hasText: "已完成" }).waitFor();
    for (const page of [mine, other]) {
      await page.locator(".card-title", { hasText: "处理好了" }).waitFor();
      expect(await page.getByRole("button", { name: "完成", exact: true }).count()).toBe(0);
    }
    expect(taps).toHaveLength(1);
    expect(taps[0]).toMatchObject({
      operator: { open_id: platform.people.owner.openId },
      action: { tag: "button", value: { go: "done" } },
    });
  });

  inBrowser("an impatient finger taps once, and the button turns until it is answered", async (open) => {
    const page = await open();
    await send(reminder);
    let release: (value: unknown) => void = () => {};
    answer = () => new Promise((resolve) => (release = resolve));
    const button = page.getByRole("button", { name: "完成", exact: true });
    await button.click({ clickCount: 3 });
    await page.locator(".button[aria-busy=true]").waitFor();
    await button.click({ force: true });
    release(settle());
    await page.locator(".card-title", { hasText: "处理好了" }).waitFor();
    expect(taps).toHaveLength(1);
  });

  inBrowser("the second half of a double tap does not hit what the answer put in its place", async (open) => {
    const page = await open();
    await send(reminder);
    const undo = { ...done, text: say("撤销", "Undo"), behaviors: [{ type: "callback", value: { go: "undo" } }] };
    answer = () => ({
      card: {
        type: "raw",
        data: card({ title: say("处理好了", "Settled") }, [{ tag: "markdown", content: "交" }, undo]),
      },
    });
    await page.getByRole("button", { name: "完成", exact: true }).click();
    // From within the page, because a click through the browser's protocol may take longer than a finger.
    await page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const undo = [...document.querySelectorAll(".card .button")].find((each) => each.textContent === "撤销");
        if (undo) resolve(undo.click()); else requestAnimationFrame(look);
      };
      look();
    })`);
    await page.waitForTimeout(600);
    expect(taps).toHaveLength(1);
    await page.getByRole("button", { name: "撤销", exact: true }).click();
    await expect.poll(() => taps.length).toBe(2);
  });

  inBrowser("a tap nobody answers in time leaves the card as it was, with Feishu's number under it", async (open) => {
    const page = await open();
    await send(reminder);
    answer = () => new Promise(() => {});
    await page.getByRole("button", { name: "完成", exact: true }).click();
    await page.locator(".message-error", { hasText: "200341" }).waitFor();
    expect(await page.locator(".button[aria-busy=true]").count()).toBe(0);
    answer = settle;
    await page.getByRole("button", { name: "完成", exact: true }).click();
    await page.locator(".card-title", { hasText: "处理好了" }).waitFor();
    expect(await page.locator(".message-error:visible").count()).toBe(0);
  });

  inBrowser("an answer Feishu would refuse is refused here with the same number", async (open) => {
    const page = await open();
    await send(reminder);
    for (const [bad, code] of [
      [{ surprise: 1 }, "200672"],
      [{ card: { type: "raw", data: "{}" } }, "200673"],
    ] as const) {
      answer = () => bad;
      await page.getByRole("button", { name: "完成", exact: true }).click();
      await page.locator(".message-error", { hasText: code }).waitFor();
    }
  });

  inBrowser(
    "a reader of English sees English, on the card and in the toast, and the values stay the same",
    async (open) => {
      const page = await open();
      await send(reminder, platform.chats.english);
      await page.locator(".who-button").click();
      await page.locator(".choice", { hasText: "Ada" }).click();
      await page.locator(".card-title", { hasText: "1 matter is still open" }).waitFor();
      answer = () => ({ toast: { type: "info", content: "已完成", i18n: { zh_cn: "已完成", en_us: "Marked done" } } });
      await page.getByRole("button", { name: "Done", exact: true }).click();
      await page.locator(".toast", { hasText: "Marked done" }).waitFor();
      expect(taps[0]).toMatchObject({
        operator: { open_id: platform.people.english.openId },
        action: { value: { go: "done" } },
      });
      await page.locator(".language-button").click();
      await page.locator(".choice", { hasText: "简体中文" }).click();
      await page.locator(".card-title", { hasText: "还有 1 件事没了结" }).waitFor();
    },
  );

  inBrowser("a form sends nothing while something required is missing, then all its values", async (open) => {
    const page = await open();
    await send(
      card(undefined, [
        {
          tag: "form",
          name: "remind",
          elements: [
            { tag: "input", name: "what", required: true, label: say("事项", "What"), max_length: 50 },
            {
              tag: "select_static",
              name: "kind",
              placeholder: say("类别", "Kind"),
              options: [
                { text: say("工作", "Work"), value: "work" },
                { text: say("生活", "Life"), value: "life" },
              ],
            },
            {
              tag: "picker_datetime",
              name: "when",
              placeholder: say("时间", "When"),
              initial_datetime: "2026-03-03 09:30",
            },
            { tag: "checker", name: "loud", text: say("提醒", "Remind"), checked: true },
            { ...done, name: "save", form_action_type: "submit" },
          ],
        },
      ]),
    );
    await page.getByRole("button", { name: "完成", exact: true }).click();
    await page.locator(".field.missing").waitFor();
    expect(taps).toHaveLength(0);

    await page.getByLabel("事项").fill("写 <b>复盘</b>");
    await page.locator(".select", { hasText: "类别" }).click();
    await page.getByRole("option", { name: "生活" }).click();
    await page.getByRole("button", { name: "完成", exact: true }).click();
    await expect.poll(() => taps.length).toBe(1);
    expect(taps[0]?.action.form_value).toEqual({
      what: "写 <b>复盘</b>",
      kind: "life",
      when: "2026-03-03 09:30 +0800",
      loud: true,
    });
  });

  inBrowser("menu, select and picker work from the keyboard alone", async (open) => {
    const page = await open();
    await send(
      card(undefined, [
        {
          tag: "overflow",
          options: [
            { text: say("放弃", "Drop"), value: "drop" },
            { text: say("少提醒", "Fewer"), value: "fewer" },
          ],
          behaviors: [{ type: "callback", value: { go: "menu" } }],
        },
        {
          tag: "picker_datetime",
          placeholder: say("选个时间", "Pick"),
          behaviors: [{ type: "callback", value: { go: "until" } }],
        },
        { ...done, confirm: { title: say("确定？", "Sure?"), text: say("不能撤销", "No way back") } },
      ]),
    );
    await page.locator(".overflow").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => taps.length).toBe(1);
    expect(taps[0]?.action).toMatchObject({ tag: "overflow", option: "fewer", value: { go: "menu" } });

    await page.locator(".picker:not([aria-busy])").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    await page.locator(".popup-foot .button").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => taps.length).toBe(2);
    expect(taps[1]?.action).toMatchObject({
      tag: "picker_datetime",
      option: "2026-03-03 09:05 +0800",
      timezone: "Asia/Shanghai",
    });

    await page.getByRole("button", { name: "完成", exact: true }).click();
    await page.keyboard.press("Escape");
    expect(taps).toHaveLength(2);
    await page.getByRole("button", { name: "完成", exact: true }).click();
    await page.locator(".ask").getByRole("button", { name: "确定" }).press("Enter");
    await expect.poll(() => taps.length).toBe(3);
  });

  inBrowser("what people and models write never becomes markup", async (open) => {
    const page = await open();
    const evil =
      "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script> [x](javascript:alert(1))";
    await send(
      card({ title: say(evil, evil) }, [
        { tag: "markdown", content: evil },
        { tag: "div", text: say(evil, evil) },
      ]),
    );
    await page.locator(".card-title").waitFor();
    await page.locator(".say-field").fill(evil);
    await page.keyboard.press("Enter");
    await page.locator(".message.mine").waitFor();
    expect(await page.title()).toBe("Herald");
    expect(await page.locator(".messages img, .messages script, .messages a").count()).toBe(0);
  });

  inBrowser("a typed line reaches the bot and its reply quotes it", async (open) => {
    const page = await open();
    await page.locator(".say-field").fill("/items");
    await page.keyboard.press("Enter");
    const mine = await platform.waitForMessage(platform.chats.owner, (message) => !message.fromBot);
    await client.im.v1.message.reply({
      path: { message_id: mine.messageId },
      data: { msg_type: "text", content: JSON.stringify({ text: "没有未了结的事" }) },
    });
    await page
      .locator(".message.theirs", { hasText: "没有未了结的事" })
      .locator(".quote", { hasText: "/items" })
      .waitFor();
  });

  inBrowser("the inspector shows stored rows and the card's JSON with its weight", async (open) => {
    const page = await open();
    await send(reminder);
    await page.locator(".inspector .record", { hasText: "交季度复盘" }).click();
    await page.locator(".all-fields", { hasText: "g1" }).waitFor();
    await page.locator(".message").hover();
    await page.getByRole("button", { name: "查看卡片 JSON" }).click();
    await page.locator(".raw", { hasText: '"schema": "2.0"' }).waitFor();
    expect(await page.locator(".weight").textContent()).toMatch(/KB · 4 个元素/);
  });

  inBrowser("the time machine jumps forward and says where it arrived", async (open) => {
    const page = await open();
    await page.locator(".clock-button", { hasText: "09:0" }).click();
    await page.locator(".jump-choice", { hasText: "今晚 19:00" }).click();
    await page.locator(".toast.success", { hasText: "19:00" }).waitFor();
    expect(new Date(wallMs).toISOString()).toBe("2026-03-02T11:00:00.000Z");
  });

  inBrowser("on a phone there is one pane: list, chat, and back by the browser's own button", async (open) => {
    await send(reminder);
    const page = await open(phone);
    expect(await page.locator(".conversation").isVisible()).toBe(false);
    await page.locator(".chat-row").first().click();
    await page.locator(".card").waitFor();
    expect(await page.locator(".chat-list").isVisible()).toBe(false);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(390);
    await page.goBack();
    await page.locator(".chat-list").waitFor();
    expect(await page.locator(".conversation").isVisible()).toBe(false);
  });

  inBrowser("a window made wide while only the list was shown has a chat in its second pane", async (open) => {
    await send(reminder);
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.locator(".chat-list").waitFor();
    await page.setViewportSize({ width: 1100, height: 800 });
    await page.locator(".card").waitFor();
    expect(await page.locator(".say-field").isVisible()).toBe(true);
  });

  inBrowser("outlives a restart of the server: it says so, finds it again and shows what was missed", async (open) => {
    const page = await open();
    await send(reminder);
    await page.locator(".card-title", { hasText: "还有 1 件事没了结" }).waitFor();
    const { port } = platform;
    bot.close();
    await platform.close();
    await page.locator(".banner.lost").waitFor();
    platform = await startTestPlatform({ port });
    client = new Client({ ...platform.sdk, logger: quietLogger });
    bot = await connectBot(platform, {});
    await send(settled);
    await page.locator(".card-title", { hasText: "处理好了" }).waitFor();
    // A server without a memory has forgotten the first card, and the page does not pretend otherwise.
    expect(await page.locator(".card-title").count()).toBe(1);
    errors.length = 0; // The browser itself reports the refused connections of the time between.
  });
});
