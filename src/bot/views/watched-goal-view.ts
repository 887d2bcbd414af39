import { z } from "zod";
import type { WatchedGoalView } from "../../cards/watched-goal-card.ts";
import type { CardPost } from "../../engine/card-posts.ts";
import { watchedChangeSchema } from "../../engine/goal/watch-hermes-goals.ts";
import type { ViewContext } from "./view-context.ts";

const CHANGES_SHOWN = 12;

/** A goal Hermes runs by itself, as it was seen last. */
export async function watchedGoalView({ scope }: ViewContext, post: CardPost): Promise<WatchedGoalView | undefined> {
  const row = await scope.db.watchedGoal.findUnique({
    where: { agentId_sessionId: { agentId: scope.agent.id, sessionId: post.subjectId } },
  });
  if (row === null) return undefined;
  const changes = watchedChangeSchema.array().catch([]).parse(row.changes);
  return {
    text: row.text,
    status: row.status,
    used: row.turnsUsed,
    budget: row.maxTurns,
    ...(row.reason !== null && { reason: row.reason }),
    subgoals: z.array(z.string()).catch([]).parse(row.subgoals),
    session: row.sessionId,
    orphaned: row.continuedAs !== null,
    ...(row.opinion !== null && { opinion: row.opinion }),
    changes: changes.slice(-CHANGES_SHOWN).map((change) => ({
      at: new Date(change.at),
      status: change.status,
      used: change.turnsUsed,
      ...(change.reason !== undefined && { reason: change.reason }),
      reset: change.reset === true,
    })),
  };
}
