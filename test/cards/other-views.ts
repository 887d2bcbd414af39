import type { AuditView } from "../../src/cards/audit-card.ts";
import type { DocumentView } from "../../src/cards/document-card.ts";
import type { HelpView } from "../../src/cards/help-card.ts";
import type { ItemListView } from "../../src/cards/item-list-card.ts";
import type { MembersView } from "../../src/cards/members-card.ts";
import type { NoticeView } from "../../src/cards/notice-card.ts";
import type { PrefsView } from "../../src/cards/prefs-card.ts";
import type { RunView } from "../../src/cards/run-card.ts";
import type { RunListView } from "../../src/cards/run-list-card.ts";
import type { SettingsView } from "../../src/cards/settings-card.ts";
import type { StatusView } from "../../src/cards/status-card.ts";
import type { WhyView } from "../../src/cards/why-card.ts";
import { hours } from "./looks.ts";
import { mail, passport, quote, server } from "./reminder-views.ts";

const you = { kind: "you" } as const;

export const itemListViews: Readonly<Record<string, ItemListView>> = {
  open: {
    list: "open",
    page: 1,
    pages: 2,
    total: 7,
    matters: [
      { ...quote, number: 3 },
      { ...server, number: 5, snoozedUntil: hours(18.5) },
      { ...passport, number: 8, dueAt: hours(24 * 3), dueGrain: "day" },
    ],
  },
  closed: {
    list: "closed",
    page: 1,
    pages: 1,
    total: 2,
    matters: [
      { ...quote, number: 3, state: { is: "done", by: you, at: hours(-0.1), undo: "dec_1" } },
      { ...mail, number: 4, state: { is: "closedElsewhere", at: hours(-50) } },
    ],
  },
  empty: { list: "open", page: 1, pages: 1, total: 0, matters: [] },
  expired: { list: "all", page: 2, pages: 3, total: 12, expired: true, matters: [{ ...server, number: 5 }] },
};

const run: RunView = {
  run: "run_01JTHZ3V6K",
  startedAt: hours(-1),
  windowStart: hours(-20),
  windowEnd: hours(-1),
  outcome: "sent",
  reason: "new_messages",
  extractor: "model",
  editor: "main-agent",
  counts: { messages: 12, candidates: 3, sent: 1 },
  usage: { calls: 3, inputTokens: 12_345, outputTokens: 910 },
  delivery: { status: "delivered", at: hours(-0.99) },
  candidates: [
    { index: 1, title: "给客户发报价单", decision: "send", reason: "due_now" },
    { index: 2, title: "续签护照", decision: "skip", reason: "recently_reminded", note: "昨天刚提过。" },
    { index: 3, title: "周末爬山", decision: "skip", reason: "a_reason_of_tomorrow" },
  ],
  documents: [
    "conversation.md",
    "tracking.md",
    "scheduled-crons.md",
    "sent.md",
    "memory.md",
    "context.md",
    "opportunities.md",
    "prepared.md",
    "sources.md",
  ],
};

const { delivery: _, ...quiet } = run;

export const runViews: Readonly<Record<string, RunView>> = {
  sent: run,
  silent: {
    ...quiet,
    outcome: "skipped_all",
    extractor: "rules",
    editor: "code",
    usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
    counts: { messages: 2, candidates: 1, sent: 0 },
    candidates: [{ index: 1, title: "续签护照", decision: "skip", reason: "quiet_hours" }],
    documents: ["context.md"],
  },
  failed: {
    run: "run_01JTHZ3V6L",
    startedAt: hours(-30),
    windowStart: hours(-40),
    windowEnd: hours(-30),
    outcome: "failed",
    reason: "item_due",
    counts: { messages: 0, candidates: 0, sent: 0 },
    error: "reply of the model did not parse: Unexpected token <",
    candidates: [],
    documents: [],
  },
  "nothing-to-say": {
    ...quiet,
    outcome: "nothing_to_say",
    counts: { messages: 4, candidates: 0, sent: 0 },
    candidates: [],
    documents: [],
  },
  undelivered: { ...run, outcome: "superseded", delivery: { status: "failed" }, documents: [] },
  "very-many": {
    ...run,
    candidates: Array.from({ length: 80 }, (_, index) => ({
      index: index + 1,
      title: `候选 ${index + 1}：${"很长的标题".repeat(10)}`,
      decision: "skip" as const,
      reason: "too_uncertain",
      note: "备注".repeat(60),
    })),
  },
};

