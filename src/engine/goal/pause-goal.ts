import type { PersonActor, Scope } from "../scope.ts";
import { type ChangeResult, changeGoal } from "./change-goal.ts";

/**
 * The loop stops; a turn that runs is not cut, and its end only is stored.
 * @throws EngineError forbidden · not_found · wrong_state
 */
export function pauseGoal(scope: Scope, who: PersonActor, goalId: string): Promise<ChangeResult> {
  return changeGoal(scope, who, goalId, {
    event: "pause",
    verb: "goal.pause",
    already: "paused",
    data: () => ({ status: "paused", pausedBecause: "user" }),
  });
}
