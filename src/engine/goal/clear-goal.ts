import type { PersonActor, Scope } from "../scope.ts";
import { type ChangeResult, changeGoal } from "./change-goal.ts";

/**
 * The goal is dropped and kept for the record. A turn that runs is not cut, and its end changes nothing.
 * @throws EngineError forbidden · not_found
 */
export function clearGoal(scope: Scope, who: PersonActor, goalId: string): Promise<ChangeResult> {
  return changeGoal(scope, who, goalId, {
    event: "clear",
    verb: "goal.clear",
    already: "cleared",
    data: (goal, now) => ({ status: "cleared", currentOf: null, endedAt: goal.endedAt ?? now }),
  });
}
