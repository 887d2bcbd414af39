import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEntities } from "../../src/playground/page/markdown/decode-entity.ts";
import { parseInline } from "../../src/playground/page/markdown/parse-inline.ts";
import { parseMarkdown } from "../../src/playground/page/markdown/parse-markdown.ts";
import { plainBlocks } from "../../src/playground/page/markdown/plain-text.ts";
import { safeLink } from "../../src/playground/page/markdown/safe-link.ts";
import type { Block, Inline } from "../../src/playground/page/markdown/tree.ts";

/** A short notation of the tree, so that a test reads like what a person would see. */
function show(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case "text":
          return node.text;
        case "strong":
          return `B(${show(node.children)})`;
        case "em":
          return `I(${show(node.children)})`;
        case "strike":
          return `S(${show(node.children)})`;
        case "code":
          return `C(${node.text})`;
        case "link":
          return `L(${node.href}|${show(node.children)})`;
        case "colour":
          return `${node.colour}(${show(node.children)})`;
        case "tag":
          return `T(${node.colour}|${node.text})`;
        case "number":
          return `N(${node.ground}|${node.colour}|${node.text})`;
        case "mention":
          return `@(${node.openId})`;
        case "person":
          return `P(${node.openId}${node.capsule ? "|capsule" : ""}${node.showAvatar ? "" : "|bare"})`;
        case "time":
          return `D(${node.atMs}|${node.format})`;
        case "image":
          return `IMG(${node.imageKey}|${node.alt})`;
        case "audio":
          return "AUDIO";
        case "break":
          return node.hard ? "⏎" : "↵";
        default:
          return node satisfies never;
      }
    })
    .join("");
}

const inline = (source: string): string => show(parseInline(source));
const kinds = (source: string): string[] => parseMarkdown(source).map((block) => block.kind);

