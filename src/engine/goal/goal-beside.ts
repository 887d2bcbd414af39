import { type ChatPlace, placeKey } from "../chat/session.ts";
import type { Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import { type Goal, goalSchema } from "./goal.ts";

/** The goal at work in another conversation of this place, and the number of that conversation; the latest one set. */
export async function goalBeside(scope: Scope, place: ChatPlace): Promise<{ goal: Goal; session: number } | undefined> {
  const { groupSessions } = await readSettings(scope);
  const agentId = scope.agent.id;
  const key = placeKey(place, groupSessions);
  const others = await scope.db.chatSession.findMany({
    where: { agentId, place: key, currentOf: null },
    select: { id: true, number: true },
  });
  if (others.length === 0) return undefined;
  const row = await scope.db.goal.findFirst({
    where: { agentId, status: "active", currentOf: { in: others.map(({ id }) => id) } },
    orderBy: { number: "desc" },
  });
  const session = others.find(({ id }) => id === row?.sessionId);
  return row === null || session === undefined ? undefined : { goal: goalSchema.parse(row), session: session.number };
}
