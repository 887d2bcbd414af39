import type { Tx } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { type ChangeResult, changeGoal } from "./change-goal.ts";
import type { Goal } from "./goal.ts";
import { TOTAL_TURNS } from "./limits.ts";

/**
 * Work goes on at once, with the counters back at 0. A goal that is done or cleared stays so.
 * What people said meanwhile was none of its turns.
 * @throws EngineError forbidden · not_found · wrong_state · limit_reached (the cap on all turns)
 */
export function resumeGoal(scope: Scope, who: PersonActor, goalId: string): Promise<ChangeResult> {
  return changeGoal(scope, who, goalId, {
    event: "resume",
    verb: "goal.resume",
    already: "active",
    data: async (goal, now, tx) => {
      // Active and never worked on again would be a lie.
      if (goal.turnsTotal >= TOTAL_TURNS)
        throw new EngineError("limit_reached", { limit: "goal.total", most: TOTAL_TURNS });
      return { ...(await freshRun(tx, scope, goal)), startedAt: now };
    },
  });
}

async function freshRun(tx: Tx, scope: Scope, goal: Goal): Promise<Record<string, unknown>> {
  const last = await tx.turn.findFirst({
    where: { agentId: scope.agent.id, sessionId: goal.sessionId },
    orderBy: { seq: "desc" },
    select: { seq: true },
  });
  return {
    status: "active",
    pausedBecause: null,
    turnsUsed: 0,
    failedInRow: 0,
    unreadableInRow: 0,
    sameInRow: 0,
    checkState: null,
    nextTryAt: null,
    endedAt: null,
    lastChatTurn: last?.seq ?? goal.lastChatTurn,
  };
}
