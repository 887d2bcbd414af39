import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { literal, markdown, panel, row } from "../../src/cards/blocks.ts";
import { actionButton } from "../../src/cards/buttons.ts";
import type { Element } from "../../src/cards/card.ts";
import { cutText } from "../../src/cards/cut-text.ts";
import { type Draft, fitCard } from "../../src/cards/fit-card.ts";
import { itemListCard } from "../../src/cards/item-list-card.ts";
import type { Look } from "../../src/cards/look.ts";
import type { MatterState, MatterView } from "../../src/cards/matter.ts";
import { reminderCard } from "../../src/cards/reminder-card.ts";
import { checkCard } from "../helpers/check-card.ts";
import { controlsOf, hours, LOOKS } from "./looks.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .tuple(
      fc.constantFrom("提醒一下。", "👨‍👩‍👧‍👦", 'say "hi" \\ ', "e\u0301", "\uD83D", "\u0000", "a\n"),
      fc.nat({ max: 9_000 }),
    )
    .map(([piece, times]) => piece.repeat(times)),
);

const look: fc.Arbitrary<Look> = fc.constantFrom(LOOKS.zh, LOOKS.en, LOOKS.both);
const instant = fc.integer({ min: -10_000, max: 10_000 }).map(hours);
const id = fc.stringMatching(/^[A-Za-z0-9_]{1,64}$/);
const who = fc.oneof(
  fc.constant({ kind: "you" } as const),
  fc.record({ kind: fc.constant("person" as const), name: text }),
  fc.record({ kind: fc.constant("person" as const), openId: text }),
);
const state: fc.Arbitrary<MatterState> = fc.oneof(
  fc.constant({ is: "open" } as const),
  fc.constant({ is: "gone" } as const),
  fc.record({ is: fc.constantFrom("updated" as const, "closedElsewhere" as const), at: instant }),
  fc.record({
    is: fc.constantFrom("done" as const, "dropped" as const, "fewer" as const),
    by: who,
    at: instant,
    undo: id,
  }),
  fc.record({ is: fc.constant("snoozed" as const), until: instant, by: who, at: instant }),
);
const matter: fc.Arbitrary<MatterView> = fc.record({
  item: id,
  rev: fc.nat(),
  title: text,
  whyNow: text,
  since: instant,
  dueAt: instant,
  claimedDone: fc.boolean(),
  quote: fc.record({ by: who, at: instant, text }),
  state,
});

describe("whatever a card is made of", () => {
  test("a reminder stays under every limit, and each open matter shown keeps all its controls", () => {
    fc.assert(
      fc.property(look, text, fc.array(matter, { maxLength: 9 }), fc.boolean(), (reader, message, matters, expired) => {
        const card = reminderCard({ text: message, matters, expired }, reader);
        expect(checkCard(card)).toEqual([]);
        const tags = controlsOf(card).map((control) => control.tag);
        const doneButtons = JSON.stringify(card).match(/"action":"item.done"/g)?.length ?? 0;
        expect(tags.filter((tag) => tag === "picker_datetime")).toHaveLength(doneButtons);
        if (expired) expect(tags).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test("a list of any length stays under every limit and says how many are not shown", () => {
    fc.assert(
      fc.property(look, fc.array(matter, { minLength: 1, maxLength: 60 }), (reader, matters) => {
        const card = itemListCard({ list: "all", page: 2, pages: 3, total: 99, matters }, reader);
        expect(checkCard(card)).toEqual([]);
        const lines = card.body.elements.filter((element) => element.tag === "hr").length;
        const shown = JSON.stringify(card);
        const leftOut = /"content":"(?:另有 (\d+) 项|(\d+) more)"/.exec(shown);
        const n = Number(leftOut?.[1] ?? leftOut?.[2] ?? 0);
        // A line parts two matters, one stands above the foot, one above the number of those left out.
        expect(lines - (n > 0 ? 1 : 0) + n).toBe(matters.length);
      }),
      { numRuns: 60 },
    );
  });

  test("a draft of anything, however deep, long or full of tables, becomes a card under every limit", () => {
    const button = actionButton("tick.run", {}, LOOKS.zh, { label: () => "很长的按钮".repeat(60) });
    const table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n";
    const element: fc.Arbitrary<Element> = fc.letrec<{ any: Element }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 8, withCrossShrink: true },
        text.map((content): Element => literal(content, { maxChars: 100_000 })),
        text.map((content): Element => ({ tag: "markdown", content: `\`\`\`ts\n${content.replaceAll("`", "")}` })),
        fc.nat({ max: 9 }).map((n): Element => markdown(LOOKS.both, () => table.repeat(n))),
        fc.constant<Element>(button),
        fc.array(tie("any"), { maxLength: 4 }).map((inner): Element => row(inner)),
        fc.array(tie("any"), { maxLength: 4 }).map((inner): Element => panel(LOOKS.both, () => "", inner)),
      ),
    })).any;
    const blocks = fc.array(fc.record({ stands: fc.nat({ max: 1 }), elements: fc.array(element, { maxLength: 5 }) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(look, text, blocks, (reader, title, parts) => {
        const draft: Draft = {
          header: { title: { tag: "plain_text", content: title }, template: "blue" },
          summary: () => title,
          blocks: parts,
        };
        const problems = checkCard(fitCard(reader, draft)).filter((problem) => !problem.endsWith("fence open"));
        expect(problems).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

test("text is cut between graphemes and never grows", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(cutText(family.repeat(3), 25)).toBe(`${family.repeat(2)}…`);
  expect(cutText("e\u0301e\u0301e\u0301", 4)).toBe("e\u0301…");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 30 }), (whole, most) => {
      const cut = cutText(whole, most);
      expect(cut.length).toBeLessThanOrEqual(Math.max(most, 0));
      if (whole.length <= most) expect(cut).toBe(whole);
      else expect(Buffer.from(cut).toString()).toBe(cut);
    }),
  );
});

test("a code fence that a cut left open is closed again", () => {
  const code = `前言\n\n\`\`\`ts\n${"const x = 1;\n".repeat(5_000)}\`\`\`\n`;
  const card = fitCard(LOOKS.zh, {
    header: { title: { tag: "plain_text", content: "代码" }, template: "blue" },
    summary: () => "代码",
    blocks: [{ stands: 0, elements: [markdown(LOOKS.zh, () => code)] }],
  });
  expect(checkCard(card)).toEqual([]);
  expect(JSON.stringify(card)).toContain("部分文字过长");
});

test("tables over the number a card may hold become code blocks and stay readable", () => {
  const table = (n: number): string => `第 ${n} 张\n\n| 名 | 值 |\n|---|---|\n| 行${n} | 1 |\n\n`;
  const nine = Array.from({ length: 9 }, (_, index) => table(index + 1)).join("");
  const card = fitCard(LOOKS.zh, {
    header: { title: { tag: "plain_text", content: "报告" }, template: "blue" },
    summary: () => "报告",
    blocks: [{ stands: 0, elements: [markdown(LOOKS.zh, () => nine)] }],
  });
  expect(checkCard(card)).toEqual([]);
  for (let n = 1; n <= 9; n++) expect(JSON.stringify(card)).toContain(`行${n}`);
});
