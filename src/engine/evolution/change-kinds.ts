import { z } from "zod";
import {
  type MemoryPayload,
  memoryPayloadSchema,
  memoryProblem,
  planMemory,
  takeBackMemory,
} from "./changes/memory-entry.ts";
import {
  type PreferencePayload,
  planPreference,
  preferencePayloadSchema,
  preferenceProblem,
  takeBackPreference,
} from "./changes/performance-md.ts";
import { type Clash, clash, type Planned } from "./changes/planned.ts";
import { planSkill, type SkillPayload, skillPayloadSchema, skillProblem } from "./changes/skill-folder.ts";
import { strategyPayloadSchema, strategyProblem } from "./changes/strategy-set.ts";
import { hashState } from "./snapshot.ts";
import type { FileTarget, TargetState } from "./target-files.ts";

/** The four kinds of change there are. */
export const proposalTypes = ["skill_create", "strategy_adjust", "memory_update", "tool_preference"] as const;
export type ProposalType = (typeof proposalTypes)[number];

/** A change with its payload: read at the border by this, trusted inside. */
export const changeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("skill_create"), payload: skillPayloadSchema }),
  z.object({ type: z.literal("strategy_adjust"), payload: strategyPayloadSchema }),
  z.object({ type: z.literal("memory_update"), payload: memoryPayloadSchema }),
  z.object({ type: z.literal("tool_preference"), payload: preferencePayloadSchema }),
]);
export type Change = z.infer<typeof changeSchema>;
export type FileChange = Exclude<Change, { type: "strategy_adjust" }>;

export interface PlanContext {
  proposalId: string;
  limits: { memory: number; user: number };
}

/** One row a kind: what may be in it, where it goes, what it makes of what stands there, and how that is taken back. */
const fileKinds = {
  skill_create: {
    target: (payload: SkillPayload): FileTarget => ({ kind: "skill", name: payload.name }),
    plan: (payload: SkillPayload, standing: TargetState, { proposalId }: PlanContext): Planned =>
      planSkill(payload, standing, proposalId),
    // A person may have changed it since: it is theirs then.
    takeBack: (): Planned => clash("changed_since"),
  },
  memory_update: {
    target: (payload: MemoryPayload): FileTarget => ({ kind: "memory", file: payload.file }),
    plan: (payload: MemoryPayload, standing: TargetState, { limits }: PlanContext): Planned =>
      planMemory(payload, standing, limits[payload.file]),
    takeBack: (payload: MemoryPayload, standing: TargetState, { limits }: PlanContext): Planned =>
      takeBackMemory(payload, standing, limits[payload.file]),
  },
  tool_preference: {
    target: (): FileTarget => ({ kind: "performance" }),
    plan: (payload: PreferencePayload, standing: TargetState): Planned => planPreference(payload, standing),
    takeBack: (payload: PreferencePayload, standing: TargetState): Planned => takeBackPreference(payload, standing),
  },
} as const;

/** What speaks against a change whatever stands at its target: names, secrets, words that weaken safety. */
export function changeProblem(change: Change): Clash | undefined {
  switch (change.type) {
    case "skill_create":
      return skillProblem(change.payload);
    case "strategy_adjust":
      return strategyProblem(change.payload);
    case "memory_update":
      return memoryProblem(change.payload);
    case "tool_preference":
      return preferenceProblem(change.payload);
  }
}

export function targetOf(change: FileChange): FileTarget {
  switch (change.type) {
    case "skill_create":
      return fileKinds.skill_create.target(change.payload);
    case "memory_update":
      return fileKinds.memory_update.target(change.payload);
    case "tool_preference":
      return fileKinds.tool_preference.target();
  }
}

/** What the target would hold. The diff people see and what is written come from here alike. */
export function planChange(change: FileChange, standing: TargetState, context: PlanContext): Planned {
  const problem = changeProblem(change);
  if (problem) return clash(problem);
  switch (change.type) {
    case "skill_create":
      return fileKinds.skill_create.plan(change.payload, standing, context);
    case "memory_update":
      return fileKinds.memory_update.plan(change.payload, standing, context);
    case "tool_preference":
      return fileKinds.tool_preference.plan(change.payload, standing);
  }
}

/**
 * What the target holds once the change is taken back. As we left it: every byte, mode and link as before. Something else
 * there: only our own entry goes where entries stand side by side; a folder that was changed is left alone.
 */
export function planTakeBack(
  change: FileChange,
  standing: TargetState,
  snapshot: { before: TargetState; beforeHash: string; afterHash: string },
  context: PlanContext,
): Planned {
  const now = hashState(standing);
  if (now === snapshot.afterHash || now === snapshot.beforeHash) return { ok: true, next: snapshot.before };
  switch (change.type) {
    case "skill_create":
      return fileKinds.skill_create.takeBack();
    case "memory_update":
      return fileKinds.memory_update.takeBack(change.payload, standing, context);
    case "tool_preference":
      return fileKinds.tool_preference.takeBack(change.payload, standing);
  }
}

/** The name people know a target by. */
export function targetName(target: FileTarget): string {
  switch (target.kind) {
    case "skill":
      return `skills/herald/${target.name}`;
    case "memory":
      return target.file === "memory" ? "memories/MEMORY.md" : "memories/USER.md";
    case "performance":
      return "PERFORMANCE.md";
  }
}
