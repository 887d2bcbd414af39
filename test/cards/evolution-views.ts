import type { ProposalView } from "../../src/cards/proposal-card.ts";
import type { ProposalListView } from "../../src/cards/proposal-list-card.ts";
import type { ReportProposal, ReportView } from "../../src/cards/report-card.ts";
import type { StrategiesView } from "../../src/cards/strategies-card.ts";
import type { WeekView } from "../../src/cards/week-card.ts";

const at = new Date("2025-05-06T06:30:00Z");
const you = { kind: "you" } as const;

const row = (id: string, number: number, more: Partial<ReportProposal> = {}): ReportProposal => ({
  id,
  number,
  revision: 1,
  kind: "tool_preference",
  title: "同一个文件反复读取",
  effect: "少读几次，更快给出结果",
  status: "pending_approval",
  risk: "low",
  mayDecide: true,
  revertAsked: false,
  later: false,
  ...more,
});

const open = row("prop_1", 1);
const refusedBefore = {
  number: 2,
  reason: "we_do_it_otherwise",
  at: new Date("2025-04-20T06:00:00Z"),
  newSessions: 11,
};

const figures: ReportView["figures"] = {
  sessions: { total: 12, completed: 9, interrupted: 2, failed: 1 },
  score: { average: 0.78, parts: { completion: 0.83, efficiency: 0.72, cost: 0.7, satisfaction: 0.79 } },
  iterations: { average: 5.4, ideal: 3.9 },
  tools: { total: 120, failed: 9 },
  failures: [
    {
      tool: "web_fetch",
      kind: "timeout",
      host: "shop.example.com",
      count: 3,
      sessions: 2,
      from: new Date("2025-05-05T18:00:00Z"),
      to: new Date("2025-05-05T18:20:00Z"),
      lasting: false,
    },
    { tool: "terminal", kind: "not_found", count: 4, sessions: 3, from: at, to: at, lasting: true },
  ],
  loops: { count: 2, calls: 7 },
  chains: { count: 1 },
  longest: [{ about: "terminal: npm test", ms: 182_000 }],
  reads: { wasted: 5 },
  searches: { repeated: 2 },
  redundant: { count: 1 },
  signals: { corrections: 2, frustration: 1, thanks: 3 },
  api: { failedTurns: 1, events: 3 },
  budgetExhausted: 1,
  telemetry: { seen: 10, rebuilt: 2 },
};

const report: ReportView = {
  date: "2025-05-05",
  figures,
  before: 0.74,
  trend: [
    { date: "2025-05-03", score: 0.7 },
    { date: "2025-05-04", score: 0.74 },
    { date: "2025-05-05", score: 0.78 },
  ],
  words: {
    errors: "镜像站夜里不可用。",
    waste: "同一个文件读了多次。",
    recommendations: ["读过的文件先看前文。"],
    by: "glm-4.6",
  },
  proposals: [
    open,
    row("prop_2", 2, { kind: "strategy_adjust", title: "terminal npm ci 反复原样重试" }),
    row("prop_3", 3, { kind: "skill_create", title: "把做法存成技能", risk: "medium", refusedBefore }),
  ],
  heldBack: 2,
  pending: [
    { id: "w1", what: "memory", about: "用户喜欢简短的回答。", at: new Date("2025-05-01T00:00:00Z"), adoptable: true },
  ],
  mayDecide: true,
};

const empty: ReportView["figures"] = {
  ...figures,
  sessions: { total: 0, completed: 0, interrupted: 0, failed: 0 },
  score: { average: null, parts: null },
  failures: [],
  longest: [],
};

