import type { PersonActor, Scope } from "../scope.ts";
import { type ChangeResult, changeGoal } from "./change-goal.ts";

/**
 * Work goes on at once, with the counters back at 0. A goal that is done or cleared stays so.
 * @throws EngineError forbidden · not_found · wrong_state
 */
export function resumeGoal(scope: Scope, who: PersonActor, goalId: string): Promise<ChangeResult> {
  return changeGoal(scope, who, goalId, {
    event: "resume",
    verb: "goal.resume",
    already: "active",
    data: (_goal, now) => ({
      status: "active",
      pausedBecause: null,
      turnsUsed: 0,
      failedInRow: 0,
      unreadableInRow: 0,
      sameInRow: 0,
      checkState: null,
      nextTryAt: null,
      endedAt: null,
      startedAt: now,
    }),
  });
}
