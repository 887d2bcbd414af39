import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { auditGoal } from "./change-goal.ts";
import { assertMaySteer, goalById } from "./find-goal.ts";
import type { Goal } from "./goal.ts";
import { RAISE_BY, TOTAL_TURNS } from "./limits.ts";

/**
 * More turns for the same goal, with the name of who gave them: only a person can. A goal that paused because its budget was
 * used up goes on. `seenBudget` is what the card showed: of two taps at once one counts.
 * @throws EngineError forbidden · not_found · changed_since_seen · wrong_state · limit_reached
 */
export async function raiseBudget(
  scope: Scope,
  who: PersonActor,
  input: { goalId: string; seenBudget: number },
): Promise<Goal> {
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const goal = await goalById(inside, input.goalId);
    assertMaySteer(who, goal);
    if (goal.status === "done" || goal.status === "cleared") {
      throw new EngineError("wrong_state", { what: "goal", state: goal.status, possible: ["goal.set"] });
    }
    const budget = goal.budget + RAISE_BY;
    if (budget > TOTAL_TURNS) throw new EngineError("limit_reached", { limit: "goal.turns", most: TOTAL_TURNS });
    const goesOn = goal.status === "paused" && goal.pausedBecause === "out_of_budget";
    const { count } = await tx.goal.updateMany({
      where: { id: goal.id, agentId: scope.agent.id, budget: input.seenBudget, status: goal.status },
      data: {
        budget,
        budgetBy: who.openId,
        revision: { increment: 1 },
        updatedAt: scope.clock.now(),
        ...(goesOn && { status: "active", pausedBecause: null, epoch: { increment: 1 } }),
      },
    });
    if (count === 0) throw new EngineError("changed_since_seen", { what: "goal", id: goal.id });
    await auditGoal(tx, inside, who, "goal.budget", goal, { budget: goal.budget }, { budget });
    await touchCards(tx, scope, { kind: "goal", id: goal.id });
    return goalById(inside, goal.id);
  });
}
