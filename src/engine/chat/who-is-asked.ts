import type { Db } from "../db.ts";
import type { Scope } from "../scope.ts";

/**
 * Whose turn asks a question: the person who wrote the message, or who set the goal; and whether the turn still runs.
 * undefined when there is no such turn.
 */
export async function whoIsAsked(
  db: Pick<Db, "turn" | "goalTurn" | "goal">,
  scope: Pick<Scope, "agent">,
  turnId: string,
): Promise<{ openId: string | null; runs: boolean } | undefined> {
  const agentId = scope.agent.id;
  const turn = await db.turn.findFirst({
    where: { id: turnId, agentId },
    select: { senderOpenId: true, status: true },
  });
  if (turn !== null) return { openId: turn.senderOpenId, runs: turn.status === "running" };
  const ofGoal = await db.goalTurn.findFirst({
    where: { id: turnId, agentId },
    select: { goalId: true, status: true, endedAt: true },
  });
  if (ofGoal === null) return undefined;
  const goal = await db.goal.findFirst({ where: { id: ofGoal.goalId, agentId }, select: { createdBy: true } });
  return { openId: goal?.createdBy ?? null, runs: ofGoal.status === "running" && ofGoal.endedAt === null };
}
