import type { GoalView } from "../../src/cards/goal-card.ts";
import type { GoalListView } from "../../src/cards/goal-list-card.ts";
import type { WatchedGoalView } from "../../src/cards/watched-goal-card.ts";
import { hours } from "./looks.ts";

const base: GoalView = {
  goal: "goal_01",
  number: 3,
  text: "修好所有失败的测试，<at id=all></at> 并更新文档",
  state: "active",
  used: 0,
  budget: 20,
  failed: 0,
  since: hours(-2),
  until: hours(0),
  tokens: 0,
  criteria: [],
  work: [],
  turns: [],
  noJudge: false,
  turnRuns: true,
  details: false,
};

/** Every state of the card of a goal. */
export const goalViews: Readonly<Record<string, GoalView>> = {
  set: base,
  working: {
    ...base,
    used: 7,
    reason: "测试已修好两处，文档还没有更新",
    tokens: 128_400,
    failed: 1,
    budgetBy: { kind: "you" },
    criteria: [
      { number: 1, text: "补测试", evidence: "seen" },
      { number: 2, text: "更新文档" },
    ],
    check: "npm test",
    work: ["terminal · npm test", "read_file · docs/guide.md"],
    cutTo: 4_000,
    details: true,
    turns: [
      { number: 8, state: "running" },
      { number: 7, state: "judged", verdict: "continue", reason: "测试已修好两处，文档还没有更新" },
      { number: 6, state: "failed", reason: "429 quota" },
    ],
  },
  "out-of-budget": { ...base, state: "paused", cause: "out_of_budget", used: 20, reason: "还差文档", turnRuns: false },
  blocked: { ...base, state: "blocked", used: 3, reason: "没有仓库的写权限", turnRuns: false },
  done: { ...base, state: "done", used: 4, reason: "测试全过，文档已更新", evidence: "checked", turnRuns: false },
  dropped: { ...base, state: "cleared", used: 4, turnRuns: false },
  waits: { ...base, used: 2, reason: "还差文档", turnRuns: false, waitsUntil: hours(0.1) },
  "no-judge": { ...base, used: 1, reason: "还在做", noJudge: true },
};

export const goalListViews: Readonly<Record<string, GoalListView>> = {
  some: {
    goals: [
      { goal: "goal_01", number: 3, text: "修好所有失败的测试", state: "active", used: 7, budget: 20 },
      { goal: "goal_02", number: 2, text: "整理发票", state: "done", used: 4, budget: 20 },
    ],
  },
  empty: { goals: [] },
};

export const watchedGoalViews: Readonly<Record<string, WatchedGoalView>> = {
  active: {
    text: "修复所有 lint",
    status: "active",
    used: 7,
    budget: 20,
    subgoals: ["补测试", "更新文档"],
    session: "s7",
    orphaned: false,
    changes: [],
  },
  "done-but": {
    text: "修复所有 lint",
    status: "done",
    used: 3,
    budget: 20,
    reason: "都修好了",
    subgoals: [],
    session: "s7",
    orphaned: true,
    opinion: "回复里没有提到文档",
    changes: [
      { at: hours(-5), status: "active", used: 19, reset: false },
      { at: hours(-4), status: "active", used: 3, reset: true, reason: "继续" },
    ],
  },
};