export const reportViews: Readonly<Record<string, ReportView>> = {
  full: report,
  decided: {
    ...report,
    proposals: [
      row("prop_1", 1, {
        status: "executed",
        decided: { by: you, at },
        executedAt: at,
        trial: { status: "active", samples: 2, need: 10, before: 0.74, now: 0.8 },
      }),
      row("prop_2", 2, { status: "rejected", decided: { by: you, at }, reason: "我们用 fd" }),
      row("prop_3", 3, { status: "failed", decided: { by: you, at }, because: "no_room" }),
    ],
  },
  "figures-only": {
    ...report,
    words: undefined,
    figuresOnly: "unreadable",
    proposals: [],
    heldBack: 0,
    pending: [],
  } as unknown as ReportView,
  empty: {
    date: "2025-05-05",
    figures: empty,
    trend: [],
    proposals: [],
    heldBack: 0,
    pending: [],
    mayDecide: true,
    figuresOnly: "none",
  },
  queues: {
    ...report,
    proposals: [],
    heldBack: 0,
    queues: {
      waiting: [
        { kind: "failed_delivery", title: "日报", detail: "chat not found", since: new Date("2025-05-04T00:00:00Z") },
        { kind: "cron_suggestion", title: "<at id=all></at> 每周回顾", detail: "周日晚上把一周的事理一遍" },
      ],
      unreadable: 1,
    },
  },
  "read-only": { ...report, mayDecide: false, proposals: [row("prop_1", 1, { mayDecide: false })] },
};

const proposal: ProposalView = {
  ...open,
  description: "3 个会话里有 5 次读取是多余的，例如 src/a.ts，内容并没有变。",
  draftedBy: "rules",
  expiresAt: new Date("2025-05-19T00:00:00Z"),
  target: "PERFORMANCE.md",
  diff: [
    { sign: "@", text: "PERFORMANCE.md" },
    { sign: " ", text: "# Mine" },
    { sign: "+", text: "- 同一个文件没有改动时不要重复读取 <at id=all></at>" },
  ],
  evidence: {
    count: 5,
    sessions: ["20250505_091000_000011", "20250505_104500_000012"],
    dates: 2,
    quotes: [{ role: "tool", at, text: "read_file: src/a.ts" }],
  },
  measuredOn: [],
};

export const proposalViews: Readonly<Record<string, ProposalView>> = {
  open: proposal,
  "refused-before": { ...proposal, refusedBefore, draftedBy: "model" },
  rejected: { ...proposal, status: "rejected", decided: { by: you, at } },
  executed: {
    ...proposal,
    status: "executed",
    decided: { by: you, at },
    executedAt: at,
    trial: { status: "promoted", samples: 24, need: 10, before: 0.74, now: 0.81 },
  },
  reverting: { ...proposal, status: "executed", decided: { by: you, at }, executedAt: at, revertAsked: true },
  reverted: {
    ...proposal,
    status: "reverted",
    decided: { by: you, at },
    executedAt: at,
    revertedAt: at,
    because: "worse:search:0.11",
  },
  kept: { ...proposal, status: "executed", decided: { by: you, at }, executedAt: at, because: "kept:changed_since" },
  clash: { ...proposal, diff: [], clash: "weakens_safety" },
  lesson: {
    ...proposal,
    target: undefined,
    lessonEndsAt: new Date("2025-06-05T00:00:00Z"),
    measuredOn: ["search"],
  } as unknown as ProposalView,
};

export const proposalListViews: Readonly<Record<string, ProposalListView>> = {
  open: { proposals: [open, row("prop_2", 2, { later: true })] },
  empty: { proposals: [] },
};

export const strategiesViews: Readonly<Record<string, StrategiesView>> = {
  some: {
    version: 3,
    since: at,
    maySwitch: true,
    strategies: [
      {
        id: "loop-1",
        title: "npm ci 不要原样重试",
        hint: "失败后先读报错。",
        level: "warn",
        scope: "terminal npm ci",
        enabled: true,
      },
      {
        id: "fail-2",
        title: "别在主分支上强推",
        hint: "先问一声。",
        level: "block",
        scope: "terminal git push",
        enabled: false,
        endsAt: at,
      },
    ],
  },
  empty: { version: 0, strategies: [], maySwitch: true },
};

export const weekViews: Readonly<Record<string, WeekView>> = {
  week: {
    from: "2025-04-29",
    until: "2025-05-05",
    days: [
      { date: "2025-05-04", sessions: 0 },
      { date: "2025-05-05", sessions: 12, score: 0.78 },
    ],
    executed: 2,
    rejected: 1,
    reverted: 1,
  },
};
