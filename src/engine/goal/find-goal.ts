import type { Db } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { criterionSchema, type Goal, type GoalCriterion, goalSchema } from "./goal.ts";

/** The goal of this id. @throws EngineError not_found */
export async function goalById(scope: Scope, id: string): Promise<Goal> {
  const row = await scope.db.goal.findFirst({ where: { id, agentId: scope.agent.id } });
  if (row === null) throw new EngineError("not_found", { what: "goal" });
  return goalSchema.parse(row);
}

/** The goal a session has now; undefined when it has none. */
export async function goalOf(scope: Scope, sessionId: string): Promise<Goal | undefined> {
  const row = await scope.db.goal.findUnique({
    where: { agentId_currentOf: { agentId: scope.agent.id, currentOf: sessionId } },
  });
  return row === null ? undefined : goalSchema.parse(row);
}

/** The conditions that stand, in the order they were added. */
export async function criteriaOf(
  db: Pick<Db, "goalCriterion">,
  scope: Scope,
  goalId: string,
): Promise<GoalCriterion[]> {
  const rows = await db.goalCriterion.findMany({
    where: { goalId, agentId: scope.agent.id, removedAt: null },
    orderBy: { number: "asc" },
  });
  return rows.map((row) => criterionSchema.parse(row));
}

/**
 * Whose goal it is may steer it; anybody else's is an admin's business.
 * @throws EngineError forbidden
 */
export function assertMaySteer(who: PersonActor, goal: Pick<Goal, "createdBy">): void {
  assertMay(who, "goal.set");
  if (goal.createdBy !== who.openId) assertMay(who, "goal.of_others");
}
