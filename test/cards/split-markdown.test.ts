import fc from "fast-check";
import { expect, test } from "vitest";
import { fitCard } from "../../src/cards/fit-card.ts";
import { readMarkdownLines } from "../../src/cards/markdown-lines.ts";
import { splitMarkdown } from "../../src/cards/split-markdown.ts";
import { checkCard } from "../helpers/check-card.ts";
import { LOOKS } from "./looks.ts";

const session = (n: number): string => `### 会话 ${n}\n\n今天处理了第 ${n} 件事，细节如下。${"说明".repeat(60)}\n\n`;
const table = (n: number): string => `| 指标 ${n} | 值 |\n|---|---|\n| 次数 | ${n} |\n| 成功 | ${n - 1} |\n\n`;
const report = [
  "# 晚报\n\n",
  ...Array.from({ length: 23 }, (_, index) => session(index + 1)),
  ...Array.from({ length: 9 }, (_, index) => table(index + 1)),
  `\`\`\`ts\n${Array.from({ length: 40 }, (_, index) => `const line${index} = "第 ${index} 行";`).join("\n")}\n\`\`\`\n\n`,
  "汉字内容。".repeat(800),
  "👨‍👩‍👧‍👦🧑🏽‍🚀🏳️‍🌈".repeat(5),
].join("");

const cardOf = (shown: string): unknown =>
  fitCard(LOOKS.both, {
    header: { title: { tag: "plain_text", content: "晚报" }, template: "blue" },
    summary: () => "晚报",
    blocks: [{ stands: 0, elements: [{ tag: "markdown", content: shown }] }],
  });

const openFences = (shown: string): number => (shown.match(/^ {0,3}(```|~~~)/gm)?.length ?? 0) % 2;

test("a long report goes out in parts: each a card under all limits, no fence broken, nothing missing", () => {
  const parts = splitMarkdown(report, 6_000);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.map((part) => part.source).join("")).toBe(report);
  for (const part of parts) {
    const card = cardOf(part.shown);
    expect(checkCard(card)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000);
    // Nothing had to be shortened or turned into code to make it fit.
    expect(card).toMatchObject({ body: { elements: [{ content: part.shown }] } });
  }
});

test("a short text is one part, shown as it is", () => {
  expect(splitMarkdown("你好\n\n```\n1\n```", 6_000)).toEqual([
    { source: "你好\n\n```\n1\n```", shown: "你好\n\n```\n1\n```" },
  ]);
  expect(splitMarkdown("", 6_000)).toEqual([]);
});

test("a code block too long for one part is closed and opened again in its own language", () => {
  const code = `\`\`\`python\n${"print('x')\n".repeat(400)}\`\`\`\n完`;
  const parts = splitMarkdown(code, 2_000);
  expect(parts.length).toBeGreaterThan(2);
  for (const [index, part] of parts.entries()) {
    expect(openFences(part.shown)).toBe(0);
    if (index > 0 && index < parts.length - 1) expect(part.shown).toMatch(/^```python\n/);
  }
});

test("a table is not torn where a better border is near, and has its head again where it must go on", () => {
  const rows = (n: number): string =>
    Array.from({ length: n }, (_, index) => `| 第 ${index} 行 | ${index} |\n`).join("");
  const small = `${"说明文字。".repeat(40)}\n\n| 名称 | 数 |\n|---|---|\n${rows(40)}\n完`;
  const whole = splitMarkdown(small, 2_600).find((part) => part.shown.includes("| 名称 | 数 |"));
  expect(whole?.shown).toContain("第 39 行");
  const parts = splitMarkdown(`| 名称 | 数 |\n|---|---|\n${rows(400)}`, 3_000);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.shown.startsWith("| 名称 | 数 |\n|---|---|\n| 第 ")).toBe(true);
});

test("two code blocks that touch are not mistaken for one", () => {
  const blocks = "```\na\n```\n".repeat(300);
  for (const part of splitMarkdown(blocks, 600)) {
    expect(openFences(part.shown)).toBe(0);
  }
});

test("parts of any text join to the text, are small enough, and leave no fence open", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "# 标题\n",
      "\n",
      "```ts\n",
      "```\n",
      "~~~\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      "👨‍👩‍👧‍👦",
      "    x\n",
      "```",
      '"\\"',
    ),
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.nat({ max: 900 }).map((n) => "长".repeat(n)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), fc.integer({ min: 400, max: 3_000 }), (pieces, maxBytes) => {
      const source = pieces.join("");
      const parts = splitMarkdown(source, maxBytes);
      expect(parts.map((part) => part.source).join("")).toBe(source);
      for (const part of parts) {
        expect(readMarkdownLines(`${part.shown}\n.`).at(-1)?.code).toBe(false);
        expect(Buffer.byteLength(JSON.stringify(JSON.stringify(part.shown))) - 6).toBeLessThanOrEqual(maxBytes);
      }
    }),
    { numRuns: 200 },
  );
});

test("a line of 100 KB without a break costs no noticeable time, and is cut between characters", () => {
  for (const line of ["中文".repeat(17_000), "` `` ".repeat(20_000), "<a>".repeat(33_000), "👨‍👩‍👧‍👦".repeat(9_000)]) {
    const since = performance.now();
    const parts = splitMarkdown(line, 22_000);
    // Grapheme by grapheme it took several seconds, in which the process answered nobody.
    expect(performance.now() - since).toBeLessThan(1_500);
    expect(parts.map((part) => part.source).join("")).toBe(line);
    for (const { source } of parts) expect(source).toBe(source.toWellFormed());
  }
});
