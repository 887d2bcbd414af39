import type { Scope } from "../scope.ts";
import type { Settings } from "../settings.ts";
import type { HumanRules } from "./human-message.ts";

const OWN_TEXT_DAYS = 14;

/**
 * By what the history is heard, the same wherever it is read: what the owner keeps out, whose direct chats are not the
 * owner's (also of people whose access was taken back), and what this product has sent lately or asked Hermes to do by
 * itself, which is nobody's words.
 */
export async function readHumanRules(scope: Scope, { exclude }: Pick<Settings, "exclude">): Promise<HumanRules> {
  const since = new Date(scope.clock.now().getTime() - OWN_TEXT_DAYS * 86_400_000);
  const sent = await scope.db.delivery.findMany({
    where: { agentId: scope.agent.id, createdAt: { gte: since } },
    select: { text: true },
  });
  const others = await scope.db.person.findMany({
    where: { agentId: scope.agent.id, role: { not: "owner" } },
    select: { openId: true, unionId: true },
  });
  const own = await scope.db.ownTurn.findMany({
    where: { agentId: scope.agent.id, startedAt: { gte: since }, sessionId: { not: null } },
    select: { sessionId: true },
  });
  return {
    ownTurnSessions: own.flatMap(({ sessionId }) => sessionId ?? []),
    ownTexts: sent.map((delivery) => delivery.text),
    otherPeople: others.flatMap(({ openId, unionId }) => (unionId ? [openId, unionId] : [openId])),
    exclude,
  };
}
