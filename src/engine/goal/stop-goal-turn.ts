import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { auditGoal } from "./change-goal.ts";
import { assertMaySteer, goalById } from "./find-goal.ts";

/**
 * The running turn ends, the goal does not: the wish is stored, and the process that runs the turn asks Hermes. A turn that
 * was stopped is neither judged nor counted.
 * @throws EngineError forbidden · not_found
 */
export async function stopGoalTurn(
  scope: Scope,
  who: PersonActor,
  goalId: string,
): Promise<{ outcome: "asked" | "already" | "nothing_runs" | "impossible" }> {
  return inTransaction(scope.db, async (tx) => {
    const inside = { ...scope, db: tx };
    const goal = await goalById(inside, goalId);
    assertMaySteer(who, goal);
    const running = { agentId: scope.agent.id, goalId, status: "running", endedAt: null };
    const turn = await tx.goalTurn.findFirst({ where: running });
    if (turn === null) return { outcome: "nothing_runs" };
    if (turn.stopAskedAt !== null) return { outcome: "already" };
    if (!scope.turns.abilities().stop) return { outcome: "impossible" };
    await tx.goalTurn.updateMany({
      where: { ...running, id: turn.id, stopAskedAt: null },
      data: { stopAskedAt: scope.clock.now() },
    });
    await auditGoal(tx, inside, who, "goal.stop", goal, { turn: turn.number });
    await touchCards(tx, scope, { kind: "goal", id: goalId });
    return { outcome: "asked" };
  });
}
