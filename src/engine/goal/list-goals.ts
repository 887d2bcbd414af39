import { isAtLeast } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { type Goal, goalSchema } from "./goal.ts";

const MOST = 20;

/** Goals, those at work first, then the latest: a member's own, everybody's for owner and admins. */
export async function listGoals(scope: Scope, who: PersonActor): Promise<Goal[]> {
  const rows = await scope.db.goal.findMany({
    where: { agentId: scope.agent.id, ...(isAtLeast(who.role, "admin") ? {} : { createdBy: who.openId }) },
    orderBy: { number: "desc" },
    take: MOST,
  });
  const goals = rows.map((row) => goalSchema.parse(row));
  const isAtWork = (goal: Goal): number => (goal.status === "active" ? 0 : 1);
  return goals.sort((a, b) => isAtWork(a) - isAtWork(b));
}
