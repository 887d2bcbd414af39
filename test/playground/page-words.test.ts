import { describe, expect, test } from "vitest";
import { languageOf, WORDS } from "../../src/playground/page/i18n.ts";
import { messageSummary } from "../../src/playground/page/message-summary.ts";
import { pickText } from "../../src/playground/page/pick-text.ts";
import { splitLinks } from "../../src/playground/page/split-links.ts";
import { card, cardContent, message, REMINDER } from "./page-gallery.ts";

describe("which of a card's texts a reader sees", () => {
  const both = { content: "完成", i18n_content: { zh_cn: "完成", en_us: "Done" } };

  test("the reader's own language, when it is there", () => {
    expect(pickText(both, "en_us")).toBe("Done");
    expect(pickText(both, "zh_cn")).toBe("完成");
  });

  test("the plain content, when the reader's language is not", () => {
    expect(pickText({ content: "完成", i18n_content: { ja_jp: "完了" } }, "en_us")).toBe("完成");
    expect(pickText({ content: "完成" }, "en_us")).toBe("完成");
  });

  test("English, then any language, when there is no plain content", () => {
    expect(pickText({ i18n_content: { ja_jp: "完了", en_us: "Done" } }, "zh_cn")).toBe("Done");
    expect(pickText({ i18n_content: { ja_jp: "完了" } }, "zh_cn")).toBe("完了");
  });

  test("only languages of config.locales count", () => {
    expect(pickText(both, "en_us", ["zh_cn"])).toBe("完成");
  });

  test("nothing that is no text ever shows", () => {
    for (const odd of [undefined, null, 3, [], { content: 4 }, { i18n_content: "x" }])
      expect(pickText(odd, "zh_cn")).toBe("");
  });
});

describe("the line in the chat list", () => {
  const words = WORDS.zh_cn.summary;
  const summary = (json: Record<string, unknown>): string =>
    messageSummary(message("oc_1", "ou_bot", cardContent(json)), "en_us", words);

  test("is the card's own summary in the reader's language", () => {
    expect(summary(REMINDER)).toBe("2 matters are still open");
  });

  test("else its title, else its first words, else that it is a card", () => {
    expect(summary(card({ title: { tag: "plain_text", content: "题" } }, []))).toBe("题");
    expect(summary(card(undefined, [{ tag: "hr" }, { tag: "markdown", content: "**先看**\n这里" }]))).toBe("先看 这里");
    expect(summary({})).toBe("[卡片]");
    expect(summary({ body: { elements: "broken" } })).toBe("[卡片]");
  });

  test("names whom a text mentions, and says no more of a recalled one", () => {
    const text = message("oc_1", "ou_owner", {
      kind: "text",
      text: "@_user_1 hi\nthere",
      mentions: [{ key: "@_user_1", userId: "ou_bot", name: "Herald" }],
    });
    expect(messageSummary(text, "zh_cn", words)).toBe("@Herald hi there");
    expect(messageSummary({ ...text, recalled: true }, "zh_cn", words)).toBe("[已撤回]");
  });

  test("stays one short line", () => {
    const long = message("oc_1", "ou_owner", { kind: "text", text: "很长\n".repeat(500), mentions: [] });
    expect(messageSummary(long, "zh_cn", words).length).toBeLessThanOrEqual(120);
  });
});

test("addresses in plain text become links, and the full stop after them does not", () => {
  expect(splitLinks("看 https://a.b/c?d=1. 好")).toEqual([
    { text: "看 " },
    { text: "https://a.b/c?d=1", href: "https://a.b/c?d=1" },
    { text: "." },
    { text: " 好" },
  ]);
  expect(splitLinks("javascript:alert(1)")).toEqual([{ text: "javascript:alert(1)" }]);
});

test("both languages of the page say everything, and neither leaves a word in the other's script", () => {
  const flat = (value: unknown): string[] => {
    if (typeof value === "string") return [value];
    if (typeof value === "function") return [String((value as (...args: unknown[]) => unknown)(2, 3, 4))];
    return Object.values(value as object).flatMap(flat);
  };
  expect(flat(WORDS.en_us).length).toBe(flat(WORDS.zh_cn).length);
  for (const text of flat(WORDS.en_us)) expect(text).not.toMatch(/[\u4e00-\u9fff]/);
  for (const text of [...flat(WORDS.zh_cn), ...flat(WORDS.en_us)]) expect(text.trim()).not.toBe("");
});

test("a browser's languages decide as long as nothing else is known", () => {
  expect(languageOf(["zh-TW", "en"])).toBe("zh_cn");
  expect(languageOf(["fr", "en-GB"])).toBe("en_us");
  expect(languageOf(["fr"])).toBe("zh_cn");
});
