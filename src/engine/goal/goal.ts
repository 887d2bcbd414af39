import { z } from "zod";
import type { Lifecycle } from "../lifecycle.ts";

export const goalStatuses = ["active", "paused", "blocked", "done", "cleared"] as const;
export type GoalStatus = (typeof goalStatuses)[number];
export type GoalEvent = "pause" | "resume" | "reach" | "block" | "clear";

/** Done is final: the goal is not worked on again. Blocked and paused may go on once a person says so. */
export const goalLifecycle: Lifecycle<GoalStatus, GoalEvent> = {
  active: { pause: "paused", reach: "done", block: "blocked", clear: "cleared" },
  paused: { resume: "active", clear: "cleared" },
  blocked: { resume: "active", clear: "cleared" },
  done: { clear: "cleared" },
  cleared: {},
};

/** Why a goal waits for a person. */
export const pauseCauses = [
  "user",
  "out_of_budget",
  "judge_unreadable",
  "turns_failing",
  "no_progress",
  "total_cap",
  "check_not_run",
] as const;
export type PauseCause = (typeof pauseCauses)[number];

/**
 * What a verdict rests on. claimed: Hermes says so · seen: tools that did it were seen to run · checked: the check the
 * person gave was run and passed.
 */
export const evidenceClasses = ["claimed", "seen", "checked"] as const;
export type EvidenceClass = (typeof evidenceClasses)[number];

export const goalSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  number: z.number().int(),
  sessionId: z.string(),
  currentOf: z.string().nullable(),
  chatId: z.string(),
  chatType: z.enum(["p2p", "group"]),
  language: z.enum(["zh", "en"]).catch("zh"),
  text: z.string(),
  status: z.enum(goalStatuses),
  pausedBecause: z.enum(pauseCauses).nullable().catch("user"),
  reason: z.string().nullable(),
  evidence: z.enum(evidenceClasses).nullable().catch(null),
  epoch: z.number().int(),
  turnsUsed: z.number().int(),
  budget: z.number().int(),
  budgetBy: z.string().nullable(),
  turnsTotal: z.number().int(),
  failedInRow: z.number().int(),
  unreadableInRow: z.number().int(),
  sameInRow: z.number().int(),
  check: z.string().nullable(),
  checkState: z.enum(["asked", "passed", "failed"]).nullable().catch(null),
  lastChatTurn: z.number().int(),
  createdBy: z.string(),
  createdAt: z.date(),
  startedAt: z.date(),
  updatedAt: z.date(),
  endedAt: z.date().nullable(),
  leaseUntil: z.date().nullable(),
  nextTryAt: z.date().nullable(),
  revision: z.number().int(),
});
export type Goal = z.infer<typeof goalSchema>;

export const criterionSchema = z.object({
  goalId: z.string(),
  number: z.number().int(),
  agentId: z.string(),
  text: z.string(),
  addedBy: z.string(),
  addedAt: z.date(),
  removedAt: z.date().nullable(),
  metAt: z.date().nullable(),
  evidence: z.enum(evidenceClasses).nullable().catch(null),
});
export type GoalCriterion = z.infer<typeof criterionSchema>;

export const toolUseSchema = z.object({
  name: z.string(),
  preview: z.string().optional(),
  state: z.enum(["started", "completed", "failed"]),
});
export type ToolUse = z.infer<typeof toolUseSchema>;

export const goalTurnStatuses = ["running", "judged", "empty", "failed", "stopped", "lost", "stale"] as const;
export const goalTurnSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  goalId: z.string(),
  number: z.number().int(),
  epoch: z.number().int(),
  kind: z.enum(["goal", "person", "check"]).catch("goal"),
  status: z.enum(goalTurnStatuses),
  sent: z.string(),
  tail: z.string(),
  replyChars: z.number().int(),
  digest: z.string().nullable(),
  tools: z.array(toolUseSchema).catch([]),
  verdict: z.enum(["continue", "done", "blocked", "none"]).nullable().catch("none"),
  reason: z.string().nullable(),
  evidence: z.enum(evidenceClasses).nullable().catch(null),
  judgedBy: z.string().nullable(),
  why: z.string().nullable(),
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  hermesSessionId: z.string().nullable(),
  stopAskedAt: z.date().nullable(),
  startedAt: z.date(),
  endedAt: z.date().nullable(),
});
export type GoalTurn = z.infer<typeof goalTurnSchema>;
