import { readdirSync, readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CardJson, PageEvent, PlaygroundState, TapAnswer, TapRequest } from "../../src/playground/page-api.ts";
import { openBrowser } from "./page-browser.ts";
import { type PageDevServer, startPageDevServer } from "./page-dev-server.ts";
import { cardContent, galleryState, message, REMINDER } from "./page-gallery.ts";

// Every component at once, against a scripted server: looks, readability, staying in step.

let browser: Browser | undefined;
let server: PageDevServer;
let state: () => PlaygroundState;
let onTap: (tap: TapRequest) => TapAnswer;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});
beforeEach(async () => {
  onTap = () => ({});
  state = galleryState;
  server = await startPageDevServer({ state: () => state(), onTap: (tap) => onTap(tap), inspect: { items: [] } });
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
  await server.close();
});

function inBrowser(
  name: string,
  run: (open: (options?: BrowserContextOptions) => Promise<Page>) => Promise<void>,
): void {
  test(name, { timeout: 60_000 }, async () => {
    const own = browser;
    if (!own) return;
    await run(async (options) => {
      const context = await own.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(server.url);
      await page.locator('[data-chat-id="oc_owner"]').click();
      await page.locator(".card, .welcome").last().waitFor();
      return page;
    });
  });
}

/**
 * Texts on the page whose contrast with what lies behind them is below WCAG AA (4.5, or 3 for large letters). Runs in
 * the page, where every colour is known as it is drawn.
 */
