import type { Scope } from "../scope.ts";
import { LEARN_AT_MOST, learnNorm, type Norms } from "./quality.ts";
import { taskCategories } from "./task-category.ts";

/** What this person's own completed sessions before an instant say is normal, by kind of work. The same date gives the same. */
export async function readNorms(scope: Scope, before: Date): Promise<Norms> {
  const norms: Norms = {};
  for (const category of taskCategories) {
    const sessions = await scope.db.sessionScore.findMany({
      where: { agentId: scope.agent.id, taskCategory: category, startedAt: { lt: before }, outcome: "completed" },
      orderBy: { startedAt: "desc" },
      take: LEARN_AT_MOST,
      select: { iterations: true, toolCalls: true },
    });
    const norm = learnNorm(sessions);
    if (norm) norms[category] = norm;
  }
  return norms;
}