export const runListViews: Readonly<Record<string, RunListView>> = {
  some: {
    page: 1,
    pages: 4,
    runs: [
      { run: "run_3", startedAt: hours(-1), outcome: "sent", counts: { messages: 12, candidates: 3, sent: 1 } },
      { run: "run_2", startedAt: hours(-20), outcome: "failed", counts: { messages: 5, candidates: 0, sent: 0 } },
      { run: "run_1", startedAt: hours(-50), outcome: "skipped_all", counts: { messages: 1, candidates: 2, sent: 0 } },
    ],
  },
  empty: { page: 1, pages: 1, runs: [] },
};

const document: DocumentView = {
  run: "run_3",
  startedAt: hours(-1),
  name: "conversation.md",
  page: 1,
  content: "# New\n\n- [source:1] 王总：报价单什么时候给？\n- 你：**今天**下班前 <at id=all></at>\n",
};

export const documentViews: Readonly<Record<string, DocumentView>> = {
  short: document,
  long: { ...document, page: 2, content: "## 第几段\n\n一行很普通的记录，写着谁说了什么。\n\n".repeat(500) },
  empty: { ...document, name: "memory.md", content: "" },
};

export const whyViews: Readonly<Record<string, WhyView>> = {
  message: {
    kind: "message",
    run: "run_3",
    sentAt: hours(-1),
    judges: { extractor: "model", editor: "code" },
    candidates: [
      {
        index: 1,
        title: "给客户发报价单",
        decision: "send",
        reason: "due_now",
        evidence: [
          { by: you, at: hours(-72), text: "周二下班前我把报价单发给王总" },
          { by: { kind: "person", name: "王总" }, at: hours(-48), text: "报价单什么时候能给？" },
        ],
      },
      { index: 2, title: "续签护照", decision: "skip", reason: "recently_reminded", evidence: [] },
    ],
  },
  "one-matter": {
    kind: "message",
    run: "run_3",
    sentAt: hours(-1),
    judges: { extractor: "rules", editor: "code" },
    others: 2,
    silentSince: { checkedAt: hours(-0.2), reason: "nothing_new" },
    candidates: [{ index: 1, title: "给客户发报价单", decision: "send", reason: "due_now", evidence: [] }],
  },
  silent: {
    kind: "silent",
    run: "run_2",
    checkedAt: hours(-2),
    judges: { extractor: "model", editor: "model" },
    reason: "skipped_all",
    candidates: [],
  },
  "not-even-a-run": { kind: "silent", checkedAt: hours(-0.2), reason: "outside_active_window", candidates: [] },
};

export const statusViews: Readonly<Record<string, StatusView>> = {
  ok: {
    health: [
      { name: "feishu", state: "ok", lastSuccessAt: hours(-0.01), detail: "websocket" },
      { name: "history", state: "ok", lastSuccessAt: hours(-0.2), detail: "state.db · 1,204 sessions" },
      { name: "model", state: "off" },
      { name: "database", state: "ok", lastSuccessAt: hours(-0.001) },
    ],
    jobs: [
      { name: "proactive-tick", outcome: "done", at: hours(-0.25), nextAt: hours(0.25) },
      { name: "sync-cards", outcome: "no_op", at: hours(-0.01), nextAt: hours(0.01) },
      { name: "job-of-tomorrow", outcome: "never" },
    ],
    runs: [{ run: "run_3", startedAt: hours(-1), outcome: "sent", counts: { messages: 12, candidates: 3, sent: 1 } }],
    usage: { calls: 3, inputTokens: 12_345, outputTokens: 910 },
    paused: false,
    quiet: "21:30–09:00",
    remindersToday: { sent: 1, limit: 5 },
    version: "0.1.0",
  },
  trouble: {
    health: [
      { name: "feishu", state: "down", lastSuccessAt: hours(-3), detail: "99991663: token refused" },
      { name: "history", state: "down", detail: "~/.hermes/state.db: file is locked" },
      { name: "model", state: "waiting" },
      { name: "database", state: "ok", lastSuccessAt: hours(-0.001) },
    ],
    jobs: [{ name: "proactive-tick", outcome: "failed", at: hours(-0.25), error: "database is locked" }],
    runs: [],
    usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
    paused: true,
    pausedUntil: hours(20),
  },
};

