import { describe, expect, it } from "vitest";
import { chooseEditors } from "../../../src/engine/proactive/choose-editor.ts";
import { whyNowOf } from "../../../src/engine/proactive/prepare-by-rules.ts";
import { type WorthFacts, worthARun } from "../../../src/engine/proactive/worth-a-run.ts";
import { type TrackingItem, trackingItemSchema } from "../../../src/engine/tracking/item.ts";
import { textsFor } from "../../../src/text/pick.ts";

const at = (local: string): Date => new Date(`2026-${local}:00+08:00`);
const facts = {
  now: at("11-30T11:00"),
  zone: "Asia/Shanghai",
  texts: textsFor("zh").engine,
  rolledBack: new Set<string>(),
  firstLook: false,
};

/** An item last spoken of at `heard`. */
const item = (heard: string, over: Partial<TrackingItem> = {}): TrackingItem =>
  trackingItemSchema.parse({
    id: "i1",
    agentId: "agent-a",
    number: 1,
    title: "把报价单发给客户A",
    summary: "",
    kind: "promise",
    status: "active",
    momentum: "on_track",
    dueAt: null,
    dueGrain: null,
    snoozedUntil: null,
    exact: false,
    evidence: [{ sessionId: "s1", messageId: "m1", role: "user", at: at(heard), quote: "…" }],
    claimedDoneAt: null,
    claimedDoneEvidence: null,
    audience: "private",
    reminderCount: 0,
    ignoredCount: 0,
    lastRemindedAt: null,
    closedAt: null,
    closedBy: null,
    closedWhy: null,
    closedEvidence: null,
    createdAt: at(heard),
    updatedAt: at(heard),
    revision: 1,
    ...over,
  });

describe("what is ripe without a model", () => {
  it.each<[string, string | undefined, TrackingItem]>([
    [
      "said a moment ago, due tomorrow",
      undefined,
      item("11-30T10:30", { dueAt: at("12-01T15:00"), dueGrain: "minute" }),
    ],
    [
      "said this morning, due tomorrow",
      "12月1日（周二）15:00 到期",
      item("11-30T07:30", { dueAt: at("12-01T15:00"), dueGrain: "minute" }),
    ],
    [
      "due in two hours, said just now",
      "11月30日（周一）13:00 到期",
      item("11-30T10:55", { dueAt: at("11-30T13:00"), dueGrain: "minute" }),
    ],
    ["due today", "11月30日（周一）到期", item("11-29T10:00", { dueAt: at("11-30T00:00"), dueGrain: "day" })],
    ["due in four days", undefined, item("11-25T10:00", { dueAt: at("12-04T00:00"), dueGrain: "day" })],
    ["due this week, on Monday", undefined, item("11-29T10:00", { dueAt: at("11-30T00:00"), dueGrain: "week" })],
    [
      "overdue since yesterday",
      "原定11月29日（周日），已过期",
      item("11-28T10:00", { dueAt: at("11-29T00:00"), dueGrain: "day" }),
    ],
    ["overdue for a month", undefined, item("10-20T10:00", { dueAt: at("10-25T00:00"), dueGrain: "day" })],
    ["waiting since yesterday noon", undefined, item("11-29T12:00", { momentum: "waiting" })],
    ["waiting for three days", "11月27日（周五）之后还没有回音", item("11-27T11:00", { momentum: "waiting" })],
    ["stuck since last night", "11月29日（周日）之后停在了一半", item("11-29T22:00", { momentum: "stalled" })],
    ["no date, said yesterday", undefined, item("11-29T11:00")],
    ["no date, quiet for four days", "11月26日（周四）之后没有动静", item("11-26T11:00")],
    ["snoozed until tonight", undefined, item("11-20T11:00", { snoozedUntil: at("11-30T18:00") })],
    ["snoozed until now", "你推迟到现在", item("11-20T11:00", { snoozedUntil: at("11-30T11:00") })],
    ["claimed done a moment ago", undefined, item("11-29T11:00", { claimedDoneAt: at("11-30T10:00") })],
    [
      "claimed done last night",
      "助手说办好了，还没有人确认",
      item("11-29T11:00", { claimedDoneAt: at("11-29T20:00") }),
    ],
  ])("%s → %s", (_name, why, matter) => expect(whyNowOf(matter, facts)).toBe(why));

  it("what did not arrive is brought up again, however fresh", () => {
    expect(whyNowOf(item("11-30T10:59"), { ...facts, rolledBack: new Set(["i1"]) })).toBe("上次的提醒没有送达");
  });
});

describe("is a tick worth a run?", () => {
  const quiet: WorthFacts = {
    hasOwner: true,
    paused: false,
    inActiveWindow: true,
    personIsTalking: false,
    newHumanMessages: 0,
    itemsChanged: 0,
    itemsDue: 0,
    newlyFailedCrons: 0,
    rolledBack: 0,
    asked: false,
  };
  it.each<[object, Partial<WorthFacts>]>([
    [{ silent: "nothing_new" }, {}],
    [{ go: "new_messages" }, { newHumanMessages: 1 }],
    [{ go: "item_changed" }, { itemsChanged: 1 }],
    [{ go: "item_due" }, { itemsDue: 1 }],
    [{ go: "cron_failed" }, { newlyFailedCrons: 1 }],
    [{ go: "delivery_rolled_back" }, { rolledBack: 1, newHumanMessages: 4 }],
    [{ silent: "outside_active_window" }, { inActiveWindow: false, newHumanMessages: 1 }],
    [{ silent: "paused" }, { paused: true, newHumanMessages: 1 }],
    [{ silent: "person_is_talking" }, { personIsTalking: true, newHumanMessages: 1 }],
    [{ silent: "no_owner" }, { hasOwner: false, asked: true }],
    [{ go: "asked_for" }, { asked: true, paused: true, inActiveWindow: false, personIsTalking: true }],
  ])("%o for %o", (verdict, over) => expect(worthARun({ ...quiet, ...over })).toEqual(verdict));
});

it("the main agent is asked first, then a model, then code; nobody is asked when there is nothing to judge", () => {
  const choose = (wish: "auto" | "model" | "code", agentReachable: boolean, modelConfigured: boolean, allowed = 1) =>
    chooseEditors({ wish, agentReachable, modelConfigured, allowed }).join(" ");
  expect(choose("auto", true, true)).toBe("main-agent model code");
  expect(choose("auto", true, false)).toBe("main-agent code");
  expect(choose("auto", false, true)).toBe("model code");
  expect(choose("model", true, true)).toBe("model code");
  expect(choose("model", true, false)).toBe("code");
  expect(choose("code", true, true)).toBe("code");
  expect(choose("auto", true, true, 0)).toBe("code");
});
