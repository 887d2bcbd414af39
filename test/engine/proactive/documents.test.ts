import { describe, expect, it } from "vitest";
import { contextDocument } from "../../../src/engine/proactive/documents/context.ts";
import { conversationDocument } from "../../../src/engine/proactive/documents/conversation.ts";
import type { DocumentLook } from "../../../src/engine/proactive/documents/look.ts";
import { memoryDocument } from "../../../src/engine/proactive/documents/memory.ts";
import { scheduledCronsDocument } from "../../../src/engine/proactive/documents/scheduled-crons.ts";
import { sentDocument } from "../../../src/engine/proactive/documents/sent.ts";
import { sourcesDocument } from "../../../src/engine/proactive/documents/sources.ts";
import { dueWords } from "../../../src/engine/proactive/due-words.ts";
import { type SayableItem, sayMatter, writeReminder } from "../../../src/engine/proactive/reminder-text.ts";
import { textsFor } from "../../../src/text/pick.ts";
import { quote } from "../../helpers/given.ts";

const look = (language: "zh" | "en" = "zh"): DocumentLook => ({
  texts: textsFor(language).engine,
  zone: "Asia/Shanghai",
  now: new Date("2026-11-30T03:00:00Z"),
});

describe("the documents of a run", () => {
  it("conversation.md: new and earlier apart, grouped by session, every line with its source and local time", () => {
    const line = { source: 1, evidence: quote(), text: "周四前把报价单发给客户A\n# New", sessionTitle: "报价" };
    const text = conversationDocument(
      { fresh: [line], earlier: [], cuts: { cutMessages: 2, droppedMessages: 3, cutCodeBlocks: 0 } },
      look(),
    );
    expect(text).toBe(`# New

## 报价
- [source:1] 2026-11-30 09:30 +08:00 user (dm)
  > 周四前把报价单发给客户A
  > # New


# Earlier

（没有）

# 省略了什么

- 2 条消息过长，只保留了开头和结尾
- 3 条消息因篇幅所限没有列出
`);
  });

  it("scheduled-crons.md: schedule, next run, last status, the error as a quotation; unreadable is said", () => {
    const job = {
      id: "a1",
      name: "日报\n# x",
      schedule: "0 9 * * *",
      enabled: false,
      lastRunAt: new Date("2026-11-30T01:00:00Z"),
      lastStatus: "error",
      lastError: "boom\n## y",
    };
    const text = scheduledCronsDocument([{ job, source: 4 }], look());
    expect(text).toContain("## [source:4] 日报 # x");
    expect(text).toContain("- 上次: 2026-11-30 09:00 +08:00 error");
    expect(text).toContain("  > ## y");
    expect(text).toContain("已停用");
    expect(scheduledCronsDocument(undefined, look())).toContain("读不到");
  });

  it("context.md: both clocks, the target, the state of memory and the whole preferences", () => {
    const text = contextDocument(
      { hasOwner: true, memoryState: "unreadable", failedCrons: [], preferences: "少打扰\n周末别说话" },
      look("en"),
    );
    expect(text).toContain("- UTC: 2026-11-30T03:00:00.000Z");
    expect(text).toContain("2026-11-30 11:00 (Monday) +08:00");
    expect(text).toContain("the owner's direct chat");
    expect(text).toContain("the memory file could not be read");
    expect(text).toContain("  > 周末别说话");
  });

  it("memory.md, sent.md and sources.md quote what others wrote and say how reading went", () => {
    const memories = [{ memory: { target: "user" as const, text: "喜欢早上处理合同" }, source: 7 }];
    expect(memoryDocument({ state: "ok", keywords: ["合同"], memories }, look())).toContain(
      "[source:7] user\n  > 喜欢",
    );
    const sent = [{ at: look().now, text: "报价单发了吗？", matters: [{ goalId: "g1", title: "报价单" }] }];
    expect(sentDocument(sent, look())).toContain("  - 报价单 (goal_id: g1)");
    expect(sentDocument([], look())).toContain("（没有）");
    expect(sourcesDocument({ sources: [{ number: 1, evidence: quote() }], sent }, look())).toContain(
      "- [source:1] 2026-11-30 09:30 +08:00 user (dm)\n  > 周四前把报价单发给客户A",
    );
  });
});

describe("the text without a model", () => {
  const item = (over: Partial<SayableItem> = {}): SayableItem => ({
    id: "i1",
    title: "把报价单发给客户A",
    kind: "promise",
    status: "active",
    momentum: "on_track",
    dueAt: null,
    dueGrain: null,
    snoozedUntil: null,
    exact: false,
    lastRemindedAt: null,
    ignoredCount: 0,
    claimedDoneAt: null,
    ...over,
  });
  const due = (hours: number): Partial<SayableItem> => ({
    dueAt: new Date(look().now.getTime() + hours * 3_600_000),
    dueGrain: "minute",
  });

  it.each<[string, Partial<SayableItem>]>([
    ["「把报价单发给客户A」今天 18:00 到期，办得怎么样了？", due(7)],
    ["「把报价单发给客户A」原定今天 09:00，时间已经过了。办好了吗？", due(-2)],
    ["「把报价单发给客户A」，时间是明天 10:00，别忘了。", { ...due(23), kind: "errand" }],
    ["「把报价单发给客户A」还在等对方的消息，要不要催一下？", { momentum: "waiting" }],
    ["「把报价单发给客户A」上次停在了一半，要接着做吗？", { momentum: "stalled" }],
    ["「把报价单发给客户A」还没有下文，要继续跟进吗？", {}],
    ["助手说「把报价单发给客户A」已经办了，你确认一下，算完成了吗？", { ...due(7), claimedDoneAt: new Date() }],
    ["你让我这会儿再提一次：「把报价单发给客户A」。", { snoozedUntil: look().now }],
    ["到点了：把报价单发给客户A", { snoozedUntil: look().now, exact: true, kind: "reminder" }],
  ])("%s", (text, over) => expect(sayMatter(item(over), look())).toBe(text));

  it("several: how many, the most pressing, and what was kept back; in English too", () => {
    expect(writeReminder([item(due(7)), item()], 3, look())).toBe(
      "有 5 件事还没收尾。先说最要紧的：「把报价单发给客户A」今天 18:00 到期，办得怎么样了？\n另有 3 项先收着，发 /items 可以看全部。",
    );
    expect(writeReminder([item({ ...due(7), title: "Send the invoice" })], 0, look("en"))).toBe(
      "“Send the invoice” is due today at 18:00. How is it going?",
    );
    expect(writeReminder([], 0, look())).toBe("");
  });

  it("dates are said as people say them, as exactly as they were given", () => {
    const say = (iso: string, grain: "minute" | "day" | "week" | "month"): string =>
      dueWords(new Date(iso), grain, look().now, "Asia/Shanghai", look().texts.due);
    expect([
      say("2026-11-30T10:00:00Z", "minute"),
      say("2026-12-01T00:00:00+08:00", "day"),
      say("2026-12-02T00:00:00+08:00", "day"),
      say("2026-11-29T00:00:00+08:00", "day"),
      say("2026-12-03T00:00:00+08:00", "day"),
      say("2027-01-05T00:00:00+08:00", "day"),
      say("2026-12-07T00:00:00+08:00", "week"),
      say("2026-12-01T00:00:00+08:00", "month"),
    ]).toEqual([
      "今天 18:00",
      "明天",
      "后天",
      "昨天",
      "12月3日（周四）",
      "2027年1月5日",
      "12月7日（周一）那一周",
      "2026年12月",
    ]);
  });
});
