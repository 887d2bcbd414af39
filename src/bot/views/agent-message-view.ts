import { z } from "zod";
import type { AgentMessageView } from "../../cards/agent-message-card.ts";
import type { Scope } from "../../engine/scope.ts";

const placeSchema = z.object({ part: z.number().int().positive() }).catch({ part: 1 });

/** What Hermes said by itself, as far as one card shows it; undefined when it is gone. */
export async function agentMessageView(
  scope: Scope,
  id: string,
  view: Readonly<Record<string, unknown>> | null,
): Promise<AgentMessageView | undefined> {
  const row = await scope.db.agentMessage.findFirst({ where: { id, agentId: scope.agent.id } });
  if (row === null) return undefined;
  const { part } = placeSchema.parse(view);
  return { origin: row.origin, text: row.text, part, broken: row.broken };
}
