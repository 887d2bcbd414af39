import { z } from "zod";
import { type Strategy, strategySchema } from "../../strategy/rule.ts";
import { isPortable } from "../../strategy/strategy-feed.ts";
import { MOST_STRATEGIES } from "../../strategy/strategy-set.ts";
import { lessonProblem } from "../safe-text.ts";
import type { Clash } from "./planned.ts";

export const strategyPayloadSchema = z.strictObject({
  add: z.array(strategySchema).max(5).default([]),
  /** ids of rules that are taken out */
  remove: z.array(z.string()).max(20).default([]),
});
export type StrategyPayload = z.infer<typeof strategyPayloadSchema>;

export function strategyProblem({ add, remove }: StrategyPayload): Clash | undefined {
  if (add.length + remove.length === 0) return "empty";
  for (const strategy of add) {
    const problem = lessonProblem(strategy.hint, 400);
    if (problem) return problem;
    if (!isPortable(strategy)) return "bad_rule";
  }
  return new Set(add.map(({ id }) => id)).size === add.length ? undefined : "bad_rule";
}

/** The set with the change made; a rule that is gone already is no clash, one that stands there under the same id is. */
export function planStrategies(
  { add, remove }: StrategyPayload,
  standing: readonly Strategy[],
): { ok: true; next: Strategy[] } | { ok: false; clash: Clash } {
  const kept = standing.filter(({ id }) => !remove.includes(id));
  if (add.length === 0 && kept.length === standing.length) return { ok: false, clash: "not_there" };
  if (add.some(({ id }) => kept.some((rule) => rule.id === id))) return { ok: false, clash: "already_there" };
  if (kept.length + add.length > MOST_STRATEGIES) return { ok: false, clash: "too_many" };
  return { ok: true, next: [...kept, ...add] };
}

/** The opposite of a change: what was put in goes, what was taken out comes back as it was. */
export function takeBackStrategies(
  { add, remove }: StrategyPayload,
  standing: readonly Strategy[],
  before: readonly Strategy[],
): Strategy[] {
  const put = new Set(add.map(({ id }) => id));
  const kept = standing.filter(({ id }) => !put.has(id));
  const back = before.filter(({ id }) => (remove.includes(id) || put.has(id)) && !kept.some((rule) => rule.id === id));
  return [...kept, ...back];
}