const WEAK_TEXTS = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = ([r, g, b]) => {
    const part = (value) => ((value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return undefined;
      layers.push(rgba(style.backgroundColor));
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const weak = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (!text || !element || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".hidden, svg, [aria-disabled=true], .struck, option")) continue;
    const back = ground(element);
    if (!back) continue;
    const style = getComputedStyle(element);
    const front = over(rgba(style.color), back);
    const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) weak.push(text.slice(0, 20) + " " + ratio.toFixed(2) + " " + element.className);
  }
  return [...new Set(weak)];
})()`;

/** Cards whose content is wider than they are: on a phone their right edge would be lost. */
const CUT_CARDS = `[...document.querySelectorAll(".card-body")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.closest(".card").querySelector(".card-title")?.textContent ?? "?")`;

/** Controls without a name a screen reader could say. */
const NAMELESS = `[...document.querySelectorAll("button, input, select, textarea, [role=button], a")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.title || each.closest("label")?.textContent.trim()))
  .map((each) => each.outerHTML.slice(0, 120))`;

describe("a page with every component", () => {
  inBrowser("draws all of them, and shows what it does not know as a red box with its name", async (open) => {
    const page = await open();
    expect(await page.locator(".problem").allTextContents()).toEqual(["无法显示的组件：hologram"]);
    const drawn = await page
      .locator("[data-tag]")
      .evaluateAll((all) => all.map((each) => String(each.getAttribute("data-tag"))));
    for (const tag of [
      "button",
      "overflow",
      "select_static",
      "multi_select_static",
      "select_person",
      "date_picker",
      "picker_time",
      "picker_datetime",
      "input",
      "form",
      "checker",
      "interactive_container",
      "collapsible_panel",
      "column_set",
      "div",
      "markdown",
      "img",
      "person",
      "person_list",
      "hr",
      "table",
      "chart",
      "audio",
    ]) {
      expect(drawn).toContain(tag);
    }
  });

  for (const look of ["light", "dark"] as const) {
    for (const size of ["desktop", "phone"] as const) {
      inBrowser(`is readable in the ${look} look on a ${size}, with a name for every control`, async (open) => {
        const viewport = size === "phone" ? { width: 390, height: 844 } : { width: 1280, height: 900 };
        const page = await open({ colorScheme: look, viewport, reducedMotion: "reduce" });
        expect(await page.evaluate(WEAK_TEXTS)).toEqual([]);
        expect(await page.evaluate(NAMELESS)).toEqual([]);
        await page.locator(".clock-button").click();
        expect(await page.evaluate(WEAK_TEXTS)).toEqual([]);
      });
    }
  }

  inBrowser("fits the narrowest phone without scrolling sideways", async (open) => {
    const page = await open({ viewport: { width: 320, height: 640 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(
      await page.evaluate(
        "document.querySelector('.messages').scrollWidth - document.querySelector('.messages').clientWidth",
      ),
    ).toBe(0);
    expect(await page.evaluate(CUT_CARDS)).toEqual([]);
  });

  inBrowser("a chosen look is kept, whatever the system says", async (open) => {
    const page = await open({ colorScheme: "light" });
    await page.locator(".look-button").click();
    await page.locator(".choice", { hasText: "深色" }).click();
    const ground = (): Promise<string> =>
      page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor");
    expect(await ground()).toBe("rgb(38, 38, 39)");
    await page.reload();
    await page.locator(".card").last().waitFor();
    expect(await ground()).toBe("rgb(38, 38, 39)");
  });
});

describe("the cards Herald really sends", () => {
  const folder = new URL("../cards/golden/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".both.json"));

  inBrowser("are all drawn whole on a phone, in both looks and languages", async (open) => {
    expect(files.length).toBeGreaterThan(10);
    const cards = files.map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as CardJson);
    state = () => ({
      ...galleryState(),
      messages: { oc_owner: cards.map((json) => message("oc_owner", "ou_bot", cardContent(json))) },
    });
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open({ colorScheme, viewport: { width: 360, height: 740 }, reducedMotion: "reduce" });
      for (const language of ["English", "简体中文"]) {
        await page.locator(".language-button").click();
        await page.locator(".choice", { hasText: language }).click();
        expect(await page.locator(".card").count()).toBe(cards.length);
        expect(await page.locator(".problem").allTextContents()).toEqual([]);
        expect(await page.evaluate(WEAK_TEXTS)).toEqual([]);
        expect(await page.evaluate(CUT_CARDS)).toEqual([]);
      }
    }
  });
});

describe("staying in step", () => {
  const news = (id: number, text: string): PageEvent => ({
    id,
    type: "message",
    message: message("oc_owner", "ou_bot", { kind: "text", text, mentions: [] }),
  });

  inBrowser("a lost stream is said, found again by itself, and goes on from the last news", async (open) => {
    const page = await open();
    await expect.poll(() => server.streams()).toEqual(["1"]);
    server.send(news(7, "断线之前"));
    await page.getByText("断线之前").last().waitFor();
    server.cut();
    await page.locator(".banner.lost", { hasText: "正在重连" }).waitFor();
    await page.locator(".banner.lost").waitFor({ state: "hidden" });
    expect(server.streams().at(-1)).toBe("7");
    server.send(news(7, "重复的"));
    server.send(news(8, "重连之后"));
    await page.getByText("重连之后").last().waitFor();
    expect(await page.getByText("重复的").count()).toBe(0);
  });

  inBrowser("what one is typing on a card outlives a change of that card", async (open) => {
    const page = await open();
    await page.getByPlaceholder("写点什么").fill("写到一半");
    const form = galleryState().messages.oc_owner?.[2];
    if (form?.content.kind !== "card") throw new Error("the gallery's third card is its form");
    const changed = { ...form.content.card, header: { title: { tag: "plain_text", content: "改过的标题" } } };
    server.send({ id: 9, type: "patch", message: { ...form, content: cardContent(changed, { version: 2 }) } });
    await page.locator(".card-title", { hasText: "改过的标题" }).waitFor();
    expect(await page.getByPlaceholder("写点什么").inputValue()).toBe("写到一半");
    expect(await page.evaluate("document.activeElement.dataset.name")).toBe("title");
  });

  inBrowser("news do not pull a reader away from what they read; one tap leads to them", async (open) => {
    const page = await open();
    await page.evaluate("document.querySelector('.messages').scrollTop = 0");
    await page.waitForTimeout(100);
    server.send({ id: 10, type: "message", message: message("oc_owner", "ou_bot", cardContent(REMINDER)) });
    await page.locator(".jump", { hasText: "1 条新消息" }).waitFor();
    expect(await page.evaluate("document.querySelector('.messages').scrollTop")).toBe(0);
    await page.locator(".jump").click();
    await page.locator(".jump").waitFor({ state: "hidden" });
  });

  inBrowser("an unread mark shows for a chat one is not looking at, and goes when one looks", async (open) => {
    const page = await open();
    await page.locator('[data-chat-id="oc_group"]').click();
    server.send(news(11, "你不在时"));
    const badge = page.locator('[data-chat-id="oc_owner"] .badge');
    await badge.getByText("1", { exact: true }).waitFor();
    await page.locator('[data-chat-id="oc_owner"]').click();
    await badge.waitFor({ state: "hidden" });
  });

  inBrowser("Enter that ends an input method's composing does not send", async (open) => {
    const page = await open();
    const field = page.locator(".say-field");
    await field.fill("ni hao");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await page.waitForTimeout(100);
    expect(server.asked.filter((each) => each.path.endsWith("/message"))).toEqual([]);
    await field.press("Enter");
    await expect.poll(() => server.asked.filter((each) => each.path.endsWith("/message")).length).toBe(1);
  });

  inBrowser("an empty chat promises nothing that will not come", async (open) => {
    state = () => ({ ...galleryState(), messages: { oc_group: galleryState().messages.oc_group ?? [] } });
    const page = await open();
    await page.locator(".welcome.reading", { hasText: "Herald 正在阅读示例会话" }).waitFor();
    server.send({ id: 20, type: "state", herald: { connected: false, connections: 0 }, reload: false });
    await page.locator(".welcome.offline", { hasText: "还没有连上" }).waitFor();
    server.send({ id: 21, type: "state", herald: { connected: true, connections: 1 }, reload: false });
    await page.locator(".welcome.reading").waitFor();
    await page.clock.install();
    await page.reload();
    await page.locator(".welcome.reading").waitFor();
    await page.clock.fastForward("01:00");
    await page.locator(".welcome.quiet", { hasText: "暂时没有要提醒的事" }).waitFor();
    await page.locator(".who-button").click();
    await page.locator(".choice", { hasText: "Ada" }).click();
    await page.locator('[data-chat-id="oc_english"]').click();
    await page.locator(".welcome.guest", { hasText: "This version serves its owner only" }).waitFor();
  });
});
