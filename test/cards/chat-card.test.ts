import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentMarkdown } from "../../src/cards/agent-markdown.ts";
import { type ChatView, chatCard, chatPages, liveText } from "../../src/cards/chat-card.ts";
import { commandApprovalCard } from "../../src/cards/command-approval-card.ts";
import { questionCard } from "../../src/cards/question-card.ts";
import { checkCard } from "../helpers/check-card.ts";
import { LOOKS } from "./looks.ts";

const view: ChatView = {
  turn: "turn_1",
  state: "completed",
  ahead: 0,
  reply: "好的",
  page: 1,
  canStop: true,
  stopping: false,
  retried: false,
  begun: true,
};
const json = (card: unknown): string => JSON.stringify(card);

describe("the agent's markdown on a card", () => {
  test.each([
    ["<at id=all></at> 大家好", "&#60;at id=all>&#60;/at> 大家好"],
    ["a < b 且 c > d", "a < b 且 c > d"],
    ["![图](https://x.test/a.png)", "[图](https://x.test/a.png)"],
    ["![](file:///etc/passwd)", "passwd (file:///etc/passwd)"],
    ["[点我](javascript:alert)", "点我 (javascript:alert)"],
    ["[文档](https://x.test/a)", "[文档](https://x.test/a)"],
    ["见https://x.test/a。然后", "见https://x.test/a 。然后"],
    ["&reg 与 &lt;b&gt;", "&#38;reg 与 &#38;lt;b&#38;gt;"],
    // In code, too: whether Feishu sees the same code is not ours to say. An invisible sign parts the tag.
    ["用 `<at id=all>` 这样写", "用 `<\u2060at id=all>` 这样写"],
    ["```html\n<at id=all></at>\n```", "```html\n<\u2060at id=all><\u2060/at>\n```"],
    ["~~~\n<person id='ou_x'></person>\n~~~", "~~~\n<\u2060person id='ou_x'><\u2060/person>\n~~~"],
    ["`a < b` 和 `<div>` `<b>`", "`a < b` 和 `<div>` `<b>`"],
    ["\\`<at id=all></at>\\`", "\\`&#60;at id=all>&#60;/at>\\`"],
    ["[点](javascript:alert(1))", "[点&#93;(javascript:alert(1))"],
    ["[a [b] c](javascript:x)", "[a [b] c&#93;(javascript:x)"],
    ["[`x`](lark://client)", "[`x`&#93;(lark://client)"],
    ["[点]( javascript:x)", "点"],
    ["[a]: javascript:x", "[a]&#58; javascript:x"],
    ["[维基](https://x.test/a_(b))", "[维基](https://x.test/a_(b))"],
    ["# 标题\n\n| a | b |\n|---|---|\n| 1 | 2 |", "# 标题\n\n| a | b |\n|---|---|\n| 1 | 2 |"],
  ])("%s", (given, shown) => {
    expect(agentMarkdown(given)).toBe(shown);
  });

  test("whatever it says, nobody is mentioned and no link leads anywhere but to the web, on any card", () => {
    const piece = fc.constantFrom(
      ..."` `` ``` ~~~ \\ [ ] ( ) ! <at id=all></at> javascript:x https://x.test \n | - a".split(" "),
      "\n",
      " ",
    );
    const long = "长".repeat(7_000);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(30), (pieces, at) => {
        const reply = [...pieces.slice(0, at), long, ...pieces.slice(at)].join("");
        for (let page = 1; page <= chatPages(reply); page++) {
          const card = json(chatCard({ ...view, reply, page }, LOOKS.zh).body);
          expect(card).not.toContain("<at");
        }
        expect(liveText(reply)).not.toContain("<at");
        const links = agentMarkdown(reply).match(/\]\((?!https?:)/g) ?? [];
        const inCode = reply.match(/`|~~~/g) ?? [];
        if (inCode.length === 0) expect(links).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("whatever it says, no tag of the platform is left outside of code", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const outside = agentMarkdown(text.replaceAll("`", ""));
        expect(outside).not.toMatch(/<[A-Za-z/!]/);
      }),
    );
  });
});