describe("running text", () => {
  test.each([
    ["**粗**和*斜*", "B(粗)和I(斜)"],
    ["***both***", "I(B(both))"],
    ["**a *b* c**", "B(a I(b) c)"],
    ["*a **b** c*", "I(a B(b) c)"],
    ["~~gone~~", "S(gone)"],
    ["~one~", "~one~"],
    ["snake_case_name", "snake_case_name"],
    ["_em_ __strong__", "I(em) B(strong)"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["**open", "**open"],
    ["\\*not\\* \\<b\\>", "*not* <b>"],
    ["`a*b*` and ``x ` y``", "C(a*b*) and C(x ` y)"],
    ["`unclosed", "`unclosed"],
    ["one\ntwo", "one↵two"],
    ["one  \ntwo", "one⏎two"],
    ["one<br>two<br/>three", "one⏎two⏎three"],
    ["&toString; &valueOf;", "&toString; &valueOf;"],
    ["&#42;x&#42; &lt;b&gt; &amp;amp; &reg &unknown;", "*x* <b> &amp; ® &unknown;"],
  ])("%s", (source, expected) => {
    expect(inline(source)).toBe(expected);
  });

  test.each([
    ["[飞书](https://www.feishu.cn/a_(b))", "L(https://www.feishu.cn/a_(b)|飞书)"],
    ["[**b**](https://a.b/)", "L(https://a.b/|B(b))"],
    ["<https://a.b/c>", "L(https://a.b/c|https://a.b/c)"],
    ["见 https://a.b/c?d=1。好", "见 L(https://a.b/c?d=1|https://a.b/c?d=1)。好"],
    ["[x](javascript:alert(1))", "x"],
    ["[x](data:text/html,hi)", "x"],
    ["[x](//evil.example)", "x"],
    ["![图](img_v3_0)", "IMG(img_v3_0|图)"],
    ["[no target]", "[no target]"],
  ])("link %s", (source, expected) => {
    expect(inline(source)).toBe(expected);
  });

  test.each([
    ["<font color='red'>a **b**</font>", "red(a B(b))"],
    ["<font color=grey>a<font color='blue'>b</font></font>", "grey(ablue(b))"],
    ['<text_tag color="green">完成</text_tag>', "T(green|完成)"],
    ["<at id=ou_1></at> <at id='all'/>", "@(ou_1) @(all)"],
    ["<person id='ou_1' show_name=true show_avatar=false style='capsule'></person>", "P(ou_1|capsule|bare)"],
    [
      "<local_datetime millisecond='1700000000000' format_type='date_num'></local_datetime>",
      "D(1700000000000|date_num)",
    ],
    ["<link url='https://a.b'>去</link>", "L(https://a.b/|去)"],
    ["<a href='https://a.b'></a>", "L(https://a.b/|https://a.b)"],
    ["<number_tag background_color='red' font_color='white'>1</number_tag>", "N(red|white|1)"],
    ["<raw>**x**</raw>", "**x**"],
    ["<font color='red'>open", "<font color='red'>open"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["1 < 2 > 0", "1 < 2 > 0"],
  ])("tag %s", (source, expected) => {
    expect(inline(source)).toBe(expected);
  });
});

describe("blocks", () => {
  test("headings, rules, quotes and code keep their kind", () => {
    expect(kinds("# 一\n\n---\n\n> 引\n\n```ts\nlet a = '**';\n```\n\n<hr>\n\n    indented\n\n尾")).toEqual([
      "heading",
      "rule",
      "quote",
      "code",
      "rule",
      "code",
      "paragraph",
    ]);
  });

  test("a fence keeps its text untouched and remembers its language", () => {
    expect(parseMarkdown("```python\nx = '**a**'\n\n  y\n```")).toEqual([
      { kind: "code", language: "python", text: "x = '**a**'\n\n  y" },
    ]);
  });

  test("an open fence runs to the end, as while a reply is being typed", () => {
    expect(parseMarkdown("text\n```\nhalf")[1]).toEqual({ kind: "code", language: "", text: "half" });
  });

  test("lists nest by four spaces and remember where they start", () => {
    const [list] = parseMarkdown("3. a\n4. b\n    - c\n    - d\n5. e");
    expect(list).toMatchObject({ kind: "list", ordered: true, start: 3, tight: true });
    const items = list?.kind === "list" ? list.items : [];
    expect(items.map((item) => item.map((block) => block.kind))).toEqual([
      ["paragraph"],
      ["paragraph", "list"],
      ["paragraph"],
    ]);
  });

  test("a line that begins with a year is no list, a list right under a sentence is one", () => {
    expect(kinds("很久以前\n2024. 年")).toEqual(["paragraph"]);
    expect(kinds("要点：\n- a\n- b")).toEqual(["paragraph", "list"]);
  });

  test("tables need a row of dashes with as many cells; short rows are filled up", () => {
    const [table] = parseMarkdown("| a | b |\n| :-- | --: |\n| 1 | **2** |\n| 3 |\n\nend");
    expect(table).toMatchObject({ kind: "table", align: ["left", "right"] });
    const rows = table?.kind === "table" ? table.rows : [];
    expect(rows.map((row) => row.map(show))).toEqual([
      ["1", "B(2)"],
      ["3", ""],
    ]);
    expect(kinds("a | b\nno table")).toEqual(["paragraph"]);
  });

  test("a quote holds blocks of its own", () => {
    const [quote] = parseMarkdown("> # 标题\n> - a\n> - b\n\n外面");
    expect(quote?.kind === "quote" ? quote.children.map((block) => block.kind) : []).toEqual(["heading", "list"]);
  });
});

describe("whatever the text", () => {
  const nasty = fc.array(
    fc.constantFrom(
      "*",
      "**",
      "_",
      "`",
      "```",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "1. ",
      "|",
      "---",
      "<",
      ">",
      "</font>",
      "&",
      "[",
      "](",
      ")",
      "~~",
      "\\",
      "#",
      "    ",
      "<font color='red'>",
      "<at id=ou_1>",
      "<raw>",
      "字",
      "a",
      " ",
      "\u0000",
      "\ud800",
    ),
    { maxLength: 60 },
  );

  test("parsing ends and never throws", () => {
    fc.assert(
      fc.property(nasty, (parts) => void parseMarkdown(parts.join(""))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => void parseMarkdown(text)),
      { numRuns: 500 },
    );
  });

  test("no link leads anywhere but to http or https", () => {
    const links = (blocks: readonly Block[]): string[] =>
      [...JSON.stringify(blocks).matchAll(/"href":"([^"]*)"/g)].map((m) => m[1] ?? "");
    fc.assert(
      fc.property(
        fc.constantFrom("javascript:", "JaVaScRiPt:", "data:", "vbscript:", "file:///", "//", "/", "\u0001javascript:"),
        fc.string({ maxLength: 20 }),
        (scheme, rest) => {
          for (const href of links(parseMarkdown(`[x](${scheme}${rest}) <a href='${scheme}${rest}'>y</a>`))) {
            expect(href).toMatch(/^https?:/);
          }
        },
      ),
    );
    expect(safeLink(" https://a.b ")).toBe("https://a.b/");
  });

  test("words survive parsing in their order", () => {
    const word = fc.stringMatching(/^[a-z0-9一-龥]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        expect(show(parseInline(words.join(" ")))).toBe(words.join(" "));
      }),
    );
  });

  // The longest text a card can hold, made to hurt. Processor time, so that a busy machine changes nothing.
  test.each([
    ["quotes", "> "],
    ["lists", "- "],
    ["tags that never close", "<font color='red'>"],
    ["brackets", "["],
    ["pictures", "!["],
    ["emphasis", "*a **b "],
    ["mixed emphasis", "*a_"],
    ["code", "a`b``"],
    ["entities", "&"],
    ["table heads", "a|b\n"],
    ["list after list", "1. a\n\n"],
  ])("30 KB of %s are parsed within a second of work", (_, part) => {
    const source = part.repeat(30_000 / part.length);
    const before = process.cpuUsage();
    parseMarkdown(source);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  test("deep nesting of closed tags costs no stack", () => {
    const deep = `${"<font color='red'>".repeat(1200)}x${"</font>".repeat(1200)}`;
    expect(plainBlocks(parseMarkdown(deep))).toContain("x");
  });
});

test("entities in attributes are decoded once", () => {
  expect(decodeEntities("a &amp;lt; b &#x4f60; &")).toBe("a &lt; b 你 &");
});