export const prefsViews: Readonly<Record<string, PrefsView>> = {
  form: { text: "周末不谈工作。\n报价和合同要早点说。", mayEdit: true },
  missing: { text: undefined, mayEdit: true },
  saved: { text: "周末不谈工作。", mayEdit: true, saved: { by: you, at: hours(0) } },
  "too-long": { text: "很长的偏好。".repeat(300), mayEdit: true },
  "read-only": { text: "周末不谈工作。", mayEdit: false },
};

export const settingsViews: Readonly<Record<string, SettingsView>> = {
  form: {
    group: "reminders",
    mayChange: true,
    fields: [
      { name: "dailyMessages", value: "3", byDefault: "5" },
      { name: "activeFrom", value: "09:00" },
      { name: "editor", value: "auto", choices: ["auto", "model", "code"] },
    ],
  },
  saved: {
    group: "reading",
    mayChange: true,
    saved: { by: you, at: hours(0) },
    fields: [{ name: "exclude", value: "oc_1234, telegram", byDefault: "" }],
  },
  "read-only": {
    group: "general",
    mayChange: false,
    fields: [
      { name: "language", value: "zh", choices: ["zh", "en"] },
      { name: "zone", value: "Asia/Shanghai" },
    ],
  },
};

const lin = { kind: "person", openId: "ou_lin", name: "林 <at id=all></at>" } as const;

export const membersViews: Readonly<Record<string, MembersView>> = {
  owner: {
    mayGrant: true,
    members: [
      { openId: "ou_me", who: you, role: "owner", since: hours(-900), may: { revoke: false, changeRole: false } },
      { openId: "ou_lin", who: lin, role: "admin", since: hours(-50), may: { revoke: true, changeRole: true } },
      {
        openId: "ou_7",
        who: { kind: "person" },
        role: "member",
        since: hours(-2),
        may: { revoke: true, changeRole: true },
      },
    ],
    strangers: [{ openId: "ou_knocked", at: hours(-1) }],
  },
  alone: {
    mayGrant: false,
    members: [
      { openId: "ou_me", who: you, role: "owner", since: hours(-900), may: { revoke: false, changeRole: false } },
    ],
    strangers: [],
  },
};

export const auditViews: Readonly<Record<string, AuditView>> = {
  page: {
    page: 1,
    pages: 2,
    lines: [
      {
        at: hours(-0.1),
        what: "settings.change",
        by: { who: you },
        about: "dailyMessages",
        before: { value: "5" },
        after: { value: "3" },
      },
      { at: hours(-1), what: "item.done", by: { who: lin, through: "agent" }, about: "#3" },
      { at: hours(-2), what: "people.grant", by: { who: you }, about: "林", after: { role: "member" } },
      { at: hours(-3), what: "item.open", by: "worker" },
      {
        at: hours(-3),
        what: "item.snooze",
        by: { who: you },
        about: "#3",
        before: { status: "active", ignoredCount: "1" },
        after: { status: "snoozed", snoozedUntil: hours(2), closedBy: "ou_1234" },
      },
      { at: hours(-3.5), what: "turn.retry", by: { who: you }, after: { retriedAs: "turn_1m8q" } },
      { at: hours(-4), what: "a.verb.of.tomorrow", by: "job" },
    ],
  },
  empty: { page: 1, pages: 1, lines: [] },
};

export const noticeViews: Readonly<Record<string, NoticeView>> = {
  info: { level: "info", title: (t) => t.card.items.title.open, text: (t) => t.card.items.typing },
  error: {
    level: "error",
    title: (t) => t.card.status.title.trouble(1),
    text: (t) => t.card.reasons.history_unavailable,
    detail: "SQLITE_CORRUPT: database disk image is malformed\n<at id=all></at>",
    actions: [
      {
        label: (t) => t.card.common.refresh,
        style: "primary",
        action: { action: "status.refresh", payload: {} },
      },
      { label: (t) => t.card.status.tickNow, action: { action: "tick.run", payload: {} } },
    ],
  },
};

export const helpViews: Readonly<Record<string, HelpView>> = {
  member: {
    everyone: [
      { usage: "/items [closed|all]", summary: (t) => t.card.items.title.open },
      {
        usage: "/snooze N <when>",
        summary: (t) => t.card.matter.snooze,
        example: (_, f) => (f.language === "zh" ? "/snooze 3 明天9点" : "/snooze 3 tomorrow 9am"),
      },
    ],
    admin: [],
  },
  owner: {
    everyone: [{ usage: "/items [closed|all]", summary: (t) => t.card.items.title.open }],
    admin: [{ usage: "/status", summary: (t) => t.card.status.title.ok }],
  },
};
