import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText, escapeMarkdown } from "../../src/cards/escape.ts";
import { reminderCard } from "../../src/cards/reminder-card.ts";
import { LOOKS } from "./looks.ts";
import { quote } from "./reminder-views.ts";

const hostile = "**紧急** [点我](http://x) <at id=all></at> | a | b |";

/** Text as people and models write it, with everything that markdown and tags are made of. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."*_~`[]()<>#|!&-+=:/\\\"'$@{}.^%;? \t\n\r",
        "http://x.y",
        "<at id=all></at>",
        "<person id='ou_1'></person>",
        "&reg;",
        "&#60;",
        "| a | b |\n|---|---|",
        "```\ncode\n```",
        "    four",
        "1. one",
        "🧑‍🤝‍🧑",
        "\u0000",
        "\uD83D",
        "\uDE00",
        "\u202E",
      ),
      fc.string({ unit: "grapheme", maxLength: 5 }),
      fc.constantFrom("你好", "截止", "a", "1"),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

/** What a reader sees of escaped text. */
const seen = (markdown: string): string =>
  markdown
    .replace(/<br>/g, "\n")
    .replace(/&nbsp;/g, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test("escaped text holds no mark that markdown, tags or links are made of", () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const bare = escapeMarkdown(text)
        .replace(/<br>/g, "")
        .replace(/&nbsp;/g, "")
        .replace(/&#\d{2,3};/g, "");
      expect(bare).not.toMatch(/[!-/:-@[-`{-~\n]/);
    }),
  );
});

test("escaped text is read exactly as it was written", () => {
  fc.assert(
    fc.property(nasty, (text) => {
      expect(seen(escapeMarkdown(text))).toBe(cleanText(text).replace(/\t/g, "  "));
    }),
  );
});

test("cleaned text has a UTF-8 form, no invisible control, and stays as it is when cleaned again", () => {
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: "binary" })), (text) => {
      const clean = cleanText(text);
      expect(Buffer.from(clean, "utf8").toString("utf8")).toBe(clean);
      expect(clean).not.toMatch(/[\u0000-\u0008\u000E-\u001F\u202A-\u202E]/);
      expect(cleanText(clean)).toBe(clean);
    }),
  );
});

test("a hostile title is shown literally: no link, no mention, no table, no tag", () => {
  const card = reminderCard({ text: hostile, expired: false, matters: [{ ...quote, title: hostile }] }, LOOKS.zh);
  const holders = card.body.elements.filter((element) => JSON.stringify(element).includes("紧急"));
  expect(holders).toHaveLength(2);
  for (const holder of holders)
    expect(holder).toMatchObject({ tag: "div", text: { tag: "plain_text", content: hostile } });
  expect(card.body.elements.some((element) => element.tag === "markdown")).toBe(false);
});
