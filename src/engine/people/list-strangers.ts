import type { Scope } from "../scope.ts";

/** Who wrote to the bot and is not served, latest first. */
export async function listStrangers(scope: Scope, most: number): Promise<{ openId: string; at: Date }[]> {
  const agentId = scope.agent.id;
  const known = await scope.db.person.findMany({ where: { agentId, revokedAt: null }, select: { openId: true } });
  const rows = await scope.db.stranger.findMany({
    where: { agentId, openId: { notIn: known.map((person) => person.openId) } },
    orderBy: { refusedAt: "desc" },
    take: most,
  });
  return rows.map((row) => ({ openId: row.openId, at: row.refusedAt }));
}
