import type { Condition, Strategy } from "../strategy/rule.ts";
import type { Change } from "./change-kinds.ts";
import { type Draft, riskOf } from "./draft.ts";
import { LESSON_DAYS } from "./draft-by-rules.ts";
import type { ModelDraft } from "./reflect.ts";
import type { WeighedCause } from "./weigh-causes.ts";

/** Why a model's draft was not taken. */
export type NotDrafted = "no_such_pattern" | "passing" | "too_little_evidence" | "incomplete";

/**
 * A model's draft on the ground of the patterns it cites: cause, scope and evidence come from those, never from its words, and
 * what has no ground is not drafted.
 */
export function draftByModel(
  draft: ModelDraft,
  causes: readonly WeighedCause[],
  now: Date,
): { draft: Draft } | { refused: NotDrafted } {
  const cited = draft.cites.map((cite) => causes[Number(cite.slice(1)) - 1]).filter((each) => each !== undefined);
  const [cause] = cited;
  if (!cause || cited.length < draft.cites.length) return { refused: "no_such_pattern" };
  const negative = cause.kind === "failure";
  if (negative && !cause.lasting) return { refused: "passing" };
  const sessions = new Set(cited.flatMap((each) => each.allSessions));
  if (sessions.size < 2 && cause.total < 3) return { refused: "too_little_evidence" };
  const change = changeOf(draft, cause, negative, now);
  if (!change) return { refused: "incomplete" };
  return {
    draft: {
      change,
      title: draft.title,
      description: draft.description,
      expectedEffect: draft.effect,
      risk: riskOf(change, draft.risk),
      cause: { ...cause, quotes: cited.flatMap((each) => each.quotes).slice(0, 4) },
      measure: { metric: "composite", categories: cause.kind === "correction" ? [cause.scope] : [] },
      draftedBy: "model",
    },
  };
}

function changeOf(draft: ModelDraft, cause: WeighedCause, negative: boolean, now: Date): Change | undefined {
  switch (draft.type) {
    case "skill_create":
      return draft.skill
        ? { type: "skill_create", payload: { action: "create", ...draft.skill, files: [] } }
        : undefined;
    case "memory_update":
      return draft.memory
        ? { type: "memory_update", payload: { action: "add", file: draft.memory.file, text: draft.memory.text } }
        : undefined;
    case "tool_preference":
      return draft.preference
        ? { type: "tool_preference", payload: { action: "add", text: draft.preference.text } }
        : undefined;
    case "strategy_adjust": {
      const rule = draft.strategy && ruleOf(draft, draft.strategy, cause, negative, now);
      return rule ? { type: "strategy_adjust", payload: { add: [rule], remove: [] } } : undefined;
    }
  }
}

function ruleOf(
  draft: ModelDraft,
  { hint, level, tool, keywords, input_contains: input }: NonNullable<ModelDraft["strategy"]>,
  cause: WeighedCause,
  negative: boolean,
  now: Date,
): Strategy | undefined {
  const when: Condition[] = [];
  if (level === "block" && tool) when.push({ on: "tool", op: "equals", any: [tool] });
  if (level === "block" && input?.length) when.push({ on: "input", op: "contains", any: [...input] });
  if (level === "warn" && keywords?.length) when.push({ on: "text", op: "contains", any: [...keywords] });
  if (level === "block" && when.length === 0) return undefined;
  return {
    id: `${cause.kind}-${cause.fingerprint.slice(0, 10)}`,
    title: draft.title.slice(0, 120),
    hint,
    level,
    priority: Math.min(90, 45 + cause.allSessions.length * 5),
    when,
    scope: cause.scope.slice(0, 120),
    cause: cause.fingerprint,
    // What holds calls back ends some day, whatever it was drafted from.
    negative: negative || level === "block",
    enabled: true,
    ...((negative || level === "block") && { expiresAt: new Date(now.getTime() + LESSON_DAYS * 86_400_000) }),
  };
}