describe("a reply's card", () => {
  const states: readonly Partial<ChatView>[] = [
    { state: "waiting", ahead: 2, reply: "", begun: false },
    { state: "running", reply: "" },
    { state: "running", reply: "写到一半 | a |\n```ts\nlet x", tools: [{ name: "terminal", state: "started" }] },
    { state: "running", reply: "x", stopping: true },
    {
      state: "completed",
      tookMs: 12_000,
      toolCalls: 3,
      tools: [{ name: "**x**<at>", preview: "`rm`", state: "failed" }],
    },
    { state: "stopped", stoppedBy: { kind: "you" } },
    { state: "stopped", begun: false, reply: "" },
    { state: "failed", reply: "", failure: "hermes_away" },
    { state: "failed", failure: "agent", why: "<at id=all></at> quota" },
    { state: "lost", failure: "unclear", retried: true },
  ];

  test.each(states)("is one that Feishu takes, in every language: %o", (state) => {
    for (const look of Object.values(LOOKS)) expect(checkCard(chatCard({ ...view, ...state }, look))).toEqual([]);
  });

  test("says what is wrong with Hermes where that is known, and asks whether it runs where it is not", () => {
    const shown = (away?: string): string =>
      json(chatCard({ ...view, state: "failed", reply: "", failure: "hermes_away", ...(away && { away }) }, LOOKS.zh));
    expect(shown("key_refused")).toContain("不认这个 API 密钥");
    expect(shown("key_refused")).not.toContain("请确认 Hermes 正在运行");
    for (const away of [undefined, "unreachable", "not_connected", "session_busy", "toString"]) {
      expect(shown(away)).toContain("请确认 Hermes 正在运行");
    }
  });

  test("offers Stop only while that works, and Retry only where there is something to retry", () => {
    const shown = (state: Partial<ChatView>): string => json(chatCard({ ...view, ...state }, LOOKS.zh));
    expect(shown({ state: "running", canStop: true })).toContain("turn.stop");
    expect(shown({ state: "running", canStop: false })).not.toContain("turn.stop");
    expect(shown({ state: "completed" })).not.toMatch(/turn\.(stop|retry)/);
    expect(shown({ state: "lost", failure: "unclear" })).toContain("turn.retry");
    expect(shown({ state: "lost", failure: "unclear", retried: true })).not.toContain("turn.retry");
  });

  test("of any length stands on cards within the limits, every word once, code and tables whole", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.constant("```ts\nconst a = 1;\n```"),
      fc.constant("| a | b |\n|---|---|\n| 1 | 2 |"),
      fc.constant("<b>粗</b> & ![x](y)"),
      fc.nat({ max: 999 }).map((n) => `第${n}句。`.repeat(40)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
        const reply = lines.map((each, i) => `<${i}>${each}`).join("\n\n");
        const pages = chatPages(reply);
        let all = "";
        for (let page = 1; page <= pages; page++) {
          const card = chatCard({ ...view, reply, page }, LOOKS.both);
          expect(checkCard(card)).toEqual([]);
          all += json(card.body);
        }
        for (let i = 0; i < lines.length; i++) expect(all).toContain(`&lt;${i}>`.replace("&lt;", "<"));
      }),
      { numRuns: 25 },
    );
  });

  test("while it is typed shows its end when it is longer than a card", () => {
    const long = Array.from({ length: 2_000 }, (_, i) => `第${i}行，内容内容内容`).join("\n\n");
    expect(liveText(long)).toContain("第1999行");
    expect(liveText(long).startsWith("…")).toBe(true);
    expect(liveText("短")).toBe("短");
  });
});

describe("what Hermes asks", () => {
  const asked = {
    question: "0f3a",
    text: "rm -rf / # <at id=all></at> **x**",
    choices: ["once", "session", "always", "deny"],
    expiresAt: new Date("2026-11-30T02:05:00Z"),
    approvers: "admin",
  } as const;
  const decided = {
    choice: "once",
    answeredBy: { kind: "person", name: "林悦" },
    answeredAt: new Date("2026-11-30T02:01:00Z"),
  } as const;
  const states = ["open", "answered", "told", "void", "unsure", "expired"] as const;

  test.each(states)("%s: a card Feishu takes, with buttons only while it is open", (state) => {
    const more = state === "open" || state === "expired" ? {} : decided;
    for (const look of Object.values(LOOKS)) {
      const approval = commandApprovalCard({ ...asked, state, ...more }, look);
      const question = questionCard({ ...asked, choices: ["红", "蓝"], state, ...more }, look);
      expect([...checkCard(approval), ...checkCard(question)]).toEqual([]);
      expect(json(approval).includes("question.answer")).toBe(state === "open");
      expect(json(question).includes("question.say")).toBe(state === "open");
      if (state !== "open" && state !== "expired") expect(json(approval)).toContain("林悦");
    }
  });

  test("shows a long command's end and says that it is not whole, and that secrets are hidden", () => {
    const text = `${"echo a\n".repeat(2_000)}rm -rf /srv`;
    for (const look of Object.values(LOOKS)) {
      const card = commandApprovalCard({ ...asked, state: "open", text }, look);
      expect(checkCard(card)).toEqual([]);
      expect(json(card)).toContain("rm -rf /srv");
    }
    expect(json(commandApprovalCard({ ...asked, state: "open", text }, LOOKS.zh))).toContain("只显示开头和结尾");
    expect(json(commandApprovalCard({ ...asked, state: "open", text: "ls ••••" }, LOOKS.zh))).toContain("已隐去");
    expect(json(commandApprovalCard({ ...asked, state: "open", text: "ls" }, LOOKS.zh))).not.toMatch(/已隐去|只显示/);
  });

  test("says when nothing came of a decision", () => {
    const card = json(commandApprovalCard({ ...asked, state: "void", voidBecause: "not_taken", ...decided }, LOOKS.zh));
    expect(card).toContain("没有生效");
  });
});

test("who stopped a reply oneself is told so in a sentence", () => {
  const stopped = (language: "zh" | "en"): string =>
    json(chatCard({ ...view, state: "stopped", stoppedBy: { kind: "you" } }, LOOKS[language]));
  expect(stopped("en")).toContain("You stopped it.");
  expect(stopped("zh")).toContain("已由你停止。");
});

test("a reply that took less than a second says nothing of its time", () => {
  const took = (tookMs: number): string => json(chatCard({ ...view, tookMs }, LOOKS.zh));
  expect(took(999)).toBe(json(chatCard(view, LOOKS.zh)));
  expect(took(1_000)).not.toBe(took(999));
});
