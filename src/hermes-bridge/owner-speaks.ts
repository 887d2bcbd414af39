import { asActor, personSchema } from "../engine/people/person.ts";
import type { Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import { ToolRefused } from "./tool-refused.ts";
import type { Caller } from "./who-speaks.ts";

/**
 * Of an agent that holds the token and works outside of Hermes' sessions: it acts on the owner's words, as in a direct chat.
 * @throws ToolRefused (503) while there is no owner
 */
export async function ownerSpeaks(scope: Scope): Promise<Caller> {
  const row = await scope.db.person.findFirst({
    where: { agentId: scope.agent.id, role: "owner", revokedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  if (row === null) {
    throw new ToolRefused(503, "Herald has no owner yet: they pair by sending the code from its log to the bot.");
  }
  const owner = personSchema.parse(row);
  const { zone } = await readSettings(scope);
  return { who: { kind: "agent", onWordsOf: asActor(owner) }, place: { chatType: "p2p" }, zone: owner.zone ?? zone };
}
